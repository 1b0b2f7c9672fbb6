// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Two surfaces for tests of plans, on plain arrays of doubles: a session, which also counts the bytes it has given out,
// and an emitter that is no session. Both run the few operations that contractions are made of by nested loops.

#include <algorithm>
#include <cstring>
#include <memory>

#include "tenferro/backend/session.hpp"
#include "tests/support/loop_einsum.hpp"
#include "tests/support/serial_context.hpp"

namespace tenferro::testing {

using Loop = LoopArray<double>;

/// Reads any f64 tensor or view.
inline Loop loop_of(const TensorRead& x) {
  Loop array(std::vector<std::int64_t>(x.shape().begin(), x.shape().end()));
  const Dims strides = internal::strides_of(x);
  std::vector<std::int64_t> index(x.rank(), 0);
  for (double& value : array.data) {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < index.size(); ++k) offset += index[k] * strides[k];
    std::memcpy(&value, x.data + offset * 8, 8);
    for (std::size_t k = 0; k < index.size() && ++index[k] == array.shape[k]; ++k) index[k] = 0;
  }
  return array;
}

/// Writes any f64 tensor or view.
inline void store(const Loop& array, const TensorWrite& out) {
  const Dims strides = internal::strides_of(out);
  std::vector<std::int64_t> index(out.rank(), 0);
  for (const double value : array.data) {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < index.size(); ++k) offset += index[k] * strides[k];
    std::memcpy(out.data + offset * 8, &value, 8);
    for (std::size_t k = 0; k < index.size() && ++index[k] == array.shape[k]; ++k) index[k] = 0;
  }
}

/// One operation by loops: each is a contraction with labels of its own.
inline Loop loop_run(const Op& op, const std::vector<Loop>& in) {
  using Ids = std::vector<int>;
  const auto count_up = [](std::size_t rank, int from) {
    Ids ids;
    for (std::size_t k = 0; k < rank; ++k) ids.push_back(from + static_cast<int>(k));
    return ids;
  };
  Ids first = count_up(in[0].shape.size(), 0);
  if (op.kind() == OpKind::dot_general) {
    const auto& config = op.as<DotGeneralConfig>();
    Ids second = count_up(in[1].shape.size(), 100);
    Ids result;
    const auto paired = [](std::span<const std::uint8_t> axes, std::size_t axis) {
      return std::find(axes.begin(), axes.end(), axis) != axes.end();
    };
    for (std::size_t k = 0; k < config.lhs_contracting().size(); ++k) {
      second[config.rhs_contracting()[k]] = first[config.lhs_contracting()[k]];
    }
    for (std::size_t k = 0; k < config.lhs_batch().size(); ++k) {
      second[config.rhs_batch()[k]] = first[config.lhs_batch()[k]];
    }
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (!paired(config.lhs_contracting(), k) && !paired(config.lhs_batch(), k)) result.push_back(first[k]);
    }
    for (const int id : second) {
      if (id >= 100) result.push_back(id);
    }
    for (const std::uint8_t axis : config.lhs_batch()) result.push_back(first[axis]);
    return loop_einsum<double, int>({first, second}, in, result);
  }
  if (op.kind() == OpKind::mul) return loop_einsum<double, int>({first, first}, in, first);
  if (op.kind() == OpKind::transpose) {
    Ids result;
    for (const std::uint8_t axis : op.as<TransposeAttrs>().perm) result.push_back(first[axis]);
    return loop_einsum<double, int>({first}, in, result);
  }
  if (op.kind() == OpKind::reduce_sum) {
    Ids result;
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (!op.as<ReduceAttrs>().axes.contains(k)) result.push_back(first[k]);
    }
    return loop_einsum<double, int>({first}, in, result);
  }
  if (op.kind() == OpKind::extract_diag) {
    const auto& attrs = op.as<DiagAttrs>();
    first[attrs.axis2] = first[attrs.axis1];
    Ids result;
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (k != attrs.axis1 && k != attrs.axis2) result.push_back(first[k]);
    }
    result.push_back(first[attrs.axis1]);
    return loop_einsum<double, int>({first}, in, result);
  }
  if (op.kind() == OpKind::embed_diag) {
    const auto& attrs = op.as<DiagAttrs>();
    Ids result;
    std::size_t next = 0;
    for (std::size_t k = 0; k <= first.size(); ++k) {
      result.push_back(k == attrs.axis1 || k == attrs.axis2 ? first.back() : first[next++]);
    }
    return loop_einsum<double, int>({first}, in, result);
  }
  Loop reshaped = in[0];
  const Shape& shape = op.as<ReshapeAttrs>().shape;
  reshaped.shape.assign(shape.begin(), shape.end());
  return reshaped;
}

/// A session whose operations are loops and whose results are counted.
class LoopSession final : public BackendSession {
 public:
  LoopSession() : BackendSession(context()) {}

  /// Bytes of results alive now, and the most there ever were.
  std::int64_t live() const { return counters_->live; }
  std::int64_t peak() const { return counters_->peak; }
  std::int64_t allocations() const { return counters_->allocations; }
  void reset_peak() { *counters_ = {counters_->live, counters_->live, 0}; }

 private:
  struct Counters {
    std::int64_t live = 0;
    std::int64_t peak = 0;
    std::int64_t allocations = 0;
  };

  static KernelContext& context() {
    static SerialContext serial;
    return serial;
  }

  Tensor allocate(DType dtype, DimsView shape) override {
    const std::int64_t bytes = *element_count(shape) * static_cast<std::int64_t>(element_size(dtype));
    counters_->live += bytes;
    counters_->peak = std::max(counters_->peak, counters_->live);
    ++counters_->allocations;
    double* memory = new double[static_cast<std::size_t>(bytes / 8) + 1];
    return Tensor::wrap(dtype, Shape(shape), memory, [counters = counters_, bytes](void* data) {
      counters->live -= bytes;
      delete[] static_cast<double*>(data);
    });
  }
  void run(const Op& op, DType, std::span<const TensorRead> in, std::span<const TensorWrite> out) override {
    store(loop_run(op, arrays(in)), out[0]);
  }
  void accumulate(const Op& op, std::span<const TensorRead> in, const TensorWrite& out, const Scalar& alpha,
                  const Scalar& beta) override {
    Loop result = loop_run(op, arrays(in));
    const Loop old = loop_of(out.read());
    for (std::size_t i = 0; i < result.data.size(); ++i) {
      result.data[i] *= alpha.get<double>();
      if (beta.get<double>() != 0) result.data[i] += beta.get<double>() * old.data[i];
    }
    store(result, out);
  }
  static std::vector<Loop> arrays(std::span<const TensorRead> in) {
    std::vector<Loop> list;
    for (const TensorRead& x : in) list.push_back(loop_of(x));
    return list;
  }

  std::shared_ptr<Counters> counters_ = std::make_shared<Counters>();
};

/// A value that is no tensor.
struct LoopValue {
  TensorMeta meta;
  Loop array;
};

/// An emitter that is no session.
struct LoopEmitter {
  using Value = LoopValue;
  using Operand = LoopValue;

  static LoopValue value(const Loop& array) { return {{DType::f64, Shape(DimsView(array.shape))}, array}; }
  void bind(const Op& op, std::span<const LoopValue> in, std::span<LoopValue> out) {
    ++bound;
    InlineVector<MetaView, 4> metas;
    std::vector<Loop> arrays;
    for (const LoopValue& x : in) {
      metas.push_back(x.meta);
      arrays.push_back(x.array);
    }
    TensorMeta meta;
    if (OpFailure failure = infer(op, {metas.data(), metas.size()}, {&meta, 1})) throw_failure(std::move(failure));
    out[0] = value(loop_run(op, arrays));
    if (!(out[0].meta == meta)) throw Error("loops and inference disagree on a shape");
  }
  static LoopValue broadcast(const LoopValue& x, DimsView shape) {
    Loop result(std::vector<std::int64_t>(shape.begin(), shape.end()));
    std::vector<std::int64_t> index(shape.size(), 0);
    for (double& element : result.data) {
      std::vector<std::int64_t> from;
      for (std::size_t k = 0; k < x.array.shape.size(); ++k) {
        from.push_back(x.array.shape[k] == 1 ? 0 : index[shape.size() - x.array.shape.size() + k]);
      }
      element = x.array.at(from);
      for (std::size_t k = 0; k < index.size() && ++index[k] == shape[k]; ++k) index[k] = 0;
    }
    return value(result);
  }
  static MetaView meta(const LoopValue& x) { return x.meta; }

  int bound = 0;
};
static_assert(Emitter<LoopEmitter>);

}  // namespace tenferro::testing
