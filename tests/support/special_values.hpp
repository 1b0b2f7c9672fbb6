// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Short names of extreme values.

#include <cstdint>
#include <limits>

namespace tenferro::testing {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::int64_t kInt64Min = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kInt64Max = std::numeric_limits<std::int64_t>::max();

}  // namespace tenferro::testing
