// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernel_table.hpp"

#include <gtest/gtest.h>

namespace tenferro {
namespace {

TEST(KernelTable, EveryOperationHasAKernelExactlyForTheDTypesItAdmits) {
  for (const OpInfo& row : kOps) {
    for (const DType d : kDTypes) {
      EXPECT_EQ(cpu_kernel(row.kind, d) != nullptr, admitted(row.dtypes).contains(d)) << row.name << ' ' << name(d);
    }
  }
}

}  // namespace
}  // namespace tenferro
