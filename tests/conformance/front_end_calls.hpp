// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The named function of each catalog row, called with the payload of an operation: what a user would write.
//
//   call_front_end(session, Op(OpKind::cumsum, ScanAttrs{1}), reads);   // cumsum(session, reads[0], 1)

#include <span>
#include <vector>

#include "tenferro/backend/session.hpp"
#include "tenferro/ops/eval_shape.hpp"
#include "tenferro/ops/op_table.hpp"
#include "tenferro/ops/recorder.hpp"

namespace tenferro::testing {

/// The results of the named function; compiled for sessions, ShapeEvaluator and Recorder.
template <Emitter E>
std::vector<Value<E>> call_front_end(E& e, const Op& op, std::span<const typename E::Operand> x);

extern template std::vector<Tensor> call_front_end(BackendSession&, const Op&, std::span<const TensorRead>);
extern template std::vector<TensorMeta> call_front_end(ShapeEvaluator&, const Op&, std::span<const MetaView>);
extern template std::vector<Recorded> call_front_end(Recorder&, const Op&, std::span<const Recorded>);

}  // namespace tenferro::testing
