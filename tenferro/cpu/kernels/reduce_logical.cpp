// SPDX-License-Identifier: MIT OR Apache-2.0
// reduce_any and reduce_all.
#include "tenferro/cpu/kernels/reduce_driver.hpp"

namespace tenferro::internal {
namespace {

struct Any {
  using In = bool;
  using Acc = bool;
  using Next = Any;
  static bool map(bool x) { return x; }
  static bool combine(bool a, bool b) { return scalar::logical_or(a, b); }
  static bool empty() { return false; }
};

struct All {
  using In = bool;
  using Acc = bool;
  using Next = All;
  static bool map(bool x) { return x; }
  static bool combine(bool a, bool b) { return scalar::logical_and(a, b); }
  static bool empty() { return true; }
};

}  // namespace

template <class T>
void AnyKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                       std::span<const TensorWrite> out) {
  reduce_with<Any>(context, op, in[0], out[0]);
}

template <class T>
void AllKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                       std::span<const TensorWrite> out) {
  reduce_with<All>(context, op, in[0], out[0]);
}

template struct AnyKernel<bool>;
template struct AllKernel<bool>;

}  // namespace tenferro::internal
