// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The driver of reductions: which way to walk the tree of reduce_tree.hpp for a given layout, and how the work is
// shared.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/kernels/elementwise_loop.hpp"
#include "tenferro/cpu/kernels/reduce.hpp"
#include "tenferro/cpu/kernels/reduce_rows.hpp"
#include "tenferro/cpu/kernels/workspaces.hpp"

namespace tenferro::internal {

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
    constexpr std::int64_t kManyKept = 32;  // fewer results than this side by side are not worth rows
    if (plan_.reduces_runs()) {
      share(context, plan_.kept_count, [this](std::int64_t first, std::int64_t last) { along_runs(first, last); });
    } else if (plan_.keeps_runs() && plan_.kept_extent[0] >= kManyKept) {
      const RowShape shape(plan_.reduced_count, plan_.kept_extent[0]);
      const std::int64_t units = shape.tiles * outer_kept();
      Workspaces spaces(context, shape.bytes, units * pieces_);
      share(context, units, [this, &shape, &spaces](std::int64_t first, std::int64_t last) {
        across_rows(shape, spaces, first, last);
      });
    } else {
      const std::int64_t tiles = (near_kept() + kTogether - 1) / kTogether;
      share(context, tiles * outer_kept(),
            [this, tiles](std::int64_t first, std::int64_t last) { gathered(tiles, first, last); });
    }
    if (pieces_ > 1) join_pieces();
  }

 private:
  using RowShape = typename RowTree<R>::Shape;
  static constexpr std::int64_t kTogether = GatheredTrees<R>::kTogether;

  std::int64_t near_kept() const { return plan_.kept_rank > 0 ? plan_.kept_extent[0] : 1; }
  std::int64_t outer_kept() const { return plan_.kept_count / near_kept(); }
  std::int64_t near_out() const { return plan_.kept_rank > 0 ? plan_.kept_out[0] : 0; }
  std::int64_t near_in() const { return plan_.kept_rank > 0 ? plan_.kept_in[0] : 0; }

  // `units` of kept elements, each in pieces_ pieces; items are numbered with the piece running slowest.
  template <class F>
  void share(KernelContext& context, std::int64_t units, F body) {
    const std::int64_t items = units * pieces_;
    const double elements = static_cast<double>(plan_.kept_count) * static_cast<double>(plan_.reduced_count);
    const double ns =
        calibration::kReducedElementNs * elements + calibration::kReducedItemNs * static_cast<double>(items);
    if (ns < kSerialNs || items == 1) return body(0, items);
    context.parallel_for(items, ns / static_cast<double>(items), body);
  }

  std::int64_t piece_start(std::int64_t piece) const { return piece * kPiece<Acc>; }
  std::int64_t piece_size(std::int64_t piece) const {
    return std::min(kPiece<Acc>, plan_.reduced_count - piece_start(piece));
  }

  void along_runs(std::int64_t first, std::int64_t last) const {
    while (first < last) {
      const std::int64_t piece = first / plan_.kept_count;
      std::int64_t kept = first % plan_.kept_count;
      const std::int64_t end = std::min(plan_.kept_count, kept + last - first);
      first += end - kept;
      if (pieces_ == 1 && plan_.kept_rank == 1 && short_runs(kept, end)) continue;
      const std::int64_t start = piece_start(piece), size = piece_size(piece);
      for (KeptCursor at(plan_, kept); kept < end; ++kept, at.next()) {
        const Acc value = reduce_run<R>(in_ + at.in() + start, size);
        (pieces_ > 1 ? partial_[piece * plan_.kept_count + kept] : out_[at.out()]) = value;
      }
    }
  }

  // Results kept … end−1 of a few elements each; false where they are not so few.
  bool short_runs(std::int64_t kept, std::int64_t end) const {
    using Loop = void (*)(const In*, std::int64_t, Acc*, std::int64_t, std::int64_t);
    constexpr std::array<Loop, 9> kLoops{nullptr,
                                         nullptr,
                                         &reduce_short_runs<R, 2>,
                                         &reduce_short_runs<R, 3>,
                                         &reduce_short_runs<R, 4>,
                                         &reduce_short_runs<R, 5>,
                                         &reduce_short_runs<R, 6>,
                                         &reduce_short_runs<R, 7>,
                                         &reduce_short_runs<R, 8>};
    const auto n = static_cast<std::size_t>(plan_.reduced_count);
    if (n >= kLoops.size()) return false;
    const KeptCursor at(plan_, kept);
    kLoops[n](in_ + at.in(), plan_.kept_in[0], out_ + at.out(), plan_.kept_out[0], end - kept);
    return true;
  }

  void gathered(std::int64_t tiles, std::int64_t first, std::int64_t last) const {
    GatheredTrees<R> trees;
    std::array<Acc, static_cast<std::size_t>(kTogether)> results;
    const std::int64_t units = tiles * outer_kept();
    for (; first < last; ++first) {
      const std::int64_t piece = first / units, unit = first % units;
      const std::int64_t start = unit % tiles * kTogether, together = std::min(kTogether, near_kept() - start);
      const KeptCursor at(plan_, unit / tiles, 1);
      ReducedCursor cursor(plan_, piece_start(piece));
      trees.reduce(in_ + at.in() + start * near_in(), near_in(), together, cursor, piece_size(piece), results.data());
      store(piece, unit / tiles, start, together, at, results.data());
    }
  }

  void across_rows(const RowShape& shape, Workspaces& spaces, std::int64_t first, std::int64_t last) const {
    const Workspaces::Lease lease(spaces);
    RowTree<R> tree(shape, lease.data());
    const std::int64_t units = shape.tiles * outer_kept();
    for (; first < last; ++first) {
      const std::int64_t piece = first / units, unit = first % units;
      const std::int64_t start = unit % shape.tiles * shape.width;
      const std::int64_t width = std::min(shape.width, near_kept() - start);
      const KeptCursor at(plan_, unit / shape.tiles, 1);
      ReducedCursor cursor(plan_, piece_start(piece));
      const Acc* row = tree.reduce(in_ + at.in() + start, cursor, piece_size(piece), width);
      store(piece, unit / shape.tiles, start, width, at, row);
    }
  }

  // Results start … start+count−1 along the nearest kept axis, at place `outer` along the others.
  void store(std::int64_t piece, std::int64_t outer, std::int64_t start, std::int64_t count, const KeptCursor& at,
             const Acc* results) const {
    if (pieces_ > 1) {
      std::copy_n(results, count, partial_ + piece * plan_.kept_count + outer * near_kept() + start);
      return;
    }
    Acc* to = out_ + at.out() + start * near_out();
    for (std::int64_t i = 0; i < count; ++i) to[i * near_out()] = results[i];
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

/// R::map as a formula, for reductions over single elements.
template <class R>
struct MapFormula {
  typename R::Acc operator()(typename R::In x) const { return R::map(x); }
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

/// Small compact operands reduced over neighbouring axes, without any set-up; false if this is none.
template <class R>
bool reduce_small(const TensorRead& in, const TensorWrite& out, AxisSet axes) {
  using In = typename R::In;
  constexpr std::int64_t kFew = 512;
  if (!in.compact() || !out.compact()) return false;
  // The operand is before × inside × after, of which `inside` is reduced.
  std::int64_t before = 1, inside = 1, after = 1;
  for (std::size_t k = 0; k < in.rank(); ++k) {
    const std::int64_t extent = in.extents[k];
    if (!axes.contains(k)) {
      (inside > 1 ? after : before) *= extent;
    } else if (after > 1 && extent > 1) {
      return false;
    } else {
      inside *= extent;
    }
  }
  if (inside > kGroupElements || before * inside * after > kFew) return false;
  const In* x = in.as<In>();
  auto* to = out.as<typename R::Acc>();
  if (inside == 1) {
    for (std::int64_t i = 0; i < before * after; ++i) to[i] = R::map(x[i]);
  } else if (before == 1) {
    for (std::int64_t i = 0; i < after; ++i) to[i] = reduce_run<R>(x + i * inside, inside);
  } else {
    std::array<In, static_cast<std::size_t>(kGroupElements)> copy;
    for (; after > 0; --after, x += before * inside) {
      for (std::int64_t i = 0; i < before; ++i) {
        for (std::int64_t k = 0; k < inside; ++k) copy[static_cast<std::size_t>(k)] = x[i + k * before];
        *to++ = reduce_run<R>(copy.data(), inside);
      }
    }
  }
  return true;
}

/// The body of a reduction kernel.
template <class R>
void reduce_with(KernelContext& context, const Op& op, const TensorRead& in, const TensorWrite& out) {
  using Acc = typename R::Acc;
  const auto& attrs = op.as<ReduceAttrs>();
  if (in.count() == 0) {
    const StridedLoop<1> loop(out.shape(), {operand(out)});
    return loop.run_all([](const Run<1>& run) {
      for (std::int64_t i = 0; i < run.count; ++i) {
        *reinterpret_cast<Acc*>(run.data[0] + i * run.strides[0]) = R::empty();
      }
    });
  }
  if (reduce_small<R>(in, out, attrs.axes)) return;
  AxisSet axes;  // those that have something to reduce
  for (std::size_t k = 0; k < in.rank(); ++k) {
    if (attrs.axes.contains(k) && in.extents[k] > 1) axes.insert(k);
  }
  const Dims out_strides = reduced_output_strides(out, in.rank(), attrs.axes, attrs.keep_dims);
  if (axes.empty()) {
    TensorWrite target = out;
    target.extents = in.extents;
    target.axis_count = in.axis_count;
    target.strides = in.compact() && out.compact() ? nullptr : out_strides.data();
    return ElementwiseLoop<MapFormula<R>, true, typename R::In>::run(context, calibration::kCheapElementNs, {&in, 1},
                                                                     target);
  }
  const Dims strides = strides_of(in);
  reduce_groups<R>(context, in.as<typename R::In>(), in.shape(), strides.data(), axes, out.as<Acc>(),
                   out_strides.data());
}

}  // namespace tenferro::internal
