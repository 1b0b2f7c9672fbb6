// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a peer library offers to the benchmarks: one shared object a peer, opened with local symbols, because the peers'
// BLAS libraries export the same names. Each adaptor exports `tenferro_peer`.

namespace tenferro::bench {

/// Calls that time nothing themselves; each returns a number that depends on the result. Null: not offered.
struct Peer {
  const char* name;
  double (*elementwise_chain)(bool stretched);
  double (*mixed_chain)();
  double (*add8)();
  double (*einsum8)();
  double (*einsum_chain)();
};

/// The peer in the shared object of this name beside the program; null, with a line on stderr, where it was not built.
const Peer* load_peer(const char* library);

}  // namespace tenferro::bench

extern "C" const tenferro::bench::Peer* tenferro_peer();
