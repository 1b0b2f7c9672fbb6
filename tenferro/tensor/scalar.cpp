// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/tensor/scalar.hpp"

#include "tenferro/base/text.hpp"
#include "tenferro/tensor/cast.hpp"

namespace tenferro {

template <Element T>
T Scalar::to() const {
  return std::visit([](auto value) { return cast_value<T>(value); }, value_);
}

#define TENFERRO_DTYPE(name, type, text) template type Scalar::to<type>() const;
#include "tenferro/tensor/dtype.def"

Scalar Scalar::as(DType d) const {
  return visit_dtype(d, [this](auto tag) { return Scalar(to<typename decltype(tag)::type>()); });
}

std::string to_text(const Scalar& value) {
  return visit_dtype(value.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T v = value.get<T>();
    if constexpr (is_complex(dtype_of<T>)) {
      return concat('(', static_cast<double>(v.real()), ',', static_cast<double>(v.imag()), ')');
    } else {
      return concat(v);
    }
  });
}

}  // namespace tenferro
