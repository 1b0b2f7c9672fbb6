// SPDX-License-Identifier: MIT OR Apache-2.0
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "tenferro/base/text.hpp"
#include "tenferro/io/internal/npy_array.hpp"
#include "tenferro/io/internal/zip_format.hpp"
#include "tenferro/io/npz.hpp"

namespace tenferro {
namespace {

namespace zip = internal::zip;

// 1 January 1980, the first day that a zip archive knows.
constexpr std::uint64_t kDate = 0x21;
// Made on Unix by a writer of version 4.5; rw-r--r--.
constexpr std::uint64_t kMadeBy = 3U << 8 | 45U;
constexpr std::uint64_t kAttributes = std::uint64_t{0100644} << 16;

struct Written {
  std::string name;
  bool compressed = false;
  bool wide = false;
  std::uint32_t checksum = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t local = 0;
};

std::uint32_t checksum_of(const internal::NpyArray& array) {
  uLong sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(array.header.data()), array.header.size());
  if (array.data_bytes != 0) sum = ::crc32_z(sum, reinterpret_cast<const Bytef*>(array.data), array.data_bytes);
  return static_cast<std::uint32_t>(sum);
}

class Deflater {
 public:
  Deflater() {
    if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      raise<AllocationFailed>(AllocationFailed{sizeof stream_});
    }
  }
  ~Deflater() { ::deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void add(const void* bytes, std::uint64_t count) {
    const auto* at = static_cast<const Bytef*>(bytes);
    while (count > 0) {
      const auto piece = static_cast<uInt>(std::min<std::uint64_t>(count, std::numeric_limits<uInt>::max()));
      stream_.next_in = const_cast<Bytef*>(at);
      stream_.avail_in = piece;
      while (stream_.avail_in > 0) run(Z_NO_FLUSH);
      at += piece;
      count -= piece;
    }
  }
  std::string finish() {
    while (run(Z_FINISH) != Z_STREAM_END) {
    }
    return std::move(out_);
  }

 private:
  int run(int flush) {
    Bytef piece[std::size_t{1} << 15];
    stream_.next_out = piece;
    stream_.avail_out = sizeof piece;
    const int status = ::deflate(&stream_, flush);
    out_.append(reinterpret_cast<const char*>(piece), sizeof piece - stream_.avail_out);
    return status;
  }

  z_stream stream_{};
  std::string out_;
};

class Archive {
 public:
  Archive(const std::string& path, const NpzOptions& options)
      : subject_{"write_npz", path}, options_(options), file_(subject_) {}

  void add(const NpzItem& item) {
    check_name(item.name);
    const internal::NpyArray array(item.value, options_.npy);
    Written entry;
    entry.name = concat(item.name, ".npy");
    entry.compressed = options_.compress;
    entry.checksum = checksum_of(array);
    entry.size = array.header.size() + array.data_bytes;
    entry.packed = entry.size;
    entry.local = file_.written();
    std::string packed;
    if (entry.compressed) {
      Deflater deflater;
      deflater.add(array.header.data(), array.header.size());
      deflater.add(array.data, array.data_bytes);
      packed = deflater.finish();
      entry.packed = packed.size();
    }
    entry.wide =
        options_.zip64 || entry.size >= zip::kSee64 || entry.packed >= zip::kSee64 || entry.local >= zip::kSee64;
    file_.write(local_header(entry));
    if (entry.compressed) {
      file_.write(packed);
    } else {
      file_.write(array.header);
      file_.write(array.data, array.data_bytes);
    }
    entries_.push_back(std::move(entry));
  }

  void finish() {
    const std::uint64_t start = file_.written();
    for (const Written& entry : entries_) file_.write(central_header(entry));
    file_.write(end(start, file_.written() - start));
    file_.commit();
  }

 private:
  void check_name(std::string_view name) const {
    const auto refuse = [&](std::string reason) {
      raise<IoErrorInfo>(BadFormat{subject_.op, subject_.path, "npz", std::move(reason)});
    };
    if (name.empty()) refuse("an entry has no name");
    if (name.size() > 65000) refuse("an entry has a name of over 65000 bytes");
    for (const Written& entry : entries_) {
      if (entry.name.size() == name.size() + 4 && entry.name.compare(0, name.size(), name) == 0) {
        refuse(concat("two entries have the name ", name));
      }
    }
  }

  // What local and central headers share: version, flags, method, time, checksum, sizes, length of the name.
  static void append_common(std::string& to, const Written& entry) {
    const bool ascii = std::all_of(entry.name.begin(), entry.name.end(), [](char c) { return (c & 0x80) == 0; });
    zip::append(to, entry.wide ? 45 : 20, 2);
    zip::append(to, ascii ? 0 : zip::kUtf8Name, 2);
    zip::append(to, entry.compressed ? zip::kDeflated : zip::kStored, 2);
    zip::append(to, 0, 2);
    zip::append(to, kDate, 2);
    zip::append(to, entry.checksum, 4);
    zip::append(to, entry.wide ? zip::kSee64 : entry.packed, 4);
    zip::append(to, entry.wide ? zip::kSee64 : entry.size, 4);
    zip::append(to, entry.name.size(), 2);
  }

  static std::string local_header(const Written& entry) {
    std::string out;
    zip::append(out, zip::kLocal, 4);
    append_common(out, entry);
    zip::append(out, entry.wide ? 20 : 0, 2);
    out += entry.name;
    if (entry.wide) {
      zip::append(out, zip::kZip64Extra, 2);
      zip::append(out, 16, 2);
      zip::append(out, entry.size, 8);
      zip::append(out, entry.packed, 8);
    }
    return out;
  }

  static std::string central_header(const Written& entry) {
    std::string out;
    zip::append(out, zip::kCentral, 4);
    zip::append(out, kMadeBy, 2);
    append_common(out, entry);
    zip::append(out, entry.wide ? 28 : 0, 2);
    zip::append(out, 0, 2 + 2 + 2);  // no comment, first disk, no internal attributes
    zip::append(out, kAttributes, 4);
    zip::append(out, entry.wide ? zip::kSee64 : entry.local, 4);
    out += entry.name;
    if (entry.wide) {
      zip::append(out, zip::kZip64Extra, 2);
      zip::append(out, 24, 2);
      zip::append(out, entry.size, 8);
      zip::append(out, entry.packed, 8);
      zip::append(out, entry.local, 8);
    }
    return out;
  }

  std::string end(std::uint64_t start, std::uint64_t size) const {
    const std::uint64_t count = entries_.size();
    const bool wide = options_.zip64 || count >= zip::kSee64Count || start >= zip::kSee64 || size >= zip::kSee64;
    std::string out;
    if (wide) {
      zip::append(out, zip::kEnd64, 4);
      zip::append(out, zip::kEnd64Bytes - 12, 8);
      zip::append(out, kMadeBy, 2);
      zip::append(out, 45, 2);
      zip::append(out, 0, 8);  // this disk, disk of the directory
      zip::append(out, count, 8);
      zip::append(out, count, 8);
      zip::append(out, size, 8);
      zip::append(out, start, 8);
      zip::append(out, zip::kEnd64Locator, 4);
      zip::append(out, 0, 4);
      zip::append(out, start + size, 8);
      zip::append(out, 1, 4);
    }
    zip::append(out, zip::kEnd, 4);
    zip::append(out, 0, 4);
    zip::append(out, wide ? zip::kSee64Count : count, 2);
    zip::append(out, wide ? zip::kSee64Count : count, 2);
    zip::append(out, wide ? zip::kSee64 : size, 4);
    zip::append(out, wide ? zip::kSee64 : start, 4);
    zip::append(out, 0, 2);
    return out;
  }

  internal::Subject subject_;
  NpzOptions options_;
  internal::NewFile file_;
  std::vector<Written> entries_;
};

}  // namespace

void write_npz(const std::string& path, std::span<const NpzItem> items, const NpzOptions& options) {
  Archive archive(path, options);
  for (const NpzItem& item : items) archive.add(item);
  archive.finish();
}

void write_npz(const std::string& path, std::initializer_list<NpzItem> items, const NpzOptions& options) {
  write_npz(path, std::span<const NpzItem>(items.begin(), items.size()), options);
}

}  // namespace tenferro
