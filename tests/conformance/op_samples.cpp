// SPDX-License-Identifier: MIT OR Apache-2.0
// The table. Formulas use the standard library in long double, never the library's own scalar functions.
#include "tests/conformance/op_samples.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "tests/conformance/oracles.hpp"
#include "tests/conformance/payload_calls.hpp"

namespace tenferro::testing {
namespace {

using Edges = Domain::Edges;
constexpr Domain kAnywhere{-8, 8, Edges::all};
constexpr Domain kEverywhere{-8, 8, Edges::all, false, Edges::all};  // complex numbers with extreme parts too
// Complex numbers up to the largest; what a formula makes of one infinite or NaN part beside any other is not promised.
constexpr Domain kLarge{-8, 8, Edges::all, false, Edges::finite};
constexpr Domain kNear{-2, 2, Edges::all, false, Edges::all};
constexpr Domain kPlain{-8, 8};
constexpr Tolerance kExact{};

constexpr std::uint64_t bits(Whole x) { return static_cast<std::uint64_t>(x); }
constexpr Whole wrapped(std::uint64_t x) { return static_cast<Whole>(x); }
constexpr Whole kMin = std::numeric_limits<Whole>::min();

Whole power(Whole base, Whole exponent) {
  std::uint64_t result = 1;
  for (Whole i = 0; i < exponent; ++i) result *= bits(base);
  return wrapped(result);
}
Whole floor_mod(Whole a, Whole b) {
  if (b == -1) return 0;
  const Whole r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
Real floor_mod(Real a, Real b) {
  const Real r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
template <class T>
T larger(T a, T b) {
  return a != a ? a : b != b ? b : a < b ? b : a;
}
template <class T>
T smaller(T a, T b) {
  return a != a ? a : b != b ? b : b < a ? b : a;
}
Whole popcount(Whole x) {
  // Cut to the width by hand: the formula sees a narrow negative number sign-extended.
  const bool narrow = x >= std::numeric_limits<std::int32_t>::min() && x < 0;
  return narrow ? std::popcount(static_cast<std::uint32_t>(x)) : std::popcount(bits(x));
}

// How many operands of which classes a row admits; each takes the formula as a generic lambda, or one per class.
using R = Real;
using C = Complex;
using W = Whole;
template <class F>
constexpr OpSample flt(F f, Domain d, Tolerance t = {2}) {
  return {{.real1 = f}, ElementResult::same, {d}, nullptr, nullptr, nullptr, t};
}
template <class F>
constexpr OpSample inx(F f, Domain d, Tolerance t = {4}) {
  return {{.real1 = f, .complex1 = f}, ElementResult::same, {d}, nullptr, nullptr, nullptr, t};
}
template <class F, class G>
constexpr OpSample num(F f, G whole, Domain d, Tolerance t = kExact, ElementResult result = ElementResult::same) {
  return {{.real1 = f, .complex1 = f, .whole1 = whole}, result, {d}, nullptr, nullptr, nullptr, t};
}
template <class F>
constexpr OpSample whole(F f, Domain d, ElementResult result = ElementResult::same) {
  return {{.whole1 = f}, result, {d}};
}
template <class F>
constexpr OpSample flt2(F f, Domain a, Domain b, Tolerance t = {2}) {
  return {{.real2 = f}, ElementResult::same, {a, b}, nullptr, nullptr, nullptr, t};
}
template <class F, class G>
constexpr OpSample real2(F f, G whole, Domain a, Domain b, Tolerance t = kExact) {
  return {{.real2 = f, .whole2 = whole}, ElementResult::same, {a, b}, nullptr, nullptr, nullptr, t};
}
template <class F, class G>
constexpr OpSample num2(F f, G whole, Domain a, Domain b, Tolerance t = {1}) {
  return {{.real2 = f, .complex2 = f, .whole2 = whole}, ElementResult::same, {a, b}, nullptr, nullptr, nullptr, t};
}
template <class F>
constexpr OpSample whole2(F f, Domain a, Domain b, ElementResult result = ElementResult::same) {
  return {{.whole2 = f}, result, {a, b}};
}
template <class F>
constexpr OpSample compare(F f) {  // ordered dtypes
  return {{.real2 = f, .whole2 = f}, ElementResult::boolean, {Domain{-2, 2, Edges::all}, Domain{-2, 2, Edges::all}}};
}

constexpr OpSample other(Calls (*calls)(DType), Calls (*large)(DType),
                         std::vector<Array> (*oracle)(const Op&, const std::vector<Array>&), Tolerance t = kExact) {
  OpSample sample;
  sample.calls = calls;
  sample.large = large;
  sample.oracle = oracle;
  sample.tolerance = t;
  return sample;
}

constexpr OpTable<OpSample> kSamples{
    // Element by element, one operand.
    {OpKind::neg, num([](auto x) { return -x; }, [](W x) { return wrapped(0 - bits(x)); }, kEverywhere)},
    {OpKind::abs,
     num([](auto x) -> decltype(x) { return std::abs(x); }, [](W x) { return x < 0 ? wrapped(0 - bits(x)) : x; },
         kEverywhere, {2}, ElementResult::real_part)},
    {OpKind::sign, num([](auto x) { return x == decltype(x)(0) ? x : x / std::abs(x); },
                       [](W x) { return W{x > 0} - W{x < 0}; }, {-8, 8, Edges::finite}, {2})},
    {OpKind::square, num([](auto x) { return x * x; }, [](W x) { return wrapped(bits(x) * bits(x)); }, kAnywhere, {2})},
    {OpKind::conj,
     {{.real1 = [](R x) { return x; }, .complex1 = [](C x) { return std::conj(x); }, .whole1 = [](W x) { return x; }},
      ElementResult::same,
      {kEverywhere}}},
    {OpKind::real, num([](auto x) -> decltype(x) { return std::real(x); }, [](W x) { return x; }, kEverywhere, kExact,
                       ElementResult::real_part)},
    {OpKind::imag, num([](auto x) -> decltype(x) { return std::imag(x); }, [](W) { return W{0}; }, kEverywhere, kExact,
                       ElementResult::real_part)},
    {OpKind::arg,
     {{.real1 = [](R x) { return std::arg(x); }, .complex1 = [](C x) { return C(std::arg(x)); }},
      ElementResult::real_part,
      {Domain{-8, 8, Edges::units}},
      nullptr,
      nullptr,
      nullptr,
      {2}}},
    {OpKind::exp, inx([](auto x) { return std::exp(x); }, kEverywhere)},
    {OpKind::exp2, inx([](auto x) { return std::pow(decltype(x)(2), x); }, kAnywhere)},
    {OpKind::expm1,
     {{.real1 = [](R x) { return std::expm1(x); }, .complex1 = [](C x) { return std::exp(x) - R(1); }},
      ElementResult::same,
      {kAnywhere},
      nullptr,
      nullptr,
      nullptr,
      {4}}},
    {OpKind::log, inx([](auto x) { return std::log(x); }, {0, 8, Edges::all, false, Edges::all})},
    {OpKind::log2, inx([](auto x) { return std::log(x) / std::log(R(2)); }, {0, 8, Edges::all})},
    {OpKind::log10, inx([](auto x) { return std::log10(x); }, {0, 8, Edges::all})},
    {OpKind::log1p,
     {{.real1 = [](R x) { return std::log1p(x); }, .complex1 = [](C x) { return std::log(R(1) + x); }},
      ElementResult::same,
      {Domain{-0.99L, 8, Edges::all}},
      nullptr,
      nullptr,
      nullptr,
      {4}}},
    {OpKind::sqrt, inx([](auto x) { return std::sqrt(x); }, {0, 8, Edges::all, false, Edges::all})},
    {OpKind::rsqrt, inx([](auto x) { return R(1) / std::sqrt(x); }, {0.1L, 8, Edges::none})},
    {OpKind::reciprocal, inx([](auto x) { return R(1) / x; }, {0.1L, 8, Edges::none})},
    {OpKind::sin, inx([](auto x) { return std::sin(x); }, kLarge)},
    {OpKind::cos, inx([](auto x) { return std::cos(x); }, kLarge)},
    {OpKind::tan, inx([](auto x) { return std::tan(x); }, kLarge)},
    {OpKind::asin, inx([](auto x) { return std::asin(x); }, {-1, 1, Edges::all})},
    {OpKind::acos, inx([](auto x) { return std::acos(x); }, {-1, 1, Edges::all})},
    {OpKind::atan, inx([](auto x) { return std::atan(x); }, kLarge)},
    {OpKind::sinh, inx([](auto x) { return std::sinh(x); }, kLarge)},
    {OpKind::cosh, inx([](auto x) { return std::cosh(x); }, kLarge)},
    {OpKind::tanh, inx([](auto x) { return std::tanh(x); }, kLarge)},
    {OpKind::asinh, inx([](auto x) { return std::asinh(x); }, kEverywhere)},
    {OpKind::acosh, inx([](auto x) { return std::acosh(x); }, {1, 8, Edges::all})},
    {OpKind::atanh, inx([](auto x) { return std::atanh(x); }, {-0.9L, 0.9L, Edges::all})},
    {OpKind::cbrt, flt([](R x) { return std::cbrt(x); }, kAnywhere, {4})},
    {OpKind::erf, flt([](R x) { return std::erf(x); }, {-4, 4, Edges::all})},
    {OpKind::erfc, flt([](R x) { return std::erfc(x); }, {-4, 4, Edges::all}, {4})},
    {OpKind::erfinv, flt(inverse_erf, {-0.999L, 0.999L, Edges::units}, {4})},
    {OpKind::lgamma, flt([](R x) { return std::lgamma(x); }, {0.1L, 30, Edges::units}, {4, 1})},
    {OpKind::digamma, flt(digamma, {0.1L, 30}, {4, 1})},
    {OpKind::floor, flt([](R x) { return std::floor(x); }, kAnywhere, kExact)},
    {OpKind::ceil, flt([](R x) { return std::ceil(x); }, kAnywhere, kExact)},
    {OpKind::round, flt([](R x) { return std::nearbyint(x); }, kAnywhere, kExact)},
    {OpKind::trunc, flt([](R x) { return std::trunc(x); }, kAnywhere, kExact)},
    {OpKind::is_nan,
     {{.real1 = [](R x) { return R(std::isnan(x)); },
       .complex1 = [](C x) { return C(std::isnan(x.real()) || std::isnan(x.imag())); }},
      ElementResult::boolean,
      {kEverywhere}}},
    {OpKind::is_inf,
     {{.real1 = [](R x) { return R(std::isinf(x)); },
       .complex1 = [](C x) { return C(std::isinf(x.real()) || std::isinf(x.imag())); }},
      ElementResult::boolean,
      {kEverywhere}}},
    {OpKind::is_finite,
     {{.real1 = [](R x) { return R(std::isfinite(x)); },
       .complex1 = [](C x) { return C(std::isfinite(x.real()) && std::isfinite(x.imag())); }},
      ElementResult::boolean,
      {kEverywhere}}},
    {OpKind::logical_not, whole([](W x) { return W{x == 0}; }, {}, ElementResult::boolean)},
    {OpKind::bit_not, whole([](W x) { return ~x; }, {-100, 100, Edges::all})},
    {OpKind::popcount, whole([](W x) { return popcount(x); }, {0, 100, Edges::none})},

    // Element by element, two operands.
    {OpKind::add, num2([](auto a, auto b) { return a + b; }, [](W a, W b) { return wrapped(bits(a) + bits(b)); },
                       kEverywhere, kEverywhere)},
    {OpKind::sub, num2([](auto a, auto b) { return a - b; }, [](W a, W b) { return wrapped(bits(a) - bits(b)); },
                       kEverywhere, kEverywhere)},
    {OpKind::mul, num2([](auto a, auto b) { return a * b; }, [](W a, W b) { return wrapped(bits(a) * bits(b)); },
                       kAnywhere, kAnywhere, {2})},
    {OpKind::div,
     num2([](auto a, auto b) { return a / b; }, [](W a, W b) { return b == -1 ? wrapped(0 - bits(a)) : a / b; }, kPlain,
          {0.1L, 8, Edges::none, true}, {4})},
    {OpKind::pow, num2([](auto a, auto b) { return std::pow(a, b); }, power, {0.1L, 8}, {0, 5}, {16})},
    {OpKind::rem, real2([](R a, R b) { return std::fmod(a, b); }, [](W a, W b) { return b == -1 ? W{0} : a % b; },
                        kAnywhere, {-8, 8, Edges::all, true})},
    {OpKind::floor_mod, real2([](R a, R b) { return floor_mod(a, b); }, [](W a, W b) { return floor_mod(a, b); },
                              {-8, 8, Edges::units}, {-8, 8, Edges::units, true}, {1})},
    {OpKind::maximum, real2(larger<R>, larger<W>, kAnywhere, kAnywhere)},
    {OpKind::minimum, real2(smaller<R>, smaller<W>, kAnywhere, kAnywhere)},
    {OpKind::atan2, flt2([](R a, R b) { return std::atan2(a, b); }, kAnywhere, kAnywhere)},
    {OpKind::hypot, flt2([](R a, R b) { return std::hypot(a, b); }, kAnywhere, kAnywhere)},
    {OpKind::copysign, flt2([](R a, R b) { return std::copysign(a, b); }, kAnywhere, {-8, 8, Edges::finite}, kExact)},
    {OpKind::make_complex,
     {{.complex2 = [](C a, C b) { return C(a.real(), b.real()); }},
      ElementResult::joined,
      {Domain{-8, 8, Edges::all}, Domain{-8, 8, Edges::all}}}},
    {OpKind::eq,
     {{.real2 = [](R a, R b) { return R(a == b); },
       .complex2 = [](C a, C b) { return C(a == b); },
       .whole2 = [](W a, W b) { return W{a == b}; }},
      ElementResult::boolean,
      {kNear, kNear}}},
    {OpKind::ne,
     {{.real2 = [](R a, R b) { return R(a != b); },
       .complex2 = [](C a, C b) { return C(a != b); },
       .whole2 = [](W a, W b) { return W{a != b}; }},
      ElementResult::boolean,
      {kNear, kNear}}},
    {OpKind::lt, compare([](auto a, auto b) { return decltype(a)(a < b); })},
    {OpKind::le, compare([](auto a, auto b) { return decltype(a)(a <= b); })},
    {OpKind::gt, compare([](auto a, auto b) { return decltype(a)(a > b); })},
    {OpKind::ge, compare([](auto a, auto b) { return decltype(a)(a >= b); })},
    {OpKind::logical_and, whole2([](W a, W b) { return a & b; }, {}, {}, ElementResult::boolean)},
    {OpKind::logical_or, whole2([](W a, W b) { return a | b; }, {}, {}, ElementResult::boolean)},
    {OpKind::logical_xor, whole2([](W a, W b) { return a ^ b; }, {}, {}, ElementResult::boolean)},
    {OpKind::bit_and, whole2([](W a, W b) { return a & b; }, {-100, 100, Edges::all}, {-100, 100, Edges::all})},
    {OpKind::bit_or, whole2([](W a, W b) { return a | b; }, {-100, 100, Edges::all}, {-100, 100, Edges::all})},
    {OpKind::bit_xor, whole2([](W a, W b) { return a ^ b; }, {-100, 100, Edges::all}, {-100, 100, Edges::all})},
    {OpKind::shift_left, whole2([](W a, W b) { return wrapped(bits(a) << b); }, {-100, 100, Edges::all}, {0, 31})},
    {OpKind::shift_right, whole2([](W a, W b) { return a >> b; }, {-100, 100, Edges::all}, {0, 31})},

    // Element by element, three operands.
    {OpKind::select,
     {{.real3 = [](R m, R b, R c) { return m != 0 ? b : c; },
       .complex3 = [](C m, C b, C c) { return m != C(0) ? b : c; },
       .whole3 = [](W m, W b, W c) { return m != 0 ? b : c; }},
      ElementResult::same,
      {kPlain, kEverywhere, kEverywhere}}},
    {OpKind::clamp,
     {{.real3 = [](R x, R low, R high) { return smaller(larger(x, low), high); },
       .whole3 = [](W x, W low, W high) { return smaller(larger(x, low), high); }},
      ElementResult::same,
      {kAnywhere, Domain{-6, 1, Edges::all}, Domain{-1, 6, Edges::all}}}},
    {OpKind::fma,
     {{.real3 = [](R a, R b, R c) { return std::fma(a, b, c); }, .complex3 = [](C a, C b, C c) { return a * b + c; }},
      ElementResult::same,
      {kPlain, kPlain, kPlain},
      nullptr,
      nullptr,
      nullptr,
      {2, 8}}},

    // Reductions, scans, order.
    {OpKind::reduce_sum,
     other(reduction_calls<OpKind::reduce_sum>, large_reductions<OpKind::reduce_sum>, reduced, {8})},
    {OpKind::reduce_prod,
     other(reduction_calls<OpKind::reduce_prod>, large_reductions<OpKind::reduce_prod>, reduced, {64})},
    {OpKind::reduce_max, other(reduction_calls<OpKind::reduce_max>, large_reductions<OpKind::reduce_max>, reduced)},
    {OpKind::reduce_min, other(reduction_calls<OpKind::reduce_min>, large_reductions<OpKind::reduce_min>, reduced)},
    {OpKind::reduce_sum_squares,
     other(reduction_calls<OpKind::reduce_sum_squares>, large_reductions<OpKind::reduce_sum_squares>, reduced, {8})},
    {OpKind::reduce_any, other(reduction_calls<OpKind::reduce_any>, large_reductions<OpKind::reduce_any>, reduced)},
    {OpKind::reduce_all, other(reduction_calls<OpKind::reduce_all>, large_reductions<OpKind::reduce_all>, reduced)},
    {OpKind::argmax, other(arg_reduction_calls<OpKind::argmax>, large_arg_reductions<OpKind::argmax>, arg_reduced)},
    {OpKind::argmin, other(arg_reduction_calls<OpKind::argmin>, large_arg_reductions<OpKind::argmin>, arg_reduced)},
    {OpKind::cumsum, other(scan_calls<OpKind::cumsum>, large_scans<OpKind::cumsum>, scanned, {16})},
    {OpKind::cumprod, other(scan_calls<OpKind::cumprod>, large_scans<OpKind::cumprod>, scanned, {64})},
    {OpKind::cummax, other(scan_calls<OpKind::cummax>, large_scans<OpKind::cummax>, scanned)},
    {OpKind::cummin, other(scan_calls<OpKind::cummin>, large_scans<OpKind::cummin>, scanned)},
    {OpKind::cumlogsumexp,
     other(scan_calls<OpKind::cumlogsumexp>, large_scans<OpKind::cumlogsumexp>, scanned, {16, 8})},
    {OpKind::sort, other(sort_calls<OpKind::sort>, large_sorts<OpKind::sort>, sorted)},
    {OpKind::argsort, other(sort_calls<OpKind::argsort>, large_sorts<OpKind::argsort>, sorted)},
    {OpKind::top_k, other(top_k_calls, large_top_k, sorted)},

    // Contraction.
    {OpKind::dot_general, other(dot_general_calls, large_dot_general, contracted, {16})},

    // Structure.
    {OpKind::transpose, other(transpose_calls, large_transposes, transposed)},
    {OpKind::reshape, other(reshape_calls, large_reshapes, reshaped)},
    {OpKind::broadcast_in_dim, other(broadcast_calls, large_broadcasts, broadcast)},
    {OpKind::convert, other(convert_calls, large_converts, converted)},
    {OpKind::extract_diag, other(extract_diag_calls, large_extract_diags, diagonal_extracted)},
    {OpKind::embed_diag, other(embed_diag_calls, large_embed_diags, diagonal_embedded)},
    {OpKind::tril, other(triangle_calls<OpKind::tril>, large_triangles<OpKind::tril>, triangle)},
    {OpKind::triu, other(triangle_calls<OpKind::triu>, large_triangles<OpKind::triu>, triangle)},
    {OpKind::reverse, other(reverse_calls, large_reverses, backwards)},
    {OpKind::concatenate, other(concatenate_calls, large_concatenates, joined)},
    {OpKind::pad, other(pad_calls, large_pads, padded)},
    {OpKind::slice, other(slice_calls, large_slices, sliced)},

    // Indexing, sizes at run time, creation, random numbers.
    {OpKind::gather, other(gather_calls, large_gathers, gathered)},
    {OpKind::scatter, other(scatter_calls, large_scatters, scattered, {4, 64})},
    {OpKind::dynamic_slice, other(dynamic_slice_calls, large_dynamic_slices, sliced_at)},
    {OpKind::dynamic_update_slice, other(dynamic_update_calls, large_dynamic_updates, updated_at)},
    {OpKind::gather_dynamic_slice_sizes, other(gather_dynamic_calls, large_gathers_dynamic, gathered)},
    {OpKind::shape_of, other(shape_of_calls, large_shape_of, shape_of)},
    {OpKind::dynamic_truncate, other(truncate_calls, large_truncates, truncated)},
    {OpKind::pad_to_match, other(pad_to_match_calls, large_pads_to_match, padded_to_match)},
    {OpKind::constant, other(constant_calls, large_constants, created)},
    {OpKind::iota, other(iota_calls, large_iotas, created)},
    {OpKind::random_bits, other(random_bits_calls, large_random_bits, philox_bits)},
};
TENFERRO_COVERS_ALL_OPS(kSamples);

/// Cells of the operands at one position as T.
template <class T>
T value_of(const Array& array, std::size_t i) {
  const Cell& cell = array.cells[i];
  if constexpr (std::is_same_v<T, Whole>) {
    return cell.n;
  } else if constexpr (std::is_same_v<T, Complex>) {
    return is_whole(array.dtype) ? Complex(static_cast<Real>(cell.n)) : cell.z;
  } else {
    return is_whole(array.dtype) ? static_cast<Real>(cell.n) : cell.z.real();
  }
}

template <class T>
T apply(T (*f1)(T), T (*f2)(T, T), T (*f3)(T, T, T), const std::vector<Array>& in, std::size_t i) {
  const auto x = [&](std::size_t k) { return value_of<T>(in[k], i); };
  if (f1 != nullptr) return f1(x(0));
  if (f2 != nullptr) return f2(x(0), x(1));
  return f3(x(0), x(1), x(2));
}

std::vector<Array> by_formula(const OpSample& sample, const OpInfo& row, const std::vector<Array>& in) {
  const Formula& f = sample.formula;
  const DType d = in[data_operand(row)].dtype;
  DType result = d;
  if (sample.result == ElementResult::boolean) result = DType::boolean;
  if (sample.result == ElementResult::real_part) result = real_part(d);
  if (sample.result == ElementResult::joined) result = complex_partner(d);
  Array out(result, in[0].shape);
  for (std::size_t i = 0; i < out.cells.size(); ++i) {
    Cell& cell = out.cells[i];
    if (is_whole(d)) {
      cell.n = apply(f.whole1, f.whole2, f.whole3, in, i);
    } else if (is_complex(d) || sample.result == ElementResult::joined) {
      cell.z = apply(f.complex1, f.complex2, f.complex3, in, i);
    } else {
      cell.z = apply(f.real1, f.real2, f.real3, in, i);
    }
    if (result == DType::boolean && !is_whole(d)) cell.n = cell.z != Complex(0) ? 1 : 0;
  }
  return {std::move(out)};
}

OpCall element_call(OpKind kind, DType dtype, DimsView shape) {
  const OpInfo& row = info(kind);
  OpCall call{shape_text(shape), Op(kind), {}};
  for (std::uint8_t k = 0; k < row.arity; ++k) {
    const bool mask = row.shape == ShapeRule::select && k == 0;
    call.in.push_back(draw_array(mask ? DType::boolean : dtype, shape, kSamples[kind].domain[k], index(kind) * 16 + k));
  }
  return call;
}

}  // namespace

const OpSample& op_sample(OpKind kind) { return kSamples[kind]; }

bool is_elementwise(OpKind kind) { return kSamples[kind].calls == nullptr; }

DType any_dtype(OpKind kind) {
  for (const DType d : kDTypes) {
    if (admitted(info(kind).dtypes).contains(d)) return d;
  }
  return DType::external;
}

Calls sample_calls(OpKind kind, DType dtype) {
  if (!is_elementwise(kind)) return kSamples[kind].calls(dtype);
  Calls calls;
  for (const Shape& shape : {Shape{67}, Shape{3, 5, 4}, Shape{}, Shape{0}, Shape{2, 0, 3}, Shape{1, 1}}) {
    calls.push_back(element_call(kind, dtype, shape));
  }
  return calls;
}

Calls large_calls(OpKind kind, DType dtype) {
  if (!is_elementwise(kind)) return kSamples[kind].large(dtype);
  return {element_call(kind, dtype, Shape{257, 131})};
}

std::vector<Array> expected_results(const OpCall& call) {
  const OpKind kind = call.op.kind();
  if (!is_elementwise(kind)) return kSamples[kind].oracle(call.op, call.in);
  return by_formula(kSamples[kind], info(kind), call.in);
}

}  // namespace tenferro::testing
