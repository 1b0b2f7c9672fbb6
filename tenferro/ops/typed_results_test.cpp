// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions of typed tensors name the element type of their results; each result is made, so that a type which the
// operation does not give would be refused.
#include <gtest/gtest.h>

#include "tenferro/ops/composites.hpp"
#include "tenferro/ops/conveniences.hpp"
#include "tenferro/ops/testing/shape_session.hpp"

namespace tenferro::testing {
namespace {

using Complex = std::complex<double>;

template <class T>
void is(const TypedTensor<T>& result, const Shape& shape) {
  EXPECT_TRUE(same_shape(result.shape(), shape));
}
// Takes the type as it is, unlike a function that converts.
template <class Expected, class Got>
void gives(const Got& result, const Shape& shape) {
  static_assert(std::same_as<Got, TypedTensor<Expected>>);
  is(result, shape);
}

class TypedResultsTest : public ::testing::Test {
 protected:
  ShapeSession s;
  const TypedTensor<double> x = TypedTensor<double>::zeros({2, 3});
  const TypedTensor<Complex> z = TypedTensor<Complex>::zeros({2, 3});
  const TypedTensor<bool> mask = TypedTensor<bool>::zeros({2, 3});
  const TypedTensor<std::int64_t> rows = TypedTensor<std::int64_t>::zeros({2});
};

TEST_F(TypedResultsTest, Reductions) {
  gives<double>(reduce_sum(s, x), {});
  gives<Complex>(reduce_prod(s, z, {0, 1}), {});
  gives<double>(reduce_max(s, x, -1, true), {2, 1});
  gives<double>(reduce_sum_squares(s, z, 0), {3});
  gives<bool>(reduce_any(s, mask), {});
  gives<std::int64_t>(argmax(s, x, 1), {2});
  gives<std::int64_t>(argmin(s, x), {});
  gives<double>(norm_squared(s, z), {});
  gives<Complex>(reduce_mean(s, z, 0), {3});
  gives<double>(variance(s, z, 0), {3});
  gives<double>(stddev(s, x, {0}, 1), {3});
}

TEST_F(TypedResultsTest, ScansAndOrder) {
  gives<double>(cumsum(s, x, 0, {.reverse = true}), {2, 3});
  gives<double>(cumlogsumexp(s, x, -1), {2, 3});
  gives<double>(sort(s, x), {2, 3});
  gives<std::int64_t>(argsort(s, x, 0, {.descending = true}), {2, 3});
  const auto best = top_k(s, x, 2);
  gives<double>(best.values, {2, 2});
  gives<std::int64_t>(best.positions, {2, 2});
}

TEST_F(TypedResultsTest, StructureKeepsTheType) {
  gives<double>(transpose(s, x), {3, 2});
  gives<Complex>(transpose(s, z, {1, 0}), {3, 2});
  gives<double>(reshape(s, x, {-1}), {6});
  gives<bool>(broadcast_to(s, mask, {4, 2, 3}), {4, 2, 3});
  gives<double>(broadcast_in_dim(s, x, {2, 5, 3}, {0, 2}), {2, 5, 3});
  gives<double>(extract_diag(s, x), {2});
  gives<double>(embed_diag(s, x), {3, 3, 2});
  gives<double>(tril(s, x, 1), {2, 3});
  gives<double>(reverse(s, x, {0}), {2, 3});
  gives<double>(pad(s, x, {1, 0}, {0, 0}, 1.0), {3, 3});
  gives<double>(slice(s, x, {0, 1}, {2, 3}), {2, 2});
  gives<double>(slice_axis(s, x, 1, 0, end), {2, 3});
  gives<float>(cast<float>(s, x), {2, 3});
  gives<Complex>(convert<Complex>(s, x), {2, 3});
  std::vector<TypedTensor<double>> list;
  list.push_back(transpose(s, x));
  list.push_back(transpose(s, x));
  gives<double>(concatenate(s, list, 0), {6, 2});
  gives<double>(stack(s, list), {2, 3, 2});
}

TEST_F(TypedResultsTest, ArrangementKeepsTheType) {
  gives<double>(flatten(s, x), {6});
  gives<double>(flatten(s, transpose(s, x)), {6});
  gives<double>(squeeze(s, reduce_sum(s, x, 0, true)), {3});
  gives<double>(unsqueeze(s, x, 0), {1, 2, 3});
  gives<double>(swap_axes(s, x, 0, 1), {3, 2});
  gives<double>(move_axis(s, x, 0, 1), {3, 2});
  gives<double>(flip(s, x), {2, 3});
  gives<double>(split(s, x, 3, 1)[2], {2, 1});
  gives<double>(split(s, x, {1, 2}, 1)[1], {2, 2});
  gives<double>(tile(s, x, {2}), {2, 6});
  gives<double>(repeat(s, x, 2, 0), {4, 3});
  gives<double>(roll(s, x, 1), {2, 3});
  gives<double>(roll(s, x, 1, 0), {2, 3});
  gives<double>(diag(s, x), {2});
  gives<double>(trace(s, x), {});
}

TEST_F(TypedResultsTest, IndexingKeepsTheTypeOfTheData) {
  gives<double>(take_axis(s, x, rows, 1), {2, 2});
  gives<double>(take_axis(s, x, 1, 0), {3});
  gives<double>(index_select(s, x, 0, rows), {2, 3});
  const auto positions = argsort(s, x);
  gives<double>(take_along_axis(s, x, positions, 1), {2, 3});
  gives<double>(put_along_axis(s, x, positions, x, 1), {2, 3});
  gives<Complex>(masked_fill(s, z, mask, 0.0), {2, 3});
  gives<double>(dynamic_slice(s, x, rows, {1, 1}), {1, 1});
  gives<std::int64_t>(shape_of(s, x, 0), {});
  gives<double>(dynamic_truncate(s, x, shape_of(s, x, 0), 1), {2, 3});
}

TEST_F(TypedResultsTest, Composites) {
  gives<double>(softmax(s, x, {0, 1}), {2, 3});
  gives<double>(masked_log_softmax(s, x, mask), {2, 3});
  gives<double>(logsumexp(s, x), {});
  gives<double>(layer_norm(s, x), {2, 3});
  gives<double>(gelu(s, x), {2, 3});
  gives<double>(elu(s, x, 0.5), {2, 3});
  gives<double>(scale_real(s, x, 2), {2, 3});
  gives<Complex>(scale_complex(s, x, {0, 1}), {2, 3});
  gives<bool>(isclose(s, x, x), {2, 3});
  gives<bool>(allclose(s, x, x, {.absolute = 1}), {});
  gives<double>(select(s, mask, x, 0.0), {2, 3});
  gives<double>(select(s, mask, 1.0, x), {2, 3});
  gives<double>(clamp(s, x, 0, 1), {2, 3});
  gives<Complex>(zeros_like(s, z), {2, 3});
  gives<Complex>(outer(s, z, z), {2, 3, 2, 3});
  gives<Complex>(vdot(s, z, z), {});
}

TEST_F(TypedResultsTest, OtherOperandsAndSurfacesStayDynamic) {
  static_assert(std::same_as<decltype(reduce_sum(s, x.view())), Tensor>);
  const Tensor dynamic = Tensor::zeros(DType::f64, {2});
  static_assert(std::same_as<decltype(softmax(s, dynamic)), Tensor>);
}

}  // namespace
}  // namespace tenferro::testing
