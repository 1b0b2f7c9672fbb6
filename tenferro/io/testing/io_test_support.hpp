// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Folders, bytes and errors for the tests of this module.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tenferro/io/error.hpp"
#include "tests/support/payload_of.hpp"

namespace tenferro {

/// A fresh folder that is gone at the end of the scope.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = ::testing::TempDir() + "tenferro_io_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(folder_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string operator/(const std::string& name) const { return (folder_ / name).string(); }
  /// Names of what is in the folder.
  std::vector<std::string> content() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }

 private:
  std::filesystem::path folder_;
};

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

inline std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::string fixture(const std::string& name) { return std::string(TENFERRO_IO_FIXTURES "/") + name; }

/// Payload of the IoError that f throws; see payload_of.
template <class Payload, class F>
Payload io_error_of(F&& f) {
  return testing::payload_of<IoErrorInfo, Payload>(f);
}

/// An npy file of version 1.0 around a dict literal, padded as NumPy does it, and data behind.
inline std::string npy_file(std::string dict, const std::string& data, char major = 1) {
  const std::size_t front = major == 1 ? 10 : 12;
  dict.append(63 - (front + dict.size()) % 64, ' ');
  dict += '\n';
  std::string out = "\x93NUMPY";
  out += major;
  out += '\0';
  for (std::size_t k = 0; k < front - 8; ++k) out += static_cast<char>(dict.size() >> (8 * k) & 0xff);
  return out + dict + data;
}

}  // namespace tenferro
