// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/machine_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/machine_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_ATTR std::int64_t fma_rounds_of(std::int64_t rounds, T* sink) {
  const hn::ScalableTag<T> d;
  const auto x = hn::Set(d, T(0.5)), one = hn::Set(d, T(1));
  auto c0 = one, c1 = one, c2 = one, c3 = one, c4 = one, c5 = one, c6 = one, c7 = one, c8 = one, c9 = one, c10 = one,
       c11 = one;
  for (std::int64_t i = 0; i < rounds; ++i) {
    c0 = hn::MulAdd(c0, x, one);
    c1 = hn::MulAdd(c1, x, one);
    c2 = hn::MulAdd(c2, x, one);
    c3 = hn::MulAdd(c3, x, one);
    c4 = hn::MulAdd(c4, x, one);
    c5 = hn::MulAdd(c5, x, one);
    c6 = hn::MulAdd(c6, x, one);
    c7 = hn::MulAdd(c7, x, one);
    c8 = hn::MulAdd(c8, x, one);
    c9 = hn::MulAdd(c9, x, one);
    c10 = hn::MulAdd(c10, x, one);
    c11 = hn::MulAdd(c11, x, one);
    // The chains are alike: without this the compiler would compute one of them.
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
    asm volatile(""
                 : "+v"(c0.raw), "+v"(c1.raw), "+v"(c2.raw), "+v"(c3.raw), "+v"(c4.raw), "+v"(c5.raw), "+v"(c6.raw),
                   "+v"(c7.raw), "+v"(c8.raw), "+v"(c9.raw), "+v"(c10.raw), "+v"(c11.raw));
#endif
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(hn::Add(c0, c1), hn::Add(c2, c3)), hn::Add(hn::Add(c4, c5), hn::Add(c6, c7))),
              hn::Add(hn::Add(c8, c9), hn::Add(c10, c11)));
  *sink = hn::GetLane(sum);
  return rounds * 12 * 2 * static_cast<std::int64_t>(hn::Lanes(d));
}

HWY_ATTR std::int64_t fma_rounds_f32(std::int64_t rounds, float* sink) { return fma_rounds_of<float>(rounds, sink); }
HWY_ATTR std::int64_t fma_rounds_f64(std::int64_t rounds, double* sink) { return fma_rounds_of<double>(rounds, sink); }

HWY_ATTR double read_doubles(const double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d), whole = n / (8 * lanes) * (8 * lanes);
  auto c0 = hn::Zero(d), c1 = c0, c2 = c0, c3 = c0, c4 = c0, c5 = c0, c6 = c0, c7 = c0;
  for (std::size_t i = 0; i < whole; i += 8 * lanes) {
    c0 = hn::Add(c0, hn::LoadU(d, x + i));
    c1 = hn::Add(c1, hn::LoadU(d, x + i + lanes));
    c2 = hn::Add(c2, hn::LoadU(d, x + i + 2 * lanes));
    c3 = hn::Add(c3, hn::LoadU(d, x + i + 3 * lanes));
    c4 = hn::Add(c4, hn::LoadU(d, x + i + 4 * lanes));
    c5 = hn::Add(c5, hn::LoadU(d, x + i + 5 * lanes));
    c6 = hn::Add(c6, hn::LoadU(d, x + i + 6 * lanes));
    c7 = hn::Add(c7, hn::LoadU(d, x + i + 7 * lanes));
  }
  double sum = hn::GetLane(
      hn::SumOfLanes(d, hn::Add(hn::Add(hn::Add(c0, c1), hn::Add(c2, c3)), hn::Add(hn::Add(c4, c5), hn::Add(c6, c7)))));
  for (std::size_t i = whole; i < n; ++i) sum += x[i];
  return sum;
}

HWY_ATTR void store_doubles(double* x, std::size_t n, double value) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d), whole = n / (4 * lanes) * (4 * lanes);
  const auto v = hn::Set(d, value);
  for (std::size_t i = 0; i < whole; i += 4 * lanes) {
    for (std::size_t k = 0; k < 4; ++k) hn::StoreU(v, d, x + i + k * lanes);
  }
  for (std::size_t i = whole; i < n; ++i) x[i] = value;
}

HWY_ATTR void add_doubles(const double* a, const double* b, double* c, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d), whole = n / (4 * lanes) * (4 * lanes);
  for (std::size_t i = 0; i < whole; i += 4 * lanes) {
    for (std::size_t k = 0; k < 4; ++k) {
      hn::StoreU(hn::Add(hn::LoadU(d, a + i + k * lanes), hn::LoadU(d, b + i + k * lanes)), d, c + i + k * lanes);
    }
  }
  for (std::size_t i = whole; i < n; ++i) c[i] = a[i] + b[i];
}

}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {
namespace {
// A result that the compiler must not do without.
thread_local volatile double sink_of_this_thread;
}  // namespace

HWY_EXPORT(fma_rounds_f32);
HWY_EXPORT(fma_rounds_f64);
HWY_EXPORT(read_doubles);
HWY_EXPORT(store_doubles);
HWY_EXPORT(add_doubles);

template <>
std::int64_t fma_rounds<float>(std::int64_t rounds) {
  float sum = 0;
  const std::int64_t flops = HWY_DYNAMIC_DISPATCH(fma_rounds_f32)(rounds, &sum);
  sink_of_this_thread = static_cast<double>(sum);
  return flops;
}
template <>
std::int64_t fma_rounds<double>(std::int64_t rounds) {
  double sum = 0;
  const std::int64_t flops = HWY_DYNAMIC_DISPATCH(fma_rounds_f64)(rounds, &sum);
  sink_of_this_thread = sum;
  return flops;
}
double read_elements(const double* x, std::size_t n) {
  const double sum = HWY_DYNAMIC_DISPATCH(read_doubles)(x, n);
  sink_of_this_thread = sum;
  return sum;
}
void store_elements(double* x, std::size_t n, double value) { HWY_DYNAMIC_DISPATCH(store_doubles)(x, n, value); }
void add_elements(const double* a, const double* b, double* c, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(add_doubles)(a, b, c, n);
}

}  // namespace tenferro::internal
#endif  // HWY_ONCE
