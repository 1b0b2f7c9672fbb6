// SPDX-License-Identifier: MIT OR Apache-2.0
// Contractions: whole numbers are equal bit for bit, numpy's own calls within the rounding bound. Each line runs in
// both spellings, by every entry point, and must agree by all of them.

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "tenferro/base/text.hpp"
#include "tenferro/einsum/einsum.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/ops/structural.hpp"
#include "tests/oracle_runner/area.hpp"
#include "tests/oracle_runner/compare.hpp"

namespace tenferro::oracle {
namespace {

using Operands = std::vector<Tensor>;

std::vector<TensorRead> reads(const Operands& operands) { return {operands.begin(), operands.end()}; }

std::vector<MetaView> metas(const Operands& operands) {
  std::vector<MetaView> list;
  for (const Tensor& t : operands) list.push_back(TensorRead(t).meta());
  return list;
}

// A result by one of the library's ways to contract.
struct Route {
  const char* name;
  Tensor (*run)(BackendSession& s, const std::string& expr, const Operands& operands);
};

Tensor one_shot(BackendSession& s, const std::string& expr, const Operands& operands) {
  return einsum(s, expr, reads(operands));
}

Tensor prepared(BackendSession& s, const std::string& expr, const Operands& operands) {
  const EinsumPlan plan = EinsumPlan::prepare(expr, metas(operands));
  (void)plan.execute(s, reads(operands));
  return plan.execute(s, reads(operands));
}

// Every operand as a reversed, strided view of a larger tensor that holds the same values.
Tensor from_views(BackendSession& s, const std::string& expr, const Operands& operands) {
  std::vector<Tensor> holders;
  std::vector<TensorView> views;
  for (const Tensor& t : operands) {
    Shape shape = t.shape();
    std::vector<Index> every_other;
    Dims axes;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      shape[k] = 2 * shape[k] + 1;
      every_other.emplace_back(range(1, end, 2));
      axes.push_back(static_cast<std::int64_t>(k));
    }
    holders.push_back(Tensor::zeros(t.dtype(), shape));
    const MutableTensorView part =
        holders.back().mutable_view().view(std::span<const Index>(every_other)).reversed(axes);
    copy_elements(t, part);
    views.push_back(part);
  }
  const EinsumPlan plan = EinsumPlan::prepare(expr, metas(operands));
  return plan.execute(s, std::vector<TensorRead>(views.begin(), views.end()));
}

Tensor filled_result(const EinsumPlan& plan, Scalar value) {
  return Tensor::full(plan.result().shape, value.as(plan.result().dtype));
}

// The old content must not be read: NaN where the dtype has one.
Tensor into(BackendSession& s, const std::string& expr, const Operands& operands) {
  const EinsumPlan plan = EinsumPlan::prepare(expr, metas(operands));
  Tensor out = is_integer(plan.result().dtype) ? filled_result(plan, std::int64_t{77})
                                               : filled_result(plan, std::numeric_limits<double>::quiet_NaN());
  plan.execute_into(s, reads(operands), out);
  return out;
}

// 2·contraction − 1·(contraction) computed by accumulation: exact for whole numbers.
Tensor accumulated(BackendSession& s, const std::string& expr, const Operands& operands) {
  const EinsumPlan plan = EinsumPlan::prepare(expr, metas(operands));
  Tensor out = plan.execute(s, reads(operands));
  const DType dtype = out.dtype();
  plan.execute_into_accum(s, reads(operands), out, Scalar(2.0).as(dtype), Scalar(-1.0).as(dtype));
  return out;
}

template <class T>
Tensor typed_route(BackendSession& s, const std::string& expr, const Operands& operands) {
  std::vector<TypedTensor<T>> typed_operands;
  for (const Tensor& t : operands) typed_operands.emplace_back(t.duplicate());
  std::vector<TensorRead> list(typed_operands.begin(), typed_operands.end());
  return einsum(s, expr, list);
}

Tensor typed_operands(BackendSession& s, const std::string& expr, const Operands& operands) {
  return visit_dtype(operands.at(0).dtype(),
                     [&](auto tag) { return typed_route<typename decltype(tag)::type>(s, expr, operands); });
}

constexpr Route kRoutes[] = {{"one-shot", one_shot}, {"prepared", prepared},       {"views", from_views},
                             {"into", into},         {"accumulated", accumulated}, {"typed", typed_operands}};

// (n + 8) · eps · abs_sum for each entry, n being the product of all label sizes.
Tensor rounding_bounds(const std::string& expanded, const Operands& operands, const Json& abs_sum, DType dtype) {
  std::map<char, std::int64_t> extents;
  std::size_t operand = 0, axis = 0;
  for (const char c : expanded.substr(0, expanded.find("->"))) {
    if (c == ',') {
      ++operand;
      axis = 0;
    } else if (c != ' ') {
      extents[c] = std::max(extents[c], operands.at(operand).shape()[axis++]);
    }
  }
  double n = 1;
  for (const auto& [label, extent] : extents) n *= static_cast<double>(extent);
  const double eps = dtype == DType::f32 || dtype == DType::c32 ? std::numeric_limits<float>::epsilon()
                                                                : std::numeric_limits<double>::epsilon();
  Json sums = abs_sum;
  sums["dtype"] = "float64";
  Tensor bounds = tensor_from(sums);
  for (double& b : bounds.data<double>()) b *= is_integer(dtype) ? 0 : (n + 8) * eps;
  return bounds;
}

// A contraction is linear in each operand.
Difference check_gradients(BackendSession& s, const Json& line, const Operands& operands) {
  if (!line.contains("grads")) return std::nullopt;
  const std::string expr = line.at("expr");
  const Tensor ct = tensor_from(line.at("ct"));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Tensor grad = tensor_from(line.at("grads")[k]);
    const auto contract = [&](const Operands& in) { return one_shot(s, expr, in); };
    if (const Difference off = gradient_difference(contract, operands, k, ct, grad)) return off;
  }
  return std::nullopt;
}

CaseResult run_case(BackendSession& s, const Json& line) {
  const std::string id = line.at("id");
  const bool must_fail = line.value("expect", "") == "error";
  Operands operands;
  for (const Json& operand : line.at("ops")) operands.push_back(tensor_from(operand));
  std::vector<std::string> spellings = {line.at("expr")};
  if (line.contains("expanded")) spellings.push_back(line.at("expanded"));
  for (const std::string& expr : spellings) {
    for (const Route& route : kRoutes) {
      const auto fail = [&](const std::string& text) {
        return CaseResult{id, Outcome::failed, concat(expr, " (", route.name, "): ", text)};
      };
      try {
        const Tensor got = route.run(s, expr, operands);
        if (must_fail) return fail("accepted, but must be refused: " + line.value("why", ""));
        const Tensor want = tensor_from(line.at("out"));
        // 2x − x rounds; accumulation is compared where it is exact.
        const bool exact = !line.contains("abs_sum");
        if (!exact && route.run == accumulated) continue;
        const Difference off =
            exact ? same_values(got, want)
                  : within_bounds(got, want,
                                  rounding_bounds(spellings.back(), operands, line.at("abs_sum"), got.dtype()));
        if (off) return fail(*off);
      } catch (const Error& error) {
        if (!must_fail) return fail(error.what());
      } catch (const std::out_of_range&) {
        if (!must_fail) return fail("no operand");
      }
    }
  }
  if (const Difference off = check_gradients(s, line, operands)) return {id, Outcome::failed, *off};
  return {id, Outcome::passed, ""};
}

}  // namespace

std::vector<CaseResult> run_einsum_line(CpuBackend& cpu, const Json& line) {
  return {cpu.with_session([&](BackendSession& s) { return run_case(s, line); })};
}

}  // namespace tenferro::oracle
