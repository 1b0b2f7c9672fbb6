// SPDX-License-Identifier: MIT OR Apache-2.0
// Results written into the caller's memory: any strides, nothing outside, nothing when the call is refused.
#include <cstring>

#include "tests/conformance/laid_array.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpInto : public EachOp {
 protected:
  struct Outputs {
    Outputs(LayoutKind layout, const std::vector<Tensor>& like) {
      for (const Tensor& t : like) laid.emplace_back(layout, t.dtype(), t.shape());
      for (LaidArray& output : laid) writes.push_back(output.write());
    }
    std::vector<LaidArray> laid;
    std::vector<TensorWrite> writes;
  };
};

TEST_P(OpInto, WritesEveryLayoutAndNothingBeside) {
  backends().back()->with_session([&](BackendSession& session) {
    for_each_call(kind(), [&](const OpCall& call) {
      const CallOperands operands(call.in);
      const std::vector<Tensor> expected = run_op(session, call.op, operands.reads());
      for (const LayoutKind layout : kLayoutKinds) {
        SCOPED_TRACE("output " + std::string(name(layout)));
        Outputs out(layout, expected);
        session.bind_into(call.op, operands.reads(), out.writes);
        for (std::size_t i = 0; i < expected.size(); ++i) {
          EXPECT_EQ(bit_difference(expected[i], out.laid[i].read()), "");
          EXPECT_TRUE(out.laid[i].gaps_intact()) << "wrote beside its elements";
        }
      }
    });
  });
}

TEST_P(OpInto, RefusesAnotherShapeOrDTypeAndLeavesTheOutputAlone) {
  backends().back()->with_session([&](BackendSession& session) {
    for_each_dtype(kind(), [&](DType d) {
      const OpCall call = sample_calls(kind(), d).front();
      const CallOperands operands(call.in);
      const std::vector<Tensor> expected = run_op(session, call.op, operands.reads());
      const std::size_t last = expected.size() - 1;
      Shape longer = expected[last].shape();
      longer.push_back(1);
      const DType other = expected[last].dtype() == DType::f64 ? DType::f32 : DType::f64;
      std::vector<Tensor> wrong;
      wrong.push_back(Tensor::full(longer, Scalar(std::int32_t{1}).as(expected[last].dtype())));
      wrong.push_back(Tensor::full(expected[last].shape(), Scalar(std::int32_t{1}).as(other)));
      for (Tensor& target : wrong) {
        const Tensor before = target.duplicate();
        Outputs out(LayoutKind::compact, expected);
        out.writes[last] = target;
        EXPECT_THROW(session.bind_into(call.op, operands.reads(), out.writes), OpError);
        EXPECT_EQ(bit_difference(before, target), "");
      }
    });
  });
}

// IDX-06, and the first half of API-04.
TEST_P(OpInto, RefusesAnOutputThatOverlapsAnOperand) {
  backends().back()->with_session([&](BackendSession& session) {
    for_each_call(kind(), [&](const OpCall& call) {
      const CallOperands operands(call.in);
      const std::vector<Tensor> expected = run_op(session, call.op, operands.reads());
      if (expected[0].count() == 0) return;
      for (std::size_t k = 0; k < call.in.size(); ++k) {
        if (call.in[k].cells.empty()) continue;
        SCOPED_TRACE("operand " + std::to_string(k));
        // Operand and first output in one block, the output one element further.
        const std::size_t step = element_size(expected[0].dtype());
        const std::size_t in_bytes = call.in[k].cells.size() * element_size(call.in[k].dtype);
        std::vector<std::byte> block(in_bytes + expected[0].byte_size() + 2 * step, std::byte{7});
        std::vector<TensorRead> in(operands.reads().begin(), operands.reads().end());
        std::memcpy(block.data() + step, in[k].data, in_bytes);
        in[k].data = block.data() + step;
        Outputs out(LayoutKind::compact, expected);
        out.writes[0].data = block.data() + step + (is_elementwise(kind()) ? step : 0);
        if (out.writes[0].data >= block.data() + step + in_bytes) continue;  // a scalar beside its result
        const std::vector<std::byte> before = block;
        const auto error = refusal_of<OverlappingStorage>([&] { session.bind_into(call.op, in, out.writes); });
        EXPECT_EQ(error.op, info(kind()).name);
        EXPECT_EQ(error.operand, static_cast<std::int64_t>(k));
        EXPECT_EQ(block, before) << "wrote although it refused";
      }
    });
  });
}

TEST_P(OpInto, AnElementwiseOutputMayBeItsOwnOperand) {
  if (!is_elementwise(kind())) return;
  backends().back()->with_session([&](BackendSession& session) {
    for_each_call(kind(), [&](const OpCall& call) {
      const CallOperands operands(call.in);
      const Tensor expected = std::move(run_op(session, call.op, operands.reads())[0]);
      for (std::size_t k = 0; k < call.in.size(); ++k) {
        if (element_size(call.in[k].dtype) != element_size(expected.dtype())) continue;
        SCOPED_TRACE("operand " + std::to_string(k));
        for (const LayoutKind layout : kLayoutKinds) {
          SCOPED_TRACE(name(layout));
          LaidArray place(layout, call.in[k]);
          std::vector<TensorRead> in(operands.reads().begin(), operands.reads().end());
          in[k] = place.read();
          TensorWrite target = place.write();
          target.dtype = expected.dtype();
          session.bind_into(call.op, in, {&target, 1});
          EXPECT_EQ(bit_difference(expected, target.read()), "");
          EXPECT_TRUE(place.gaps_intact());
        }
      }
    });
  });
}

TENFERRO_EACH_OP(OpInto, all_ops());

}  // namespace
}  // namespace tenferro::testing
