// SPDX-License-Identifier: MIT OR Apache-2.0
// Both questions, "does a layout reach one element twice" and "do two operands meet", are whether a sum Σ stepₖ·xₖ with
// bounded xₖ takes a given value. It is answered by trying the coarsest step first: what the finer steps can still make
// up leaves few values to try, one or two where axes nest.
#include "tenferro/tensor/overlap.hpp"

#include <algorithm>
#include <numeric>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/tensor/layout.hpp"

namespace tenferro {
namespace {

__extension__ using Wide = __int128;

constexpr int kSearchLimit = 1 << 16;

// x runs over 0 … limit.
struct Term {
  std::int64_t step, limit;
};

class BoundedSum {
 public:
  // Steps are positive, and no step·limit exceeds 2^61.
  void add(std::int64_t step, std::int64_t limit) {
    if (limit > 0) terms_.push_back({step, limit});
  }

  void prepare() {
    std::sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) { return a.step > b.step; });
    reach_.resize(terms_.size() + 1);
    divisor_.resize(terms_.size() + 1);
    for (std::size_t i = terms_.size(); i-- > 0;) {
      reach_[i] = reach_[i + 1] + Wide{terms_[i].step} * terms_[i].limit;
      divisor_[i] = std::gcd(divisor_[i + 1], terms_[i].step);
    }
  }

  const InlineVector<Term, 8>& terms() const noexcept { return terms_; }
  Wide reach(std::size_t from) const noexcept { return reach_[from]; }

  // True if the terms from `i` on can sum to `target`, or if the search has become too long.
  bool meets(std::size_t i, Wide target) {
    if (target < 0 || target > reach_[i]) return false;
    if (target == 0) return true;
    if (i == terms_.size() || target % divisor_[i] != 0) return false;
    const Term& term = terms_[i];
    const Wide rest = target - reach_[i + 1];
    const Wide first = rest > 0 ? (rest + term.step - 1) / term.step : 0;
    const Wide last = std::min<Wide>(term.limit, target / term.step);
    for (Wide x = first; x <= last; ++x) {
      if (--budget_ < 0 || meets(i + 1, target - x * term.step)) return true;
    }
    return false;
  }

 private:
  InlineVector<Term, 8> terms_;
  InlineVector<Wide, 9> reach_;
  InlineVector<std::int64_t, 9> divisor_;
  int budget_ = kSearchLimit;
};

constexpr std::int64_t kLongest = std::int64_t{1} << 61;

// |step| and true, or false if the axis reaches too far for the arithmetic here.
bool usable(std::int64_t step, std::int64_t extent, std::int64_t* size) {
  if (step <= -kLongest || step >= kLongest) return false;
  *size = step < 0 ? -step : step;
  return saturating_mul(*size, extent - 1) <= kLongest;
}

// The addresses from the first byte of an operand to the one past its last: the same where it has no element, and all
// there are where its steps are too long for the arithmetic.
struct ByteRange {
  std::uintptr_t first, end;
};

ByteRange byte_range(const TensorRead& x) noexcept {
  std::int64_t below = 0, above = 1;  // in elements
  if (x.compact()) {
    above = x.count();
  } else {
    for (std::size_t k = 0; k < x.rank(); ++k) {
      if (x.extents[k] == 0) return {0, 0};
      if (x.extents[k] == 1) continue;
      std::int64_t span = 0;
      std::int64_t& side = x.strides[k] < 0 ? below : above;
      if (mul_overflows(x.strides[k], x.extents[k] - 1, &span) || add_overflows(side, span, &side)) {
        return {0, UINTPTR_MAX};
      }
    }
  }
  const auto width = static_cast<std::int64_t>(element_size(x.dtype));
  if (mul_overflows(below, width, &below) || mul_overflows(above, width, &above)) return {0, UINTPTR_MAX};
  const auto data = reinterpret_cast<std::uintptr_t>(x.data);
  ByteRange range{};
  const bool beyond =
      __builtin_add_overflow(data, below, &range.first) | __builtin_add_overflow(data, above, &range.end);
  return beyond ? ByteRange{0, UINTPTR_MAX} : range;
}

// An operand in bytes: its lowest address, and its axes.
struct Footprint {
  Wide lowest = 0;
  Wide reach = 0;
  std::int64_t width = 1;
  InlineVector<Term, 8> axes;
  bool regular = true;
};

Footprint footprint(const TensorRead& x) {
  Footprint f;
  f.width = static_cast<std::int64_t>(element_size(x.dtype));
  f.regular = f.width != 0;
  f.lowest = static_cast<Wide>(reinterpret_cast<std::uintptr_t>(x.data));
  if (x.compact()) {
    const std::int64_t bytes = x.count() * f.width;
    f.axes.push_back({1, bytes - 1});
    f.reach = bytes - 1;
    f.width = 1;
    return f;
  }
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (x.extents[k] == 1) continue;
    std::int64_t step = 0;
    std::int64_t bytes = 0;
    if (mul_overflows(x.strides[k], f.width, &bytes) || !usable(bytes, x.extents[k], &step)) {
      f.regular = false;
      return f;
    }
    if (step == 0) continue;
    f.axes.push_back({step, x.extents[k] - 1});
    const Wide span = Wide{step} * (x.extents[k] - 1);
    f.reach += span;
    if (bytes < 0) f.lowest -= span;
  }
  f.reach += f.width - 1;
  return f;
}

}  // namespace

bool may_self_overlap(DimsView shape, DimsView strides) {
  if (has_no_element(shape)) return false;
  BoundedSum sum;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) continue;
    std::int64_t step = 0;
    if (strides[k] == 0 || !usable(strides[k], shape[k], &step)) return true;
    sum.add(step, shape[k] - 1);
  }
  sum.prepare();
  // Two indices meet if differences dₖ within ±(nₖ−1), not all zero, make Σ stepₖ·dₖ = 0. With the first difference
  // that is not zero taken positive, d·step must equal what the finer axes can make up; these are shifted to start at
  // zero.
  for (std::size_t k = 0; k < sum.terms().size(); ++k) {
    const Term& coarse = sum.terms()[k];
    if (coarse.step > sum.reach(k + 1)) continue;
    BoundedSum finer;
    for (std::size_t j = k + 1; j < sum.terms().size(); ++j) {
      finer.add(sum.terms()[j].step, 2 * sum.terms()[j].limit);
    }
    finer.prepare();
    const std::int64_t last = static_cast<std::int64_t>(std::min<Wide>(coarse.limit, sum.reach(k + 1) / coarse.step));
    for (std::int64_t d = 1; d <= last; ++d) {
      if (d > kSearchLimit || finer.meets(0, sum.reach(k + 1) - Wide{d} * coarse.step)) return true;
    }
  }
  return false;
}

bool internal::ranges_apart(const TensorRead& a, const TensorRead& b) noexcept {
  const ByteRange of_a = byte_range(a), of_b = byte_range(b);
  return of_a.first >= of_b.end || of_b.first >= of_a.end || of_a.first == of_a.end || of_b.first == of_b.end;
}

bool may_overlap(TensorRead a, TensorRead b) {
  if (internal::ranges_apart(a, b)) return false;
  if (a.compact() && b.compact()) return true;
  if (has_no_element(a.shape()) || has_no_element(b.shape())) return false;  // however long its steps
  const Footprint fa = footprint(a);
  const Footprint fb = footprint(b);
  if (!fa.regular || !fb.regular) return true;
  // Some byte of a is some byte of b: Σa + e = shift + Σb + f. Counting b's axes and f backwards makes it one sum.
  BoundedSum sum;
  for (const Term& axis : fa.axes) sum.add(axis.step, axis.limit);
  for (const Term& axis : fb.axes) sum.add(axis.step, axis.limit);
  sum.add(1, fa.width - 1 + fb.width - 1);
  sum.prepare();
  return sum.meets(0, fb.lowest - fa.lowest + fb.reach);
}

}  // namespace tenferro
