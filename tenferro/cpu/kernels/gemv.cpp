// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/gemv.hpp"

#include <algorithm>

namespace tenferro::internal {
namespace {

template <class T>
T add_lanes(const T* lanes, std::int64_t step) noexcept {
  const auto at = [&](std::int64_t lane) { return lanes[lane * step]; };
  return scalar::add(scalar::add(scalar::add(at(0), at(4)), scalar::add(at(2), at(6))),
                     scalar::add(scalar::add(at(1), at(5)), scalar::add(at(3), at(7))));
}

}  // namespace

template <class T>
T dot_chunk(std::int64_t k, const StridedVector<const T>& a, const StridedVector<const T>& x) noexcept {
  T lanes[kGemvLanes] = {};
  std::int64_t p = 0;
  const auto term = [&](std::int64_t at, std::int64_t a_step, std::int64_t x_step) {
    return scalar::mul(conjugate_if(a.conj, a.data[at * a_step]), conjugate_if(x.conj, x.data[at * x_step]));
  };
  if (a.step == 1 && x.step == 1) {
    for (; p + kGemvLanes <= k; p += kGemvLanes) {
      for (std::int64_t lane = 0; lane < kGemvLanes; ++lane)
        lanes[lane] = scalar::add(lanes[lane], term(p + lane, 1, 1));
    }
  }
  for (; p < k; ++p) lanes[p % kGemvLanes] = scalar::add(lanes[p % kGemvLanes], term(p, a.step, x.step));
  return add_lanes(lanes, 1);
}

namespace {

// lane[i] += Σ_u a[i, p + u·kGemvLanes]·x[p + u·kGemvLanes] for a straight column, in order of u.
template <std::size_t kTerms, class T>
void add_terms(std::int64_t rows, const StridedMatrix<const T>& a, const StridedVector<const T>& x, std::int64_t p,
               T* lane) noexcept {
  T factors[kTerms];
  const T* columns[kTerms];
  for (std::size_t u = 0; u < kTerms; ++u) {
    const std::int64_t at = p + static_cast<std::int64_t>(u) * kGemvLanes;
    factors[u] = conjugate_if(x.conj, x.data[at * x.step]);
    columns[u] = a.data + at * a.col;
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    T sum = lane[i];
    for (std::size_t u = 0; u < kTerms; ++u) sum = scalar::add(sum, scalar::mul(columns[u][i], factors[u]));
    lane[i] = sum;
  }
}

// sums[i] = Σ_p a[i, p]·x[p] for at most kGemvRows<T> rows and kGemvChunk terms, the rows being the finer axis of a.
template <class T>
void gemv_chunk(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a, const StridedVector<const T>& x,
                T* sums) noexcept {
  constexpr std::int64_t kTerms = 4;  // of one lane at a time, so that lanes are read and written once for all of them
  T lanes[kGemvLanes * kGemvRows<T>];
  std::fill_n(lanes, kGemvLanes * rows, T(0));
  std::int64_t p = 0;
  if (a.row == 1 && !a.conj) {
    for (; p + kTerms * kGemvLanes <= k; p += kTerms * kGemvLanes) {
      for (std::int64_t lane = 0; lane < kGemvLanes; ++lane) {
        add_terms<kTerms, T>(rows, a, x, p + lane, lanes + lane * rows);
      }
    }
    for (; p < k; ++p) add_terms<1, T>(rows, a, x, p, lanes + p % kGemvLanes * rows);
  }
  for (; p < k; ++p) {
    const T factor = conjugate_if(x.conj, x.data[p * x.step]);
    const T* column = a.data + p * a.col;
    T* lane = lanes + (p % kGemvLanes) * rows;
    for (std::int64_t i = 0; i < rows; ++i) {
      lane[i] = scalar::add(lane[i], scalar::mul(conjugate_if(a.conj, column[i * a.row]), factor));
    }
  }
  for (std::int64_t i = 0; i < rows; ++i) sums[i] = add_lanes(lanes + i, rows);
}

}  // namespace

template <class T>
void gemv_rows(std::int64_t rows, std::int64_t k, const StridedMatrix<const T>& a, const StridedVector<const T>& x,
               const StridedVector<T>& y, Blend<T> blend) noexcept {
  const auto size = [](std::int64_t step) { return step < 0 ? -step : step; };
  const bool by_rows = rows == 1 || size(a.col) < size(a.row);
  T sums[kGemvRows<T>], part[kGemvRows<T>];
  std::fill_n(sums, rows, T(0));
  for (std::int64_t p = 0; p < k; p += kGemvChunk) {
    const std::int64_t terms = std::min(kGemvChunk, k - p);
    const StridedVector<const T> factor{x.data + p * x.step, x.step, x.conj};
    if (by_rows) {
      for (std::int64_t i = 0; i < rows; ++i) {
        part[i] = dot_chunk<T>(terms, {a.at(i, p), a.col, a.conj}, factor);
      }
    } else {
      gemv_chunk<T>(rows, terms, {a.at(0, p), a.row, a.col, a.conj}, factor, part);
    }
    for (std::int64_t i = 0; i < rows; ++i) sums[i] = p == 0 ? part[i] : scalar::add(sums[i], part[i]);
  }
  for (std::int64_t i = 0; i < rows; ++i) blend(y.data + i * y.step, sums[i]);
}

#define TENFERRO_NOTHING
TENFERRO_GEMV(TENFERRO_NOTHING, float)
TENFERRO_GEMV(TENFERRO_NOTHING, double)
TENFERRO_GEMV(TENFERRO_NOTHING, std::complex<float>)
TENFERRO_GEMV(TENFERRO_NOTHING, std::complex<double>)
TENFERRO_GEMV(TENFERRO_NOTHING, std::int32_t)
TENFERRO_GEMV(TENFERRO_NOTHING, std::int64_t)

}  // namespace tenferro::internal
