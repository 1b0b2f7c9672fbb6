// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Reductions over a fixed tree. Which elements are combined with which depends on the logical shape and the dtype
// alone:
//
//   - the reduced axes are split into groups (next_group), reduced one after the other;
//   - the elements of a group, in column-major order, make blocks of kRows rows of kLanes elements; a block is combined
//     row by row, lane by lane, then its lanes are folded by halves;
//   - blocks are combined in pairs, pairs in pairs, and so on.
//
// So the error of a sum grows with the logarithm of its length (Higham, "Accuracy and Stability of Numerical
// Algorithms", 4.2), and every memory layout, number of threads and set of vector instructions gives the same bits.
// There are three ways to walk the tree: along elements that lie side by side, across rows, and through copies of
// blocks (reduce_driver.cpp).
//
// Operations whose bits no order changes (extrema by IEEE 754-2019, integers, any and all) follow the memory instead.

#include <cstdint>

namespace tenferro::internal {

/// A row of a block is 64 bytes of results: one wide vector register.
template <class Acc>
inline constexpr std::int64_t kLanes = 64 / static_cast<std::int64_t>(sizeof(Acc));
inline constexpr std::int64_t kRows = 16;
template <class Acc>
inline constexpr std::int64_t kBlock = kRows * kLanes<Acc>;
inline constexpr std::int64_t kBlockBytes = 64 * kRows;

}  // namespace tenferro::internal
