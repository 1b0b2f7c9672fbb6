// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The payload of the TensorError that a call throws, for tests to match on.
//
//   EXPECT_EQ(error_of<AxisOutOfRange>([&] { view.permuted({0, 7}); }).axis, 7);

#include <gtest/gtest.h>

#include "tenferro/tensor/error.hpp"

namespace tenferro {

/// Payload of the error that f throws; a default one after a failure of the test if it throws another or none.
template <class Payload, class F>
Payload error_of(F&& f) {
  const auto result = attempt<TensorErrorInfo>([&] { (void)f(); });
  if (result) {
    ADD_FAILURE() << "no error was thrown";
    return {};
  }
  if (!std::holds_alternative<Payload>(result.error())) {
    ADD_FAILURE() << "another error was thrown: " << describe(result.error());
    return {};
  }
  return std::get<Payload>(result.error());
}

}  // namespace tenferro
