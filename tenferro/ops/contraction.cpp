// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/contraction.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace tenferro::internal {
namespace {

constexpr std::string_view kName = "matmul";

[[noreturn]] void mismatch(const MetaView& a, const MetaView& b, const char* rule) {
  raise<OpErrorInfo>(ShapeMismatch{kName, Shape(a.shape), Shape(b.shape), rule});
}

DotGeneralConfig matmul_config(std::uint8_t lhs_axis, std::size_t batch_axes) {
  AxisList batch;
  for (std::size_t k = 0; k < batch_axes; ++k) batch.push_back(static_cast<std::uint8_t>(2 + k));
  const std::uint8_t lhs[] = {lhs_axis}, rhs[] = {0};
  return {lhs, rhs, batch, batch};
}

}  // namespace

MatmulPlan plan_matmul(const MetaView& a, const MetaView& b) {
  for (const MetaView* x : {&a, &b}) {
    if (x->rank() == 0) raise<OpErrorInfo>(RankMismatch{kName, x == &a ? 0 : 1, 1, 0});
  }
  const std::uint8_t contracted = a.rank() == 1 ? 0 : 1;
  if (a.shape[contracted] != b.shape[0]) mismatch(a, b, "(m, k, batch…) and (k, n, batch…) with one k");
  MatmulPlan plan{{}, {Shape(a.shape), Shape(b.shape)}, {}};
  // Without a batch on the left, that of the right is free, and already in its place; likewise for vectors.
  if (a.rank() <= 2 || b.rank() == 1) {
    plan.config = matmul_config(contracted, 0);
    return plan;
  }
  const std::size_t rank = std::max(a.rank(), b.rank());
  for (std::size_t k = 2; k < rank; ++k) {
    const std::int64_t left = k < a.rank() ? a.shape[k] : 1, right = k < b.rank() ? b.shape[k] : 1;
    if (left != right && left != 1 && right != 1) mismatch(a, b, "batch extents, from axis 2 on, that are equal or 1");
    const std::int64_t common = left == 1 ? right : left;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t own = i == 0 ? a.rank() : b.rank();
      if (k >= own) plan.added[i].insert(k);
      k < own ? void(plan.shapes[i][k] = common) : plan.shapes[i].push_back(common);
    }
  }
  plan.config = matmul_config(contracted, rank - 2);
  return plan;
}

const Op& matrix_product(std::size_t contracted, std::size_t batch_axes) noexcept {
  assert(contracted == 1 ? batch_axes <= kMostBatchAxes : contracted + batch_axes == 0);
  static const auto ops = []<std::size_t... kBatchAxes>(std::index_sequence<kBatchAxes...>) {
    return std::array{Op(OpKind::dot_general, matmul_config(0, 0)),
                      Op(OpKind::dot_general, matmul_config(1, kBatchAxes))...};
  }(std::make_index_sequence<kMostBatchAxes + 1>());
  return ops[contracted + batch_axes];
}

Op outer_op() { return {OpKind::dot_general, DotGeneralConfig()}; }

Op vdot_op(const MetaView& x) {
  AxisList axes;
  for (std::size_t k = 0; k < x.rank(); ++k) axes.push_back(static_cast<std::uint8_t>(k));
  DotGeneralConfig config(axes, axes);
  config.lhs_conj = true;
  return {OpKind::dot_general, config};
}

}  // namespace tenferro::internal
