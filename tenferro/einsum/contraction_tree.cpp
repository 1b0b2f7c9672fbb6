// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/contraction_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "tenferro/base/checked_math.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/einsum/internal/order_search.hpp"

namespace tenferro {
namespace {

using internal::PathProblem;
using internal::SsaPath;

// Weight of an element written against a multiply-add: small, so that it decides between orders of similar arithmetic.
constexpr double kWriteWeight = 4;

bool contains(const LabelList& list, Label label) { return std::find(list.begin(), list.end(), label) != list.end(); }

LabelList common(const LabelList& a, const LabelList& b) {
  LabelList both;
  for (const Label label : a) {
    if (contains(b, label)) both.push_back(label);
  }
  return both;
}

LabelList without(const LabelList& a, const LabelList& b) {
  LabelList rest;
  for (const Label label : a) {
    if (!contains(b, label)) rest.push_back(label);
  }
  return rest;
}

LabelList distinct(const LabelList& labels) {
  LabelList once;
  for (const Label label : labels) {
    if (!contains(once, label)) once.push_back(label);
  }
  return once;
}

void append(LabelList& to, const LabelList& more) {
  for (const Label label : more) to.push_back(label);
}

// Builds leaves, then steps: first, from the output down, in which order each tensor's axes are wanted, then, from the
// operands up, in which order they come.
class TreeBuilder {
 public:
  TreeBuilder(ContractionTree& tree, std::int64_t element_bytes)
      : tree_(tree), notation_(tree.notation), element_bytes_(element_bytes), uses_(notation_.extents.size(), 0) {}

  void add_leaves(std::span<const std::uint8_t> converted) {
    const std::size_t labels = notation_.extents.size();
    in_output_.assign(labels, 0);
    for (const Label label : notation_.output) in_output_[at(label)] = 1;
    tree_.distinct_output = distinct(notation_.output);
    tree_.leaves.resize(notation_.operands.size());
    for (std::size_t k = 0; k < tree_.leaves.size(); ++k) {
      LeafStep& leaf = tree_.leaves[k];
      const ResolvedOperand& operand = notation_.operands[k];
      leaf.converted = !converted.empty() && converted[k] != 0;
      for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
        if (operand.stretched[axis] != 0) {
          leaf.dropped.push_back(static_cast<std::int64_t>(axis));
        } else {
          leaf.axes.push_back(operand.labels[axis]);
        }
      }
      leaf.diagonal = distinct(leaf.axes);
      for (const Label label : leaf.diagonal) ++uses_[at(label)];
    }
    for (LeafStep& leaf : tree_.leaves) {
      for (const Label label : leaf.diagonal) {
        const bool lonely = uses_[at(label)] == 1 && in_output_[at(label)] == 0;
        (lonely ? leaf.summed : leaf.labels).push_back(label);
      }
    }
  }

  // Labels of extent 1 cost nothing and would only look like bonds. An extent of 0 counts as 1: any order will do.
  PathProblem problem() const {
    PathProblem problem;
    problem.kept.assign(in_output_.begin(), in_output_.end());
    for (const std::int64_t extent : notation_.extents) {
      problem.log2_extent.push_back(extent > 1 ? std::log2(static_cast<double>(extent)) : 0.0);
    }
    for (const LeafStep& leaf : tree_.leaves) {
      LabelList labels;
      for (const Label label : leaf.labels) {
        if (notation_.extent(label) != 1) labels.push_back(label);
      }
      problem.inputs.push_back(std::move(labels));
    }
    return problem;
  }

  void add_steps(const SsaPath& path) {
    const std::size_t inputs = tree_.leaves.size();
    tree_.path.steps = path;
    too_large_ = false;
    tree_.steps.assign(path.size(), {});
    classify(path);
    wanted_.assign(inputs + path.size(), {});
    wanted_.back() = tree_.distinct_output;
    for (std::size_t s = path.size(); s-- > 0;) want(s);
    orders_.assign(inputs + path.size(), {});
    for (std::size_t k = 0; k < inputs; ++k) {
      // A sum over an operand is a fresh tensor, whose axes come as the next step wants them.
      LeafStep& leaf = tree_.leaves[k];
      if (!leaf.summed.empty()) leaf.labels = wanted_[k];
      orders_[k] = leaf.labels;
    }
    for (std::size_t s = 0; s < path.size(); ++s) arrange(s);
    tree_.last = orders_.back();
    measure();
  }

 private:
  static std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

  double size(const LabelList& labels) const {
    double elements = 1;
    for (const Label label : labels) elements *= static_cast<double>(notation_.extent(label));
    return elements;
  }

  // Which labels each step joins, sums and keeps, in no particular order yet.
  void classify(const SsaPath& path) {
    const std::size_t inputs = tree_.leaves.size();
    std::vector<std::int32_t> alive(notation_.extents.size(), 0);
    sets_.assign(inputs + path.size(), {});
    for (std::size_t k = 0; k < inputs; ++k) {
      sets_[k] = tree_.leaves[k].labels;
      for (const Label label : sets_[k]) ++alive[at(label)];
    }
    for (std::size_t s = 0; s < path.size(); ++s) {
      ContractionStep& step = tree_.steps[s];
      step.lhs = path[s][0];
      step.rhs = path[s][1];
      const LabelList& a = sets_[at(step.lhs)];
      const LabelList& b = sets_[at(step.rhs)];
      for (const Label label : common(a, b)) {
        const bool last_use = --alive[at(label)] == 1 && in_output_[at(label)] == 0;
        if (last_use) alive[at(label)] = 0;
        (last_use ? step.contracted : step.batch).push_back(label);
      }
      step.lhs_free = without(a, b);
      step.rhs_free = without(b, a);
      step.kind = step.contracted.empty() ? StepKind::multiply : StepKind::dot;
      LabelList& made = sets_[inputs + s];
      append(made, step.lhs_free);
      append(made, step.rhs_free);
      append(made, step.batch);
    }
  }

  // Labels of `set` in the order that `wanted` has.
  static LabelList ordered(const LabelList& wanted, const LabelList& set) { return common(wanted, set); }

  bool is_operand(std::int32_t tensor) const { return at(tensor) < tree_.leaves.size(); }

  // A diagonal that is not summed over is read through strides of its own.
  bool is_diagonal_view(std::int32_t tensor) const {
    if (!is_operand(tensor)) return false;
    const LeafStep& leaf = tree_.leaves[at(tensor)];
    return leaf.takes_diagonal() && leaf.summed.empty();
  }

  // Decides which tensor stands on the left and which orders would suit the step.
  void want(std::size_t s) {
    ContractionStep& step = tree_.steps[s];
    const LabelList& result = wanted_[tree_.leaves.size() + s];
    if (step.kind == StepKind::multiply) {
      wanted_[at(step.lhs)] = ordered(result, sets_[at(step.lhs)]);
      wanted_[at(step.rhs)] = ordered(result, sets_[at(step.rhs)]);
      return;
    }
    for (const Label label : result) {
      if (contains(step.lhs_free, label)) break;
      if (!contains(step.rhs_free, label)) continue;
      std::swap(step.lhs, step.rhs);
      std::swap(step.lhs_free, step.rhs_free);
      break;
    }
    if (is_operand(step.lhs)) {
      step.contracted = ordered(tree_.leaves[at(step.lhs)].labels, step.contracted);
    } else if (is_operand(step.rhs)) {
      step.contracted = ordered(tree_.leaves[at(step.rhs)].labels, step.contracted);
    } else {
      std::sort(step.contracted.begin(), step.contracted.end());
    }
    step.batch = ordered(result, step.batch);
    LabelList lhs = ordered(result, step.lhs_free);
    append(lhs, step.contracted);
    append(lhs, step.batch);
    LabelList rhs = step.contracted;
    append(rhs, ordered(result, step.rhs_free));
    append(rhs, step.batch);
    wanted_[at(step.lhs)] = std::move(lhs);
    wanted_[at(step.rhs)] = std::move(rhs);
  }

  // Whether a matrix product can read the tensor in place: its free and its summed labels each stand together, and
  // a batch label does not vary fastest.
  bool in_place(const LabelList& order, const LabelList& free, const LabelList& contracted) const {
    int free_runs = 0;
    int contracted_runs = 0;
    int before = 0;
    bool first = true;
    for (const Label label : order) {
      if (notation_.extent(label) == 1) continue;
      const int kind = contains(free, label) ? 1 : contains(contracted, label) ? 2 : 0;
      if (first && kind == 0) return false;
      first = false;
      if (kind != before) {
        free_runs += kind == 1 ? 1 : 0;
        contracted_runs += kind == 2 ? 1 : 0;
      }
      before = kind;
    }
    return free_runs <= 1 && contracted_runs <= 1;
  }

  void arrange(std::size_t s) {
    ContractionStep& step = tree_.steps[s];
    const LabelList& lhs = orders_[at(step.lhs)];
    const LabelList& rhs = orders_[at(step.rhs)];
    step.lhs_labels = lhs;
    step.rhs_labels = rhs;
    if (step.kind == StepKind::multiply) {
      step.output = wanted_[tree_.leaves.size() + s];
      step.lhs_labels = ordered(step.output, lhs);
      step.rhs_labels = ordered(step.output, rhs);
    } else {
      bool lhs_fits = !is_diagonal_view(step.lhs) && in_place(lhs, step.lhs_free, step.contracted);
      bool rhs_fits = !is_diagonal_view(step.rhs) && in_place(rhs, step.rhs_free, step.contracted);
      if (lhs_fits && rhs_fits && !(ordered(lhs, step.contracted) == ordered(rhs, step.contracted))) {
        // Both are fine alone, but run over the summed labels in different orders: the smaller one gives way.
        (size(lhs) < size(rhs) ? lhs_fits : rhs_fits) = false;
      }
      step.lhs_gathered = !lhs_fits;
      step.rhs_gathered = !rhs_fits;
      if (lhs_fits) {
        step.contracted = ordered(lhs, step.contracted);
      } else if (rhs_fits) {
        step.contracted = ordered(rhs, step.contracted);
      }
      // What has to be gathered anyway is taken in the order that suits the result.
      if (!lhs_fits) step.lhs_labels = suited(wanted_[at(step.lhs)], step.lhs_free, step.contracted, step.batch, true);
      if (!rhs_fits) step.rhs_labels = suited(wanted_[at(step.rhs)], step.rhs_free, step.contracted, step.batch, false);
      step.lhs_free = ordered(step.lhs_labels, step.lhs_free);
      step.rhs_free = ordered(step.rhs_labels, step.rhs_free);
      step.output = step.lhs_free;
      append(step.output, step.rhs_free);
      append(step.output, step.batch);
    }
    step.lhs_permuted = !(step.lhs_labels == lhs);
    step.rhs_permuted = !(step.rhs_labels == rhs);
    orders_[tree_.leaves.size() + s] = step.output;
  }

  static LabelList suited(const LabelList& wanted, const LabelList& free, const LabelList& contracted,
                          const LabelList& batch, bool free_first) {
    const LabelList sorted_free = ordered(wanted, free);
    LabelList labels = free_first ? sorted_free : contracted;
    append(labels, free_first ? contracted : sorted_free);
    append(labels, batch);
    return labels;
  }

  // Costs, and the most bytes alive at once when each tensor dies with its last use.
  void measure() {
    const std::size_t inputs = tree_.leaves.size();
    const double bytes_each = static_cast<double>(element_bytes_);
    PathCost cost;
    double held = 0;
    double peak = 0;
    std::vector<double> bytes(inputs + tree_.steps.size(), 0.0);
    // A converted operand and a sum over one are tensors of their own, made just before the step; dropping and
    // diagonals are views.
    const auto prepare = [&](std::int32_t tensor) {
      if (!is_operand(tensor)) return;
      const LeafStep& leaf = tree_.leaves[at(tensor)];
      const double whole = leaf.converted ? size(leaf.axes) * bytes_each : 0.0;
      const bool sums = !leaf.summed.empty();
      bytes[at(tensor)] = sums ? size(leaf.labels) * bytes_each : whole;
      held += bytes[at(tensor)];
      peak = std::max(peak, held + (sums ? whole : 0.0));
    };
    for (std::size_t s = 0; s < tree_.steps.size(); ++s) {
      ContractionStep& step = tree_.steps[s];
      prepare(step.lhs);
      prepare(step.rhs);
      const double made = size(step.output);
      step.flops = made * size(step.contracted);
      const double lhs_bytes = size(step.lhs_labels) * bytes_each;
      const double rhs_bytes = size(step.rhs_labels) * bytes_each;
      step.bytes = made * bytes_each + lhs_bytes + rhs_bytes;
      const double gathered = (step.lhs_gathered ? lhs_bytes : 0.0) + (step.rhs_gathered ? rhs_bytes : 0.0);
      bytes[inputs + s] = made * bytes_each;
      held += bytes[inputs + s];
      peak = std::max(peak, held + gathered);
      held -= bytes[at(step.lhs)] + bytes[at(step.rhs)];
      cost.flops += step.flops;
      note_size(cost, step.output, s);
    }
    if (tree_.steps.empty()) prepare(0);
    // A result that is permuted or embedded is a second tensor, one that is both a third; an operand that nothing has
    // been made of is copied.
    const double permuted = tree_.permutes_last() && tree_.embeds() ? size(tree_.distinct_output) * bytes_each : 0.0;
    const bool rewritten = tree_.permutes_last() || tree_.embeds() || held == 0;
    if (rewritten) peak = std::max(peak, held + permuted + size(notation_.output) * bytes_each);
    note_size(cost, notation_.output, tree_.steps.empty() ? 0 : tree_.steps.size() - 1);
    cost.log10_flops = cost.flops > 1 ? std::log10(cost.flops) : 0.0;
    const double largest = 0x1p63;
    cost.peak_bytes = peak < largest ? static_cast<std::int64_t>(peak) : std::numeric_limits<std::int64_t>::max();
    tree_.path.cost = cost;
  }

  void note_size(PathCost& cost, const LabelList& labels, std::size_t step) {
    double log2_elements = 0;
    std::int64_t elements = 1;
    for (const Label label : labels) {
      const std::int64_t extent = std::max<std::int64_t>(notation_.extent(label), 1);
      log2_elements += std::log2(static_cast<double>(extent));
      elements = saturating_mul(elements, extent);
    }
    cost.log2_largest = std::max(cost.log2_largest, log2_elements);
    const bool fits = saturating_mul(elements, element_bytes_) < std::numeric_limits<std::int64_t>::max();
    if (!fits && !too_large_) {
      too_large_ = true;
      first_too_large_ = {static_cast<std::int64_t>(step), log2_elements};
    }
  }

 public:
  void refuse_too_large() const {
    if (too_large_) raise<NotationErrorInfo>(first_too_large_);
  }

 private:
  ContractionTree& tree_;
  const ResolvedNotation& notation_;
  std::int64_t element_bytes_;
  std::vector<std::int32_t> uses_;
  std::vector<char> in_output_;
  std::vector<LabelList> sets_;
  std::vector<LabelList> wanted_;
  std::vector<LabelList> orders_;
  bool too_large_ = false;
  IntermediateTooLarge first_too_large_{};
};

// Tries orders that need ever less memory, and keeps the first that fits.
void meet_limit(ContractionTree& tree, TreeBuilder& builder, const PathProblem& problem, const PathOptions& options) {
  const std::int64_t limit = *options.memory_limit;
  std::int64_t least = tree.path.cost.peak_bytes;
  if (least <= limit) return;
  if (options.method != PathMethod::explicit_pairs) {
    using internal::SearchAim;
    const double room = std::log2(static_cast<double>(std::max<std::int64_t>(limit, 1)));
    const std::array<SearchAim, 5> aims{SearchAim{{kWriteWeight, room - 3}, false}, SearchAim{{64, room - 4}, false},
                                        SearchAim{{4096, room - 5}, false}, SearchAim{{1e12, room - 6}, false},
                                        SearchAim{{1e12, std::numeric_limits<double>::infinity()}, true}};
    for (const SearchAim& aim : aims) {
      const SsaPath path = internal::search_order(problem, tree.notation.order, options, aim);
      builder.add_steps(internal::reordered_for_memory(problem, path));
      least = std::min(least, tree.path.cost.peak_bytes);
      if (tree.path.cost.peak_bytes <= limit) return;
    }
  }
  raise<NotationErrorInfo>(MemoryLimitUnmet{limit, least});
}

}  // namespace

ContractionTree plan_contraction(const ResolvedNotation& notation, const PathOptions& options,
                                 std::int64_t element_bytes, std::span<const std::uint8_t> converted) {
  if (notation.operands.empty()) raise<NotationErrorInfo>(NoOperands{});
  ContractionTree tree;
  tree.notation = notation;
  TreeBuilder builder(tree, element_bytes);
  builder.add_leaves(converted);
  const PathProblem problem = builder.problem();
  if (options.method == PathMethod::explicit_pairs) {
    builder.add_steps(path_from_positions(static_cast<std::int64_t>(notation.operands.size()), options.pairs));
  } else {
    const internal::SearchAim aim{{kWriteWeight}, false};
    SsaPath path = internal::search_order(problem, notation.order, options, aim);
    if (path.size() > 1) path = internal::reordered_for_memory(problem, path);
    builder.add_steps(path);
  }
  if (options.memory_limit) meet_limit(tree, builder, problem, options);
  builder.refuse_too_large();
  return tree;
}

tl::expected<ContractionTree, NotationErrorInfo> try_plan_contraction(const ResolvedNotation& notation,
                                                                      const PathOptions& options,
                                                                      std::int64_t element_bytes) {
  return attempt<NotationErrorInfo>([&] { return plan_contraction(notation, options, element_bytes); });
}

namespace {

// Three significant digits, locale-free.
std::string short_number(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 3);
  return {buffer.data(), end.ptr};
}

std::string byte_text(double bytes) {
  static constexpr std::array<const char*, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return concat(short_number(bytes), " ", kUnits[unit]);
}

}  // namespace

std::string ContractionTree::to_text() const {
  const auto names = [&](const LabelList& labels) { return notation.names_text(labels); };
  std::string head;
  for (std::size_t k = 0; k < notation.operands.size(); ++k) {
    if (k > 0) head += ',';
    head += names(notation.operands[k].labels);
  }
  const PathCost& cost = path.cost;
  std::string text =
      concat("einsum ", head, "->", names(notation.output), ": ", notation.operands.size(), " operands, ", steps.size(),
             " steps, ", short_number(cost.flops), " multiply-adds, largest 2^", short_number(cost.log2_largest),
             " elements, peak ", byte_text(static_cast<double>(cost.peak_bytes)), "\n");
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const LeafStep& leaf = leaves[k];
    if (leaf.untouched()) continue;
    text += concat("  operand %", k, ": ", names(notation.operands[k].labels), "->", names(leaf.labels));
    if (leaf.converted) text += ", converted";
    if (!leaf.dropped.empty()) text += concat(", drops axes ", list_text(leaf.dropped));
    if (leaf.takes_diagonal()) text += concat(", diagonal ", names(leaf.diagonal));
    if (!leaf.summed.empty()) text += concat(", sums ", names(leaf.summed));
    text += '\n';
  }
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const ContractionStep& step = steps[s];
    text += concat("  %", leaves.size() + s, " = ", step.kind == StepKind::dot ? "dot" : "multiply", " %", step.lhs,
                   " %", step.rhs, ": ", names(step.lhs_labels), ",", names(step.rhs_labels), "->", names(step.output));
    if (!step.contracted.empty()) text += concat(", sums ", names(step.contracted));
    if (!step.batch.empty() && step.kind == StepKind::dot) text += concat(", batch ", names(step.batch));
    text += concat(", ", short_number(step.flops), " multiply-adds, ", byte_text(step.bytes));
    if (step.lhs_gathered) text += concat(", gathers %", step.lhs);
    if (step.rhs_gathered) text += concat(", gathers %", step.rhs);
    text += '\n';
  }
  if (permutes_last()) text += concat("  result: ", names(last), "->", names(distinct_output), ", permuted\n");
  if (embeds()) {
    text += concat("  result: ", names(distinct_output), "->", names(notation.output), ", on the diagonal\n");
  }
  return text;
}

}  // namespace tenferro
