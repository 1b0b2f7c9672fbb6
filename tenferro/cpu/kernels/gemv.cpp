// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/gemv.hpp"

#include <algorithm>
#include <cassert>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/gemv_loops.hpp"

namespace tenferro::internal {
namespace {

template <class T>
inline constexpr std::int64_t kParts = is_complex(dtype_of<T>) ? 2 : 1;

// The terms of a vector side by side: as they lie, or in `copy`.
template <class T>
const T* straight(std::int64_t k, const StridedVector<const T>& x, T* copy) noexcept {
  if (x.step == 1 || k == 1) return x.data;
  for (std::int64_t p = 0; p < k; ++p) copy[p] = x.data[p * x.step];
  return copy;
}

template <class T>
GemvCall<typename LaneOf<T>::type> call_for(std::int64_t rows, std::int64_t k, const T* a, std::int64_t step,
                                            const T* x, std::int64_t x_step, T* sums, bool conj_a,
                                            bool conj_x) noexcept {
  return {lanes_of(a), lanes_of(x), lanes_of(sums), rows, k, kParts<T> * step, kParts<T> * x_step, conj_a, conj_x};
}

// Loops want the terms of vectors and of rows side by side. Only here is room for copies on the stack.
template <class T>
[[gnu::noinline]] void chunk_from_copies(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a,
                                         const StridedVector<const T>& x, T* sums) noexcept {
  T x_copy[kGemvChunk<T>], row_copy[kGemvChunk<T>];
  const T* const factors = straight(k, x, x_copy);
  if (a.col == 1) return gemv_by_rows<T>(call_for<T>(rows, k, a.data, a.row, factors, 1, sums, a.conj, x.conj));
  for (std::int64_t i = 0; i < rows; ++i) {
    const T* const row = straight<T>(k, {a.at(i, 0), a.col}, row_copy);
    gemv_by_rows<T>(call_for<T>(1, k, row, 0, factors, 1, sums + i, a.conj, x.conj));
  }
}

template <class T>
[[gnu::noinline]] T dot_from_copies(std::int64_t k, const StridedVector<const T>& a, const StridedVector<const T>& x) {
  T a_copy[kGemvChunk<T>], x_copy[kGemvChunk<T>], sum;
  dot_row<T>(call_for<T>(1, k, straight(k, a, a_copy), 0, straight(k, x, x_copy), 1, &sum, a.conj, x.conj));
  return sum;
}

}  // namespace

template <class T>
T dot_chunk(std::int64_t k, const StridedVector<const T>& a, const StridedVector<const T>& x) noexcept {
  if (k > 1 && (a.step != 1 || x.step != 1)) return dot_from_copies(k, a, x);
  T sum;
  dot_row<T>(call_for<T>(1, k, a.data, 0, x.data, 1, &sum, a.conj, x.conj));
  return sum;
}

namespace {

// sums[i] = Σ_p a[i, p]·x[p] for at most kGemvRows<T> rows and kGemvChunk<T> terms; the one sum of a dot product.
template <class T>
void chunk_of_rows(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a, const StridedVector<const T>& x,
                   T* sums, bool dot) noexcept {
  if (dot) {
    *sums = dot_chunk<T>(k, {a.data, a.col, a.conj}, x);
    return;
  }
  if (a.row == 1) {
    const auto bytes = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t step = a.col * bytes;
    const bool same_set = step % calibration::kSameSetBytes == 0;
    const bool long_runs = rows * bytes >= calibration::kLongRowBytes &&
                           k * step >= (same_set ? calibration::kLongRunOfSameSetBytes : calibration::kLongRunBytes);
    return gemv_columns<T>(call_for<T>(rows, k, a.data, a.col, x.data, x.step, sums, a.conj, x.conj), long_runs);
  }
  if (a.col == 1 && (x.step == 1 || k == 1)) {
    return gemv_by_rows<T>(call_for<T>(rows, k, a.data, a.row, x.data, 1, sums, a.conj, x.conj));
  }
  chunk_from_copies(rows, k, a, x, sums);
}

// The same for any number of terms, whose sums meet what was in y.
template <class T>
[[gnu::noinline]] void blended_rows(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a,
                                    const StridedVector<const T>& x, const StridedVector<T>& y, Blend<T> blend,
                                    bool dot) noexcept {
  T sums[kGemvRows<T>], part[kGemvRows<T>];
  for (std::int64_t p = 0; p < k; p += kGemvChunk<T>) {
    chunk_of_rows<T>(rows, std::min(kGemvChunk<T>, k - p), {a.at(0, p), a.row, a.col, a.conj},
                     {x.data + p * x.step, x.step, x.conj}, p == 0 ? sums : part, dot);
    if (p == 0) continue;
    for (std::int64_t i = 0; i < rows; ++i) sums[i] = scalar::add(sums[i], part[i]);
  }
  for (std::int64_t i = 0; i < rows; ++i) blend(y.data + i * y.step, sums[i]);
}

}  // namespace

template <class T>
void gemv_rows(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a, const StridedVector<const T>& x,
               const StridedVector<T>& y, Blend<T> blend, bool dot) noexcept {
  assert(k > 0 && rows <= kGemvRows<T> && (!dot || rows == 1));
  const bool in_place = blend.replaces() && (y.step == 1 || rows == 1);
  if (in_place && k <= kGemvChunk<T>) return chunk_of_rows<T>(rows, k, a, x, y.data, dot);
  blended_rows<T>(rows, k, a, x, y, blend, dot);
}

#define TENFERRO_NOTHING
TENFERRO_GEMV(TENFERRO_NOTHING, float)
TENFERRO_GEMV(TENFERRO_NOTHING, double)
TENFERRO_GEMV(TENFERRO_NOTHING, std::complex<float>)
TENFERRO_GEMV(TENFERRO_NOTHING, std::complex<double>)
TENFERRO_GEMV(TENFERRO_NOTHING, std::int32_t)
TENFERRO_GEMV(TENFERRO_NOTHING, std::int64_t)

}  // namespace tenferro::internal
