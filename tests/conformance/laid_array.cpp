// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/conformance/laid_array.hpp"

namespace tenferro::testing {
namespace {

template <class T>
struct TypedBody final : LaidArray::Body {
  explicit TypedBody(Laid<T> kept) : laid(std::move(kept)) {}
  TensorRead read() const override { return laid.read(); }
  TensorWrite write() override { return laid.write(); }
  bool gaps_intact() const override { return laid.gaps_intact(); }
  Laid<T> laid;
};

template <class T>
Values<T> values_of(const Array& array) {
  const Tensor t = to_tensor(array);
  const auto data = t.data<T>();
  Values<T> values(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) values[i] = data[i];
  return values;
}

template <class F>
std::unique_ptr<LaidArray::Body> body(DType d, F&& make) {
  return visit_dtype(d, [&]<class T>(TypeTag<T> tag) -> std::unique_ptr<LaidArray::Body> {
    return std::make_unique<TypedBody<T>>(make(tag));
  });
}

}  // namespace

LaidArray::LaidArray(LayoutKind kind, const Array& values)
    : body_(
          body(values.dtype, [&]<class T>(TypeTag<T>) { return Laid<T>(kind, values.shape, values_of<T>(values)); })) {}

LaidArray::LaidArray(LayoutKind kind, DType dtype, DimsView shape)
    : body_(body(dtype, [&]<class T>(TypeTag<T>) { return Laid<T>(kind, shape); })) {}

LaidArray::LaidArray(const MemoryOrder& order, const Array& values)
    : body_(body(values.dtype,
                 [&]<class T>(TypeTag<T>) { return Laid<T>(order, values.shape, values_of<T>(values)); })) {}

LaidArray::LaidArray(const MemoryOrder& order, DType dtype, DimsView shape)
    : body_(body(dtype, [&]<class T>(TypeTag<T>) { return Laid<T>(order, shape); })) {}

LaidArray LaidArray::stretched(const Array& values, std::size_t axis) {
  Shape stored = values.shape;
  stored[axis] = 1;
  Array first(values.dtype, stored);
  for_each_index(stored, [&](DimsView index, std::int64_t) { first.at(index) = values.at(index); });
  return LaidArray(body(values.dtype, [&]<class T>(TypeTag<T>) {
    Laid<T> laid = Laid<T>::broadcast(values.shape, stored, values_of<T>(first));
    return laid;
  }));
}

Array repeated(const Array& values, std::size_t axis) {
  Array out(values.dtype, values.shape);
  for_each_index(values.shape, [&](DimsView index, std::int64_t) {
    Dims source(index);
    source[axis] = 0;
    out.at(index) = values.at(source);
  });
  return out;
}

}  // namespace tenferro::testing
