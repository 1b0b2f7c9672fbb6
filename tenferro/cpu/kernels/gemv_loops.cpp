// SPDX-License-Identifier: MIT OR Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tenferro/cpu/kernels/gemv_loops.cpp"
#include <hwy/foreach_target.h>

#include "tenferro/cpu/kernels/gemv_loops_inl.hpp"
#include "tenferro/cpu/kernels/simd_dispatch.hpp"

// One function of each kind for a type of element.
#undef TENFERRO_GEMV_LOOPS
#define TENFERRO_GEMV_LOOPS(name, R, is_complex)                                                               \
  void Columns##name(const GemvCall<R>& call, bool long_runs) { GemvColumns<R, is_complex>(call, long_runs); } \
  void Rows##name(const GemvCall<R>& call) { GemvByRows<R, is_complex>(call); }                                \
  void Dot##name(const GemvCall<R>& call) { DotRow<R, is_complex>(call); }

HWY_BEFORE_NAMESPACE();
namespace tenferro::internal::HWY_NAMESPACE {
namespace {
TENFERRO_GEMV_LOOPS(F32, float, false)
TENFERRO_GEMV_LOOPS(F64, double, false)
TENFERRO_GEMV_LOOPS(C32, float, true)
TENFERRO_GEMV_LOOPS(C64, double, true)
TENFERRO_GEMV_LOOPS(I32, std::uint32_t, false)
TENFERRO_GEMV_LOOPS(I64, std::uint64_t, false)
}  // namespace
}  // namespace tenferro::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::internal {

#define TENFERRO_GEMV_EXPORT(name, T)                                                    \
  namespace {                                                                            \
  HWY_EXPORT(Columns##name);                                                             \
  HWY_EXPORT(Rows##name);                                                                \
  HWY_EXPORT(Dot##name);                                                                 \
  }                                                                                      \
  template <>                                                                            \
  void gemv_columns<T>(const GemvCall<LaneOf<T>::type>& call, bool long_runs) noexcept { \
    TENFERRO_DISPATCH(Columns##name)(call, long_runs);                                   \
  }                                                                                      \
  template <>                                                                            \
  void gemv_by_rows<T>(const GemvCall<LaneOf<T>::type>& call) noexcept {                 \
    TENFERRO_DISPATCH(Rows##name)(call);                                                 \
  }                                                                                      \
  template <>                                                                            \
  void dot_row<T>(const GemvCall<LaneOf<T>::type>& call) noexcept {                      \
    TENFERRO_DISPATCH(Dot##name)(call);                                                  \
  }
TENFERRO_GEMV_EXPORT(F32, float)
TENFERRO_GEMV_EXPORT(F64, double)
TENFERRO_GEMV_EXPORT(C32, std::complex<float>)
TENFERRO_GEMV_EXPORT(C64, std::complex<double>)
TENFERRO_GEMV_EXPORT(I32, std::int32_t)
TENFERRO_GEMV_EXPORT(I64, std::int64_t)

}  // namespace tenferro::internal
#endif
