// SPDX-License-Identifier: MIT OR Apache-2.0
// The named function of a row binds that row: it gives the same bits as binding the operation.
#include "tests/conformance/front_end_calls.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpFrontEnds : public EachOp {};

TEST_P(OpFrontEnds, GiveWhatBindingGives) {
  backends().front()->with_session([&](BackendSession& session) {
    for_each_call(kind(), [&](const OpCall& call) {
      const CallOperands operands(call.in);
      const std::vector<Tensor> expected = run_op(session, call.op, operands.reads());
      const std::vector<Tensor> got = call_front_end(session, call.op, operands.reads());
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(bit_difference(expected[i], got[i]), "");
    });
  });
}

TENFERRO_EACH_OP(OpFrontEnds, all_ops());

}  // namespace
}  // namespace tenferro::testing
