// SPDX-License-Identifier: MIT OR Apache-2.0
// Every operation, on every dtype that it admits, gives the values of its oracle.
#include <algorithm>

#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpValues : public EachOp {};

// Which of two equal zeros is the larger, and what sum of zeros comes first, is not promised.
constexpr OpKind kAnyZero[] = {OpKind::maximum,    OpKind::minimum,    OpKind::clamp,  OpKind::floor_mod,
                               OpKind::reduce_max, OpKind::reduce_min, OpKind::cummax, OpKind::cummin};

// Signs of zeros are those of IEEE arithmetic for real numbers, and kept by whatever moves elements; the parts of a
// complex result may come from sums in any order.
Tolerance tolerance_of(OpKind kind, DType d) {
  Tolerance tolerance = op_sample(kind).tolerance;
  const bool exact = tolerance.ulps == 0;
  tolerance.zero_signs = (exact || (is_elementwise(kind) && !is_complex(d))) &&
                         std::find(std::begin(kAnyZero), std::end(kAnyZero), kind) == std::end(kAnyZero);
  return tolerance;
}

TEST_P(OpValues, AreThoseOfTheOracle) {
  for (const auto& backend : backends()) {
    SCOPED_TRACE(backend->name());
    backend->with_session([&](BackendSession& session) {
      for_each_call(kind(), [&](const OpCall& call) {
        const std::vector<Array> expected = expected_results(call);
        const std::vector<Tensor> got = run_op(session, call);
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
          EXPECT_EQ(difference(expected[i], array_of(got[i]), tolerance_of(kind(), expected[i].dtype)), "");
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
