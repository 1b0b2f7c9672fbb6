// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a kernel may ask for while it runs. Kernels of the core and of families see this and nothing of a backend.
//
// Example (session):
//     #include <numeric>
//     auto total = [](KernelContext& context, const std::vector<double>& x) {
//       const auto rows = static_cast<std::int64_t>(x.size() / 100);
//       Buffer work = context.scratch(static_cast<std::uint64_t>(rows) * sizeof(double));
//       auto* sums = reinterpret_cast<double*>(work.data());
//       context.parallel_for(rows, 30.0, [&](std::int64_t first, std::int64_t last) {
//         for (std::int64_t r = first; r < last; ++r) sums[r] = std::accumulate(&x[100 * r], &x[100 * r] + 100, 0.0);
//       });
//       return std::accumulate(sums, sums + rows, 0.0);        // the same bits for any number of threads
//     };
//     CHECK(total(session.context(), std::vector<double>(50000, 1.0)) == 50000);
//     CHECK(session.context().lanes() >= 1 && session.context().kind() == BackendKind{"cpu"});
//     CHECK(session.context().placement() == Placement() && session.context().provider().name == "built-in");

#include <cstdint>

#include "tenferro/backend/provider.hpp"
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
  /// What the least tame library behind the kernels of this backend declares about its threads. A kernel that calls
  /// one asks require_usable_here before it does, and inner_work_allowed before it lets it fan out.
  virtual const ProviderDeclaration& provider() const noexcept = 0;
  virtual BackendKind kind() const noexcept = 0;
  virtual Placement placement() const noexcept = 0;

 protected:
  ~KernelContext() = default;
};

}  // namespace tenferro
