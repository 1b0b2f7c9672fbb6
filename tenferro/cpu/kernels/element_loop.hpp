// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The innermost loops of element-by-element rows, without their types: a loop computes a strip of elements that lie
// one after another. What knows about shapes, strides and threads (element_runner.hpp) knows nothing of formulas, and a
// loop may be called on any block of memory.
//
//   const ElementLoop add = element_loops().row(OpKind::add, DType::f64);
//   add(out, a, b, nullptr, 1000);                           // out[i] = a[i] + b[i] for i < 1000

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tenferro/ops/op_kind.hpp"
#include "tenferro/tensor/dtype.hpp"

namespace tenferro::internal {

/// Computes `count` elements of an output from up to three inputs, each one after another; the storage of an input is
/// that of the output or disjoint from it. An element's bits depend on the values of its operands alone, not on its
/// place or neighbours.
using ElementLoop = void (*)(std::byte* out, const std::byte* in0, const std::byte* in1, const std::byte* in2,
                             std::int64_t count);

/// n elements of `width` bytes (1, 4, 8 or 16), all equal to the one at `value`, where there is room for whole lines of
/// 64 bytes.
inline void repeat_value(std::byte* to, const std::byte* value, std::int64_t width, std::int64_t n) noexcept {
  std::uint64_t pattern[2];
  if (width == 16) {
    std::memcpy(pattern, value, 16);
  } else if (width == 8) {
    std::memcpy(pattern, value, 8);
    pattern[1] = pattern[0];
  } else if (width == 4) {
    std::uint32_t word;
    std::memcpy(&word, value, 4);
    pattern[0] = pattern[1] = word * 0x1'0000'0001ULL;
  } else {
    pattern[0] = pattern[1] = std::to_integer<std::uint64_t>(*value) * 0x0101'0101'0101'0101ULL;
  }
  for (const std::byte* const end = to + n * width; to < end; to += 64) {
    for (int part = 0; part < 64; part += 16) std::memcpy(to + part, pattern, 16);
  }
}

/// Elements one after another, of which some inputs may be one value that all elements share.
struct Strip {
  std::byte* out;
  std::array<const std::byte*, 3> in;
  std::int64_t count;
  std::uint32_t stretched = 0;  ///< bit k: input k is one value
  /// Bytes of an element of the output and of the inputs; only needed where something is stretched or streamed.
  std::int64_t out_width = 0;
  std::array<std::int64_t, 3> width{};
  bool streamed = false;  ///< the output goes past the caches; finish_streaming of move_tiles.hpp must follow

  void compute(ElementLoop loop) const {
    stretched == 0 && !streamed ? loop(out, in[0], in[1], in[2], count) : compute_blocks(loop);
  }
  /// The elements whose byte in `where` is not 0, one at a time; all widths are needed, and nothing is stretched.
  void compute_where(ElementLoop loop, const std::uint8_t* where) const;

 private:
  void compute_blocks(ElementLoop loop) const;
};

/// A loop for every elementwise row and dtype of its data operand, and for every pair of dtypes of a conversion.
class ElementLoops {
 public:
  ElementLoop row(OpKind kind, DType d) const noexcept { return rows_[index(kind)][index(d)]; }
  ElementLoop cast(DType to, DType from) const noexcept { return casts_[index(to)][index(from)]; }
  void set_row(OpKind kind, DType d, ElementLoop loop) noexcept { rows_[index(kind)][index(d)] = loop; }
  void set_cast(DType to, DType from, ElementLoop loop) noexcept { casts_[index(to)][index(from)] = loop; }

 private:
  std::array<std::array<ElementLoop, 8>, kOpCount> rows_{};  // eight: found by a shift
  std::array<std::array<ElementLoop, kDTypeCount>, kDTypeCount> casts_{};
};

/// Loops over the formulas of the catalog, one element at a time: the meaning of every other loop.
const ElementLoops& scalar_loops();

/// The loops of the set of vector instructions `simd_target()`: vector loops where there are some, else scalar ones.
inline const ElementLoops& element_loops();

namespace detail {
extern constinit std::atomic<const ElementLoops*> loops_in_use;
const ElementLoops& choose_element_loops();
}  // namespace detail

/// The same, or null where nobody has asked for them yet.
inline const ElementLoops* element_loops_if_chosen() noexcept {
  return detail::loops_in_use.load(std::memory_order_acquire);
}

inline const ElementLoops& element_loops() {
  const ElementLoops* loops = element_loops_if_chosen();
  return loops != nullptr ? *loops : detail::choose_element_loops();
}

/// To be called when the set of vector instructions has changed.
inline void forget_element_loops() noexcept { detail::loops_in_use.store(nullptr, std::memory_order_release); }

/// Each adds the loops of one source file to the table, in place of what is there.
void add_unary_loops(ElementLoops& loops);
void add_binary_loops(ElementLoops& loops);
void add_ternary_loops(ElementLoops& loops);
void add_convert_loops(ElementLoops& loops);
void add_vector_arithmetic(ElementLoops& loops);
void add_vector_predicates(ElementLoops& loops);
void add_vector_functions(ElementLoops& loops);
void add_vector_casts(ElementLoops& loops);
void add_vector_complex(ElementLoops& loops);
void add_vector_complex_functions(ElementLoops& loops);

}  // namespace tenferro::internal
