// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/convert.hpp"

#include "tenferro/cpu/calibration.hpp"
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

template <class To>
void set_casts_to(ElementLoops& loops) {
#define TENFERRO_DTYPE(name, type, text) \
  loops.set_cast(dtype_of<To>, DType::name, &ElementwiseLoop<CastTo<To>, true, type>::strip);
#include "tenferro/tensor/dtype.def"
}

}  // namespace

void run_convert(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                 std::span<const TensorWrite> out) {
  if (out[0].dtype == in[0].dtype) return copy_operand(context, in[0], out[0]);
  const ElementLoop loop = element_loops().cast(op.as<ConvertAttrs>().to, in[0].dtype);
  run_elements(context, loop, calibration::kCheapElementNs, in, out[0]);
}

void add_convert_loops(ElementLoops& loops) {
#define TENFERRO_DTYPE(name, type, text) set_casts_to<type>(loops);
#include "tenferro/tensor/dtype.def"
}

}  // namespace tenferro::internal
