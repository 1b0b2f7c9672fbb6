// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The head of an npy file: magic, version, length and a Python dict literal with the keys descr, fortran_order, shape.
// Format: NEP 1 and numpy.lib.format (versions 1 to 3 differ in the width of the length and the text encoding).

#include <cstdint>
#include <string>
#include <string_view>

#include "tenferro/io/internal/file.hpp"
#include "tenferro/tensor/dtype.hpp"
#include "tenferro/tensor/shape.hpp"

namespace tenferro::internal {

struct NpyHeader {
  DType dtype = DType::f64;
  Shape shape;
  bool fortran_order = false;
  bool swapped = false;            ///< elements in the byte order that this machine does not have
  std::uint64_t count = 0;         ///< elements
  std::uint64_t header_bytes = 0;  ///< from the start of the file to the first element

  std::uint64_t data_bytes() const noexcept { return count * element_size(dtype); }
  /// True if the elements lie in column-major order, whichever order the flag says.
  bool column_major() const noexcept;
};

/// Reads up to the first element, and checks that exactly the elements follow. Throws IoError.
NpyHeader read_npy_header(ByteSource& source, const Subject& subject);

/// The dict literal alone; fills dtype, swapped, fortran_order and shape. Throws IoError.
NpyHeader parse_npy_dict(std::string_view text, const Subject& subject);

/// Magic to first element, padded with blanks to a multiple of 64 bytes and ended by a newline; version 1.0.
std::string npy_header_text(DType dtype, DimsView shape, bool fortran_order);

}  // namespace tenferro::internal
