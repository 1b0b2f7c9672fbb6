// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The family of operations behind random numbers that no row of the core computes.
//
// Example (session):
//     Tensor bits = Tensor::vector({std::int64_t{5}, std::int64_t{-5}});
//     Tensor z = bind1(session, family_op(kRandomFamily, RandomOp::normal_from_bits), bits);
//     CHECK(z.dtype() == DType::f64 && z.at<double>({0}) != z.at<double>({1}));

#include "tenferro/ops/define_family.hpp"

namespace tenferro {

enum class RandomOp : std::uint16_t {
#define TENFERRO_FAMILY_OP TENFERRO_FAMILY_ENUMERATOR
#include "tenferro/ops/random_ops.def"
};
inline constexpr FamilyRow kRandomRows[] = {
#define TENFERRO_FAMILY_OP TENFERRO_FAMILY_ROW
#include "tenferro/ops/random_ops.def"
};

/// The record of the family, with kernels for the backend "cpu", which run on the calling thread.
extern const ExtensionFamily kRandomFamily;

}  // namespace tenferro
