// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// For tests: what an operation is accepted with or refused for.
//
//   EXPECT_EQ(shape_after(op, {f64({2, 3})}), (Shape{3}));
//   EXPECT_EQ(refusal<AxisOutOfRange>(op, {f64({2, 3})}).axis, 2);

#include <initializer_list>
#include <vector>

#include "tenferro/ops/infer.hpp"
#include "tests/support/refusal_of.hpp"

namespace tenferro::testing {

inline TensorMeta meta(DType dtype, Shape shape) { return {dtype, std::move(shape)}; }
inline TensorMeta f32(Shape shape) { return {DType::f32, std::move(shape)}; }
inline TensorMeta f64(Shape shape) { return {DType::f64, std::move(shape)}; }
inline TensorMeta c64(Shape shape) { return {DType::c64, std::move(shape)}; }
inline TensorMeta i32(Shape shape) { return {DType::i32, std::move(shape)}; }
inline TensorMeta i64(Shape shape) { return {DType::i64, std::move(shape)}; }
inline TensorMeta boolean(Shape shape) { return {DType::boolean, std::move(shape)}; }

/// The results that inference gives; throws OpError.
inline std::vector<TensorMeta> inferred(const Op& op, const std::vector<TensorMeta>& in) {
  std::vector<MetaView> views(in.begin(), in.end());
  std::vector<TensorMeta> out(op.results());
  if (OpFailure failure = infer(op, views, out)) throw_failure(std::move(failure));
  return out;
}
inline TensorMeta result(const Op& op, const std::vector<TensorMeta>& in) { return inferred(op, in)[0]; }
inline Shape shape_after(const Op& op, const std::vector<TensorMeta>& in) { return inferred(op, in)[0].shape; }

template <class Payload>
Payload refusal(const Op& op, const std::vector<TensorMeta>& in) {
  return refusal_of<Payload>([&] { return inferred(op, in); });
}

}  // namespace tenferro::testing
