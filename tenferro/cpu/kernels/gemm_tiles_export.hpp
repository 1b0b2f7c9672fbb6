// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What every source that compiles the loops of small products for the vector instructions has in it: one function of
// each kind for a type of element, and the way from the type to the function in use.
//
//   TENFERRO_GEMM_TILES(F64, double, false)          // within HWY_NAMESPACE
//   TENFERRO_GEMM_TILES_EXPORT(F64, double)          // once, in tenferro::internal

#define TENFERRO_GEMM_TILES(name, R, is_complex)                      \
  void Tiles##name(TileCall<R>& call) { Tiles<R, is_complex>(call); } \
  void Lanes##name(const LanesCall<R>& call) { Lanes<R, is_complex>(call); }

#define TENFERRO_GEMM_TILES_EXPORT(name, T)                                 \
  namespace {                                                               \
  HWY_EXPORT(Tiles##name);                                                  \
  HWY_EXPORT(Lanes##name);                                                  \
  }                                                                         \
  template <>                                                               \
  void multiply_tiles<T>(TileCall<LaneOf<T>::type> & call) noexcept {       \
    TENFERRO_DISPATCH(Tiles##name)(call);                                   \
  }                                                                         \
  template <>                                                               \
  void multiply_lanes<T>(const LanesCall<LaneOf<T>::type>& call) noexcept { \
    TENFERRO_DISPATCH(Lanes##name)(call);                                   \
  }
