// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Files as the readers and writers of this module see them. Failures are IoError (FileFailure, ByteCountMismatch).

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenferro::internal {

/// Who is at work on what: the head of every error message.
struct Subject {
  std::string_view op;
  std::string path;
};

/// Bytes in order, of a length that is known beforehand.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Exactly `count` bytes, which must be left.
  virtual void read(void* to, std::uint64_t count) = 0;
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t left() const noexcept { return size_ - position_; }

 protected:
  explicit ByteSource(std::uint64_t size) noexcept : size_(size) {}
  ByteSource(const ByteSource&) = default;
  ByteSource& operator=(const ByteSource&) = default;
  void advance(std::uint64_t count) noexcept { position_ += count; }
  std::uint64_t position() const noexcept { return position_; }

 private:
  std::uint64_t size_;
  std::uint64_t position_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) noexcept : ByteSource(bytes.size()), bytes_(bytes) {}
  void read(void* to, std::uint64_t count) override;

 private:
  std::span<const std::byte> bytes_;
};

/// Bytes at any place: an open regular file, or a block of memory.
class RandomBytes {
 public:
  virtual ~RandomBytes() = default;
  virtual std::uint64_t size() const noexcept = 0;
  /// `count` bytes from `offset` on, all inside.
  virtual void read_at(std::uint64_t offset, void* to, std::uint64_t count) const = 0;
};

/// A file to read. A pipe or a terminal is read to its end and kept in memory; other devices, which may have no end,
/// are refused.
std::unique_ptr<RandomBytes> open_bytes(const Subject& subject);
std::unique_ptr<RandomBytes> owned_bytes(std::vector<std::byte> bytes);

/// The part [offset, offset+size) of random bytes, in order.
class PartSource final : public ByteSource {
 public:
  PartSource(const RandomBytes& bytes, std::uint64_t offset, std::uint64_t size) noexcept
      : ByteSource(size), bytes_(bytes), offset_(offset) {}
  void read(void* to, std::uint64_t count) override;

 private:
  const RandomBytes& bytes_;
  std::uint64_t offset_;
};

/// The whole of a text file.
std::string read_text(const Subject& subject);

/// A private, writable mapping of a whole file: writes stay in this process. Unmapped with its last owner.
struct Mapping {
  std::byte* data = nullptr;
  std::size_t size = 0;

  Mapping() = default;
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();
};
Mapping map_file(const Subject& subject);

/// A file under construction beside its target, which it replaces at `commit` and not before; without commit nothing
/// remains. A target that exists and is no regular file (a pipe, a device) is written straight.
class NewFile {
 public:
  explicit NewFile(const Subject& subject);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* from, std::uint64_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  std::uint64_t written() const noexcept { return written_; }
  void commit();

 private:
  Subject subject_;
  std::string target_;
  std::string temporary_;  ///< empty when the target is written straight
  int file_ = -1;
  std::uint64_t written_ = 0;
};

}  // namespace tenferro::internal
