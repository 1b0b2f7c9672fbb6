// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/recorder.hpp"

#include <algorithm>

#include "tenferro/base/text.hpp"
#include "tenferro/ops/eval_shape.hpp"

namespace tenferro {

Recorded Recorder::input(TensorMeta meta) {
  const std::uint32_t id = recording_.values++;
  recording_.steps.push_back({std::nullopt, {}, id, {meta}});
  return {id, std::move(meta)};
}

void Recorder::bind(const Op& op, std::span<const Recorded> in, std::span<Recorded> out) {
  std::vector<MetaView> metas;
  Recording::Step step{op, {}, recording_.values, std::vector<TensorMeta>(op.results())};
  for (const Recorded& x : in) {
    metas.push_back(x.meta);
    step.in.push_back(x.id);
  }
  if (OpFailure failure = infer(op, metas, step.out)) throw_failure(std::move(failure));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = {recording_.values++, step.out[i]};
  recording_.steps.push_back(std::move(step));
}

Recorded Recorder::broadcast(const Recorded& x, DimsView shape) {
  internal::require_stretches(x.meta.shape, shape);
  const std::uint32_t id = recording_.values++;
  TensorMeta meta{x.meta.dtype, Shape(shape)};
  recording_.steps.push_back({std::nullopt, {x.id}, id, {meta}});
  return {id, std::move(meta)};
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

void require_inputs(const Recording& recording, std::size_t given) {
  const auto wanted = static_cast<std::size_t>(
      std::count_if(recording.steps.begin(), recording.steps.end(), [](const auto& step) { return step.is_input(); }));
  if (wanted == given) return;
  raise<OpErrorInfo>(ArityMismatch{"replay", static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(given)});
}

}  // namespace internal
}  // namespace tenferro
