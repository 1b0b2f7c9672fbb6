// SPDX-License-Identifier: MIT OR Apache-2.0
// sort, argsort and top_k along one axis. All are stable: equal elements (both zeros are equal) keep their order, and
// NaN comes last whatever the direction.
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/kernel_row.hpp"
#include "tenferro/cpu/kernels/order_loops.hpp"
#include "tenferro/cpu/kernels/sort_pieces.hpp"
#include "tenferro/cpu/kernels/workspaces.hpp"

namespace tenferro::internal {
namespace {

/// Elements of one line and how far apart they are. The elements are moved as integers of their width.
template <class T>
struct Line {
  T* data;
  std::int64_t step;
  T& operator[](std::int64_t i) const { return data[i * step]; }
  Line from(std::int64_t first) const { return {data + first * step, step}; }
};

/// The lines of a tensor along one axis, numbered in column-major order of the other indices.
class Lines {
 public:
  Lines(const TensorRead& x, std::size_t axis)
      : data_(const_cast<std::byte*>(x.data)), axis_(axis), extents_(x.shape()), strides_(strides_of(x)) {
    for (std::size_t k = 0; k < extents_.size(); ++k) {
      if (k != axis) count_ *= extents_[k];
    }
  }

  std::int64_t count() const noexcept { return count_; }
  std::int64_t length() const noexcept { return extents_[axis_]; }
  template <class T>
  Line<T> line(std::int64_t number) const {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < extents_.size(); ++k) {
      if (k == axis_) continue;
      offset += number % extents_[k] * strides_[k];
      number /= extents_[k];
    }
    return {reinterpret_cast<T*>(data_) + offset, strides_[axis_]};
  }

 private:
  std::byte* data_;
  std::size_t axis_;
  Dims extents_, strides_;
  std::int64_t count_ = 1;
};

/// body(line number, pieces, scratch) for each line, with `bytes` of scratch: lines in parallel, or one after another
/// in pieces where that keeps more threads busy.
template <class F>
void for_each_line(KernelContext& context, const Lines& lines, std::int64_t bytes, F body) {
  constexpr std::int64_t kOnStack = 8192;
  if (lines.count() == 0 || lines.length() == 0) return;
  const bool in_pieces = SortPieces(context, lines.length()).count() > lines.count();
  Workspaces spaces(context, bytes > kOnStack ? static_cast<std::uint64_t>(bytes) : 0, in_pieces ? 1 : lines.count());
  const auto range = [&](std::int64_t first, std::int64_t last) {
    const SortPieces pieces(context, lines.length());
    const Workspaces::Lease lease(spaces);
    alignas(64) std::array<std::byte, static_cast<std::size_t>(kOnStack)> small;
    for (; first < last; ++first) body(first, pieces, bytes > kOnStack ? lease.data() : small.data());
  };
  const double ns_per_line = calibration::kSortedElementNs * static_cast<double>(lines.length() + 1);
  if (in_pieces || lines.count() == 1 || ns_per_line * static_cast<double>(lines.count()) < calibration::kSerialNs) {
    return range(0, lines.count());
  }
  context.parallel_for(lines.count(), ns_per_line, range);
}

/// Elements first … last−1 of a line, side by side: where they lie, or copied to `copy`.
template <class Key>
const std::byte* side_by_side(Line<const Key> x, std::int64_t n, Key* copy) {
  if (x.step != 1) {
    for (std::int64_t i = 0; i < n; ++i) copy[i] = x[i];
  }
  return reinterpret_cast<const std::byte*>(x.step == 1 ? x.data : copy);
}

template <class Key>
bool in_order(const OrderLoops& loops, Line<const Key> x, std::int64_t n) {
  if (x.step == 1) return loops.in_order(reinterpret_cast<const std::byte*>(x.data), n);
  constexpr std::int64_t kCopied = 256;
  std::array<Key, static_cast<std::size_t>(kCopied)> copy;
  for (std::int64_t first = 0; first + 1 < n; first += kCopied - 1) {
    const std::int64_t count = std::min(kCopied, n - first);
    if (!loops.in_order(side_by_side(x.from(first), count, copy.data()), count)) return false;
  }
  return true;
}

/// The keys of a line.
template <class Key>
KeyFacts keys_of(const OrderLoops& loops, Line<const Key> x, std::int64_t n, const SortPieces& pieces, Key* keys) {
  const auto piece_of = [&](std::int64_t first, std::int64_t count) {
    auto* const to = reinterpret_cast<std::byte*>(keys + first);
    return loops.keys(side_by_side(x.from(first), count, keys + first), count, to);
  };
  if (pieces.count() == 1) return piece_of(0, n);
  std::array<KeyFacts, static_cast<std::size_t>(SortPieces::kMost)> parts;
  pieces.each([&](std::int64_t piece, std::int64_t first, std::int64_t last) {
    parts[static_cast<std::size_t>(piece)] = piece_of(first, last - first);
  });
  for (std::int64_t p = 1; p < pieces.count(); ++p) parts[0] += parts[static_cast<std::size_t>(p)];
  return parts[0];
}

/// Of the bits of a float.
template <class Key>
bool is_zero(Key bits) {
  return static_cast<std::make_unsigned_t<Key>>(bits) << 1U == 0;
}
template <class Key>
bool is_nan(Key bits) {
  constexpr Key kInfinity = sizeof(Key) == 8 ? static_cast<Key>(0x7FF0'0000'0000'0000) : Key{0x7F80'0000};
  return (bits & std::numeric_limits<Key>::max()) > kInfinity;
}

// Keys alone go through the sort; elements that share a key and still differ (zeros of both signs, NaN with payloads)
// are put back in the order in which they stood.
template <class Key>
void sort_line(const OrderLoops& loops, Line<const Key> x, Line<Key> out, std::int64_t n, const SortPieces& pieces,
               bool descending, std::byte* scratch) {
  if (in_order(loops, x, n)) {
    if (x.step == 1 && out.step == 1) {
      std::memcpy(out.data, x.data, static_cast<std::size_t>(n) * sizeof(Key));
    } else {
      for (std::int64_t i = 0; i < n; ++i) out[i] = x[i];
    }
    return;
  }
  auto* const keys = reinterpret_cast<Key*>(scratch);
  const KeyFacts facts = keys_of(loops, x, n, pieces, keys);
  Key* const sorted = pieces.sort(keys, keys + sort_room(n),
                                  KeyRange<Key>{static_cast<Key>(facts.least), static_cast<Key>(facts.most)});
  const Key zero_key = descending ? Key{-1} : Key{0};
  std::int64_t zero = facts.negative_zero ? std::lower_bound(sorted, sorted + n, zero_key) - sorted : 0;
  pieces.each([&](std::int64_t, std::int64_t first, std::int64_t last) {
    auto* const from = sorted + first;
    auto* const to = out.step == 1 ? out.data + first : from;
    loops.elements(reinterpret_cast<const std::byte*>(from), last - first, reinterpret_cast<std::byte*>(to));
    for (std::int64_t i = first; out.step != 1 && i < last; ++i) out[i] = sorted[i];
  });
  std::int64_t nan = n - facts.nans;
  for (std::int64_t i = 0; nan < n; ++i) {
    if (is_nan(x[i])) out[nan++] = x[i];
  }
  for (std::int64_t i = 0; facts.negative_zero && i < n; ++i) {
    if (is_zero(x[i])) out[zero++] = x[i];
  }
}

/// Positions 0 … n−1 in the order of keys, equal ones in their own order: words of as many of the highest bits of a key
/// as fit beside a position are sorted, and words that agree in these bits by the whole keys. Keys and words take turns
/// in the same memory.
class Positions {
 public:
  /// Bytes for n positions.
  static std::int64_t bytes(std::int64_t n) { return 2 * sort_room(n) * std::int64_t{sizeof(std::int64_t)}; }

  Positions(std::int64_t n, std::byte* scratch) noexcept
      : n_(n),
        words_(reinterpret_cast<std::int64_t*>(scratch)),
        work_(words_ + sort_room(n)),
        position_bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)))) {}

  /// Where n keys are to be stored before sort is called.
  template <class Key>
  Key* keys() const noexcept {
    return reinterpret_cast<Key*>(work_);
  }

  /// put(i, position) for each i; key(position) is the key there.
  template <class Key, class F, class G>
  void sort(const KeyFacts& facts, const SortPieces& pieces, F key, G put) {
    const auto least = static_cast<std::uint64_t>(facts.least);
    const auto most = static_cast<std::uint64_t>(facts.most) - least;
    const int dropped = std::max(0, static_cast<int>(std::bit_width(most)) + position_bits_ - 63);
    pieces.each([&](std::int64_t, std::int64_t first, std::int64_t last) {
      const Key* const from = keys<Key>();
      for (std::int64_t i = first; i < last; ++i) {
        const std::uint64_t high = (static_cast<std::uint64_t>(std::int64_t{from[i]}) - least) >> dropped;
        words_[i] = static_cast<std::int64_t>(high << position_bits_ | static_cast<std::uint64_t>(i));
      }
    });
    const auto top = static_cast<std::int64_t>((most >> dropped << position_bits_) | mask());
    std::int64_t* const sorted = pieces.sort(words_, work_, {0, top, position_bits_});
    if (dropped > 0 && any_equal(sorted, pieces)) order_equal(sorted, key);
    pieces.each([&](std::int64_t, std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) put(i, position(sorted[i]));
    });
  }

 private:
  std::uint64_t mask() const noexcept { return (std::uint64_t{1} << position_bits_) - 1; }
  std::int64_t position(std::int64_t word) const noexcept { return word & static_cast<std::int64_t>(mask()); }

  std::int64_t high(std::int64_t word) const noexcept { return word >> position_bits_; }
  /// Whether some words differ in their positions alone.
  bool any_equal(const std::int64_t* words, const SortPieces& pieces) const {
    std::atomic<bool> any{false};
    pieces.each([&](std::int64_t, std::int64_t first, std::int64_t last) {
      std::int64_t equal = 0;
      for (std::int64_t i = std::max<std::int64_t>(first, 1); i < last; ++i) {
        equal += high(words[i - 1] ^ words[i]) == 0 ? 1 : 0;
      }
      if (equal > 0) any.store(true, std::memory_order_relaxed);
    });
    return any.load(std::memory_order_relaxed);
  }

  /// Such runs, by whole keys.
  template <class F>
  void order_equal(std::int64_t* words, F key) const {
    const auto comes_before = [&](std::int64_t a, std::int64_t b) {
      const auto x = key(position(a)), y = key(position(b));
      return x < y || (x == y && a < b);
    };
    for (std::int64_t first = 0, last = 0; first < n_; first = last) {
      bool ordered = true;
      for (last = first + 1; last < n_ && high(words[last]) == high(words[first]); ++last) {
        ordered = ordered && comes_before(words[last - 1], words[last]);
      }
      if (!ordered) std::sort(words + first, words + last, comes_before);
    }
  }

  std::int64_t n_;
  std::int64_t *words_, *work_;
  int position_bits_;
};

/// The key of one element.
template <class Key>
Key key_of(const OrderLoops& loops, Key element) {
  Key key;
  loops.keys(reinterpret_cast<const std::byte*>(&element), 1, reinterpret_cast<std::byte*>(&key));
  return key;
}

/// put(i, position) for each of the positions of a line in order.
template <class Key, class F>
void argsort_line(const OrderLoops& loops, Line<const Key> x, std::int64_t n, const SortPieces& pieces,
                  std::byte* scratch, F put) {
  if (in_order(loops, x, n)) {
    for (std::int64_t i = 0; i < n; ++i) put(i, i);
    return;
  }
  Positions positions(n, scratch);
  const KeyFacts facts = keys_of(loops, x, n, pieces, positions.keys<Key>());
  positions.sort<Key>(facts, pieces, [&](std::int64_t i) { return key_of(loops, x[i]); }, put);
}

/// The first k positions of a line in order, found in one pass: keys before the last of the best k so far join them,
/// and whenever there is no room left, the best k of all of these stay.
template <class Key>
class Best {
 public:
  /// Bytes for the best k; worth it if the line is much longer than what is kept.
  static std::int64_t kept(std::int64_t k) { return 4 * k + kAtOnce; }
  static std::int64_t bytes(std::int64_t k) {
    return Positions::bytes(kept(k)) + (kept(k) + k) * std::int64_t{sizeof(Candidate)};
  }

  Best(KernelContext& context, const OrderLoops& loops, std::int64_t k, std::byte* scratch) noexcept
      : context_(context),
        loops_(loops),
        k_(k),
        scratch_(scratch),
        kept_(reinterpret_cast<Candidate*>(scratch + Positions::bytes(kept(k)))),
        best_(kept_ + kept(k)) {}

  /// put(i, position) for the first k.
  template <class F>
  void of(Line<const Key> x, std::int64_t n, F put) {
    std::array<Key, static_cast<std::size_t>(kAtOnce)> keys;
    count_ = 0;
    Key last = std::numeric_limits<Key>::max();
    bool full = false;
    for (std::int64_t first = 0; first < n; first += kAtOnce) {
      const std::int64_t some = std::min(kAtOnce, n - first);
      const KeyFacts facts =
          loops_.keys(side_by_side(x.from(first), some, keys.data()), some, reinterpret_cast<std::byte*>(keys.data()));
      if (full && facts.least >= last) continue;
      for (std::int64_t i = 0; i < some; ++i) {
        kept_[count_] = {keys[static_cast<std::size_t>(i)], first + i};
        count_ += !full || kept_[count_].key < last ? 1 : 0;
      }
      if (count_ + kAtOnce <= kept(k_)) continue;
      keep_best();
      last = kept_[k_ - 1].key;
      full = true;
    }
    keep_best();
    for (std::int64_t i = 0; i < k_; ++i) put(i, kept_[i].position);
  }

 private:
  struct Candidate {
    Key key;
    std::int64_t position;
  };
  static constexpr std::int64_t kAtOnce = 256;

  // Candidates with equal keys stand in the order of their positions, before and after.
  void keep_best() {
    Positions positions(count_, scratch_);
    KeyFacts facts;
    for (std::int64_t i = 0; i < count_; ++i) {
      const Key key = kept_[i].key;
      positions.keys<Key>()[i] = key;
      facts.least = std::min<std::int64_t>(facts.least, key);
      facts.most = std::max<std::int64_t>(facts.most, key);
    }
    positions.sort<Key>(
        facts, SortPieces(context_, count_), [this](std::int64_t i) { return kept_[i].key; },
        [this](std::int64_t i, std::int64_t at) {
          if (i < k_) best_[i] = kept_[at];
        });
    count_ = std::min(count_, k_);
    std::copy_n(best_, count_, kept_);
  }

  KernelContext& context_;
  const OrderLoops& loops_;
  std::int64_t k_, count_ = 0;
  std::byte* scratch_;
  Candidate *kept_, *best_;
};

/// Elements of a real dtype are moved and compared as integers of their width.
template <class T>
using KeyOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <class Key>
void run_sort(KernelContext& context, const SortAttrs& attrs, const TensorRead& x, const TensorWrite& out) {
  const std::int64_t n = x.extents[attrs.axis];
  const Lines from(x, attrs.axis), to(out.read(), attrs.axis);
  const OrderLoops& loops = order_loops(x.dtype, attrs.descending);
  for_each_line(context, from, 2 * sort_room(n) * std::int64_t{sizeof(Key)},
                [&](std::int64_t number, const SortPieces& pieces, std::byte* scratch) {
                  sort_line(loops, from.line<const Key>(number), to.line<Key>(number), n, pieces, attrs.descending,
                            scratch);
                });
}

template <class Key>
void run_argsort(KernelContext& context, const SortAttrs& attrs, const TensorRead& x, const TensorWrite& out) {
  const std::int64_t n = x.extents[attrs.axis];
  const Lines from(x, attrs.axis), to(out.read(), attrs.axis);
  const OrderLoops& loops = order_loops(x.dtype, attrs.descending);
  for_each_line(context, from, Positions::bytes(n),
                [&](std::int64_t number, const SortPieces& pieces, std::byte* scratch) {
                  const auto line = to.line<std::int64_t>(number);
                  argsort_line(loops, from.line<const Key>(number), n, pieces, scratch,
                               [line](std::int64_t i, std::int64_t position) { line[i] = position; });
                });
}

template <class Key>
void run_top_k(KernelContext& context, const TopKAttrs& attrs, const TensorRead& x, const TensorWrite& values,
               const TensorWrite& positions) {
  const std::int64_t n = x.extents[attrs.axis], k = attrs.k;
  if (k == 0) return;
  const Lines from(x, attrs.axis), to_values(values.read(), attrs.axis), to_positions(positions.read(), attrs.axis);
  const OrderLoops& loops = order_loops(x.dtype, attrs.largest);
  const bool few = 2 * Best<Key>::kept(k) <= n;
  for_each_line(context, from, few ? Best<Key>::bytes(k) : Positions::bytes(n),
                [&](std::int64_t number, const SortPieces& pieces, std::byte* scratch) {
                  const auto line = from.line<const Key>(number);
                  const auto value = to_values.line<Key>(number);
                  const auto place = to_positions.line<std::int64_t>(number);
                  const auto put = [&](std::int64_t i, std::int64_t position) {
                    if (i >= k) return;
                    place[i] = position;
                    value[i] = line[position];
                  };
                  if (few) return Best<Key>(context, loops, k, scratch).of(line, n, put);
                  argsort_line(loops, line, n, pieces, scratch, put);
                });
}

template <class T>
struct SortKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    run_sort<KeyOf<T>>(context, op.as<SortAttrs>(), in[0], out[0]);
  }
};

template <class T>
struct ArgsortKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    run_argsort<KeyOf<T>>(context, op.as<SortAttrs>(), in[0], out[0]);
  }
};

template <class T>
struct TopKKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    run_top_k<KeyOf<T>>(context, op.as<TopKAttrs>(), in[0], out[0], out[1]);
  }
};

constexpr CpuKernelTable kTable{kernel_row<OpKind::sort, SortKernel>(), kernel_row<OpKind::argsort, ArgsortKernel>(),
                                kernel_row<OpKind::top_k, TopKKernel>()};
TENFERRO_COVERS(kTable, OpCategory::order);

}  // namespace

constinit const CpuKernelTable kOrderKernels = kTable;

}  // namespace tenferro::internal
