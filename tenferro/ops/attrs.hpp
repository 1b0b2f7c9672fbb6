// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Payloads of operations: small comparable values, part of an operation's identity. Axis lists are bytes; what is large
// and rare is boxed and shared.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tenferro/base/inline_vector.hpp"
#include "tenferro/ops/dim_expr.hpp"
#include "tenferro/ops/op_kind.hpp"
#include "tenferro/tensor/scalar.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro {

/// Axes in order, each below kMaxRank.
using AxisList = InlineVector<std::uint8_t, 16>;

/// A set of axes.
///
/// Example:
///     AxisSet axes = AxisSet::first(2);                        // 0 and 1
///     axes.insert(5);
///     CHECK(axes.size() == 3 && axes.contains(5) && !axes.contains(2) && axes.bits() == 0b100011);
///     CHECK(AxisSet().empty());
class AxisSet {
 public:
  constexpr AxisSet() = default;
  constexpr explicit AxisSet(std::uint64_t bits) : bits_(bits) {}
  /// Axes 0 … rank−1.
  static constexpr AxisSet first(std::size_t rank) noexcept {
    return AxisSet(rank >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rank) - 1);
  }
  constexpr bool contains(std::size_t axis) const noexcept { return axis < kMaxRank && (bits_ >> axis & 1U) != 0; }
  constexpr void insert(std::size_t axis) noexcept { bits_ |= std::uint64_t{1} << axis; }
  constexpr std::size_t size() const noexcept { return static_cast<std::size_t>(std::popcount(bits_)); }
  constexpr bool empty() const noexcept { return bits_ == 0; }
  constexpr std::uint64_t bits() const noexcept { return bits_; }
  friend constexpr bool operator==(AxisSet, AxisSet) = default;

 private:
  std::uint64_t bits_ = 0;
};

/// A shared immutable value, compared by value.
///
/// Example:
///     Boxed<Dims> a = Dims{1, 2}, b = Dims{1, 2}, c = a;       // c shares the value of a
///     CHECK(a == b && &*a == &*c && a->size() == 2);
template <class T>
class Boxed {
 public:
  Boxed(T value) : value_(std::make_shared<const T>(std::move(value))) {}  // NOLINT: implicit by design
  const T& operator*() const noexcept { return *value_; }
  const T* operator->() const noexcept { return value_.get(); }
  friend bool operator==(const Boxed& a, const Boxed& b) { return a.value_ == b.value_ || *a.value_ == *b.value_; }

 private:
  std::shared_ptr<const T> value_;
};

/// Equal dtype and equal bits: how payloads compare a value that they hold, so that −0 is not 0 and NaN is itself.
///
/// Example:
///     CHECK(same_bits(Scalar(1.0), Scalar(1.0)) && !same_bits(Scalar(0.0), Scalar(-0.0)));
bool same_bits(const Scalar& a, const Scalar& b);

struct NoAttrs {
  friend bool operator==(NoAttrs, NoAttrs) = default;
};
struct ReduceAttrs {
  AxisSet axes;
  bool keep_dims = false;
  friend bool operator==(const ReduceAttrs&, const ReduceAttrs&) = default;
};
/// axis −1: over all elements, the index being the column-major position.
struct ArgReduceAttrs {
  std::int8_t axis = -1;
  bool keep_dims = false;
  friend bool operator==(const ArgReduceAttrs&, const ArgReduceAttrs&) = default;
};
struct ScanAttrs {
  std::uint8_t axis = 0;
  bool reverse = false;
  bool exclusive = false;
  friend bool operator==(const ScanAttrs&, const ScanAttrs&) = default;
};
struct SortAttrs {
  std::uint8_t axis = 0;
  bool descending = false;
  bool stable = true;
  friend bool operator==(const SortAttrs&, const SortAttrs&) = default;
};
struct TopKAttrs {
  std::int64_t k = 1;
  std::uint8_t axis = 0;
  bool largest = true;
  friend bool operator==(const TopKAttrs&, const TopKAttrs&) = default;
};

/// Which axes of a pair are contracted and which are shared as batch. Each operand's axes stand in one list, contracted
/// ones first, then batch ones; position k of the left list pairs with position k of the right one.
///
/// Example:
///     DotGeneralConfig config({1}, {0}, {2}, {2});             // (m, k, b) · (k, n, b)
///     CHECK(config.lhs_contracting()[0] == 1 && config.rhs_contracting()[0] == 0);
///     CHECK(config.lhs_batch()[0] == 2 && config.rhs_batch().size() == 1 && !config.lhs_conj);
class DotGeneralConfig {
 public:
  DotGeneralConfig() = default;
  DotGeneralConfig(std::span<const std::uint8_t> lhs_contracting, std::span<const std::uint8_t> rhs_contracting,
                   std::span<const std::uint8_t> lhs_batch = {}, std::span<const std::uint8_t> rhs_batch = {})
      : lhs_(joined(lhs_contracting, lhs_batch)),
        rhs_(joined(rhs_contracting, rhs_batch)),
        lhs_contracting_(static_cast<std::uint8_t>(lhs_contracting.size())),
        rhs_contracting_(static_cast<std::uint8_t>(rhs_contracting.size())) {}
  DotGeneralConfig(std::initializer_list<std::uint8_t> lhs_contracting,
                   std::initializer_list<std::uint8_t> rhs_contracting,
                   std::initializer_list<std::uint8_t> lhs_batch = {},
                   std::initializer_list<std::uint8_t> rhs_batch = {})
      : DotGeneralConfig(view(lhs_contracting), view(rhs_contracting), view(lhs_batch), view(rhs_batch)) {}

  std::span<const std::uint8_t> lhs_contracting() const noexcept { return {lhs_.data(), lhs_contracting_}; }
  std::span<const std::uint8_t> rhs_contracting() const noexcept { return {rhs_.data(), rhs_contracting_}; }
  std::span<const std::uint8_t> lhs_batch() const noexcept {
    return {lhs_.data() + lhs_contracting_, lhs_.size() - lhs_contracting_};
  }
  std::span<const std::uint8_t> rhs_batch() const noexcept {
    return {rhs_.data() + rhs_contracting_, rhs_.size() - rhs_contracting_};
  }
  bool lhs_conj = false;
  bool rhs_conj = false;

  friend bool operator==(const DotGeneralConfig&, const DotGeneralConfig&) = default;

 private:
  static std::span<const std::uint8_t> view(std::initializer_list<std::uint8_t> list) {
    return {list.begin(), list.size()};
  }
  static AxisList joined(std::span<const std::uint8_t> contracting, std::span<const std::uint8_t> batch) {
    AxisList list(contracting);
    for (const std::uint8_t axis : batch) list.push_back(axis);
    return list;
  }

  AxisList lhs_, rhs_;
  std::uint8_t lhs_contracting_ = 0;
  std::uint8_t rhs_contracting_ = 0;
};

struct TransposeAttrs {
  AxisList perm;
  friend bool operator==(const TransposeAttrs&, const TransposeAttrs&) = default;
};
struct ReshapeAttrs {
  Shape shape;
  friend bool operator==(const ReshapeAttrs&, const ReshapeAttrs&) = default;
};
/// Operand axis k becomes axis axes[k] of `shape`.
struct BroadcastInDimConfig {
  Shape shape;
  AxisList axes;
  friend bool operator==(const BroadcastInDimConfig&, const BroadcastInDimConfig&) = default;
};
using BroadcastInDimAttrs = Boxed<BroadcastInDimConfig>;
/// checked: along the promotion lattice only; otherwise by the rules of cast.
struct ConvertAttrs {
  DType to = DType::f64;
  bool checked = true;
  friend bool operator==(const ConvertAttrs&, const ConvertAttrs&) = default;
};
/// For embed_diag, axis1 and axis2 are axes of the result.
struct DiagAttrs {
  std::int64_t shift = 0;
  std::uint8_t axis1 = 0;
  std::uint8_t axis2 = 1;
  friend bool operator==(const DiagAttrs&, const DiagAttrs&) = default;
};
/// Elements (i, j) with j − i ≤ shift (tril) or ≥ shift (triu) stay.
struct TriAttrs {
  std::int64_t shift = 0;
  friend bool operator==(const TriAttrs&, const TriAttrs&) = default;
};
struct AxesAttrs {
  AxisSet axes;
  friend bool operator==(const AxesAttrs&, const AxesAttrs&) = default;
};
struct AxisAttrs {
  std::uint8_t axis = 0;
  friend bool operator==(const AxisAttrs&, const AxisAttrs&) = default;
};
/// Per axis: elements added before and after (negative: cropped) and between neighbours; and the value added.
struct PadConfig {
  Dims low, high, interior;
  Scalar fill;
  friend bool operator==(const PadConfig& a, const PadConfig& b) {
    return a.low == b.low && a.high == b.high && a.interior == b.interior && same_bits(a.fill, b.fill);
  }
};
using PadAttrs = Boxed<PadConfig>;
struct SliceConfig {
  Dims starts, limits, strides;
  friend bool operator==(const SliceConfig&, const SliceConfig&) = default;
};
using SliceAttrs = Boxed<SliceConfig>;

/// What an index outside does: fail before anything is written, move inside, or give `fill`.
enum class GatherMode : std::uint8_t { check, clamp, fill };
/// Axis numbers as in StableHLO's gather.
struct GatherConfig {
  AxisList offset_dims, collapsed_slice_dims, start_index_map;
  std::uint8_t index_vector_dim = 0;
  Dims slice_sizes;
  GatherMode mode = GatherMode::check;
  Scalar fill;
  friend bool operator==(const GatherConfig& a, const GatherConfig& b) {
    return a.offset_dims == b.offset_dims && a.collapsed_slice_dims == b.collapsed_slice_dims &&
           a.start_index_map == b.start_index_map && a.index_vector_dim == b.index_vector_dim &&
           a.slice_sizes == b.slice_sizes && a.mode == b.mode && same_bits(a.fill, b.fill);
  }
};
using GatherAttrs = Boxed<GatherConfig>;
enum class ScatterCombine : std::uint8_t { add, set, mul, min, max };
/// What a window that leaves the operand does: fail before anything is written, or be dropped whole.
enum class ScatterMode : std::uint8_t { check, drop };
/// Axis numbers as in StableHLO's scatter.
struct ScatterConfig {
  AxisList update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims;
  std::uint8_t index_vector_dim = 0;
  ScatterCombine combine = ScatterCombine::add;
  ScatterMode mode = ScatterMode::check;
  friend bool operator==(const ScatterConfig&, const ScatterConfig&) = default;
};
using ScatterAttrs = Boxed<ScatterConfig>;
struct DynamicSliceAttrs {
  Dims sizes;
  friend bool operator==(const DynamicSliceAttrs&, const DynamicSliceAttrs&) = default;
};
/// `gather.slice_sizes` is unused; the sizes are expressions over the operands' extents.
struct GatherDynamicConfig {
  GatherConfig gather;
  std::vector<DimExpr> slice_sizes;
  friend bool operator==(const GatherDynamicConfig&, const GatherDynamicConfig&) = default;
};
using GatherDynamicAttrs = Boxed<GatherDynamicConfig>;
/// A tensor shared by the operations that use it; compared by identity.
struct ConstantAttrs {
  std::shared_ptr<const Tensor> value;
  friend bool operator==(const ConstantAttrs&, const ConstantAttrs&) = default;
};
struct IotaAttrs {
  Shape shape;
  DType dtype = DType::f64;
  std::uint8_t axis = 0;
  friend bool operator==(const IotaAttrs&, const IotaAttrs&) = default;
};
struct RandomBitsAttrs {
  Shape shape;
  DType dtype = DType::i64;
  friend bool operator==(const RandomBitsAttrs&, const RandomBitsAttrs&) = default;
};

/// How the payload of a family's operation is compared, hashed and (optionally) printed; one constant object per
/// payload type.
struct ExtensionAttrsTable {
  bool (*equal)(const std::byte*, const std::byte*);
  std::size_t (*hash)(const std::byte*);
  std::string (*to_text)(const std::byte*) = nullptr;
};
/// The open slot: 32 trivially copyable bytes that only the family reads.
///
/// Example (tenferro/ops/define_family.hpp):
///     struct Step {
///       std::int64_t size, count;
///     };
///     ExtensionAttrs a = ExtensionAttrs::of(Step{2, 5}, &payload_table<Step>());
///     CHECK(a.get<Step>().count == 5 && a.table()->equal(a.bytes(), a.bytes()));
///     CHECK(!(a == ExtensionAttrs::of(Step{2, 6}, &payload_table<Step>())));
///     ExtensionAttrsTable printed = payload_table<Step>();     // a table of one's own: what `==`, hash and text do
///     printed.to_text = [](const std::byte*) { return std::string("step"); };
///     CHECK(printed.to_text(a.bytes()) == "step");
class ExtensionAttrs {
 public:
  ExtensionAttrs() = default;
  template <class T>
  static ExtensionAttrs of(const T& value, const ExtensionAttrsTable* table) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32 && alignof(T) <= 8);
    ExtensionAttrs attrs;
    std::memcpy(attrs.bytes_.data(), &value, sizeof(T));
    attrs.table_ = table;
    return attrs;
  }
  template <class T>
  T get() const {
    T value;
    std::memcpy(&value, bytes_.data(), sizeof(T));
    return value;
  }
  const ExtensionAttrsTable* table() const noexcept { return table_; }
  const std::byte* bytes() const noexcept { return bytes_.data(); }
  friend bool operator==(const ExtensionAttrs& a, const ExtensionAttrs& b) {
    return a.table_ == b.table_ && (a.table_ == nullptr || a.table_->equal(a.bytes(), b.bytes()));
  }

 private:
  alignas(8) std::array<std::byte, 32> bytes_{};
  const ExtensionAttrsTable* table_ = nullptr;
};

/// The payload of an operation. Alternatives in the order of AttrsId.
///
/// Example (tenferro/ops/eval_shape.hpp):
///     ShapeEvaluator shapes;
///     TensorMeta x{DType::f64, {2, 3}}, at{DType::i64, {2}};
///     auto with = [&](OpKind kind, Attrs attrs) { return bind1(shapes, Op(kind, std::move(attrs)), x).shape; };
///     CHECK(with(OpKind::exp, NoAttrs()) == Shape({2, 3}) && with(OpKind::tril, TriAttrs{-1}) == Shape({2, 3}));
///     CHECK(with(OpKind::reduce_sum, ReduceAttrs{AxisSet(0b10)}) == Shape{2});
///     CHECK(with(OpKind::argmax, ArgReduceAttrs{1, true}) == Shape({2, 1}));
///     CHECK(with(OpKind::cumsum, ScanAttrs{0, true}) == Shape({2, 3}));
///     CHECK(with(OpKind::sort, SortAttrs{0, true}) == Shape({2, 3}));
///     CHECK(with(OpKind::transpose, TransposeAttrs{{1, 0}}) == Shape({3, 2}));
///     CHECK(with(OpKind::reshape, ReshapeAttrs{{6}}) == Shape{6});
///     CHECK(with(OpKind::broadcast_in_dim, BroadcastInDimConfig{{2, 4, 3}, {0, 2}}) == Shape({2, 4, 3}));
///     CHECK(with(OpKind::convert, ConvertAttrs{DType::c64}) == Shape({2, 3}));
///     CHECK(with(OpKind::extract_diag, DiagAttrs{1}) == Shape{2});
///     CHECK(with(OpKind::reverse, AxesAttrs{AxisSet::first(2)}) == Shape({2, 3}));
///     CHECK(with(OpKind::concatenate, AxisAttrs{1}) == Shape({2, 3}));
///     CHECK(with(OpKind::pad, PadConfig{{1, 0}, {1, 0}, {0, 1}, 0.0}) == Shape({4, 5}));
///     CHECK(with(OpKind::slice, SliceConfig{{0, 1}, {2, 3}, {1, 1}}) == Shape({2, 2}));
///     CHECK(bind1(shapes, Op(OpKind::dynamic_slice, DynamicSliceAttrs{{1, 2}}), x, at).shape == Shape({1, 2}));
///     CHECK(bind1(shapes, Op(OpKind::iota, IotaAttrs{{4}, DType::i32})) == TensorMeta{DType::i32, {4}});
///     CHECK(bind1(shapes, Op(OpKind::random_bits, RandomBitsAttrs{{4}}), at).shape == Shape{4});
///     auto number = std::make_shared<const Tensor>(Tensor::scalar(1.5));
///     CHECK(bind1(shapes, Op(OpKind::constant, ConstantAttrs{number})).dtype == DType::f64);
///     TensorMeta best[2];
///     const MetaView in[] = {x};
///     shapes.bind(Op(OpKind::top_k, TopKAttrs{2, 1}), in, best);
///     CHECK(best[1] == TensorMeta{DType::i64, {2, 2}});
using Attrs = std::variant<NoAttrs, ReduceAttrs, ArgReduceAttrs, ScanAttrs, SortAttrs, TopKAttrs, DotGeneralConfig,
                           TransposeAttrs, ReshapeAttrs, BroadcastInDimAttrs, ConvertAttrs, DiagAttrs, TriAttrs,
                           AxesAttrs, AxisAttrs, PadAttrs, SliceAttrs, GatherAttrs, ScatterAttrs, DynamicSliceAttrs,
                           GatherDynamicAttrs, ConstantAttrs, IotaAttrs, RandomBitsAttrs, ExtensionAttrs>;
static_assert(sizeof(Attrs) <= 96);

#define TENFERRO_OP(name, category, arity, results, attrs, ...)                                                     \
  static_assert(std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(AttrsId::attrs), Attrs>, attrs>, \
                #name ": its payload type is not the alternative of Attrs with that id");
#include "tenferro/ops/core_ops.def"

/// Hash that agrees with ==.
///
/// Example:
///     Attrs a = ReduceAttrs{AxisSet::first(2), true}, b = a;
///     CHECK(a == b && hash_value(a) == hash_value(b) && to_text(a) == "axes=[0, 1], keep_dims=true");
std::size_t hash_value(const Attrs& attrs);

/// "axes=[0, 1], keep_dims=true": the fields that say something.
std::string to_text(const Attrs& attrs);

}  // namespace tenferro
