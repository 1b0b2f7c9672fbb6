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
// Algorithms", 4.2), and every memory layout and number of threads gives the same bits. There are three ways to walk
// the tree: along elements that lie side by side, across many results that lie side by side, and through a copy.
//
// A reducer R gives In, Acc, map(In) → Acc, combine(Acc, Acc) → Acc, empty() and the reducer Next of partial results.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/reduce.hpp"
#include "tenferro/cpu/kernels/reduce_plan.hpp"
#include "tenferro/cpu/kernels/strided_loop.hpp"
#include "tenferro/ops/scalar_functions.hpp"

namespace tenferro::internal {

/// A row of a block is 64 bytes: one wide vector register.
template <class Acc>
inline constexpr std::int64_t kLanes = 64 / static_cast<std::int64_t>(sizeof(Acc));
inline constexpr std::int64_t kRows = 16;
template <class Acc>
inline constexpr std::int64_t kBlock = kRows * kLanes<Acc>;
/// Blocks of one piece of work; a power of two, so that pieces are subtrees.
inline constexpr std::int64_t kBlocksPerPiece = 256;
template <class Acc>
inline constexpr std::int64_t kPiece = kBlocksPerPiece * kBlock<Acc>;

/// Combines values 0, 1, 2, … in pairs of pairs; the tree depends on their number alone. Room for 2^levels values.
template <class R, std::size_t levels>
class PairwiseTree {
 public:
  using Acc = typename R::Acc;
  void push(Acc value) {
    for (std::int64_t carry = pushed_++; (carry & 1) != 0; carry >>= 1) value = R::combine(stack_[--top_], value);
    stack_[top_++] = value;
  }
  Acc result() {
    Acc value = stack_[--top_];
    while (top_ > 0) value = R::combine(stack_[--top_], value);
    return value;
  }

 private:
  std::array<Acc, levels + 1> stack_;
  std::size_t top_ = 0;
  std::int64_t pushed_ = 0;
};

/// One block of n elements, 0 < n ≤ kBlock, that lie side by side.
template <class R>
typename R::Acc reduce_block(const typename R::In* x, std::int64_t n) {
  using Acc = typename R::Acc;
  constexpr std::int64_t L = kLanes<Acc>;
  if (n == 1) return R::map(x[0]);
  std::array<Acc, static_cast<std::size_t>(L)> lanes;
  Acc* const lane = lanes.data();
  if (n < L) {
    for (std::int64_t l = 0; l < n; ++l) lane[l] = R::map(x[l]);
    for (std::int64_t half = L / 2; half > 0; half /= 2) {
      for (std::int64_t l = 0; l < half && l + half < n; ++l) lane[l] = R::combine(lane[l], lane[l + half]);
    }
    return lane[0];
  }
  for (std::int64_t l = 0; l < L; ++l) lane[l] = R::map(x[l]);
  std::int64_t first = L;
  for (; first + L <= n; first += L) {
    for (std::int64_t l = 0; l < L; ++l) lane[l] = R::combine(lane[l], R::map(x[first + l]));
  }
  for (std::int64_t l = 0; first + l < n; ++l) lane[l] = R::combine(lane[l], R::map(x[first + l]));
  for (std::int64_t half = L / 2; half > 0; half /= 2) {
    for (std::int64_t l = 0; l < half; ++l) lane[l] = R::combine(lane[l], lane[l + half]);
  }
  return lane[0];
}

/// The tree over n elements that lie side by side, n ≤ kPiece.
template <class R>
typename R::Acc reduce_run(const typename R::In* x, std::int64_t n) {
  constexpr std::int64_t block = kBlock<typename R::Acc>;
  if (n <= block) return reduce_block<R>(x, n);
  PairwiseTree<R, 8> tree;
  for (std::int64_t first = 0; first < n; first += block) {
    tree.push(reduce_block<R>(x + first, std::min(block, n - first)));
  }
  return tree.result();
}

/// The tree over the n elements that a cursor names next, copied block by block.
template <class R>
typename R::Acc reduce_gathered(const typename R::In* base, ReducedCursor& cursor, std::int64_t n) {
  constexpr std::int64_t block = kBlock<typename R::Acc>;
  std::array<typename R::In, static_cast<std::size_t>(block)> copy;
  PairwiseTree<R, 8> tree;
  for (std::int64_t first = 0; first < n; first += block) {
    const std::int64_t count = std::min(block, n - first);
    typename R::In* to = copy.data();
    cursor.runs(count, [&](std::int64_t offset, std::int64_t stride, std::int64_t length) {
      const typename R::In* from = base + offset;
      for (std::int64_t i = 0; i < length; ++i) to[i] = from[i * stride];
      to += length;
    });
    tree.push(reduce_block<R>(copy.data(), count));
  }
  return tree.result();
}

/// The tree of many results at once, whose elements lie side by side: a row is what all of them have at one reduced
/// index, and every combination is one of rows.
template <class R>
class RowTree {
 public:
  using In = typename R::In;
  using Acc = typename R::Acc;
  static constexpr std::int64_t kWidth = 2048 / static_cast<std::int64_t>(sizeof(Acc));

  /// The tree over the n rows of `width` ≤ kWidth elements that a cursor names next; valid until the next call.
  const Acc* reduce(const In* base, ReducedCursor& cursor, std::int64_t n, std::int64_t width) {
    constexpr std::int64_t block = kBlock<Acc>;
    std::size_t top = 0;
    std::int64_t index = 0;
    for (std::int64_t first = 0; first < n; first += block, ++index) {
      const std::int64_t count = std::min(block, n - first);
      std::int64_t* to = offset_.data();
      cursor.runs(count, [&](std::int64_t offset, std::int64_t stride, std::int64_t length) {
        for (std::int64_t i = 0; i < length; ++i) to[i] = offset + i * stride;
        to += length;
      });
      reduce_block_rows(base, count, width);
      Acc* value = lane_[0].data();
      for (std::int64_t carry = index; (carry & 1) != 0; carry >>= 1)
        combine(stack_[--top].data(), value, value, width);
      if (first + block < n || top > 0) std::copy_n(value, width, stack_[top++].data());
    }
    if (top == 0) return lane_[0].data();
    Acc* value = stack_[--top].data();
    while (top > 0) combine(stack_[--top].data(), value, value, width);
    return value;
  }

 private:
  static constexpr std::int64_t kStrip = kLanes<Acc>;
  using Row = std::array<Acc, static_cast<std::size_t>(kWidth)>;

  static void combine(const Acc* a, const Acc* b, Acc* out, std::int64_t width) {
    for (std::int64_t i = 0; i < width; ++i) out[i] = R::combine(a[i], b[i]);
  }

  // Row lane_[0] becomes the block over rows offset_[0 … n−1].
  void reduce_block_rows(const In* base, std::int64_t n, std::int64_t width) {
    constexpr std::int64_t L = kLanes<Acc>;
    const std::int64_t lanes = std::min(n, L);
    for (std::int64_t l = 0; l < lanes; ++l) reduce_lane(base, l, n, width);
    for (std::int64_t half = L / 2; half > 0; half /= 2) {
      for (std::int64_t l = 0; l < half && l + half < lanes; ++l) {
        Acc* low = lane_[static_cast<std::size_t>(l)].data();
        combine(low, lane_[static_cast<std::size_t>(l + half)].data(), low, width);
      }
    }
  }

  // Lane l of each result over rows l, l + L, l + 2L, … of the block; strip by strip, so that sums stay in registers.
  void reduce_lane(const In* base, std::int64_t l, std::int64_t n, std::int64_t width) {
    constexpr std::int64_t L = kLanes<Acc>;
    const std::int64_t* offset = offset_.data() + l;
    Acc* out = lane_[static_cast<std::size_t>(l)].data();
    std::int64_t i = 0;
    for (; i + kStrip <= width; i += kStrip) {
      std::array<Acc, static_cast<std::size_t>(kStrip)> strips;
      Acc* const strip = strips.data();
      const In* x = base + offset[0] + i;
      for (std::int64_t s = 0; s < kStrip; ++s) strip[s] = R::map(x[s]);
      for (std::int64_t row = L; l + row < n; row += L) {
        x = base + offset[row] + i;
        for (std::int64_t s = 0; s < kStrip; ++s) strip[s] = R::combine(strip[s], R::map(x[s]));
      }
      for (std::int64_t s = 0; s < kStrip; ++s) out[i + s] = strip[s];
    }
    for (; i < width; ++i) {
      Acc value = R::map(base[offset[0] + i]);
      for (std::int64_t row = L; l + row < n; row += L) value = R::combine(value, R::map(base[offset[row] + i]));
      out[i] = value;
    }
  }

  std::array<std::int64_t, static_cast<std::size_t>(kBlock<Acc>)> offset_;
  std::array<Row, static_cast<std::size_t>(kLanes<Acc>)> lane_;
  std::array<Row, 10> stack_;
};

/// Reduces one group of axes. Results go to `out` by the plan's strides.
template <class R>
class ReducePass {
 public:
  using In = typename R::In;
  using Acc = typename R::Acc;

  ReducePass(const ReducePlan& plan, const In* in, Acc* out) noexcept : plan_(plan), in_(in), out_(out) {}

  void run(KernelContext& context) {
    if (plan_.kept_count == 0) return;
    pieces_ = (plan_.reduced_count + kPiece<Acc> - 1) / kPiece<Acc>;
    Buffer partial;
    if (pieces_ > 1) {
      partial = context.scratch(static_cast<std::uint64_t>(pieces_ * plan_.kept_count) * sizeof(Acc));
      partial_ = reinterpret_cast<Acc*>(partial.data());
    }
    constexpr std::int64_t kFewKept = 4;  // fewer results than this side by side are not worth rows
    if (plan_.reduces_runs()) {
      share(context, plan_.kept_count, [this](std::int64_t first, std::int64_t last) { along_runs(first, last); });
    } else if (plan_.keeps_runs() && plan_.kept_extent[0] >= kFewKept) {
      const std::int64_t tiles = (plan_.kept_extent[0] + kWidth - 1) / kWidth;
      share(context, tiles * (plan_.kept_count / plan_.kept_extent[0]),
            [this, tiles](std::int64_t first, std::int64_t last) { across_rows(tiles, first, last); });
    } else {
      share(context, plan_.kept_count, [this](std::int64_t first, std::int64_t last) { gathered(first, last); });
    }
    if (pieces_ > 1) join_pieces();
  }

 private:
  static constexpr std::int64_t kWidth = RowTree<R>::kWidth;

  // `units` of kept elements, each in pieces_ pieces; items are numbered with the piece running slowest.
  template <class F>
  void share(KernelContext& context, std::int64_t units, F body) {
    const std::int64_t items = units * pieces_;
    const double elements = static_cast<double>(plan_.kept_count) * static_cast<double>(plan_.reduced_count);
    const double ns = 0.4 * elements + 10 * static_cast<double>(items);
    if (ns < kSerialNs || items == 1) return body(0, items);
    context.parallel_for(items, ns / static_cast<double>(items), body);
  }

  std::int64_t piece_start(std::int64_t piece) const { return piece * kPiece<Acc>; }
  std::int64_t piece_size(std::int64_t piece) const {
    return std::min(kPiece<Acc>, plan_.reduced_count - piece_start(piece));
  }
  Acc& target(std::int64_t piece, std::int64_t kept, std::int64_t out_offset) const {
    return pieces_ > 1 ? partial_[piece * plan_.kept_count + kept] : out_[out_offset];
  }

  void along_runs(std::int64_t first, std::int64_t last) const {
    each_kept(first, last, [this](std::int64_t piece, const In* base) {
      return reduce_run<R>(base + piece_start(piece), piece_size(piece));
    });
  }

  void gathered(std::int64_t first, std::int64_t last) const {
    each_kept(first, last, [this](std::int64_t piece, const In* base) {
      ReducedCursor cursor(plan_, piece_start(piece));
      return reduce_gathered<R>(base, cursor, piece_size(piece));
    });
  }

  template <class F>
  void each_kept(std::int64_t first, std::int64_t last, F value) const {
    while (first < last) {
      const std::int64_t piece = first / plan_.kept_count;
      std::int64_t kept = first % plan_.kept_count;
      const std::int64_t end = std::min(plan_.kept_count, kept + last - first);
      first += end - kept;
      for (KeptCursor at(plan_, kept); kept < end; ++kept, at.next()) {
        target(piece, kept, at.out()) = value(piece, in_ + at.in());
      }
    }
  }

  void across_rows(std::int64_t tiles, std::int64_t first, std::int64_t last) const {
    RowTree<R> tree;
    const std::int64_t extent = plan_.kept_extent[0];
    const std::int64_t units = tiles * (plan_.kept_count / extent);
    for (; first < last; ++first) {
      const std::int64_t piece = first / units, unit = first % units;
      const std::int64_t start = unit % tiles * kWidth, width = std::min(kWidth, extent - start);
      const KeptCursor at(plan_, unit / tiles, 1);
      ReducedCursor cursor(plan_, piece_start(piece));
      const Acc* row = tree.reduce(in_ + at.in() + start, cursor, piece_size(piece), width);
      if (pieces_ > 1) {
        std::copy_n(row, width, partial_ + piece * plan_.kept_count + unit / tiles * extent + start);
      } else {
        Acc* to = out_ + at.out() + start * plan_.kept_out[0];
        for (std::int64_t i = 0; i < width; ++i) to[i * plan_.kept_out[0]] = row[i];
      }
    }
  }

  void join_pieces() const {
    KeptCursor at(plan_, 0);
    for (std::int64_t kept = 0; kept < plan_.kept_count; ++kept, at.next()) {
      PairwiseTree<R, 62> tree;
      for (std::int64_t piece = 0; piece < pieces_; ++piece) tree.push(partial_[piece * plan_.kept_count + kept]);
      out_[at.out()] = tree.result();
    }
  }

  const ReducePlan& plan_;
  const In* in_;
  Acc* out_;
  std::int64_t pieces_ = 1;
  Acc* partial_ = nullptr;
};

/// Reduces the axes `rest`, of which none of the groups before is one; x has extents `extents`.
template <class R>
void reduce_groups(KernelContext& context, const typename R::In* x, DimsView extents, const std::int64_t* strides,
                   AxisSet rest, typename R::Acc* out, const std::int64_t* out_strides) {
  using Acc = typename R::Acc;
  const AxisSet group = next_group(extents, rest);
  if (group == rest) {
    const ReducePlan plan(extents, strides, out_strides, group);
    return ReducePass<R>(plan, x, out).run(context);
  }
  Dims left(extents);
  std::int64_t count = 1;
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (group.contains(k)) left[k] = 1;
    count *= left[k];
  }
  const Dims between = col_major_strides(left);
  Buffer work = context.scratch(static_cast<std::uint64_t>(count) * sizeof(Acc));
  auto* const partial = reinterpret_cast<Acc*>(work.data());
  const ReducePlan plan(extents, strides, between.data(), group);
  ReducePass<R>(plan, x, partial).run(context);
  reduce_groups<typename R::Next>(context, partial, left, between.data(), AxisSet(rest.bits() & ~group.bits()), out,
                                  out_strides);
}

/// The body of a reduction kernel.
template <class R>
void reduce_with(KernelContext& context, const Op& op, const TensorRead& in, const TensorWrite& out) {
  using Acc = typename R::Acc;
  const auto& attrs = op.as<ReduceAttrs>();
  const Dims out_strides = reduced_output_strides(out, in.rank(), attrs.axes, attrs.keep_dims);
  if (in.count() == 0) {
    const StridedLoop<1> loop(out.shape(), {operand(out)});
    return loop.run_all([](const Run<1>& run) {
      for (std::int64_t i = 0; i < run.count; ++i)
        *reinterpret_cast<Acc*>(run.data[0] + i * run.strides[0]) = R::empty();
    });
  }
  const Dims strides = in.strides != nullptr ? Dims(DimsView(in.strides, in.rank())) : col_major_strides(in.shape());
  reduce_groups<R>(context, in.as<typename R::In>(), in.shape(), strides.data(), attrs.axes, out.as<Acc>(),
                   out_strides.data());
}

}  // namespace tenferro::internal
