// SPDX-License-Identifier: MIT OR Apache-2.0
// cumsum, cumprod, cummax, cummin and cumlogsumexp: sums and extrema of real numbers and products of integers by
// vectors, the others by the formulas here.
#include <cmath>
#include <limits>
#include <utility>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/elementwise_loop.hpp"
#include "tenferro/cpu/kernels/kernel_row.hpp"
#include "tenferro/cpu/kernels/reduce_loops.hpp"
#include "tenferro/cpu/kernels/scan_driver.hpp"

namespace tenferro::internal {
namespace {

/// What whole + part has more than sum, to which it was rounded (Kahan, Comm. ACM 8 (1965) 40); 0 where an infinity or
/// NaN is involved.
template <class T>
T lost(T sum, T whole, T part) {
  if constexpr (scalar::ComplexScalar<T>) {
    return {lost(sum.real(), whole.real(), part.real()), lost(sum.imag(), whole.imag(), part.imag())};
  } else {
    const T error = part - (sum - whole);
    return scalar::is_finite(error) ? error : T{0};
  }
}

// A formula has a state of one or two numbers: begin(a, b, x) makes it that of one element, take(a, b, x) adds another,
// value(a, b) is the result so far, settle(a, b) is called at the end of each block.

/// Running sums of complex numbers: a total and a part, to which elements are added and which goes into the total after
/// some dozens of them, together with what the total lost by rounding before. So errors do not grow with the length.
template <class T>
struct RunningSum {
  using Element = T;
  using State = T;
  static constexpr int kNumbers = 2;
  static constexpr double kCost = calibration::kScannedElementNs;
  static constexpr double kStart = 0;
  static void begin(T& total, T& part, T x) {
    total = x;
    part = T{0};
  }
  static void take(T&, T& part, T x) { part = scalar::add(part, x); }
  static T value(T total, T part) { return scalar::add(total, part); }
  static void settle(T& total, T& part) {
    const T sum = scalar::add(total, part);
    part = lost(sum, total, part);
    total = sum;
  }
};

template <class T>
struct RunningProduct {
  using Element = T;
  using State = T;
  static constexpr int kNumbers = 1;
  static constexpr double kCost = calibration::kScannedElementNs;
  static constexpr double kStart = 1;
  static void begin(T& product, T&, T x) { product = x; }
  static void take(T& product, T&, T x) { product = scalar::mul(product, x); }
  static T value(T product, T) { return product; }
  static void settle(T&, T&) {}
};

/// log Σ exp(x): the largest element so far, and the sum of exp(x − largest), which is at least 1. Kept in f64. Not a
/// number from the first NaN on; −∞ adds nothing; +∞ stays.
template <class T>
struct RunningLogSumExp {
  using Element = T;
  using State = double;
  static constexpr int kNumbers = 2;
  static constexpr double kCost = calibration::kScannedExpNs;
  static constexpr double kStart = -std::numeric_limits<double>::infinity();
  static void begin(double& largest, double& sum, T x) {
    largest = static_cast<double>(x);
    sum = 1;
  }
  static void take(double& largest, double& sum, T x) {
    const auto value = static_cast<double>(x);
    if (std::isnan(largest) || std::isnan(value)) {
      largest = std::numeric_limits<double>::quiet_NaN();
    } else if (value > largest) {
      sum = sum * std::exp(largest - value) + 1;
      largest = value;
    } else if (value == largest) {
      sum += 1;
    } else {
      sum += std::exp(value - largest);
    }
  }
  static T value(double largest, double sum) { return static_cast<T>(largest + std::log(sum)); }
  static void settle(double&, double&) {}
};

/// A real number as an element.
template <class T>
constexpr Element start_element(double x) {
  if constexpr (scalar::ComplexScalar<T>) {
    return element_bytes(std::array{static_cast<typename T::value_type>(x), typename T::value_type{0}});
  } else {
    return element_bytes(static_cast<T>(x));
  }
}

/// Loops over a formula.
template <class S>
struct FormulaScan {
  using T = typename S::Element;
  using State = typename S::State;

  // Takes in x; the result. Works on copies, which compilers keep in registers.
  template <bool first>
  static T next(State& a, State& b, T x) {
    State p = a, q = S::kNumbers == 2 ? b : a;
    if constexpr (first) {
      S::begin(p, q, x);
    } else {
      S::take(p, q, x);
    }
    const T result = S::value(p, q);
    a = p;
    if constexpr (S::kNumbers == 2) b = q;
    return result;
  }

  static void lines(bool first, const std::byte* const* x, std::int64_t x_step, std::byte* const* out,
                    std::int64_t out_step, std::int64_t n, std::int64_t count, std::byte* state) {
    const auto xs = x_step / std::int64_t{sizeof(T)}, outs = out_step / std::int64_t{sizeof(T)};
    State *const a = reinterpret_cast<State*>(state), *const b = a + count;
    if (count == kScanTogether) return some<kScanTogether>(first, x, xs, out, outs, n, a, b);
    for (std::int64_t l = 0; l < count; ++l) some<1>(first, x + l, xs, out + l, outs, n, a + l, b + l);
  }
  // Lines that hide each other's latency.
  template <std::size_t lines>
  static void some(bool first, const std::byte* const* x, std::int64_t x_step, std::byte* const* out,
                   std::int64_t out_step, std::int64_t n, State* as, State* bs) {
    std::array<State, lines> a{}, b{};
    std::array<const T*, lines> from;
    std::array<T*, lines> to;
    for (std::size_t l = 0; l < lines; ++l) {
      from[l] = reinterpret_cast<const T*>(x[l]);
      to[l] = reinterpret_cast<T*>(out[l]);
      if (first) {
        *to[l] = next<true>(a[l], b[l], *from[l]);
      } else {
        a[l] = as[l];
        b[l] = bs[l];
      }
    }
    for (std::int64_t i = first ? 1 : 0; i < n;) {
      for (const std::int64_t end = std::min(n, (i / kScanBlock + 1) * kScanBlock); i < end; ++i) {
        for (std::size_t l = 0; l < lines; ++l) {
          to[l][i * out_step] = next<false>(a[l], b[l], from[l][i * x_step]);
        }
      }
      for (std::size_t l = 0; l < lines; ++l) S::settle(a[l], b[l]);
    }
    for (std::size_t l = 0; l < lines; ++l) {
      as[l] = a[l];
      bs[l] = b[l];
    }
  }

  static void rows(bool first, const std::byte* from, std::int64_t x_step, std::byte* to, std::int64_t out_step,
                   std::int64_t count, std::int64_t width, std::byte* state) {
    State *const a = reinterpret_cast<State*>(state), *const b = a + width;
    for (std::int64_t r = 0; r < count; ++r) {
      const T* const x = reinterpret_cast<const T*>(from + r * x_step);
      T* const out = reinterpret_cast<T*>(to + r * out_step);
      if (first && r == 0) {
        for (std::int64_t c = 0; c < width; ++c) out[c] = next<true>(a[c], b[c], x[c]);
      } else {
        TENFERRO_INDEPENDENT
        for (std::int64_t c = 0; c < width; ++c) out[c] = next<false>(a[c], b[c], x[c]);
      }
    }
  }

  static void settle(std::byte* state, std::int64_t width) {
    State *const a = reinterpret_cast<State*>(state), *const b = a + width;
    for (std::int64_t c = 0; c < width; ++c) S::settle(a[c], b[c]);
  }

  static constexpr ScanLoops kLoops{sizeof(T), true,  S::kCost, start_element<T>(S::kStart),
                                    &lines,    &rows, &settle,  nullptr};
};

/// Which loops an operation on elements of type T has.
template <OpKind kind, class T>
const ScanLoops& loops_for() {
  if constexpr (kind == OpKind::cumlogsumexp) {
    return FormulaScan<RunningLogSumExp<T>>::kLoops;
  } else if constexpr (kind == OpKind::cumprod && !scalar::IntegerScalar<T>) {
    return FormulaScan<RunningProduct<T>>::kLoops;
  } else if constexpr (scalar::ComplexScalar<T>) {
    return FormulaScan<RunningSum<T>>::kLoops;
  } else {
    return *scan_loops(kind, dtype_of<T>);
  }
}

template <OpKind kind>
struct Scans {
  template <class T>
  struct Kernel {
    static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                    std::span<const TensorWrite> out) {
      scan_with(loops_for<kind, T>(), context, op, in[0], out[0]);
    }
  };
};
template <OpKind kind>
constexpr std::pair<OpKind, DTypeKernels> scan_row() {
  return kernel_row<kind, Scans<kind>::template Kernel>();
}

constexpr CpuKernelTable kTable{scan_row<OpKind::cumsum>(), scan_row<OpKind::cumprod>(), scan_row<OpKind::cummax>(),
                                scan_row<OpKind::cummin>(), scan_row<OpKind::cumlogsumexp>()};
TENFERRO_COVERS(kTable, OpCategory::scan);

}  // namespace

constinit const CpuKernelTable kScanKernels = kTable;

}  // namespace tenferro::internal
