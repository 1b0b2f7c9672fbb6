// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Comparison of results with the oracle's numbers. It happens here, by the oracle's own rules, never in the library.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::oracle {

/// What is wrong, or nothing.
using Difference = std::optional<std::string>;

/// Same dtype, shape and values: equal bits, except that any NaN matches any NaN.
Difference same_bits(const Tensor& got, const Tensor& want);

/// Same dtype, shape and values, where the reference was summed in whole numbers, which have no signed zero: zeros are
/// equal whatever their sign.
Difference same_values(const Tensor& got, const Tensor& want);

/// Whether `grad` is the gradient of Re⟨ct, f⟩ in operand k, for f that is affine in that operand: then
/// Re⟨ct, f(x+v) − f(x)⟩ = Re⟨grad, v⟩ for every v. Checked along a direction without zeros, by forward calls alone.
Difference gradient_difference(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                               const std::vector<Tensor>& in, std::size_t k, const Tensor& ct, const Tensor& grad);

/// Number of representable values between the two; huge if one is NaN or infinite and the other is not the same.
double ulps_between(double got, double want);
double ulps_between(float got, float want);

/// Every entry within `bounds` (f64, same shape) of the reference, which may have a wider dtype.
Difference within_bounds(const Tensor& got, const Tensor& want, const Tensor& bounds);

}  // namespace tenferro::oracle
