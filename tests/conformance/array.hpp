// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What the oracles of this folder compute with: elements as wide numbers in column-major order, one type for all
// dtypes. Slow, simple, and without a line of the library's arithmetic.
//
//   Array x = draw_array(DType::f32, {3, 4}, {-8, 8}, 1);
//   Tensor t = to_tensor(x);
//   EXPECT_EQ(difference(expected, array_of(t), {.ulps = 2}), "");

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "tenferro/ops/infer.hpp"
#include "tenferro/tensor/tensor.hpp"
#include "tests/support/layouts.hpp"

namespace tenferro::testing {

using Real = long double;  // 64 bits of mantissa here: holds every i64 and twice what an f32 product needs
using Complex = std::complex<long double>;
using Whole = std::int64_t;

/// One element: `z` for floats and complex numbers, `n` for integers and bools.
struct Cell {
  Complex z{};
  Whole n = 0;
  Real scale = 0;  ///< size of the terms that an expected value is the sum of; errors are measured against it
};

constexpr bool is_whole(DType d) { return is_integer(d) || d == DType::boolean; }

struct Array {
  DType dtype = DType::f64;
  Shape shape;
  std::vector<Cell> cells;  ///< column-major

  Array() = default;
  Array(DType d, DimsView extents) : dtype(d), shape(extents), cells(static_cast<std::size_t>(count_of(extents))) {}

  Cell& at(DimsView index) { return cells[static_cast<std::size_t>(linear_of(index, shape))]; }
  const Cell& at(DimsView index) const { return cells[static_cast<std::size_t>(linear_of(index, shape))]; }
  std::size_t rank() const { return shape.size(); }
};

/// The wide value as an element of dtype d: rounded, wrapped to the width of an integer, or "not zero".
Cell rounded(const Cell& cell, DType d);

Tensor to_tensor(const Array& array);
Array array_of(TensorRead x);

/// Values of one dtype: reals (and both parts of complex numbers) in [low, high].
struct Domain {
  Real low = -8, high = 8;
  /// Special values that stand among the drawn ones: none; zeros of both signs and ones; also the largest and smallest
  /// magnitudes; also infinities and NaN.
  enum class Edges : std::uint8_t { none, units, finite, all } edges = Edges::none;
  bool nonzero = false;  ///< integers and bools: no zero among them
  /// The most that complex operands get, in either part: not every formula says what a product of infinities is.
  Edges complex_edges = Edges::units;
};

/// Numbers of a fixed sequence per seed, the same everywhere.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  std::uint64_t bits();
  /// Uniform in [low, high).
  Real real(Real low, Real high);
  /// Uniform in [low, high].
  Whole whole(Whole low, Whole high);

 private:
  std::uint64_t state_;
};

Array draw_array(DType d, DimsView shape, Domain domain, std::uint64_t seed);
inline Array draw_array(DType d, std::initializer_list<std::int64_t> shape, Domain domain, std::uint64_t seed) {
  return draw_array(d, DimsView(shape.begin(), shape.size()), domain, seed);
}
/// i64 or i32 values in the order given, column-major.
Array index_array(std::initializer_list<std::int64_t> shape, std::initializer_list<std::int64_t> values,
                  DType d = DType::i64);

/// Allowed error: `ulps` spacings of the dtype at the size of the expected value, of its terms, or of `floor`.
struct Tolerance {
  Real ulps = 0;
  Real floor = 0;
  bool zero_signs = false;  ///< +0 and −0 are different values
};

/// "" if equal within the tolerance, else the first difference: "element (1, 2): expected 0.5, got 0.25 (…)". Any NaN
/// equals any NaN; an expected value that rounds to infinity wants infinity.
std::string difference(const Array& expected, const Array& got, Tolerance tolerance);

/// "" if dtype, shape and bits agree (any NaN being any NaN), else the first difference.
std::string bit_difference(TensorRead expected, TensorRead got);

std::string index_text(std::int64_t linear, DimsView shape);
std::string shape_text(DimsView shape);

}  // namespace tenferro::testing
