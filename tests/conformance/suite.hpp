// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What the suites share: a test per operation, the walk over its dtypes and calls, running a call in a session.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/conformance/backends.hpp"
#include "tests/conformance/op_samples.hpp"
#include "tests/support/refusal_of.hpp"

namespace tenferro::testing {

/// One test per row of the catalog.
class EachOp : public ::testing::TestWithParam<OpKind> {
 protected:
  OpKind kind() const { return GetParam(); }
  const OpInfo& row() const { return info(GetParam()); }
};

inline std::vector<OpKind> ops_where(bool (*wanted)(const OpInfo&)) {
  std::vector<OpKind> kinds;
  for (const OpInfo& row : kOps) {
    if (wanted(row)) kinds.push_back(row.kind);
  }
  return kinds;
}
inline std::vector<OpKind> all_ops() {
  return ops_where([](const OpInfo&) { return true; });
}

inline std::string op_name(const ::testing::TestParamInfo<OpKind>& param) {
  return std::string(info(param.param).name);
}

#define TENFERRO_EACH_OP(suite, kinds) \
  INSTANTIATE_TEST_SUITE_P(Catalog, suite, ::testing::ValuesIn(kinds), ::tenferro::testing::op_name)

/// The operands of a call as tensors.
class CallOperands {
 public:
  explicit CallOperands(const std::vector<Array>& in) {
    for (const Array& array : in) tensors_.push_back(to_tensor(array));
    for (const Tensor& t : tensors_) reads_.push_back(t);
  }
  std::span<const TensorRead> reads() const { return reads_; }

 private:
  std::vector<Tensor> tensors_;
  std::vector<TensorRead> reads_;
};

inline std::vector<Tensor> run_op(BackendSession& session, const Op& op, std::span<const TensorRead> in) {
  std::vector<Tensor> out(op.results());
  session.bind(op, in, out);
  return out;
}
inline std::vector<Tensor> run_op(BackendSession& session, const OpCall& call) {
  return run_op(session, call.op, CallOperands(call.in).reads());
}

/// body(session) in a session of each backend.
inline void on_every_backend(FunctionRef<void(BackendSession&)> body) {
  for (const auto& backend : backends()) {
    SCOPED_TRACE(backend->name());
    backend->with_session(body);
  }
}

/// f(dtype) with a trace "reduce_sum f32" for each dtype that the row admits.
template <class F>
void for_each_dtype(OpKind kind, F&& f) {
  for (const DType d : kDTypes) {
    if (!admitted(info(kind).dtypes).contains(d)) continue;
    SCOPED_TRACE(std::string(info(kind).name) + ' ' + std::string(name(d)));
    f(d);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// f(call) for each sample of each dtype, with a trace that names it; an exception of the library is a failure.
template <class F>
void for_each_call(OpKind kind, F&& f) {
  for_each_dtype(kind, [&](DType d) {
    for (const OpCall& call : sample_calls(kind, d)) {
      SCOPED_TRACE(call.label);
      try {
        f(call);
      } catch (const Error& error) {
        ADD_FAILURE() << "refused: " << error.what();
      }
    }
  });
}

}  // namespace tenferro::testing
