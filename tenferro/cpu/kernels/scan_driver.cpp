// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/scan_driver.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/reduce_plan.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {
namespace {

constexpr std::int64_t kWidest = 1024;  // neighbouring lines at most whose states are kept …
constexpr std::int64_t kNarrow = 64;    // … and at least, where they are shared out
constexpr std::int64_t kFewLines = 8;
constexpr std::int64_t kCopied = 512;  // elements of a line in a copy: whole blocks

class Lines {
 public:
  Lines(const ScanLoops& loops, const ReducePlan& plan, const TensorRead& x, const TensorWrite& out) noexcept
      : loops_(loops), plan_(plan), in_(x.data), out_(out.data) {}

  /// Along an axis of `length` elements with these steps in bytes.
  void along(std::int64_t length, std::int64_t in_step, std::int64_t out_step, const ScanAttrs& attrs) {
    length_ = length;
    in_step_ = in_step;
    out_step_ = out_step;
    if (attrs.reverse) {
      in_ += (length - 1) * in_step;
      out_ += (length - 1) * out_step;
      in_step_ = -in_step;
      out_step_ = -out_step;
    }
    exclusive_ = attrs.exclusive;
    if (exclusive_) --length_;  // the last element shows in no result
  }

  void run(KernelContext& context) {
    const bool rows = plan_.keeps_runs() && plan_.kept_out[0] == 1 && plan_.kept_extent[0] >= kFewLines;
    const std::int64_t near = rows ? plan_.kept_extent[0] : 1, outer = plan_.kept_count / near;
    const std::int64_t share = near * outer / (std::int64_t{2} * context.lanes());
    width_ = context.lanes() > 1 ? std::clamp(share / kNarrow * kNarrow, kNarrow, kWidest) : kWidest;
    const std::int64_t tiles = (near + width_ - 1) / width_, units = tiles * outer;
    const auto body = [&](std::int64_t first, std::int64_t last) {
      rows ? in_rows(tiles, first, last) : apart(first, last);
    };
    const double ns =
        loops_.ns * static_cast<double>(plan_.kept_count) * static_cast<double>(std::max<std::int64_t>(length_, 1));
    if (plan_.kept_count == 1 && share_line(context, ns)) return;
    if (ns < calibration::kSerialNs || units == 1) return body(0, units);
    context.parallel_for(units, ns / static_cast<double>(units), body);
  }

 private:
  static constexpr std::size_t kStateSize = 2 * sizeof(Element);

  // Where the results of elements begin; the result before all of them is written.
  std::byte* results(std::byte* out) const {
    if (!exclusive_) return out;
    std::memcpy(out, loops_.start.data(), static_cast<std::size_t>(loops_.size));
    return out + out_step_;
  }

  // One line in pieces, where no order of elements shows in the bits: what each piece gives, then the results of each
  // from what those before it give. Reads all elements twice, so that two threads gain less than two. False, with
  // nothing done, if it is no such line.
  bool share_line(KernelContext& context, double ns) const {
    constexpr std::int64_t kMost = 64;
    const std::int64_t wanted = std::min({kMost, 4 * std::int64_t{context.lanes()}, length_ / calibration::kLinePiece});
    if (loops_.fold == nullptr || context.lanes() == 1 || wanted < 2) return false;
    if (in_step_ != loops_.size || out_step_ != loops_.size) return false;
    const std::int64_t piece = (length_ / wanted + kScanBlock) / kScanBlock * kScanBlock;
    const std::int64_t pieces = (length_ + piece - 1) / piece;
    const std::byte* const in = in_ + plan_.in_origin * loops_.size;
    std::byte* const out = results(out_ + plan_.out_origin * loops_.size);
    const auto count = [&](std::int64_t p) { return std::min(piece, length_ - p * piece); };
    std::array<Element, static_cast<std::size_t>(kMost) + 1> before;
    before.fill(loops_.start);
    context.parallel_for(pieces - 1, ns / static_cast<double>(4 * pieces), [&](std::int64_t first, std::int64_t last) {
      for (; first < last; ++first) {
        loops_.fold(in + first * piece * loops_.size, piece, before[static_cast<std::size_t>(first) + 1].data());
      }
    });
    for (std::size_t p = 1; p < static_cast<std::size_t>(pieces); ++p) {
      loops_.fold(before[p - 1].data(), 1, before[p].data());
    }
    context.parallel_for(pieces, ns / static_cast<double>(pieces), [&](std::int64_t first, std::int64_t last) {
      for (; first < last; ++first) {
        alignas(64) std::array<std::byte, kStateSize> state{};
        std::memcpy(state.data(), before[static_cast<std::size_t>(first)].data(),
                    static_cast<std::size_t>(loops_.size));
        const std::byte* const x = in + first * piece * loops_.size;
        std::byte* const to = out + first * piece * loops_.size;
        loops_.lines(false, &x, loops_.size, &to, loops_.size, count(first), 1, state.data());
      }
    });
    return true;
  }

  // Lines one by one, or a few at a time where the loops take them as they lie.
  void apart(std::int64_t first, std::int64_t last) const {
    std::array<const std::byte*, kScanTogether> from;
    std::array<std::byte*, kScanTogether> to;
    alignas(64) std::array<std::byte, kScanTogether * kStateSize> state;
    const auto most = static_cast<std::size_t>(loops_.any_step ? kScanTogether : 1);
    for (KeptCursor at(plan_, first); first < last;) {
      std::size_t count = 0;
      for (; count < most && first < last; ++count, ++first, at.next()) {
        from[count] = in_ + at.in() * loops_.size;
        to[count] = results(out_ + at.out() * loops_.size);
      }
      if (length_ == 0) continue;
      if (loops_.any_step || (in_step_ == loops_.size && out_step_ == loops_.size)) {
        loops_.lines(true, from.data(), in_step_, to.data(), out_step_, length_, static_cast<std::int64_t>(count),
                     state.data());
      } else {
        through_copy(from[0], to[0], state.data());
      }
    }
  }

  void through_copy(const std::byte* from, std::byte* to, std::byte* state) const {
    alignas(64) std::array<std::byte, static_cast<std::size_t>(kCopied * 8)> in_copy, out_copy;
    const bool read = in_step_ == loops_.size, write = out_step_ == loops_.size;
    for (std::int64_t left = length_; left > 0; left -= kCopied) {
      const std::int64_t n = std::min(left, kCopied);
      if (!read) copy_run(loops_.size, n, from, in_step_, in_copy.data(), loops_.size);
      const std::byte* const x = read ? from : in_copy.data();
      std::byte* const y = write ? to : out_copy.data();
      loops_.lines(left == length_, &x, loops_.size, &y, loops_.size, n, 1, state);
      if (!write) copy_run(loops_.size, n, y, loops_.size, to, out_step_);
      from += n * in_step_;
      to += n * out_step_;
    }
  }

  void in_rows(std::int64_t tiles, std::int64_t first, std::int64_t last) const {
    alignas(64) std::array<std::byte, kWidest * kStateSize> state;
    for (; first < last; ++first) {
      const std::int64_t start = first % tiles * width_, width = std::min(width_, plan_.kept_extent[0] - start);
      const KeptCursor at(plan_, first / tiles, 1);
      const std::byte* x = in_ + (at.in() + start) * loops_.size;
      std::byte* to = out_ + (at.out() + start) * loops_.size;
      if (exclusive_) {
        for (std::int64_t c = 1; c < width; ++c) results(to + c * loops_.size);
        to = results(to);
      }
      for (std::int64_t row = 0; row < length_;) {
        const std::int64_t count = std::min(length_ - row, kScanRow);
        loops_.rows(row == 0, x, in_step_, to, out_step_, count, width, state.data());
        x += count * in_step_;
        to += count * out_step_;
        row += count;
        if (row % kScanBlock == 0) loops_.settle(state.data(), width);
      }
    }
  }

  const ScanLoops& loops_;
  const ReducePlan& plan_;
  const std::byte* in_;
  std::byte* out_;
  std::int64_t length_ = 0, in_step_ = 0, out_step_ = 0, width_ = kWidest;
  bool exclusive_ = false;
};

}  // namespace

void scan_with(const ScanLoops& loops, KernelContext& context, const Op& op, const TensorRead& x,
               const TensorWrite& out) {
  if (x.count() == 0) return;
  const auto& attrs = op.as<ScanAttrs>();
  const Dims in = strides_of(x), to = strides_of(out);
  const ReducePlan plan(x.shape(), in.data(), to.data(), AxisSet(std::uint64_t{1} << attrs.axis));
  Lines lines(loops, plan, x, out);
  lines.along(x.extents[attrs.axis], in[attrs.axis] * loops.size, to[attrs.axis] * loops.size, attrs);
  lines.run(context);
}

}  // namespace tenferro::internal
