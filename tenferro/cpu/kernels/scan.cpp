// SPDX-License-Identifier: MIT OR Apache-2.0
// cumsum, cumprod, cummax, cummin and cumlogsumexp.
#include "tenferro/cpu/kernels/scan.hpp"

#include <cmath>
#include <limits>

#include "tenferro/cpu/kernels/kernel_row.hpp"
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

/// Running sums of complex numbers: a total and a part, to which elements are added and which goes into the total after
/// some dozens of them, together with what the total lost by rounding before. So errors do not grow with the length.
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
  static constexpr double kCost = calibration::kScannedElementNs;
  static T start() { return T{1}; }
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

/// Sums and extrema: by vectors, but for complex numbers.
template <class T>
struct VectorScan {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    if constexpr (scalar::ComplexScalar<T>) {
      ScanPass<RunningSum<T>>::run(context, op, in[0], out[0]);
    } else {
      scan_by_vectors(context, op, in[0], out[0]);
    }
  }
};

template <OpKind kind, template <class> class Scanner>
constexpr std::pair<OpKind, DTypeKernels> scan_row() {
  return kernel_row<kind, ScanRow<Scanner>::template Kernel>();
}

constexpr CpuKernelTable kTable{kernel_row<OpKind::cumsum, VectorScan>(), scan_row<OpKind::cumprod, RunningProduct>(),
                                kernel_row<OpKind::cummax, VectorScan>(), kernel_row<OpKind::cummin, VectorScan>(),
                                scan_row<OpKind::cumlogsumexp, RunningLogSumExp>()};
TENFERRO_COVERS(kTable, OpCategory::scan);

}  // namespace

constinit const CpuKernelTable kScanKernels = kTable;

}  // namespace tenferro::internal
