// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The oracle files' encoding of tensors: dtype, shape, and data in row-major order.

#include <nlohmann/json.hpp>
#include <string>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::oracle {

using Json = nlohmann::json;

/// The dtype of a name such as "float64" or "complex64"; throws std::runtime_error for others.
DType dtype_from(const std::string& name);

/// A tensor from {"dtype", "shape", "data"}. Numbers, and the strings "nan", "inf", "-inf"; int64 is read exactly.
Tensor tensor_from(const Json& json);

/// A rank-1 tensor from a column of hexadecimal floats, or of [re, im] pairs of them.
Tensor column_from(const Json& column, DType dtype);

}  // namespace tenferro::oracle
