// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/element_loop.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>

#include "tenferro/cpu/kernels/move_tiles.hpp"
#include "tenferro/cpu/simd.hpp"

namespace tenferro::internal {
// Blocks that stay in the first cache. One value becomes a block of equal elements, which the loop reads again and
// again; what goes past the caches is computed in a block of whole lines first.
void Strip::compute_where(ElementLoop loop, const std::uint8_t* where) const {
  for (std::int64_t i = 0; i < count; ++i) {
    if (where[i] == 0) continue;
    std::array<const std::byte*, 3> at{};
    for (std::size_t k = 0; k < in.size(); ++k) at[k] = in[k] + i * width[k];
    loop(out + i * out_width, at[0], at[1], at[2], 1);
  }
}

void Strip::compute_blocks(ElementLoop loop) const {
  constexpr std::int64_t kBlock = 512, kStreamedBytes = 2048, kLine = 64;
  alignas(kLine) std::byte repeated[3][kBlock * 16];
  alignas(kLine) std::byte computed[kStreamedBytes];
  const std::int64_t block = streamed ? std::min(kBlock, kStreamedBytes / out_width) : kBlock;
  Strip part = *this;
  std::array<std::int64_t, 3> step = width;
  for (std::size_t k = 0; k < in.size(); ++k) {
    if ((stretched >> k & 1) == 0) continue;
    repeat_value(repeated[k], in[k], width[k], std::min(count, block));
    part.in[k] = repeated[k];
    step[k] = 0;
  }
  const auto into_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % kLine);
  std::int64_t n = streamed && into_line != 0 ? block - into_line / out_width : block;
  for (; part.count > 0; n = block) {
    n = std::min(n, part.count);
    loop(streamed ? computed : part.out, part.in[0], part.in[1], part.in[2], n);
    if (streamed) stream_bytes(part.out, computed, n * out_width);
    part.count -= n;
    part.out += out_width * n;
    for (std::size_t k = 0; k < in.size(); ++k) part.in[k] += step[k] * n;
  }
}

const ElementLoops& scalar_loops() {
  static const ElementLoops loops = [] {
    ElementLoops made;
    add_unary_loops(made);
    add_binary_loops(made);
    add_ternary_loops(made);
    add_convert_loops(made);
    return made;
  }();
  return loops;
}

namespace detail {

constinit std::atomic<const ElementLoops*> loops_in_use{nullptr};

// Tables are kept for the life of the process: somebody may still hold one of a set that was in use before.
const ElementLoops& choose_element_loops() {
  static std::mutex mutex;
  static auto& made = *new std::map<std::string_view, ElementLoops>;
  const std::lock_guard lock(mutex);
  const auto [at, fresh] = made.try_emplace(simd_target(), scalar_loops());
  if (fresh) {
    add_vector_arithmetic(at->second);
    add_vector_predicates(at->second);
    add_vector_functions(at->second);
    add_vector_casts(at->second);
    add_vector_complex(at->second);
    add_vector_complex_functions(at->second);
  }
  loops_in_use.store(&at->second, std::memory_order_release);
  return at->second;
}

}  // namespace detail
}  // namespace tenferro::internal
