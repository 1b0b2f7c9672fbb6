// SPDX-License-Identifier: MIT OR Apache-2.0
// Scans, sorts and searches of libtorch, without autograd, into ready outputs.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "benches/peers/order_peer.hpp"

namespace {

using namespace tenferro::bench;

struct Prepared {
  OrderCase what;
  at::Tensor x, out, positions;
};

at::ScalarType type_of(OrderDType dtype) {
  switch (dtype) {
    case OrderDType::f64:
      return at::kDouble;
    case OrderDType::f32:
      return at::kFloat;
    case OrderDType::i32:
      return at::kInt;
    case OrderDType::i64:
      return at::kLong;
    case OrderDType::boolean:
      return at::kBool;
  }
  return at::kDouble;
}

void* prepare(const OrderCase& what, const void* x) {
  at::set_num_threads(1);
  const c10::InferenceMode guard;
  const auto options = at::TensorOptions().dtype(type_of(what.dtype));
  const at::Tensor matrix = at::from_blob(const_cast<void*>(x), {what.rows, what.columns}, {1, what.rows}, options);
  return new Prepared{what, matrix, at::empty({0}, options), at::empty({0}, at::TensorOptions().dtype(at::kLong))};
}

void run(void* prepared) {
  const c10::InferenceMode guard;
  Prepared& p = *static_cast<Prepared*>(prepared);
  switch (p.what.op) {
    case OrderOp::cumsum:
      at::cumsum_out(p.out, p.x, p.what.axis);
      break;
    case OrderOp::cummax:
      at::cummax_out(p.out, p.positions, p.x, p.what.axis);
      break;
    case OrderOp::cumprod:
      at::cumprod_out(p.out, p.x, p.what.axis);
      break;
    case OrderOp::sort:
    case OrderOp::argsort:  // which sorts and drops the values
      at::sort_out(p.out, p.positions, p.x, c10::optional<bool>(true), p.what.axis, false);
      break;
    case OrderOp::top_k:
      at::topk_out(p.out, p.positions, p.x, kTopK, p.what.axis);
      break;
    case OrderOp::argmax:
      p.out = p.x.argmax();
      break;
    case OrderOp::any:
      p.out = p.x.any();
      break;
    case OrderOp::sum_squares:
      p.out = at::linalg_vector_norm(p.x);  // its root; at::dot would take more threads
      break;
  }
}

double digest(void* prepared) {
  const c10::InferenceMode guard;
  const Prepared& p = *static_cast<Prepared*>(prepared);
  const at::Tensor result = p.what.op == OrderOp::argsort ? p.positions : p.out;
  const at::Tensor line = (result.dim() == 2 ? result.t() : result).to(at::kDouble).reshape({-1});
  const at::Tensor weights = at::arange(line.numel(), line.options()).remainder(7).add(1);
  const at::Tensor sum = (line * weights).sum();
  return p.what.op == OrderOp::sum_squares ? (sum * sum).item<double>() : sum.item<double>();
}

}  // namespace

const OrderPeer* tenferro_order_peer() {
  static const OrderPeer peer{"torch", prepare, run, digest};
  return &peer;
}
