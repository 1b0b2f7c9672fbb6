// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The walk of running reductions along one axis. Result i is what elements 0 … i give together (with `reverse`,
// elements i … n−1); with `exclusive`, element i itself is left out, and the first result is the scanner's start: 0 for
// sums, 1 for products, −∞ for sums of exponentials. Real sums and extrema have loops of their own, scan_driver.hpp.
//
// A scanner S has a state of two numbers: begin(a, b, x) starts it with one element, take(a, b, x) adds one,
// value(a, b) is the result so far, settle(a, b) is called now and then, start() is the result of nothing.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/elementwise_loop.hpp"
#include "tenferro/cpu/kernels/reduce_plan.hpp"
#include "tenferro/ops/op.hpp"

namespace tenferro::internal {

template <class S>
class ScanPass {
 public:
  using T = typename S::Element;
  using State = typename S::State;

  /// Scans all lines of x along the axis of the payload.
  static void run(KernelContext& context, const Op& op, const TensorRead& x, const TensorWrite& out) {
    const auto& attrs = op.as<ScanAttrs>();
    if (x.count() == 0) return;
    const Dims in = strides_of(x);
    const Dims to = strides_of(out);
    const ReducePlan plan(x.shape(), in.data(), to.data(), AxisSet(std::uint64_t{1} << attrs.axis));
    ScanPass pass(plan, x.as<T>(), out.as<T>());
    pass.length_ = x.extents[attrs.axis];
    pass.in_step_ = in[attrs.axis];
    pass.out_step_ = to[attrs.axis];
    if (attrs.reverse) {
      pass.in_ += (pass.length_ - 1) * pass.in_step_;
      pass.out_ += (pass.length_ - 1) * pass.out_step_;
      pass.in_step_ = -pass.in_step_;
      pass.out_step_ = -pass.out_step_;
    }
    attrs.exclusive ? pass.template scan<true>(context) : pass.template scan<false>(context);
  }

 private:
  static constexpr std::int64_t kWidth = 2048;  // neighbouring lines at most whose states are kept …
  static constexpr std::int64_t kNarrow = 64;   // … and at least, where they are shared out
  static constexpr std::int64_t kFewLines = 8;
  static constexpr std::int64_t kTogether = 4;  // lines that hide each other's latency
  static constexpr std::int64_t kSettle = 64;   // elements between two calls of settle

  ScanPass(const ReducePlan& plan, const T* in, T* out) noexcept : plan_(plan), in_(in), out_(out) {}

  template <bool exclusive>
  void scan(KernelContext& context) {
    const bool rows = plan_.keeps_runs() && plan_.kept_extent[0] >= kFewLines;
    const std::int64_t near = rows ? plan_.kept_extent[0] : 1;
    const std::int64_t outer = plan_.kept_count / near, share = near * outer / (std::int64_t{2} * context.lanes());
    width_ = context.lanes() > 1 ? std::clamp(share, kNarrow, kWidth) : kWidth;
    const std::int64_t tiles = (near + width_ - 1) / width_;
    const std::int64_t units = tiles * outer;
    const auto body = [&](std::int64_t first, std::int64_t last) {
      rows ? scan_rows<exclusive>(tiles, first, last) : scan_lines<exclusive>(first, last);
    };
    const double ns = S::kCost * static_cast<double>(plan_.kept_count) * static_cast<double>(length_);
    if (ns < kSerialNs || units == 1) return body(0, units);
    context.parallel_for(units, ns / static_cast<double>(units), body);
  }

  // Lines of any stride, some at a time.
  template <bool exclusive>
  void scan_lines(std::int64_t first, std::int64_t last) const {
    for (KeptCursor at(plan_, first); first < last;) {
      std::array<const T*, static_cast<std::size_t>(kTogether)> x;
      std::array<T*, static_cast<std::size_t>(kTogether)> to;
      std::int64_t lines = 0;
      for (; lines < kTogether && first < last; ++lines, ++first, at.next()) {
        x[static_cast<std::size_t>(lines)] = in_ + at.in();
        to[static_cast<std::size_t>(lines)] = out_ + at.out();
      }
      if (lines == kTogether) {
        scan_some<exclusive, kTogether>(x.data(), to.data());
      } else {
        for (std::int64_t l = 0; l < lines; ++l)
          scan_some<exclusive, 1>(&x[static_cast<std::size_t>(l)], &to[static_cast<std::size_t>(l)]);
      }
    }
  }

  template <bool exclusive, std::int64_t lines>
  void scan_some(const T* const* from, T* const* into) const {
    constexpr auto n = static_cast<std::size_t>(lines);
    std::array<State, n> a, b;
    std::array<const T*, n> x;
    std::array<T*, n> to;
    for (std::size_t l = 0; l < n; ++l) {
      x[l] = from[l];
      to[l] = into[l];
      S::begin(a[l], b[l], *x[l]);
      *to[l] = exclusive ? S::start() : S::value(a[l], b[l]);
    }
    for (std::int64_t i = 1; i < length_;) {
      const std::int64_t end = std::min(length_, i + kSettle);
      for (std::int64_t k = i; k < end; ++k) {
        for (std::size_t l = 0; l < n; ++l) {
          to[l][k * out_step_] = step<exclusive>(a[l], b[l], x[l][k * in_step_]);
        }
      }
      i = end;
      for (std::size_t l = 0; l < n; ++l) S::settle(a[l], b[l]);
    }
  }

  // Many neighbouring lines at once: one step of all of them is a loop over elements that lie side by side.
  template <bool exclusive>
  void scan_rows(std::int64_t tiles, std::int64_t first, std::int64_t last) const {
    std::array<State, static_cast<std::size_t>(kWidth)> as, bs;
    State *const a = as.data(), *const b = bs.data();
    const std::int64_t apart = plan_.kept_out[0];
    for (; first < last; ++first) {
      const std::int64_t start = first % tiles * width_, width = std::min(width_, plan_.kept_extent[0] - start);
      const KeptCursor at(plan_, first / tiles, 1);
      const T* x = in_ + at.in() + start;
      T* to = out_ + at.out() + start * apart;
      for (std::int64_t i = 0; i < width; ++i) {
        S::begin(a[i], b[i], x[i]);
        to[i * apart] = exclusive ? S::start() : S::value(a[i], b[i]);
      }
      for (std::int64_t row = 1; row < length_; ++row) {
        x += in_step_;
        to += out_step_;
        if (apart == 1) {
          TENFERRO_INDEPENDENT
          for (std::int64_t i = 0; i < width; ++i) to[i] = step<exclusive>(a[i], b[i], x[i]);
        } else {
          for (std::int64_t i = 0; i < width; ++i) to[i * apart] = step<exclusive>(a[i], b[i], x[i]);
        }
        if (row % kSettle == 0) {
          for (std::int64_t i = 0; i < width; ++i) S::settle(a[i], b[i]);
        }
      }
    }
  }

  template <bool exclusive>
  static T step(State& a, State& b, T x) {
    if constexpr (exclusive) {
      const T before = S::value(a, b);
      S::take(a, b, x);
      return before;
    } else {
      S::take(a, b, x);
      return S::value(a, b);
    }
  }

  const ReducePlan& plan_;
  const T* in_;
  T* out_;
  std::int64_t length_ = 0;
  std::int64_t width_ = kWidth;
  std::int64_t in_step_ = 0;
  std::int64_t out_step_ = 0;
};

}  // namespace tenferro::internal
