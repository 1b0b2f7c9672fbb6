// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What the process has for a BLAS library.
//
// Example:
//     const BlasProvider& blas = blas_provider();
//     CHECK(blas.usable ? !blas.core.empty() : !blas.reason.empty());           // "SkylakeX", say

#include <string>

#include "tenferro/backend/provider.hpp"

namespace tenferro {

/// What the first look at the library found.
struct BlasProvider {
  /// What its flavour says about threads.
  ProviderDeclaration declaration;
  /// Whether products go to it, from the lanes of a fan-out too; otherwise our own kernels take over.
  bool usable = false;
  std::string core;    ///< which kernels the library chose for this CPU
  std::string reason;  ///< why it is not used; empty if it is
};

/// Looks at OpenBLAS at the first call: flavour, chosen kernels, and whether small products come out right.
const BlasProvider& blas_provider();

}  // namespace tenferro
