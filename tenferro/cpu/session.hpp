// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The CPU's session: allocates results from the pool that entry gave it and runs kernels on the calling thread, with
// helpers inside large ones. Made on the stack by CpuBackend for one closure.

#include "tenferro/backend/session.hpp"

namespace tenferro {

class BufferPool;
class CpuEngine;
class CpuEntry;

namespace internal {

/// What CPU kernels see.
class CpuKernelContext final : public KernelContext {
 public:
  CpuKernelContext(BufferPool& pool, CpuEngine& engine) noexcept : pool_(&pool), engine_(&engine) {}

  Buffer scratch(std::uint64_t bytes) override;
  void parallel_for(std::int64_t count, double ns_per_item,
                    FunctionRef<void(std::int64_t, std::int64_t)> body) override;
  int lanes() const noexcept override;
  const ProviderDeclaration& provider() const noexcept override;
  BackendKind kind() const noexcept override { return {"cpu"}; }
  Placement placement() const noexcept override { return {}; }

  BufferPool& pool() const noexcept { return *pool_; }

 private:
  BufferPool* pool_;
  CpuEngine* engine_;
};

/// Holds the context before BackendSession takes its address.
struct CpuContextHolder {
  CpuKernelContext cpu_context;
};

}  // namespace internal

/// See BackendSession.
///
/// Example (tenferro/cpu/session_entry.hpp):
///     CpuEngine engine{CpuDomainOptions{}};
///     CpuEntry entry(engine);
///     CHECK(entry);
///     CpuSession session(entry);
///     const Tensor x = Tensor::scalar(3.0);
///     CHECK(session.bind_pair(Op(OpKind::mul), x, x).item() == Scalar(9.0));
class CpuSession final : private internal::CpuContextHolder, public BackendSession {
 public:
  explicit CpuSession(const CpuEntry& entry) noexcept;

 private:
  Tensor allocate(DType dtype, DimsView shape) override;
  Tensor compute(const Op& op, DType dtype, DType result, DimsView shape, std::span<const TensorRead> in) override;
  void run(const Op& op, DType dtype, std::span<const TensorRead> in, std::span<const TensorWrite> out) override;
  void accumulate(const Op& op, std::span<const TensorRead> in, const TensorWrite& out, const Scalar& alpha,
                  const Scalar& beta) override;
};

}  // namespace tenferro
