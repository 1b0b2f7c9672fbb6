// SPDX-License-Identifier: MIT OR Apache-2.0
// The packed product on every set of vector instructions: against the definition at every edge of its tiles, and the
// promise that layouts and threads change no bit.
#include "tenferro/cpu/kernels/gemm_packed.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <complex>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/gemm_provider.hpp"
#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/cpu/kernels/gemm_panels.hpp"
#include "tests/support/contraction.hpp"
#include "tests/support/every_target.hpp"
#include "tests/support/serial_context.hpp"

namespace tenferro {
namespace {

using internal::panel_kernels;
using testing::Laid;
using testing::LayoutKind;
using testing::Values;
using testing::with_every_target;

template <class T>
void packed_product(KernelContext& context, const DotGeneralConfig& config, const Laid<T>& lhs, const Laid<T>& rhs,
                    Laid<T>& out, T alpha, T beta) {
  const TensorRead a = lhs.read(), b = rhs.read();
  const TensorWrite c = out.write();
  internal::gemm_packed<T>(context, internal::plan_contraction(config, a, b, c), {a.as<T>(), config.lhs_conj},
                           {b.as<T>(), config.rhs_conj}, c.as<T>(), {alpha, beta});
}

template <class T>
class GemmPacked : public ::testing::Test {};
using PackedTypes =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(GemmPacked, PackedTypes);

// Terms that are summed before they meet the result.
template <class T>
constexpr std::int64_t kDepth = calibration::kDepthBytes / static_cast<std::int64_t>(sizeof(T));

TYPED_TEST(GemmPacked, EqualsTheDefinitionAtEveryEdgeOfItsTiles) {
  using T = TypeParam;
  testing::SerialContext context;
  with_every_target([&](std::string_view target) {
    const auto rows = panel_kernels<T>().rows, cols = panel_kernels<T>().cols;
    unsigned round = 0;
    for (const std::int64_t m : {std::int64_t{1}, rows.unit + 1, rows.most, 2 * rows.most - 1}) {
      for (const std::int64_t n : {std::int64_t{1}, cols.unit, cols.most - 1, 2 * cols.most + 1}) {
        for (const std::int64_t k : {std::int64_t{1}, std::int64_t{13}}) {
          DotGeneralConfig config({1}, {0});
          config.lhs_conj = ++round % 2 == 0;
          config.rhs_conj = round % 3 == 0;
          const Values<T> a = testing::whole_numbers<T>(Shape{m, k}, round),
                          b = testing::whole_numbers<T>(Shape{k, n}, round + 1),
                          old = testing::whole_numbers<T>(Shape{m, n}, round + 2);
          Shape shape;
          const Values<T> sum = testing::contracted<T>(config, Shape{m, k}, a, Shape{k, n}, b, shape);
          const LayoutKind left = testing::kLayoutKinds[round % 8], right = testing::kLayoutKinds[round / 3 % 8];
          const LayoutKind order = testing::kLayoutKinds[round / 5 % 8];
          for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(1), T(1)}, {T(-2), T(3)}, {T(3), T(0)}}) {
            const bool fresh = beta == T(0);
            Laid<T> out(order, shape, fresh ? Values<T>(testing::not_a_number<T>(), sum.size()) : old);
            packed_product<T>(context, config, Laid<T>(left, Shape{m, k}, a), Laid<T>(right, Shape{k, n}, b), out,
                              alpha, beta);
            const Values<T> expected = fresh ? Values<T>(sum * alpha) : Values<T>(sum * alpha + old * beta);
            testing::expect_equal<T>(
                out.values(), expected,
                std::string(target) + " " + std::to_string(m) + "×" + std::to_string(n) + "×" + std::to_string(k));
            EXPECT_TRUE(out.gaps_intact());
          }
        }
      }
    }
  });
}

TYPED_TEST(GemmPacked, SumsBlocksOfLongDepths) {
  using T = TypeParam;
  testing::SerialContext context;
  with_every_target([&](std::string_view target) {
    for (const std::int64_t k : {kDepth<T> - 1, kDepth<T>, kDepth<T> + 1, 3 * kDepth<T> - 5}) {
      const Values<T> a = testing::whole_numbers<T>(Shape{9, k}, 1), b = testing::whole_numbers<T>(Shape{k, 5}, 2),
                      old = testing::whole_numbers<T>(Shape{9, 5}, 3);
      Shape shape;
      const Values<T> sum = testing::contracted<T>(DotGeneralConfig({1}, {0}), Shape{9, k}, a, Shape{k, 5}, b, shape);
      Laid<T> out(LayoutKind::compact, shape, old);
      packed_product<T>(context, DotGeneralConfig({1}, {0}), Laid<T>(LayoutKind::compact, Shape{9, k}, a),
                        Laid<T>(LayoutKind::transposed, Shape{k, 5}, b), out, T(2), T(-1));
      testing::expect_equal<T>(out.values(), Values<T>(sum * T(2) - old),
                               std::string(target) + " k = " + std::to_string(k));
    }
  });
}

TYPED_TEST(GemmPacked, TakesGroupsOfSeveralAxesAsTheyLie) {
  using T = TypeParam;
  testing::SerialContext context;
  // Rows (0, 2), terms (1, 4), batch 3; columns (0, 3), terms (2, 1), batch 4.
  const DotGeneralConfig config({1, 4}, {2, 1}, {3}, {4});
  const Shape lhs{5, 3, 7, 2, 4}, rhs{3, 4, 3, 3, 2};
  const Values<T> a = testing::whole_numbers<T>(lhs, 1), b = testing::whole_numbers<T>(rhs, 2);
  Shape shape;
  const Values<T> expected = testing::contracted<T>(config, lhs, a, rhs, b, shape);
  with_every_target([&](std::string_view target) {
    for (const LayoutKind left : testing::kLayoutKinds) {
      for (const LayoutKind order : testing::kLayoutKinds) {
        Laid<T> out(order, shape, Values<T>(testing::not_a_number<T>(), expected.size()));
        packed_product<T>(context, config, Laid<T>(left, lhs, a), Laid<T>(left, rhs, b), out, T(1), T(0));
        testing::expect_equal<T>(out.values(), expected, std::string(target) + ", " + std::string(testing::name(left)));
      }
    }
  });
}

TYPED_TEST(GemmPacked, CutsWideAndTallProductsIntoBlocks) {
  using T = TypeParam;
  testing::SerialContext context;
  const std::int64_t most = calibration::kRightBlockBytes / calibration::kDepthBytes;
  for (const auto& [m, n] :
       {std::pair{std::int64_t{3}, most + 3}, std::pair{internal::kPanelBlockRows + 3, std::int64_t{2}}}) {
    const std::int64_t k = m == 3 ? kDepth<T> : 2;
    const Values<T> a = testing::whole_numbers<T>(Shape{m, k}, 1), b = testing::whole_numbers<T>(Shape{k, n}, 2);
    Shape shape;
    const Values<T> expected =
        testing::contracted<T>(DotGeneralConfig({1}, {0}), Shape{m, k}, a, Shape{k, n}, b, shape);
    Laid<T> out(LayoutKind::compact, shape);
    packed_product<T>(context, DotGeneralConfig({1}, {0}), Laid<T>(LayoutKind::compact, Shape{m, k}, a),
                      Laid<T>(LayoutKind::compact, Shape{k, n}, b), out, T(1), T(0));
    testing::expect_equal<T>(out.values(), expected, std::to_string(m) + "×" + std::to_string(n));
  }
}

TYPED_TEST(GemmPacked, HasTheSameBitsForEveryLayoutAndAnyThreads) {
  using T = TypeParam;
  testing::SerialContext serial;
  testing::ThreadedContext two(2), four(4, 3);
  const Shape lhs{61, 300}, rhs{300, 37};
  const Values<T> a = testing::mixed_numbers<T>(lhs, 1), b = testing::mixed_numbers<T>(rhs, 2),
                  old = testing::mixed_numbers<T>(Shape{61, 37}, 3);
  with_every_target([&](std::string_view target) {
    const auto result = [&](KernelContext& context, LayoutKind left, LayoutKind right, LayoutKind order) {
      Laid<T> out(order, Shape{61, 37}, old);
      packed_product<T>(context, DotGeneralConfig({1}, {0}), Laid<T>(left, lhs, a), Laid<T>(right, rhs, b), out, T(3),
                        T(-2));
      return out.values();
    };
    constexpr LayoutKind kCompact = LayoutKind::compact;
    const Values<T> expected = result(serial, kCompact, kCompact, kCompact);
    const auto same = [&](const Values<T>& got) {
      return std::memcmp(&got[0], &expected[0], expected.size() * sizeof(T)) == 0;
    };
    EXPECT_TRUE(same(result(two, kCompact, kCompact, kCompact))) << target;
    EXPECT_TRUE(same(result(four, kCompact, kCompact, kCompact))) << target;
    for (const LayoutKind kind : testing::kLayoutKinds) {
      EXPECT_TRUE(same(result(serial, kind, kCompact, kCompact))) << target << ", left " << testing::name(kind);
      EXPECT_TRUE(same(result(serial, kCompact, kind, kCompact))) << target << ", right " << testing::name(kind);
      EXPECT_TRUE(same(result(four, kCompact, kCompact, kind))) << target << ", result " << testing::name(kind);
    }
  });
}

// Memory that may not be read begins where its elements end.
class BeforeForbiddenMemory {
 public:
  explicit BeforeForbiddenMemory(std::size_t bytes) : usable_((bytes + kPage - 1) / kPage * kPage) {
    pages_ = static_cast<std::byte*>(
        ::mmap(nullptr, usable_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(pages_ + usable_, kPage, PROT_NONE);
    data_ = pages_ + usable_ - bytes;
  }
  BeforeForbiddenMemory(const BeforeForbiddenMemory&) = delete;
  BeforeForbiddenMemory& operator=(const BeforeForbiddenMemory&) = delete;
  ~BeforeForbiddenMemory() { ::munmap(pages_, usable_ + kPage); }
  std::byte* data() const noexcept { return data_; }

 private:
  static constexpr std::size_t kPage = 65536;
  std::size_t usable_;
  std::byte *pages_, *data_;
};

// The last rows of a left operand are read where they lie, term by term, a long step apart.
TYPED_TEST(GemmPacked, ReadsNothingBeyondItsOperands) {
  using T = TypeParam;
  testing::SerialContext context;
  for (const std::int64_t side : {128, 130, 141}) {
    const std::int64_t k = 40;
    const BeforeForbiddenMemory a(static_cast<std::size_t>(side * k) * sizeof(T)),
        b(static_cast<std::size_t>(k * side) * sizeof(T)), c(static_cast<std::size_t>(side * side) * sizeof(T));
    const Dims left{side, k}, right{side, k}, out{side, side};
    const auto read = [&](const BeforeForbiddenMemory& x, const Dims& shape) {
      TensorRead operand;
      operand.data = x.data();
      operand.extents = shape.data();
      operand.axis_count = static_cast<std::uint32_t>(shape.size());
      operand.dtype = dtype_of<T>;
      return operand;
    };
    TensorWrite target;
    target.data = c.data();
    target.extents = out.data();
    target.axis_count = 2;
    target.dtype = dtype_of<T>;
    const DotGeneralConfig config({1}, {1});
    with_every_target([&] {
      internal::gemm_packed<T>(context, internal::plan_contraction(config, read(a, left), read(b, right), target),
                               {reinterpret_cast<const T*>(a.data()), false},
                               {reinterpret_cast<const T*>(b.data()), false}, reinterpret_cast<T*>(c.data()),
                               {T(1), T(0)});
      EXPECT_EQ(*reinterpret_cast<const T*>(c.data()), T(0));
    });
  }
}

TYPED_TEST(GemmPacked, GoesWhereTheProviderSays) {
  using T = TypeParam;
  testing::SerialContext context;
  const Shape square{70, 70};
  const Values<T> a = testing::whole_numbers<T>(square, 1), b = testing::whole_numbers<T>(square, 2);
  Shape shape;
  const Values<T> expected = testing::contracted<T>(DotGeneralConfig({1}, {0}), square, a, square, b, shape);
  for (const auto provider : {GemmProvider::native, GemmProvider::openblas}) {
    internal::use_gemm_provider(provider);
    for (const LayoutKind kind : testing::kLayoutKinds) {
      Laid<T> out(kind, shape);
      const T alpha(1), beta(0);
      cpu_dot_general(context, DotGeneralConfig({1}, {0}), Laid<T>(kind, square, a).read(),
                      Laid<T>(LayoutKind::compact, square, b).read(), out.write(), &alpha, &beta);
      testing::expect_equal<T>(out.values(), expected, std::string(testing::name(kind)));
    }
  }
  internal::use_gemm_provider(std::nullopt);
}

template <class T>
void expect_error_of_a_chain(std::int64_t k) {
  testing::SerialContext context;
  const Shape lhs{5, k}, rhs{k, 3};
  const Values<T> a = testing::mixed_numbers<T>(lhs, 1), b = testing::mixed_numbers<T>(rhs, 2);
  with_every_target([&](std::string_view target) {
    Laid<T> out(LayoutKind::compact, Shape{5, 3});
    packed_product<T>(context, DotGeneralConfig({1}, {0}), Laid<T>(LayoutKind::compact, lhs, a),
                      Laid<T>(LayoutKind::compact, rhs, b), out, T(1), T(0));
    for (std::int64_t i = 0; i < 5; ++i) {
      for (std::int64_t j = 0; j < 3; ++j) {
        long double exact = 0, size = 0;
        for (std::int64_t p = 0; p < k; ++p) {
          const long double term = static_cast<long double>(a[static_cast<std::size_t>(i + 5 * p)]) *
                                   static_cast<long double>(b[static_cast<std::size_t>(p + k * j)]);
          exact += term;
          size += std::abs(term);
        }
        // Each step of a chain of at most a block rounds once by half a unit (twice without fused arithmetic).
        const long double allowed = static_cast<long double>(kDepth<T> + k / kDepth<T> + 2) *
                                    static_cast<long double>(std::numeric_limits<T>::epsilon()) * size;
        const auto got = static_cast<long double>(out.values()[static_cast<std::size_t>(i + 5 * j)]);
        EXPECT_LE(std::abs(got - exact), allowed) << target << " " << i << ", " << j;
      }
    }
  });
}

TEST(GemmPackedError, StaysBelowThatOfAChainOfOneBlock) {
  expect_error_of_a_chain<float>(5000);
  expect_error_of_a_chain<double>(5000);
}

}  // namespace
}  // namespace tenferro
