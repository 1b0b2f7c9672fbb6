// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_sum and reduce_sum_squares.
#include "tenferro/cpu/kernels/reduce_driver.hpp"

namespace tenferro::internal {
namespace {

template <class T>
struct Sum {
  using In = T;
  using Acc = T;
  using Next = Sum;
  static T map(T x) { return x; }
  static T combine(T a, T b) { return scalar::add(a, b); }
  static T empty() { return T{0}; }
};

template <class T>
struct SumSquares {
  using In = T;
  using Acc = decltype(scalar::real(T{}));
  using Next = Sum<Acc>;
  static Acc map(T x) {
    if constexpr (is_complex(dtype_of<T>)) {
      return x.real() * x.real() + x.imag() * x.imag();
    } else {
      return x * x;
    }
  }
  static Acc combine(Acc a, Acc b) { return a + b; }
  static Acc empty() { return Acc{0}; }
};

}  // namespace

template <class T>
void SumKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                       std::span<const TensorWrite> out) {
  reduce_with<Sum<T>>(context, op, in[0], out[0]);
}

template <class T>
void SumSquaresKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                              std::span<const TensorWrite> out) {
  reduce_with<SumSquares<T>>(context, op, in[0], out[0]);
}

template struct SumKernel<float>;
template struct SumKernel<double>;
template struct SumKernel<std::complex<float>>;
template struct SumKernel<std::complex<double>>;
template struct SumKernel<std::int32_t>;
template struct SumKernel<std::int64_t>;
template struct SumSquaresKernel<float>;
template struct SumSquaresKernel<double>;
template struct SumSquaresKernel<std::complex<float>>;
template struct SumSquaresKernel<std::complex<double>>;

}  // namespace tenferro::internal
