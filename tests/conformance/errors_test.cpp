// SPDX-License-Identifier: MIT OR Apache-2.0
// Calls that no data could make legal are refused with the reason, before anything is computed.
#include "tenferro/ops/eval_shape.hpp"
#include "tests/conformance/suite.hpp"

namespace tenferro::testing {
namespace {

class OpErrors : public EachOp {
 protected:
  /// The operands of the first sample, of which a test spoils some.
  OpErrors() : call_(sample_calls(GetParam(), any_dtype(GetParam())).front()), operands_(call_.in) {
    in_.assign(operands_.reads().begin(), operands_.reads().end());
  }

  /// The same payload on a session and without data.
  template <class Payload>
  Payload refused_everywhere(const Op& op) {
    std::vector<MetaView> metas;
    for (const TensorRead& x : in_) metas.push_back(x.meta());
    std::string early, late;
    try {
      std::vector<TensorMeta> out(op.results());
      ShapeEvaluator().bind(op, metas, out);
    } catch (const Error& error) {
      early = error.what();
    }
    Payload payload;
    for (const auto& backend : backends()) {
      backend->with_session([&](BackendSession& session) {
        payload = refusal_of<Payload>([&] { run_op(session, op, in_); });
        try {
          run_op(session, op, in_);
        } catch (const Error& error) {
          late = error.what();
        }
        EXPECT_NO_THROW(run_op(session, call_)) << "the session must serve on";
      });
      EXPECT_EQ(late, early);
      EXPECT_EQ(late.rfind(std::string(op.name()) + ": ", 0), 0U) << late;
    }
    return payload;
  }

  /// Operands that share the dtype of the data operand.
  bool follows_data(std::size_t operand) const {
    return call_.in[operand].dtype == any_dtype(kind()) && (row().category != OpCategory::dynamic || operand == 0);
  }

  OpCall call_;
  CallOperands operands_;
  std::vector<TensorRead> in_;
};

TEST_P(OpErrors, ADTypeThatIsNotAdmittedIsNamed) {
  if (row().arity == 0 || row().category == OpCategory::random) return;  // see CreationErrors
  std::vector<DType> all(kDTypes.begin(), kDTypes.end());
  all.push_back(DType::external);
  for (const DType bad : all) {
    if (admitted(row().dtypes).contains(bad)) continue;
    SCOPED_TRACE(name(bad));
    for (std::size_t k = 0; k < in_.size(); ++k) {
      if (follows_data(k)) in_[k].dtype = bad;
    }
    const auto error = refused_everywhere<UnsupportedDType>(call_.op);
    EXPECT_EQ(error.op, row().name);
    EXPECT_EQ(error.operand, static_cast<std::int64_t>(data_operand(row())));
    EXPECT_EQ(error.got, bad);
    EXPECT_EQ(error.accepted, admitted(row().dtypes));
    in_.assign(operands_.reads().begin(), operands_.reads().end());
  }
}

TEST_P(OpErrors, AWrongNumberOfOperandsIsCounted) {
  const auto expect = [&] {
    const auto error = refused_everywhere<ArityMismatch>(call_.op);
    EXPECT_EQ(error.op, row().name);
    EXPECT_EQ(error.expected, row().arity == kVariadic ? -1 : row().arity);
    EXPECT_EQ(error.got, static_cast<std::int64_t>(in_.size()));
  };
  if (row().arity == kVariadic) {
    in_.clear();
    expect();
    return;
  }
  const Tensor one = Tensor::zeros(DType::f64, {2, 3});
  in_.push_back(one);
  expect();
  in_.pop_back();
  if (in_.empty()) return;
  in_.pop_back();
  expect();
}

TEST_P(OpErrors, ThePayloadOfAnotherOperationIsRefused) {
  Op spoiled = call_.op;
  spoiled.attrs = row().attrs == AttrsId::IotaAttrs ? Attrs(TriAttrs{}) : Attrs(IotaAttrs{});
  EXPECT_EQ(refused_everywhere<BadArgument>(spoiled).op, row().name);
}

TEST_P(OpErrors, OperandsOfTwoDTypesAreTold) {
  for (std::size_t k = data_operand(row()) + 1; k < in_.size(); ++k) {
    if (!follows_data(k)) continue;
    SCOPED_TRACE("operand " + std::to_string(k));
    const DType first = in_[k].dtype;
    const DType other = first == DType::f32 ? DType::f64 : DType::f32;
    in_[k].dtype = other;
    const auto error = refused_everywhere<DTypeMismatch>(call_.op);
    EXPECT_EQ(error.op, row().name);
    EXPECT_EQ(error.operand, static_cast<std::int64_t>(k));
    EXPECT_EQ(error.expected, first);
    EXPECT_EQ(error.got, other);
    in_[k].dtype = first;
  }
}

TEST_P(OpErrors, ElementwiseOperandsOfTwoShapesAreTold) {
  if (!is_elementwise(kind())) return;
  const Shape other{66};
  for (std::size_t k = 0; k < in_.size() && in_.size() > 1; ++k) {
    if (k == data_operand(row())) continue;
    SCOPED_TRACE("operand " + std::to_string(k));
    const TensorRead kept = in_[k];
    in_[k].extents = other.data();
    const auto error = refused_everywhere<ShapeMismatch>(call_.op);
    EXPECT_EQ(error.op, row().name);
    EXPECT_EQ(error.lhs, Shape{67});
    EXPECT_EQ(error.rhs, other);
    in_[k] = kept;
  }
}

TENFERRO_EACH_OP(OpErrors, all_ops());

TEST(CreationErrors, TheDTypeOfThePayloadIsChecked) {
  backends().front()->with_session([&](BackendSession& session) {
    const auto iota =
        refusal_of<UnsupportedDType>([&] { run_op(session, Op(OpKind::iota, IotaAttrs{{3}, DType::boolean, 0}), {}); });
    EXPECT_EQ(iota.operand, -1);
    EXPECT_EQ(iota.got, DType::boolean);
    const Tensor key = Tensor::zeros(DType::i64, {2});
    const TensorRead in[] = {key};
    const auto bits = refusal_of<UnsupportedDType>(
        [&] { run_op(session, Op(OpKind::random_bits, RandomBitsAttrs{{3}, DType::f64}), in); });
    EXPECT_EQ(bits.got, DType::f64);
    EXPECT_EQ(bits.accepted, DTypeSet::of(DType::i32, DType::i64));
  });
}

}  // namespace
}  // namespace tenferro::testing
