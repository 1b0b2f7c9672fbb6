// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/element_runner.hpp"

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/element_plan.hpp"
#include "tenferro/cpu/kernels/move_plan.hpp"
#include "tenferro/tensor/layout.hpp"

namespace tenferro::internal {
namespace {

// The whole as one strip, if everything lies one after another or is one value.
bool is_one_strip(Strip& strip, std::span<const TensorRead> in, const TensorWrite& out) noexcept {
  if (!out.compact()) return false;
  strip = {out.data, {}, out.count()};
  strip.out_width = static_cast<std::int64_t>(element_size(out.dtype));
  for (std::size_t k = 0; k < in.size(); ++k) {
    strip.in[k] = in[k].data;
    strip.width[k] = static_cast<std::int64_t>(element_size(in[k].dtype));
    if (in[k].compact()) continue;
    if (!repeats_one_value(in[k])) return false;
    strip.stretched |= std::uint32_t{1} << k;
  }
  return true;
}

// Whether the output should go past the caches: operands together that no cache keeps, none of which is the output.
bool is_streamed(std::span<const TensorRead> in, const TensorWrite& out) noexcept {
  std::int64_t width = static_cast<std::int64_t>(element_size(out.dtype));
  for (const TensorRead& x : in) {
    if (x.data == out.data) return false;
    if (!repeats_one_value(x)) width += static_cast<std::int64_t>(element_size(x.dtype));
  }
  return out.count() * width >= calibration::kStreamElementsBytes;
}

void compute_strip(ElementLoop loop, const Strip& strip) {
  strip.compute(loop);
  if (strip.streamed) finish_streaming();
}

// Blocks of one long strip.
void share_strip(KernelContext& context, ElementLoop loop, double ns_per_element, const Strip& whole) {
  constexpr std::int64_t kBlock = 1024;
  const std::int64_t blocks = (whole.count + kBlock - 1) / kBlock;
  context.parallel_for(blocks, ns_per_element * kBlock, [&](std::int64_t first, std::int64_t last) {
    Strip part = whole;
    first *= kBlock;
    part.count = std::min(last * kBlock, whole.count) - first;
    part.out += first * whole.out_width;
    for (std::size_t k = 0; k < part.in.size(); ++k) {
      if ((whole.stretched >> k & 1) == 0) part.in[k] += first * whole.width[k];
    }
    compute_strip(loop, part);
  });
}

}  // namespace

const std::byte* gather_few(FewElements& block, const TensorRead& x) {
  const std::size_t width = element_size(x.dtype);
  move_nest(width, block.bytes, x.data, copy_loops(x.shape(), strides_of(x), col_major_strides(x.shape()), width));
  return block.bytes;
}

void scatter_few(const TensorWrite& y, const std::byte* from) {
  const std::size_t width = element_size(y.dtype);
  move_nest(width, y.data, from, copy_loops(y.shape(), col_major_strides(y.shape()), strides_of(y), width));
}

void run_elements(KernelContext& context, ElementLoop loop, double ns_per_element, std::span<const TensorRead> in,
                  const TensorWrite& out) {
  Strip strip;
  if (is_one_strip(strip, in, out)) {
    if (strip.count <= kFewElements || static_cast<double>(strip.count) * ns_per_element < calibration::kSerialNs) {
      return strip.compute(loop);
    }
    strip.streamed = is_streamed(in, out);
    return share_strip(context, loop, ns_per_element, strip);
  }
  const ElementPlan plan(in, out, is_streamed(in, out));
  const double ns_per_tile = ns_per_element * static_cast<double>(plan.tile_elements()) + calibration::kRunNs;
  if (plan.tiles() < 2 || ns_per_tile * static_cast<double>(plan.tiles()) < calibration::kSerialNs) {
    return plan.run(loop, 0, plan.tiles());
  }
  context.parallel_for(plan.tiles(), ns_per_tile,
                       [&](std::int64_t first, std::int64_t last) { plan.run(loop, first, last); });
}

}  // namespace tenferro::internal
