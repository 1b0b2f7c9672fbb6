// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Numbers as operands: `mul(e, x, 2.0)`. A session on the host reads the number where it lies; every other emitter gets
// a constant.

#include <cstddef>
#include <memory>
#include <optional>

#include "tenferro/ops/emitter.hpp"

namespace tenferro::internal {

/// The number in the dtype of the tensor that it meets. A float may round to a narrower float; what would lose more (a
/// fraction, an imaginary part, a value out of range) throws OpError (UnsupportedConversion).
Scalar weak_scalar(std::string_view op, const Scalar& number, DType to);

/// Writes the element's bytes; `to` has room for 16.
void store_scalar(const Scalar& number, std::byte* to) noexcept;

/// Rank 0, shared.
ConstantAttrs constant_of(const Scalar& number);

/// Where results of this emitter lie; the host if it does not say.
template <Emitter E>
Placement placement_of(E& e) {
  if constexpr (requires { e.placement(); }) {
    return e.placement();
  } else {
    return {};
  }
}

/// Holds a number as long as its operand is used.
template <Emitter E>
class ScalarOperand {
 public:
  using Operand = typename E::Operand;

  ScalarOperand(E& e, const Scalar& number) {
    if constexpr (ConcreteEmitter<E>) {
      const Placement placement = placement_of(e);
      if (placement.device == DeviceKind::host) {
        store_scalar(number, bytes_);
        operand_.emplace();
        operand_->data = bytes_;
        operand_->dtype = number.dtype();
        operand_->placement = placement;
        return;
      }
    }
    constant_ = bind1(e, Op(OpKind::constant, constant_of(number)));
    operand_.emplace(*constant_);
  }
  ScalarOperand(const ScalarOperand&) = delete;
  ScalarOperand& operator=(const ScalarOperand&) = delete;

  const Operand& operand() const noexcept { return *operand_; }

 private:
  alignas(16) std::byte bytes_[16];
  std::optional<Value<E>> constant_;
  std::optional<Operand> operand_;
};

}  // namespace tenferro::internal
