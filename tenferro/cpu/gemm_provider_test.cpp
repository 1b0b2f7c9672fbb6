// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/gemm_provider.hpp"

#include <gtest/gtest.h>

#include "tenferro/cpu/blas_provider.hpp"

namespace tenferro {
namespace {

TEST(GemmProviderChoice, OneProviderCanBeForced) {
  internal::use_gemm_provider(GemmProvider::openblas);
  const GemmProvider expected = blas_provider().usable ? GemmProvider::openblas : GemmProvider::native;
  for (const DType dtype : {DType::f32, DType::f64, DType::c32, DType::c64})
    EXPECT_EQ(gemm_provider(dtype, 8), expected);
  internal::use_gemm_provider(GemmProvider::native);
  EXPECT_EQ(gemm_provider(DType::f64, std::int64_t{1} << 40), GemmProvider::native);
  internal::use_gemm_provider(std::nullopt);
}

TEST(GemmProviderChoice, WholeNumbersAreNeverGivenAway) {
  internal::use_gemm_provider(GemmProvider::openblas);
  EXPECT_EQ(gemm_provider(DType::i64, std::int64_t{1} << 40), GemmProvider::native);
  internal::use_gemm_provider(std::nullopt);
}

}  // namespace
}  // namespace tenferro
