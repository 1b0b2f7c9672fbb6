// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions, scans, order and contraction.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tenferro/ops/op_table.hpp"
#include "tests/conformance/oracles.hpp"

namespace tenferro::testing {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

Whole wrapping_add(Whole a, Whole b) {
  return static_cast<Whole>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
Whole wrapping_mul(Whole a, Whole b) {
  return static_cast<Whole>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

bool is_nan(const Cell& cell) { return std::isnan(cell.z.real()); }
bool less(const Cell& a, const Cell& b, DType d) { return is_whole(d) ? a.n < b.n : a.z.real() < b.z.real(); }

enum class Fold : std::uint8_t { sum, squares, product, any, all, log_sum_exp, largest, smallest };

constexpr OpTable<Fold> kFolds{
    {OpKind::reduce_sum, Fold::sum},
    {OpKind::cumsum, Fold::sum},
    {OpKind::reduce_sum_squares, Fold::squares},
    {OpKind::reduce_prod, Fold::product},
    {OpKind::cumprod, Fold::product},
    {OpKind::reduce_any, Fold::any},
    {OpKind::reduce_all, Fold::all},
    {OpKind::reduce_max, Fold::largest},
    {OpKind::cummax, Fold::largest},
    {OpKind::reduce_min, Fold::smallest},
    {OpKind::cummin, Fold::smallest},
    {OpKind::cumlogsumexp, Fold::log_sum_exp},
};

Real log_sum_exp(Real a, Real b) {
  const Real high = std::max(a, b);
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (std::isinf(high)) return high;
  return high + std::log(std::exp(a - high) + std::exp(b - high));
}

/// What one element does to an accumulator.
void accumulate(Fold fold, DType d, Cell& sum, const Cell& x, bool first) {
  switch (fold) {
    case Fold::sum:
      sum.z += x.z;
      sum.scale += std::abs(x.z);
      sum.n = wrapping_add(sum.n, x.n);
      return;
    case Fold::squares:
      sum.z += std::norm(x.z);
      return;
    case Fold::product:
      sum.z *= x.z;
      sum.n = wrapping_mul(sum.n, x.n);
      return;
    case Fold::any:
      sum.n |= x.n;
      return;
    case Fold::all:
      sum.n &= x.n;
      return;
    case Fold::log_sum_exp:
      sum.z = log_sum_exp(sum.z.real(), x.z.real());
      return;
    case Fold::largest:
      if (first || (!is_nan(sum) && (is_nan(x) || less(sum, x, d)))) sum = x;
      return;
    case Fold::smallest:
      if (first || (!is_nan(sum) && (is_nan(x) || less(x, sum, d)))) sum = x;
      return;
  }
}

/// What a fold of nothing is.
Cell neutral(Fold fold, DType d) {
  Cell cell;
  const bool narrow = d == DType::i32;
  if (fold == Fold::product || fold == Fold::all) {
    cell.z = 1;
    cell.n = 1;
  } else if (fold == Fold::largest) {
    cell.z = -kInfinity;
    cell.n = narrow ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min();
  } else if (fold == Fold::smallest) {
    cell.z = kInfinity;
    cell.n = narrow ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
  } else if (fold == Fold::log_sum_exp) {
    cell.z = -kInfinity;
  }
  return cell;
}

Shape without_axes(DimsView shape, AxisSet axes, bool keep_dims) {
  Shape result;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (!axes.contains(k)) {
      result.push_back(shape[k]);
    } else if (keep_dims) {
      result.push_back(1);
    }
  }
  return result;
}

Dims index_without_axes(DimsView index, AxisSet axes, bool keep_dims) {
  Dims result;
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (!axes.contains(k)) {
      result.push_back(index[k]);
    } else if (keep_dims) {
      result.push_back(0);
    }
  }
  return result;
}

/// f(index of the line's first element) for every line along an axis.
template <class F>
void for_each_line(DimsView shape, std::size_t axis, F&& f) {
  Shape starts(shape);
  starts[axis] = shape[axis] > 0 ? 1 : 0;
  for_each_index(starts, [&](DimsView index, std::int64_t) { f(Dims(index)); });
}

}  // namespace

Arrays reduced(const Op& op, const Arrays& in) {
  const auto& attrs = op.as<ReduceAttrs>();
  const Fold fold = kFolds[op.kind()];
  const Array& x = in[0];
  const DType d = x.dtype;
  Array out(fold == Fold::squares ? real_part(d) : d, without_axes(x.shape, attrs.axes, attrs.keep_dims));
  for (Cell& cell : out.cells) cell = neutral(fold, d);
  std::vector<bool> seen(out.cells.size(), false);
  for_each_index(x.shape, [&](DimsView index, std::int64_t) {
    const Dims target = index_without_axes(index, attrs.axes, attrs.keep_dims);
    const auto position = static_cast<std::size_t>(linear_of(target, out.shape));
    accumulate(fold, d, out.cells[position], x.at(index), !seen[position]);
    seen[position] = true;
  });
  return {std::move(out)};
}

Arrays arg_reduced(const Op& op, const Arrays& in) {
  const auto& attrs = op.as<ArgReduceAttrs>();
  const Array& x = in[0];
  AxisSet axes = AxisSet::first(x.rank());
  if (attrs.axis >= 0) axes = AxisSet(std::uint64_t{1} << attrs.axis);
  Array out(DType::i64, without_axes(x.shape, axes, attrs.keep_dims));
  std::vector<Cell> best(out.cells.size());
  std::vector<bool> seen(out.cells.size(), false);
  for_each_index(x.shape, [&](DimsView index, std::int64_t linear) {
    const Dims target = index_without_axes(index, axes, attrs.keep_dims);
    const auto position = static_cast<std::size_t>(linear_of(target, out.shape));
    const Cell& cell = x.at(index);
    const bool better = op.kind() == OpKind::argmax ? less(best[position], cell, x.dtype)  //
                                                    : less(cell, best[position], x.dtype);
    if (!seen[position] || (!is_nan(best[position]) && (is_nan(cell) || better))) {
      best[position] = cell;
      out.cells[position].n = attrs.axis >= 0 ? index[static_cast<std::size_t>(attrs.axis)] : linear;
    }
    seen[position] = true;
  });
  return {std::move(out)};
}

Arrays scanned(const Op& op, const Arrays& in) {
  const auto& attrs = op.as<ScanAttrs>();
  const Fold fold = kFolds[op.kind()];
  const Array& x = in[0];
  Array out(x.dtype, x.shape);
  for_each_line(x.shape, attrs.axis, [&](Dims index) {
    const std::int64_t n = x.shape[attrs.axis];
    Cell sum = neutral(fold, x.dtype);
    for (std::int64_t step = 0; step < n; ++step) {
      index[attrs.axis] = attrs.reverse ? n - 1 - step : step;
      if (attrs.exclusive) out.at(index) = sum;
      accumulate(fold, x.dtype, sum, x.at(index), step == 0);
      if (!attrs.exclusive) out.at(index) = sum;
    }
  });
  return {std::move(out)};
}

Arrays sorted(const Op& op, const Arrays& in) {
  const Array& x = in[0];
  const auto* top = std::get_if<TopKAttrs>(&op.attrs);
  const std::size_t axis = top != nullptr ? top->axis : op.as<SortAttrs>().axis;
  const bool descending = top != nullptr ? top->largest : op.as<SortAttrs>().descending;
  Shape shape = x.shape;
  if (top != nullptr) shape[axis] = top->k;
  Array values(x.dtype, shape), positions(DType::i64, shape);
  for_each_line(x.shape, axis, [&](Dims index) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(x.shape[axis]));
    std::iota(order.begin(), order.end(), 0);
    const auto cell = [&](std::int64_t i) -> const Cell& {
      index[axis] = i;
      return x.at(index);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      const Cell first = cell(a), second = cell(b);
      if (is_nan(first) || is_nan(second)) return !is_nan(first) && is_nan(second);
      return descending ? less(second, first, x.dtype) : less(first, second, x.dtype);
    });
    for (std::int64_t i = 0; i < shape[axis]; ++i) {
      const std::int64_t from = order[static_cast<std::size_t>(i)];
      const Cell value = cell(from);
      index[axis] = i;
      values.at(index) = value;
      positions.at(index).n = from;
    }
  });
  if (op.kind() == OpKind::sort) return {std::move(values)};
  if (op.kind() == OpKind::argsort) return {std::move(positions)};
  return {std::move(values), std::move(positions)};
}

Arrays contracted(const Op& op, const Arrays& in) {
  const auto& config = op.as<DotGeneralConfig>();
  const Array &a = in[0], &b = in[1];
  // Labels: one number per result axis and per contracted axis, in that order.
  std::vector<std::size_t> left(a.rank(), 99), right(b.rank(), 99);
  Shape extents;
  const auto is_free = [](std::span<const std::uint8_t> x, std::span<const std::uint8_t> y, std::size_t k) {
    return std::count(x.begin(), x.end(), k) + std::count(y.begin(), y.end(), k) == 0;
  };
  for (std::size_t k = 0; k < a.rank(); ++k) {
    if (!is_free(config.lhs_contracting(), config.lhs_batch(), k)) continue;
    left[k] = extents.size();
    extents.push_back(a.shape[k]);
  }
  for (std::size_t k = 0; k < b.rank(); ++k) {
    if (!is_free(config.rhs_contracting(), config.rhs_batch(), k)) continue;
    right[k] = extents.size();
    extents.push_back(b.shape[k]);
  }
  const auto pair_up = [&](std::span<const std::uint8_t> x, std::span<const std::uint8_t> y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      left[x[i]] = right[y[i]] = extents.size();
      extents.push_back(a.shape[x[i]]);
    }
  };
  pair_up(config.lhs_batch(), config.rhs_batch());
  const std::size_t rank = extents.size();
  pair_up(config.lhs_contracting(), config.rhs_contracting());
  Array out(a.dtype, DimsView(extents).first(rank));
  const auto element = [](const Array& x, const std::vector<std::size_t>& labels, DimsView index) -> const Cell& {
    Dims own;
    for (const std::size_t label : labels) own.push_back(index[label]);
    return x.at(own);
  };
  for_each_index(extents, [&](DimsView index, std::int64_t) {
    Cell& sum = out.at(index.first(rank));
    const Cell &x = element(a, left, index), &y = element(b, right, index);
    const Complex p = (config.lhs_conj ? std::conj(x.z) : x.z) * (config.rhs_conj ? std::conj(y.z) : y.z);
    sum.z += p;
    sum.scale += std::abs(p);
    sum.n = wrapping_add(sum.n, wrapping_mul(x.n, y.n));
  });
  return {std::move(out)};
}

}  // namespace tenferro::testing
