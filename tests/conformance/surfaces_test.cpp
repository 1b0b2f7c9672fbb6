// SPDX-License-Identifier: MIT OR Apache-2.0
// One vocabulary, several surfaces: shapes without data agree with results, and a recording replays to the same bits.
#include "tests/conformance/front_end_calls.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpSurfaces : public EachOp {};

TEST_P(OpSurfaces, ShapesWithoutDataAreThoseOfTheResults) {
  backends().front()->with_session([&](BackendSession& session) {
    for_each_call(kind(), [&](const OpCall& call) {
      const CallOperands operands(call.in);
      std::vector<MetaView> metas;
      for (const TensorRead& x : operands.reads()) metas.push_back(x.meta());
      ShapeEvaluator shapes;
      const std::vector<TensorMeta> got = call_front_end<ShapeEvaluator>(shapes, call.op, metas);
      const std::vector<Tensor> results = run_op(session, call.op, operands.reads());
      ASSERT_EQ(got.size(), results.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].dtype, results[i].dtype());
        if (!has(row().traits, Traits::dynamic_shape)) {
          EXPECT_EQ(got[i].shape, results[i].shape());
          continue;
        }
        ASSERT_EQ(got[i].shape.size(), results[i].rank());
        for (std::size_t k = 0; k < got[i].shape.size(); ++k) EXPECT_GE(got[i].shape[k], results[i].shape()[k]);
      }
    });
  });
}

TEST_P(OpSurfaces, ARecordingReplaysToTheSameBits) {
  backends().back()->with_session([&](BackendSession& session) {
    for_each_call(kind(), [&](const OpCall& call) {
      const CallOperands operands(call.in);
      Recorder recorder;
      std::vector<Recorded> inputs;
      for (const TensorRead& x : operands.reads()) inputs.push_back(recorder.input({x.dtype, Shape(x.shape())}));
      const std::vector<Recorded> outputs = call_front_end<Recorder>(recorder, call.op, inputs);
      const std::vector<Tensor> expected = run_op(session, call.op, operands.reads());
      const std::vector<Tensor> got =
          replay(session, recorder.recording(), {operands.reads().begin(), operands.reads().end()}, outputs);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(bit_difference(expected[i], got[i]), "");
      EXPECT_NE(to_text(recorder.recording()).find(row().name), std::string::npos);
    });
  });
}

TENFERRO_EACH_OP(OpSurfaces, all_ops());

}  // namespace
}  // namespace tenferro::testing
