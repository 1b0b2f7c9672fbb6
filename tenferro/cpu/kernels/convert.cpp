// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/convert.hpp"

#include "tenferro/cpu/kernels/elementwise_loop.hpp"

namespace tenferro::internal {
namespace {

template <class To>
struct CastTo {
  template <class From>
  To operator()(From x) const {
    return scalar::cast<To>(x);
  }
};

}  // namespace

template <class From>
void ConvertKernel<From>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                              std::span<const TensorWrite> out) {
  visit_dtype(op.as<ConvertAttrs>().to, [&]<class To>(TypeTag<To>) {
    ElementwiseLoop<CastTo<To>, true, From>::run(context, calibration::kCheapElementNs, in, out[0]);
  });
}

#define TENFERRO_DTYPE(name, type, text) template struct ConvertKernel<type>;
#include "tenferro/tensor/dtype.def"

}  // namespace tenferro::internal
