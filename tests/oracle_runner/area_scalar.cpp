// SPDX-License-Identifier: MIT OR Apache-2.0
// Scalar functions: one line a function and dtype, one case a point.

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "tenferro/base/text.hpp"
#include "tenferro/ops/composites.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tests/oracle_runner/area.hpp"
#include "tests/oracle_runner/compare.hpp"

namespace tenferro::oracle {
namespace {

using Call = std::function<Tensor(BackendSession&, const Tensor&, const Tensor&)>;

const std::map<std::string, Call>& calls() {
  static const std::map<std::string, Call> all = {
#define TENFERRO_UNARY(name, ...) {#name, [](BackendSession& s, const Tensor& x, const Tensor&) { return name(s, x); }},
#define TENFERRO_BINARY(name, ...) \
  {#name, [](BackendSession& s, const Tensor& x, const Tensor& y) { return name(s, x, y); }},
#include "tenferro/ops/core_ops.def"
      {"sigmoid", [](BackendSession& s, const Tensor& x, const Tensor&) { return sigmoid(s, x); }},
  };
  return all;
}

// The oracle's names where they differ from ours.
std::string row_name(const std::string& fn) {
  static const std::map<std::string, std::string> ours = {
      {"round_half_even", "round"}, {"fmod", "rem"}, {"angle", "arg"}};
  const auto found = ours.find(fn);
  return found == ours.end() ? fn : found->second;
}

// Allowed error in units in the last place, by the oracle's rules for functions that the C library computes.
double allowed_ulps(const std::string& fn) {
  static const std::map<std::string, double> special = {{"neg", 0},
                                                        {"abs", 0},
                                                        {"sign", 0},
                                                        {"floor", 0},
                                                        {"ceil", 0},
                                                        {"trunc", 0},
                                                        {"round_half_even", 0},
                                                        {"maximum", 0},
                                                        {"minimum", 0},
                                                        {"add", 0.5},
                                                        {"sub", 0.5},
                                                        {"mul", 0.5},
                                                        {"div", 0.5},
                                                        {"sqrt", 0.5},
                                                        {"reciprocal", 0.5},
                                                        {"square", 0.5},
                                                        {"pow", 4},
                                                        {"tan", 4},
                                                        {"erfc", 4},
                                                        {"sigmoid", 4},
                                                        {"cbrt", 4},
                                                        {"tanh", 3}};
  const auto found = special.find(fn);
  return found == special.end() ? 2 : found->second;
}

bool zero_sign_is_free(const std::string& fn) {
  return fn == "sign" || fn == "fmod" || fn == "floor_mod" || fn == "maximum" || fn == "minimum";
}

template <class T>
Difference compare_real(const std::string& fn, const std::string& cls, T got, T want) {
  const double off = ulps_between(got, want);
  // Below the smallest normal number erfc may be off by that number's own unit.
  const bool tail = fn == "erfc" && cls == "subnormal_out" &&
                    std::abs(got - want) <= std::numeric_limits<T>::min() * std::numeric_limits<T>::epsilon();
  const bool sign = want != 0 || zero_sign_is_free(fn) || std::signbit(got) == std::signbit(want);
  if ((off <= allowed_ulps(fn) || tail) && sign) return std::nullopt;
  return concat("got ", static_cast<double>(got), ", wanted ", static_cast<double>(want), " (", off, " ulp)");
}

template <class T>
bool same_special(T got, T want) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  return std::isfinite(got);
}

template <class T>
Difference compare_complex(const std::string& fn, const std::string& cls, std::complex<T> got, std::complex<T> want) {
  const auto fail = [&]() -> Difference {
    return concat("got ", to_text(Scalar(got)), ", wanted ", to_text(Scalar(want)));
  };
  if (cls == "cut" && (std::signbit(got.real()) != std::signbit(want.real()) ||
                       std::signbit(got.imag()) != std::signbit(want.imag()))) {
    return fail();
  }
  if (!std::isfinite(want.real()) || !std::isfinite(want.imag())) {
    return same_special(got.real(), want.real()) && same_special(got.imag(), want.imag()) ? std::nullopt : fail();
  }
  // In long double, so that neither the difference nor the size overflows.
  using Wide = long double;
  const Wide off = std::hypot(Wide(got.real()) - want.real(), Wide(got.imag()) - want.imag());
  const Wide size = std::hypot(Wide(want.real()), Wide(want.imag()));
  const Wide eps = std::numeric_limits<T>::epsilon();
  const Wide bound = (fn == "pow" ? 16 : 8) * eps * size + std::numeric_limits<T>::denorm_min();
  return off <= bound ? std::nullopt : fail();
}

template <class T>
Difference compare_point(const std::string& fn, const std::string& cls, const Tensor& got, const Tensor& want,
                         std::size_t i, bool complex_input) {
  const T g = got.data<T>()[i], w = want.data<T>()[i];
  if constexpr (is_complex(dtype_of<T>)) {
    return compare_complex(fn, cls, g, w);
  } else if (complex_input) {
    return compare_complex(fn, cls, std::complex<T>(g), std::complex<T>(w));
  } else {
    return compare_real(fn, cls, g, w);
  }
}

}  // namespace

std::vector<CaseResult> run_scalar_line(CpuBackend& cpu, const Json& line) {
  const std::string fn = line.at("fn");
  const auto points = line.at("n").get<std::size_t>();
  const std::string base = line.value("id", fn + "/" + line.at("dtype").get<std::string>());
  std::vector<CaseResult> results(points);
  const auto all = [&](Outcome outcome, const std::string& text) {
    for (std::size_t i = 0; i < points; ++i) results[i] = {concat(base, '[', i, ']'), outcome, text};
  };
  if (line.contains("d1")) {
    all(Outcome::skipped, "needs derivatives");
    return results;
  }
  const auto call = calls().find(row_name(fn));
  if (call == calls().end()) {
    all(Outcome::unsupported, fn);
    return results;
  }
  const DType dtype = dtype_from(line.at("dtype"));
  const Tensor x = column_from(line.at("x"), dtype);
  const Tensor y = line.contains("x2") ? column_from(line.at("x2"), dtype) : Tensor();
  const bool real_result = is_complex(dtype) && !line.at("y").empty() && !line.at("y")[0].is_array();
  const Tensor want = column_from(line.at("y"), real_result ? real_part(dtype) : dtype);
  const Tensor got = cpu.with_session([&](BackendSession& s) { return call->second(s, x, y); });
  if (got.dtype() != want.dtype() || got.count() != want.count()) {
    all(Outcome::failed, concat("got ", name(got.dtype()), " × ", got.count(), ", wanted ", name(want.dtype())));
    return results;
  }
  for (std::size_t i = 0; i < points; ++i) {
    const std::string cls = line.at("cls")[i];
    const Difference off = visit_dtype(got.dtype(), [&](auto tag) -> Difference {
      using T = typename decltype(tag)::type;
      if constexpr (is_float(dtype_of<T>) || is_complex(dtype_of<T>)) {
        return compare_point<T>(fn, cls, got, want, i, is_complex(dtype));
      } else {
        return "not a floating-point result";
      }
    });
    results[i] = {concat(base, '[', i, "] (", cls, ')'), off ? Outcome::failed : Outcome::passed, off.value_or("")};
  }
  return results;
}

}  // namespace tenferro::oracle
