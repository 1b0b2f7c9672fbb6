// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Plain loops compiled for several vector widths, the widest that the CPU has being taken at run time. Products and
// sums are never fused (-ffp-contract=off), so every width gives the same bits.
//
//   with_widest_vectors([&] { for (…) y[i] += a[i] * x; });

#include <utility>

namespace tenferro::internal {

#if defined(__x86_64__) && defined(__GNUC__)
template <class F>
[[gnu::target("avx2"), gnu::flatten, gnu::noinline]] void with_avx2(F& body) {
  body();
}
template <class F>
[[gnu::target("avx2,avx512f,avx512vl,avx512dq,avx512bw"), gnu::flatten, gnu::noinline]] void with_avx512(F& body) {
  body();
}
#endif

/// Runs the body with all that it calls inlined, for the widest vectors of this CPU.
template <class F>
void with_widest_vectors(F&& body) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0) {
    return with_avx512(body);
  }
  if (__builtin_cpu_supports("avx2") != 0) return with_avx2(body);
#endif
  body();
}

}  // namespace tenferro::internal
