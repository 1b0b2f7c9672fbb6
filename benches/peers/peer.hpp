// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a peer library offers to the benchmarks: one shared object a peer, opened with local symbols, because the peers'
// BLAS libraries export the same names. An adaptor exports one function for each group of benchmarks that it takes part
// in, which returns the group's table of calls: for the chains of sessions, `tenferro_peer` and this one.

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

/// What `entry` of the shared object of this name beside the program returns; null, with a line on stderr, where it was
/// not built.
const void* load_peer(const char* library, const char* entry);
template <class Table>
const Table* load_peer(const char* library, const char* entry) {
  return static_cast<const Table*>(load_peer(library, entry));
}

}  // namespace tenferro::bench

extern "C" const tenferro::bench::Peer* tenferro_peer();
