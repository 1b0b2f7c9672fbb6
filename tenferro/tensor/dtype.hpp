// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Element types, their classes and their promotion lattice. c32 is a pair of f32, c64 a pair of f64.
//
// Example:
//     static_assert(dtype_of<double> == DType::f64 && element_size(DType::c64) == 16);
//     CHECK(promote(DType::f32, DType::i32) == DType::f64);
//     CHECK(name(DType::c32) == "complex<f32>");
//     std::size_t bytes = visit_dtype(DType::i32, [](auto tag) { return sizeof(typename decltype(tag)::type); });
//     CHECK(bytes == 4);

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tenferro {

/// The type of a tensor's elements. `external` is the slot for an application's own scalar type.
enum class DType : std::uint8_t {
#define TENFERRO_DTYPE(name, type, text) name,
#include "tenferro/tensor/dtype.def"
  external,
};

/// Number of built-in element types, those below DType::external.
inline constexpr std::size_t kDTypeCount = static_cast<std::size_t>(DType::external);

/// The built-in types in order of their enumerators.
inline constexpr std::array<DType, kDTypeCount> kDTypes{
#define TENFERRO_DTYPE(name, type, text) DType::name,
#include "tenferro/tensor/dtype.def"
};

constexpr std::size_t index(DType d) noexcept { return static_cast<std::size_t>(d); }

namespace internal {
template <class T>
struct DTypeOf;
#define TENFERRO_DTYPE(name, type, text)        \
  template <>                                   \
  struct DTypeOf<type> {                        \
    static constexpr DType value = DType::name; \
  };
#include "tenferro/tensor/dtype.def"

inline constexpr std::size_t kElementSize[kDTypeCount + 1] = {
#define TENFERRO_DTYPE(name, type, text) sizeof(type),
#include "tenferro/tensor/dtype.def"
    0};
}  // namespace internal

/// A C++ type that a tensor can hold.
template <class T>
concept Element = requires { internal::DTypeOf<T>::value; };

/// The enumerator of a C++ element type.
template <Element T>
inline constexpr DType dtype_of = internal::DTypeOf<T>::value;

/// Bytes of one element; 0 for `external`, whose size only its application knows.
constexpr std::size_t element_size(DType d) noexcept { return internal::kElementSize[index(d)]; }

/// "f64", "complex<f32>", "bool": the name used in messages and printing.
std::string_view name(DType d) noexcept;

/// A set of element types.
///
/// Example:
///     constexpr DTypeSet floats = DTypeSet::of(DType::f32, DType::f64);
///     CHECK(floats.contains(DType::f32) && !floats.contains(DType::i32) && to_text(floats) == "f32 f64");
class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  template <class... Ds>
  static constexpr DTypeSet of(Ds... ds) noexcept {
    DTypeSet set;
    ((set.bits_ = static_cast<std::uint8_t>(set.bits_ | (1U << index(ds)))), ...);
    return set;
  }
  constexpr bool contains(DType d) const noexcept { return (bits_ >> index(d) & 1U) != 0; }
  friend constexpr bool operator==(DTypeSet, DTypeSet) = default;

 private:
  std::uint8_t bits_ = 0;
};

/// The seven built-in types.
inline constexpr DTypeSet kBuiltInDTypes =
    DTypeSet::of(DType::f32, DType::f64, DType::c32, DType::c64, DType::i32, DType::i64, DType::boolean);

/// "f32 f64 i32": the members, in enumerator order.
std::string to_text(DTypeSet set);

/// Classes of element types; false for `external`.
///
/// Example:
///     CHECK(is_complex(DType::c32) && is_float(DType::f32) && is_integer(DType::i64) && !is_integer(DType::boolean));
///     CHECK(real_part(DType::c64) == DType::f64 && complex_partner(DType::f32) == DType::c32);
///     CHECK(converts_safely(DType::i32, DType::f64) && !converts_safely(DType::f64, DType::f32));
///     CHECK(kDTypes[index(DType::c32)] == DType::c32);
constexpr bool is_complex(DType d) noexcept { return d == DType::c32 || d == DType::c64; }
constexpr bool is_float(DType d) noexcept { return d == DType::f32 || d == DType::f64; }
constexpr bool is_integer(DType d) noexcept { return d == DType::i32 || d == DType::i64; }

/// c32 → f32, c64 → f64; every other type is its own real part.
constexpr DType real_part(DType d) noexcept { return d == DType::c32 ? DType::f32 : d == DType::c64 ? DType::f64 : d; }
/// f32 → c32, f64 → c64; complex types are their own partner. Others have none and are returned unchanged.
constexpr DType complex_partner(DType d) noexcept {
  return d == DType::f32 ? DType::c32 : d == DType::f64 ? DType::c64 : d;
}

/// The smallest type of the lattice that holds both; symmetric and associative. Of its edges only i64 → f64 and
/// i64 → c64 may round. `external` promotes with itself alone.
DType promote(DType a, DType b) noexcept;

/// True if every value of `from` goes to `to` along the lattice: what a checked conversion admits.
inline bool converts_safely(DType from, DType to) noexcept { return promote(from, to) == to; }

/// A type as a value: what visit_dtype calls its function with.
///
/// Example:
///     auto bytes = []<class T>(TypeTag<T>) { return sizeof(T); };
///     CHECK(visit_dtype(DType::c32, bytes) == 8);
template <class T>
struct TypeTag {
  using type = T;
};

/// f(TypeTag<T>) for the C++ type of d, which must be built in.
template <class F>
constexpr decltype(auto) visit_dtype(DType d, F&& f) {
  switch (d) {
#define TENFERRO_DTYPE(name, type, text) \
  case DType::name:                      \
    return f(TypeTag<type>{});
#include "tenferro/tensor/dtype.def"
    case DType::external:
      break;
  }
  __builtin_unreachable();
}

}  // namespace tenferro
