// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The element classes of the catalog as concepts, for the scalar formulas in this folder.
// A row that the catalog does not admit for a dtype has no overload for it, so
// `requires(T x) { scalar::floor(x); }` asks at compile time whether a kernel exists.
//
// Example (tenferro/ops/scalar_elementary.hpp):
//     auto has_floor = []<class T>(T x) { return requires { scalar::floor(x); }; };
//     CHECK(has_floor(1.5) && !has_floor(std::complex<double>(1, 0)));
//     CHECK(scalar::RealScalar<float> && !scalar::IntegerScalar<float>);

#include <complex>
#include <concepts>
#include <cstdint>

/// Marks a function that host and device code may both call; empty outside a device compiler.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define TENFERRO_HD __host__ __device__
#else
#define TENFERRO_HD
#endif

namespace tenferro::scalar {

/// f32 and f64.
template <class T>
concept FloatScalar = std::same_as<T, float> || std::same_as<T, double>;

/// i32 and i64.
template <class T>
concept IntegerScalar = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// f32, f64, i32 and i64: the ordered dtypes.
template <class T>
concept RealScalar = FloatScalar<T> || IntegerScalar<T>;

/// c32 and c64.
template <class T>
concept ComplexScalar = std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

/// Every dtype but bool.
template <class T>
concept NumericScalar = RealScalar<T> || ComplexScalar<T>;

/// All seven dtypes.
template <class T>
concept AnyScalar = NumericScalar<T> || std::same_as<T, bool>;

}  // namespace tenferro::scalar
