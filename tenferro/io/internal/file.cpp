// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/internal/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "tenferro/base/text.hpp"
#include "tenferro/io/error.hpp"

namespace tenferro::internal {
namespace {

// Linux moves at most 2^31 − 4096 bytes a call.
constexpr std::uint64_t kMostAtOnce = std::uint64_t{1} << 30;

[[noreturn]] void fail(const Subject& subject, std::string_view action, int code) {
  raise<IoErrorInfo>(
      FileFailure{subject.op, subject.path, action, std::error_code(code, std::generic_category()).message(), code});
}

// No system call sees what follows a zero byte, so such a name would mean another file.
void require_name(const Subject& subject) {
  if (subject.path.empty()) fail(subject, "open", ENOENT);
  const std::size_t zero = subject.path.find('\0');
  if (zero != std::string::npos) fail({subject.op, subject.path.substr(0, zero) + "\\0"}, "open", EINVAL);
}

class Descriptor {
 public:
  explicit Descriptor(int file) noexcept : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const noexcept { return file_; }

 private:
  int file_;
};

Descriptor open_for_reading(const Subject& subject, struct stat* status) {
  require_name(subject);
  Descriptor file(::open(subject.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail(subject, "open", errno);
  if (::fstat(file.get(), status) != 0) fail(subject, "open", errno);
  if (S_ISDIR(status->st_mode)) fail(subject, "open", EISDIR);
  return file;
}

class RegularFile final : public RandomBytes {
 public:
  RegularFile(Subject subject, Descriptor file, std::uint64_t size)
      : subject_(std::move(subject)), file_(std::move(file)), size_(size) {}

  std::uint64_t size() const noexcept override { return size_; }
  void read_at(std::uint64_t offset, void* to, std::uint64_t count) const override {
    auto* at = static_cast<char*>(to);
    while (count > 0) {
      const ssize_t got = ::pread(file_.get(), at, std::min(count, kMostAtOnce), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(subject_, "read", errno);
      if (got == 0) raise<IoErrorInfo>(ByteCountMismatch{subject_.op, subject_.path, size_, offset});
      at += got;
      offset += static_cast<std::uint64_t>(got);
      count -= static_cast<std::uint64_t>(got);
    }
  }

 private:
  Subject subject_;
  Descriptor file_;
  std::uint64_t size_;
};

class OwnedBytes final : public RandomBytes {
 public:
  explicit OwnedBytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const noexcept override { return bytes_.size(); }
  void read_at(std::uint64_t offset, void* to, std::uint64_t count) const override {
    if (count != 0) std::memcpy(to, bytes_.data() + offset, count);
  }

 private:
  std::vector<std::byte> bytes_;
};

std::vector<std::byte> read_to_the_end(const Subject& subject, const Descriptor& file) {
  std::vector<std::byte> bytes;
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(std::max<std::size_t>(2 * used, 1 << 16));
    const ssize_t got =
        ::read(file.get(), bytes.data() + used, std::min(bytes.size() - used, std::size_t{kMostAtOnce}));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(subject, "read", errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

// The file that a name finally stands for, so that replacing it keeps a symbolic link a link.
std::string resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string out = real;
  std::free(real);
  return out;
}

std::string temporary_beside(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  const std::size_t slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : target.substr(0, slash + 1);
  return concat(folder, ".tenferro-", ::getpid(), "-", counter.fetch_add(1), ".tmp");
}

}  // namespace

void MemorySource::read(void* to, std::uint64_t count) {
  if (count != 0) std::memcpy(to, bytes_.data() + position(), count);
  advance(count);
}

void PartSource::read(void* to, std::uint64_t count) {
  bytes_.read_at(offset_ + position(), to, count);
  advance(count);
}

std::unique_ptr<RandomBytes> open_bytes(const Subject& subject) {
  struct stat status{};
  Descriptor file = open_for_reading(subject, &status);
  if (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(file.get()) == 0)) {
    fail(subject, "read a device:", ENOTSUP);  // it may have no end
  }
  if (!S_ISREG(status.st_mode)) return owned_bytes(read_to_the_end(subject, file));
  return std::make_unique<RegularFile>(subject, std::move(file), static_cast<std::uint64_t>(status.st_size));
}

std::unique_ptr<RandomBytes> owned_bytes(std::vector<std::byte> bytes) {
  return std::make_unique<OwnedBytes>(std::move(bytes));
}

std::string read_text(const Subject& subject) {
  const auto bytes = open_bytes(subject);
  std::string text(bytes->size(), '\0');
  bytes->read_at(0, text.data(), text.size());
  return text;
}

Mapping::Mapping(Mapping&& other) noexcept
    : data(std::exchange(other.data, nullptr)), size(std::exchange(other.size, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  Mapping taken(std::move(other));
  std::swap(data, taken.data);
  std::swap(size, taken.size);
  return *this;
}

Mapping::~Mapping() {
  if (data != nullptr) ::munmap(data, size);
}

Mapping map_file(const Subject& subject) {
  struct stat status{};
  const Descriptor file = open_for_reading(subject, &status);
  Mapping mapping;
  if (status.st_size == 0) return mapping;
  void* mapped =
      ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) fail(subject, "map", errno);
  mapping.data = static_cast<std::byte*>(mapped);
  mapping.size = static_cast<std::size_t>(status.st_size);
  return mapping;
}

NewFile::NewFile(const Subject& subject) : subject_(subject), target_(resolved(subject.path)) {
  require_name(subject);
  struct stat status{};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(subject_, "write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail(subject_, "open", errno);
    return;
  }
  // Names left over from a process of the same number are passed by.
  for (int attempts = 0; attempts < 100; ++attempts) {
    temporary_ = temporary_beside(target_);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0 || errno != EEXIST) break;
  }
  if (file_ < 0) {
    const int code = errno;
    temporary_.clear();
    fail(subject_, "write", code);
  }
  // The new file is as readable as the one that it replaces.
  if (exists) (void)::fchmod(file_, status.st_mode & 07777);
}

NewFile::~NewFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::write(const void* from, std::uint64_t count) {
  const auto* at = static_cast<const char*>(from);
  while (count > 0) {
    const ssize_t done = ::write(file_, at, std::min(count, kMostAtOnce));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(subject_, "write", errno);
    at += done;
    written_ += static_cast<std::uint64_t>(done);
    count -= static_cast<std::uint64_t>(done);
  }
}

void NewFile::commit() {
  if (::close(std::exchange(file_, -1)) != 0) fail(subject_, "write", errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(subject_, "rename", errno);
  temporary_.clear();
}

}  // namespace tenferro::internal
