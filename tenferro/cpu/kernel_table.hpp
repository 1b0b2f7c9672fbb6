// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Kernels of the CPU backend by operation and dtype of the data operand. Each category has one constexpr table beside
// its kernels (kernels/<category>.cpp), which must cover its category; this file indexes them.

#include <array>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/ops/op.hpp"
#include "tenferro/ops/op_table.hpp"

namespace tenferro {

/// One kernel per built-in dtype; null where the operation does not admit the dtype.
using DTypeKernels = std::array<KernelFn, kDTypeCount>;
using CpuKernelTable = OpTable<DTypeKernels>;

namespace internal {

/// The kernels of one operation for every dtype that its row admits: Kernel<T>::run for each.
template <OpKind kind, template <class> class Kernel>
constexpr DTypeKernels kernels_for_row() {
  DTypeKernels kernels{};
  constexpr DTypeSet accepted = admitted(info(kind).dtypes);
#define TENFERRO_DTYPE(name, type, text) \
  if constexpr (accepted.contains(DType::name)) kernels[index(DType::name)] = &Kernel<type>::run;
#include "tenferro/tensor/dtype.def"
  return kernels;
}

extern const CpuKernelTable kUnaryKernels, kBinaryKernels, kTernaryKernels, kReductionKernels, kScanKernels,
    kOrderKernels, kContractionKernels, kStructuralKernels, kIndexingKernels, kDynamicKernels, kCreationKernels,
    kRandomKernels;

}  // namespace internal

namespace internal {
/// In the order of OpCategory.
extern const std::array<const CpuKernelTable*, 12> kCpuKernelTables;
}  // namespace internal

/// The kernel for an operation whose data operand (for creation, whose result) has dtype d; null if there is none.
///
/// Example (session):
///     CHECK(cpu_kernel(OpKind::bit_not, DType::f64) == nullptr);
///     Tensor x = Tensor::vector({1., -2.}), y = Tensor::zeros<double>(2);
///     const TensorRead in[] = {x};
///     const TensorWrite out[] = {y};
///     cpu_kernel(OpKind::neg, DType::f64)(session.context(), Op(OpKind::neg), std::span(in), std::span(out));
///     CHECK(y.at<double>({1}) == 2);
inline KernelFn cpu_kernel(OpKind kind, DType d) noexcept {
  return (*internal::kCpuKernelTables[static_cast<std::size_t>(info(kind).category)])[kind][index(d)];
}

/// out = alpha·dot_general(lhs, rhs) + beta·out for operands of one numeric dtype; alpha and beta point to scalars of
/// it. With beta = 0 the old content is never read. `config` and shapes have been checked.
///
/// Example (session):
///     Tensor a = Tensor::vector({1., 2.}), c = Tensor::scalar(100.0);
///     const double two = 2, one = 1;
///     cpu_dot_general(session.context(), DotGeneralConfig({0}, {0}), a, a, c, &two, &one);
///     CHECK(c.item() == Scalar(110.0));
void cpu_dot_general(KernelContext& context, const DotGeneralConfig& config, const TensorRead& lhs,
                     const TensorRead& rhs, const TensorWrite& out, const void* alpha, const void* beta);

}  // namespace tenferro
