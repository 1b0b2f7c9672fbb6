// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/resolved_notation.hpp"

#include <algorithm>

namespace tenferro {
namespace {

// Where a label was first met with the extent that it has.
struct Owner {
  std::int64_t operand = -1;
  std::int64_t axis = -1;
};

class Resolver {
 public:
  Resolver(const Notation& notation, std::span<const ExtentSpan> shapes) : notation_(notation), shapes_(shapes) {}

  ResolvedNotation run() {
    const std::size_t count = notation_.operands().size();
    if (shapes_.size() != count) {
      raise<NotationErrorInfo>(
          OperandCountMismatch{static_cast<std::int64_t>(count), static_cast<std::int64_t>(shapes_.size())});
    }
    result_.names = notation_.names();
    result_.order = notation_.order();
    check_ranks();
    add_ellipsis_labels();
    result_.extents.assign(result_.names.size(), 1);
    owners_.resize(result_.names.size());
    result_.operands.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      result_.operands[k].labels = expand(notation_.operands()[k], shapes_[k].size());
      settle(k);
    }
    result_.output = expand(notation_.output(), notation_.output().labels.size() + covered_);
    mark_stretched();
    return std::move(result_);
  }

 private:
  void check_ranks() {
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      const Term& term = notation_.operands()[k];
      const std::size_t labels = term.labels.size();
      const std::size_t rank = shapes_[k].size();
      const bool fits = term.ellipsis < 0 ? rank == labels : rank >= labels;
      if (!fits) {
        raise<NotationErrorInfo>(LabelRankMismatch{static_cast<std::int64_t>(k), static_cast<std::int64_t>(labels),
                                                   term.ellipsis >= 0, static_cast<std::int64_t>(rank), term.start});
      }
      if (term.ellipsis >= 0) covered_ = std::max(covered_, rank - labels);
    }
  }

  void add_ellipsis_labels() {
    first_ellipsis_ = static_cast<Label>(result_.names.size());
    for (std::size_t i = 0; i < covered_; ++i) {
      const std::int64_t from_last = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(covered_);
      result_.names.push_back({LabelName::Kind::ellipsis, from_last});
    }
  }

  LabelList expand(const Term& term, std::size_t rank) const {
    if (term.ellipsis < 0) return term.labels;
    const std::size_t under = rank - term.labels.size();
    LabelList labels;
    labels.reserve(rank);
    for (std::size_t i = 0; i <= term.labels.size(); ++i) {
      if (static_cast<std::size_t>(term.ellipsis) == i) {
        for (std::size_t e = covered_ - under; e < covered_; ++e) {
          labels.push_back(first_ellipsis_ + static_cast<Label>(e));
        }
      }
      if (i < term.labels.size()) labels.push_back(term.labels[i]);
    }
    return labels;
  }

  // Text position of an axis; that of an ellipsis' axes is the term's.
  std::int64_t position(std::size_t operand, std::size_t axis) const {
    const Term& term = notation_.operands()[operand];
    if (term.positions.empty()) return term.start;
    if (term.ellipsis < 0) return term.positions[axis];
    const std::size_t before = static_cast<std::size_t>(term.ellipsis);
    const std::size_t under = shapes_[operand].size() - term.labels.size();
    if (axis < before) return term.positions[axis];
    if (axis < before + under) return term.start;
    return term.positions[axis - under];
  }

  void settle(std::size_t operand) {
    const LabelList& labels = result_.operands[operand].labels;
    const std::int64_t here = static_cast<std::int64_t>(operand);
    for (std::size_t axis = 0; axis < labels.size(); ++axis) {
      for (std::size_t earlier = 0; earlier < axis; ++earlier) {
        if (labels[earlier] != labels[axis]) continue;
        if (shapes_[operand][earlier] != shapes_[operand][axis]) clash(operand, axis, {here, as_axis(earlier)});
        break;
      }
    }
    for (std::size_t axis = 0; axis < labels.size(); ++axis) {
      const std::size_t label = static_cast<std::size_t>(labels[axis]);
      const std::int64_t extent = shapes_[operand][axis];
      Owner& owner = owners_[label];
      std::int64_t& known = result_.extents[label];
      if (owner.operand < 0 || (notation_.stretches() && known == 1)) {
        owner = {here, as_axis(axis)};
        known = extent;
      } else if (known != extent && !(notation_.stretches() && extent == 1)) {
        clash(operand, axis, owner);
      }
    }
  }

  [[noreturn]] void clash(std::size_t operand, std::size_t axis, Owner other) const {
    const std::size_t other_operand = static_cast<std::size_t>(other.operand);
    const std::size_t other_axis = static_cast<std::size_t>(other.axis);
    raise<NotationErrorInfo>(LabelExtentMismatch{
        result_.name(result_.operands[operand].labels[axis]), static_cast<std::int64_t>(operand), as_axis(axis),
        shapes_[operand][axis], other.operand, other.axis, shapes_[other_operand][other_axis], position(operand, axis),
        position(other_operand, other_axis)});
  }

  void mark_stretched() {
    for (std::size_t k = 0; k < result_.operands.size(); ++k) {
      ResolvedOperand& operand = result_.operands[k];
      operand.stretched.resize(operand.labels.size(), 0);
      for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
        const bool stretches = shapes_[k][axis] != result_.extent(operand.labels[axis]);
        operand.stretched[axis] = stretches ? 1 : 0;
      }
    }
  }

  static std::int64_t as_axis(std::size_t axis) { return static_cast<std::int64_t>(axis); }

  const Notation& notation_;
  std::span<const ExtentSpan> shapes_;
  ResolvedNotation result_;
  std::vector<Owner> owners_;
  std::size_t covered_ = 0;  // axes under the longest ellipsis
  Label first_ellipsis_ = 0;
};

}  // namespace

std::string ResolvedNotation::names_text(const LabelList& labels) const {
  std::string text;
  bool separate = false;
  for (const Label label : labels) {
    separate = separate || names[static_cast<std::size_t>(label)].kind != LabelName::Kind::code_point;
  }
  for (const Label label : labels) {
    if (separate && !text.empty()) text += ' ';
    text += name(label);
  }
  return text;
}

InlineVector<std::int64_t, 8> ResolvedNotation::output_shape() const {
  InlineVector<std::int64_t, 8> shape;
  for (const Label label : output) shape.push_back(extent(label));
  return shape;
}

ResolvedNotation resolve(const Notation& notation, std::span<const ExtentSpan> shapes) {
  return Resolver(notation, shapes).run();
}

tl::expected<ResolvedNotation, NotationErrorInfo> try_resolve(const Notation& notation,
                                                              std::span<const ExtentSpan> shapes) {
  return attempt<NotationErrorInfo>([&] { return resolve(notation, shapes); });
}

}  // namespace tenferro
