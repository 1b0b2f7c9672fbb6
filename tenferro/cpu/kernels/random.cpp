// SPDX-License-Identifier: MIT OR Apache-2.0
// Random bits: element i depends on the key and on i alone, whoever computes it.
#include <algorithm>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/ops/philox.hpp"

namespace tenferro::internal {
namespace {

constexpr std::int64_t kBlock = 4096;

template <class T>
void fill(KernelContext& context, PhiloxKey key, T* target, std::int64_t count) {
  const auto part = [&](std::int64_t first, std::int64_t last) {
    const std::int64_t begin = first * kBlock, end = std::min(last * kBlock, count);
    philox_fill(key, begin, std::span<T>(target + begin, static_cast<std::size_t>(end - begin)));
  };
  const std::int64_t blocks = (count + kBlock - 1) / kBlock;
  blocks <= 1 ? part(0, blocks) : context.parallel_for(blocks, kBlock * calibration::kRandomNs, part);
}

template <class T>
void run_bits(KernelContext& context, PhiloxKey key, const TensorWrite& out) {
  const std::int64_t count = out.count();
  if (count == 0) return;
  if (out.compact()) return fill(context, key, out.as<T>(), count);
  Buffer compact = context.scratch(static_cast<std::uint64_t>(count) * sizeof(T));
  fill(context, key, reinterpret_cast<T*>(compact.data()), count);
  strided_copy(context, sizeof(T), out.shape(), compact.data(), col_major_strides(out.shape()), out.data,
               strides_of(out));
}

void run_random_bits(KernelContext& context, const Op&, std::span<const TensorRead> in,
                     std::span<const TensorWrite> out) {
  const auto* entries = in[0].as<std::int64_t>();
  const PhiloxKey key{entries[0], entries[in[0].compact() ? 1 : in[0].strides[0]]};
  if (out[0].dtype == DType::i32) {
    run_bits<std::int32_t>(context, key, out[0]);
  } else {
    run_bits<std::int64_t>(context, key, out[0]);
  }
}

// The key, which is i64, is the data operand; an entry for each dtype of a result lets either pick the kernel.
template <class>
struct RandomBits {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    run_random_bits(context, op, in, out);
  }
};

}  // namespace

constexpr CpuKernelTable kRandomKernels = {
    {OpKind::random_bits, kernels_for_row<OpKind::random_bits, RandomBits>()},
};
TENFERRO_COVERS(kRandomKernels, OpCategory::random);

}  // namespace tenferro::internal
