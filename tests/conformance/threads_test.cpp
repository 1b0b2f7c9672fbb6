// SPDX-License-Identifier: MIT OR Apache-2.0
// The number of threads changes no bit of a result.
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpThreads : public EachOp {};

// THR-08
TEST_P(OpThreads, ChangeNoBit) {
  static const auto kPlain = cpu_backend(1);
  static const std::unique_ptr<BackendUnderTest> kTeams[] = {cpu_backend(2), cpu_backend(3), cpu_backend(8)};
  for_each_dtype(kind(), [&](DType d) {
    for (const OpCall& call : large_calls(kind(), d)) {
      SCOPED_TRACE(call.label);
      const CallOperands operands(call.in);
      std::vector<Tensor> expected;
      kPlain->with_session([&](BackendSession& session) { expected = run_op(session, call.op, operands.reads()); });
      for (const auto& team : kTeams) {
        SCOPED_TRACE(team->name());
        team->with_session([&](BackendSession& session) {
          const std::vector<Tensor> got = run_op(session, call.op, operands.reads());
          for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(bit_difference(expected[i], got[i]), "");
        });
      }
    }
  });
}

TENFERRO_EACH_OP(OpThreads, all_ops());

}  // namespace
}  // namespace tenferro::testing
