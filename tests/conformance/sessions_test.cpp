// SPDX-License-Identifier: MIT OR Apache-2.0
// A session is entered once, whatever is bound in it.
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

TEST(Sessions, OneEntryCarriesEveryOperation) {
  for (const auto& backend : backends()) {
    SCOPED_TRACE(backend->name());
    const std::uint64_t before = backend->session_entries();
    backend->with_session([&](BackendSession& session) {
      for (const OpInfo& row : kOps) run_op(session, sample_calls(row.kind, any_dtype(row.kind)).front());
    });
    EXPECT_EQ(backend->session_entries() - before, 1U);
  }
}

TEST(Sessions, SurviveARefusedCall) {
  for (const auto& backend : backends()) {
    SCOPED_TRACE(backend->name());
    const OpCall sum = sample_calls(OpKind::reduce_sum, DType::f64).front();
    const std::vector<Array> expected = expected_results(sum);
    backend->with_session([&](BackendSession& session) {
      const Tensor mask = Tensor::zeros(DType::boolean, {3});
      const TensorRead in[] = {mask};
      EXPECT_THROW(run_op(session, Op(OpKind::exp), in), OpError);
      EXPECT_EQ(difference(expected[0], array_of(run_op(session, sum)[0]), {8}), "");
    });
    backend->with_session([&](BackendSession& session) {
      EXPECT_EQ(difference(expected[0], array_of(run_op(session, sum)[0]), {8}), "");
    });
  }
}

TEST(Sessions, AnExceptionOfTheBodyPassesAndTheBackendServesOn) {
  struct Mine {};
  for (const auto& backend : backends()) {
    SCOPED_TRACE(backend->name());
    EXPECT_THROW(backend->with_session([](BackendSession&) { throw Mine{}; }), Mine);
    bool ran = false;
    backend->with_session([&](BackendSession&) { ran = true; });
    EXPECT_TRUE(ran);
  }
}

}  // namespace
}  // namespace tenferro::testing
