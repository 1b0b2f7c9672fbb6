// SPDX-License-Identifier: MIT OR Apache-2.0
#include <tenferro/ops/contraction.hpp>
#include <tenferro/ops/eval_shape.hpp>

int main() {
  using namespace tenferro;
  ShapeEvaluator shapes;
  const TensorMeta a{DType::f64, {2, 3}}, b{DType::f64, {3, 5}};
  return matmul(shapes, a, b).shape == Shape({2, 5}) ? 0 : 1;
}
