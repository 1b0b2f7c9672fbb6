// SPDX-License-Identifier: MIT OR Apache-2.0
// Tensor operations over whole numbers: equal bit for bit.

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "tenferro/base/text.hpp"
#include "tenferro/ops/arrangement.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/creation.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/indexing.hpp"
#include "tenferro/ops/order.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/scan.hpp"
#include "tenferro/ops/structural.hpp"
#include "tests/oracle_runner/area.hpp"
#include "tests/oracle_runner/compare.hpp"

namespace tenferro::oracle {
namespace {

struct Call {
  BackendSession& s;
  const Json& attrs;
  const std::vector<Tensor>& in;

  Dims dims(const char* key) const {
    Dims list;
    for (const Json& value : attrs.at(key)) list.push_back(value.get<std::int64_t>());
    return list;
  }
  AxisList axis_list(const char* key) const {
    AxisList list;
    for (const Json& value : attrs.at(key)) list.push_back(value.get<std::uint8_t>());
    return list;
  }
  std::int64_t number(const char* key) const { return attrs.at(key).get<std::int64_t>(); }
  bool flag(const char* key) const { return attrs.value(key, false); }
  std::optional<Dims> axes() const {
    if (!attrs.contains("axes") || attrs.at("axes").is_null()) return std::nullopt;
    return dims("axes");
  }
};
using Outputs = std::vector<Tensor>;
using Function = std::function<Outputs(const Call&)>;

Outputs one(Tensor t) {
  Outputs list;
  list.push_back(std::move(t));
  return list;
}

template <class F>
Function binary_call(F f) {
  return [f](const Call& c) { return one(f(c.s, c.in[0], c.in[1])); };
}
template <class F>
Function unary_call(F f) {
  return [f](const Call& c) { return one(f(c.s, c.in[0])); };
}
template <class F>
Function reduction_call(F f) {
  return [f](const Call& c) {
    const auto axes = c.axes();
    return one(f(c.s, c.in[0], axes ? Axes(*axes) : Axes(std::nullopt), c.flag("keepdims")));
  };
}
template <class F>
Function scan_call(F f) {
  return [f](const Call& c) { return one(f(c.s, c.in[0], c.number("axis"), ScanOptions{c.flag("reverse"), false})); };
}

// Our matrices are the first two axes, the oracle's the last two.
template <class F>
Function matrix_call(F f) {
  return [f](const Call& c) {
    const Tensor front = move_axis(c.s, c.in[0], Dims{-2, -1}, Dims{0, 1});
    return one(move_axis(c.s, f(c.s, front, c.number("k")), Dims{0, 1}, Dims{-2, -1}));
  };
}

// The oracle orders the result batch, left free, right free; ours has the batch axes last.
Outputs run_dot_general(const Call& c) {
  const DotGeneralConfig config(c.axis_list("lhs_contract"), c.axis_list("rhs_contract"), c.axis_list("lhs_batch"),
                                c.axis_list("rhs_batch"));
  const Tensor ours = dot_general(c.s, c.in[0], c.in[1], config);
  const std::size_t batch = config.lhs_batch().size();
  Dims perm;
  for (std::size_t k = 0; k < ours.rank(); ++k) {
    perm.push_back(static_cast<std::int64_t>(k < batch ? ours.rank() - batch + k : k - batch));
  }
  return one(transpose(c.s, ours, perm));
}

Outputs run_gather(const Call& c) {
  GatherConfig config;
  config.offset_dims = c.axis_list("offset_dims");
  config.collapsed_slice_dims = c.axis_list("collapsed_slice_dims");
  config.start_index_map = c.axis_list("start_index_map");
  config.index_vector_dim = static_cast<std::uint8_t>(c.number("index_vector_dim"));
  config.slice_sizes = c.dims("slice_sizes");
  config.mode = GatherMode::clamp;
  return one(gather(c.s, c.in[0], c.in[1], config));
}

Outputs run_scatter(const Call& c) {
  static const std::map<std::string, ScatterCombine> combine = {{"add", ScatterCombine::add},
                                                                {"set", ScatterCombine::set},
                                                                {"mul", ScatterCombine::mul},
                                                                {"min", ScatterCombine::min},
                                                                {"max", ScatterCombine::max}};
  ScatterConfig config;
  config.update_window_dims = c.axis_list("update_window_dims");
  config.inserted_window_dims = c.axis_list("inserted_window_dims");
  config.scatter_dims_to_operand_dims = c.axis_list("scatter_dims_to_operand_dims");
  config.index_vector_dim = static_cast<std::uint8_t>(c.number("index_vector_dim"));
  config.combine = combine.at(c.attrs.at("mode"));
  config.mode = ScatterMode::drop;
  return one(scatter(c.s, c.in[0], c.in[1], c.in[2], config));
}

Outputs run_pad(const Call& c) {
  return one(pad(c.s, c.in[0], PadConfig{c.dims("low"), c.dims("high"), c.dims("interior"), c.in[1].item()}));
}

Outputs run_sort(const Call& c) {
  const SortOptions options{c.flag("descending"), c.flag("stable")};
  Outputs outs = one(sort(c.s, c.in[0], c.number("axis"), options));
  outs.push_back(argsort(c.s, c.in[0], c.number("axis"), options));
  return outs;
}

const std::map<std::string, Function>& functions() {
#define UNARY(name) unary_call([](auto&... a) { return name(a...); })
#define BINARY(name) binary_call([](auto&... a) { return name(a...); })
#define REDUCTION(name) \
  reduction_call([](auto& s, auto& x, const Axes& axes, bool keep) { return name(s, x, axes, keep); })
#define SCAN(name) scan_call([](auto& s, auto& x, std::int64_t axis, ScanOptions o) { return name(s, x, axis, o); })
  static const std::map<std::string, Function> all = {
      {"add", BINARY(add)},
      {"sub", BINARY(sub)},
      {"mul", BINARY(mul)},
      {"div", BINARY(div)},
      {"pow", BINARY(pow)},
      {"maximum", BINARY(maximum)},
      {"minimum", BINARY(minimum)},
      {"fmod", BINARY(rem)},
      {"floor_mod", BINARY(floor_mod)},
      {"eq", BINARY(eq)},
      {"ne", BINARY(ne)},
      {"lt", BINARY(lt)},
      {"le", BINARY(le)},
      {"gt", BINARY(gt)},
      {"ge", BINARY(ge)},
      {"complex", BINARY(make_complex)},
      {"conj", UNARY(conj)},
      {"real", UNARY(real)},
      {"imag", UNARY(imag)},
      {"where", [](const Call& c) { return one(where_select(c.s, c.in[0], c.in[1], c.in[2])); }},
      {"clamp", [](const Call& c) { return one(clamp(c.s, c.in[0], c.in[1], c.in[2])); }},
      {"reduce_sum", REDUCTION(reduce_sum)},
      {"reduce_prod", REDUCTION(reduce_prod)},
      {"reduce_max", REDUCTION(reduce_max)},
      {"reduce_min", REDUCTION(reduce_min)},
      {"reduce_mean", REDUCTION(reduce_mean)},
      {"reduce_and", REDUCTION(reduce_all)},
      {"reduce_or", REDUCTION(reduce_any)},
      {"argmax", [](const Call& c) { return one(argmax(c.s, c.in[0], c.number("axis"))); }},
      {"argmin", [](const Call& c) { return one(argmin(c.s, c.in[0], c.number("axis"))); }},
      {"cumsum", SCAN(cumsum)},
      {"cumprod", SCAN(cumprod)},
      {"cummax", SCAN(cummax)},
      {"cummin", SCAN(cummin)},
      {"transpose", [](const Call& c) { return one(transpose(c.s, c.in[0], c.dims("perm"))); }},
      {"reshape", [](const Call& c) { return one(reshape(c.s, c.in[0], c.dims("shape"))); }},
      {"broadcast_in_dim",
       [](const Call& c) { return one(broadcast_in_dim(c.s, c.in[0], c.dims("shape"), c.dims("dims"))); }},
      {"slice",
       [](const Call& c) { return one(slice(c.s, c.in[0], c.dims("start"), c.dims("limit"), c.dims("stride"))); }},
      {"dynamic_slice", [](const Call& c) { return one(dynamic_slice(c.s, c.in[0], c.in[1], c.dims("sizes"))); }},
      {"dynamic_update_slice", [](const Call& c) { return one(dynamic_update_slice(c.s, c.in[0], c.in[1], c.in[2])); }},
      {"pad", run_pad},
      {"concatenate", [](const Call& c) { return one(concatenate(c.s, c.in, c.number("axis"))); }},
      {"stack", [](const Call& c) { return one(stack(c.s, c.in, c.number("axis"))); }},
      {"reverse", [](const Call& c) { return one(reverse(c.s, c.in[0], c.dims("axes"))); }},
      {"tril", matrix_call([](auto& s, auto& x, std::int64_t k) { return tril(s, x, k); })},
      {"triu", matrix_call([](auto& s, auto& x, std::int64_t k) { return triu(s, x, k); })},
      {"diag_embed", [](const Call& c) { return one(embed_diag(c.s, c.in[0], c.number("k"), -2, -1)); }},
      {"diagonal", [](const Call& c) { return one(extract_diag(c.s, c.in[0], c.number("k"), -2, -1)); }},
      {"iota",
       [](const Call& c) {
         return one(iota(c.s, c.dims("shape"), c.number("axis"), dtype_from(c.attrs.at("dtype"))));
       }},
      {"index_select", [](const Call& c) { return one(index_select(c.s, c.in[0], c.number("axis"), c.in[1])); }},
      {"take_along_axis", [](const Call& c) { return one(take_along_axis(c.s, c.in[0], c.in[1], c.number("axis"))); }},
      {"sort", run_sort},
      {"roll", [](const Call& c) { return one(roll(c.s, c.in[0], c.number("shift"), c.number("axis"))); }},
      {"tile", [](const Call& c) { return one(tile(c.s, c.in[0], c.dims("reps"))); }},
      {"gather", run_gather},
      {"scatter", run_scatter},
      {"convert", [](const Call& c) { return one(cast(c.s, c.in[0], dtype_from(c.attrs.at("to")))); }},
      {"dot_general", run_dot_general},
  };
#undef UNARY
#undef BINARY
#undef REDUCTION
#undef SCAN
  return all;
}

// A vector of n equal values: the relative error of its sum stays below log2(n) eps.
CaseResult run_long_sum(BackendSession& s, const std::string& id, const Json& line) {
  const auto n = tensor_from(line.at("ins")[0]).item().get<std::int64_t>();
  const double value = std::strtod(line.at("attrs").at("value").get_ref<const std::string&>().c_str(), nullptr);
  const DType dtype = dtype_from(line.at("attrs").at("dtype"));
  const double want = tensor_from(line.at("outs")[0]).item().to<double>();
  const Tensor x = Tensor::full({n}, Scalar(value).as(dtype));
  const auto got = reduce_sum(s, x).item().to<double>();
  const double eps =
      dtype == DType::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  if (std::abs(got - want) <= std::log2(static_cast<double>(n)) * eps * std::abs(want))
    return {id, Outcome::passed, ""};
  return {id, Outcome::failed, concat("got ", got, ", wanted ", want)};
}

// The sign of a zero in a complex quotient depends on the formula, and where libraries differ values alone are
// compared.
CaseResult compare(const std::string& id, const Outputs& got, const Json& line) {
  const Json& want = line.at("outs");
  const bool by_value = line.value("policy", false) || (line.at("op") == "div" && is_complex(got.at(0).dtype()));
  if (got.size() != want.size()) return {id, Outcome::failed, concat("got ", got.size(), " results")};
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Tensor reference = tensor_from(want[i]);
    if (const Difference off = by_value ? same_values(got[i], reference) : same_bits(got[i], reference)) {
      return {id, Outcome::failed, concat("result ", i, ": ", *off)};
    }
  }
  return {id, Outcome::passed, ""};
}

// Operations that are affine in every operand that has a gradient.
bool is_affine(const std::string& op) {
  static const std::set<std::string> curved = {"div",         "pow",        "maximum",    "minimum",  "clamp",
                                               "reduce_prod", "reduce_max", "reduce_min", "cumprod",  "cummax",
                                               "cummin",      "sort",       "fmod",       "floor_mod"};
  return curved.count(op) == 0;
}

// Gradients that forward calls can check; the others wait for differentiation.
Difference check_gradients(BackendSession& s, const Json& line, const Json& attrs, const Function& function,
                           const std::vector<Tensor>& in) {
  if (!line.contains("grads") || line.at("ct").size() != 1 || !is_affine(line.at("op"))) return std::nullopt;
  const Tensor ct = tensor_from(line.at("ct")[0]);
  const auto first_result = [&](const std::vector<Tensor>& operands) {
    return std::move(function(Call{s, attrs, operands}).at(0));
  };
  for (const auto& [number, grad] : line.at("grads").items()) {
    const Difference off = gradient_difference(first_result, in, std::stoul(number), ct, tensor_from(grad));
    if (off) return off;
  }
  return std::nullopt;
}

CaseResult run_case(BackendSession& s, const Json& line) {
  const std::string id = line.at("id"), op = line.at("op");
  const bool must_fail = line.value("expect", "") == "error";
  const Json attrs = line.value("attrs", Json::object());
  if (op == "long_sum") return run_long_sum(s, id, line);
  const auto function = functions().find(op);
  if (function == functions().end()) return {id, Outcome::unsupported, op};
  if (op == "reshape" && attrs.value("order", "") == "row_major" && !must_fail) {
    return {id, Outcome::skipped, "reshape is column-major here"};
  }
  std::vector<Tensor> in;
  for (const Json& operand : line.at("ins")) in.push_back(tensor_from(operand));
  try {
    const Outputs got = function->second(Call{s, attrs, in});
    if (must_fail) return {id, Outcome::failed, "accepted, but must be refused: " + line.value("why", "")};
    const CaseResult forward = compare(id, got, line);
    if (forward.outcome != Outcome::passed) return forward;
    if (const Difference off = check_gradients(s, line, attrs, function->second, in))
      return {id, Outcome::failed, *off};
    return forward;
  } catch (const Error& error) {
    if (must_fail) return {id, Outcome::passed, ""};
    return {id, Outcome::failed, error.what()};
  }
}

}  // namespace

std::vector<CaseResult> run_tensor_line(CpuBackend& cpu, const Json& line) {
  return {cpu.with_session([&](BackendSession& s) { return run_case(s, line); })};
}

}  // namespace tenferro::oracle
