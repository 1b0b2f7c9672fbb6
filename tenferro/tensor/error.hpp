// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Payloads of the failures that tensors and views can meet.
//
// Example:
//     Tensor x = Tensor::zeros<double>(2, 3);
//     auto r = attempt<TensorErrorInfo>([&] { return x.at<double>({0, 7}); });
//     CHECK(std::get<IndexOutOfBounds>(r.error()).extent == 3);
//     CHECK(describe(r.error()) == "at: index out of bounds at position 1 (expected 0 to 2, got 7)");
//
// Example:
//     Tensor x = Tensor::zeros<double>(2, 3);
//     auto why = [](auto f) { return attempt<TensorErrorInfo>(f).error(); };
//     CHECK(std::holds_alternative<RankMismatch>(why([&] { return x.at<double>({0}); })));
//     CHECK(std::holds_alternative<DTypeMismatch>(why([&] { return x.at<float>({0, 0}); })));
//     CHECK(std::holds_alternative<AxisOutOfRange>(why([&] { return x.extent(2); })));
//     CHECK(std::holds_alternative<DuplicateAxis>(why([&] { return x.view().permuted({0, 0}); })));
//     CHECK(std::holds_alternative<NotBroadcastable>(why([&] { return x.view().broadcast_to({3, 2}); })));
//     CHECK(std::holds_alternative<BadArgument>(why([&] { return x.view({range(0, 2, 0)}); })));
//     CHECK(std::holds_alternative<ElementCountMismatch>(why([&] { return x.item(); })));
//     CHECK(std::holds_alternative<InvalidShape>(why([] { return Tensor::zeros<double>(2, -3); })));
//     CHECK(std::holds_alternative<ShapeOverflow>(why([] { return Tensor::zeros<double>(1 << 30, 1 << 30, 8); })));
//     CHECK(std::holds_alternative<ShapesDiffer>(why([&] { copy_elements(Tensor::zeros<double>(3), x); })));
//     CHECK(std::holds_alternative<UnsupportedDType>(
//         why([] { return Tensor::zeros<bool>(2).reinterpret_as_complex(); })));
//     Layout seven{{7}, {1}, 0}, one_place{{6}, {0}, 0};
//     CHECK(std::holds_alternative<ViewOutOfBounds>(why([&] { return TensorView(x.bytes(), 6, DType::f64, seven); })));
//     CHECK(std::holds_alternative<OverlappingStorage>(
//         why([&] { return MutableTensorView(x.bytes(), 6, DType::f64, one_place); })));
//     Placement gpu{DeviceKind::cuda, MemoryKind::device};
//     Tensor there = Tensor::adopt(DType::f64, {1}, heap_block(8), gpu);
//     CHECK(std::holds_alternative<PlacementMismatch>(why([&] { return there.item(); })));

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "tenferro/base/error.hpp"
#include "tenferro/tensor/dtype.hpp"
#include "tenferro/tensor/placement.hpp"
#include "tenferro/tensor/shape.hpp"

namespace tenferro {

/// A negative extent, or more than kMaxRank axes.
struct InvalidShape {
  std::string_view op;
  Shape shape;
};
/// The elements or their bytes do not fit in 63 bits.
struct ShapeOverflow {
  std::string_view op;
  Shape shape;
};
struct AxisOutOfRange {
  std::string_view op;
  std::int64_t axis;
  std::int64_t rank;
};
/// An axis named twice in one list.
struct DuplicateAxis {
  std::string_view op;
  std::int64_t axis;
};
/// An index outside its axis; `operand` is −1 for methods of a tensor, `position` the place in the list of indices.
struct IndexOutOfBounds {
  std::string_view op;
  std::int64_t operand;
  std::int64_t position;
  std::int64_t index;
  std::int64_t extent;
};
/// A view that would reach outside its buffer; bounds and reach in elements, `last` inclusive.
struct ViewOutOfBounds {
  std::string_view op;
  std::int64_t first, last, size;
};
/// A mutable view with two indices for one element, or an output that overlaps an input or another output.
struct OverlappingStorage {
  std::string_view op;
  std::int64_t operand;        ///< the number of what overlaps, −1 if the view overlaps itself
  bool among_outputs = false;  ///< whether that counts outputs, not operands
};
struct ElementCountMismatch {
  std::string_view op;
  std::int64_t expected, got;
};
/// Two shapes that must be equal.
struct ShapesDiffer {
  std::string_view op;
  Shape expected, got;
};
/// A shape that does not stretch to another by NumPy's rule.
struct NotBroadcastable {
  std::string_view op;
  Shape from, to;
};
struct RankMismatch {
  std::string_view op;
  std::int64_t operand;
  std::int64_t expected, got;
};
struct DTypeMismatch {
  std::string_view op;
  std::int64_t operand;
  DType expected, got;
};
/// A dtype that the operation does not take.
struct UnsupportedDType {
  std::string_view op;
  std::int64_t operand;
  DType got;
  DTypeSet accepted;
};
/// Memory of another device than the operation works on.
struct PlacementMismatch {
  std::string_view op;
  std::int64_t operand;
  Placement expected, got;
};
/// An argument outside its range; `what` says which and what is wanted.
struct BadArgument {
  std::string_view op;
  std::string what;
};

std::string describe(const InvalidShape& e);
std::string describe(const ShapeOverflow& e);
std::string describe(const AxisOutOfRange& e);
std::string describe(const DuplicateAxis& e);
std::string describe(const IndexOutOfBounds& e);
std::string describe(const ViewOutOfBounds& e);
std::string describe(const OverlappingStorage& e);
std::string describe(const ElementCountMismatch& e);
std::string describe(const ShapesDiffer& e);
std::string describe(const NotBroadcastable& e);
std::string describe(const RankMismatch& e);
std::string describe(const DTypeMismatch& e);
std::string describe(const UnsupportedDType& e);
std::string describe(const PlacementMismatch& e);
std::string describe(const BadArgument& e);

using TensorErrorInfo =
    std::variant<InvalidShape, ShapeOverflow, AxisOutOfRange, DuplicateAxis, IndexOutOfBounds, ViewOutOfBounds,
                 OverlappingStorage, ElementCountMismatch, ShapesDiffer, NotBroadcastable, RankMismatch, DTypeMismatch,
                 UnsupportedDType, PlacementMismatch, BadArgument>;
using TensorError = TypedError<TensorErrorInfo>;

}  // namespace tenferro
