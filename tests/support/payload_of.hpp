// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The payload of the typed error that a call throws, for tests to match on.
//
//   EXPECT_EQ((payload_of<TensorErrorInfo, AxisOutOfRange>([&] { view.permuted({0, 7}); }).axis), 7);

#include <gtest/gtest.h>

#include "tenferro/base/error.hpp"

namespace tenferro::testing {

/// Payload of the TypedError<Info> that f throws; a default one, and a failure of the test, if it throws another
/// payload or nothing.
template <class Info, class Payload, class F>
Payload payload_of(F&& f) {
  const auto result = attempt<Info>([&] { (void)f(); });
  if (result) {
    ADD_FAILURE() << "no error was thrown";
    return {};
  }
  if (const auto* payload = std::get_if<Payload>(&result.error())) return *payload;
  ADD_FAILURE() << "another error was thrown: " << describe(result.error());
  return {};
}

}  // namespace tenferro::testing
