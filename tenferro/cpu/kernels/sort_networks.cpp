// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/sort_networks.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <limits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/sort_networks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/kernels/simd_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Key>
struct Networks {
  using D = hn::CappedTag<Key, 64 / sizeof(Key)>;
  using V = hn::Vec<D>;
  using Index = hn::TFromD<hn::RebindToSigned<D>>;
  static constexpr std::int64_t N = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr std::int64_t kVectors = 8;  // of a block
  static constexpr std::int64_t kBlock = kVectors * N;
  static constexpr std::int64_t kStep = 2 * N;  // keys that a merge takes at a time
  static constexpr Key kLast = std::numeric_limits<Key>::max();

  static HWY_INLINE V load(const Key* x) { return hn::LoadU(D(), x); }
  static HWY_INLINE void store(V v, Key* x) { hn::StoreU(v, D(), x); }

  static HWY_INLINE void order(V& a, V& b) {
    const V low = hn::Min(a, b);
    b = hn::Max(a, b);
    a = low;
  }

  // The perfect shuffle of the row a b: lanes of one and the other in turn.
  static HWY_INLINE void shuffle(V& a, V& b) {
#if HWY_TARGET == HWY_AVX3
    alignas(64) Index low[static_cast<std::size_t>(N)], high[static_cast<std::size_t>(N)];
    for (std::int64_t i = 0; i < N; ++i) {
      low[i] = static_cast<Index>(i / 2 + i % 2 * N);
      high[i] = static_cast<Index>(low[i] + N / 2);
    }
    const V left = a, from_low = hn::Load(D(), low), from_high = hn::Load(D(), high);
    if constexpr (sizeof(Key) == 8) {
      a = V{_mm512_permutex2var_epi64(left.raw, from_low.raw, b.raw)};
      b = V{_mm512_permutex2var_epi64(left.raw, from_high.raw, b.raw)};
    } else {
      a = V{_mm512_permutex2var_epi32(left.raw, from_low.raw, b.raw)};
      b = V{_mm512_permutex2var_epi32(left.raw, from_high.raw, b.raw)};
    }
#elif HWY_TARGET == HWY_SCALAR
    static_cast<void>(a), static_cast<void>(b);  // of one lane each
#else
    const V low = hn::InterleaveLower(D(), a, b), high = hn::InterleaveUpper(D(), a, b);
    if constexpr (N * sizeof(Key) == 32) {
      a = hn::ConcatLowerLower(D(), high, low);
      b = hn::ConcatUpperUpper(D(), high, low);
    } else {
      a = low;
      b = high;
    }
#endif
  }

  // Sorts a row of `count` vectors that first descends and then ascends, or the other way round. In a pair of vectors,
  // a shuffle after each comparison brings the next places that are compared beside each other, and all to their own
  // place in the end (Stone, IEEE Trans. Comput. C-20 (1971) 153).
  template <std::int64_t count>
  static HWY_INLINE void settle(V* row) {
    for (std::int64_t i = 0; i < count / 2; ++i) order(row[i], row[i + count / 2]);
    if constexpr (count > 2) {
      settle<count / 2>(row);
      settle<count / 2>(row + count / 2);
    } else {
      settle_pair<N>(row[0], row[1]);
    }
  }
  template <std::int64_t lanes>
  static HWY_INLINE void settle_pair(V& a, V& b) {
    shuffle(a, b);
    if constexpr (lanes > 1) {
      order(a, b);
      settle_pair<lanes / 2>(a, b);
    }
  }
  // Makes one ascending row of two, which lie one behind the other.
  template <std::int64_t count>
  static HWY_INLINE void join(V* row) {
    for (std::int64_t i = 0; i < count / 2; ++i) {
      const V first = row[count + i];
      row[count + i] = hn::Reverse(D(), row[2 * count - 1 - i]);
      row[2 * count - 1 - i] = hn::Reverse(D(), first);
    }
    if constexpr (count == 1) row[1] = hn::Reverse(D(), row[1]);
    settle<2 * count>(row);
  }
  template <std::int64_t count, std::int64_t total>
  static HWY_INLINE void join_all(V* row) {
    if constexpr (count < total) {
      for (std::int64_t i = 0; i < total; i += 2 * count) join<count>(row + i);
      join_all<2 * count, total>(row);
    }
  }

  // Orders lane i of v and lane i ^ flip, the smaller one going where i has not the bit `half`.
  template <std::int64_t flip, std::int64_t half>
  static HWY_INLINE V exchange(V v) {
    alignas(64) Index from[static_cast<std::size_t>(N)], upper[static_cast<std::size_t>(N)];
    for (std::int64_t i = 0; i < N; ++i) {
      from[i] = static_cast<Index>(i ^ flip);
      upper[i] = (i & half) != 0 ? Index{-1} : Index{0};
    }
    const V other = hn::TableLookupLanes(v, hn::SetTableIndices(D(), from));
    return hn::IfThenElse(hn::MaskFromVec(hn::Load(D(), upper)), hn::Max(v, other), hn::Min(v, other));
  }
  template <std::int64_t half>
  static HWY_INLINE V settle_lanes(V v) {
    if constexpr (half > 0) return settle_lanes<half / 2>(exchange<half, half>(v));
    return v;
  }
  // Sorts the lanes of a vector in which groups of `half` lanes ascend.
  template <std::int64_t half>
  static HWY_INLINE V sort_lanes(V v) {
    if constexpr (half < N) return sort_lanes<2 * half>(settle_lanes<half / 2>(exchange<2 * half - 1, half>(v)));
    return v;
  }
  // Sorts each column of eight vectors (Batcher's merging of odd and even places), and turns columns into rows.
  static HWY_INLINE void sort_columns(V* row) {
    order_pairs<0, 1, 2, 3, 4, 5, 6, 7>(row);
    order_pairs<0, 2, 1, 3, 4, 6, 5, 7>(row);
    order_pairs<1, 2, 5, 6>(row);
    order_pairs<0, 4, 1, 5, 2, 6, 3, 7>(row);
    order_pairs<2, 4, 3, 5>(row);
    order_pairs<1, 2, 3, 4, 5, 6>(row);
    shuffle_block(row);
    shuffle_block(row);
    shuffle_block(row);
  }
  template <std::size_t a, std::size_t b, std::size_t... rest>
  static HWY_INLINE void order_pairs(V* row) {
    order(row[a], row[b]);
    if constexpr (sizeof...(rest) > 0) order_pairs<rest...>(row);
  }
  // The perfect shuffle of eight vectors.
  static HWY_INLINE void shuffle_block(V* row) {
    V a = row[0], b = row[1], c = row[2], d = row[3], e = row[4], f = row[5], g = row[6], h = row[7];
    shuffle(a, e);
    shuffle(b, f);
    shuffle(c, g);
    shuffle(d, h);
    row[0] = a, row[1] = e, row[2] = b, row[3] = f, row[4] = c, row[5] = g, row[6] = d, row[7] = h;
  }
  template <std::int64_t count>
  static HWY_INLINE void sort_row(V* row) {
    if constexpr (count == kVectors) {
      sort_columns(row);
      if constexpr (N > 8) {
        for (std::int64_t i = 0; i < count; ++i) row[i] = sort_lanes<8>(row[i]);
      }
      join_all<(N < 8 ? 8 / N : 1), count>(row);
    } else {
      for (std::int64_t i = 0; i < count; ++i) row[i] = sort_lanes<1>(row[i]);
      join_all<1, count>(row);
    }
  }

  static HWY_INLINE V load_some(const Key* x, std::int64_t n) {
    if (n >= N) return load(x);
    alignas(64) Key copy[static_cast<std::size_t>(N)];
    for (std::int64_t i = 0; i < N; ++i) copy[i] = i < n ? x[i] : kLast;
    return hn::Load(D(), copy);
  }
  static HWY_INLINE void store_some(V v, Key* x, std::int64_t n) {
    if (n >= N) return store(v, x);
    alignas(64) Key copy[static_cast<std::size_t>(N)];
    hn::Store(v, D(), copy);
    for (std::int64_t i = 0; i < n; ++i) x[i] = copy[i];
  }

  template <std::int64_t count>
  static void sort_vectors(Key* x, std::int64_t n) {
    V row[static_cast<std::size_t>(count)];
    for (std::int64_t i = 0; i < count; ++i) row[i] = load_some(x + i * N, n - i * N);
    sort_row<count>(row);
    for (std::int64_t i = 0; i < count; ++i) store_some(row[i], x + i * N, n - i * N);
  }
  // A block or less.
  static void sort_short(Key* x, std::int64_t n) {
    if (n <= N) return sort_vectors<1>(x, n);
    if (n <= 2 * N) return sort_vectors<2>(x, n);
    if (n <= 4 * N) return sort_vectors<4>(x, n);
    sort_vectors<kVectors>(x, n);
  }

  // settle and join where they lie in memory, for whole blocks.
  static void settle_block(Key* x) {
    V row[static_cast<std::size_t>(kVectors)];
    for (std::int64_t i = 0; i < kVectors; ++i) row[i] = load(x + i * N);
    settle<kVectors>(row);
    for (std::int64_t i = 0; i < kVectors; ++i) store(row[i], x + i * N);
  }
  static void settle_blocks(Key* x, std::int64_t n) {
    for (std::int64_t half = n / 2; half >= kBlock; half /= 2) {
      for (std::int64_t first = 0; first < n; first += 2 * half) {
        for (Key *low = x + first, *high = low + half; low < x + first + half; low += N, high += N) {
          V a = load(low), b = load(high);
          order(a, b);
          store(a, low);
          store(b, high);
        }
      }
    }
    for (std::int64_t first = 0; first < n; first += kBlock) settle_block(x + first);
  }
  static void join_blocks(Key* x, std::int64_t half) {
    for (std::int64_t i = 0, k = half - N; i < k; i += N, k -= N) {
      V a = load(x + i), b = load(x + k);
      V c = hn::Reverse(D(), load(x + half + k)), d = hn::Reverse(D(), load(x + half + i));
      order(a, c);
      order(b, d);
      store(a, x + i);
      store(b, x + k);
      store(c, x + half + i);
      store(d, x + half + k);
    }
    settle_blocks(x, half);
    settle_blocks(x + half, half);
  }
  // `n` is a power of two.
  static void sort_blocks(Key* x, std::int64_t n) {
    for (std::int64_t first = 0; first < n; first += kBlock) sort_vectors<kVectors>(x + first, kBlock);
    for (std::int64_t half = kBlock; half < n; half *= 2) {
      for (std::int64_t first = 0; first < n; first += 2 * half) join_blocks(x + first, half);
    }
  }

  // The next keys of a run that ends at `end`, the last ones followed by kLast.
  static HWY_INLINE void take(const Key*& x, const Key* end, V& first, V& second) {
    first = load_some(x, end - x);
    second = load_some(x + N, end - x - N);
    x += std::min(kStep, static_cast<std::int64_t>(end - x));
  }
  // Ascending rows a b and c d become the ascending row a b c d.
  static HWY_INLINE void join_pairs(V& a, V& b, V& c, V& d) {
    const V first = hn::Reverse(D(), a);
    a = hn::Reverse(D(), b);
    b = first;
    order(a, c);
    order(b, d);
    order(a, b);
    order(c, d);
    settle_pair<N>(a, b);
    settle_pair<N>(c, d);
  }

  static void merge(const Key* a, std::int64_t a_count, const Key* b, std::int64_t b_count, Key* out) {
    const Key *const a_end = a + a_count, *const b_end = b + b_count;
    Key* const end = out + a_count + b_count;
    V low, next, high, top;  // `high` and `top` hold the largest keys seen
    take(a, a_end, low, next);
    take(b, b_end, high, top);
    join_pairs(low, next, high, top);
    while (a_end - a >= kStep && b_end - b >= kStep) {
      store(low, out);
      store(next, out + N);
      out += kStep;
      // Without a branch, which would be mispredicted every other time.
      const std::int64_t second = *b < *a ? 1 : 0;
      const Key* const from = a + ((b - a) & -second);
      a += kStep & (second - 1);
      b += kStep & -second;
      low = load(from);
      next = load(from + N);
      join_pairs(low, next, high, top);
    }
    while (a != a_end || b != b_end) {
      assert(out + kStep <= end);  // of the blocks taken so far, one at most was not full
      store(low, out);
      store(next, out + N);
      out += kStep;
      b == b_end || (a != a_end && *a <= *b) ? take(a, a_end, low, next) : take(b, b_end, low, next);
      join_pairs(low, next, high, top);
    }
    for (const V v : {low, next, high, top}) {
      if (out >= end) break;
      store_some(v, out, end - out);
      out += N;
    }
  }

  static void sort(Key* x, Key* work, std::int64_t n) {
    if (n <= kBlock) return sort_short(x, n);
    auto piece = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
    if (n <= piece / 4 * 3) piece = std::max(piece / 4, kBlock);
    piece = std::min(piece, kSortPiece);
    const std::int64_t padded = (n + piece - 1) / piece * piece;
    std::fill(x + n, x + padded, kLast);
    Key *from = x, *to = work;
    for (std::int64_t first = 0; first < n; first += piece) sort_blocks(x + first, piece);
    for (std::int64_t width = piece; width < n; width *= 2) {
      for (std::int64_t first = 0; first < n; first += 2 * width) {
        const std::int64_t left = std::min(width, n - first), right = std::min(width, n - first - left);
        merge(from + first, left, from + first + left, right, to + first);
      }
      std::swap(from, to);
    }
    if (from != x) std::copy_n(from, n, x);
  }
};

template <class Key>
constexpr SortNetworks<Key> kNetworks{&Networks<Key>::sort, &Networks<Key>::merge,
                                      sizeof(Key) == 4        ? calibration::kNetworkKeys32
                                      : Networks<Key>::N == 8 ? calibration::kNetworkKeys64
                                                              : calibration::kNetworkKeys64Short};

const SortNetworks<std::int32_t>* narrow() { return &kNetworks<std::int32_t>; }
const SortNetworks<std::int64_t>* wide() { return &kNetworks<std::int64_t>; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(narrow);
HWY_EXPORT(wide);

template <>
const SortNetworks<std::int32_t>& sort_networks() {
  return *TENFERRO_DISPATCH(narrow)();
}
template <>
const SortNetworks<std::int64_t>& sort_networks() {
  return *TENFERRO_DISPATCH(wide)();
}

}  // namespace tenferro::internal
#endif
