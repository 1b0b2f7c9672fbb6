// SPDX-License-Identifier: MIT OR Apache-2.0
// Tensors without elements and tensors of rank 0 are ordinary operands.
#include <algorithm>

#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpExtremes : public EachOp {};

bool has_empty(const OpCall& call) {
  const auto is_empty = [](const Array& x) { return x.cells.empty(); };
  const std::vector<Array> results = expected_results(call);
  return std::any_of(call.in.begin(), call.in.end(), is_empty) || std::any_of(results.begin(), results.end(), is_empty);
}

// The values suite has computed them; here it is made sure that there are some.
TEST_P(OpExtremes, AnEmptyTensorIsAmongTheSamples) {
  for_each_dtype(kind(), [&](DType d) {
    const Calls calls = sample_calls(kind(), d);
    EXPECT_TRUE(kind() == OpKind::shape_of || std::any_of(calls.begin(), calls.end(), has_empty));
  });
}

TEST_P(OpExtremes, RankZeroIsComputedOrRefusedWithAReason) {
  const DType d = any_dtype(kind());
  const Calls calls = sample_calls(kind(), d);
  const bool sampled = std::any_of(calls.begin(), calls.end(), [](const OpCall& call) {
    return call.in.empty() || std::any_of(call.in.begin(), call.in.end(), [](const Array& x) { return x.rank() == 0; });
  });
  if (sampled) return;
  OpCall call = calls.front();
  for (Array& x : call.in) x = draw_array(x.dtype, {}, {1, 2}, 1);
  backends().front()->with_session([&](BackendSession& session) { EXPECT_THROW(run_op(session, call), OpError); });
}

TENFERRO_EACH_OP(OpExtremes, all_ops());

}  // namespace
}  // namespace tenferro::testing
