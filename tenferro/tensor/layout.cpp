// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/layout.hpp"

#include <algorithm>
#include <limits>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/error.hpp"

namespace tenferro {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// |s|, with the one value that has no negative taken to the largest.
std::int64_t magnitude(std::int64_t s) noexcept { return s >= 0 ? s : s == -kMax - 1 ? kMax : -s; }

// Sets of axes are words of as many bits.
void require_rank_in_word(std::string_view op, const Layout& layout) {
  if (layout.rank() > kMaxRank) raise<TensorErrorInfo>(InvalidShape{op, layout.shape});
}

}  // namespace

Dims col_major_strides(DimsView shape) {
  Dims strides;
  std::int64_t step = 1;
  for (const std::int64_t extent : shape) {
    strides.push_back(step);
    step *= std::max<std::int64_t>(extent, 1);
  }
  return strides;
}

Dims row_major_strides(DimsView shape) {
  Dims strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t k = shape.size(); k-- > 0;) {
    strides[k] = step;
    step *= std::max<std::int64_t>(shape[k], 1);
  }
  return strides;
}

Layout compact_layout(Shape shape) {
  Dims strides = col_major_strides(shape);
  return {std::move(shape), std::move(strides), 0};
}

bool is_compact(DimsView shape, DimsView strides) noexcept {
  if (has_no_element(shape)) return true;
  std::int64_t step = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) continue;
    if (strides[k] != step) return false;
    step *= shape[k];
  }
  return true;
}

Reach reach(DimsView shape, DimsView strides) noexcept {
  if (has_no_element(shape)) return {0, -1};
  Reach r{0, 0};
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::int64_t span = saturating_mul(shape[k] - 1, magnitude(strides[k]));
    if (strides[k] < 0) {
      r.first = -saturating_add(-r.first, span);
    } else {
      r.last = saturating_add(r.last, span);
    }
  }
  return r;
}

Layout permuted(Layout layout, AxesView axes) {
  const std::size_t rank = layout.rank();
  require_rank_in_word("permuted", layout);
  if (axes.size() != rank) {
    raise<TensorErrorInfo>(
        RankMismatch{"permuted", -1, static_cast<std::int64_t>(rank), static_cast<std::int64_t>(axes.size())});
  }
  Layout out{Shape(rank), Dims(rank), layout.offset};
  std::uint64_t seen = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    const std::size_t from = normalized_axis("permuted", axes[k], rank);
    if ((seen >> from & 1U) != 0) raise<TensorErrorInfo>(DuplicateAxis{"permuted", axes[k]});
    seen |= std::uint64_t{1} << from;
    out.shape[k] = layout.shape[from];
    out.strides[k] = layout.strides[from];
  }
  return out;
}

Layout broadcast_to(const Layout& layout, DimsView shape) {
  checked_element_count("broadcast_to", shape, 1);
  const bool fits = layout.rank() <= shape.size();
  const std::size_t lead = fits ? shape.size() - layout.rank() : 0;
  Layout out{Shape(shape), Dims(shape.size()), layout.offset};
  bool stretches = fits;
  for (std::size_t k = 0; fits && k < layout.rank(); ++k) {
    if (layout.shape[k] == shape[lead + k]) {
      out.strides[lead + k] = layout.strides[k];
    } else if (layout.shape[k] != 1) {
      stretches = false;
    }
  }
  if (!stretches) raise<TensorErrorInfo>(NotBroadcastable{"broadcast_to", layout.shape, Shape(shape)});
  return out;
}

Layout reversed(Layout layout, AxesView axes) {
  require_rank_in_word("reversed", layout);
  const bool empty = has_no_element(layout.shape);
  std::uint64_t seen = 0;
  for (const std::int64_t axis : axes) {
    const std::size_t k = normalized_axis("reversed", axis, layout.rank());
    if ((seen >> k & 1U) != 0) raise<TensorErrorInfo>(DuplicateAxis{"reversed", axis});
    seen |= std::uint64_t{1} << k;
    if (!empty) layout.offset += (layout.shape[k] - 1) * layout.strides[k];
    // A stride that nothing is read by, along an axis of one index or in an empty layout, may be any number.
    layout.strides[k] = wrapping_sub<std::int64_t>(0, layout.strides[k]);
  }
  return layout;
}

Layout diagonal(const Layout& layout, std::int64_t shift, std::int64_t axis1, std::int64_t axis2) {
  const std::size_t first = normalized_axis("diagonal", axis1, layout.rank());
  const std::size_t second = normalized_axis("diagonal", axis2, layout.rank());
  if (first == second) raise<TensorErrorInfo>(DuplicateAxis{"diagonal", axis2});
  const std::int64_t n1 = layout.shape[first];
  const std::int64_t n2 = layout.shape[second];
  const std::int64_t length =
      std::max<std::int64_t>(0, shift >= 0 ? std::min(n1, n2 - shift) : std::min(n1 + shift, n2));
  Layout out{{}, {}, layout.offset};
  for (std::size_t k = 0; k < layout.rank(); ++k) {
    if (k == first || k == second) continue;
    out.shape.push_back(layout.shape[k]);
    out.strides.push_back(layout.strides[k]);
  }
  out.shape.push_back(length);
  out.strides.push_back(wrapping_add(layout.strides[first], layout.strides[second]));
  if (!has_no_element(out.shape)) {
    out.offset += shift >= 0 ? shift * layout.strides[second] : -shift * layout.strides[first];
  }
  return out;
}

Layout reshaped_view(const Layout& layout, DimsView shape) {
  const std::int64_t count = checked_element_count("reshaped_view", shape, 1);
  const std::int64_t had = element_count(layout.shape).value_or(0);
  if (count != had) raise<TensorErrorInfo>(ElementCountMismatch{"reshaped_view", had, count});
  Layout out{Shape(shape), col_major_strides(shape), layout.offset};
  if (count == 0) return out;

  // Runs of the old axes that lie evenly, finest first; extents of 1 say nothing about strides.
  Layout runs;
  for (std::size_t k = 0; k < layout.rank(); ++k) {
    if (layout.shape[k] == 1) continue;
    if (runs.rank() != 0 && layout.strides[k] == runs.strides.back() * runs.shape.back()) {
      runs.shape.back() *= layout.shape[k];
    } else {
      runs.shape.push_back(layout.shape[k]);
      runs.strides.push_back(layout.strides[k]);
    }
  }
  // Every new axis must divide what is left of the run that it starts in.
  std::size_t run = 0;
  std::int64_t left = runs.rank() != 0 ? runs.shape[0] : 1;
  std::int64_t step = runs.rank() != 0 ? runs.strides[0] : 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) continue;
    if (left == 1) {
      ++run;
      left = runs.shape[run];
      step = runs.strides[run];
    }
    if (left % shape[k] != 0) {
      raise<TensorErrorInfo>(BadArgument{
          "reshaped_view",
          concat("strides do not allow it without a copy (expected a shape that splits or joins evenly "
                 "spaced axes of shape ",
                 list_text(layout.shape), " strides ", list_text(layout.strides), ", got ", list_text(shape), ")")});
    }
    out.strides[k] = step;
    left /= shape[k];
    step *= shape[k];
  }
  return out;
}

void internal::fail_indices(DimsView shape, DimsView indices) {
  if (indices.size() != shape.size()) {
    raise<TensorErrorInfo>(
        RankMismatch{"at", -1, static_cast<std::int64_t>(shape.size()), static_cast<std::int64_t>(indices.size())});
  }
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (indices[k] >= -shape[k] && indices[k] < shape[k]) continue;
    raise<TensorErrorInfo>(IndexOutOfBounds{"at", -1, static_cast<std::int64_t>(k), indices[k], shape[k]});
  }
  __builtin_unreachable();
}

}  // namespace tenferro
