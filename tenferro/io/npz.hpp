// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// NumPy's .npz archives: a zip file of npy files, stored or deflated, with zip64 records where sizes ask for them.
//
// Example:
//     Tensor x = Tensor::vector({1., 2.});
//     write_npz("example.npz", {{"x", x}, {"n", Tensor::scalar(3.0)}}, {.compress = true});
//     NpzFile file("example.npz");
//     CHECK(file.names().size() == 2 && file.read("x").at<double>({1}) == 2);
//     std::remove("example.npz");

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tenferro/io/npy.hpp"

namespace tenferro {

/// A tensor with its name in an archive, less the ".npy".
struct NamedTensor {
  std::string name;
  Tensor value;
};

/// An open archive: its list of entries is read, and each tensor when it is asked for.
class NpzFile {
 public:
  /// Throws IoError: FileFailure, or BadFormat for what is no zip archive, is encrypted or damaged.
  explicit NpzFile(const std::string& path);
  /// An archive in memory; `name` stands for the path in messages.
  explicit NpzFile(std::vector<std::byte> bytes, const std::string& name = "memory");
  NpzFile(NpzFile&&) noexcept;
  NpzFile& operator=(NpzFile&&) noexcept;
  ~NpzFile();

  /// Names of the entries in the order of the archive, less the ".npy".
  const std::vector<std::string>& names() const noexcept;
  bool contains(std::string_view name) const noexcept;
  /// The tensor of that name, of the last entry if several have it. Sizes and the checksum are verified; sizes that the
  /// compressed bytes cannot have are refused before memory is taken. Throws IoError: MissingEntry, and what read_npy
  /// throws.
  Tensor read(std::string_view name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Every tensor of an archive.
std::vector<NamedTensor> read_npz(const std::string& path);
tl::expected<std::vector<NamedTensor>, IoErrorInfo> try_read_npz(const std::string& path);

/// A tensor to write under a name; borrowed for the call.
struct NpzItem {
  std::string_view name;
  TensorRead value;
};

/// How an archive is written.
///
/// Example:
///     Tensor x = Tensor::vector({1., 2.}), n = Tensor::scalar(3.0);
///     std::vector<NpzItem> items{{"x", x}, {"n", n}};
///     NpzOptions options{.compress = true, .npy = {.row_major = true}};
///     write_npz("two.npz", items, options);
///     std::vector<NamedTensor> all = read_npz("two.npz");
///     CHECK(all.size() == 2 && all[1].name == "n" && all[1].value.item() == Scalar(3.0));
///     CHECK(NpzFile("two.npz").contains("x") && !NpzFile("two.npz").contains("y"));
///     std::remove("two.npz");
///     CHECK(!try_read_npz("two.npz"));
struct NpzOptions {
  /// Deflate the entries instead of storing them.
  bool compress = false;
  /// Zip64 records even where the sizes do not ask for them.
  bool zip64 = false;
  /// Element order of the entries.
  NpyOptions npy = {};
};

/// Writes an archive, whole or not at all, as write_npy does. The same tensors give the same bytes: there is no time in
/// it. A compressed entry is held in memory while it is written. Throws IoError: FileFailure; BadFormat for an empty
/// name, one of over 65000 bytes, or one used twice.
void write_npz(const std::string& path, std::span<const NpzItem> items, const NpzOptions& options = {});
void write_npz(const std::string& path, std::initializer_list<NpzItem> items, const NpzOptions& options = {});

}  // namespace tenferro
