// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Where a tensor's memory is. Nothing moves between placements silently.
//
// Example:
//     Placement here, there{DeviceKind::cuda, MemoryKind::device, 1};
//     CHECK(host_accessible(here) && !host_accessible(there) && !(here == there));
//     CHECK(to_text(here) == "host" && to_text(there) == "cuda:1 (device)");

#include <bit>
#include <cstdint>
#include <string>

namespace tenferro {

enum class DeviceKind : std::uint8_t { host, cuda, webgpu, other };
enum class MemoryKind : std::uint8_t { pageable, pinned, device, managed };

/// Device, kind of memory and allocation domain; the default is ordinary host memory.
struct Placement {
  DeviceKind device = DeviceKind::host;
  MemoryKind memory = MemoryKind::pageable;
  std::uint16_t ordinal = 0;  ///< which device of its kind
  std::uint32_t domain = 0;   ///< allocation domain inside the device, e.g. a NUMA node or a context

  /// One comparison of all eight bytes: every operand of every operation is compared.
  friend bool operator==(const Placement& a, const Placement& b) noexcept {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }
};

/// True if the host may read and write the memory directly.
constexpr bool host_accessible(Placement p) noexcept {
  return p.device == DeviceKind::host || p.memory == MemoryKind::managed || p.memory == MemoryKind::pinned;
}

/// "host", "cuda:1 (pinned)".
std::string to_text(Placement placement);

}  // namespace tenferro
