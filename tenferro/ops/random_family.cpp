// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/random_family.hpp"

#include "tenferro/ops/infer.hpp"
#include "tenferro/ops/random_transform.hpp"
#include "tenferro/tensor/layout.hpp"
#include "tenferro/tensor/strided_iterator.hpp"

namespace tenferro {
namespace {

OpFailure infer_normal(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const DTypeSet accepted = admitted(DTypeRule::integer);
  if (!accepted.contains(in[0].dtype)) return op_failure(UnsupportedDType{op.name(), 0, in[0].dtype, accepted});
  out[0].dtype = in[0].dtype == DType::i32 ? DType::f32 : DType::f64;
  out[0].shape.assign(in[0].shape.data(), in[0].rank());
  return nullptr;
}

template <class Bits, class Float>
void transform(const TensorRead& in, const TensorWrite& out) {
  const Dims from = internal::strides_of(in), to = internal::strides_of(out);
  StridedIterator<const Bits> source(in.as<Bits>(), in.shape(), from.data(), 0);
  StridedIterator<Float> target(out.as<Float>(), out.shape(), to.data(), 0);
  for (std::int64_t left = in.count(); left > 0; --left, ++source, ++target) *target = normal_from_bits(*source);
}

void run_normal(KernelContext&, const Op&, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
  if (in[0].dtype == DType::i32) {
    transform<std::int32_t, float>(in[0], out[0]);
  } else {
    transform<std::int64_t, double>(in[0], out[0]);
  }
}

constexpr auto kParts =
    family_table<RandomOp, FamilyParts>(kRandomRows, {{RandomOp::normal_from_bits, {infer_normal}}});
TENFERRO_COVERS_FAMILY(kRandomRows, kParts);
constexpr auto kOpsOfFamily = family_ops(kRandomRows, kParts);

constexpr auto kHostKernels = family_table<RandomOp, KernelFn>(kRandomRows, {{RandomOp::normal_from_bits, run_normal}});
TENFERRO_COVERS_FAMILY(kRandomRows, kHostKernels);

std::span<const KernelFn> kernels_for(BackendKind kind) {
  if (kind.id != "cpu") return {};
  return kHostKernels.entries;
}

}  // namespace

const ExtensionFamily kRandomFamily{"random", kOpsOfFamily, kernels_for};

}  // namespace tenferro
