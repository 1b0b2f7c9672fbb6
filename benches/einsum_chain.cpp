// SPDX-License-Identifier: MIT OR Apache-2.0
// What a prepared small einsum costs in time, beside the bare BLAS call and libtorch in the same run.
#include "benches/peers/peer.hpp"
#include "benches/timed.hpp"

int main(int argc, char** argv) {
  using namespace tenferro::bench;
  benchmark::Initialize(&argc, argv);
  register_arms(einsum_arms(), {"einsum8"});
  if (const Peer* torch = load_peer<Peer>("libpeer_torch.so", "tenferro_peer")) {
    register_arms({peer_arm("einsum8/torch", torch->einsum8), peer_arm("einsum_chain/torch", torch->einsum_chain)}, {});
  }
  benchmark::RunSpecifiedBenchmarks();
}
