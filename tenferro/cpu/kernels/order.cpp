// SPDX-License-Identifier: MIT OR Apache-2.0
// sort, argsort and top_k along one axis. All are stable: equal elements (both zeros are equal) keep their order, and
// NaN comes last whatever the direction.
#include <algorithm>
#include <array>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/best_of_line.hpp"
#include "tenferro/cpu/kernels/kernel_row.hpp"
#include "tenferro/cpu/kernels/order_loops.hpp"
#include "tenferro/cpu/kernels/sort_pieces.hpp"
#include "tenferro/cpu/kernels/sort_positions.hpp"
#include "tenferro/cpu/kernels/strided_line.hpp"
#include "tenferro/cpu/kernels/workspaces.hpp"

namespace tenferro::internal {
namespace {

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
  StridedLine<T> line(std::int64_t number) const {
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

template <class Key>
bool in_order(const OrderLoops& loops, StridedLine<const Key> x, std::int64_t n) {
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
KeyFacts keys_of(const OrderLoops& loops, StridedLine<const Key> x, std::int64_t n, const SortPieces& pieces,
                 Key* keys) {
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
void sort_line(const OrderLoops& loops, StridedLine<const Key> x, StridedLine<Key> out, std::int64_t n,
               const SortPieces& pieces, bool descending, std::byte* scratch) {
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

/// The key of one element.
template <class Key>
Key key_of(const OrderLoops& loops, Key element) {
  Key key;
  loops.keys(reinterpret_cast<const std::byte*>(&element), 1, reinterpret_cast<std::byte*>(&key));
  return key;
}

/// put(i, position) for each of the positions of a line in order.
template <class Key, class F>
void argsort_line(const OrderLoops& loops, StridedLine<const Key> x, std::int64_t n, const SortPieces& pieces,
                  std::byte* scratch, F put) {
  if (in_order(loops, x, n)) {
    for (std::int64_t i = 0; i < n; ++i) put(i, i);
    return;
  }
  SortPositions positions(n, scratch);
  const KeyFacts facts = keys_of(loops, x, n, pieces, positions.keys<Key>());
  positions.sort<Key>(facts, pieces, [&](std::int64_t i) { return key_of(loops, x[i]); }, put);
}

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
  for_each_line(context, from, SortPositions::bytes(n),
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
  const bool few = 2 * BestOfLine<Key>::kept(k) <= n;
  for_each_line(context, from, few ? BestOfLine<Key>::bytes(k) : SortPositions::bytes(n),
                [&](std::int64_t number, const SortPieces& pieces, std::byte* scratch) {
                  const auto line = from.line<const Key>(number);
                  const auto value = to_values.line<Key>(number);
                  const auto place = to_positions.line<std::int64_t>(number);
                  const auto put = [&](std::int64_t i, std::int64_t position) {
                    if (i >= k) return;
                    place[i] = position;
                    value[i] = line[position];
                  };
                  if (few) return BestOfLine<Key>(context, loops, k, scratch).of(line, n, put);
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
