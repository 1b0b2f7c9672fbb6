// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What the surface adds to primitives: promotion of dtypes and stretching of shapes, once for all surfaces.

#include <array>
#include <optional>

#include "tenferro/ops/emitter.hpp"
#include "tenferro/ops/internal/scalar_operand.hpp"
#include "tenferro/tensor/view.hpp"

namespace tenferro::internal {

/// The dtype that operands first … last promote to, and the shape that all operands stretch to. Throws OpError
/// (ShapeMismatch, ShapeOverflow).
TensorMeta common_meta(const Op& op, std::span<const MetaView> in, std::size_t first_promoted);

/// `from` stretches to `to` by NumPy's rule. Throws OpError (ShapeMismatch).
void require_stretches(std::string_view op, DimsView from, DimsView to);

/// x with axes of extent 1 at the places `added` of the result: a view.
TensorView unsqueezed_view(const TensorRead& x, AxisSet added);
/// The shape of that.
Shape unsqueezed_shape(DimsView shape, AxisSet added);
/// Elements start … limit−1 of one axis: a view; the bounds have been checked.
TensorView part_view(const TensorRead& x, std::size_t axis, std::int64_t start, std::int64_t limit);

/// x with axes of extent 1 at the places `added` of the result: free in a session, a node elsewhere.
template <Emitter E>
auto unsqueezed(E& e, const typename E::Operand& x, AxisSet added) {
  if constexpr (ConcreteEmitter<E>) {
    return unsqueezed_view(x, added);
  } else {
    return bind1(e, Op(OpKind::reshape, ReshapeAttrs{unsqueezed_shape(e.meta(x).shape, added)}), x);
  }
}

/// Operands on their way into an operation: converted, given further axes, stretched, in this order. Keeps what the
/// steps made until the operation is bound.
template <Emitter E, std::size_t N>
class ReadyOperands {
 public:
  using Operand = typename E::Operand;

  ReadyOperands(E& e, const std::array<Operand, N>& in) : e_(e), ready_(in) {}
  ReadyOperands(const ReadyOperands&) = delete;
  ReadyOperands& operator=(const ReadyOperands&) = delete;

  void convert(std::size_t i, DType to) {
    if (e_.meta(ready_[i]).dtype == to) return;
    converted_[i] = bind1(e_, Op(OpKind::convert, ConvertAttrs{to, true}), ready_[i]);
    ready_[i] = *converted_[i];
  }
  void unsqueeze(std::size_t i, AxisSet added) {
    if (added.empty()) return;
    unsqueezed_[i].emplace(unsqueezed(e_, ready_[i], added));
    ready_[i] = *unsqueezed_[i];
  }
  void stretch(std::size_t i, DimsView shape) {
    if (same_shape(e_.meta(ready_[i]).shape, shape)) return;
    stretched_[i].emplace(e_.broadcast(ready_[i], shape));
    ready_[i] = *stretched_[i];
  }
  /// Operands first_promoted … N−1 to one dtype, all operands to one shape.
  void mix(const Op& op, std::size_t first_promoted) {
    std::array<MetaView, N> metas;
    for (std::size_t i = 0; i < N; ++i) metas[i] = e_.meta(ready_[i]);
    const TensorMeta common = common_meta(op, metas, first_promoted);
    for (std::size_t i = 0; i < N; ++i) {
      if (i >= first_promoted) convert(i, common.dtype);
      stretch(i, common.shape);
    }
  }
  /// All operands to one dtype.
  void promote_all() {
    DType common = e_.meta(ready_[0]).dtype;
    for (const Operand& x : ready_) common = promote(common, e_.meta(x).dtype);
    for (std::size_t i = 0; i < N; ++i) convert(i, common);
  }

  Value<E> bind(const Op& op) { return bind1(e_, op, ready_); }
  std::span<const Operand> operands() const { return ready_; }

 private:
  using Stretched = decltype(std::declval<E&>().broadcast(std::declval<const Operand&>(), DimsView{}));
  using Unsqueezed = decltype(unsqueezed(std::declval<E&>(), std::declval<const Operand&>(), AxisSet{}));

  // Room for one operand made on the way. Its constructor is no constant expression, or else compilers fill all the
  // room with zeros.
  template <class T>
  struct Room : std::optional<T> {
    Room() noexcept {}  // NOLINT(modernize-use-equals-default)
    using std::optional<T>::operator=;
  };

  E& e_;
  std::array<Operand, N> ready_;
  std::array<Room<Value<E>>, N> converted_;
  std::array<Room<Unsqueezed>, N> unsqueezed_;
  std::array<Room<Stretched>, N> stretched_;
};

/// The strides of an operand of one element that stretches.
inline constexpr std::int64_t kStandStill[kMaxRank] = {};

/// Whether there is one element, however many axes.
inline bool is_one(const TensorRead& x) noexcept {
  for (std::uint32_t k = 0; k < x.axis_count; ++k) {
    if (x.extents[k] != 1) return false;
  }
  return true;
}
/// The element `one` stretched to the shape of x.
inline void stand_still(TensorRead& one, const TensorRead& x) noexcept {
  one.extents = x.extents;
  one.strides = kStandStill;
  one.axis_count = x.axis_count;
}

/// Whether operands have one dtype from first_promoted on, and one shape but for single elements, which it stretches:
/// nothing else is to be done to them.
template <std::size_t N>
bool go_together(std::array<TensorRead, N>& in, std::size_t first_promoted) noexcept {
  const TensorRead* full = &in[0];
  for (std::size_t i = 1; i < N; ++i) {
    if (i > first_promoted && in[i].dtype != in[first_promoted].dtype) return false;
    if (in[i].axis_count >= full->axis_count && (in[i].axis_count > full->axis_count || is_one(*full))) full = &in[i];
  }
  for (TensorRead& x : in) {
    if (same_shape(x.shape(), full->shape())) continue;
    if (!is_one(x)) return false;
    stand_still(x, *full);
  }
  return true;
}

/// An operation of several operands that are promoted, from first_promoted on, and stretched where need be.
template <Emitter E, std::size_t N>
[[gnu::noinline]] Value<E> bind_mixed(E& e, const Op& op, const std::array<typename E::Operand, N>& in,
                                      std::size_t first_promoted) {
  if constexpr (ConcreteEmitter<E>) {
    std::array<TensorRead, N> plain = in;
    if (go_together(plain, first_promoted)) return bind1(e, op, plain);
  }
  ReadyOperands<E, N> ready(e, in);
  ready.mix(op, first_promoted);
  return ready.bind(op);
}

template <IntoEmitter E, std::size_t N>
[[gnu::noinline]] void mixed_into(E& e, const Op& op, const TensorWrite& out, const std::array<TensorRead, N>& in,
                                  std::size_t first_promoted) {
  const std::span<const TensorWrite> target(&out, 1);
  std::array<TensorRead, N> plain = in;
  if (go_together(plain, first_promoted)) return e.bind_into(op, plain, target);
  ReadyOperands<E, N> ready(e, in);
  ready.mix(op, first_promoted);
  e.bind_into(op, ready.operands(), target);
}

/// The same into `out`; operands of one shape, and one dtype where they are promoted, take the short way.
template <IntoEmitter E, std::size_t N>
void into(E& e, const Op& op, const TensorWrite& out, const std::array<TensorRead, N>& in, std::size_t first_promoted) {
  bool alike = true;
  for (std::size_t i = 1; i < N; ++i) {
    alike = alike && same_shape(in[i].shape(), in[0].shape()) &&
            (i <= first_promoted || in[i].dtype == in[first_promoted].dtype);
  }
  if (alike) [[likely]]
    return e.bind_into(op, in, std::span<const TensorWrite>(&out, 1));
  mixed_into<E, N>(e, op, out, in, first_promoted);
}

/// Two operands of any dtypes and shapes that go together. An emitter for which it pays looks at them itself.
template <Emitter E>
Value<E> binary(E& e, OpKind kind, const typename E::Operand& a, const typename E::Operand& b) {
  if constexpr (requires { e.bind_pair(plain_op(kind), a, b); }) return e.bind_pair(plain_op(kind), a, b);
  const MetaView ma = e.meta(a), mb = e.meta(b);
  if (ma.dtype == mb.dtype && same_shape(ma.shape, mb.shape)) [[likely]]
    return bind1(e, plain_op(kind), a, b);
  return bind_mixed<E, 2>(e, plain_op(kind), {a, b}, 0);
}

/// x and a number, whose dtype is that of x; `number_at` is the place of the number among the operands.
template <Emitter E>
[[gnu::noinline]] Value<E> binary_number(E& e, OpKind kind, const typename E::Operand& x, const Scalar& number,
                                         std::size_t number_at) {
  const ScalarOperand<E> scalar(e, weak_scalar(info(kind).name, number, e.meta(x).dtype));
  const typename E::Operand* const operands[] = {&scalar.operand(), &x};
  return binary(e, kind, *operands[number_at], *operands[1 - number_at]);
}

template <IntoEmitter E>
[[gnu::noinline]] void binary_number_into(E& e, OpKind kind, const TensorWrite& out, const TensorRead& x,
                                          const Scalar& number, std::size_t number_at) {
  const ScalarOperand<E> scalar(e, weak_scalar(info(kind).name, number, x.dtype));
  const TensorRead operands[] = {scalar.operand(), x};
  into<E, 2>(e, plain_op(kind), out, {operands[number_at], operands[1 - number_at]}, 0);
}

}  // namespace tenferro::internal
