// SPDX-License-Identifier: MIT OR Apache-2.0
// Plain loops that the compiler vectorises for this machine, and bare loops of SLEEF's functions in vectors of the
// machine's width.
#include <sleef.h>

#include <cstring>

#include "benches/peers/elementwise_peer.hpp"

namespace {

using tenferro::bench::ElementwiseArrays;

struct Operation {
  void (*loop)(const ElementwiseArrays&);
  ElementwiseArrays arrays;
};

// The arrays are different ones.
#define PLAIN_LOOP(name, formula)                                     \
  void name##_loop(const ElementwiseArrays& arrays) {                 \
    double* __restrict out = arrays.out;                              \
    const double* __restrict a = arrays.a, * __restrict b = arrays.b; \
    [[maybe_unused]] const bool* __restrict mask = arrays.mask;       \
    for (long i = 0; i < arrays.n; ++i) out[i] = formula;             \
  }
PLAIN_LOOP(add, a[i] + b[i])
PLAIN_LOOP(mul, a[i] * b[i])
PLAIN_LOOP(select, mask[i] ? a[i] : b[i])

#if defined(__AVX512F__)
#define SLEEF(name) Sleef_##name##d8_u10avx512f
using Lanes = __m512d;
Lanes load(const double* from) { return _mm512_loadu_pd(from); }
void store(double* to, Lanes v) { _mm512_storeu_pd(to, v); }
#elif defined(__AVX2__)
#define SLEEF(name) Sleef_##name##d4_u10avx2
using Lanes = __m256d;
Lanes load(const double* from) { return _mm256_loadu_pd(from); }
void store(double* to, Lanes v) { _mm256_storeu_pd(to, v); }
#endif

#if defined(SLEEF)
constexpr long kLanes = sizeof(Lanes) / sizeof(double);
#define SLEEF_LOOP(name, ...)                                                                              \
  void name##_loop(const ElementwiseArrays& arrays) {                                                      \
    for (long i = 0; i + kLanes <= arrays.n; i += kLanes) store(arrays.out + i, SLEEF(name)(__VA_ARGS__)); \
  }
SLEEF_LOOP(exp, load(arrays.a + i))
SLEEF_LOOP(log, load(arrays.a + i))
SLEEF_LOOP(sin, load(arrays.a + i))
SLEEF_LOOP(cos, load(arrays.a + i))
SLEEF_LOOP(tanh, load(arrays.a + i))
SLEEF_LOOP(pow, load(arrays.a + i), load(arrays.b + i))
#endif

struct Named {
  const char* name;
  void (*loop)(const ElementwiseArrays&);
};
constexpr Named kLoops[] = {
    {"add", add_loop}, {"mul", mul_loop},   {"select", select_loop},
#if defined(SLEEF)
    {"exp", exp_loop}, {"log", log_loop},   {"sin", sin_loop},
    {"cos", cos_loop}, {"tanh", tanh_loop}, {"pow", pow_loop},
#endif
};

void* prepare(const char* operation, const ElementwiseArrays& arrays) {
  for (const Named& named : kLoops) {
    if (std::strcmp(named.name, operation) == 0) return new Operation{named.loop, arrays};
  }
  return nullptr;
}

void run(void* operation) {
  const auto* ready = static_cast<const Operation*>(operation);
  ready->loop(ready->arrays);
}

}  // namespace

const tenferro::bench::ElementwisePeer* tenferro_elementwise_peer() {
  static const tenferro::bench::ElementwisePeer peer{"bare loop", prepare, run};
  return &peer;
}
