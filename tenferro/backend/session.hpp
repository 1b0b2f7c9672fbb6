// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A session: the surface on which operations run now. It is borrowed from a backend for one closure, owns nothing and
// is never stored. One entry covers any mix of core and family operations.
//
// Example (session, tenferro/ops/elementwise.hpp):
//     Tensor a = Tensor::vector({0., 1.}), b = Tensor::vector({10., 20.});
//     Tensor y = add(session, sub(session, b, a), 1.0);        // 11 20
//     CHECK(y.at<double>({1}) == 20 && session.kind() == BackendKind{"cpu"});

#include <span>

#include "tenferro/backend/kernel_context.hpp"
#include "tenferro/backend/thread_record.hpp"
#include "tenferro/ops/emitter.hpp"

namespace tenferro {

/// Runs operations as they are bound. Not copyable; usable only inside its closure, on the closure's thread: on another
/// one every operation throws SessionEntryError (incompatible_context) before anything is written.
///
/// Example (session):
///     Tensor x = Tensor::vector({1., -2.}), y;
///     const TensorRead in[] = {x};
///     session.bind(Op(OpKind::neg), in, std::span(&y, 1));     // what neg(session, x) does
///     CHECK(y.at<double>({1}) == 2 && session.bind_single(Op(OpKind::square), in).at<double>({1}) == 4);
///     CHECK(session.bind_pair(Op(OpKind::add), x, Tensor::scalar(1)).at<double>({0}) == 2);
///     const TensorWrite out[] = {x};
///     session.bind_into(Op(OpKind::neg), in, out);             // in place
///     CHECK(x.at<double>({1}) == 2);
///     Tensor dot = Tensor::scalar(100.0);
///     const TensorRead pair[] = {y, y};
///     session.accumulate_into(Op(OpKind::dot_general, DotGeneralConfig({0}, {0})), pair, dot, 2.0, 1.0);
///     CHECK(dot.item() == Scalar(110.0));
///     CHECK(BackendSession::broadcast(x, Shape{3, 2}).strides() == Dims({0, 1}));
///     CHECK(BackendSession::meta(x).rank() == 1);
///     CHECK(session.context().lanes() >= 1);
class BackendSession {
 public:
  using Value = Tensor;
  using Operand = TensorRead;

  BackendSession(const BackendSession&) = delete;
  BackendSession& operator=(const BackendSession&) = delete;

  /// Checks the operation, allocates its results and computes them. Throws OpError; `out` is then unchanged.
  void bind(const Op& op, std::span<const TensorRead> in, std::span<Tensor> out);

  /// bind for an operation with one result, which is returned.
  Tensor bind_single(const Op& op, std::span<const TensorRead> in);

  /// bind_single of an element-by-element operation whose two operands are promoted and stretched first if need be.
  Tensor bind_pair(const Op& op, const TensorRead& a, const TensorRead& b);

  /// Computes into the caller's tensors or views, whose dtypes and shapes must be those inferred. An output may be the
  /// very same storage and layout as an operand of an element-by-element operation of equal element size; any other
  /// byte that it shares with an operand or another output is OverlappingStorage. Nothing is written if the call is
  /// refused. Throws OpError.
  void bind_into(const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out);

  /// out = alpha·op(in) + beta·out for an operation of category contraction. alpha and beta must have the dtype of the
  /// operands exactly; with beta = 0 the old content of `out` is never read. Overlap as in bind_into. Throws OpError.
  void accumulate_into(const Op& op, std::span<const TensorRead> in, TensorWrite out, Scalar alpha, Scalar beta);

  /// A zero-stride view of x, stretched to `shape` by NumPy's rule. Throws OpError (ShapeMismatch).
  static TensorView broadcast(const TensorRead& x, DimsView shape);
  static MetaView meta(const TensorRead& x) noexcept { return x.meta(); }

  /// What kernels of this session see; families use it for scratch memory.
  KernelContext& context() noexcept { return context_; }
  BackendKind kind() const noexcept { return context_.kind(); }
  /// Where operands and outputs must lie, and results do.
  const Placement& placement() const noexcept { return placement_; }

 protected:
  explicit BackendSession(KernelContext& context) noexcept : context_(context), placement_(context.placement()) {}
  ~BackendSession() = default;

  /// An uninitialised result.
  virtual Tensor allocate(DType dtype, DimsView shape) = 0;
  /// allocate and run of an operation with one result, at a stroke.
  virtual Tensor compute(const Op& op, DType dtype, DType result, DimsView shape, std::span<const TensorRead> in);
  /// The kernel for an accepted core operation and the dtype of its data operand (of its result, for creation and
  /// random numbers); outputs do not overlap inputs unless bind_into allowed it.
  virtual void run(const Op& op, DType dtype, std::span<const TensorRead> in, std::span<const TensorWrite> out) = 0;
  virtual void accumulate(const Op& op, std::span<const TensorRead> in, const TensorWrite& out, const Scalar& alpha,
                          const Scalar& beta) = 0;
  /// The kernel for an accepted family operation: by default the one that the family has for kind(). Throws OpError
  /// (Unsupported) where there is none.
  virtual void run_extension(const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out);

 private:
  void check_thread() const {
    if (thread_ != &internal::thread_record) [[unlikely]]
      refuse_thread();
  }
  [[noreturn]] void refuse_thread() const;
  Tensor bind_accepted(const Op& op, std::span<const TensorRead> in) {
    return compute(op, in[0].dtype, result_dtype(op.info().result, in[0].dtype), in[0].shape(), in);
  }
  [[gnu::noinline]] Tensor bind_inferred(const Op& op, std::span<const TensorRead> in);
  Tensor compute_extension(const Op& op, const TensorMeta& meta, std::span<const TensorRead> in);
  void infer_checked(const Op& op, std::span<const TensorRead> in, std::span<TensorMeta> out);
  void dispatch(const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out);

  KernelContext& context_;
  const Placement placement_;
  const internal::ThreadRecord* const thread_ = &internal::thread_record;
};

static_assert(Emitter<BackendSession>);

}  // namespace tenferro
