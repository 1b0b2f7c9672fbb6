// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/reduce_driver.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/reduce_plan.hpp"
#include "tenferro/cpu/kernels/reduce_tree.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/cpu/kernels/workspaces.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {
namespace {

/// Pieces of one result's elements are subtrees of this many blocks; any power of two gives the same bits.
constexpr std::int64_t kBlocksPerPiece = 256;
/// Rows are read in pieces of about this many bytes.
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 22;
/// All lanes of a tile of rows together fill a quarter of a megabyte, so that they stay in the second-level cache.
constexpr std::int64_t kWidest = (std::int64_t{1} << 18) / 64;
/// Results at once where blocks are copied, so that neighbours share cache lines.
constexpr std::int64_t kTogether = 16;

/// The tree over blocks whose results are rows of `width`, in memory for `lanes` rows and the levels of the tree.
class BlockTree {
 public:
  static constexpr std::uint64_t kPage = 4096;

  /// Bytes that the tree over `reduced` elements needs for rows of `width` results.
  static std::uint64_t bytes(const ReduceLoops& loops, std::int64_t reduced, std::int64_t width) {
    return static_cast<std::uint64_t>((std::min(reduced, loops.lanes) + levels(loops, reduced)) * width *
                                      loops.acc_size) +
           kPage;
  }
  /// `x` is where the elements lie: the lanes start half a page away from them, for a store delays loads of addresses
  /// that end in the same twelve bits.
  BlockTree(const ReduceLoops& loops, std::int64_t reduced, std::int64_t width, const std::byte* x,
            std::byte* work) noexcept
      : loops_(loops), width_(width) {
    const std::uintptr_t ahead = reinterpret_cast<std::uintptr_t>(x) - reinterpret_cast<std::uintptr_t>(work);
    work += (ahead + kPage / 2) % kPage / 64 * 64;
    lanes_ = work;
    work += std::min(reduced, loops.lanes) * width * loops.acc_size;
    const std::int64_t count = levels(loops, reduced);
    for (std::int64_t k = 0; k < count; ++k) row_[static_cast<std::size_t>(k)] = work + k * width * loops.acc_size;
  }

  std::byte* lanes() const noexcept { return lanes_; }
  /// The tree over n elements; block(count, out) makes the row of the next `count` of them.
  template <class F>
  const std::byte* reduce(std::int64_t n, F&& block) {
    std::size_t top = 0;
    const auto join = [this](std::size_t rows) {  // the younger row takes the older one in; the rows that are left
      loops_.combine(row_[rows - 2], row_[rows - 1], width_);
      std::swap(row_[rows - 2], row_[rows - 1]);
      return rows - 1;
    };
    for (std::int64_t index = 0; n > 0; n -= loops_.block_length, ++index) {
      block(std::min(n, loops_.block_length), row_[top++]);
      for (std::int64_t carry = index; (carry & 1) != 0; carry >>= 1) top = join(top);
      if (loops_.settled != nullptr && loops_.settled(row_[top - 1], width_)) return row_[top - 1];
    }
    while (top > 1) top = join(top);
    return row_[0];
  }

 private:
  static std::int64_t levels(const ReduceLoops& loops, std::int64_t reduced) {
    const auto blocks = static_cast<std::uint64_t>((reduced + loops.block_length - 1) / loops.block_length);
    return static_cast<std::int64_t>(std::bit_width(blocks)) + 1;
  }

  const ReduceLoops& loops_;
  std::int64_t width_;
  std::byte* lanes_;
  std::array<std::byte*, 16> row_;
};

/// Reduces one group of axes. Results go to `out` by the plan's strides.
class ReducePass {
 public:
  ReducePass(const ReduceLoops& loops, const ReducePlan& plan, const std::byte* in, std::byte* out) noexcept
      : loops_(loops), plan_(plan), in_(in), out_(out) {
    if (plan.kept_rank > 0) {
      near_ = plan.kept_extent[0];
      near_in_ = plan.kept_in[0] * loops.in_size;
      near_out_ = plan.kept_out[0] * loops.acc_size;
    }
    outer_ = plan.kept_count / std::max<std::int64_t>(near_, 1);
  }

  void run(KernelContext& context) {
    if (plan_.kept_count == 0) return;
    if (plan_.reduces_runs()) {
      cut(context, kBlocksPerPiece);
      share(context, plan_.kept_count, [this](std::int64_t first, std::int64_t last) { along_runs(first, last); });
    } else if (near_in_ == loops_.in_size && near_ * loops_.acc_size >= 64) {
      tiles_ = (near_ + kWidest - 1) / kWidest;
      width_ = (near_ + tiles_ - 1) / tiles_;
      const std::int64_t block_bytes = loops_.block_length * width_ * loops_.in_size;
      assert(block_bytes > 0);
      cut(context, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(
                       std::clamp<std::int64_t>(kPieceBytes / block_bytes, 1, kBlocksPerPiece)))));
      in_tiles(context, BlockTree::bytes(loops_, piece_, width_), &ReducePass::rows);
    } else {
      cut(context, kBlocksPerPiece);
      tiles_ = (near_ + kTogether - 1) / kTogether;
      width_ = std::min(near_, kTogether);
      in_tiles(context, BlockTree::bytes(loops_, piece_, width_) + copies_size() * static_cast<std::uint64_t>(width_),
               &ReducePass::copies);
    }
    if (pieces_ > 1) join_pieces();
  }

 private:
  // Where results go, `step` bytes apart.
  struct Target {
    std::byte* data;
    std::int64_t step;
  };

  void cut(KernelContext& context, std::int64_t blocks) {
    piece_ = std::min(blocks * loops_.block_length, plan_.reduced_count);
    pieces_ = (plan_.reduced_count + piece_ - 1) / piece_;
    if (pieces_ == 1) return;
    partial_ = context.scratch(static_cast<std::uint64_t>(pieces_ * plan_.kept_count * loops_.acc_size));
  }
  std::int64_t piece_size(std::int64_t piece) const { return std::min(piece_, plan_.reduced_count - piece * piece_); }

  // `units` of kept elements, each in pieces_ pieces; items are numbered with the piece running slowest.
  template <class F>
  void share(KernelContext& context, std::int64_t units, F body) {
    const std::int64_t items = units * pieces_;
    const double bytes = static_cast<double>(plan_.kept_count) * static_cast<double>(plan_.reduced_count) *
                         static_cast<double>(loops_.in_size);
    const double ns = calibration::kReducedByteNs * bytes + calibration::kReducedItemNs * static_cast<double>(items);
    if (ns < calibration::kSerialNs || items == 1) return body(0, items);
    context.parallel_for(items, ns / static_cast<double>(items), body);
  }

  // Result start + i along the nearest kept axis at place `outer` along the others, of one piece.
  Target target(std::int64_t piece, std::int64_t outer, std::int64_t start, const KeptCursor& at) {
    if (pieces_ == 1) return {out_ + at.out() * loops_.acc_size + start * near_out_, near_out_};
    return {partial_.data() + (piece * plan_.kept_count + outer * near_ + start) * loops_.acc_size, loops_.acc_size};
  }

  void along_runs(std::int64_t first, std::int64_t last) {
    while (first < last) {
      const std::int64_t piece = first / plan_.kept_count, end = std::min(last, (piece + 1) * plan_.kept_count);
      std::int64_t outer = first % plan_.kept_count / near_, start = first % near_;
      for (KeptCursor at(plan_, outer, 1); first < end; at.next(), ++outer, start = 0) {
        const std::int64_t count = std::min(near_ - start, end - first);
        const Target to = target(piece, outer, start, at);
        const std::byte* x = in_ + (at.in() + piece * piece_) * loops_.in_size + start * near_in_;
        if (pieces_ > 1 && decided_.load(std::memory_order_relaxed)) {
          std::memcpy(to.data, loops_.empty.data(), static_cast<std::size_t>(loops_.acc_size));
        } else {
          loops_.runs({x, near_in_, piece_size(piece)}, to.data, to.step, count);
          if (loops_.settled != nullptr && plan_.kept_count == 1 && loops_.settled(to.data, 1)) {
            decided_.store(true, std::memory_order_relaxed);
          }
        }
        first += count;
      }
    }
  }

  using TileBody = const std::byte* (ReducePass::*)(BlockTree&, ReducedCursor&, const std::byte* x, std::int64_t n,
                                                    std::int64_t width, std::byte* work) const;
  // Tiles of up to width_ neighbouring results; `reduce` makes a row of them from elements at x on.
  void in_tiles(KernelContext& context, std::uint64_t bytes, TileBody reduce) {
    const std::int64_t units = tiles_ * outer_;
    Workspaces spaces(context, bytes, units * pieces_);
    share(context, units, [&, this](std::int64_t first, std::int64_t last) {
      const Workspaces::Lease lease(spaces);
      for (; first < last; ++first) {
        const std::int64_t piece = first / units, unit = first % units;
        const std::int64_t start = unit % tiles_ * width_, width = std::min(width_, near_ - start);
        const KeptCursor at(plan_, unit / tiles_, 1);
        ReducedCursor cursor(plan_, piece * piece_);
        const std::byte* const x = in_ + at.in() * loops_.in_size + start * near_in_;
        BlockTree tree(loops_, piece_, width, x, lease.data());
        const std::byte* row = (this->*reduce)(tree, cursor, x, piece_size(piece), width, lease.data());
        const Target to = target(piece, unit / tiles_, start, at);
        copy_run(loops_.acc_size, width, row, loops_.acc_size, to.data, to.step);
      }
    });
  }

  const std::byte* rows(BlockTree& tree, ReducedCursor& cursor, const std::byte* x, std::int64_t n, std::int64_t width,
                        std::byte*) const {
    std::array<std::int64_t, static_cast<std::size_t>(kBlockBytes)> offset;
    return tree.reduce(n, [&](std::int64_t count, std::byte* out) {
      ReducedRows block{x, offset.data(), count, width, false, 0};
      std::int64_t* to = offset.data();
      cursor.runs(count, [&](std::int64_t from, std::int64_t step, std::int64_t length) {
        for (std::int64_t i = 0; i < length; ++i) to[i] = from + i * step;
        to += length;
        block.even = length == count;
        block.step = step;
      });
      loops_.block(block, tree.lanes(), out);
    });
  }

  std::uint64_t copies_size() const {
    return static_cast<std::uint64_t>(std::min(piece_, loops_.block_length) * loops_.in_size);
  }
  // Blocks are copied side by side, unless they lie so.
  const std::byte* copies(BlockTree& tree, ReducedCursor& cursor, const std::byte* x, std::int64_t n,
                          std::int64_t width, std::byte* work) const {
    const std::int64_t size = loops_.in_size, apart = static_cast<std::int64_t>(copies_size());
    std::byte* const copy = work + BlockTree::bytes(loops_, piece_, width_);
    return tree.reduce(n, [&](std::int64_t count, std::byte* out) {
      ReducedRuns runs{copy, apart, count};
      std::int64_t done = 0;
      cursor.runs(count, [&](std::int64_t from, std::int64_t step, std::int64_t length) {
        if (step == 1 && length == count) {
          runs = {x + from * size, near_in_, count};
          return;
        }
        for (std::int64_t j = 0; j < width; ++j) {
          copy_run(size, length, x + from * size + j * near_in_, step * size, copy + j * apart + done * size, size);
        }
        done += length;
      });
      loops_.runs(runs, out, loops_.acc_size, width);
    });
  }

  // Rows of partial results, one a piece, in pairs of pairs; the first becomes the result.
  void join_pieces() {
    const std::int64_t row = plan_.kept_count * loops_.acc_size;
    std::int64_t last = 0;
    // The younger row of a pair gets the result, so that of pieces p … p + 2·step − 1 it is the one of the last half.
    for (std::int64_t step = 1; step < pieces_; step *= 2) {
      for (std::int64_t p = 0; p + step < pieces_; p += 2 * step) {
        std::byte* const older = partial_.data() + p * row;
        std::byte* const younger = older + step * row;
        loops_.combine(older, younger, plan_.kept_count);
        std::memcpy(older, younger, static_cast<std::size_t>(row));
      }
    }
    KeptCursor at(plan_, 0, 1);
    for (; last < plan_.kept_count; last += near_, at.next()) {
      copy_run(loops_.acc_size, near_, partial_.data() + last * loops_.acc_size, loops_.acc_size,
               out_ + at.out() * loops_.acc_size, near_out_);
    }
  }

  const ReduceLoops& loops_;
  const ReducePlan& plan_;
  const std::byte* in_;
  std::byte* out_;
  // Along the nearest kept axis: its length and its steps in bytes; and the number of places along the others.
  std::int64_t near_ = 1, near_in_ = 0, near_out_ = 0, outer_ = 1;
  std::int64_t tiles_ = 1, width_ = 1;
  std::int64_t piece_ = 1, pieces_ = 1;
  Buffer partial_;
  std::atomic<bool> decided_{false};
};

/// Reduces the axes `rest`, of which none of the groups before is one.
void reduce_groups(const ReduceLoops& loops, KernelContext& context, const std::byte* x, DimsView extents,
                   const std::int64_t* strides, AxisSet rest, std::byte* out, const std::int64_t* out_strides) {
  const AxisSet group = next_group(extents, rest);
  if (group == rest) {
    const ReducePlan plan(extents, strides, out_strides, group);
    return ReducePass(loops, plan, x, out).run(context);
  }
  Dims left(extents);
  std::int64_t count = 1;
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (group.contains(k)) left[k] = 1;
    count *= left[k];
  }
  const Dims between = col_major_strides(left);
  Buffer partial = context.scratch(static_cast<std::uint64_t>(count * loops.acc_size));
  const ReducePlan plan(extents, strides, between.data(), group);
  ReducePass(loops, plan, x, partial.data()).run(context);
  reduce_groups(*loops.next, context, partial.data(), left, between.data(), AxisSet(rest.bits() & ~group.bits()), out,
                out_strides);
}

/// Puts axes in the order of memory, lets reduced ones run forwards and joins them, for operations that allow any
/// order; the offset of the first element after that.
std::int64_t follow_memory(Dims& extents, Dims& strides, Dims& out_strides, AxisSet& axes) {
  const std::size_t rank = extents.size();
  std::int64_t origin = 0;
  std::array<bool, kMaxRank> reduced;
  for (std::size_t k = 0; k < rank; ++k) {
    reduced[k] = axes.contains(k);
    if (extents[k] == 1) strides[k] = 0;  // of no consequence, however long
    if (!reduced[k] || strides[k] >= 0) continue;
    origin += strides[k] * (extents[k] - 1);
    strides[k] = -strides[k];
  }
  AxisSet sorted;
  for (std::size_t k = 0; k < rank; ++k) {
    for (std::size_t i = k; i > 0 && std::abs(strides[i]) < std::abs(strides[i - 1]); --i) {
      std::swap(extents[i], extents[i - 1]);
      std::swap(strides[i], strides[i - 1]);
      std::swap(out_strides[i], out_strides[i - 1]);
      std::swap(reduced[i], reduced[i - 1]);
    }
  }
  std::size_t last = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    if (extents[k] == 1) continue;
    if (k > 0 && reduced[k] && reduced[last] && strides[k] == strides[last] * extents[last]) {
      extents[last] *= std::exchange(extents[k], 1);
    } else {
      last = k;
      if (reduced[k]) sorted.insert(k);
    }
  }
  axes = sorted;
  return origin;
}

/// A small operand.
class SmallOperand {
 public:
  static constexpr std::int64_t kElements = 8192;
  static constexpr std::int64_t kCopied = 512;  // elements that are copied where they lie otherwise
  static constexpr std::size_t kAxes = 8;

  SmallOperand(const TensorRead& x) noexcept : data_(x.data), rank_(x.axis_count) {
    std::int64_t compact = 1;
    for (std::size_t k = 0; k < rank_; ++k) {
      extents_[k] = x.extents[k];
      strides_[k] = extents_[k] == 1 ? 0 : x.strides != nullptr ? x.strides[k] : compact;
      compact *= extents_[k];
    }
  }
  DimsView extents() const noexcept { return {extents_.data(), rank_}; }

  /// Reduces a group of axes to results that lie compactly. False, with nothing done, unless elements lie without gaps,
  /// kept and reduced axes in memory in their own order and the reduced ones beside each other.
  bool reduce(const ReduceLoops& loops, AxisSet group, std::byte* out) const {
    // The operand is before × inside × after elements, of which `inside` are reduced.
    std::int64_t before = 1, inside = 1, after = 1, step = 1;
    std::size_t last_kept = 0, last_reduced = 0;
    for (std::uint64_t left = axes_with_elements(); left != 0;) {
      std::size_t next = kAxes;
      for (std::size_t k = 0; k < rank_; ++k) {
        if ((left >> k & 1) != 0 && strides_[k] == step) next = k;
      }
      if (next == kAxes) return false;
      const bool reduced = group.contains(next);
      std::size_t& last = reduced ? last_reduced : last_kept;
      if ((next < last && !(reduced && loops.any_order)) || (reduced && after > 1)) return false;
      last = next;
      (reduced ? inside : inside > 1 ? after : before) *= extents_[next];
      step *= extents_[next];
      left &= ~(std::uint64_t{1} << next);
    }
    if (before == 1) {
      loops.runs({data_, inside * loops.in_size, inside}, out, loops.acc_size, after);
      return true;
    }
    if (inside > loops.block_length || before * inside * loops.in_size > kNarrowRows) return false;
    std::array<std::int64_t, static_cast<std::size_t>(kBlockBytes)> offset;
    for (std::int64_t r = 0; r < inside; ++r) offset[static_cast<std::size_t>(r)] = r * before;
    for (std::int64_t i = 0; i < after; ++i) {
      loops.block({data_ + i * before * inside * loops.in_size, offset.data(), inside, before, true, before}, nullptr,
                  out + i * before * loops.acc_size);
    }
    return true;
  }

  /// Goes on with a copy of the elements at `to`, in which the axes of the group come first.
  void copy(std::int64_t size, AxisSet group, std::byte* to) noexcept {
    std::array<std::size_t, kAxes> order;
    std::size_t count = 0;
    for (const bool reduced : {true, false}) {
      for (std::size_t k = 0; k < rank_; ++k) {
        if (group.contains(k) == reduced) order[count++] = k;
      }
    }
    std::array<std::int64_t, kAxes> index{};
    const std::byte* from = data_;
    data_ = to;
    const std::int64_t line = extents_[order[0]];
    for (std::size_t i = 0; i < rank_;) {
      copy_run(size, line, from, strides_[order[0]] * size, to, size);
      to += line * size;
      for (i = 1; i < rank_; ++i) {
        const std::size_t k = order[i];
        from += strides_[k] * size;
        if (++index[k] < extents_[k]) break;
        from -= strides_[k] * extents_[k] * size;
        index[k] = 0;
      }
    }
    std::int64_t compact = 1;
    for (std::size_t i = 0; i < rank_; ++i) {
      strides_[order[i]] = compact;
      compact *= extents_[order[i]];
    }
  }

  /// Goes on with the results of a group.
  void replace(AxisSet group, const std::byte* results) noexcept {
    data_ = results;
    std::int64_t compact = 1;
    for (std::size_t k = 0; k < rank_; ++k) {
      if (group.contains(k)) extents_[k] = 1;
      strides_[k] = compact;
      compact *= extents_[k];
    }
  }

 private:
  std::uint64_t axes_with_elements() const noexcept {
    std::uint64_t axes = 0;
    for (std::size_t k = 0; k < rank_; ++k) {
      if (extents_[k] > 1) axes |= std::uint64_t{1} << k;
    }
    return axes;
  }

  const std::byte* data_;
  std::size_t rank_;
  std::array<std::int64_t, kAxes> extents_, strides_;
};

/// Small compact operands whose first axes, one group of them, are reduced: runs of elements. False, with nothing
/// written, if this is none.
bool reduce_first_axes(const ReduceLoops& loops, AxisSet axes, const TensorRead& in, const TensorWrite& out) {
  if (!in.compact() || !out.compact() || (axes.bits() & (axes.bits() + 1)) != 0) return false;
  std::int64_t length = 1, count = 1;
  for (std::size_t k = 0; k < in.axis_count; ++k) {
    const bool reduced = axes.contains(k);
    if (count > SmallOperand::kElements || (reduced && length >= kGroupElements)) return false;
    (reduced ? length : count) *= in.extents[k];
  }
  if (length < 1 || length > SmallOperand::kElements || count < 1 || count > SmallOperand::kElements / length) {
    return false;
  }
  loops.runs({in.data, length * loops.in_size, length}, out.data, loops.acc_size, count);
  return true;
}

/// Small operands, without any set-up; false, with nothing written, if this is none.
bool reduce_small(const ReduceLoops* loops, const TensorRead& in, const TensorWrite& out, AxisSet axes) {
  if (!out.compact() || in.rank() > SmallOperand::kAxes || in.count() > SmallOperand::kElements) return false;
  SmallOperand x(in);
  constexpr auto kPartials = static_cast<std::size_t>(SmallOperand::kElements / kGroupElements * 16);
  const bool nothing_kept = out.count() == 1;
  alignas(64) std::array<std::array<std::byte, kPartials>, 2> partials;
  alignas(64) std::array<std::byte, static_cast<std::size_t>(SmallOperand::kCopied * 16)> copy;
  for (std::size_t turn = 0;; ++turn) {
    const AxisSet group = loops->any_order && nothing_kept ? axes : next_group(x.extents(), axes);
    const bool last = group == axes;
    std::byte* const to = last ? out.data : partials[turn % 2].data();
    if (!x.reduce(*loops, group, to)) {
      if (in.count() > SmallOperand::kCopied) return false;
      x.copy(loops->in_size, group, copy.data());
      x.reduce(*loops, group, to);
    }
    if (last) return true;
    x.replace(group, to);
    axes = AxisSet(axes.bits() & ~group.bits());
    loops = loops->next;
  }
}

// Apart from reduce_with, so that the usual small operands save no registers.
[[gnu::noinline]] void reduce_anyhow(const ReduceLoops& loops, KernelContext& context, const ReduceAttrs& attrs,
                                     const TensorRead& in, const TensorWrite& out) {
  if (in.count() == 0) {
    return strided_fill(context, static_cast<std::size_t>(loops.acc_size), out.shape(), loops.empty.data(), out.data,
                        strides_of(out));
  }
  AxisSet axes;  // those that have something to reduce
  for (std::size_t k = 0; k < in.rank(); ++k) {
    if (attrs.axes.contains(k) && in.extents[k] > 1) axes.insert(k);
  }
  if (!axes.empty() && reduce_small(&loops, in, out, axes)) return;
  Dims out_strides = reduced_output_strides(out, in.rank(), attrs.axes, attrs.keep_dims);
  Dims strides = strides_of(in);
  if (loops.any_order) {
    Dims extents(in.shape());
    const std::byte* const x = in.data + follow_memory(extents, strides, out_strides, axes) * loops.in_size;
    return reduce_groups(loops, context, x, extents, strides.data(), axes, out.data, out_strides.data());
  }
  reduce_groups(loops, context, in.data, in.shape(), strides.data(), axes, out.data, out_strides.data());
}

}  // namespace

void reduce_with(const ReduceLoops& loops, KernelContext& context, const Op& op, const TensorRead& in,
                 const TensorWrite& out) {
  const auto& attrs = op.as<ReduceAttrs>();
  if (!reduce_first_axes(loops, attrs.axes, in, out)) reduce_anyhow(loops, context, attrs, in, out);
}

}  // namespace tenferro::internal
