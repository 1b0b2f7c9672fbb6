// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Text of a tensor for people: dtype, shape and place, then the elements by index, the first axis running down and the
// second across; further axes as a list of such planes. However large the tensor, the text is bounded.
//
// Example:
//     CHECK(to_text(Tensor::matrix({{1., 20.}, {-0.5, 4.}})) ==
//           "f64 [2, 2] on host\n"
//           "[[ 1.0, 20.0],\n"
//           " [-0.5,  4.0]]");

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

/// How a tensor is written.
///
/// Example:
///     PrintOptions options;
///     options.header = false;
///     options.precision = 1;
///     options.numbers = PrintOptions::Numbers::scientific;
///     CHECK(to_text(Tensor::vector({1., 250.}), options) == "[1.0e+00, 2.5e+02]");
struct PrintOptions {
  /// Floating-point numbers: `automatic` is fixed, unless a shown number is 1e8 and more or below 1e-4.
  enum class Numbers : std::uint8_t { automatic, fixed, scientific };

  /// Larger tensors are summarised; also the bound of what a summary shows.
  std::int64_t max_elements = 1000;
  /// What a summary keeps at each end of an axis.
  std::int64_t edge_items = 3;
  /// Digits behind the point, at most; trailing zeros that no shown number needs are left out.
  int precision = 6;
  /// A row that is longer goes on in the next line.
  std::size_t line_width = 100;
  Numbers numbers = Numbers::automatic;
  /// The line with dtype, shape and place.
  bool header = true;
};

/// The text, without a newline at its end. Reads only the elements that it shows; elements of memory that the host
/// cannot reach are not shown.
std::string to_text(TensorRead x, const PrintOptions& options = {});

/// to_text with default options.
std::ostream& operator<<(std::ostream& out, TensorRead x);

}  // namespace tenferro
