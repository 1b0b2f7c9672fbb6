// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Exact comparison of whole tensors, for tests and look-ups. Comparison with a tolerance is an operation (allclose).

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

/// True if dtype and shape agree and every element equals (==) that of the same indices, whatever the strides: a NaN
/// makes it false, −0 equals 0. Throws TensorError (PlacementMismatch).
///
/// Example:
///     Tensor a = Tensor::matrix({{1., 2.}, {2., 1.}});
///     CHECK(equal_elements(a, a.view().permuted({1, 0})));
bool equal_elements(TensorRead a, TensorRead b);

/// True if dtype, shape and the bits of every element agree: a NaN is the same as itself, −0 differs from 0.
///
/// Example:
///     Tensor a = Tensor::vector({0., 0. / 0.}), b = Tensor::vector({-0., 0. / 0.});
///     CHECK(same_bits(a, a) && !equal_elements(a, a));         // NaN is the same as itself, but not equal
///     CHECK(!same_bits(a.view({range(0, 1)}), b.view({range(0, 1)})));
bool same_bits(TensorRead a, TensorRead b);

}  // namespace tenferro
