// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The inner loops of the packed matrix product, compiled for every set of vector instructions: panels are packed from
// any layout, and a block of packed panels is multiplied into any layout. Every element of the result is one chain of
// fused multiply-adds over k in order, whatever the layout, the tile or the set (sets without such an instruction round
// the product too), so that only the length of a block of k decides the bits.
//
//   const PanelKernels<double>& kernels = panel_kernels<double>();
//   kernels.pack({a, rows, depth, false}, m, k, kernels.rows, packed_a);
//   kernels.multiply({packed_a, packed_b, m, n, k}, {c, c_rows, c_cols}, {1.0, 0.0});

#include <cstdint>

#include "tenferro/cpu/kernels/gemm_types.hpp"

namespace tenferro::internal {

/// The lanes of a panel: rows of the left operand or columns of the right one. The last panel of a block may be
/// narrower, a multiple of `unit`; lanes that it has beyond the matrix are zero.
struct PanelWidth {
  std::int64_t most, unit;

  /// Lanes that the panel takes which begins with `left` lanes to go.
  constexpr std::int64_t of(std::int64_t left) const noexcept {
    return left >= most ? most : (left + unit - 1) / unit * unit;
  }
};

/// A matrix to pack: element (lane, p) stands at data[lanes[lane] + depth[p]].
template <class T>
struct PanelSource {
  const T* data;
  const std::int64_t* lanes;
  const std::int64_t* depth;
  bool conj;
};

/// A block of a product: m rows, n columns, k terms. Each operand is packed or, if its elements are real numbers, read
/// where it lies: rows in whole units, those of a panel neighbours from a[a_rows[i]] on, a_step further for each term;
/// columns in whole panels, column j straight from b[b_cols[j]] on. Products of complex numbers are added in the order
/// of b·a if the operands are exchanged.
template <class T>
struct PanelBlock {
  const T* a;
  const T* b;
  std::int64_t m, n, k;
  const std::int64_t* a_rows = nullptr;
  std::int64_t a_step = 0;
  const std::int64_t* b_cols = nullptr;
  bool exchanged = false;
};

/// Where a block goes: element (i, j) stands at data[rows[i] + cols[j]].
template <class T>
struct PanelTarget {
  T* data;
  const std::int64_t* rows;
  const std::int64_t* cols;
};

/// Most rows of a block.
inline constexpr std::int64_t kPanelBlockRows = 2048;

/// The loops for T. Neither throws.
template <class T>
struct PanelKernels {
  /// The panels of the left and of the right operand: the register tile.
  PanelWidth rows, cols;

  /// Packs `lanes` lanes of k elements in panels into `to`, which is aligned to 64 bytes and has room for k elements of
  /// the lanes rounded up to a unit. Complex panels hold real and imaginary parts apart.
  void (*pack)(const PanelSource<T>& from, std::int64_t lanes, std::int64_t k, PanelWidth width, T* to);

  /// target = alpha·a·b + beta·target for at most kPanelBlockRows rows; with beta = 0 the old values are not read.
  void (*multiply)(const PanelBlock<T>& block, const PanelTarget<T>& target, Blend<T> blend);
};

/// Those for the set of vector instructions in use.
template <class T>
const PanelKernels<T>& panel_kernels();

/// Blends a register tile that cannot be stored by vectors: `parts` is column-major with `width` rows a column, its
/// real and imaginary parts in alternate columns if T is complex.
template <class T, class Part>
void blend_tile(const Part* parts, std::int64_t width, std::int64_t rows, std::int64_t cols,
                const PanelTarget<T>& target, Blend<T> blend);

}  // namespace tenferro::internal
