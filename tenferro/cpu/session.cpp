// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/session.hpp"

#include <cassert>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/cpu/session_entry.hpp"

namespace tenferro {

namespace internal {

Buffer CpuKernelContext::scratch(std::uint64_t bytes) {
  // Inside a lane the pool belongs to another thread.
  return Team::in_lane() ? heap_block(bytes) : Buffer(pool_->acquire(bytes));
}

void CpuKernelContext::parallel_for(std::int64_t count, double ns_per_item,
                                    FunctionRef<void(std::int64_t, std::int64_t)> body) {
  engine_->parallel_for(count, ns_per_item, body);
}

int CpuKernelContext::lanes() const noexcept { return static_cast<int>(engine_->lanes()); }

const ProviderDeclaration& CpuKernelContext::provider() const noexcept { return engine_->domain().provider(); }

}  // namespace internal

CpuSession::CpuSession(const CpuEntry& entry) noexcept
    : internal::CpuContextHolder{{entry.pool(), entry.engine()}}, BackendSession(cpu_context) {}

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void refuse_size(DimsView shape) {
  raise<OpErrorInfo>(ShapeOverflow{"allocate", Shape(shape)});
}

[[gnu::always_inline]] inline Tensor allocate_from(BufferPool& pool, DType dtype, DimsView shape) {
  std::int64_t count = 1, bytes = 0;
  bool overflow = false;
  for (const std::int64_t extent : shape) overflow |= mul_overflows(count, extent, &count);
  overflow |= mul_overflows(count, static_cast<std::int64_t>(element_size(dtype)), &bytes);
  if (overflow) [[unlikely]]
    refuse_size(shape);
  return Tensor::adopt_unchecked(dtype, shape, count, Buffer(pool.acquire(static_cast<std::uint64_t>(bytes))), {});
}

}  // namespace

Tensor CpuSession::allocate(DType dtype, DimsView shape) { return allocate_from(cpu_context.pool(), dtype, shape); }

Tensor CpuSession::compute(const Op& op, DType dtype, DType result_type, DimsView shape,
                           std::span<const TensorRead> in) {
  Tensor result = allocate_from(cpu_context.pool(), result_type, shape);
  const TensorWrite target = result;
  cpu_kernel(op.kind(), dtype)(cpu_context, op, in, {&target, 1});
  return result;
}

void CpuSession::run(const Op& op, DType dtype, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
  const KernelFn kernel = cpu_kernel(op.kind(), dtype);
  assert(kernel != nullptr);  // the tables cover every dtype that inference admits
  kernel(cpu_context, op, in, out);
}

void CpuSession::accumulate(const Op& op, std::span<const TensorRead> in, const TensorWrite& out, const Scalar& alpha,
                            const Scalar& beta) {
  visit_dtype(out.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T a = alpha.get<T>(), b = beta.get<T>();
    cpu_dot_general(cpu_context, op.as<DotGeneralConfig>(), in[0], in[1], out, &a, &b);
  });
}

}  // namespace tenferro
