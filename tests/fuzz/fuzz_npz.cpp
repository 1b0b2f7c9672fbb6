// SPDX-License-Identifier: MIT OR Apache-2.0

// Any bytes are either refused as an archive by a typed error, or every entry is a tensor or refused by one.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tenferro/io/npz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  const auto result = tenferro::attempt<tenferro::IoErrorInfo>([&] {
    const tenferro::NpzFile file(std::vector<std::byte>(begin, begin + size));
    for (const std::string& name : file.names()) {
      const auto entry = tenferro::attempt<tenferro::IoErrorInfo>([&] { return file.read(name); });
      if (!entry && describe(entry.error()).empty()) std::abort();
    }
  });
  if (!result && describe(result.error()).empty()) std::abort();
  return 0;
}
