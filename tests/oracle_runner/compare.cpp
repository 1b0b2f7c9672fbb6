// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/oracle_runner/compare.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "tenferro/base/text.hpp"

namespace tenferro::oracle {
namespace {

template <class T>
bool same_value(T a, T b) {
  if constexpr (is_complex(dtype_of<T>)) {
    return same_value(a.real(), b.real()) && same_value(a.imag(), b.imag());
  } else {
    if constexpr (is_float(dtype_of<T>)) {
      if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    }
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
}

Difference meta_difference(const Tensor& got, const Tensor& want) {
  if (got.dtype() != want.dtype()) return concat("dtype: got ", name(got.dtype()), ", wanted ", name(want.dtype()));
  if (!(got.shape() == want.shape())) {
    return concat("shape: got ", list_text(got.shape()), ", wanted ", list_text(want.shape()));
  }
  return std::nullopt;
}

// The same values in another dtype that holds them; unchanged where it does not.
Tensor widened(const Tensor& x, DType to) {
  if (!converts_safely(x.dtype(), to)) return x.duplicate();
  Tensor wide = Tensor::zeros(to, x.shape());
  visit_dtype(x.dtype(), [&](auto from_tag) {
    using From = typename decltype(from_tag)::type;
    visit_dtype(to, [&](auto to_tag) {
      using To = typename decltype(to_tag)::type;
      for (std::size_t i = 0; i < x.data<From>().size(); ++i)
        wide.data<To>()[i] = Scalar(From(x.data<From>()[i])).to<To>();
    });
  });
  return wide;
}

template <class Float, class Bits>
double ordered_distance(Float got, Float want) {
  if (std::isnan(got) && std::isnan(want)) return 0;
  if (std::isnan(got) || std::isnan(want) || std::isinf(got) || std::isinf(want)) {
    return got == want ? 0 : std::numeric_limits<double>::infinity();
  }
  // Floats of one sign are ordered as their bits; negative ones count downwards from zero.
  const auto ordered = [](Float x) {
    const auto bits = std::bit_cast<Bits>(x);
    return bits < 0 ? std::numeric_limits<Bits>::min() - bits : bits;
  };
  // Places of one sign are subtracted as whole numbers: a double holds no neighbours among those of f64.
  const Bits a = ordered(got), b = ordered(want);
  if ((a < 0) == (b < 0)) return std::abs(static_cast<double>(a - b));
  return std::abs(static_cast<double>(a) - static_cast<double>(b));
}

}  // namespace

double ulps_between(double got, double want) { return ordered_distance<double, std::int64_t>(got, want); }
double ulps_between(float got, float want) { return ordered_distance<float, std::int32_t>(got, want); }

namespace {

Difference first_difference(const Tensor& got, const Tensor& want, bool zeros_are_equal) {
  if (Difference meta = meta_difference(got, want)) return meta;
  return visit_dtype(got.dtype(), [&](auto tag) -> Difference {
    using T = typename decltype(tag)::type;
    const auto a = got.data<T>(), b = want.data<T>();
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (same_value<T>(a[i], b[i]) || (zeros_are_equal && a[i] == b[i])) continue;
      return concat("element ", i, " in column-major order: got ", to_text(Scalar(T(a[i]))), ", wanted ",
                    to_text(Scalar(T(b[i]))));
    }
    return std::nullopt;
  });
}

}  // namespace

Difference same_bits(const Tensor& got, const Tensor& want) { return first_difference(got, want, false); }
Difference same_values(const Tensor& got, const Tensor& want) { return first_difference(got, want, true); }

Difference within_bounds(const Tensor& narrow, const Tensor& want, const Tensor& bounds) {
  const Tensor got = widened(narrow, want.dtype());
  if (Difference meta = meta_difference(got, want)) return meta;
  return visit_dtype(got.dtype(), [&](auto tag) -> Difference {
    using T = typename decltype(tag)::type;
    const auto a = got.data<T>(), b = want.data<T>();
    const auto limit = bounds.data<double>();
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double off =
          std::abs(Scalar(T(a[i])).to<std::complex<double>>() - Scalar(T(b[i])).to<std::complex<double>>());
      if (off <= limit[i]) continue;
      return concat("element ", i, " in column-major order: got ", to_text(Scalar(T(a[i]))), ", wanted ",
                    to_text(Scalar(T(b[i]))), " within ", limit[i]);
    }
    return std::nullopt;
  });
}

namespace {

using Wide = std::complex<double>;

Wide element(const Tensor& t, std::size_t i) {
  return visit_dtype(t.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    return Scalar(T(t.data<T>()[i])).to<Wide>();
  });
}

// Whole numbers, none of them zero, that follow no pattern of the oracle's.
Wide direction(std::size_t i, bool complex) {
  const auto part = [](std::size_t j) { return static_cast<double>((j * 7919 + 13) % 5 + 1) * (j % 2 == 0 ? 1 : -1); };
  return complex ? Wide(part(2 * i), part(2 * i + 3)) : Wide(part(i), 0);
}

double real_inner(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.count()); ++i) {
    sum += (std::conj(element(a, i)) * element(b, i)).real();
  }
  return sum;
}

}  // namespace

Difference gradient_difference(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                               const std::vector<Tensor>& in, std::size_t k, const Tensor& ct, const Tensor& grad) {
  if (!(grad.shape() == in.at(k).shape())) return concat("gradient ", k, " has shape ", list_text(grad.shape()));
  std::vector<Tensor> moved;
  for (const Tensor& t : in) moved.push_back(t.duplicate());
  double want = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(grad.count()); ++i) {
    const Wide v = direction(i, is_complex(grad.dtype()));
    want += (std::conj(element(grad, i)) * v).real();
    visit_dtype(moved[k].dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      moved[k].data<T>()[i] = Scalar(Wide(element(in[k], i) + v)).to<T>();
    });
  }
  const double got = real_inner(ct, f(moved)) - real_inner(ct, f(in));
  if (std::abs(got - want) <= 1e-6 * (1 + std::abs(want))) return std::nullopt;
  return concat("gradient of operand ", k, ": along a direction got ", got, ", wanted ", want);
}

}  // namespace tenferro::oracle
