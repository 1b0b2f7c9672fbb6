// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/path.hpp"

#include <algorithm>

namespace tenferro {

std::vector<std::array<std::int64_t, 2>> ContractionPath::positions() const {
  std::vector<std::array<std::int64_t, 2>> pairs;
  pairs.reserve(steps.size());
  std::vector<std::int32_t> alive(steps.size() + 1);
  std::int32_t next = 0;
  for (std::int32_t& tensor : alive) tensor = next++;
  const auto take = [&](std::int32_t tensor) { return std::find(alive.begin(), alive.end(), tensor); };
  for (const std::array<std::int32_t, 2>& step : steps) {
    const auto first = take(step[0]);
    const auto second = take(step[1]);
    pairs.push_back({first - alive.begin(), second - alive.begin()});
    alive.erase(std::max(first, second));
    alive.erase(std::min(first, second));
    alive.push_back(next++);
  }
  return pairs;
}

std::vector<std::array<std::int32_t, 2>> path_from_positions(std::int64_t operands,
                                                             std::span<const std::array<std::int64_t, 2>> pairs) {
  std::vector<std::array<std::int32_t, 2>> steps;
  std::vector<std::int32_t> alive(static_cast<std::size_t>(operands));
  std::int32_t next = 0;
  for (std::int32_t& tensor : alive) tensor = next++;
  for (const auto& [first, second] : pairs) {
    const std::int64_t count = static_cast<std::int64_t>(alive.size());
    const bool fits = first >= 0 && second >= 0 && first < count && second < count && first != second;
    if (!fits) raise<NotationErrorInfo>(BadPath{static_cast<std::int64_t>(steps.size()), first, second, count});
    steps.push_back({alive[static_cast<std::size_t>(first)], alive[static_cast<std::size_t>(second)]});
    alive.erase(alive.begin() + std::max(first, second));
    alive.erase(alive.begin() + std::min(first, second));
    alive.push_back(next++);
  }
  if (alive.size() != 1) {
    raise<NotationErrorInfo>(
        BadPath{static_cast<std::int64_t>(steps.size()), -1, -1, static_cast<std::int64_t>(alive.size())});
  }
  return steps;
}

}  // namespace tenferro
