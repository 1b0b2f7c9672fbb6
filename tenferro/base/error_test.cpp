// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/base/error.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tenferro {
namespace {

struct Small {
  int got;
};
struct Wide {
  int expected;
};
std::string describe(const Small& e) { return "test: too small (got " + std::to_string(e.got) + ")"; }
std::string describe(const Wide&) { return "test: too wide"; }
using Info = std::variant<Small, Wide>;

TEST(Error, CarriesMessageAndPayload) {
  try {
    raise<Info>(Small{3});
  } catch (const TypedError<Info>& error) {
    EXPECT_STREQ(error.what(), "test: too small (got 3)");
    EXPECT_EQ(std::get<Small>(error.info()).got, 3);
  }
}

TEST(Error, AttemptTurnsThrownPayloadIntoValue) {
  const auto failed = attempt<Info>([]() -> int { raise<Info>(Wide{5}); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(std::get<Wide>(failed.error()).expected, 5);
  EXPECT_EQ(attempt<Info>([] { return 7; }).value(), 7);
}

TEST(Error, AttemptLetsForeignExceptionsPass) {
  EXPECT_THROW((void)attempt<Info>([]() -> int { throw std::runtime_error("other"); }), std::runtime_error);
}

TEST(Error, ValueOrThrowIsTheInverseOfAttempt) {
  tl::expected<int, Info> bad = tl::unexpected<Info>(Small{1});
  EXPECT_THROW(value_or_throw(bad), TypedError<Info>);
  EXPECT_EQ(value_or_throw(tl::expected<int, Info>(4)), 4);
}

}  // namespace
}  // namespace tenferro
