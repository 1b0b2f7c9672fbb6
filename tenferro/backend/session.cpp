// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/backend/session.hpp"

#include <algorithm>
#include <vector>

#include "tenferro/backend/glance.hpp"
#include "tenferro/backend/overlap.hpp"
#include "tenferro/backend/session_entry_error.hpp"
#include "tenferro/backend/stretched_pair.hpp"
#include "tenferro/ops/broadcast.hpp"
#include "tenferro/tensor/overlap.hpp"

namespace tenferro {
namespace {

bool is_elementwise(const Op& op) noexcept {
  if (!op.is_core()) return false;
  const OpCategory category = op.info().category;
  return category == OpCategory::unary || category == OpCategory::binary || category == OpCategory::ternary;
}

// The dtype that picks the kernel: that of the data operand, or of the result where no operand decides it.
DType kernel_dtype(const Op& op, std::span<const TensorRead> in, DType result) noexcept {
  const OpInfo& row = op.info();
  return in.empty() || row.category == OpCategory::random ? result : in[data_operand(row)].dtype;
}

void check_outputs(const Op& op, std::span<const TensorMeta> metas, std::span<const TensorWrite> out,
                   const Placement& here) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].placement != here) raise<OpErrorInfo>(PlacementMismatch{op.name(), -1, here, out[i].placement});
    if (out[i].dtype != metas[i].dtype) {
      raise<OpErrorInfo>(DTypeMismatch{op.name(), -1, metas[i].dtype, out[i].dtype});
    }
    if (!same_shape(out[i].shape(), metas[i].shape)) {
      raise<OpErrorInfo>(
          ShapeMismatch{op.name(), metas[i].shape, Shape(out[i].shape()), "an output of the shape of the result"});
    }
  }
}

void check_overlap(const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out, bool allow_same) {
  for (const TensorWrite& target : out) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (internal::far_apart(in[i], target)) continue;
      const Overlap found = overlap(in[i], target);
      if (found == Overlap::none || (found == Overlap::same && allow_same)) continue;
      raise<OpErrorInfo>(OverlappingStorage{op.name(), static_cast<std::int64_t>(i)});
    }
  }
  for (std::size_t i = 1; i < out.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (!may_overlap(out[i].read(), out[k].read())) continue;
      raise<OpErrorInfo>(OverlappingStorage{op.name(), static_cast<std::int64_t>(k), true});
    }
  }
}

// What inference writes: one entry, or a list of them where an operation has several results.
class Metas {
 public:
  explicit Metas(std::size_t results) : results_(results), several_(results == 1 ? 0 : results) {}
  std::span<TensorMeta> span() noexcept { return {results_ == 1 ? &one_ : several_.data(), results_}; }

 private:
  std::size_t results_;
  TensorMeta one_;
  std::vector<TensorMeta> several_;
};

}  // namespace

void BackendSession::refuse_thread() const {
  throw SessionEntryError(SessionEntryInfo{SessionEntryKind::incompatible_context, kind().id});
}

void BackendSession::infer_checked(const Op& op, std::span<const TensorRead> in, std::span<TensorMeta> out) {
  MetaView few[3];
  std::vector<MetaView> many(in.size() > std::size(few) ? in.size() : 0);
  MetaView* const metas = many.empty() ? few : many.data();
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i].placement != placement_) [[unlikely]] {
      raise<OpErrorInfo>(PlacementMismatch{op.name(), static_cast<std::int64_t>(i), placement_, in[i].placement});
    }
    metas[i] = in[i].meta();
  }
  if (OpFailure failure = infer(op, {metas, in.size()}, out)) [[unlikely]] {
    throw_failure(std::move(failure));
  }
  if (op.is_core() && has(op.info().traits, Traits::dynamic_shape)) {
    if (OpFailure failure = refine_dynamic_shape(op, in, out)) throw_failure(std::move(failure));
  }
}

void BackendSession::dispatch(const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
  if (!op.is_core()) return run_extension(op, in, out);
  run(op, kernel_dtype(op, in, out[0].dtype), in, out);
}

Tensor BackendSession::compute(const Op& op, DType dtype, DType result_type, DimsView shape,
                               std::span<const TensorRead> in) {
  Tensor result = allocate(result_type, shape);
  const TensorWrite target = result;
  run(op, dtype, in, {&target, 1});
  return result;
}

Tensor BackendSession::bind_single(const Op& op, std::span<const TensorRead> in) {
  check_thread();
  if (op.is_core()) [[likely]] {
    if (accepted_at_a_glance(op, in, placement_)) return bind_accepted(op, in);
    const internal::Glance seen(op, in, placement_);
    if (seen.accepted) return compute(op, seen.operand, seen.dtype, seen.shape, in);
  }
  return bind_inferred(op, in);
}

Tensor BackendSession::bind_pair(const Op& op, const TensorRead& a, const TensorRead& b) {
  check_thread();
  if (a.dtype == b.dtype && b.placement == placement_ && takes_plainly(op, a, placement_)) [[likely]] {
    const DType result = result_dtype(op.info().result, a.dtype);
    if (same_shape(a.shape(), b.shape())) [[likely]] {
      const TensorRead in[] = {a, b};
      return compute(op, a.dtype, result, a.shape(), in);
    }
    const StretchedPair pair(a, b);
    if (pair) return compute(op, a.dtype, result, pair.shape(), pair.operands());
  }
  return internal::bind_mixed<BackendSession, 2>(*this, op, {a, b}, 0);
}

Tensor BackendSession::bind_inferred(const Op& op, std::span<const TensorRead> in) {
  TensorMeta meta;
  infer_checked(op, in, {&meta, 1});
  if (op.is_core()) return compute(op, kernel_dtype(op, in, meta.dtype), meta.dtype, meta.shape, in);
  return compute_extension(op, meta, in);
}

Tensor BackendSession::compute_extension(const Op& op, const TensorMeta& meta, std::span<const TensorRead> in) {
  Tensor result = allocate(meta.dtype, meta.shape);
  const TensorWrite target = result;
  run_extension(op, in, {&target, 1});
  return result;
}

void BackendSession::bind(const Op& op, std::span<const TensorRead> in, std::span<Tensor> out) {
  if (out.size() == 1) {
    out[0] = bind_single(op, in);
    return;
  }
  check_thread();
  std::vector<TensorMeta> metas(out.size());
  infer_checked(op, in, metas);
  std::vector<Tensor> made;
  made.reserve(metas.size());
  for (const TensorMeta& meta : metas) made.push_back(allocate(meta.dtype, meta.shape));
  const std::vector<TensorWrite> targets(made.begin(), made.end());
  dispatch(op, in, targets);
  std::move(made.begin(), made.end(), out.begin());
}

void BackendSession::bind_into(const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
  check_thread();
  const auto is_plain = [&] {
    if (out.size() != 1 || !op.is_core() || out[0].placement != placement_) return false;
    if (accepted_at_a_glance(op, in, placement_)) {
      return out[0].dtype == result_dtype(op.info().result, in[0].dtype) && same_shape(out[0].shape(), in[0].shape());
    }
    const internal::Glance seen(op, in, placement_);
    return seen.accepted && out[0].dtype == seen.dtype && same_shape(out[0].shape(), seen.shape);
  };
  if (in.empty() || !is_plain()) {
    Metas metas(out.size());
    infer_checked(op, in, metas.span());
    check_outputs(op, metas.span(), out, placement_);
  }
  check_overlap(op, in, out, is_elementwise(op));
  dispatch(op, in, out);
}

void BackendSession::accumulate_into(const Op& op, std::span<const TensorRead> in, TensorWrite out, Scalar alpha,
                                     Scalar beta) {
  check_thread();
  if (!op.is_core() || op.info().category != OpCategory::contraction) {
    raise<OpErrorInfo>(BadArgument{op.name(), "accumulation is for contractions only"});
  }
  TensorMeta meta;
  infer_checked(op, in, {&meta, 1});
  check_outputs(op, {&meta, 1}, {&out, 1}, placement_);
  for (const Scalar* scalar : {&alpha, &beta}) {
    if (scalar->dtype() != meta.dtype) {
      raise<OpErrorInfo>(DTypeMismatch{op.name(), -1, meta.dtype, scalar->dtype()});
    }
  }
  check_overlap(op, in, {&out, 1}, false);
  accumulate(op, in, out, alpha, beta);
}

TensorView BackendSession::broadcast(const TensorRead& x, DimsView shape) {
  internal::require_stretches("broadcast", x.shape(), shape);
  return TensorView::trusted(x.data, x.dtype, broadcast_to(internal::layout_of(x), shape), x.placement);
}

void BackendSession::run_extension(const Op& op, std::span<const TensorRead> in, std::span<const TensorWrite> out) {
  const ExtensionFamily& family = *op.code.family;
  const auto kernels = family.kernels_for != nullptr ? family.kernels_for(kind()) : std::span<const KernelFn>{};
  if (op.code.index >= kernels.size() || kernels[op.code.index] == nullptr) {
    raise<OpErrorInfo>(Unsupported{family.id, op.name(), kind().id, ""});
  }
  kernels[op.code.index](context_, op, in, out);
}

}  // namespace tenferro
