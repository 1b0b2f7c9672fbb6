// SPDX-License-Identifier: MIT OR Apache-2.0
#include <tenferro/einsum/plan.hpp>

int main() {
  using namespace tenferro;
  const EinsumPlan plan = EinsumPlan::prepare("ij,jk->ik", DType::f64, {{2, 3}, {3, 5}});
  return plan.cost().flops == 30 && plan.result().shape == Shape{2, 5} ? 0 : 1;
}
