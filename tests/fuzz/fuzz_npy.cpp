// SPDX-License-Identifier: MIT OR Apache-2.0

// Any bytes are either refused as an npy file by a typed error, or are a tensor that survives writing and reading.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tenferro/io/npy.hpp"
#include "tenferro/tensor/compare.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto tensor = tenferro::attempt<tenferro::IoErrorInfo>([&] { return tenferro::read_npy(bytes); });
  if (!tensor) {
    require(!describe(tensor.error()).empty());
    return 0;
  }
  for (const bool row_major : {false, true}) {
    require(tenferro::same_bits(tenferro::read_npy(tenferro::npy_bytes(*tensor, {.row_major = row_major})), *tensor));
  }
  return 0;
}
