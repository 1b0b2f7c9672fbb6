// SPDX-License-Identifier: MIT OR Apache-2.0
// An operation of your own: a family with one row, its shape rule and its kernel for CPU backends. Nothing is
// registered; the operation carries its family, and runs in the same sessions as everything else.
#include <cstdio>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/define_family.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/tensor/compare.hpp"
#include "tenferro/tensor/print.hpp"

using namespace tenferro;

namespace {

enum class SmoothOp : std::uint16_t { moving_average };
constexpr FamilyRow kSmoothRows[] = {{"moving_average", "Means of neighbouring elements of a vector.", 1, 1}};

struct Window {
  std::int64_t width;
};

OpFailure infer_average(const Op& op, std::span<const MetaView> in, std::span<TensorMeta> out) {
  const std::int64_t width = std::get<ExtensionAttrs>(op.attrs).get<Window>().width;
  if (in[0].dtype != DType::f64) {
    return op_failure(UnsupportedDType{op.name(), 0, in[0].dtype, DTypeSet::of(DType::f64)});
  }
  if (in[0].rank() != 1) return op_failure(RankMismatch{op.name(), 0, 1, static_cast<std::int64_t>(in[0].rank())});
  if (width < 1 || width > in[0].shape[0]) {
    return op_failure(BadArgument{op.name(), "the window does not fit into the vector"});
  }
  out[0] = {DType::f64, {in[0].shape[0] - width + 1}};
  return nullptr;
}

void average(KernelContext& context, const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
  const std::int64_t width = std::get<ExtensionAttrs>(op.attrs).get<Window>().width;
  const std::int64_t from = in[0].compact() ? 1 : in[0].strides[0];  // operands come with any strides
  const std::int64_t to = out[0].strides == nullptr ? 1 : out[0].strides[0];
  const double* x = in[0].as<double>();
  double* y = out[0].as<double>();
  context.parallel_for(out[0].extents[0], static_cast<double>(width), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < width; ++k) sum += x[(i + k) * from];
      y[i * to] = sum / static_cast<double>(width);
    }
  });
}

constexpr auto kSmoothParts =
    family_table<SmoothOp, FamilyParts>(kSmoothRows, {{SmoothOp::moving_average, {infer_average}}});
TENFERRO_COVERS_FAMILY(kSmoothRows, kSmoothParts);
constexpr auto kSmoothOps = family_ops(kSmoothRows, kSmoothParts);
constexpr auto kCpuKernels = family_table<SmoothOp, KernelFn>(kSmoothRows, {{SmoothOp::moving_average, average}});

std::span<const KernelFn> kernels_for(BackendKind kind) {
  if (kind == BackendKind{"cpu"}) return kCpuKernels.entries;
  return {};
}

const ExtensionFamily kSmoothFamily{"smooth", kSmoothOps, kernels_for};

/// The function that users call; a template over emitters, so it also infers shapes and records.
template <Emitter E>
Value<E> moving_average(E& e, Arg<E> x, std::int64_t width) {
  return bind1(e, family_op(kSmoothFamily, SmoothOp::moving_average, Window{width}), x);
}

}  // namespace

int main() {
  CpuBackend cpu;
  const Tensor x = Tensor::vector<double>({1, 2, 6, 4, 5});
  const Tensor y = cpu.with_session([&](BackendSession& s) { return moving_average(s, exp(s, log(s, x)), 3); });
  std::printf("%s\n", to_text(y).c_str());

  const Tensor reversed =
      cpu.with_session([&](BackendSession& s) { return moving_average(s, x.view().reversed({0}), 5); });
  ShapeEvaluator shapes;
  const TensorMeta meta = moving_average(shapes, TensorMeta{DType::f64, {100}}, 10);
  bool refused = false;
  try {
    cpu.with_session([&](BackendSession& s) { moving_average(s, x, 6); });
  } catch (const OpError& error) {
    refused = true;
    std::printf("%s\n", error.what());
  }
  return refused && meta.shape == Shape{91} && reversed.at<double>({0}) == 3.6 ? 0 : 1;
}
