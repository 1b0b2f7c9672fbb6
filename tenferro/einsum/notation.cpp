// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/einsum/notation.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "tenferro/base/text.hpp"
#include "tenferro/einsum/internal/utf8.hpp"

namespace tenferro {

std::string LabelName::text() const {
  if (kind == Kind::integer) return concat(value);
  if (kind == Kind::ellipsis) return concat("...", value);
  std::string name;
  internal::append_utf8(name, static_cast<std::uint32_t>(value));
  return name;
}

/// Gives dense ids to names and checks what both ways of building a Notation have in common.
class NotationBuilder {
 public:
  Label label(LabelName::Kind kind, std::int64_t value) {
    if (value >= 0 && value < kSmall) {
      Label& known = small_[static_cast<std::size_t>(value)];
      if (known < 0) known = add(kind, value);
      return known;
    }
    const auto found = large_.find(value);
    if (found != large_.end()) return found->second;
    const Label added = add(kind, value);
    large_.emplace(value, added);
    return added;
  }

  /// Checks the output's labels against those of the operands, which have all been met before it.
  void set_output(Term output, std::size_t operand_labels) {
    for (std::size_t i = 0; i < output.labels.size(); ++i) {
      const Label label = output.labels[i];
      if (static_cast<std::size_t>(label) < operand_labels) continue;
      const std::int64_t position = output.positions.empty() ? -1 : output.positions[i];
      raise<NotationErrorInfo>(UnknownOutputLabel{position, notation.names_[static_cast<std::size_t>(label)].text()});
    }
    notation.output_ = std::move(output);
  }

  /// Closes a group: a group of one is its only child.
  std::int32_t close_group(std::vector<std::int32_t> children) {
    if (children.size() == 1) return children[0];
    notation.order_.push_back({-1, std::move(children)});
    return static_cast<std::int32_t>(notation.order_.size()) - 1;
  }

  std::int32_t operand_node(std::size_t operand) {
    notation.order_.push_back({static_cast<std::int32_t>(operand), {}});
    return static_cast<std::int32_t>(notation.order_.size()) - 1;
  }

  static void set_strict(Notation& to) { to.stretches_ = false; }
  std::vector<Term>& operands() { return notation.operands_; }
  const std::vector<LabelName>& names() { return notation.names_; }

  Notation notation;

 private:
  static constexpr std::int64_t kSmall = 128;

  static std::array<Label, kSmall> all_unknown() {
    std::array<Label, kSmall> labels{};
    labels.fill(-1);
    return labels;
  }

  Label add(LabelName::Kind kind, std::int64_t value) {
    notation.names_.push_back({kind, value});
    return static_cast<Label>(notation.names_.size()) - 1;
  }

  std::array<Label, kSmall> small_ = all_unknown();
  std::unordered_map<std::int64_t, Label> large_;
};

/// Reads a text once, from left to right, with an explicit stack of groups, so that depth costs no call stack.
class NotationParser {
 public:
  explicit NotationParser(std::string_view text) : text_(text) { advance(); }

  Notation run() {
    groups_.push_back({});
    bool item_done = false;
    while (true) {
      if (!item_done && here_ != '(') {
        builder_.operands().push_back(term(static_cast<std::int64_t>(builder_.operands().size())));
        if (ordered_) groups_.back().children.push_back(builder_.operand_node(builder_.operands().size() - 1));
        item_done = true;
      } else if (here_ == '(') {
        if (item_done) unexpected("',', ')', '->' or the end");
        open();
      } else if (here_ == ')') {
        close();
      } else if (here_ == ',') {
        advance();
        item_done = false;
      } else if (here_ == kEnd || here_ == '-') {
        break;
      } else {
        unexpected("',', ')', '->' or the end");
      }
    }
    if (groups_.size() > 1) raise<NotationErrorInfo>(UnbalancedParenthesis{groups_.back().position, true});
    if (ordered_) builder_.close_group(std::move(groups_.back().children));
    finish();
    return std::move(builder_.notation);
  }

 private:
  struct Group {
    std::int64_t position = -1;
    std::vector<std::int32_t> children;
  };

  static constexpr std::uint32_t kEnd = 0xFFFFFFFEU;

  static bool blank(std::uint32_t c) { return c == ' ' || (c >= 9 && c <= 13); }
  static bool reserved(std::uint32_t c) {
    return c == ',' || c == '-' || c == '>' || c == '.' || c == '(' || c == ')' || c == kEnd;
  }

  /// Moves to the next code point that is not blank.
  void advance() {
    do {
      position_ = next_position_;
      if (offset_ == text_.size()) {
        here_ = kEnd;
        return;
      }
      const std::size_t start = offset_;
      here_ = internal::decode_utf8(text_, offset_);
      if (here_ == internal::kBadUtf8) {
        raise<NotationErrorInfo>(InvalidUtf8{position_, static_cast<std::int64_t>(start)});
      }
      ++next_position_;
    } while (blank(here_));
  }

  [[noreturn]] void unexpected(std::string_view expected) {
    raise<NotationErrorInfo>(UnexpectedCharacter{position_, here_ == kEnd ? 0 : here_, expected});
  }

  void require(std::uint32_t character, std::string_view expected) {
    if (here_ != character) unexpected(expected);
    advance();
  }

  void open() {
    if (!ordered_) {
      ordered_ = true;
      for (std::size_t k = 0; k < builder_.operands().size(); ++k) {
        groups_.back().children.push_back(builder_.operand_node(k));
      }
    }
    groups_.push_back({position_, {}});
    advance();
  }

  void close() {
    if (groups_.size() == 1) raise<NotationErrorInfo>(UnbalancedParenthesis{position_, false});
    const std::int32_t node = builder_.close_group(std::move(groups_.back().children));
    groups_.pop_back();
    groups_.back().children.push_back(node);
    advance();
  }

  Term term(std::int64_t operand) {
    Term read;
    read.start = position_;
    while (true) {
      if (here_ == '.') {
        if (read.ellipsis >= 0) raise<NotationErrorInfo>(RepeatedEllipsis{position_, operand});
        advance();
        require('.', "three dots");
        require('.', "three dots");
        read.ellipsis = static_cast<std::int32_t>(read.labels.size());
      } else if (reserved(here_)) {
        return read;
      } else {
        read.labels.push_back(builder_.label(LabelName::Kind::code_point, here_));
        read.positions.push_back(position_);
        advance();
      }
    }
  }

  void finish() {
    const std::size_t operand_labels = builder_.names().size();
    if (here_ == kEnd) {
      builder_.set_output(implicit_output(), operand_labels);
      return;
    }
    advance();
    require('>', "'>' after '-'");
    Term output = term(-1);
    if (here_ != kEnd) unexpected("the end after the output's labels");
    builder_.set_output(std::move(output), operand_labels);
  }

  Term implicit_output() {
    const std::vector<LabelName>& names = builder_.names();
    std::vector<int> uses(names.size(), 0);
    Term output;
    for (const Term& operand : builder_.operands()) {
      for (const Label label : operand.labels) ++uses[static_cast<std::size_t>(label)];
      if (operand.ellipsis >= 0) output.ellipsis = 0;
    }
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (uses[i] == 1) output.labels.push_back(static_cast<Label>(i));
    }
    std::sort(output.labels.begin(), output.labels.end(), [&](Label a, Label b) {
      return names[static_cast<std::size_t>(a)].value < names[static_cast<std::size_t>(b)].value;
    });
    return output;
  }

  std::string_view text_;
  std::size_t offset_ = 0;
  std::uint32_t here_ = kEnd;
  std::int64_t position_ = 0;
  std::int64_t next_position_ = 0;
  bool ordered_ = false;
  std::vector<Group> groups_;
  NotationBuilder builder_;
};

Notation Notation::parse(std::string_view text) { return NotationParser(text).run(); }

tl::expected<Notation, NotationErrorInfo> Notation::try_parse(std::string_view text) {
  return attempt<NotationErrorInfo>([&] { return parse(text); });
}

namespace {

Term integer_term(NotationBuilder& builder, const std::vector<int>& labels) {
  Term term;
  for (const int label : labels) term.labels.push_back(builder.label(LabelName::Kind::integer, label));
  return term;
}

// One level of the walk over a nested form: which child comes next, and the nodes of those already met.
struct NestedFrame {
  const NestedTerm* term;
  std::size_t next = 0;
  std::vector<std::int32_t> nodes;
};

}  // namespace

Notation Notation::from_labels(const std::vector<std::vector<int>>& operands, const std::vector<int>& output) {
  if (operands.empty()) raise<NotationErrorInfo>(NoOperands{});
  NotationBuilder builder;
  for (const std::vector<int>& labels : operands) builder.operands().push_back(integer_term(builder, labels));
  const std::size_t operand_labels = builder.names().size();
  builder.set_output(integer_term(builder, output), operand_labels);
  NotationBuilder::set_strict(builder.notation);
  return std::move(builder.notation);
}

Notation Notation::from_terms(std::span<const std::string_view> operands, std::string_view output) {
  if (operands.empty()) raise<NotationErrorInfo>(NoOperands{});
  std::string text;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) text += ',';
    text += operands[i];
  }
  text += "->";
  text += output;
  Notation notation = parse(text);
  if (notation.operands().size() != operands.size()) {
    raise<NotationErrorInfo>(OperandCountMismatch{static_cast<std::int64_t>(operands.size()),
                                                  static_cast<std::int64_t>(notation.operands().size())});
  }
  return notation;
}

Notation Notation::nested(const NestedTerm& root, const std::vector<int>& output) {
  NotationBuilder builder;
  std::vector<NestedFrame> frames;
  frames.push_back({&root, 0, {}});
  while (true) {
    NestedFrame& frame = frames.back();
    const NestedTerm& term = *frame.term;
    std::int32_t node = -1;
    if (term.group.empty()) {
      builder.operands().push_back(integer_term(builder, term.labels));
      node = builder.operand_node(builder.operands().size() - 1);
    } else if (frame.next < term.group.size()) {
      const NestedTerm* child = &term.group[frame.next++];
      frames.push_back({child, 0, {}});
      continue;
    } else {
      node = builder.close_group(std::move(frame.nodes));
    }
    frames.pop_back();
    if (frames.empty()) break;
    frames.back().nodes.push_back(node);
  }
  const std::size_t operand_labels = builder.names().size();
  builder.set_output(integer_term(builder, output), operand_labels);
  NotationBuilder::set_strict(builder.notation);
  return std::move(builder.notation);
}

std::string Notation::to_text() const {
  std::string text;
  const auto put = [&](const Term& term) {
    for (std::size_t i = 0; i <= term.labels.size(); ++i) {
      if (term.ellipsis == static_cast<std::int32_t>(i)) text += "...";
      if (i == term.labels.size()) break;
      const LabelName& name = names_[static_cast<std::size_t>(term.labels[i])];
      if (i > 0 && name.kind == LabelName::Kind::integer) text += ' ';
      text += name.text();
    }
  };
  if (order_.empty()) {
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if (k > 0) text += ',';
      put(operands_[k]);
    }
  } else {
    struct Frame {
      std::int32_t node;
      std::size_t next;
    };
    std::vector<Frame> frames{{static_cast<std::int32_t>(order_.size()) - 1, 0}};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const OrderNode& node = order_[static_cast<std::size_t>(frame.node)];
      const bool root = frames.size() == 1;
      if (node.operand >= 0) {
        put(operands_[static_cast<std::size_t>(node.operand)]);
        frames.pop_back();
      } else if (frame.next == node.children.size()) {
        if (!root) text += ')';
        frames.pop_back();
      } else {
        if (frame.next == 0 && !root) text += '(';
        if (frame.next > 0) text += ',';
        const std::int32_t child = node.children[frame.next++];
        frames.push_back({child, 0});
      }
    }
  }
  text += "->";
  put(output_);
  return text;
}

}  // namespace tenferro
