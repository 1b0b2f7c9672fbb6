// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/index.hpp"

#include <algorithm>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/error.hpp"

namespace tenferro {
namespace {

constexpr std::string_view kOp = "view";

[[noreturn]] void out_of_bounds(std::size_t position, std::int64_t index, std::int64_t extent) {
  raise<TensorErrorInfo>(IndexOutOfBounds{kOp, -1, static_cast<std::int64_t>(position), index, extent});
}

// What a range takes of an axis: `count` elements from `first` on.
struct Taken {
  std::int64_t first, count;
};

Taken taken(const Range& range, std::int64_t extent, std::size_t position) {
  if (range.step == 0) {
    raise<TensorErrorInfo>(BadArgument{kOp, concat("step of index ", position, " is zero (expected another number)")});
  }
  // Forwards a bound may be any gap between elements, 0 to extent; backwards `end` is the gap before element 0.
  const bool forwards = range.step > 0;
  const auto bound = [&](Bound b) {
    if (b.is_end()) return forwards ? extent : -1;
    const std::int64_t at = b.value() < 0 ? b.value() + extent : b.value();
    if (at < 0 || at > extent) out_of_bounds(position, b.value(), extent);
    return at;
  };
  if (!forwards && extent == 0) return {0, 0};
  const std::int64_t first = bound(range.first);
  const std::int64_t last = bound(range.last);
  if (forwards) return {first, last > first ? (last - first - 1) / range.step + 1 : 0};
  if (first < 0 || first >= extent) {
    out_of_bounds(position, range.first.is_end() ? extent : range.first.value(), extent);
  }
  return {first, first > last ? (last - first + 1) / range.step + 1 : 0};
}

}  // namespace

Layout indexed(const Layout& layout, std::span<const Index> indices) {
  if (indices.size() > layout.rank()) {
    raise<TensorErrorInfo>(
        RankMismatch{kOp, -1, static_cast<std::int64_t>(layout.rank()), static_cast<std::int64_t>(indices.size())});
  }
  // Strides of axes with one index, and all those of an empty layout, may be any numbers: their products wrap.
  Layout out{{}, {}, layout.offset};
  for (std::size_t k = 0; k < layout.rank(); ++k) {
    const std::int64_t extent = layout.shape[k];
    const std::int64_t stride = layout.strides[k];
    const Index index = k < indices.size() ? indices[k] : Index(all);
    if (index.kind() == Index::Kind::one) {
      const std::int64_t at = index.position() < 0 ? index.position() + extent : index.position();
      if (at < 0 || at >= extent) out_of_bounds(k, index.position(), extent);
      out.offset = wrapping_add(out.offset, wrapping_mul(at, stride));
    } else if (index.kind() == Index::Kind::whole) {
      out.shape.push_back(extent);
      out.strides.push_back(stride);
    } else {
      const Taken t = taken(index.bounds(), extent, k);
      if (t.count > 0) out.offset = wrapping_add(out.offset, wrapping_mul(t.first, stride));
      out.shape.push_back(t.count);
      out.strides.push_back(t.count > 1 ? wrapping_mul(stride, index.bounds().step) : stride);
    }
  }
  // Nothing is read through an empty view, so its address stays inside the buffer.
  if (std::find(out.shape.begin(), out.shape.end(), 0) != out.shape.end()) out.offset = layout.offset;
  return out;
}

}  // namespace tenferro
