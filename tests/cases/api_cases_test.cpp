// SPDX-License-Identifier: MIT OR Apache-2.0
#include <cmath>
#include <limits>

#include "tenferro/einsum/einsum.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tests/support/with_cpu.hpp"

namespace tenferro::testing {
namespace {

// API-04
TEST(RefusedCalls, LeaveTheDestinationAndTheSessionAsTheyWere) {
  const Tensor a = Tensor::ones(DType::f64, {2, 3}), b = Tensor::ones(DType::f64, {3, 4});
  Tensor wrong = Tensor::full({2, 5}, 7.0), right = Tensor::full({2, 4}, 7.0);
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk->ik", {a, b});
  on_cpu([&](BackendSession& s) {
    refusal_of<ShapeMismatch>([&] { matmul_into(s, wrong, a, b); });
    EXPECT_THROW(plan.execute_into(s, {a, b}, wrong), OpError);
    EXPECT_THROW(plan.execute_into(s, {a, a}, right), Error);
    for (const double x : wrong.data<double>()) EXPECT_EQ(x, 7.0);
    for (const double x : right.data<double>()) EXPECT_EQ(x, 7.0);
    plan.execute_into(s, {a, b}, right);
    for (const double x : right.data<double>()) EXPECT_EQ(x, 3.0);
  });
}

// API-04: with beta = 0 what stood in the output has no influence.
TEST(Accumulation, WithBetaZeroNeverReadsTheOutput) {
  const Tensor a = Tensor::ones(DType::f64, {2, 3}), b = Tensor::ones(DType::f64, {3, 4});
  Tensor out = Tensor::full({2, 4}, std::numeric_limits<double>::quiet_NaN());
  on_cpu([&](BackendSession& s) { matmul_into_accum(s, out, a, b, 2.0, 0.0); });
  for (const double x : out.data<double>()) EXPECT_EQ(x, 6.0);
}

// API-09
TEST(NestedEntry, IsRefusedBeforeItsClosureRunsAndHarmsNothing) {
  CpuBackend cpu, other;
  const Tensor one = Tensor::scalar(1.0);
  const auto one_shot = [&](CpuBackend& backend) {
    return backend.with_session([&](BackendSession& s) { return add(s, one, one); }).item().get<double>();
  };
  struct Mine {};
  EXPECT_THROW(cpu.with_session([&](BackendSession& s) {
    bool ran = false;
    try {
      cpu.with_session([&](BackendSession&) { ran = true; });
      ADD_FAILURE() << "was not refused";
    } catch (const SessionEntryError& error) {
      EXPECT_EQ(error.info().kind, SessionEntryKind::reentered);
    }
    EXPECT_THROW(one_shot(cpu), SessionEntryError);
    EXPECT_THROW(one_shot(other), SessionEntryError);
    EXPECT_FALSE(ran);
    EXPECT_EQ(add(s, one, one).item().get<double>(), 2.0);
    throw Mine{};
  }),
               Mine);
  EXPECT_EQ(one_shot(cpu), 2.0);
  EXPECT_EQ(one_shot(other), 2.0);
}

}  // namespace
}  // namespace tenferro::testing
