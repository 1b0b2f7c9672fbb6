// SPDX-License-Identifier: MIT OR Apache-2.0
// argmax and argmin: the column-major position, among the reduced elements, of the first NaN, else of the first of the
// largest (smallest). The answer does not depend on the order of looking, so layouts and threads are free to choose it.
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/extrema.hpp"
#include "tenferro/cpu/kernels/reduce.hpp"

namespace tenferro::internal {
namespace {

template <class R>
class ArgPass {
 public:
  using T = typename R::In;

  /// `values`, where not null, gets the elements found, at the same places as their positions.
  ArgPass(const ReducePlan& plan, const T* in, std::int64_t* out, T* values = nullptr) noexcept
      : plan_(plan), in_(in), out_(out), out_values_(values) {}

  void run(KernelContext& context) {
    if (plan_.kept_count == 0) return;
    pieces_ = (plan_.reduced_count + kPieceSize - 1) / kPieceSize;
    const auto results = static_cast<std::uint64_t>(pieces_ * plan_.kept_count);
    Buffer values, indices;
    if (pieces_ > 1) {
      values = context.scratch(results * sizeof(T));
      indices = context.scratch(results * sizeof(std::int64_t));
      value_ = reinterpret_cast<T*>(values.data());
      index_ = reinterpret_cast<std::int64_t*>(indices.data());
    }
    constexpr std::int64_t kFewKept = 4;
    if (!plan_.reduces_runs() && plan_.keeps_runs() && plan_.kept_extent[0] >= kFewKept) {
      const std::int64_t tiles = (plan_.kept_extent[0] + kWidth - 1) / kWidth;
      share(context, tiles * (plan_.kept_count / plan_.kept_extent[0]),
            [this, tiles](std::int64_t first, std::int64_t last) { across_rows(tiles, first, last); });
    } else {
      share(context, plan_.kept_count, [this](std::int64_t first, std::int64_t last) { one_by_one(first, last); });
    }
    if (pieces_ > 1) join_pieces();
  }

 private:
  static constexpr std::int64_t kPieceSize = 65536;
  static constexpr std::int64_t kWidth = 2048;
  // As wide as an element, so that a comparison's mask selects both; positions are counted within a piece.
  using Local = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

  struct Best {
    T value;
    std::int64_t index;
    void offer(T x, std::int64_t at) {
      if (!R::beats(x, value)) return;
      value = x;
      index = at;
    }
  };

  template <class F>
  void share(KernelContext& context, std::int64_t units, F body) {
    const std::int64_t items = units * pieces_;
    const double ns =
        calibration::kArgElementNs * static_cast<double>(plan_.kept_count) * static_cast<double>(plan_.reduced_count);
    if (ns < kSerialNs || items == 1) return body(0, items);
    context.parallel_for(items, ns / static_cast<double>(items), body);
  }

  std::int64_t piece_size(std::int64_t piece) const {
    return std::min(kPieceSize, plan_.reduced_count - piece * kPieceSize);
  }

  void store(std::int64_t piece, std::int64_t kept, std::int64_t out_offset, T value, std::int64_t index) const {
    if (pieces_ > 1) {
      value_[piece * plan_.kept_count + kept] = value;
      index_[piece * plan_.kept_count + kept] = index;
    } else {
      finish(out_offset, value, index);
    }
  }
  void finish(std::int64_t out_offset, T value, std::int64_t index) const {
    out_[out_offset] = index;
    if (out_values_ != nullptr) out_values_[out_offset] = value;
  }

  // Side by side, elements are looked at in blocks, and only a block that beats the best so far is searched.
  static void offer_run(Best& best, const T* x, std::int64_t n, std::int64_t index) {
    for (std::int64_t first = 0; first < n; first += kBlock<T>) {
      const std::int64_t count = std::min(kBlock<T>, n - first);
      const T top = reduce_block<R>(x + first, count);
      if (!R::beats(top, best.value)) continue;
      std::int64_t i = 0;
      while (!(x[first + i] == top || x[first + i] != x[first + i])) ++i;
      best = {top, index + first + i};
    }
  }

  void one_by_one(std::int64_t first, std::int64_t last) const {
    while (first < last) {
      const std::int64_t piece = first / plan_.kept_count;
      std::int64_t kept = first % plan_.kept_count;
      const std::int64_t end = std::min(plan_.kept_count, kept + last - first);
      first += end - kept;
      for (KeptCursor at(plan_, kept); kept < end; ++kept, at.next()) {
        const Best best = plan_.reduced_count <= kShort && plan_.reduced_rank == 1 ? best_of_few(in_ + at.in())
                                                                                   : best_of(piece, in_ + at.in());
        store(piece, kept, at.out(), best.value, best.index);
      }
    }
  }

  static constexpr std::int64_t kShort = 64;
  Best best_of_few(const T* x) const {
    Best best{*x, 0};
    for (std::int64_t i = 1; i < plan_.reduced_count; ++i) best.offer(x[i * plan_.reduced_stride[0]], i);
    return best;
  }

  Best best_of(std::int64_t piece, const T* base) const {
    ReducedCursor cursor(plan_, piece * kPieceSize);
    Best best{};
    std::int64_t index = piece * kPieceSize;
    bool started = false;
    cursor.runs(piece_size(piece), [&](std::int64_t offset, std::int64_t stride, std::int64_t length) {
      const T* x = base + offset;
      if (!std::exchange(started, true)) best = {*x, index};
      if (stride == 1) {
        offer_run(best, x, length, index);
      } else {
        for (std::int64_t i = 0; i < length; ++i) best.offer(x[i * stride], index + i);
      }
      index += length;
    });
    return best;
  }

  void across_rows(std::int64_t tiles, std::int64_t first, std::int64_t last) const {
    std::array<T, kWidth> value;
    std::array<Local, kWidth> local;
    const std::int64_t extent = plan_.kept_extent[0], units = tiles * (plan_.kept_count / extent);
    for (; first < last; ++first) {
      const std::int64_t piece = first / units, unit = first % units;
      const std::int64_t start = unit % tiles * kWidth, width = std::min(kWidth, extent - start);
      const KeptCursor at(plan_, unit / tiles, 1);
      const T* base = in_ + at.in() + start;
      ReducedCursor cursor(plan_, piece * kPieceSize);
      Local row = 0;
      cursor.runs(piece_size(piece), [&](std::int64_t offset, std::int64_t stride, std::int64_t length) {
        for (std::int64_t j = 0; j < length; ++j, ++row) {
          const T* x = base + offset + j * stride;
          if (row == 0) {
            std::copy_n(x, width, value.begin());
            std::fill_n(local.begin(), width, Local{0});
          } else {
            offer_row(x, width, row, value.data(), local.data());
          }
        }
      });
      for (std::int64_t i = 0; i < width; ++i) {
        const auto k = static_cast<std::size_t>(i);
        store(piece, unit / tiles * extent + start + i, at.out() + (start + i) * plan_.kept_out[0], value[k],
              piece * kPieceSize + local[k]);
      }
    }
  }

  static void offer_row(const T* x, std::int64_t width, Local row, T* value, Local* local) {
    for (std::int64_t i = 0; i < width; ++i) {
      const bool better = R::beats(x[i], value[i]);
      value[i] = better ? x[i] : value[i];
      local[i] = better ? row : local[i];
    }
  }

  void join_pieces() const {
    KeptCursor at(plan_, 0);
    for (std::int64_t kept = 0; kept < plan_.kept_count; ++kept, at.next()) {
      Best best{value_[kept], index_[kept]};
      for (std::int64_t piece = 1; piece < pieces_; ++piece) {
        best.offer(value_[piece * plan_.kept_count + kept], index_[piece * plan_.kept_count + kept]);
      }
      finish(at.out(), best.value, best.index);
    }
  }

  const ReducePlan& plan_;
  const T* in_;
  std::int64_t* out_;
  T* out_values_;
  std::int64_t pieces_ = 1;
  T* value_ = nullptr;
  std::int64_t* index_ = nullptr;
};

// All axes of an operand whose elements lie scattered: the leading ones first, for every index along the others, which
// can follow the memory; then those results in order.
template <class R>
std::int64_t arg_reduce_all(KernelContext& context, const typename R::In* x, DimsView extents, const Dims& strides,
                            AxisSet leading) {
  using T = typename R::In;
  Dims rest(extents);
  std::int64_t inside = 1, outside = 1;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    (leading.contains(k) ? inside : outside) *= rest[k];
    if (leading.contains(k)) rest[k] = 1;
  }
  const Dims between = col_major_strides(rest);
  Buffer values = context.scratch(static_cast<std::uint64_t>(outside) * sizeof(T));
  Buffer indices = context.scratch(static_cast<std::uint64_t>(outside) * sizeof(std::int64_t));
  auto* const value = reinterpret_cast<T*>(values.data());
  auto* const index = reinterpret_cast<std::int64_t*>(indices.data());
  const ReducePlan plan(extents, strides.data(), between.data(), leading);
  ArgPass<R>(plan, x, index, value).run(context);
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < outside; ++i) {
    if (R::beats(value[i], value[best])) best = i;
  }
  return best * inside + index[best];
}

template <class R>
void arg_reduce(KernelContext& context, const Op& op, const TensorRead& in, const TensorWrite& out) {
  using T = typename R::In;
  const auto& attrs = op.as<ArgReduceAttrs>();
  const Dims strides = strides_of(in);
  AxisSet axes = AxisSet::first(in.rank());
  if (attrs.axis >= 0) {
    axes = AxisSet(std::uint64_t{1} << attrs.axis);
  } else if (!is_compact(in.shape(), strides)) {
    const AxisSet leading = next_group(in.shape(), axes);
    if (leading != axes) {
      *out.as<std::int64_t>() = arg_reduce_all<R>(context, in.as<T>(), in.shape(), strides, leading);
      return;
    }
  }
  const Dims out_strides = reduced_output_strides(out, in.rank(), axes, attrs.keep_dims);
  const ReducePlan plan(in.shape(), strides.data(), out_strides.data(), axes);
  ArgPass<R>(plan, in.as<T>(), out.as<std::int64_t>()).run(context);
}

}  // namespace

template <class T>
void ArgLargestKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                              std::span<const TensorWrite> out) {
  arg_reduce<Largest<T>>(context, op, in[0], out[0]);
}

template <class T>
void ArgSmallestKernel<T>::run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                               std::span<const TensorWrite> out) {
  arg_reduce<Smallest<T>>(context, op, in[0], out[0]);
}

template struct ArgLargestKernel<float>;
template struct ArgLargestKernel<double>;
template struct ArgLargestKernel<std::int32_t>;
template struct ArgLargestKernel<std::int64_t>;
template struct ArgSmallestKernel<float>;
template struct ArgSmallestKernel<double>;
template struct ArgSmallestKernel<std::int32_t>;
template struct ArgSmallestKernel<std::int64_t>;

}  // namespace tenferro::internal
