// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// NumPy's .npy files: one tensor a file, any of the seven dtypes, versions 1 to 3, either element order, either byte
// order. An index means the same element on both sides: t.at({i, j}) here is a[i, j] there.
//
// Example:
//     write_npy("example.npy", Tensor::matrix({{1., 2., 3.}, {4., 5., 6.}}));
//     Tensor back = read_npy("example.npy");
//     CHECK(back.at<double>({1, 0}) == 4);
//     std::remove("example.npy");
//
// A header that promises more or less than the file holds is refused before any memory is taken for it, and nothing in
// a file is ever executed.

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tenferro/io/error.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro {

/// The tensor in the file. A row-major file is turned to column-major, a file in the other byte order is swapped; a
/// file that is neither is read straight into place. Throws IoError (FileFailure, BadFormat, ByteCountMismatch with the
/// expected and found length, UnsupportedElement naming the type), AllocationError.
Tensor read_npy(const std::string& path);
/// read_npy with its error as a value.
tl::expected<Tensor, IoErrorInfo> try_read_npy(const std::string& path);
/// The tensor in the bytes of an npy file; `name` stands for the path in messages.
Tensor read_npy(std::span<const std::byte> bytes, const std::string& name = "memory");

struct NpyOptions {
  /// Elements with the last index fastest ('fortran_order': False) instead of as they lie, for readers that want it.
  bool row_major = false;
};

/// Writes any tensor or view as version 1.0, in this machine's byte order. The file appears whole or not at all: it is
/// written beside its target, which it then replaces; a program that ends in between leaves the old file. Throws
/// IoError (FileFailure), TensorError (UnsupportedDType, PlacementMismatch).
void write_npy(const std::string& path, TensorRead tensor, const NpyOptions& options = {});
/// write_npy with its error as a value.
tl::expected<void, IoErrorInfo> try_write_npy(const std::string& path, TensorRead tensor,
                                              const NpyOptions& options = {});
/// The bytes that write_npy writes.
///
/// Example:
///     Tensor x = Tensor::matrix({{1., 2.}, {3., 4.}});
///     NpyOptions options;
///     options.row_major = true;
///     CHECK(try_write_npy("rows.npy", x.view().reversed({0}), options));
///     const auto back = try_read_npy("rows.npy");
///     CHECK(back && back->at<double>({0, 1}) == 4);
///     std::remove("rows.npy");
///     CHECK(!try_read_npy("rows.npy"));
///     CHECK(read_npy(npy_bytes(x, options)).at<double>({1, 0}) == 3);
std::vector<std::byte> npy_bytes(TensorRead tensor, const NpyOptions& options = {});

}  // namespace tenferro
