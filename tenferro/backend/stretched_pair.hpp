// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Two operands stretched to their common shape by zero strides, in one walk over the axes and without an allocation; a
// single element stretches without the walk.
//
// Example (tenferro/tensor/tensor.hpp):
//     Tensor a = Tensor::zeros<double>(4, 3), b = Tensor::zeros<double>(3), c = Tensor::zeros<double>(4);
//     const StretchedPair pair(a, b);
//     CHECK(pair && pair.shape().size() == 2 && pair.operands()[1].strides[0] == 0);
//     CHECK(!StretchedPair(a, c));

#include <array>

#include "tenferro/tensor/borrowed.hpp"

namespace tenferro {

/// False where the shapes do not go together by NumPy's rule. Borrows from the operands and from itself.
class StretchedPair {
 public:
  StretchedPair(const TensorRead& a, const TensorRead& b) noexcept;
  StretchedPair(const StretchedPair&) = delete;
  StretchedPair& operator=(const StretchedPair&) = delete;

  explicit operator bool() const noexcept { return fits_; }
  std::span<const TensorRead> operands() const noexcept { return operands_; }
  DimsView shape() const noexcept { return operands_[0].shape(); }

 private:
  void walk() noexcept;

  std::array<TensorRead, 2> operands_;
  bool fits_ = false;
  // Only as many entries as there are axes are ever written or read.
  std::int64_t shape_[kMaxRank];
  std::int64_t strides_[2][kMaxRank];
};

}  // namespace tenferro
