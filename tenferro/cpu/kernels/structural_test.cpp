// SPDX-License-Identifier: MIT OR Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/movement.hpp"

namespace tenferro {
namespace {

using testing::expect_moves;
using testing::Laid;
using testing::LayoutKind;
using testing::Origin;
using testing::Values;

const CpuKernelTable& table() { return internal::kStructuralKernels; }

TEST(Transpose, TakesEachAxisFromThePermutedOne) {
  AxisList perm{0, 1, 2};
  do {
    expect_moves(table(), Op(OpKind::transpose, TransposeAttrs{perm}), Shape{4, 5, 3}, [&](DimsView at) {
      Dims from(3);
      for (std::size_t k = 0; k < 3; ++k) from[perm[k]] = at[k];
      return Origin(from);
    });
  } while (std::next_permutation(perm.begin(), perm.end()));
}

TEST(Transpose, KeepsScalarsAndEmptyTensors) {
  expect_moves(table(), Op(OpKind::transpose, TransposeAttrs{}), Shape{}, [](DimsView at) { return Origin(Dims(at)); });
  expect_moves(table(), Op(OpKind::transpose, TransposeAttrs{{1, 0}}), Shape{0, 3},
               [](DimsView at) { return Origin(Dims{at[1], at[0]}); });
}

TEST(Transpose, WritesLargeMatricesInAnyNumberOfParts) {
  for (const Shape& shape : {Shape{130, 97}, Shape{64, 256}, Shape{1000, 3}}) {
    const Op op(OpKind::transpose, TransposeAttrs{{1, 0}});
    const auto origin = [](DimsView at) { return Origin(Dims{at[1], at[0]}); };
    testing::ThreadedContext context(3);
    testing::expect_moves_of<bool>(table(), context, op, shape, origin, false);
    testing::expect_moves_of<double>(table(), context, op, shape, origin, 0.0);
  }
}

TEST(Reshape, KeepsColumnMajorOrder) {
  for (const auto& [from, to] :
       {std::pair{Shape{2, 3}, Shape{3, 2}}, std::pair{Shape{4, 3, 2}, Shape{24}}, std::pair{Shape{12}, Shape{2, 3, 2}},
        std::pair{Shape{1}, Shape{}}, std::pair{Shape{}, Shape{1, 1}}, std::pair{Shape{0, 3}, Shape{5, 0}}}) {
    expect_moves(table(), Op(OpKind::reshape, ReshapeAttrs{to}), from, [&](DimsView at) {
      std::int64_t linear = testing::linear_of(at, to);
      Dims index(from.size());
      for (std::size_t k = 0; k < from.size(); ++k) {
        index[k] = linear % from[k];
        linear /= from[k];
      }
      return Origin(index);
    });
  }
}

TEST(BroadcastInDim, LaysAxesAlongThoseNamedAndStretchesOnes) {
  const Op op(OpKind::broadcast_in_dim, BroadcastInDimAttrs(BroadcastInDimConfig{{4, 3, 5}, {2, 0}}));
  expect_moves(table(), op, Shape{5, 4}, [](DimsView at) { return Origin(Dims{at[2], at[0]}); });
  expect_moves(table(), op, Shape{1, 4}, [](DimsView at) { return Origin(Dims{0, at[0]}); });
  const Op scalar(OpKind::broadcast_in_dim, BroadcastInDimAttrs(BroadcastInDimConfig{{3, 2}, {}}));
  expect_moves(table(), scalar, Shape{}, [](DimsView) { return Origin(Dims{}); });
  const Op empty(OpKind::broadcast_in_dim, BroadcastInDimAttrs(BroadcastInDimConfig{{0, 2}, {0}}));
  expect_moves(table(), empty, Shape{1}, [](DimsView) { return Origin(Dims{0}); });
}

TEST(ExtractDiag, ReadsAnyDiagonalOfAnyTwoAxes) {
  for (std::int64_t shift = -5; shift <= 6; ++shift) {
    const auto at_shift = [&](DimsView at, std::size_t length) {
      return std::pair{shift < 0 ? at[length] - shift : at[length], shift < 0 ? at[length] : at[length] + shift};
    };
    expect_moves(table(), Op(OpKind::extract_diag, DiagAttrs{shift, 0, 1}), Shape{4, 5}, [&](DimsView at) {
      const auto [i, j] = at_shift(at, 0);
      return Origin(Dims{i, j});
    });
    expect_moves(table(), Op(OpKind::extract_diag, DiagAttrs{shift, 2, 0}), Shape{5, 2, 4}, [&](DimsView at) {
      const auto [i, j] = at_shift(at, 1);
      return Origin(Dims{j, at[0], i});
    });
  }
}

TEST(EmbedDiag, WritesOneDiagonalOfTwoNewAxesAndZeroElsewhere) {
  for (const std::int64_t shift : {-2, 0, 1}) {
    expect_moves(table(), Op(OpKind::embed_diag, DiagAttrs{shift, 0, 1}), Shape{4}, [&](DimsView at) {
      return at[1] - at[0] == shift ? Origin(Dims{shift < 0 ? at[1] : at[0]}) : std::nullopt;
    });
    expect_moves(table(), Op(OpKind::embed_diag, DiagAttrs{shift, 2, 0}), Shape{3, 4}, [&](DimsView at) {
      return at[0] - at[2] == shift ? Origin(Dims{at[1], shift < 0 ? at[0] : at[2]}) : std::nullopt;
    });
  }
  expect_moves(table(), Op(OpKind::embed_diag, DiagAttrs{2, 0, 1}), Shape{0}, [](DimsView) { return Origin(); });
}

TEST(Triangles, KeepOneSideOfAShiftedDiagonal) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  for (const Shape& shape : {Shape{4, 4}, Shape{3, 6}, Shape{6, 3, 2}, Shape{0, 2}, Shape{2, 0}}) {
    for (const std::int64_t shift :
         {-kFar - 1, std::int64_t{-4}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{2}, std::int64_t{7}, kFar}) {
      expect_moves(table(), Op(OpKind::tril, TriAttrs{shift}), shape,
                   [&](DimsView at) { return at[1] - at[0] <= shift ? Origin(Dims(at)) : std::nullopt; });
      expect_moves(table(), Op(OpKind::triu, TriAttrs{shift}), shape,
                   [&](DimsView at) { return at[1] - at[0] >= shift ? Origin(Dims(at)) : std::nullopt; });
    }
  }
}

TEST(Triangles, OfManyMatricesAndColumnsAreWrittenInAnyNumberOfParts) {
  testing::ThreadedContext context(3);
  for (const Shape& shape : {Shape{301, 70}, Shape{5, 4, 901}, Shape{31, 33, 2, 9}}) {
    testing::expect_moves_of<double>(
        table(), context, Op(OpKind::tril, TriAttrs{1}), shape,
        [](DimsView at) { return at[1] - at[0] <= 1 ? Origin(Dims(at)) : std::nullopt; }, 0.0);
    testing::expect_moves_of<bool>(
        table(), context, Op(OpKind::triu, TriAttrs{-1}), shape,
        [](DimsView at) { return at[1] - at[0] >= -1 ? Origin(Dims(at)) : std::nullopt; }, false);
  }
}

TEST(Reverse, CountsNamedAxesBackwards) {
  const Shape shape{4, 3, 5};
  for (std::uint64_t bits = 0; bits < 8; ++bits) {
    expect_moves(table(), Op(OpKind::reverse, AxesAttrs{AxisSet(bits)}), shape, [&](DimsView at) {
      Dims from(at);
      for (std::size_t k = 0; k < 3; ++k) {
        if ((bits >> k & 1U) != 0) from[k] = shape[k] - 1 - at[k];
      }
      return Origin(from);
    });
  }
  expect_moves(table(), Op(OpKind::reverse, AxesAttrs{AxisSet(3)}), Shape{0, 2},
               [](DimsView at) { return Origin(Dims(at)); });
}

template <class T>
void expect_joined(std::size_t axis) {
  testing::SerialContext context;
  Shape shapes[3] = {{2, 3}, {2, 3}, {2, 3}};
  for (std::size_t i = 0; i < 3; ++i) shapes[i][axis] = static_cast<std::int64_t>(2 * i);  // the first one is empty
  Shape joined{2, 3};
  joined[axis] = 6;
  Values<T> values[3];
  for (std::size_t i = 0; i < 3; ++i) values[i] = testing::sample<T>(testing::count_of(shapes[i]), 3);
  for (const LayoutKind left : testing::kLayoutKinds) {
    for (const LayoutKind right : testing::kLayoutKinds) {
      const Laid<T> a(left, shapes[0], values[0]), b(left, shapes[1], values[1]), c(right, shapes[2], values[2]);
      Laid<T> out(right, joined);
      testing::call(table(), context, Op(OpKind::concatenate, AxisAttrs{static_cast<std::uint8_t>(axis)}),
                    {a.read(), b.read(), c.read()}, {out.write()});
      const Values<T> got = out.values();
      testing::for_each_index(joined, [&](DimsView at, std::int64_t linear) {
        Dims from(at);
        const std::size_t part = at[axis] < 2 ? 1 : 2;
        if (part == 2) from[axis] -= 2;
        const T expected = values[part][static_cast<std::size_t>(testing::linear_of(from, shapes[part]))];
        ASSERT_TRUE(testing::same_bits<T>(got[static_cast<std::size_t>(linear)], expected));
      });
      ASSERT_TRUE(out.gaps_intact());
    }
  }
}

TEST(Concatenate, PutsOperandsOneAfterAnother) {
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
#define TENFERRO_DTYPE(name, type, text) expect_joined<type>(axis);
#include "tenferro/tensor/dtype.def"
  }
}

struct PadCase {
  Shape shape;
  Dims low, high, interior;
};

void expect_padded(const PadCase& c) {
  testing::SerialContext context;
  const auto check = [&]<class T>(T fill) {
    const Op op(OpKind::pad, PadAttrs(PadConfig{c.low, c.high, c.interior, Scalar(fill)}));
    const auto origin = [&](DimsView at) -> Origin {
      Dims from(at.size());
      for (std::size_t k = 0; k < at.size(); ++k) {
        const std::int64_t step = c.interior[k] + 1, distance = at[k] - c.low[k];
        if (distance < 0 || distance % step != 0 || distance / step >= c.shape[k]) return std::nullopt;
        from[k] = distance / step;
      }
      return from;
    };
    testing::expect_moves_of<T>(table(), context, op, c.shape, origin, fill);
  };
  check(2.5F);
  check(-3.5);
  check(std::complex<float>(1, 2));
  check(std::complex<double>(-1, 4));
  check(std::int32_t{9});
  check(std::int64_t{-9});
  check(true);
}

TEST(Pad, AddsCropsAndSpreads) {
  expect_padded({{3}, {2}, {1}, {0}});
  expect_padded({{3, 4}, {1, 0}, {2, 3}, {0, 0}});
  expect_padded({{5, 4}, {-2, 1}, {1, -3}, {0, 0}});
  expect_padded({{4, 3}, {1, 2}, {0, 1}, {2, 1}});
  expect_padded({{4, 5}, {-1, -2}, {-2, 3}, {2, 1}});
  expect_padded({{3}, {-5}, {6}, {0}});  // nothing survives
  expect_padded({{3}, {6}, {-5}, {1}});
  expect_padded({{0, 2}, {2, 1}, {1, 1}, {3, 0}});
  expect_padded({{2, 3, 2}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  expect_padded({{}, {}, {}, {}});
}

TEST(Pad, SurvivesNumbersAtTheEndOfTheRange) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  testing::SerialContext context;
  const auto pad = [&](Shape shape, std::int64_t low, std::int64_t high, std::int64_t interior) {
    const Op op(OpKind::pad, PadAttrs(PadConfig{{low}, {high}, {interior}, Scalar(7.0)}));
    testing::expect_moves_of<double>(
        table(), context, op, shape,
        [&](DimsView at) { return low == 0 && at[0] < shape[0] ? Origin(Dims(at)) : std::nullopt; }, 7.0);
  };
  pad(Shape{2}, -kMax - 1, kMax, 0);  // extent 1, all of it fill
  pad(Shape{1}, 0, 2, kMax);          // no neighbours to spread
}

TEST(Slice, TakesEveryStepthEntryFromTheStart) {
  const Op op(OpKind::slice, SliceAttrs(SliceConfig{{1, 0, 2}, {6, 4, 3}, {2, 3, 1}}));
  expect_moves(table(), op, Shape{6, 5, 4}, [](DimsView at) { return Origin(Dims{1 + 2 * at[0], 3 * at[1], 2}); });
  const Op none(OpKind::slice, SliceAttrs(SliceConfig{{3, 0}, {3, 2}, {1, 1}}));
  expect_moves(table(), none, Shape{3, 2}, [](DimsView at) { return Origin(Dims(at)); });
  const Op far(OpKind::slice, SliceAttrs(SliceConfig{{1}, {3}, {std::numeric_limits<std::int64_t>::max()}}));
  expect_moves(table(), far, Shape{3}, [](DimsView) { return Origin(Dims{1}); });
}

}  // namespace
}  // namespace tenferro
