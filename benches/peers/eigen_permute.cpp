// SPDX-License-Identifier: MIT OR Apache-2.0
// Permutations of Eigen's tensors, whose ranks are fixed when compiled: 2, 3 and 6, of compact sources.
#include <array>
#include <complex>
#include <unsupported/Eigen/CXX11/Tensor>

#include "benches/peers/permute_peer.hpp"

namespace {

struct Call {
  void (*run)(const Call&);
  const void* from;
  void* to;
  std::array<std::int64_t, 6> shape, permuted;
  std::array<int, 6> perm;
};

template <class T, std::size_t kRank>
void shuffle(const Call& c) {
  Eigen::array<Eigen::Index, kRank> shape, permuted;
  Eigen::array<int, kRank> perm;
  for (std::size_t k = 0; k < kRank; ++k) {
    shape[k] = c.shape[k];
    permuted[k] = c.permuted[k];
    perm[k] = c.perm[k];
  }
  const Eigen::TensorMap<const Eigen::Tensor<T, static_cast<int>(kRank)>> from(static_cast<const T*>(c.from), shape);
  Eigen::TensorMap<Eigen::Tensor<T, static_cast<int>(kRank)>>(static_cast<T*>(c.to), permuted) = from.shuffle(perm);
}

template <class T>
void (*of_rank(int rank))(const Call&) {
  return rank == 2 ? shuffle<T, 2> : rank == 3 ? shuffle<T, 3> : rank == 6 ? shuffle<T, 6> : nullptr;
}

void* prepare(int width, int rank, const std::int64_t* shape, const std::int64_t*, const std::int64_t* perm,
              const void* from, void* to) {
  auto* const run = width == 1   ? of_rank<std::uint8_t>(rank)
                    : width == 4 ? of_rank<float>(rank)
                    : width == 8 ? of_rank<double>(rank)
                                 : of_rank<std::complex<double>>(rank);
  if (run == nullptr) return nullptr;
  auto* call = new Call{run, from, to, {}, {}, {}};
  for (std::size_t k = 0; k < static_cast<std::size_t>(rank); ++k) {
    call->shape[k] = shape[k];
    call->permuted[k] = shape[perm[k]];
    call->perm[k] = static_cast<int>(perm[k]);
  }
  return call;
}

void run(void* call) {
  const Call& c = *static_cast<const Call*>(call);
  c.run(c);
}

}  // namespace

const tenferro::bench::PermutePeer* tenferro_permute_peer() {
  static const tenferro::bench::PermutePeer peer{"eigen", prepare, run};
  return &peer;
}
