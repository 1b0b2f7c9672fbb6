// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What tests of kernels share: calling a kernel from a table, sample values of each dtype, comparison by bits.

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <span>

#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/ops/infer.hpp"
#include "tests/support/layouts.hpp"
#include "tests/support/serial_context.hpp"

namespace tenferro::testing {

/// Runs the kernel that `table` has for op and the dtype of its data operand.
inline void call(const CpuKernelTable& table, KernelContext& context, const Op& op,
                 std::initializer_list<TensorRead> in, std::initializer_list<TensorWrite> out) {
  const TensorRead& data = in.begin()[data_operand(op.info())];
  table[op.kind()][index(data.dtype)](context, op, {in.begin(), in.size()}, {out.begin(), out.size()});
}

/// Two values with the same bits, or two NaNs.
template <class T>
bool same_bits(T a, T b) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return same_bits(a.real(), b.real()) && same_bits(a.imag(), b.imag());
  } else if constexpr (std::is_same_v<T, float>) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  } else if constexpr (std::is_same_v<T, double>) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  } else {
    return a == b;
  }
}

/// |x| in f64.
template <class T>
double magnitude(T x) {
  if constexpr (is_complex(dtype_of<T>)) {
    return std::abs(std::complex<double>(x));
  } else {
    return std::abs(static_cast<double>(x));
  }
}

/// Column-major position of the first difference; −1 if there is none.
template <class T>
std::int64_t first_difference(const Values<T>& a, const Values<T>& b) {
  if (a.size() != b.size()) return 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_bits(a[i], b[i])) return static_cast<std::int64_t>(i);
  }
  return -1;
}

/// `n` values of every kind that T has: ordinary ones of both signs, with `edges` also zeros of both signs, infinities,
/// NaN and the ends of the range.
template <class T>
Values<T> sample(std::int64_t n, std::uint32_t seed, bool edges = true) {
  std::mt19937 random(seed);
  Values<T> values(static_cast<std::size_t>(n));
  const auto real = [&]<class R>(R) -> R {
    using Limits = std::numeric_limits<R>;
    const auto pick = edges ? random() % 24 : 99;
    if (pick == 0) return R{0};
    if (pick == 1) return Limits::max();
    if (pick == 2) return Limits::lowest();
    if (pick == 3) return R{1};
    if constexpr (std::is_floating_point_v<R>) {
      if (pick == 4) return -R{0};
      if (pick == 5) return Limits::infinity();
      if (pick == 6) return -Limits::infinity();
      if (pick == 7) return Limits::quiet_NaN();
      if (pick == 8) return Limits::denorm_min();
      return std::uniform_real_distribution<R>(-8, 8)(random);
    } else {
      return static_cast<R>(static_cast<std::int32_t>(random() % 201) - 100);
    }
  };
  for (T& value : values) {
    if constexpr (std::is_same_v<T, bool>) {
      value = random() % 2 == 1;
    } else if constexpr (is_complex(dtype_of<T>)) {
      using R = typename T::value_type;
      const R re = real(R{});
      value = T(re, real(R{}));
    } else {
      value = real(T{});
    }
  }
  return values;
}

}  // namespace tenferro::testing
