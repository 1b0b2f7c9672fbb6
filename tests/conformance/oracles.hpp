// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Answers of the operations with a payload, by plain loops over index tuples. They read the payload of the operation
// and assume a legal call.

#include <vector>

#include "tenferro/ops/op.hpp"
#include "tests/conformance/array.hpp"

namespace tenferro::testing {

using Arrays = std::vector<Array>;

Arrays reduced(const Op& op, const Arrays& in);
Arrays arg_reduced(const Op& op, const Arrays& in);
Arrays scanned(const Op& op, const Arrays& in);
Arrays sorted(const Op& op, const Arrays& in);  ///< sort, argsort, top_k
Arrays contracted(const Op& op, const Arrays& in);
Arrays transposed(const Op& op, const Arrays& in);
Arrays reshaped(const Op& op, const Arrays& in);
Arrays broadcast(const Op& op, const Arrays& in);
Arrays diagonal_extracted(const Op& op, const Arrays& in);
Arrays diagonal_embedded(const Op& op, const Arrays& in);
Arrays triangle(const Op& op, const Arrays& in);  ///< tril, triu
Arrays backwards(const Op& op, const Arrays& in);
Arrays joined(const Op& op, const Arrays& in);
Arrays padded(const Op& op, const Arrays& in);
Arrays sliced(const Op& op, const Arrays& in);
Arrays converted(const Op& op, const Arrays& in);
Arrays gathered(const Op& op, const Arrays& in);  ///< also with dynamic slice sizes
Arrays scattered(const Op& op, const Arrays& in);
Arrays sliced_at(const Op& op, const Arrays& in);
Arrays updated_at(const Op& op, const Arrays& in);
Arrays shape_of(const Op& op, const Arrays& in);
Arrays truncated(const Op& op, const Arrays& in);
Arrays padded_to_match(const Op& op, const Arrays& in);
Arrays created(const Op& op, const Arrays& in);
Arrays philox_bits(const Op& op, const Arrays& in);

/// One cell cast to a dtype: toward zero and saturating, NaN to 0, imaginary part dropped, bool as "not zero".
Cell cast_cell(const Cell& cell, DType from, DType to);

Real inverse_erf(Real x);
/// For x > 0.
Real digamma(Real x);

}  // namespace tenferro::testing
