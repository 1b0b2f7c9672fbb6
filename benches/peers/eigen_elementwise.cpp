// SPDX-License-Identifier: MIT OR Apache-2.0
// Eigen's array expressions, compiled for this machine.
#include <Eigen/Core>
#include <cstring>
#include <functional>

#include "benches/peers/elementwise_peer.hpp"

namespace {

using tenferro::bench::ElementwiseArrays;
using In = Eigen::Map<const Eigen::ArrayXd>;
using Out = Eigen::Map<Eigen::ArrayXd>;
using Mask = Eigen::Map<const Eigen::Array<bool, Eigen::Dynamic, 1>>;

struct Operation {
  void (*run)(Out& out, const In& a, const In& b, const Mask& mask);
  Out out;
  In a, b;
  Mask mask;
};

struct Named {
  const char* name;
  void (*run)(Out& out, const In& a, const In& b, const Mask& mask);
};
#define EIGEN_OPERATION(name, expression)                                          \
  Named {                                                                          \
    name, [](Out& out, [[maybe_unused]] const In& a, [[maybe_unused]] const In& b, \
             [[maybe_unused]] const Mask& mask) { out = expression; }              \
  }
const Named kOperations[] = {
    EIGEN_OPERATION("add", a + b),   EIGEN_OPERATION("mul", a* b),      EIGEN_OPERATION("select", mask.select(a, b)),
    EIGEN_OPERATION("exp", a.exp()), EIGEN_OPERATION("log", a.log()),   EIGEN_OPERATION("sin", a.sin()),
    EIGEN_OPERATION("cos", a.cos()), EIGEN_OPERATION("tanh", a.tanh()), EIGEN_OPERATION("pow", a.pow(b))};

void* prepare(const char* operation, const ElementwiseArrays& x) {
  for (const Named& named : kOperations) {
    if (std::strcmp(named.name, operation) == 0) {
      return new Operation{named.run, Out(x.out, x.n), In(x.a, x.n), In(x.b, x.n), Mask(x.mask, x.n)};
    }
  }
  return nullptr;
}

void run(void* operation) {
  auto* ready = static_cast<Operation*>(operation);
  ready->run(ready->out, ready->a, ready->b, ready->mask);
}

}  // namespace

const tenferro::bench::ElementwisePeer* tenferro_elementwise_peer() {
  static const tenferro::bench::ElementwisePeer peer{"Eigen", prepare, run};
  return &peer;
}
