// SPDX-License-Identifier: MIT OR Apache-2.0
// What sessions cost in time: the chains by each way of entering, beside libtorch in the same run.
#include "benches/peers/peer.hpp"
#include "benches/timed.hpp"

int main(int argc, char** argv) {
  using namespace tenferro::bench;
  benchmark::Initialize(&argc, argv);
  std::vector<Arm> arms = session_arms();
  std::erase_if(arms,
                [](const Arm& arm) { return arm.name.starts_with("add_1024") || arm.name.starts_with("gemm_512"); });
  register_arms(arms, {"add8", "chain/equal/one_session", "chain/stretched/one_session"});
  if (const Peer* torch = load_peer<Peer>("libpeer_torch.so", "tenferro_peer")) {
    register_arms({peer_arm("chain/equal/torch", [torch] { return torch->elementwise_chain(false); }),
                   peer_arm("chain/stretched/torch", [torch] { return torch->elementwise_chain(true); }),
                   peer_arm("mixed/torch", torch->mixed_chain), peer_arm("add8/torch", torch->add8)},
                  {});
  }
  benchmark::RunSpecifiedBenchmarks();
}
