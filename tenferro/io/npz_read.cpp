// SPDX-License-Identifier: MIT OR Apache-2.0
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "tenferro/base/text.hpp"
#include "tenferro/io/internal/npy_array.hpp"
#include "tenferro/io/internal/zip_format.hpp"
#include "tenferro/io/npz.hpp"

namespace tenferro {
namespace {

using internal::RandomBytes;
using internal::Subject;

struct Entry {
  std::uint16_t method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t packed = 0;  ///< bytes in the archive
  std::uint64_t size = 0;    ///< bytes of the npy file
  std::uint64_t local = 0;   ///< where its local header is
};

[[noreturn]] void refuse(const Subject& subject, std::string reason) {
  raise<IoErrorInfo>(BadFormat{subject.op, subject.path, "npz", std::move(reason)});
}

// Passes bytes on and keeps their checksum.
class Checked : public internal::ByteSource {
 public:
  using ByteSource::ByteSource;
  std::uint32_t checksum() const noexcept { return static_cast<std::uint32_t>(checksum_); }
  /// True if there is nothing behind the bytes that were announced.
  virtual bool exhausted() { return true; }

 protected:
  void add(const void* bytes, std::uint64_t count) {
    if (count == 0) return;
    checksum_ = ::crc32_z(checksum_, static_cast<const Bytef*>(bytes), static_cast<z_size_t>(count));
    advance(count);
  }

 private:
  uLong checksum_ = 0;
};

class Stored final : public Checked {
 public:
  Stored(const RandomBytes& bytes, std::uint64_t offset, const Entry& entry)
      : Checked(entry.size), part_(bytes, offset, entry.packed) {}
  void read(void* to, std::uint64_t count) override {
    part_.read(to, count);
    add(to, count);
  }

 private:
  internal::PartSource part_;
};

class Inflated final : public Checked {
 public:
  Inflated(const RandomBytes& bytes, std::uint64_t offset, const Entry& entry, const Subject& subject)
      : Checked(entry.size), subject_(subject), part_(bytes, offset, entry.packed) {
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) raise<AllocationFailed>(AllocationFailed{sizeof stream_});
  }
  ~Inflated() override { ::inflateEnd(&stream_); }
  Inflated(const Inflated&) = delete;
  Inflated& operator=(const Inflated&) = delete;

  void read(void* to, std::uint64_t count) override {
    auto* at = static_cast<Bytef*>(to);
    std::uint64_t wanted = count;
    while (wanted > 0) {
      refill();
      const auto room = static_cast<uInt>(std::min<std::uint64_t>(wanted, std::numeric_limits<uInt>::max()));
      stream_.next_out = at;
      stream_.avail_out = room;
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      const uInt made = room - stream_.avail_out;
      at += made;
      wanted -= made;
      if (status == Z_OK && (made != 0 || stream_.avail_in != 0 || part_.left() != 0)) continue;
      if (wanted == 0 && (status == Z_OK || status == Z_STREAM_END)) break;
      if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) {
        raise<IoErrorInfo>(ByteCountMismatch{subject_.op, subject_.path, size(), position() + (count - wanted)});
      }
      refuse(subject_, concat("damaged compressed bytes (", stream_.msg != nullptr ? stream_.msg : "unknown", ")"));
    }
    add(to, count);
  }

  bool exhausted() override {
    while (true) {
      refill();
      Bytef more = 0;
      stream_.next_out = &more;
      stream_.avail_out = 1;
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      if (stream_.avail_out == 0) return false;
      if (status != Z_OK || (stream_.avail_in == 0 && part_.left() == 0)) return status == Z_STREAM_END;
    }
  }

 private:
  void refill() {
    if (stream_.avail_in != 0 || part_.left() == 0) return;
    const std::uint64_t count = std::min<std::uint64_t>(part_.left(), sizeof input_);
    part_.read(input_, count);
    stream_.next_in = input_;
    stream_.avail_in = static_cast<uInt>(count);
  }

  const Subject& subject_;
  internal::PartSource part_;
  z_stream stream_{};
  Bytef input_[std::size_t{1} << 15];
};

// Reads the list of entries at the end of the archive.
class Directory {
 public:
  Directory(const RandomBytes& bytes, const Subject& subject) : bytes_(bytes), subject_(subject) {}

  void read(std::vector<std::string>* names, std::vector<Entry>* entries) {
    find_end();
    if (size_ > bytes_.size() || start_ > bytes_.size() - size_)
      refuse(subject_, "its directory lies outside the file");
    std::vector<std::byte> list(size_);
    bytes_.read_at(start_, list.data(), size_);
    std::uint64_t at = 0;
    for (std::uint64_t k = 0; k < count_; ++k) {
      if (size_ - at < internal::zip::kCentralBytes) refuse(subject_, "its directory is cut short");
      at += read_entry(list.data() + at, size_ - at, names, entries);
    }
  }

 private:
  // The end record is the last thing but a comment of up to 65535 bytes; a zip64 record may stand before it.
  void find_end() {
    namespace zip = internal::zip;
    const std::uint64_t tail_bytes = std::min<std::uint64_t>(bytes_.size(), zip::kEndBytes + 65535);
    const std::uint64_t tail_start = bytes_.size() - tail_bytes;
    std::vector<std::byte> tail(tail_bytes);
    bytes_.read_at(tail_start, tail.data(), tail_bytes);
    std::optional<std::uint64_t> found;
    for (std::uint64_t at = tail_bytes < zip::kEndBytes ? 0 : tail_bytes - zip::kEndBytes + 1; at-- > 0 && !found;) {
      const bool fits =
          zip::number(&tail[at], 4) == zip::kEnd && at + zip::kEndBytes + zip::number(&tail[at + 20], 2) == tail_bytes;
      if (fits) found = at;
    }
    if (!found) refuse(subject_, "it has no zip directory at its end");
    const std::byte* end = &tail[*found];
    count_ = zip::number(end + 10, 2);
    size_ = zip::number(end + 12, 4);
    start_ = zip::number(end + 16, 4);
    if (zip::number(end + 4, 2) != 0 && zip::number(end + 4, 2) != zip::kSee64Count) {
      refuse(subject_, "it is one part of a split archive");
    }
    if (count_ == zip::kSee64Count || size_ == zip::kSee64 || start_ == zip::kSee64) read_end64(tail_start + *found);
  }

  void read_end64(std::uint64_t end) {
    namespace zip = internal::zip;
    std::byte locator[zip::kEnd64LocatorBytes];
    if (end < sizeof locator) return;
    bytes_.read_at(end - sizeof locator, locator, sizeof locator);
    if (zip::number(locator, 4) != zip::kEnd64Locator) return;
    const std::uint64_t at = zip::number(locator + 8, 8);
    std::byte record[zip::kEnd64Bytes];
    if (at > bytes_.size() || bytes_.size() - at < sizeof record)
      refuse(subject_, "its zip64 record lies outside the file");
    bytes_.read_at(at, record, sizeof record);
    if (zip::number(record, 4) != zip::kEnd64) refuse(subject_, "its zip64 record is damaged");
    count_ = zip::number(record + 32, 8);
    size_ = zip::number(record + 40, 8);
    start_ = zip::number(record + 48, 8);
  }

  // One record; returns its length.
  std::uint64_t read_entry(const std::byte* at, std::uint64_t left, std::vector<std::string>* names,
                           std::vector<Entry>* entries) {
    namespace zip = internal::zip;
    if (zip::number(at, 4) != zip::kCentral) refuse(subject_, "its directory is damaged");
    const std::uint64_t name_bytes = zip::number(at + 28, 2);
    const std::uint64_t extra_bytes = zip::number(at + 30, 2);
    const std::uint64_t length = zip::kCentralBytes + name_bytes + extra_bytes + zip::number(at + 32, 2);
    if (left < length) refuse(subject_, "its directory is cut short");
    std::string name(reinterpret_cast<const char*>(at + zip::kCentralBytes), name_bytes);
    Entry entry;
    entry.method = static_cast<std::uint16_t>(zip::number(at + 10, 2));
    entry.checksum = static_cast<std::uint32_t>(zip::number(at + 16, 4));
    entry.packed = zip::number(at + 20, 4);
    entry.size = zip::number(at + 24, 4);
    entry.local = zip::number(at + 42, 4);
    if ((zip::number(at + 8, 2) & zip::kEncrypted) != 0) refuse(subject_, concat("entry ", name, " is encrypted"));
    widen(entry, at + zip::kCentralBytes + name_bytes, extra_bytes);
    if (name.size() > 4 && name.compare(name.size() - 4, 4, ".npy") == 0) name.resize(name.size() - 4);
    names->push_back(std::move(name));
    entries->push_back(entry);
    return length;
  }

  // Takes from the zip64 extra field those numbers that did not fit, in their fixed order.
  static void widen(Entry& entry, const std::byte* extra, std::uint64_t left) {
    namespace zip = internal::zip;
    while (left >= 4) {
      const std::uint64_t id = zip::number(extra, 2);
      const std::uint64_t length = std::min(zip::number(extra + 2, 2), left - 4);
      if (id == zip::kZip64Extra) {
        std::uint64_t used = 0;
        for (std::uint64_t* field : {&entry.size, &entry.packed, &entry.local}) {
          if (*field != zip::kSee64 || length - used < 8) continue;
          *field = zip::number(extra + 4 + used, 8);
          used += 8;
        }
      }
      extra += 4 + length;
      left -= 4 + length;
    }
  }

  const RandomBytes& bytes_;
  const Subject& subject_;
  std::uint64_t count_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t start_ = 0;
};

}  // namespace

struct NpzFile::State {
  Subject subject;
  std::unique_ptr<RandomBytes> bytes;
  std::vector<std::string> names;
  std::vector<Entry> entries;

  State(Subject whose, std::unique_ptr<RandomBytes> content) : subject(std::move(whose)), bytes(std::move(content)) {
    Directory(*bytes, subject).read(&names, &entries);
  }

  // Where the entry's bytes start; they are known to lie inside the archive.
  std::uint64_t data_start(const Entry& entry, const Subject& whose) const {
    namespace zip = internal::zip;
    std::byte local[zip::kLocalBytes];
    if (entry.local > bytes->size() || bytes->size() - entry.local < sizeof local) {
      refuse(whose, "its bytes lie outside the archive");
    }
    bytes->read_at(entry.local, local, sizeof local);
    if (zip::number(local, 4) != zip::kLocal) refuse(whose, "its local header is damaged");
    const std::uint64_t start = entry.local + sizeof local + zip::number(local + 26, 2) + zip::number(local + 28, 2);
    if (start > bytes->size() || bytes->size() - start < entry.packed) {
      raise<IoErrorInfo>(
          ByteCountMismatch{whose.op, whose.path, entry.packed, start > bytes->size() ? 0 : bytes->size() - start});
    }
    return start;
  }
};

NpzFile::NpzFile(const std::string& path) {
  Subject subject{"read_npz", path};
  auto bytes = internal::open_bytes(subject);
  state_ = std::make_unique<State>(std::move(subject), std::move(bytes));
}

NpzFile::NpzFile(std::vector<std::byte> bytes, const std::string& name)
    : state_(std::make_unique<State>(Subject{"read_npz", name}, internal::owned_bytes(std::move(bytes)))) {}

NpzFile::NpzFile(NpzFile&&) noexcept = default;
NpzFile& NpzFile::operator=(NpzFile&&) noexcept = default;
NpzFile::~NpzFile() = default;

const std::vector<std::string>& NpzFile::names() const noexcept { return state_->names; }

bool NpzFile::contains(std::string_view name) const noexcept {
  return std::find(names().begin(), names().end(), name) != names().end();
}

Tensor NpzFile::read(std::string_view name) const {
  const auto last = std::find(names().rbegin(), names().rend(), name);
  if (last == names().rend()) {
    raise<IoErrorInfo>(MissingEntry{state_->subject.op, state_->subject.path, std::string(name)});
  }
  const Entry& entry = state_->entries[static_cast<std::size_t>(names().rend() - last - 1)];
  const Subject subject{state_->subject.op, concat(state_->subject.path, ":", name)};
  const std::uint64_t start = state_->data_start(entry, subject);
  const auto verified = [&](Checked& source) {
    Tensor tensor = internal::read_npy_array(source, subject);
    if (!source.exhausted()) refuse(subject, "its compressed bytes do not end with the array");
    if (source.checksum() != entry.checksum) refuse(subject, "its checksum differs from its bytes");
    return tensor;
  };
  if (entry.method == internal::zip::kStored) {
    if (entry.packed != entry.size) {
      raise<IoErrorInfo>(ByteCountMismatch{subject.op, subject.path, entry.size, entry.packed});
    }
    Stored source(*state_->bytes, start, entry);
    return verified(source);
  }
  if (entry.method != internal::zip::kDeflated) {
    refuse(subject, concat("compression method ", entry.method, " (expected 0, stored, or 8, deflated)"));
  }
  if (entry.size / internal::zip::kMostInflation > entry.packed) {
    refuse(subject, concat(entry.packed, " compressed bytes cannot hold ", entry.size));
  }
  Inflated source(*state_->bytes, start, entry, subject);
  return verified(source);
}

std::vector<NamedTensor> read_npz(const std::string& path) {
  const NpzFile file(path);
  std::vector<NamedTensor> tensors;
  for (const std::string& name : file.names()) tensors.push_back({name, file.read(name)});
  return tensors;
}

tl::expected<std::vector<NamedTensor>, IoErrorInfo> try_read_npz(const std::string& path) {
  return attempt<IoErrorInfo>([&] { return read_npz(path); });
}

}  // namespace tenferro
