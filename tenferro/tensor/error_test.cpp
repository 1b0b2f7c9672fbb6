// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/error.hpp"

#include <gtest/gtest.h>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro {
namespace {

TEST(TensorError, MessagesSayWhatWasExpectedAndWhatCame) {
  EXPECT_EQ(describe(AxisOutOfRange{"sum", 3, 2}), "sum: axis out of range (expected -2 to 1, got 3)");
  EXPECT_EQ(describe(AxisOutOfRange{"sum", 0, 0}), "sum: axis out of range (expected none, the rank is 0, got 0)");
  EXPECT_EQ(describe(IndexOutOfBounds{"gather", 1, 4, 9, 3}),
            "gather: index out of bounds of operand 1 at position 4 (expected 0 to 2, got 9)");
  EXPECT_EQ(describe(IndexOutOfBounds{"at", -1, 0, 0, 0}),
            "at: index out of bounds at position 0 (expected none, the axis is empty, got 0)");
  EXPECT_EQ(describe(ShapesDiffer{"copy_elements", {2}, {3}}), "copy_elements: shapes differ (expected [2], got [3])");
  EXPECT_EQ(describe(DTypeMismatch{"add", 1, DType::f64, DType::c32}),
            "add: dtype of operand 1 differs (expected f64, got complex<f32>)");
  EXPECT_EQ(describe(OverlappingStorage{"view", -1}),
            "view: mutable view overlaps itself (expected one index for each element)");
  EXPECT_EQ(describe(PlacementMismatch{"data", -1, {}, {DeviceKind::cuda, MemoryKind::device, 1, 0}}),
            "data: memory is elsewhere (expected host, got cuda:1 (device))");
  EXPECT_EQ(describe(ViewOutOfBounds{"view", -1, 4, 3}),
            "view: view reaches outside its buffer (expected elements 0 to 2, got -1 to 4)");
}

TEST(TensorError, OneCatchTakesThemAll) {
  try {
    raise<TensorErrorInfo>(ElementCountMismatch{"reshaped", 6, 4});
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "reshaped: element count differs (expected 6, got 4)");
  }
}

// Shapes of more than eight axes live on the heap, and so do they in a payload.
TEST(TensorError, PayloadsOfManyAxesAreFreedOnce) {
  Shape shape(9, 1);
  shape[0] = -1;
  EXPECT_THROW((void)Tensor::zeros(DType::f64, shape), TensorError);
  const Tensor ones = Tensor::ones(DType::f64, Shape(9, 1));
  Tensor other = Tensor::ones(DType::f64, Shape(10, 1));
  EXPECT_THROW((void)ones.view().broadcast_to(shape), TensorError);
  EXPECT_THROW(copy_elements(ones, other), TensorError);
}

}  // namespace
}  // namespace tenferro
