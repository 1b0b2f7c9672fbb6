// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernel_table.hpp"

namespace tenferro::internal {

// Each table covers its category, as its own file asserts.
constinit const std::array<const CpuKernelTable*, 12> kCpuKernelTables = {
    &kUnaryKernels,    &kBinaryKernels,  &kTernaryKernels,     &kReductionKernels,
    &kScanKernels,     &kOrderKernels,   &kContractionKernels, &kStructuralKernels,
    &kIndexingKernels, &kDynamicKernels, &kCreationKernels,    &kRandomKernels};

}  // namespace tenferro::internal
