// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a kernel may ask for while it runs. Kernels of the core and of families see this and nothing of a backend.
//
//   void run(KernelContext& context, const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
//     Buffer work = context.scratch(bytes);
//     context.parallel_for(rows, ns_per_row, [&](std::int64_t first, std::int64_t last) { … });
//   }

#include <cstdint>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/ops/extension.hpp"
#include "tenferro/tensor/buffer.hpp"
#include "tenferro/tensor/placement.hpp"

namespace tenferro {

/// Services of a backend to its kernels; valid during one kernel call, on its thread.
class KernelContext {
 public:
  /// Uninitialised memory, 64-byte aligned, from the pool of the session; returned when the buffer dies.
  virtual Buffer scratch(std::uint64_t bytes) = 0;

  /// body(first, last) over disjoint ranges that cover 0 … count−1, on the caller and on helpers that are free. The
  /// ranges depend on `count` and `ns_per_item` alone, so that results do not depend on who took part. One level only:
  /// inside a body everything runs inline. The first exception of a body is rethrown after all ranges ended.
  virtual void parallel_for(std::int64_t count, double ns_per_item,
                            FunctionRef<void(std::int64_t, std::int64_t)> body) = 0;

  /// Threads that may take part, the caller included; 1 inside a parallel body.
  virtual int lanes() const noexcept = 0;
  virtual BackendKind kind() const noexcept = 0;
  virtual Placement placement() const noexcept = 0;

 protected:
  ~KernelContext() = default;
};

}  // namespace tenferro
