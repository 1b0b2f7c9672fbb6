// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/recorder.hpp"

#include <algorithm>

#include "tenferro/base/text.hpp"
#include "tenferro/ops/broadcast.hpp"
#include "tenferro/ops/internal/infer_support.hpp"

namespace tenferro {
namespace {

void require_value(std::string_view op, const Recording& recording, const Recorded& x) {
  if (x.of == recording.mark && x.id < recording.values) return;
  raise<OpErrorInfo>(BadArgument{
      op, concat("x", x.id, " is no value of this recording (expected one of its ", recording.values, ")")});
}

}  // namespace

Recorder::Recorder() { recording_.mark = std::make_shared<char>(); }

Recorded Recorder::input(TensorMeta meta) {
  if (OpFailure failure = internal::check_shape("input", meta.dtype, meta.shape)) throw_failure(std::move(failure));
  const std::uint32_t id = recording_.values++;
  recording_.steps.push_back({std::nullopt, {}, id, {meta}});
  return {id, std::move(meta), recording_.mark};
}

void Recorder::bind(const Op& op, std::span<const Recorded> in, std::span<Recorded> out) {
  std::vector<MetaView> metas;
  Recording::Step step{op, {}, recording_.values, std::vector<TensorMeta>(out.size())};
  for (const Recorded& x : in) {
    require_value(op.name(), recording_, x);
    metas.push_back(x.meta);
    step.in.push_back(x.id);
  }
  if (OpFailure failure = infer(op, metas, step.out)) throw_failure(std::move(failure));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = {recording_.values++, step.out[i], recording_.mark};
  recording_.steps.push_back(std::move(step));
}

Recorded Recorder::broadcast(const Recorded& x, DimsView shape) {
  require_value("broadcast", recording_, x);
  internal::require_stretches("broadcast", x.meta.shape, shape);
  const std::uint32_t id = recording_.values++;
  TensorMeta meta{x.meta.dtype, Shape(shape)};
  recording_.steps.push_back({std::nullopt, {x.id}, id, {meta}});
  return {id, std::move(meta), recording_.mark};
}

std::string to_text(const Recording& recording) {
  std::string text;
  for (const Recording::Step& step : recording.steps) {
    std::string results, operands, metas;
    for (std::size_t i = 0; i < step.out.size(); ++i) {
      results += concat(i == 0 ? "x" : ", x", step.first_out + i);
      metas += concat(i == 0 ? "" : ", ", name(step.out[i].dtype), ' ', list_text(step.out[i].shape));
    }
    for (const std::uint32_t id : step.in) operands += concat(operands.empty() ? "x" : ", x", id);
    text += results;
    if (!step.is_input()) text += concat(" = ", step.op ? to_text(*step.op) : "broadcast", '(', operands, ')');
    text += concat(": ", metas, '\n');
  }
  return text;
}

namespace internal {

std::vector<std::size_t> last_uses(const Recording& recording, std::span<const Recorded> outputs) {
  std::vector<std::size_t> last(recording.values, 0);
  for (const Recorded& output : outputs) last[output.id] = recording.steps.size();
  for (std::size_t s = recording.steps.size(); s > 0; --s) {
    const Recording::Step& step = recording.steps[s - 1];
    // A stretched value may look at its operand as long as it is read itself.
    const std::size_t use = !step.op && !step.in.empty() ? std::max(last[step.first_out], s - 1) : s - 1;
    for (const std::uint32_t id : step.in) last[id] = std::max(last[id], use);
  }
  return last;
}

bool asked_again(std::span<const Recorded> outputs, std::size_t i) {
  return std::any_of(outputs.begin() + static_cast<std::ptrdiff_t>(i) + 1, outputs.end(),
                     [&](const Recorded& other) { return other.id == outputs[i].id; });
}

void check_replay(const Recording& recording, std::size_t inputs, std::span<const Recorded> outputs) {
  std::size_t wanted = 0, values = 0;
  bool sound = true;
  for (const Recording::Step& step : recording.steps) {
    if (step.is_input()) ++wanted;
    // Only operations have several operands or results.
    sound = sound && step.first_out == values && (step.op || (step.in.size() <= 1 && step.out.size() == 1));
    for (const std::uint32_t id : step.in) sound = sound && id < values;
    values += step.out.size();
  }
  if (!sound || values != recording.values) {
    raise<OpErrorInfo>(BadArgument{"replay", "a step reads a value that no earlier step makes"});
  }
  if (wanted != inputs) {
    raise<OpErrorInfo>(
        ArityMismatch{"replay", static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(inputs), "inputs"});
  }
  for (const Recorded& output : outputs) require_value("replay", recording, output);
}

}  // namespace internal
}  // namespace tenferro
