// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Memory-mapped npy files: opened at once whatever their size, pages read when touched.
//
// Example:
//     write_npy("mapped.npy", Tensor::arange(0, 1000));
//     NpyMap file("mapped.npy");
//     CHECK(file.view().at<double>({999}) == 999);
//     Tensor whole = std::move(file).tensor();                // still no copy
//     CHECK(whole.count() == 1000);
//     std::remove("mapped.npy");

#include <string>

#include "tenferro/io/npy.hpp"

namespace tenferro {

/// An open mapping. Writes through it stay in this process and never reach the file. While it lives, the file must not
/// become shorter: reading a page that is gone ends the program (SIGBUS), as with every mapping.
///
/// Example:
///     write_npy("rows.npy", Tensor::matrix({{1., 2.}, {3., 4.}}), {.row_major = true});
///     NpyMap file("rows.npy");
///     CHECK(!file.compact() && file.view().strides() == Dims({2, 1}));
///     file.mutable_view().fill(7.0);                           // in this process only
///     CHECK(file.view().at<double>({1, 1}) == 7 && read_npy("rows.npy").at<double>({1, 1}) == 4);
///     std::remove("rows.npy");
class NpyMap {
 public:
  /// Throws IoError: what read_npy throws, and BadFormat for files that cannot be looked at in place (the other byte
  /// order, elements not aligned, bytes in a bool file other than 0 and 1); read_npy reads those.
  explicit NpyMap(const std::string& path);

  /// The elements in place, in the order of the file: row-major files give row-major strides. Must not outlive this.
  TensorView view() const { return TensorView::trusted(buffer_.data(), dtype_, layout_, {}); }
  MutableTensorView mutable_view() { return MutableTensorView::trusted(buffer_.data(), dtype_, layout_, {}); }
  /// True if `tensor` needs no copy: a column-major file, or at most one axis longer than 1.
  bool compact() const noexcept { return is_compact(layout_.shape, layout_.strides); }
  /// An owner of the elements: the mapping itself where compact(), else a copy.
  Tensor tensor() &&;

 private:
  Buffer buffer_;
  DType dtype_ = DType::f64;
  Layout layout_;
};

}  // namespace tenferro
