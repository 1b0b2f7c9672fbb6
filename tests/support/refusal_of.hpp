// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Why an operation was refused.
//
//   EXPECT_EQ((refusal_of<AxisOutOfRange>([&] { reduce_sum(session, x, {7}); }).axis), 7);

#include "tenferro/ops/error.hpp"
#include "tests/support/payload_of.hpp"

namespace tenferro::testing {

/// The payload of the OpError that `f` throws; see payload_of.
template <class Payload, class F>
Payload refusal_of(F&& f) {
  return payload_of<OpErrorInfo, Payload>(f);
}

}  // namespace tenferro::testing
