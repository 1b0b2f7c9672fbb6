// SPDX-License-Identifier: MIT OR Apache-2.0
// argmax and argmin: the column-major position, among the reduced elements, of the first NaN, else of the first of the
// largest (smallest). The answer does not depend on the order of looking, so layouts and threads are free to choose it.
#include <algorithm>
#include <array>
#include <utility>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/reduce.hpp"
#include "tenferro/cpu/kernels/reduce_plan.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/arg_reduce.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/extrema_inl.hpp"

#ifndef TENFERRO_ARG_LOOPS
#define TENFERRO_ARG_LOOPS
namespace tenferro::internal {

/// As wide as an element, so that a comparison's mask selects both; positions are counted within a piece.
template <class T>
using LocalIndex = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// The innermost loops of argmax or argmin.
template <class T>
struct ArgLoops {
  /// Whether x, which comes later, takes the place of `best`.
  bool (*beats)(T x, T best);
  /// The position of the best of n ≥ 1 elements side by side.
  std::int64_t (*find)(const T* x, std::int64_t n);
  /// Offers up to four rows, number `row` and following, to the best so far of each of `width` columns; row 0 starts.
  void (*offer)(const T* const* x, std::int64_t rows, std::int64_t width, LocalIndex<T> row, T* value,
                LocalIndex<T>* local);
};

}  // namespace tenferro::internal
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal {
namespace HWY_NAMESPACE {
namespace {

template <class T, bool largest>
struct ArgVectors {
  using R = Extremum<T, largest>;
  using D = hn::ScalableTag<T>;
  using DLocal = hn::RebindToSigned<D>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t N = static_cast<std::int64_t>(hn::MaxLanes(D()));

  static bool beats(T x, T best) { return R::beats(x, best); }

  // The place of the first of n elements that is `best` or NaN; there is one.
  static std::int64_t place_of(T best, const T* x, std::int64_t n) {
    const D d;
    const V wanted = hn::Set(d, best);
    std::int64_t i = 0;
    for (; i + N <= n; i += N) {
      const V v = hn::LoadU(d, x + i);
      auto found = hn::Eq(v, wanted);
      if constexpr (hwy::IsFloat<T>()) found = hn::Or(found, hn::IsNaN(v));
      if (const auto first = hn::FindFirstTrue(d, found); first >= 0) return i + first;
    }
    while (x[i] != best && x[i] == x[i]) ++i;
    return i;
  }

  // Blocks are searched only if their best beats the best so far.
  static std::int64_t find(const T* x, std::int64_t n) {
    constexpr std::int64_t kSearched = 1024, kFew = 32;
    T best = x[0];
    std::int64_t index = 0, first = 0;
    for (std::int64_t length = 0; n - first >= kFew; first += length) {
      T top;
      length = n - first < kSearched ? n - first : kSearched;
      TreeLoops<R>::runs({reinterpret_cast<const std::byte*>(x + first), 0, length}, reinterpret_cast<std::byte*>(&top),
                         sizeof(T), 1);
      if (!R::beats(top, best)) continue;
      best = top;
      index = first + place_of(top, x + first, length);
      if (best != best) return index;
    }
    for (; first < n; ++first) {
      if (!R::beats(x[first], best)) continue;
      best = x[first];
      index = first;
    }
    return index;
  }

  static void offer(const T* const* x, std::int64_t rows, std::int64_t width, LocalIndex<T> row, T* value,
                    LocalIndex<T>* local) {
    const D d;
    const DLocal dl;
    std::int64_t c = 0;
    for (; c + N <= width; c += N) {
      V best = hn::LoadU(d, row == 0 ? x[0] + c : value + c);
      auto index = row == 0 ? hn::Zero(dl) : hn::LoadU(dl, local + c);
      for (std::int64_t r = row == 0 ? 1 : 0; r < rows; ++r) {
        const V v = hn::LoadU(d, x[r] + c);
        auto better = largest ? hn::Gt(v, best) : hn::Lt(v, best);
        if constexpr (hwy::IsFloat<T>()) {
          better = hn::Or(better, hn::AndNot(hn::IsNaN(best), hn::IsNaN(v)));
        }
        best = hn::IfThenElse(better, v, best);
        index = hn::IfThenElse(hn::RebindMask(dl, better), hn::Set(dl, static_cast<LocalIndex<T>>(row + r)), index);
      }
      hn::StoreU(best, d, value + c);
      hn::StoreU(index, dl, local + c);
    }
    for (; c < width; ++c) {
      if (row == 0) {
        value[c] = x[0][c];
        local[c] = 0;
      }
      for (std::int64_t r = 0; r < rows; ++r) {
        if (!R::beats(x[r][c], value[c])) continue;
        value[c] = x[r][c];
        local[c] = static_cast<LocalIndex<T>>(row + r);
      }
    }
  }

  static constexpr ArgLoops<T> kTable{&beats, &find, &offer};
};

template <class T>
const ArgLoops<T>* arg_loops(bool largest) {
  return largest ? &ArgVectors<T, true>::kTable : &ArgVectors<T, false>::kTable;
}
const ArgLoops<float>* arg_loops_f32(bool largest) { return arg_loops<float>(largest); }
const ArgLoops<double>* arg_loops_f64(bool largest) { return arg_loops<double>(largest); }
const ArgLoops<std::int32_t>* arg_loops_i32(bool largest) { return arg_loops<std::int32_t>(largest); }
const ArgLoops<std::int64_t>* arg_loops_i64(bool largest) { return arg_loops<std::int64_t>(largest); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tenferro::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

HWY_EXPORT(arg_loops_f32);
HWY_EXPORT(arg_loops_f64);
HWY_EXPORT(arg_loops_i32);
HWY_EXPORT(arg_loops_i64);

namespace {

template <class T>
class ArgPass {
 public:
  /// `values`, where not null, gets the elements found, at the same places as their positions.
  ArgPass(const ArgLoops<T>& loops, const ReducePlan& plan, const T* in, std::int64_t* out,
          T* values = nullptr) noexcept
      : loops_(loops), plan_(plan), in_(in), out_(out), out_values_(values) {}

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
  static constexpr std::int64_t kWidth = 4096;
  using Local = LocalIndex<T>;

  struct Best {
    T value;
    std::int64_t index;
  };

  void offer(Best& best, T x, std::int64_t at) const {
    if (loops_.beats(x, best.value)) best = {x, at};
  }

  template <class F>
  void share(KernelContext& context, std::int64_t units, F body) {
    const std::int64_t items = units * pieces_;
    const double ns =
        calibration::kArgElementNs * static_cast<double>(plan_.kept_count) * static_cast<double>(plan_.reduced_count);
    if (ns < calibration::kSerialNs || items == 1) return body(0, items);
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
    if (plan_.reduced_stride[0] == 1) {
      const std::int64_t at = loops_.find(x, plan_.reduced_count);
      return {x[at], at};
    }
    Best best{*x, 0};
    for (std::int64_t i = 1; i < plan_.reduced_count; ++i) offer(best, x[i * plan_.reduced_stride[0]], i);
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
        const std::int64_t at = loops_.find(x, length);
        offer(best, x[at], index + at);
      } else {
        for (std::int64_t i = 0; i < length; ++i) offer(best, x[i * stride], index + i);
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
        for (std::int64_t j = 0; j < length; j += 4) {
          const std::int64_t rows = std::min<std::int64_t>(4, length - j);
          std::array<const T*, 4> x;
          for (std::int64_t r = 0; r < rows; ++r) x[static_cast<std::size_t>(r)] = base + offset + (j + r) * stride;
          loops_.offer(x.data(), rows, width, row, value.data(), local.data());
          row += static_cast<Local>(rows);
        }
      });
      for (std::int64_t i = 0; i < width; ++i) {
        const auto k = static_cast<std::size_t>(i);
        store(piece, unit / tiles * extent + start + i, at.out() + (start + i) * plan_.kept_out[0], value[k],
              piece * kPieceSize + local[k]);
      }
    }
  }

  void join_pieces() const {
    KeptCursor at(plan_, 0);
    for (std::int64_t kept = 0; kept < plan_.kept_count; ++kept, at.next()) {
      Best best{value_[kept], index_[kept]};
      for (std::int64_t piece = 1; piece < pieces_; ++piece) {
        offer(best, value_[piece * plan_.kept_count + kept], index_[piece * plan_.kept_count + kept]);
      }
      finish(at.out(), best.value, best.index);
    }
  }

  const ArgLoops<T>& loops_;
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
template <class T>
std::int64_t arg_reduce_all(const ArgLoops<T>& loops, KernelContext& context, const T* x, DimsView extents,
                            const Dims& strides, AxisSet leading) {
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
  ArgPass<T>(loops, plan, x, index, value).run(context);
  const std::int64_t best = loops.find(value, outside);
  return best * inside + index[best];
}

template <class T>
void arg_reduce(const ArgLoops<T>& loops, KernelContext& context, const Op& op, const TensorRead& in,
                const TensorWrite& out) {
  const auto& attrs = op.as<ArgReduceAttrs>();
  const Dims strides = strides_of(in);
  AxisSet axes = AxisSet::first(in.rank());
  if (attrs.axis >= 0) {
    axes = AxisSet(std::uint64_t{1} << attrs.axis);
  } else if (!is_compact(in.shape(), strides)) {
    const AxisSet leading = next_group(in.shape(), axes);
    if (leading != axes) {
      *out.as<std::int64_t>() = arg_reduce_all(loops, context, in.as<T>(), in.shape(), strides, leading);
      return;
    }
  }
  const Dims out_strides = reduced_output_strides(out, in.rank(), axes, attrs.keep_dims);
  const ReducePlan plan(in.shape(), strides.data(), out_strides.data(), axes);
  ArgPass<T>(loops, plan, in.as<T>(), out.as<std::int64_t>()).run(context);
}

void arg_kernel(bool largest, KernelContext& context, const Op& op, const TensorRead& in, const TensorWrite& out) {
  switch (in.dtype) {
#define TENFERRO_ARG(name) \
  case DType::name:        \
    return arg_reduce(*HWY_DYNAMIC_DISPATCH(arg_loops_##name)(largest), context, op, in, out)
    TENFERRO_ARG(f32);
    TENFERRO_ARG(f64);
    TENFERRO_ARG(i32);
    TENFERRO_ARG(i64);
#undef TENFERRO_ARG
    case DType::c32:
    case DType::c64:
    case DType::boolean:
    case DType::external:
      break;
  }
}

}  // namespace

void arg_largest_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  arg_kernel(true, context, op, in[0], out[0]);
}

void arg_smallest_kernel(KernelContext& context, const Op& op, Inputs in, Outputs out) {
  arg_kernel(false, context, op, in[0], out[0]);
}

}  // namespace tenferro::internal
#endif
