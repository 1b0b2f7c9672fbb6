// SPDX-License-Identifier: MIT OR Apache-2.0

// The loops of reduce_loops.hpp for one set of vector instructions; included once a set by the sources that choose
// operations and dtypes:
//
//   #define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/reduce_sum.cpp"
//   #include <hwy/foreach_target.h>
//   #include "tenferro/cpu/kernels/reduce_loops_inl.hpp"
//
// A reducer R gives In and Acc, map(x) of an element and combine(a, b) of results; the same of vectors of the type Part
// (of which a complex result takes two), load(d, x) and map(d, v) making results of elements; kIdentity, which changes
// nothing as b (kPartIdentity in vectors), if kHasIdentity; kAnyOrder, whether bits do not depend on the order (then
// Watch<D> combines vectors, of which it has seen all, and settles the result); kEmpty, the result of nothing; and the
// reducer Next of results. A row of the tree is 64 bytes of results, in kVectors registers.

#if defined(TENFERRO_REDUCE_LOOPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_REDUCE_LOOPS_INL
#undef TENFERRO_REDUCE_LOOPS_INL
#else
#define TENFERRO_REDUCE_LOOPS_INL
#endif

#include <hwy/highway.h>

#include <cstring>

#include "tenferro/cpu/kernels/reduce_loops.hpp"
#include "tenferro/cpu/kernels/reduce_tree.hpp"

// A loop over constant bounds that is not unrolled whole, so that its loads stay in order.
#ifndef TENFERRO_UNROLL_BY_3
#ifdef __clang__
#define TENFERRO_UNROLL_BY_3 _Pragma("clang loop unroll_count(3)")
#define TENFERRO_UNROLL_BY_16 _Pragma("clang loop unroll_count(16)")
#else
#define TENFERRO_UNROLL_BY_3 _Pragma("GCC unroll 3")
#define TENFERRO_UNROLL_BY_16 _Pragma("GCC unroll 16")
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The vectors of a reducer: how many results they have, and what is done with them. Of two vectors a and b,
/// fold_pair<bytes> combines neighbouring groups of so many bytes: those of a come to even places, those of b to odd
/// ones.
#if HWY_TARGET == HWY_SCALAR
template <class R>
struct Registers {
  using In = typename R::In;
  using Acc = typename R::Acc;
  using V = Acc;
  static constexpr std::int64_t kResults = 1;

  static V combine(V a, V b) { return R::combine(a, b); }
  static V identity() { return R::kIdentity; }
  static V load(const In* x) { return R::map(*x); }
  static V stream(const In* x) { return load(x); }
  static V reload(const Acc* x) { return *x; }
  static void store(V v, Acc* out) { *out = v; }
  static V load_some(const In* x, std::int64_t) { return R::map(*x); }
  static V choose(std::int64_t count, V some, V rest) { return count > 0 ? some : rest; }
  template <std::size_t bytes>
  static V fold_pair(V a, V) {
    return a;
  }
};
#else
template <class R>
struct Registers {
  using In = typename R::In;
  using Acc = typename R::Acc;
  using Part = typename R::Part;
  using D = hn::CappedTag<Part, 64 / sizeof(Part)>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kUnit = std::int64_t{sizeof(Acc)} / std::int64_t{sizeof(Part)};  // parts of a result
  static constexpr std::int64_t kResults = static_cast<std::int64_t>(hn::MaxLanes(D())) / kUnit;

  static HWY_INLINE V combine(V a, V b) { return R::combine(D(), a, b); }
  static HWY_INLINE V identity() { return hn::Set(D(), R::kPartIdentity); }
  static HWY_INLINE V load(const In* x) { return R::load(D(), x); }
  // The same of memory read in order: two loads of 32 bytes leave more of the memory's requests in flight than one
  // of 64.
  static HWY_INLINE V stream(const In* x) {
    if constexpr (hn::MaxLanes(D()) * sizeof(Part) == 64 && std::is_same_v<In, Acc>) {
      const hn::Half<D> half;
      const auto* const at = reinterpret_cast<const Part*>(x);
      return R::map(D(), hn::Combine(D(), hn::LoadU(half, at + hn::MaxLanes(half)), hn::LoadU(half, at)));
    } else {
      return load(x);
    }
  }
  static HWY_INLINE V reload(const Acc* x) { return hn::LoadU(D(), reinterpret_cast<const Part*>(x)); }
  static HWY_INLINE void store(V v, Acc* out) { hn::StoreU(v, D(), reinterpret_cast<Part*>(out)); }
  // The first `count` results of a vector; the others are anything.
  static HWY_INLINE V load_some(const In* x, std::int64_t count) {
#if !HWY_MEM_OPS_MIGHT_FAULT
    if constexpr (sizeof(In) == sizeof(Acc)) {
      const auto some = hn::FirstN(D(), static_cast<std::size_t>(count * kUnit));
      return R::map(D(), hn::MaskedLoad(some, D(), reinterpret_cast<const Part*>(x)));
    }
#endif
    return load_copy(x, count);
  }
  static HWY_NOINLINE V load_copy(const In* x, std::int64_t count) {
    alignas(64) In copy[static_cast<std::size_t>(kResults)] = {};
    for (std::int64_t i = 0; i < count; ++i) copy[i] = x[i];
    return load(copy);
  }
  // The first `count` results of `some`, then those of `rest`.
  static HWY_INLINE V choose(std::int64_t count, V some, V rest) {
    return hn::IfThenElse(hn::FirstN(D(), static_cast<std::size_t>(count * kUnit)), some, rest);
  }
  template <std::size_t bytes>
  static HWY_INLINE V fold_pair(V a, V b) {
    const D d;
    if constexpr (2 * bytes == sizeof(Acc) * static_cast<std::size_t>(kResults)) {
      return combine(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
    } else if constexpr (bytes == 16) {
      return combine(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a), hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a)));
    } else if constexpr (bytes == 4) {
      return combine(hn::OddEven(hn::DupEven(b), a), hn::OddEven(b, hn::DupOdd(a)));
    } else {
      static_assert(bytes == 8);
      const hn::Repartition<std::uint64_t, D> du;
      const auto x = hn::BitCast(du, a), y = hn::BitCast(du, b);
      return combine(hn::BitCast(d, hn::InterleaveLower(du, x, y)), hn::BitCast(d, hn::InterleaveUpper(du, x, y)));
    }
  }
};
#endif

/// Combining vectors in any order; nothing more to watch.
template <class R, class D>
struct Unwatched {
  HWY_INLINE void see(hn::Vec<D>&, hn::Vec<D>&) {}
  static HWY_INLINE hn::Vec<D> combine(hn::Vec<D> a, hn::Vec<D> b) { return R::combine(D(), a, b); }
  static HWY_INLINE hn::Vec<D> settle(hn::Vec<D> v) { return v; }
};

template <class R>
struct TreeLoops : Registers<R> {
  using Base = Registers<R>;
  using In = typename R::In;
  using Acc = typename R::Acc;
  using V = typename Base::V;
  using Base::choose, Base::combine, Base::identity, Base::kResults, Base::load, Base::load_some, Base::reload,
      Base::store, Base::stream;
  static constexpr std::int64_t L = kLanes<Acc>;
  static constexpr std::int64_t kBlockLength = kBlock<Acc>;
  static constexpr std::int64_t kVectors = L / kResults;  // of a row
  template <std::int64_t n>
  using Vectors = V[static_cast<std::size_t>(n)];
  template <std::int64_t m, std::int64_t n>
  using Grid = V[static_cast<std::size_t>(m)][static_cast<std::size_t>(n)];

  static HWY_INLINE void store_some(V v, Acc* out, std::int64_t count) {
    alignas(64) Acc copy[static_cast<std::size_t>(kResults)];
    store(v, copy);
    for (std::int64_t i = 0; i < count; ++i) out[i] = copy[i];
  }

  // v[0] becomes the folds by halves of v[0], v[1], …, v[2·half − 1], one after the other.
  template <std::int64_t half>
  static HWY_INLINE void fold_all(V* v) {
    if constexpr (half > 0) {
      for (std::int64_t k = 0; k < half; ++k) {
        v[k] = Base::template fold_pair<static_cast<std::size_t>(half) * sizeof(Acc)>(v[k], v[k + half]);
      }
      fold_all<half / 2>(v);
    }
  }
  // Folds v by halves until `left` results are left.
  template <std::int64_t left = 1, std::int64_t half = kResults / 2>
  static HWY_INLINE V fold_one(V v) {
    if constexpr (half >= left) {
      return fold_one<left, half / 2>(Base::template fold_pair<static_cast<std::size_t>(half) * sizeof(Acc)>(v, v));
    } else {
      return v;
    }
  }

  // Folds by halves with every index known to the compiler, so that arrays stay in registers.
  template <std::int64_t half, std::int64_t vectors>
  static HWY_INLINE void fold_rows(Vectors<vectors>* row) {
    if constexpr (half > 0) {
      for (std::int64_t l = 0; l < half; ++l) {
        for (std::int64_t j = 0; j < vectors; ++j) row[l][j] = combine(row[l][j], row[l + half][j]);
      }
      fold_rows<half / 2, vectors>(row);
    }
  }
  template <std::int64_t half>
  static HWY_INLINE void fold_within(V* v) {
    if constexpr (half > 0) {
      for (std::int64_t j = 0; j < half; ++j) v[j] = combine(v[j], v[j + half]);
      fold_within<half / 2>(v);
    }
  }

  static HWY_INLINE const In* run(const ReducedRuns& x, std::int64_t k) {
    return reinterpret_cast<const In*>(x.data + k * x.apart);
  }

  // The row of lanes of a block of n elements, folded into one vector. A ragged block ends within a row; lanes without
  // an element are the identity. Memory is read strictly in order, as the hardware fetches ahead: chains of blocks
  // overlap in the processor, not in the program.
  template <bool ragged>
  static HWY_INLINE V row_of(const In* x, std::int64_t n) {
    if constexpr (R::kAnyOrder && kResults > 1) {
      if (n >= kChains * kResults) return any_row<ragged>(x, n);
    }
    Vectors<kVectors> acc;
    const std::int64_t whole = n / L * L;
    for (std::int64_t j = 0; j < kVectors; ++j) acc[j] = !ragged || whole > 0 ? stream(x + j * kResults) : identity();
    TENFERRO_UNROLL_BY_3
    for (std::int64_t i = L; i < whole; i += L) {
      for (std::int64_t j = 0; j < kVectors; ++j) acc[j] = combine(acc[j], stream(x + i + j * kResults));
    }
    if constexpr (ragged) {
      for (std::int64_t j = 0; j < kVectors; ++j) {
        const std::int64_t left = std::min(n - whole - j * kResults, kResults);
        if (left > 0) acc[j] = add_some(acc[j], x + whole + j * kResults, left);
      }
    }
    fold_within<kVectors / 2>(acc);
    return acc[0];
  }
  // Where the order does not matter: chains side by side, of loose combinations.
  static constexpr std::int64_t kChains = 4;
  template <bool ragged>
  static HWY_INLINE V any_row(const In* x, std::int64_t n) {
    Vectors<kChains> acc;
    typename R::template Watch<typename Base::D> watch;
    for (std::int64_t k = 0; k < kChains; k += 2) {
      acc[k] = load(x + k * kResults);
      acc[k + 1] = load(x + (k + 1) * kResults);
      watch.see(acc[k], acc[k + 1]);
    }
    std::int64_t i = kChains * kResults;
    for (; i + kChains * kResults <= n; i += kChains * kResults) {
      for (std::int64_t k = 0; k < kChains; k += 2) {
        V a = load(x + i + k * kResults), b = load(x + i + (k + 1) * kResults);
        watch.see(a, b);
        acc[k] = watch.combine(acc[k], a);
        acc[k + 1] = watch.combine(acc[k + 1], b);
      }
    }
    for (; i + kResults <= n; i += kResults) acc[0] = combine(acc[0], load(x + i));
    if constexpr (ragged) {
      if (i < n) acc[1] = add_some(acc[1], x + i, n - i);
    }
    return watch.settle(combine(combine(acc[0], acc[1]), combine(acc[2], acc[3])));
  }
  static HWY_INLINE V add_some(V acc, const In* x, std::int64_t count) {
    return choose(count, combine(acc, load_some(x, count)), acc);
  }
  // The same for one block of fewer than L elements of an operation without identity.
  static HWY_NOINLINE V few(const In* x, std::int64_t n) {
    Vectors<L> lane;
    for (std::int64_t l = 0; l < n; ++l) lane[l] = load_one(x + l);
    for (std::int64_t half = L / 2; half > 0; half /= 2) {
      for (std::int64_t l = 0; l < half && l + half < n; ++l) lane[l] = combine(lane[l], lane[l + half]);
    }
    return lane[0];
  }
  static HWY_INLINE V load_one(const In* x) { return kResults > 1 ? load_some(x, 1) : load(x); }

  // The results of kResults / parts runs of n elements in order, the last of them again and again after `some`. A run
  // has one block if parts is 1, else so many whole ones: rows of blocks are laid so that folding by halves combines
  // those of a run in pairs of pairs.
  template <std::int64_t parts, bool ragged>
  static HWY_NOINLINE V short_runs(const std::byte* x, std::int64_t apart, std::int64_t n, std::int64_t some) {
    Vectors<kResults> v;
    const auto one = [&](std::int64_t k) HWY_ATTR {
      const std::int64_t i = k / parts, part = k % parts;
      const In* const block = reinterpret_cast<const In*>(x) + part * kBlockLength;
      v[i + turned(part)] = row_of<ragged>(block, parts > 1 ? kBlockLength : n);
      if (part == parts - 1 && i + 1 < some) x += apart;
    };
    if constexpr (ragged) {
      for (std::int64_t k = 0; k < kResults; ++k) one(k);
    } else {
      TENFERRO_UNROLL_BY_16
      for (std::int64_t k = 0; k < kResults; ++k) one(k);
    }
    fold_all<kResults / 2>(v);
    return fold_one<kResults / parts>(v[0]);
  }
  // How runs of n elements are reduced together, and how many of them at once; null where they are not.
  using ShortRuns = V (*)(const std::byte* x, std::int64_t apart, std::int64_t n, std::int64_t some);
  template <std::int64_t parts = kResults>
  static ShortRuns short_runs_of(std::int64_t n, std::int64_t& together) {
    if constexpr (R::kAnyOrder) {
      together = kResults;
      if (n > 8 * kBlockLength) return nullptr;
      return n % L == 0 ? &short_runs<1, false> : &short_runs<1, true>;
    } else if constexpr (parts > 1) {
      if (n != parts * kBlockLength) return short_runs_of<parts / 2>(n, together);
      together = kResults / parts;
      return &short_runs<parts, false>;
    } else {
      together = kResults;
      if (n > kBlockLength) return nullptr;
      return n % L == 0 ? &short_runs<1, false> : &short_runs<1, true>;
    }
  }
  static HWY_NOINLINE V one_block(const In* x, std::int64_t n) {
    if (!R::kHasIdentity && n < L) return few(x, n);
    return fold_one(n % L == 0 ? row_of<false>(x, n) : row_of<true>(x, n));
  }

  // Combines values 0, 1, 2, … in pairs of pairs.
  class Pairwise {
   public:
    HWY_INLINE Pairwise() {}  // NOLINT(modernize-use-equals-default): implicit functions lack the instructions
    HWY_INLINE void push(V value) {
      for (std::int64_t carry = pushed_++; (carry & 1) != 0; carry >>= 1) value = combine(stack_[--top_], value);
      stack_[top_++] = value;
    }
    HWY_INLINE V result() {
      V value = stack_[--top_];
      while (top_ > 0) value = combine(stack_[--top_], value);
      return value;
    }

   private:
    V stack_[56];
    std::int64_t top_ = 0, pushed_ = 0;
  };

  // More than one block.
  static HWY_NOINLINE V long_run(const In* x, std::int64_t n) {
    if constexpr (R::kAnyOrder && kResults > 1) return fold_one(any_row<true>(x, n));
    Pairwise tree;
    while (n > 0) {
      Vectors<kResults> v;
      if (n >= kResults * kBlockLength) {
        for (std::int64_t k = 0; k < kResults; ++k, x += kBlockLength) v[turned(k)] = row_of<false>(x, kBlockLength);
        n -= kResults * kBlockLength;
      } else if constexpr (R::kHasIdentity) {
        for (V& row : v) row = identity();
        std::int64_t k = 0;
        for (; n >= kBlockLength; ++k, x += kBlockLength, n -= kBlockLength) {
          v[turned(k)] = row_of<false>(x, kBlockLength);
        }
        if (n > 0) v[turned(k)] = n % L == 0 ? row_of<false>(x, n) : row_of<true>(x, n);
        n = 0;
      } else {
        Pairwise rest;
        for (; n > 0; n -= kBlockLength, x += kBlockLength) rest.push(one_block(x, std::min(n, kBlockLength)));
        tree.push(rest.result());
        break;
      }
      fold_all<kResults / 2>(v);
      tree.push(fold_one(v[0]));
    }
    return tree.result();
  }
  // k < kResults with its bits in the opposite order.
  static constexpr std::int64_t turned(std::int64_t k) {
    std::int64_t result = 0;
    for (std::int64_t bit = 1; bit < kResults; bit *= 2) result = 2 * result + ((k & bit) != 0 ? 1 : 0);
    return result;
  }

  // Runs of one element.
  static void map_each(const ReducedRuns& x, std::byte* out, std::int64_t out_step, std::int64_t count) {
    std::int64_t i = 0;
    if (x.apart == static_cast<std::int64_t>(sizeof(In)) && out_step == static_cast<std::int64_t>(sizeof(Acc))) {
      for (; i + kResults <= count; i += kResults) store(load(run(x, i)), reinterpret_cast<Acc*>(out + i * out_step));
    }
    for (; i < count; ++i) *reinterpret_cast<Acc*>(out + i * out_step) = R::map(*run(x, i));
  }

  static void runs(const ReducedRuns& x, std::byte* out, std::int64_t out_step, std::int64_t count) {
    if (x.length == 1) return map_each(x, out, out_step, count);
    std::int64_t i = 0, together = 1, alone = count;  // those that are dearer together than one by one
    const ShortRuns reduce = short_runs_of(x.length, together);
    if (reduce != nullptr && (R::kHasIdentity || x.length >= L)) alone = together / 4;
    for (; count - i > alone; i += together) {
      const std::int64_t some = std::min(together, count - i);
      const V v = reduce(x.data + i * x.apart, x.apart, x.length, some);
      std::byte* to = out + i * out_step;
      if (out_step == static_cast<std::int64_t>(sizeof(Acc))) {
        some == kResults ? store(v, reinterpret_cast<Acc*>(to)) : store_some(v, reinterpret_cast<Acc*>(to), some);
        continue;
      }
      alignas(64) Acc copy[static_cast<std::size_t>(kResults)];
      store(v, copy);
      for (std::int64_t k = 0; k < some; ++k, to += out_step) *reinterpret_cast<Acc*>(to) = copy[k];
    }
    for (; i < count; ++i) {
      const V v = x.length <= kBlockLength ? one_block(run(x, i), x.length) : long_run(run(x, i), x.length);
      store_some(v, reinterpret_cast<Acc*>(out + i * out_step), 1);
    }
  }

  // The block of `vectors` vectors of columns from c on over whole rows of lanes, which stay in registers.
  template <std::int64_t vectors>
  static HWY_INLINE void columns(const ReducedRows& x, std::int64_t c, Acc* out) {
    const In* row = reinterpret_cast<const In*>(x.base) + x.offset[0] + c;
    Grid<L, vectors> acc;
    for (std::int64_t l = 0; l < L; ++l, row += x.step) {
      for (std::int64_t j = 0; j < vectors; ++j) acc[l][j] = load(row + j * kResults);
    }
    for (std::int64_t r = L; r < x.count; r += L) {
      for (std::int64_t l = 0; l < L; ++l, row += x.step) {
        for (std::int64_t j = 0; j < vectors; ++j) acc[l][j] = combine(acc[l][j], load(row + j * kResults));
      }
    }
    fold_rows<L / 2, vectors>(acc);
    for (std::int64_t j = 0; j < vectors; ++j) store(acc[0][j], out + c + j * kResults);
  }
  // One vector of columns, of which the first `some` count, over any number of rows.
  static HWY_NOINLINE void any_rows(const ReducedRows& x, std::int64_t c, std::int64_t some, Acc* out) {
    const In* base = reinterpret_cast<const In*>(x.base) + c;
    const auto row = [&](std::int64_t r) HWY_ATTR {
      return some < kResults ? load_some(base + x.offset[r], some) : load(base + x.offset[r]);
    };
    const std::int64_t lanes = std::min(x.count, L);
    Vectors<L> lane;
    for (std::int64_t l = 0; l < lanes; ++l) lane[l] = row(l);
    for (std::int64_t r = L; r < x.count; ++r) lane[r % L] = combine(lane[r % L], row(r));
    for (std::int64_t half = L / 2; half > 0; half /= 2) {
      for (std::int64_t l = 0; l < half && l + half < lanes; ++l) lane[l] = combine(lane[l], lane[l + half]);
    }
    store_some(lane[0], out + c, some);
  }

  static HWY_NOINLINE void narrow_block(const ReducedRows& x, Acc* out) {
    constexpr std::int64_t kTogether = std::max<std::int64_t>(16 / L, 1);
    std::int64_t c = 0;
    if (x.even && x.count % L == 0) {
      for (; c + kTogether * kResults <= x.width; c += kTogether * kResults) columns<kTogether>(x, c, out);
      for (; c + kResults <= x.width; c += kResults) columns<1>(x, c, out);
    }
    for (; c < x.width; c += kResults) any_rows(x, c, std::min(x.width - c, kResults), out);
  }

  // Up to four rows of a lane, L apart in the list of rows; they start the lane or are added to it.
  template <int rows, bool start>
  static HWY_INLINE void add_rows(Acc* lane, const In* const* x, std::int64_t width) {
    std::int64_t c = 0;
    for (; c + kResults <= width; c += kResults) {
      V v = load(x[0] + c);
      if constexpr (rows == 4 && R::kAnyOrder && kResults > 1) {
        typename R::template Watch<typename Base::D> watch;
        V v1 = load(x[1] + c), v2 = load(x[2] + c), v3 = load(x[3] + c);
        watch.see(v, v1);
        watch.see(v2, v3);
        v = watch.settle(watch.combine(watch.combine(v, v1), watch.combine(v2, v3)));
        if constexpr (!start) v = combine(reload(lane + c), v);
      } else {
        if constexpr (!start) v = combine(reload(lane + c), v);
        for (int r = 1; r < rows; ++r) v = combine(v, load(x[r] + c));
      }
      store(v, lane + c);
    }
    if (const std::int64_t left = width - c; left > 0) {
      V v = load_some(x[0] + c, left);
      if constexpr (!start) {
        alignas(64) Acc copy[static_cast<std::size_t>(kResults)] = {};
        for (std::int64_t i = 0; i < left; ++i) copy[i] = lane[c + i];
        v = combine(reload(copy), v);
      }
      for (int r = 1; r < rows; ++r) v = combine(v, load_some(x[r] + c, left));
      store_some(v, lane + c, left);
    }
  }

  static HWY_INLINE void combine_rows(const Acc* a, const Acc* b, Acc* out, std::int64_t width) {
    std::int64_t c = 0;
    for (; c + kResults <= width; c += kResults) store(combine(reload(a + c), reload(b + c)), out + c);
    if (const std::int64_t left = width - c; left > 0) {
      alignas(64) Acc x[static_cast<std::size_t>(kResults)] = {}, y[static_cast<std::size_t>(kResults)] = {};
      for (std::int64_t i = 0; i < left; ++i) x[i] = a[c + i];
      for (std::int64_t i = 0; i < left; ++i) y[i] = b[c + i];
      store_some(combine(reload(x), reload(y)), out + c, left);
    }
  }

  static constexpr std::int64_t kShortRow = 16384;
  static void block(const ReducedRows& x, std::byte* lanes, std::byte* out) {
    Acc* const to = reinterpret_cast<Acc*>(out);
    if (x.count * x.width * static_cast<std::int64_t>(sizeof(In)) <= kNarrowRows) return narrow_block(x, to);
    // Lanes of long rows apart keep more of the memory busy; those of short ones should not leave the nearest cache.
    const bool one_lane = R::kAnyOrder && x.width * static_cast<std::int64_t>(sizeof(In)) <= kShortRow;
    const std::int64_t used = one_lane ? 1 : L;
    const In* base = reinterpret_cast<const In*>(x.base);
    const auto lane = [&](std::int64_t l) { return reinterpret_cast<Acc*>(lanes) + l * x.width; };
    for (std::int64_t first = 0; first < x.count; first += 4 * used) {
      for (std::int64_t l = 0; l < used && first + l < x.count; ++l) {
        const In* row[4] = {};
        std::int64_t rows = 0;
        for (std::int64_t r = first + l; r < x.count && rows < 4; r += used) row[rows++] = base + x.offset[r];
        if (rows == 4) {
          first == 0 ? add_rows<4, true>(lane(l), row, x.width) : add_rows<4, false>(lane(l), row, x.width);
          continue;
        }
        first == 0 ? add_rows<1, true>(lane(l), row, x.width) : add_rows<1, false>(lane(l), row, x.width);
        for (std::int64_t r = 1; r < rows; ++r) add_rows<1, false>(lane(l), row + r, x.width);
      }
    }
    const std::int64_t filled = std::min(x.count, used);
    std::int64_t c = 0;
    for (; filled == L && c + kResults <= x.width; c += kResults) {
      Grid<L, 1> acc;
      for (std::int64_t l = 0; l < L; ++l) acc[l][0] = reload(lane(l) + c);
      fold_rows<L / 2, 1>(acc);
      store(acc[0][0], to + c);
    }
    if (c == x.width) return;
    for (std::int64_t half = used / 2; half > 0; half /= 2) {
      for (std::int64_t l = 0; l < half && l + half < filled; ++l) {
        combine_rows(lane(l) + c, lane(l + half) + c, (half == 1 ? to : lane(l)) + c, x.width - c);
      }
    }
    if (filled == 1 && out != lanes) std::memcpy(out, lanes, static_cast<std::size_t>(x.width) * sizeof(Acc));
  }

  static void combine_in_place(const std::byte* a, std::byte* b, std::int64_t width) {
    Acc* const out = reinterpret_cast<Acc*>(b);
    combine_rows(reinterpret_cast<const Acc*>(a), out, out, width);
  }
};

/// The table of a reducer.
template <class R>
constexpr ReduceLoops kLoops{
    .in_size = sizeof(typename R::In),
    .acc_size = sizeof(typename R::Acc),
    .block_length = TreeLoops<R>::kBlockLength,
    .lanes = TreeLoops<R>::L,
    .any_order = R::kAnyOrder,
    .empty = element_bytes(R::kEmpty),
    .runs = &TreeLoops<R>::runs,
    .block = &TreeLoops<R>::block,
    .combine = &TreeLoops<R>::combine_in_place,
    .settled = nullptr,
    .next = &kLoops<typename R::Next>,
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#endif
