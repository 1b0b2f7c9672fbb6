// SPDX-License-Identifier: MIT OR Apache-2.0
// cumsum, cumprod, cummax, cummin and cumlogsumexp.
#include "tenferro/cpu/kernels/scan.hpp"

#include <cmath>
#include <limits>

#include "tenferro/cpu/kernels/kernel_row.hpp"

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

/// Running sums. Floats keep a total and a part: elements are added to the part, which goes into the total after some
/// dozens of them, together with what the total lost by rounding before. So errors do not grow with the length.
template <class T>
struct RunningSum {
  using Element = T;
  using State = T;
  static constexpr double kCost = calibration::kScannedElementNs;
  static T start() { return T{0}; }
  static void begin(T& total, T& part, T x) {
    total = x;
    part = T{0};
  }
  static void take(T& total, T& part, T x) {
    if constexpr (scalar::IntegerScalar<T>) {
      total = scalar::add(total, x);
    } else {
      part = scalar::add(part, x);
    }
  }
  static T value(T total, T part) { return scalar::IntegerScalar<T> ? total : scalar::add(total, part); }
  static void settle(T& total, T& part) {
    if constexpr (!scalar::IntegerScalar<T>) {
      const T sum = scalar::add(total, part);
      part = lost(sum, total, part);
      total = sum;
    }
  }
};

template <class T>
struct RunningProduct {
  using Element = T;
  using State = T;
  static constexpr double kCost = calibration::kScannedElementNs;
  static T start() { return T{1}; }
  static void begin(T& product, T&, T x) { product = x; }
  static void take(T& product, T&, T x) { product = scalar::mul(product, x); }
  static T value(T product, T) { return product; }
  static void settle(T&, T&) {}
};

template <class T>
struct RunningMaximum {
  using Element = T;
  using State = T;
  static constexpr double kCost = calibration::kScannedElementNs;
  static T start() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  static void begin(T& best, T&, T x) { best = x; }
  static void take(T& best, T&, T x) { best = scalar::maximum(best, x); }
  static T value(T best, T) { return best; }
  static void settle(T&, T&) {}
};

template <class T>
struct RunningMinimum {
  using Element = T;
  using State = T;
  static constexpr double kCost = calibration::kScannedElementNs;
  static T start() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  static void begin(T& best, T&, T x) { best = x; }
  static void take(T& best, T&, T x) { best = scalar::minimum(best, x); }
  static T value(T best, T) { return best; }
  static void settle(T&, T&) {}
};

/// log Σ exp(x): the largest element so far, and the sum of exp(x − largest), which is at least 1. Kept in f64. Not a
/// number from the first NaN on; −∞ adds nothing; +∞ stays.
template <class T>
struct RunningLogSumExp {
  using Element = T;
  using State = double;
  static constexpr double kCost = calibration::kScannedExpNs;
  static T start() { return -std::numeric_limits<T>::infinity(); }
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

template <template <class> class Scanner>
struct ScanRow {
  template <class T>
  struct Kernel {
    static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                    std::span<const TensorWrite> out) {
      ScanPass<Scanner<T>>::run(context, op, in[0], out[0]);
    }
  };
};

template <OpKind kind, template <class> class Scanner>
constexpr std::pair<OpKind, DTypeKernels> scan_row() {
  return kernel_row<kind, ScanRow<Scanner>::template Kernel>();
}

constexpr CpuKernelTable kTable{scan_row<OpKind::cumsum, RunningSum>(), scan_row<OpKind::cumprod, RunningProduct>(),
                                scan_row<OpKind::cummax, RunningMaximum>(), scan_row<OpKind::cummin, RunningMinimum>(),
                                scan_row<OpKind::cumlogsumexp, RunningLogSumExp>()};
TENFERRO_COVERS(kTable, OpCategory::scan);

}  // namespace

constinit const CpuKernelTable kScanKernels = kTable;

}  // namespace tenferro::internal
