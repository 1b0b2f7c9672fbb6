// SPDX-License-Identifier: MIT OR Apache-2.0

// Any text is either refused as an instance by a typed error, or is one whose parts agree with each other.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tenferro/io/instance.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void require_order(const std::optional<tenferro::InstancePath>& path, std::size_t operands) {
  if (!path) return;
  require(path->pairs.size() + 1 == operands);
  for (const auto& [a, b] : path->pairs) {
    require(a != b && a >= 0 && b >= 0 && static_cast<std::size_t>(std::max(a, b)) < operands--);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto instance = tenferro::attempt<tenferro::IoErrorInfo>([&] { return tenferro::parse_instance(text); });
  if (!instance) {
    require(!describe(instance.error()).empty());
    return 0;
  }
  for (const tenferro::Shape& shape : instance->shapes) require(tenferro::element_count(shape).has_value());
  require_order(instance->opt_flops, instance->shapes.size());
  require_order(instance->opt_size, instance->shapes.size());
  return 0;
}
