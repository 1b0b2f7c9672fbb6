// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Laid (tests/support/layouts.hpp) for a dtype known at run time.

#include <memory>

#include "tests/conformance/array.hpp"

namespace tenferro::testing {

/// An operand or output with storage of its own in a chosen layout.
class LaidArray {
 public:
  LaidArray(LayoutKind kind, const Array& values);
  LaidArray(const MemoryOrder& order, const Array& values);
  /// For outputs: every byte holds a pattern.
  LaidArray(LayoutKind kind, DType dtype, DimsView shape);
  LaidArray(const MemoryOrder& order, DType dtype, DimsView shape);
  /// Element (…, 0, …) of `values` for every index of the axis, by a zero stride.
  static LaidArray stretched(const Array& values, std::size_t axis);

  TensorRead read() const { return body_->read(); }
  TensorWrite write() { return body_->write(); }
  /// True if nothing outside the elements has been written.
  bool gaps_intact() const { return body_->gaps_intact(); }

  struct Body {
    virtual ~Body() = default;
    virtual TensorRead read() const = 0;
    virtual TensorWrite write() = 0;
    virtual bool gaps_intact() const = 0;
  };

 private:
  explicit LaidArray(std::unique_ptr<Body> body) : body_(std::move(body)) {}
  std::unique_ptr<Body> body_;
};

/// What `stretched` means, as plain values.
Array repeated(const Array& values, std::size_t axis);

}  // namespace tenferro::testing
