// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/oracle_runner/json_tensor.hpp"

#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>

namespace tenferro::oracle {
namespace {

template <class T>
T real_number(const Json& json) {
  if (json.is_string()) {
    // strtof rounds once to f32 where a detour through f64 would round twice.
    if constexpr (std::is_same_v<T, float>) return std::strtof(json.get_ref<const std::string&>().c_str(), nullptr);
    return static_cast<T>(std::strtod(json.get_ref<const std::string&>().c_str(), nullptr));
  }
  return json.get<T>();
}

template <class T>
T number(const Json& json) {
  if constexpr (is_complex(dtype_of<T>)) {
    using Part = typename T::value_type;
    return {real_number<Part>(json.at(0)), real_number<Part>(json.at(1))};
  } else if constexpr (is_float(dtype_of<T>)) {
    return real_number<T>(json);
  } else {
    return json.get<T>();
  }
}

template <class T>
Tensor filled(Shape shape, const Json& data) {
  const auto values = std::make_unique<T[]>(data.size() + 1);
  for (std::size_t i = 0; i < data.size(); ++i) values[i] = number<T>(data[i]);
  return Tensor::from_row_major<T>(std::move(shape), std::span<const T>(values.get(), data.size()));
}

}  // namespace

DType dtype_from(const std::string& name) {
  static const std::map<std::string, DType> known = {
      {"float32", DType::f32}, {"float64", DType::f64}, {"complex64", DType::c32}, {"complex128", DType::c64},
      {"int32", DType::i32},   {"int64", DType::i64},   {"bool", DType::boolean}};
  const auto found = known.find(name);
  if (found == known.end()) throw std::runtime_error("unknown dtype " + name);
  return found->second;
}

Tensor tensor_from(const Json& json) {
  const DType dtype = dtype_from(json.at("dtype"));
  Shape shape;
  for (const Json& extent : json.at("shape")) shape.push_back(extent.get<std::int64_t>());
  return visit_dtype(dtype, [&](auto tag) { return filled<typename decltype(tag)::type>(shape, json.at("data")); });
}

Tensor column_from(const Json& column, DType dtype) {
  return visit_dtype(dtype, [&](auto tag) {
    return filled<typename decltype(tag)::type>({static_cast<std::int64_t>(column.size())}, column);
  });
}

}  // namespace tenferro::oracle
