// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/conformance/array.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

namespace tenferro::testing {
namespace {

template <class T>
T element(const Cell& cell) {
  if constexpr (std::is_same_v<T, bool>) {
    return cell.n != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(cell.n));
  } else if constexpr (is_complex(dtype_of<T>)) {
    using Part = typename T::value_type;
    return {static_cast<Part>(cell.z.real()), static_cast<Part>(cell.z.imag())};
  } else {
    return static_cast<T>(cell.z.real());
  }
}

template <class T>
Cell cell_of(T value) {
  Cell cell;
  if constexpr (std::is_integral_v<T>) {
    cell.n = value;
  } else if constexpr (is_complex(dtype_of<T>)) {
    cell.z = {value.real(), value.imag()};
  } else {
    cell.z = {value, 0};
  }
  return cell;
}

/// f(linear, address) for each element of an operand with any strides.
template <class F>
void for_each_element(TensorRead x, F&& f) {
  const auto size = static_cast<std::int64_t>(element_size(x.dtype));
  for_each_index(x.shape(), [&](DimsView index, std::int64_t linear) {
    std::int64_t offset = linear;
    if (x.strides != nullptr) {
      offset = 0;
      for (std::size_t k = 0; k < index.size(); ++k) offset += index[k] * x.strides[k];
    }
    f(linear, x.data + offset * size);
  });
}

Real epsilon(DType d) {
  return real_part(d) == DType::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}
Real smallest(DType d) {
  return real_part(d) == DType::f32 ? std::numeric_limits<float>::denorm_min()
                                    : std::numeric_limits<double>::denorm_min();
}

std::string text(const Cell& cell, DType d) {
  std::ostringstream out;
  out.precision(real_part(d) == DType::f32 ? 9 : 17);
  if (d == DType::boolean) return cell.n != 0 ? "true" : "false";
  if (is_integer(d)) {
    out << cell.n;
  } else if (is_complex(d)) {
    out << '(' << cell.z.real() << ", " << cell.z.imag() << ')';
  } else {
    out << cell.z.real();
  }
  return out.str();
}

bool same_value(Real a, Real b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool zeros_differ(Real a, Real b) { return a == 0 && b == 0 && std::signbit(a) != std::signbit(b); }

/// Error in spacings; 0 if within reach of rounding. Parts of a complex number are compared alone where one is not
/// finite.
Real error_of(const Cell& want, const Cell& got, DType d, Tolerance tolerance) {
  const Cell nearest = rounded(want, d);
  if (tolerance.zero_signs &&
      (zeros_differ(nearest.z.real(), got.z.real()) || zeros_differ(nearest.z.imag(), got.z.imag()))) {
    return std::numeric_limits<Real>::infinity();
  }
  const auto part_error = [&](Real expected, Real exact, Real have) -> Real {
    if (same_value(expected, have)) return 0;
    if (!std::isfinite(expected) || !std::isfinite(have)) return std::numeric_limits<Real>::infinity();
    return std::abs(exact - have) / (std::max(std::abs(exact), tolerance.floor) * epsilon(d) + smallest(d));
  };
  const bool finite = std::isfinite(nearest.z.real()) && std::isfinite(nearest.z.imag()) &&
                      std::isfinite(got.z.real()) && std::isfinite(got.z.imag());
  if (!finite) {
    return std::max(part_error(nearest.z.real(), want.z.real(), got.z.real()),
                    part_error(nearest.z.imag(), want.z.imag(), got.z.imag()));
  }
  if (nearest.z == got.z) return 0;
  const Real size = std::max({std::abs(want.z), want.scale, tolerance.floor});
  return std::abs(want.z - got.z) / (size * epsilon(d) + smallest(d));
}

}  // namespace

Cell rounded(const Cell& cell, DType d) {
  return visit_dtype(d, [&]<class T>(TypeTag<T>) { return cell_of(element<T>(cell)); });
}

Tensor to_tensor(const Array& array) {
  Tensor t = Tensor::uninitialized(array.dtype, array.shape);
  visit_dtype(array.dtype, [&]<class T>(TypeTag<T>) {
    for (std::size_t i = 0; i < array.cells.size(); ++i) t.data<T>()[i] = element<T>(array.cells[i]);
  });
  return t;
}

Array array_of(TensorRead x) {
  Array array(x.dtype, x.shape());
  visit_dtype(x.dtype, [&]<class T>(TypeTag<T>) {
    for_each_element(x, [&](std::int64_t linear, const std::byte* address) {
      T value;
      std::memcpy(&value, address, sizeof(T));
      array.cells[static_cast<std::size_t>(linear)] = cell_of(value);
    });
  });
  return array;
}

// Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
std::uint64_t Draw::bits() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

Real Draw::real(Real low, Real high) { return low + (high - low) * static_cast<Real>(bits() >> 11) * 0x1p-53L; }

Whole Draw::whole(Whole low, Whole high) {
  const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  return static_cast<Whole>(static_cast<std::uint64_t>(low) + (width == 0 ? bits() : bits() % width));
}

Array draw_array(DType d, DimsView shape, Domain domain, std::uint64_t seed) {
  Draw draw(seed);
  Array array(d, shape);
  std::vector<Cell> specials;
  const auto special_real = [&](Real value) {
    Cell cell;
    cell.z = value;
    specials.push_back(cell);
  };
  const auto special_parts = [&](std::initializer_list<Real> values) {
    for (const Real value : values) {
      for (const Complex z : {Complex(value, 1), Complex(-1, value), Complex(0, value), Complex(value, value)}) {
        special_real(0);
        specials.back().z = z;
      }
    }
  };
  const auto special_whole = [&](Whole value) {
    Cell cell;
    cell.n = value;
    specials.push_back(cell);
  };
  const Domain::Edges edges = is_complex(d) ? std::min(domain.edges, domain.complex_edges) : domain.edges;
  if (edges >= Domain::Edges::units) {
    for (const int value : {0, 1, -1}) {
      special_real(value);
      special_whole(value);
    }
    if (!is_integer(d)) special_real(-0.0L);
    if (is_complex(d)) {
      for (const Complex z :
           {Complex(0, 1), Complex(0, -1), Complex(0, -0.0L), Complex(-0.0L, -0.0L), Complex(1, -0.0L)}) {
        special_real(0);
        specials.back().z = z;
      }
    }
  }
  if (edges >= Domain::Edges::finite) {
    const bool narrow = real_part(d) == DType::f32 || d == DType::i32;
    const Real max = narrow ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    for (const Real value : {max, -max, smallest(d), -smallest(d)}) special_real(value);
    if (is_complex(d)) special_parts({max, -max, smallest(d), -smallest(d)});
    special_whole(narrow ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max());
    special_whole(narrow ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min());
  }
  if (edges >= Domain::Edges::all) {
    const Real infinity = std::numeric_limits<Real>::infinity(), nan = std::numeric_limits<Real>::quiet_NaN();
    for (const Real value : {infinity, -infinity, nan}) special_real(value);
    if (is_complex(d)) special_parts({infinity, -infinity, nan});
  }
  for (Cell& cell : array.cells) {
    if (!specials.empty() && draw.bits() % 3 == 0) {
      cell = specials[draw.bits() % specials.size()];
    } else if (d == DType::boolean) {
      cell.n = static_cast<Whole>(draw.bits() & 1);
    } else if (is_integer(d)) {
      cell.n = draw.whole(static_cast<Whole>(std::ceil(domain.low)), static_cast<Whole>(std::floor(domain.high)));
    } else {
      const Real re = draw.real(domain.low, domain.high);
      cell.z = {re, is_complex(d) ? draw.real(domain.low, domain.high) : 0};
    }
    cell = rounded(cell, d);
    if (domain.nonzero && is_whole(d) && cell.n == 0) cell.n = d == DType::boolean ? 1 : 3;
  }
  return array;
}

Array index_array(std::initializer_list<std::int64_t> shape, std::initializer_list<std::int64_t> values, DType d) {
  Array array(d, DimsView(shape.begin(), shape.size()));
  for (std::size_t i = 0; i < values.size(); ++i) array.cells[i].n = values.begin()[i];
  return array;
}

std::string index_text(std::int64_t linear, DimsView shape) {
  std::ostringstream out;
  out << '(';
  for (std::size_t k = 0; k < shape.size(); ++k) {
    out << (k == 0 ? "" : ", ") << linear % shape[k];
    linear /= shape[k];
  }
  out << ')';
  return out.str();
}

std::string shape_text(DimsView shape) {
  std::ostringstream out;
  out << '[';
  for (std::size_t k = 0; k < shape.size(); ++k) out << (k == 0 ? "" : ", ") << shape[k];
  out << ']';
  return out.str();
}

namespace {

std::string meta_difference(DType expected, DimsView expected_shape, DType got, DimsView got_shape) {
  if (expected == got && same_shape(expected_shape, got_shape)) return "";
  std::ostringstream out;
  out << "expected " << name(expected) << ' ' << shape_text(expected_shape) << ", got " << name(got) << ' '
      << shape_text(got_shape);
  return out.str();
}

std::string at_text(std::int64_t linear, DimsView shape, const Cell& want, const Cell& got, DType d) {
  return "element " + index_text(linear, shape) + ": expected " + text(want, d) + ", got " + text(got, d);
}

}  // namespace

std::string difference(const Array& expected, const Array& got, Tolerance tolerance) {
  const DType d = expected.dtype;
  const std::string meta = meta_difference(d, expected.shape, got.dtype, got.shape);
  if (!meta.empty()) return meta;
  for (std::size_t i = 0; i < expected.cells.size(); ++i) {
    const Cell &want = expected.cells[i], &have = got.cells[i];
    const auto position = static_cast<std::int64_t>(i);
    if (is_whole(d)) {
      const Cell nearest = rounded(want, d);
      if (nearest.n != have.n) return at_text(position, expected.shape, nearest, have, d);
      continue;
    }
    const Real error = error_of(want, have, d, tolerance);
    if (error > tolerance.ulps) {
      std::ostringstream out;
      out << at_text(position, expected.shape, want, have, d) << " (error " << error << " ulp, allowed "
          << tolerance.ulps << ')';
      return out.str();
    }
  }
  return "";
}

std::string bit_difference(TensorRead expected, TensorRead got) {
  const std::string meta = meta_difference(expected.dtype, expected.shape(), got.dtype, got.shape());
  if (!meta.empty()) return meta;
  const std::size_t bytes = static_cast<std::size_t>(expected.count()) * element_size(expected.dtype);
  if (expected.compact() && got.compact() && std::memcmp(expected.data, got.data, bytes) == 0) return "";
  const Array want = array_of(expected), have = array_of(got);
  const auto same = [](Real a, Real b) {
    return same_value(a, b) && (std::isnan(a) || std::signbit(a) == std::signbit(b));
  };
  for (std::size_t i = 0; i < want.cells.size(); ++i) {
    const Cell &a = want.cells[i], &b = have.cells[i];
    if (a.n != b.n || !same(a.z.real(), b.z.real()) || !same(a.z.imag(), b.z.imag())) {
      return at_text(static_cast<std::int64_t>(i), want.shape, a, b, want.dtype);
    }
  }
  return "";
}

}  // namespace tenferro::testing
