// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/gemm_small.hpp"

#include <algorithm>
#include <utility>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/gemm_tiles.hpp"

namespace tenferro::internal {
namespace {

// Rows and columns of a panel that goes through the stack: whole numbers of every set's register tiles.
template <class T>
inline constexpr std::int64_t kPanelRows = 192 / static_cast<std::int64_t>(sizeof(T));
inline constexpr std::int64_t kPanelCols = 32;

// Whether sums may go to c chain by chain: nothing is scaled, and what was there before comes last.
template <class T>
bool adds_plainly(std::int64_t k, Blend<T> blend) noexcept {
  return blend.alpha == T(1) && (blend.beta == T(0) || (blend.beta == T(1) && k <= kSmallChunk));
}

template <class T>
void copy_columns(std::int64_t rows, std::int64_t cols, const StridedMatrix<const T>& from, T* to) {
  for (std::int64_t j = 0; j < cols; ++j) {
    const T* column = from.at(0, j);
    for (std::int64_t i = 0; i < rows; ++i) to[i + j * kPanelRows<T>] = column[i * from.row];
  }
}

// Rows of a that are not neighbours are copied a panel at a time, and sums go through the stack where c or the factors
// ask for it.
template <class T>
void multiply_panels(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                     const StridedMatrix<const T>& b, const StridedMatrix<T>& c, Blend<T> blend) noexcept {
  const bool direct = c.row == 1 && adds_plainly(k, blend);
  if (direct && a.row == 1) {
    for (std::int64_t p = 0; p < k; p += kSmallChunk) {
      multiply_plain<T>(m, n, std::min(kSmallChunk, k - p), {a.at(0, p), 1, a.col, a.conj},
                        {b.at(p, 0), b.row, b.col, b.conj}, c, p > 0 || blend.beta == T(1));
    }
    return;
  }
  alignas(64) T panel[kPanelRows<T> * kSmallChunk];
  alignas(64) T sums[kPanelRows<T> * kPanelCols];
  for (std::int64_t i = 0; i < m; i += kPanelRows<T>) {
    const std::int64_t rows = std::min(kPanelRows<T>, m - i);
    for (std::int64_t j = 0; j < n;) {
      const std::int64_t cols = direct && k <= kSmallChunk ? n : std::min(kPanelCols, n - j);
      const StridedMatrix<T> target =
          direct ? StridedMatrix<T>{c.at(i, j), 1, c.col} : StridedMatrix<T>{sums, 1, kPanelRows<T>};
      for (std::int64_t p = 0; p < k; p += kSmallChunk) {
        const std::int64_t terms = std::min(kSmallChunk, k - p);
        StridedMatrix<const T> left{a.at(i, p), 1, a.col, a.conj};
        if (a.row != 1) {
          if (j == 0 || k > kSmallChunk) copy_columns<T>(rows, terms, {a.at(i, p), a.row, a.col}, panel);
          left = {panel, 1, kPanelRows<T>, a.conj};
        }
        const bool add = p > 0 || (direct && blend.beta == T(1));
        multiply_plain<T>(rows, cols, terms, left, {b.at(p, j), b.row, b.col, b.conj}, target, add);
      }
      if (!direct) {
        for (std::int64_t v = 0; v < cols; ++v) {
          for (std::int64_t u = 0; u < rows; ++u) blend(c.at(i + u, j + v), sums[u + v * kPanelRows<T>]);
        }
      }
      j += cols;
    }
  }
}

template <class T>
StridedMatrix<T> turned(const StridedMatrix<T>& x) noexcept {
  return {x.data, x.col, x.row, x.conj};
}

}  // namespace

template <class T>
void multiply_by_panels(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                        const StridedMatrix<const T>& b, const StridedMatrix<T>& c, Blend<T> blend) noexcept {
  // c = a·b is cᵀ = bᵀ·aᵀ: no sum changes.
  if (c.row != 1 && c.col == 1) return gemm_small<T>(n, m, k, turned(b), turned(a), turned(c), blend);
  multiply_panels<T>(m, n, k, a, b, c, blend);
}

template <class T>
BatchCopies batch_copies(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                         const StridedMatrix<const T>& b) noexcept {
  // As many lines as leave the copies in the second cache.
  constexpr std::int64_t kLineBytes = 64, kFarBytes = calibration::kFarItemsBytes,
                         kMostBytes = calibration::kCopiedBytes;
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  if (std::max(a.row, b.row) < kFarBytes / kSize || std::max(m, n) > kMostBytes / kLineBytes) return {};
  const std::int64_t terms = std::min(kSmallChunk, k), elements = m * terms + terms * n + 1;
  BatchCopies copies{0, calibration::kCopiedRunBytes};
  while (copies.run > kLineBytes && elements * copies.run > calibration::kNearCopiesBytes) copies.run /= 2;
  copies.bytes = elements * copies.run;
  return copies.bytes <= kMostBytes ? copies : BatchCopies{};
}

template <class T>
void gemm_batched(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                  const StridedMatrix<const T>& b, const StridedMatrix<T>& c, Blend<T> blend, const TileBatch& steps,
                  const BatchCopies& copies, std::byte* space) noexcept {
  constexpr std::int64_t kLanes = is_complex(dtype_of<T>) ? 2 : 1;
  if (is_plain(k, a, c, blend)) {
    const TileBatch in_lanes{steps.count, kLanes * steps.a_step, kLanes * steps.b_step, kLanes * steps.c_step};
    return multiply_plain(m, n, k, a, b, c, blend.beta != T(0), &in_lanes);
  }
  using Lane = typename LaneOf<T>::type;
  const bool neighbours = steps.count > 1 && steps.a_step == 1 && steps.b_step == 1 && steps.c_step == 1;
  if (neighbours && adds_plainly(k, blend)) {
    for (std::int64_t p = 0; p < k; p += kSmallChunk) {
      multiply_lanes<T>({.a = lanes_of(a.at(0, p)),
                         .b = lanes_of(b.at(p, 0)),
                         .c = lanes_of(c.data),
                         .m = m,
                         .n = n,
                         .k = std::min(kSmallChunk, k - p),
                         .a_row = kLanes * a.row,
                         .a_col = kLanes * a.col,
                         .b_row = kLanes * b.row,
                         .b_col = kLanes * b.col,
                         .c_row = kLanes * c.row,
                         .c_col = kLanes * c.col,
                         .lanes = kLanes * steps.count,
                         .space = reinterpret_cast<Lane*>(space),
                         .run = copies.run / static_cast<std::int64_t>(sizeof(Lane)),
                         .add = p > 0 || blend.beta == T(1),
                         .conj_a = a.conj,
                         .conj_b = b.conj});
    }
    return;
  }
  for (std::int64_t item = 0; item < steps.count; ++item) {
    gemm_small<T>(m, n, k, {a.data + item * steps.a_step, a.row, a.col, a.conj},
                  {b.data + item * steps.b_step, b.row, b.col, b.conj}, {c.data + item * steps.c_step, c.row, c.col},
                  blend);
  }
}

#define TENFERRO_NOTHING
TENFERRO_GEMM_SMALL(TENFERRO_NOTHING, float)
TENFERRO_GEMM_SMALL(TENFERRO_NOTHING, double)
TENFERRO_GEMM_SMALL(TENFERRO_NOTHING, std::complex<float>)
TENFERRO_GEMM_SMALL(TENFERRO_NOTHING, std::complex<double>)
TENFERRO_GEMM_SMALL(TENFERRO_NOTHING, std::int32_t)
TENFERRO_GEMM_SMALL(TENFERRO_NOTHING, std::int64_t)

}  // namespace tenferro::internal
