// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Types of derivative rules, so that families can supply rules without depending on differentiation.
// `linearize` maps tangents to tangents by linear operations; `transpose` is the adjoint of a linear operation under
// the inner product Re Σ conj(a)·b.
//
// Example:
//     constexpr AdRule nothing;                                // a row that cannot be differentiated
//     CHECK(nothing.linearize == nullptr && nothing.transpose == nullptr);

namespace tenferro {

class Builder;
class LinearizeContext;
class TransposeContext;

struct AdRule {
  void (*linearize)(Builder&, const LinearizeContext&) = nullptr;
  void (*transpose)(Builder&, const TransposeContext&) = nullptr;
};

}  // namespace tenferro
