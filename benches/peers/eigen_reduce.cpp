// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions of Eigen, of sizes that are known at run time.
#include <Eigen/Core>

#include "benches/peers/reduce_peer.hpp"

namespace {

using tenferro::bench::Reduction;

struct Prepared {
  Reduction what;
  const double* x;
  double* out;
};

void* prepare(const Reduction& what, const double* x, double* out) { return new Prepared{what, x, out}; }

template <int order>
void reduce(const Prepared& p) {
  const long n = p.what.n;
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, order>> x(p.x, n, n);
  Eigen::Map<Eigen::VectorXd> out(p.out, n);
  if (p.what.axis < 0) {
    *p.out = p.what.largest ? x.maxCoeff() : x.sum();
  } else if (p.what.axis == 0) {
    p.what.largest ? void(out.noalias() = x.colwise().maxCoeff().transpose())
                   : void(out.noalias() = x.colwise().sum().transpose());
  } else {
    p.what.largest ? void(out.noalias() = x.rowwise().maxCoeff()) : void(out.noalias() = x.rowwise().sum());
  }
}

void run(void* prepared) {
  const Prepared& p = *static_cast<const Prepared*>(prepared);
  p.what.transposed ? reduce<Eigen::RowMajor>(p) : reduce<Eigen::ColMajor>(p);
}

}  // namespace

const tenferro::bench::ReducePeer* tenferro_reduce_peer() {
  static const tenferro::bench::ReducePeer peer{"eigen", prepare, run};
  return &peer;
}
