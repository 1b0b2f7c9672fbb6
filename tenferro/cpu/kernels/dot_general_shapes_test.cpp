// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of many shapes against an exact loop, and the promise that bits depend on dtype and shapes alone.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>

#include "tenferro/cpu/domain.hpp"
#include "tenferro/cpu/internal/lane_mark.hpp"
#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/cpu/kernels/gemm_blas.hpp"
#include "tests/support/contraction.hpp"
#include "tests/support/serial_context.hpp"

namespace tenferro {
namespace {

using testing::Laid;
using testing::LayoutKind;
using testing::mixed_numbers;
using testing::Values;
using testing::whole_numbers;

template <class T>
T conjugate(bool conj, T x) {
  if constexpr (is_complex(dtype_of<T>)) {
    return conj ? std::conj(x) : x;
  } else {
    return x;
  }
}

template <class T>
Values<T> transposed(const Values<T>& x, std::int64_t rows, std::int64_t cols) {
  Values<T> y(x.size());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j)
      y[static_cast<std::size_t>(j + i * cols)] = x[static_cast<std::size_t>(i + j * rows)];
  }
  return y;
}

// Plain product of column-major matrices of small whole numbers, exact in every type.
template <class T>
Values<T> product(std::int64_t m, std::int64_t n, std::int64_t k, const Values<T>& a, bool conj_a, const Values<T>& b,
                  bool conj_b) {
  Values<T> c(T(0), static_cast<std::size_t>(m * n));
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t p = 0; p < k; ++p) {
      const T factor = conjugate(conj_b, b[static_cast<std::size_t>(p + j * k)]);
      for (std::int64_t i = 0; i < m; ++i) {
        const T x = conjugate(conj_a, a[static_cast<std::size_t>(i + p * m)]);
        T& sum = c[static_cast<std::size_t>(i + j * m)];
        if constexpr (is_complex(dtype_of<T>)) {
          sum = T(sum.real() + x.real() * factor.real() - x.imag() * factor.imag(),
                  sum.imag() + x.real() * factor.imag() + x.imag() * factor.real());
        } else {
          sum = static_cast<T>(sum + x * factor);
        }
      }
    }
  }
  return c;
}

template <class T>
class DotGeneralShapes : public ::testing::Test {};
using NumericTypes =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(DotGeneralShapes, NumericTypes);

TYPED_TEST(DotGeneralShapes, EqualTheExactLoopForEveryFlagAndFactor) {
  using T = TypeParam;
  testing::SerialContext context;
  const std::int64_t sizes[] = {0, 1, 2, 3, 5, 8, 17, 64, 65, 130};
  unsigned round = 0;
  for (const std::int64_t m : sizes) {
    for (const std::int64_t n : sizes) {
      for (const std::int64_t k : sizes) {
        if (m * n * k > 100'000 && (m != n || n != k)) continue;  // the large cubes stand for their neighbours
        const Values<T> a = whole_numbers<T>(Shape{m, k}, ++round), b = whole_numbers<T>(Shape{k, n}, ++round);
        const Values<T> old = whole_numbers<T>(Shape{m, n}, ++round);
        const bool conj_a = round % 2 == 0, conj_b = round % 3 == 0;
        const Values<T> sum = product<T>(m, n, k, a, conj_a, b, conj_b);
        const Laid<T> straight_a(LayoutKind::compact, {m, k}, a), straight_b(LayoutKind::compact, {k, n}, b);
        const Laid<T> turned_a(LayoutKind::compact, {k, m}, transposed<T>(a, m, k));
        const Laid<T> turned_b(LayoutKind::compact, {n, k}, transposed<T>(b, k, n));
        for (const unsigned flags : {0U, 1U, 2U, 3U}) {
          DotGeneralConfig config({(flags & 1U) != 0 ? std::uint8_t{0} : std::uint8_t{1}},
                                  {(flags & 2U) != 0 ? std::uint8_t{1} : std::uint8_t{0}});
          config.lhs_conj = conj_a;
          config.rhs_conj = conj_b;
          for (const T alpha : {T(0), T(1), T(-2)}) {
            for (const T beta : {T(0), T(1), T(-2)}) {
              const bool fresh = beta == T(0);
              Laid<T> out(LayoutKind::compact, Shape{m, n},
                          fresh ? Values<T>(testing::not_a_number<T>(), old.size()) : old);
              cpu_dot_general(context, config, ((flags & 1U) != 0 ? turned_a : straight_a).read(),
                              ((flags & 2U) != 0 ? turned_b : straight_b).read(), out.write(), &alpha, &beta);
              Values<T> expected = sum * alpha;
              if (!fresh) expected += old * beta;
              const Values<T> got = out.values();
              ASSERT_TRUE(std::equal(std::begin(got), std::end(got), std::begin(expected)))
                  << m << "×" << n << "×" << k << " flags " << flags << " alpha " << alpha << " beta " << beta;
            }
          }
        }
      }
    }
  }
}

template <class T>
bool same_bits(const Values<T>& a, const Values<T>& b) {
  return a.size() == b.size() && std::memcmp(&a[0], &b[0], a.size() * sizeof(T)) == 0;
}

struct Sized {
  DotGeneralConfig config;
  Shape lhs, rhs, out;
};

const std::vector<Sized>& sized() {
  static const std::vector<Sized> all = {
      {{{1}, {0}}, {64, 444}, {444, 56}, {64, 56}},
      {{{1}, {0}}, {200, 130}, {130, 210}, {200, 210}},
      {{{1}, {0}}, {5, 150}, {150, 1500}, {5, 1500}},
      {{{1}, {0}}, {400, 300}, {300}, {400}},
      {{{1}, {0}}, {129, 1000}, {1000}, {129}},
      {{{1}, {0}}, {65, 100}, {100}, {65}},
      {{{1}, {0}}, {1025, 40}, {40}, {1025}},
      {{{1}, {0}}, {200, 5}, {5}, {200}},
      {{{1}, {0}}, {1, 1}, {1}, {1}},
      {{{1}, {0}}, {6, 300}, {300, 7}, {6, 7}},
      {{{0}, {0}}, {300}, {300, 130}, {130}},
      {{{0}, {0}}, {50000}, {50000}, {}},
      {{{1}, {0}, {2}, {2}}, {24, 17, 40}, {17, 20, 40}, {24, 20, 40}},
      {{{1}, {0}, {2}, {2}}, {120, 16, 16}, {16, 124, 16}, {120, 124, 16}},
      {{{1}, {0}, {2}, {2}}, {6, 6, 300}, {6, 6, 300}, {6, 6, 300}},
      {{{1}, {0}, {2}, {2}}, {1, 1, 7}, {1, 1, 7}, {1, 1, 7}},
      {{{}, {}, {0, 1}, {0, 1}}, {150, 200}, {150, 200}, {150, 200}},
      {{{}, {}}, {200}, {300}, {200, 300}},
  };
  return all;
}

template <class T>
struct Factors {
  T alpha, beta;
};
template <class T>
constexpr Factors<T> kFactors[] = {{T(1), T(1)}, {T(1.25F), T(-0.75F)}};

template <class T>
Values<T> result_of(KernelContext& context, const Sized& s, LayoutKind left, LayoutKind right, LayoutKind target,
                    Factors<T> factors) {
  const Laid<T> a(left, s.lhs, mixed_numbers<T>(s.lhs, 1)), b(right, s.rhs, mixed_numbers<T>(s.rhs, 2));
  Laid<T> out(target, s.out, mixed_numbers<T>(s.out, 3));
  cpu_dot_general(context, s.config, a.read(), b.read(), out.write(), &factors.alpha, &factors.beta);
  return out.values();
}

template <class T>
class DotGeneralBits : public ::testing::Test {};
using InexactTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DotGeneralBits, InexactTypes);

// f(layout, expect), where expect(context, left, right, target) compares with compact operands on one thread.
template <class T, class F>
void for_all_bits(F&& f) {
  testing::SerialContext serial;
  for (const Sized& s : sized()) {
    for (const Factors<T>& factors : kFactors<T>) {
      const LayoutKind compact = LayoutKind::compact;
      const Values<T> expected = result_of<T>(serial, s, compact, compact, compact, factors);
      const auto expect_the_same = [&](KernelContext& context, LayoutKind left, LayoutKind right, LayoutKind target) {
        EXPECT_TRUE(same_bits(result_of<T>(context, s, left, right, target, factors), expected))
            << "case " << &s - sized().data() << ", factors " << &factors - kFactors<T> << ", " << context.lanes()
            << " lanes, " << testing::name(left) << ", " << testing::name(right) << ", " << testing::name(target);
      };
      f(expect_the_same);
    }
  }
}

TYPED_TEST(DotGeneralBits, AreTheSameForAnyNumberOfThreads) {
  for_all_bits<TypeParam>([](const auto& expect_the_same) {
    for (const int lanes : {2, 9}) {
      testing::ThreadedContext context(lanes);
      for (const LayoutKind layout : {LayoutKind::compact, LayoutKind::transposed}) {
        expect_the_same(context, layout, layout, layout);
      }
    }
  });
}

TYPED_TEST(DotGeneralBits, AreTheSameForAnyLayout) {
  for_all_bits<TypeParam>([](const auto& expect_the_same) {
    testing::SerialContext serial;
    constexpr LayoutKind kCompact = LayoutKind::compact;
    for (const LayoutKind layout : testing::kLayoutKinds) {
      expect_the_same(serial, kCompact, kCompact, layout);
      expect_the_same(serial, layout, kCompact, kCompact);
      expect_the_same(serial, kCompact, layout, kCompact);
      expect_the_same(serial, layout, layout, layout);
    }
  });
}

TEST(BlasProvider, IsUsedOnlyIfItsFlavourDeclaresThatLanesMayCallIt) {
  static const int first_of_a_lane = 0;
  using internal::BlasFlavour;
  using internal::declare_openblas;
  EXPECT_TRUE(may_run_in_lanes(declare_openblas(BlasFlavour::pthread)));
  EXPECT_FALSE(may_run_in_lanes(declare_openblas(BlasFlavour::serial)));
  EXPECT_FALSE(may_run_in_lanes(declare_openblas(BlasFlavour::openmp)));
  {
    const internal::LaneMark lane(&first_of_a_lane);
    EXPECT_NO_THROW(require_usable_here(declare_openblas(BlasFlavour::pthread)));
    EXPECT_THROW(require_usable_here(declare_openblas(BlasFlavour::serial)), ProviderError);
    EXPECT_THROW(require_usable_here(declare_openblas(BlasFlavour::openmp)), ProviderError);
  }
  const BlasProvider& found = blas_provider();
  EXPECT_EQ(found.declaration.name, "openblas-pthread");
  EXPECT_TRUE(found.usable) << found.reason;
  CpuDomainOptions options;
  options.threads = 4;
  options.provider = found.declaration;
  EXPECT_EQ(CpuDomain(options).request().admission, AdmissionClass::shared) << "one thread a call excludes nobody";
}

TEST(BlasProvider, IsUsableAndNamesItsKernels) {
  const BlasProvider& provider = blas_provider();
  EXPECT_TRUE(provider.usable) << provider.reason;
  EXPECT_FALSE(provider.core.empty());
}

}  // namespace
}  // namespace tenferro
