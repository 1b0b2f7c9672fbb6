// SPDX-License-Identifier: MIT OR Apache-2.0
// The memory layout of operands changes no bit of a result.
#include "tests/conformance/laid_array.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpLayouts : public EachOp {
 protected:
  static void expect_same(BackendSession& session, const Op& op, const std::vector<Tensor>& expected,
                          const std::vector<LaidArray>& laid) {
    std::vector<TensorRead> in;
    for (const LaidArray& operand : laid) in.push_back(operand.read());
    const std::vector<Tensor> got = run_op(session, op, in);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(bit_difference(expected[i], got[i]), "");
  }
};

TEST_P(OpLayouts, ChangeNoBit) {
  backends().back()->with_session([&](BackendSession& session) {
    for_each_call(kind(), [&](const OpCall& call) {
      const std::vector<Tensor> expected = run_op(session, call);
      for (std::size_t k = 0; k < kLayoutKinds.size() && !call.in.empty(); ++k) {
        SCOPED_TRACE("layout " + std::string(name(kLayoutKinds[k])));
        std::vector<LaidArray> equal, differing;
        for (const Array& x : call.in) equal.emplace_back(kLayoutKinds[k], x);
        expect_same(session, call.op, expected, equal);
        if (call.in.size() == 1) continue;
        SCOPED_TRACE("the other operands in other layouts");
        for (std::size_t i = 0; i < call.in.size(); ++i) {
          differing.emplace_back(kLayoutKinds[(k + 3 * i) % kLayoutKinds.size()], call.in[i]);
        }
        expect_same(session, call.op, expected, differing);
      }
    });
  });
}

TEST_P(OpLayouts, ZeroStridesReadAsRepeatedElements) {
  backends().back()->with_session([&](BackendSession& session) {
    for_each_call(kind(), [&](const OpCall& call) {
      for (std::size_t operand = 0; operand < call.in.size(); ++operand) {
        if (row().category == OpCategory::indexing && operand == 1) continue;  // repeated components may be outside
        const Array& x = call.in[operand];
        for (std::size_t axis = 0; axis < x.rank(); ++axis) {
          if (x.cells.empty() || x.shape[axis] < 2) continue;
          SCOPED_TRACE("operand " + std::to_string(operand) + " stretched along axis " + std::to_string(axis));
          OpCall plain = call;
          plain.in[operand] = repeated(x, axis);
          std::vector<LaidArray> laid;
          for (std::size_t i = 0; i < call.in.size(); ++i) {
            laid.push_back(i == operand ? LaidArray::stretched(x, axis) : LaidArray(LayoutKind::compact, call.in[i]));
          }
          expect_same(session, call.op, run_op(session, plain), laid);
        }
      }
    });
  });
}

TENFERRO_EACH_OP(OpLayouts, ops_where([](const OpInfo& row) { return row.arity != 0; }));

}  // namespace
}  // namespace tenferro::testing
