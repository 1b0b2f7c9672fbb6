// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Integer operands whose values have no result: zero divisors, negative exponents, shifts outside the width. They are
// looked for in the whole operand before a kernel writes its first element, so that a refused call changes nothing.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tenferro/cpu/kernels/box_loop.hpp"
#include "tenferro/ops/error.hpp"
#include "tenferro/ops/op.hpp"
#include "tenferro/ops/scalar_functions.hpp"

namespace tenferro::internal {

struct RefusesNothing {
  static constexpr bool kAny = false;
};
struct RefusesZero {
  static constexpr bool kAny = true;
  static constexpr std::string_view kWhat = "the divisor is 0";
  template <class T>
  static constexpr bool bad(T y) {
    return scalar::invalid_divisor(y);
  }
};
struct RefusesNegative {
  static constexpr bool kAny = true;
  static constexpr std::string_view kWhat = "the exponent is negative";
  template <class T>
  static constexpr bool bad(T y) {
    return scalar::invalid_exponent(y);
  }
};
struct RefusesWideShift {
  static constexpr bool kAny = true;
  static constexpr std::string_view kWhat = "the shift is outside the width of the dtype";
  template <class T>
  static constexpr bool bad(T y) {
    return scalar::invalid_shift(y);
  }
};

/// What a binary row refuses in its second operand.
template <OpKind kind, class T>
struct Refused : RefusesNothing {};
template <scalar::IntegerScalar T>
struct Refused<OpKind::div, T> : RefusesZero {};
template <scalar::IntegerScalar T>
struct Refused<OpKind::rem, T> : RefusesZero {};
template <scalar::IntegerScalar T>
struct Refused<OpKind::floor_mod, T> : RefusesZero {};
template <scalar::IntegerScalar T>
struct Refused<OpKind::pow, T> : RefusesNegative {};
template <scalar::IntegerScalar T>
struct Refused<OpKind::shift_left, T> : RefusesWideShift {};
template <scalar::IntegerScalar T>
struct Refused<OpKind::shift_right, T> : RefusesWideShift {};

/// Throws OpError (BadElement) with the first element, in column-major order, for which bad(element) holds; there is
/// one.
template <class Rule, class T>
[[noreturn, gnu::cold, gnu::noinline]] void raise_bad_element(const Op& op, const TensorRead& x, std::int64_t operand) {
  Dims index(x.rank());
  const Dims strides = strides_of(x);
  const T* at = x.as<T>();
  std::int64_t position = 0;
  while (!Rule::bad(*at)) {
    ++position;
    for (std::size_t k = 0; k < index.size(); ++k) {
      at += strides[k];
      if (++index[k] < x.extents[k]) break;
      at -= strides[k] * x.extents[k];
      index[k] = 0;
    }
  }
  raise<OpErrorInfo>(BadElement{op.name(), operand, position, std::string(Rule::kWhat)});
}

/// Throws OpError (BadElement) if Rule::bad holds for an element of x, which is operand number `operand` of op.
template <class Rule, class T>
void refuse_elements(KernelContext& context, const Op& op, const TensorRead& x, std::int64_t operand) {
  constexpr std::int64_t kCheckedAtOnce = 4096;
  if (x.compact()) {
    const std::int64_t n = x.count();
    if (n <= kCheckedAtOnce) [[likely]] {
      bool any = false;
      for (std::int64_t i = 0; i < n; ++i) any |= Rule::bad(x.as<T>()[i]);
      if (any) [[unlikely]]
        raise_bad_element<Rule, T>(op, x, operand);
      return;
    }
  }
  // A stretched operand shows the same elements again and again: once is enough. The others are seen as they lie.
  InlineVector<BoxAxis<1>, 8> loops;
  const Dims strides = strides_of(x);
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (strides[k] != 0 || x.extents[k] == 0) loops.push_back({x.extents[k], {strides[k]}});
  }
  std::sort(loops.begin(), loops.end(),
            [](const BoxAxis<1>& a, const BoxAxis<1>& b) { return std::abs(a.step[0]) < std::abs(b.step[0]); });
  BoxAxes<1> axes;
  for (const BoxAxis<1>& loop : loops) append_axis(axes, loop);
  std::atomic<bool> found{false};
  parallel_runs(context, axes, {0}, 0.3, [&](std::int64_t count, const Offsets<1>& at, const Offsets<1>& step) {
    bool any = false;
    for (std::int64_t i = 0; i < count; ++i) any |= Rule::bad(x.as<T>()[at[0] + i * step[0]]);
    if (any) found.store(true, std::memory_order_relaxed);
  });
  if (found.load(std::memory_order_relaxed)) raise_bad_element<Rule, T>(op, x, operand);
}

}  // namespace tenferro::internal
