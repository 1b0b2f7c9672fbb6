// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// An emitter that writes down what is bound: for printing, profiling, and running again elsewhere.
//
// Example (session, tenferro/ops/reduction.hpp):
//     Recorder recorder;
//     Recorded x = recorder.input({DType::f64, {2, 3}});
//     Recorded y = reduce_sum(recorder, exp(recorder, x), 0);
//     CHECK(to_text(recorder.recording()) ==
//           "x0: f64 [2, 3]\n"
//           "x1 = exp(x0): f64 [2, 3]\n"
//           "x2 = reduce_sum{axes=[0]}(x1): f64 [3]\n");
//     Tensor zeros = Tensor::zeros(DType::f64, {2, 3});
//     CHECK(replay(session, recorder.recording(), {zeros}, {y})[0].at<double>({1}) == 2);

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tenferro/ops/emitter.hpp"

namespace tenferro {

/// Tells the values of one recorder from those of another.
using RecordingMark = std::shared_ptr<const void>;

/// A value of a recording: its number, dtype and shape.
struct Recorded {
  std::uint32_t id = 0;
  TensorMeta meta;
  RecordingMark of = nullptr;
};

/// A list of operations in the order in which they were bound. Numbers count inputs and results together.
struct Recording {
  struct Step {
    /// Nothing: an input (no operands), or its operand stretched to the shape of the result.
    std::optional<Op> op;
    std::vector<std::uint32_t> in;
    std::uint32_t first_out = 0;
    std::vector<TensorMeta> out;

    bool is_input() const noexcept { return !op && in.empty(); }
  };
  std::vector<Step> steps;
  std::uint32_t values = 0;
  RecordingMark mark = nullptr;
};

/// One line a step.
std::string to_text(const Recording& recording);

/// Checks and records operations; computes nothing. Operands must be values of this recorder (BadArgument).
///
/// Example:
///     Recorder recorder;
///     Recorded x = recorder.input({DType::f64, {3}}), y;
///     Recorded in[] = {recorder.broadcast(x, Shape{2, 3})};
///     recorder.bind(Op(OpKind::neg), in, std::span(&y, 1));
///     CHECK(Recorder::meta(y).shape.size() == 2 && y.id == 2);
///     const Recording& all = recorder.recording();
///     const Recording::Step& first = all.steps[0];
///     CHECK(all.steps.size() == 3 && all.values == 3 && first.is_input() && !all.steps[1].op);
///     CHECK(all.steps[2].op->name() == "neg");
class Recorder {
 public:
  using Value = Recorded;
  using Operand = Recorded;

  Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// A value that replay will be given, in the order of these calls. Throws OpError (InvalidShape, ShapeOverflow).
  Recorded input(TensorMeta meta);
  void bind(const Op& op, std::span<const Recorded> in, std::span<Recorded> out);
  Recorded broadcast(const Recorded& x, DimsView shape);
  static MetaView meta(const Recorded& x) noexcept { return x.meta; }

  const Recording& recording() const noexcept { return recording_; }

 private:
  Recording recording_;
};

static_assert(Emitter<Recorder>);

namespace internal {
/// Per value: the number of the last step that reads it; one past the end for those that are asked for.
std::vector<std::size_t> last_uses(const Recording& recording, std::span<const Recorded> outputs);
/// True if output i is listed once more behind i.
bool asked_again(std::span<const Recorded> outputs, std::size_t i);
/// Throws OpError unless as many inputs were given as were recorded (ArityMismatch), every step reads values of earlier
/// ones, and the outputs are values of this recording (BadArgument).
void check_replay(const Recording& recording, std::size_t inputs, std::span<const Recorded> outputs);
}  // namespace internal

/// Binds the recorded operations on another emitter and returns the asked values. Values are dropped after their last
/// use. Throws OpError (ArityMismatch for another number of inputs, BadArgument for outputs of another recording), and
/// what the operations throw.
template <Emitter E>
std::vector<Value<E>> replay(E& e, const Recording& recording,
                             std::type_identity_t<std::vector<typename E::Operand>> inputs,
                             const std::vector<Recorded>& outputs) {
  using Operand = typename E::Operand;
  using Stretched = decltype(e.broadcast(std::declval<const Operand&>(), DimsView{}));
  struct Slot {
    std::optional<Value<E>> value;
    std::optional<Stretched> stretched;
    std::optional<Operand> operand;
  };
  internal::check_replay(recording, inputs.size(), outputs);
  const std::vector<std::size_t> last = internal::last_uses(recording, outputs);
  std::vector<Slot> slots(recording.values);
  std::size_t next_input = 0;
  for (std::size_t s = 0; s < recording.steps.size(); ++s) {
    const Recording::Step& step = recording.steps[s];
    Slot& first = slots[step.first_out];
    std::vector<Operand> in;
    for (const std::uint32_t id : step.in) in.push_back(*slots[id].operand);
    if (step.is_input()) {
      first.operand.emplace(inputs[next_input++]);
    } else if (!step.op) {
      first.operand.emplace(first.stretched.emplace(e.broadcast(in[0], step.out[0].shape)));
    } else {
      std::vector<Value<E>> made(step.out.size());
      e.bind(*step.op, std::span<const Operand>(in), std::span<Value<E>>(made));
      for (std::size_t i = 0; i < made.size(); ++i) {
        Slot& slot = slots[step.first_out + i];
        slot.operand.emplace(slot.value.emplace(std::move(made[i])));
      }
    }
    for (const std::uint32_t id : step.in) {
      if (last[id] == s) slots[id] = Slot{};
    }
  }
  std::vector<Value<E>> results;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Slot& slot = slots[outputs[i].id];
    if (slot.value && !internal::asked_again(outputs, i)) {
      results.push_back(std::move(*slot.value));
    } else {
      const Op copy(OpKind::convert, ConvertAttrs{outputs[i].meta.dtype, true});
      results.push_back(bind1(e, copy, *slot.operand));
    }
  }
  return results;
}

}  // namespace tenferro
