// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/convert.hpp"

#include "tenferro/cpu/kernels/elementwise_loop.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"

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
  if (out[0].dtype == in[0].dtype) return copy_operand(context, in[0], out[0]);
  visit_dtype(op.as<ConvertAttrs>().to, [&]<class To>(TypeTag<To>) {
    ElementwiseLoop<CastTo<To>, true, From>::run(context, calibration::kCheapElementNs, in, out[0]);
  });
}

#define TENFERRO_DTYPE(name, type, text) template struct ConvertKernel<type>;
#include "tenferro/tensor/dtype.def"

}  // namespace tenferro::internal
