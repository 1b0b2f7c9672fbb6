// SPDX-License-Identifier: MIT OR Apache-2.0
// Every loop of every set of vector instructions against the scalar loop of the same row: equal bits where the row is
// arithmetic, few units in the last place where it is a function; and the same bits for an element wherever it stands.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tenferro/cpu/kernels/element_loop.hpp"
#include "tenferro/ops/op_table.hpp"
#include "tests/support/every_target.hpp"
#include "tests/support/kernel_calls.hpp"

namespace tenferro {
namespace {

using internal::ElementLoop;
using internal::ElementLoops;
using internal::Strip;
using testing::with_every_target;

struct RowCase {
  OpKind kind;
  DType d, out;
  std::array<DType, 3> in;
  std::size_t operands;
  bool exact;
};

std::vector<RowCase> elementwise_rows() {
  std::vector<RowCase> rows;
  for (const OpInfo& row : kOps) {
    if (row.category > OpCategory::ternary) continue;
    for (const DType d : kDTypes) {
      if (!admitted(row.dtypes).contains(d)) continue;
      const DType first = row.kind == OpKind::select ? DType::boolean : d;
      const bool exact = has(row.traits, Traits::cheap) && !(row.kind == OpKind::abs && is_complex(d));
      rows.push_back(
          {row.kind, d, result_dtype(row.result, d), {first, d, d}, static_cast<std::size_t>(row.arity), exact});
    }
  }
  return rows;
}

constexpr std::int64_t kMost = 200;  // more than three vectors of bytes

// Room for kMost elements of any dtype after an offset, with a border that nobody may touch.
struct Block {
  alignas(64) std::array<std::byte, kMost * 16 + 256> bytes{};
  std::byte* at(std::size_t offset) { return bytes.data() + 64 + offset; }
};

void fill(Block& block, DType d, std::uint32_t seed, bool positive) {
  visit_dtype(d, [&]<class T>(TypeTag<T>) {
    const testing::Values<T> values = testing::sample<T>(kMost, seed);
    for (std::int64_t i = 0; i < kMost; ++i) {
      T value = values[static_cast<std::size_t>(i)];
      if constexpr (is_integer(dtype_of<T>)) value = positive ? static_cast<T>(1 + i % 20) : value;
      std::memcpy(block.at(static_cast<std::size_t>(i) * sizeof(T)), &value, sizeof value);
    }
  });
}

std::array<Block, 3> operands_of(const RowCase& row) {
  std::array<Block, 3> in;
  for (std::uint32_t k = 0; k < 3; ++k) {
    fill(in[k], row.in[k], 11 * k + 3, k == 1 && has(info(row.kind).traits, Traits::data_checked));
  }
  return in;
}

// Steps between neighbouring numbers from a to b; 0 for two NaNs, very many for one.
template <class T>
double steps_between(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b) ? 0 : 1e30;
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  const auto place = [](T x) {
    const auto bits = std::bit_cast<Bits>(x);
    return static_cast<long double>(bits < 0 ? std::numeric_limits<Bits>::min() - bits : bits);
  };
  return static_cast<double>(std::abs(place(a) - place(b)));
}

bool same_elements(DType d, const std::byte* a, const std::byte* b, std::int64_t n, double steps) {
  bool same = true;
  visit_dtype(d, [&]<class T>(TypeTag<T>) {
    for (std::int64_t i = 0; i < n; ++i) {
      T x, y;
      std::memcpy(&x, a + i * static_cast<std::int64_t>(sizeof x), sizeof x);
      std::memcpy(&y, b + i * static_cast<std::int64_t>(sizeof y), sizeof y);
      if constexpr (is_float(dtype_of<T>)) {
        same = same && (steps > 0 ? steps_between(x, y) <= steps : testing::same_bits(x, y));
      } else if constexpr (is_complex(dtype_of<T>)) {
        same =
            same && (steps > 0 ? std::max(steps_between(x.real(), y.real()), steps_between(x.imag(), y.imag())) <= steps
                               : testing::same_bits(x, y));
      } else {
        same = same && testing::same_bits(x, y);
      }
    }
  });
  return same;
}

// The first n elements, every operand from its own offset in elements.
void compute(ElementLoop loop, const RowCase& row, std::array<Block, 3>& in, std::int64_t first, std::int64_t n,
             std::byte* out) {
  Strip strip{out, {}, n};
  for (std::size_t k = 0; k < row.operands; ++k) {
    strip.in[k] = in[k].at(static_cast<std::size_t>(first) * element_size(row.in[k]));
  }
  strip.compute(loop);
}

// Elements one at a time.
Block one_by_one(ElementLoop loop, const RowCase& row, std::array<Block, 3>& in) {
  Block out;
  for (std::int64_t i = 0; i < kMost; ++i) {
    compute(loop, row, in, i, 1, out.at(static_cast<std::size_t>(i) * element_size(row.out)));
  }
  return out;
}

std::string title(const RowCase& row) { return std::string(info(row.kind).name) + ' ' + std::string(name(row.d)); }

TEST(VectorLoops, ArithmeticHasTheBitsOfTheFormulaAndFunctionsAreWithinFourUnits) {
  with_every_target([] {
    const ElementLoops& loops = internal::element_loops();
    for (const RowCase& row : elementwise_rows()) {
      std::array<Block, 3> in = operands_of(row);
      Block expected = one_by_one(internal::scalar_loops().row(row.kind, row.d), row, in);
      Block got;
      compute(loops.row(row.kind, row.d), row, in, 0, kMost, got.at(0));
      EXPECT_TRUE(same_elements(row.out, got.at(0), expected.at(0), kMost, row.exact ? 0 : 4)) << title(row);
    }
  });
}

TEST(VectorLoops, AnElementHasTheSameBitsAtEveryPlaceOfAStripOfAnyLength) {
  with_every_target([] {
    const ElementLoops& loops = internal::element_loops();
    for (const RowCase& row : elementwise_rows()) {
      const ElementLoop loop = loops.row(row.kind, row.d);
      std::array<Block, 3> in = operands_of(row);
      Block expected = one_by_one(loop, row, in);
      const std::size_t width = element_size(row.out);
      for (std::int64_t n = 0; n <= kMost - 3; n += n < 50 ? 1 : 7) {
        const std::int64_t first = n % 4;
        Block got;
        compute(loop, row, in, first, n, got.at(width * static_cast<std::size_t>(n % 3)));
        const std::byte* begin = got.at(width * static_cast<std::size_t>(n % 3));
        const std::byte* end = begin + width * static_cast<std::size_t>(n);
        EXPECT_TRUE(same_elements(row.out, begin, expected.at(width * static_cast<std::size_t>(first)), n, 0))
            << title(row) << " length " << n;
        EXPECT_TRUE(std::all_of(static_cast<const std::byte*>(got.bytes.data()), begin,
                                [](std::byte b) { return b == std::byte{}; }) &&
                    std::all_of(end, static_cast<const std::byte*>(got.bytes.data()) + got.bytes.size(),
                                [](std::byte b) { return b == std::byte{}; }))
            << title(row) << " length " << n;
      }
    }
  });
}

// Vectors of numbers that are all safe to square take another way than others.
TEST(VectorLoops, ComplexQuotientsAndRootsOfPlainNumbersHaveTheBitsOfTheFormula) {
  with_every_target([] {
    const ElementLoops& loops = internal::element_loops();
    for (const OpKind kind : {OpKind::div, OpKind::reciprocal, OpKind::sign, OpKind::sqrt, OpKind::rsqrt}) {
      for (const DType d : {DType::c32, DType::c64}) {
        const RowCase row{kind, d, d, {d, d, d}, kind == OpKind::div ? std::size_t{2} : std::size_t{1}, true};
        std::array<Block, 3> in;
        for (std::int64_t i = 0; i < 2 * kMost; ++i) {
          for (std::size_t k = 0; k < row.operands; ++k) {
            const auto part = static_cast<float>((i * 37 + static_cast<std::int64_t>(k) * 101) % 211 - 105) / 7.0F;
            const double wide = static_cast<double>(part) * (i % 9 < 3 ? 1e9 : 1);
            const auto place = static_cast<std::size_t>(i);
            if (d == DType::c32) {
              std::memcpy(in[k].at(place * sizeof part), &part, sizeof part);
            } else {
              std::memcpy(in[k].at(place * sizeof wide), &wide, sizeof wide);
            }
          }
        }
        Block expected, got;
        compute(internal::scalar_loops().row(kind, d), row, in, 0, kMost, expected.at(0));
        compute(loops.row(kind, d), row, in, 0, kMost, got.at(0));
        EXPECT_TRUE(same_elements(d, got.at(0), expected.at(0), kMost, 0)) << title(row);
      }
    }
  });
}

// Points near the unit circle, where logarithms cancel, near ±1 and ±i, where inverse tangents have poles, and among
// them numbers that the formulas of vectors do not take.
template <class R>
void put_near_unit_circle(Block& in) {
  constexpr R kInfinity = std::numeric_limits<R>::infinity();
  const std::complex<R> apart[] = {{kInfinity, 1}, {std::numeric_limits<R>::quiet_NaN(), 1}, {0, 0}, {0, -kInfinity}};
  for (std::int64_t i = 0; i < kMost; ++i) {
    const auto step = static_cast<R>(i % 7 - 3) * static_cast<R>(sizeof(R) == 4 ? 1e-6 : 1e-9);
    const R angle = i % 3 == 0 ? static_cast<R>(i % 4) * std::numbers::pi_v<R> / 2 + step : static_cast<R>(i) / 9;
    std::complex<R> z = std::polar(1 + step, angle);
    if (i % 5 == 4) z = apart[i % 4];
    std::memcpy(in.at(static_cast<std::size_t>(i) * sizeof z), &z, sizeof z);
  }
}

TEST(VectorLoops, ComplexFunctionsNearTheUnitCircleAreWithinFourUnits) {
  with_every_target([] {
    const ElementLoops& loops = internal::element_loops();
    for (const OpKind kind : {OpKind::log, OpKind::log2, OpKind::log10, OpKind::log1p, OpKind::atan, OpKind::atanh,
                              OpKind::exp, OpKind::exp2, OpKind::sqrt, OpKind::tan, OpKind::tanh}) {
      for (const DType d : {DType::c32, DType::c64}) {
        const RowCase row{kind, d, d, {d, d, d}, 1, false};
        std::array<Block, 3> in;
        d == DType::c32 ? put_near_unit_circle<float>(in[0]) : put_near_unit_circle<double>(in[0]);
        Block expected, got;
        compute(internal::scalar_loops().row(kind, d), row, in, 0, kMost, expected.at(0));
        compute(loops.row(kind, d), row, in, 0, kMost, got.at(0));
        EXPECT_TRUE(same_elements(d, got.at(0), expected.at(0), kMost, 4)) << title(row);
      }
    }
  });
}

// Multiples of the divisor and their neighbours, either sign, and quotients too large for one step.
template <class T>
void put_near_multiples(std::array<Block, 3>& in) {
  for (std::int64_t i = 0; i < kMost; ++i) {
    const auto divisor = static_cast<T>((i * 29 % 83 + 1) * (i % 3 == 0 ? -1 : 1));
    T dividend = divisor * static_cast<T>(i * 7919 % 4001 - 2000);
    if constexpr (is_float(dtype_of<T>)) {
      if (i % 4 == 1) dividend = std::nextafter(dividend, T(0));
      if (i % 4 == 2) dividend = std::nextafter(dividend, T(1e30F));
      if (i % 50 == 3) dividend *= T(1e20F);
    } else {
      dividend += static_cast<T>(i % 5 - 2);
      if (i % 50 == 3) dividend = std::numeric_limits<T>::min();
    }
    const T of_one = i % 50 == 3 && !is_float(dtype_of<T>) ? T(-1) : divisor;
    std::memcpy(in[0].at(static_cast<std::size_t>(i) * sizeof(T)), &dividend, sizeof(T));
    std::memcpy(in[1].at(static_cast<std::size_t>(i) * sizeof(T)), &of_one, sizeof(T));
  }
}

TEST(VectorLoops, QuotientsAndRemaindersOfNearMultiplesHaveTheBitsOfTheFormula) {
  with_every_target([] {
    const ElementLoops& loops = internal::element_loops();
    for (const OpKind kind : {OpKind::div, OpKind::rem, OpKind::floor_mod}) {
      for (const DType d : {DType::f32, DType::f64, DType::i32, DType::i64}) {
        const RowCase row{kind, d, d, {d, d, d}, 2, true};
        std::array<Block, 3> in;
        visit_dtype(d, [&]<class T>(TypeTag<T>) {
          if constexpr (is_float(dtype_of<T>) || is_integer(dtype_of<T>)) put_near_multiples<T>(in);
        });
        Block expected, got;
        compute(internal::scalar_loops().row(kind, d), row, in, 0, kMost, expected.at(0));
        compute(loops.row(kind, d), row, in, 0, kMost, got.at(0));
        EXPECT_TRUE(same_elements(d, got.at(0), expected.at(0), kMost, 0)) << title(row);
      }
    }
  });
}

TEST(VectorLoops, AStretchedOperandIsItsValueRepeated) {
  with_every_target([] {
    const ElementLoops& loops = internal::element_loops();
    for (const RowCase& row : elementwise_rows()) {
      const ElementLoop loop = loops.row(row.kind, row.d);
      for (std::uint32_t stretched = 1; stretched < 1U << row.operands; ++stretched) {
        const std::array<Block, 3> in = operands_of(row);
        std::array<Block, 3> spread = in;
        Strip strip{nullptr, {}, kMost, stretched, static_cast<std::int64_t>(element_size(row.out))};
        std::array<Block, 3> source = in;
        for (std::size_t k = 0; k < row.operands; ++k) {
          const std::size_t width = element_size(row.in[k]);
          for (std::size_t i = 0; (stretched >> k & 1) != 0 && i < kMost; ++i) {
            std::memcpy(spread[k].at(i * width), source[k].at(5 * width), width);
          }
          strip.width[k] = static_cast<std::int64_t>(width);
          strip.in[k] = source[k].at((stretched >> k & 1) != 0 ? 5 * width : 0);
        }
        Block expected, got;
        compute(loop, row, spread, 0, kMost, expected.at(0));
        strip.out = got.at(0);
        strip.compute(loop);
        EXPECT_TRUE(same_elements(row.out, got.at(0), expected.at(0), kMost, 0)) << title(row) << ' ' << stretched;
      }
    }
  });
}

TEST(VectorLoops, TheOutputMayBeAnyOperandOfItsWidth) {
  with_every_target([] {
    const ElementLoops& loops = internal::element_loops();
    for (const RowCase& row : elementwise_rows()) {
      const ElementLoop loop = loops.row(row.kind, row.d);
      for (std::size_t k = 0; k < row.operands; ++k) {
        if (element_size(row.in[k]) != element_size(row.out)) continue;
        std::array<Block, 3> in = operands_of(row);
        Block expected;
        compute(loop, row, in, 0, kMost, expected.at(0));
        compute(loop, row, in, 0, kMost, in[k].at(0));
        EXPECT_TRUE(same_elements(row.out, in[k].at(0), expected.at(0), kMost, 0)) << title(row) << ' ' << k;
      }
    }
  });
}

TEST(VectorLoops, CastsHaveTheBitsOfTheFormulaAtEveryLength) {
  with_every_target([] {
    const ElementLoops& loops = internal::element_loops();
    for (const DType from : kDTypes) {
      for (const DType to : kDTypes) {
        const RowCase row{OpKind::convert, from, to, {from, from, from}, 1, true};
        std::array<Block, 3> in = operands_of(row);
        Block expected = one_by_one(internal::scalar_loops().cast(to, from), row, in);
        for (std::int64_t n = 0; n <= kMost; n += n < 50 ? 1 : 25) {
          Block got;
          compute(loops.cast(to, from), row, in, 0, n, got.at(0));
          EXPECT_TRUE(same_elements(to, got.at(0), expected.at(0), n, 0)) << name(from) << " to " << name(to);
        }
      }
    }
  });
}

}  // namespace
}  // namespace tenferro
