// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The payload of the TensorError that a call throws, for tests to match on.
//
//   EXPECT_EQ(error_of<AxisOutOfRange>([&] { view.permuted({0, 7}); }).axis, 7);

#include "tenferro/tensor/error.hpp"
#include "tests/support/payload_of.hpp"

namespace tenferro {

/// Payload of the TensorError that f throws; see payload_of.
template <class Payload, class F>
Payload error_of(F&& f) {
  return testing::payload_of<TensorErrorInfo, Payload>(f);
}

}  // namespace tenferro
