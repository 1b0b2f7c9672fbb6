// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/element_loop.hpp"

#include <map>
#include <mutex>
#include <string_view>

#include "tenferro/cpu/simd.hpp"

namespace tenferro::internal {

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
  }
  loops_in_use.store(&at->second, std::memory_order_release);
  return at->second;
}

}  // namespace detail
}  // namespace tenferro::internal
