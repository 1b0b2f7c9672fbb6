// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/placement.hpp"

#include "tenferro/base/text.hpp"

namespace tenferro {

std::string to_text(Placement placement) {
  constexpr const char* kDevices[] = {"host", "cuda", "webgpu", "other"};
  constexpr const char* kMemories[] = {"pageable", "pinned", "device", "managed"};
  const char* device = kDevices[static_cast<int>(placement.device)];
  const char* memory = kMemories[static_cast<int>(placement.memory)];
  std::string text = device;
  if (placement.device != DeviceKind::host || placement.ordinal != 0) text += concat(':', placement.ordinal);
  if (placement.memory != MemoryKind::pageable) text += concat(" (", memory, ')');
  if (placement.domain != 0) text += concat(" domain ", placement.domain);
  return text;
}

}  // namespace tenferro
