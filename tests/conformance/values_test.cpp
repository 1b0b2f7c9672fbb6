// SPDX-License-Identifier: MIT OR Apache-2.0
// Every operation, on every dtype that it admits, gives the values of its oracle.
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpValues : public EachOp {};

TEST_P(OpValues, AreThoseOfTheOracle) {
  for (const auto& backend : backends()) {
    SCOPED_TRACE(backend->name());
    backend->with_session([&](BackendSession& session) {
      for_each_call(kind(), [&](const OpCall& call) {
        const std::vector<Array> expected = expected_results(call);
        const std::vector<Tensor> got = run_op(session, call);
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
          EXPECT_EQ(difference(expected[i], array_of(got[i]), op_sample(kind()).tolerance), "");
        }
      });
    });
  }
}

TENFERRO_EACH_OP(OpValues, all_ops());

TEST(Catalog, HasSamplesForEveryAdmittedDType) {
  for (const OpInfo& row : kOps) {
    for_each_dtype(row.kind, [&](DType d) {
      EXPECT_FALSE(sample_calls(row.kind, d).empty());
      EXPECT_FALSE(large_calls(row.kind, d).empty());
    });
  }
}

}  // namespace
}  // namespace tenferro::testing
