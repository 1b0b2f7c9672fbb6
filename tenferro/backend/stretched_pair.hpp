// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Two operands stretched to their common shape by zero strides, without an allocation for usual ranks.
//
//   if (const StretchedPair pair(a, b); pair) run(pair.operands());

#include <array>

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

/// False where the shapes do not go together by NumPy's rule. Borrows from the operands and from itself.
class StretchedPair {
 public:
  StretchedPair(const TensorRead& a, const TensorRead& b);
  StretchedPair(const StretchedPair&) = delete;
  StretchedPair& operator=(const StretchedPair&) = delete;

  explicit operator bool() const noexcept { return fits_; }
  std::span<const TensorRead> operands() const noexcept { return operands_; }

 private:
  static void stretch(TensorRead& x, Dims& strides, const Shape& shape);

  std::array<TensorRead, 2> operands_;
  Shape shape_;
  Dims strides_[2];
  bool fits_ = false;
};

}  // namespace tenferro
