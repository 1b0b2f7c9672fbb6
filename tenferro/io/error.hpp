// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Why a file cannot be read or written. Nothing is half done: a failed read gives no tensor, a failed write leaves the
// old file as it was.
//
// Example (tenferro/io/npy.hpp):
//     try {
//       read_npy("no such file");
//     } catch (const IoError& e) {
//       CHECK(std::get<FileFailure>(e.info()).action == "open");
//     }
//
// Example (tenferro/io/npy.hpp, tenferro/io/npz.hpp):
//     auto why = [](std::vector<std::byte> bytes) {
//       return attempt<IoErrorInfo>([&] { return read_npy(bytes, "a.npy"); }).error();
//     };
//     const std::vector<std::byte> good = npy_bytes(Tensor::vector({1., 2.}));
//     CHECK(std::get<BadFormat>(why({})).format == "npy");
//     const auto cut = std::get<ByteCountMismatch>(why({good.begin(), good.end() - 1}));
//     CHECK(cut.expected == good.size() && cut.found == good.size() - 1);
//     CHECK(describe(UnsupportedElement{"read_npy", "a.npy", "<f2"}).find("got <f2") != std::string::npos);
//
//     write_npz("empty.npz", {});
//     auto missing = attempt<IoErrorInfo>([] { return NpzFile("empty.npz").read("x"); });
//     std::remove("empty.npz");
//     CHECK(std::get<MissingEntry>(missing.error()).entry == "x");

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "tenferro/base/error.hpp"

namespace tenferro {

/// The system refused an action; `reason` is its own text, `code` its errno.
struct FileFailure {
  std::string_view op;
  std::string path;
  std::string_view action;  ///< "open", "read", "write", "rename" …
  std::string reason;
  int code;
};
/// The bytes are not a file of the format, or the format is used in a way that is not supported.
struct BadFormat {
  std::string_view op;
  std::string path;
  std::string_view format;  ///< "npy", "npz", "instance"
  std::string reason;
};
/// The file is longer or shorter than its own header says; counts are of the whole file or archive entry.
struct ByteCountMismatch {
  std::string_view op;
  std::string path;
  std::uint64_t expected, found;
};
/// An element type that tenferro does not have; `descr` is the file's own text for it, `expected` what the format
/// knows.
struct UnsupportedElement {
  std::string_view op;
  std::string path;
  std::string descr;
  std::string_view expected = "f4 f8 c8 c16 i4 i8 b1 in either byte order";
};
/// An archive without the entry asked for.
struct MissingEntry {
  std::string_view op;
  std::string path;
  std::string entry;
};

std::string describe(const FileFailure& e);
std::string describe(const BadFormat& e);
std::string describe(const ByteCountMismatch& e);
std::string describe(const UnsupportedElement& e);
std::string describe(const MissingEntry& e);

using IoErrorInfo = std::variant<FileFailure, BadFormat, ByteCountMismatch, UnsupportedElement, MissingEntry>;
using IoError = TypedError<IoErrorInfo>;

}  // namespace tenferro
