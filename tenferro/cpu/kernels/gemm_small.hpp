// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Products of small matrices without packing, one or a batch of them. Each element of a result is one chain of fused
// multiply-adds over k from 0 up, begun anew every kSmallChunk terms, and alpha and beta come last: so results depend
// on shape and dtype alone, whichever way operands lie in memory and however many products there are.
//
//   gemm_small<double>(8, 8, 8, {a, 1, 8}, {b, 1, 8}, {c, 1, 8}, {1, 0});

#include <complex>
#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/gemm_tiles.hpp"
#include "tenferro/cpu/kernels/gemm_types.hpp"

namespace tenferro::internal {

/// Terms of one chain of multiply-adds.
inline constexpr std::int64_t kSmallChunk = 256;

/// Whether rows of a and c are neighbours, nothing is scaled, and one chain of terms is enough.
template <class T>
inline bool is_plain(std::int64_t k, const StridedMatrix<const T>& a, const StridedMatrix<T>& c,
                     Blend<T> blend) noexcept {
  return a.row == 1 && c.row == 1 && k <= kSmallChunk && blend.alpha == T(1) &&
         (blend.beta == T(0) || blend.beta == T(1));
}

/// c = a·b or c + a·b, where that is plain.
template <class T>
inline void multiply_plain(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                           const StridedMatrix<const T>& b, const StridedMatrix<T>& c, bool add,
                           const TileBatch* batch = nullptr) noexcept {
  constexpr std::int64_t kLanes = is_complex(dtype_of<T>) ? 2 : 1;
  TileCall<typename LaneOf<T>::type> call;
  call.a = lanes_of(a.data);
  call.b = lanes_of(b.data);
  call.c = lanes_of(c.data);
  call.k = k;
  call.a_col = kLanes * a.col;
  call.b_row = kLanes * b.row;
  call.b_col = kLanes * b.col;
  call.c_col = kLanes * c.col;
  call.rows = kLanes * m;
  call.cols = n;
  call.batch = batch;
  call.add = add;
  call.conj_a = a.conj;
  call.conj_b = b.conj;
  multiply_tiles<T>(call);
}

/// gemm_small of what is not plain.
template <class T>
void multiply_by_panels(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                        const StridedMatrix<const T>& b, const StridedMatrix<T>& c, Blend<T> blend) noexcept;

/// c = alpha·a·b + beta·c for m×k and k×n, m, n, k ≥ 1. With beta = 0 no element of c is read; no memory outside the
/// matrices is touched. a and b may overlap each other; c overlaps neither. An operand a whose rows are strided is
/// copied through the stack in panels.
template <class T>
inline void gemm_small(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                       const StridedMatrix<const T>& b, const StridedMatrix<T>& c, Blend<T> blend) noexcept {
  if (is_plain(k, a, c, blend)) return multiply_plain(m, n, k, a, b, c, blend.beta != T(0));
  // Copies, so that only this way out needs the matrices in memory.
  const StridedMatrix<const T> left = a, right = b;
  const StridedMatrix<T> target = c;
  multiply_by_panels(m, n, k, left, right, target, blend);
}

/// Scratch from which a batch is faster whose items are neighbours in memory, but the elements of one matrix far apart:
/// room for copies of its operands.
struct BatchCopies {
  std::int64_t bytes = 0;  ///< of the scratch; 0 where no copies pay
  std::int64_t run = 0;    ///< bytes of one element of all items that are copied at a time
};

/// The scratch for products of at most this size.
template <class T>
BatchCopies batch_copies(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                         const StridedMatrix<const T>& b) noexcept;

/// gemm_small for a batch of products, each `steps` elements from the one before. Batches whose items are neighbours in
/// memory run across lanes, and with `space` of copies.bytes, aligned to 64, from copies of the operands. The results
/// are those of gemm_small for each item.
template <class T>
void gemm_batched(std::int64_t m, std::int64_t n, std::int64_t k, const StridedMatrix<const T>& a,
                  const StridedMatrix<const T>& b, const StridedMatrix<T>& c, Blend<T> blend, const TileBatch& steps,
                  const BatchCopies& copies = {}, std::byte* space = nullptr) noexcept;

#define TENFERRO_GEMM_SMALL(declare, T)                                                                                \
  declare template void multiply_by_panels<T>(std::int64_t, std::int64_t, std::int64_t, const StridedMatrix<const T>&, \
                                              const StridedMatrix<const T>&, const StridedMatrix<T>&,                  \
                                              Blend<T>) noexcept;                                                      \
  declare template BatchCopies batch_copies<T>(std::int64_t, std::int64_t, std::int64_t,                               \
                                               const StridedMatrix<const T>&, const StridedMatrix<const T>&) noexcept; \
  declare template void gemm_batched<T>(std::int64_t, std::int64_t, std::int64_t, const StridedMatrix<const T>&,       \
                                        const StridedMatrix<const T>&, const StridedMatrix<T>&, Blend<T>,              \
                                        const TileBatch&, const BatchCopies&, std::byte*) noexcept;
TENFERRO_GEMM_SMALL(extern, float)
TENFERRO_GEMM_SMALL(extern, double)
TENFERRO_GEMM_SMALL(extern, std::complex<float>)
TENFERRO_GEMM_SMALL(extern, std::complex<double>)
TENFERRO_GEMM_SMALL(extern, std::int32_t)
TENFERRO_GEMM_SMALL(extern, std::int64_t)

}  // namespace tenferro::internal
