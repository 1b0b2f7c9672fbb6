// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/move_tiles.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/support/every_target.hpp"

namespace tenferro::internal {
namespace {

using testing::with_every_target;

// A tile whose columns, of `column_bytes`, make up whole lines, past the caches: rows a gap apart in the source.
void expect_lines_transposed(std::int64_t width, std::int64_t column_bytes, std::int64_t run, std::int64_t runs) {
  const std::int64_t rows = column_bytes / width, columns = run * runs, pitch = columns * width + 192;
  std::vector<std::byte> from(static_cast<std::size_t>(rows * pitch)),
      memory(static_cast<std::size_t>(columns * column_bytes + 192), std::byte{7});
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 167 >> 3);
  const std::size_t origin = 128 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64;
  std::vector<std::byte> expected = memory;
  std::vector<std::int64_t> from_rows, from_columns, to_columns;
  for (std::int64_t i = 0; i < rows; ++i) from_rows.push_back(i * pitch);
  for (std::int64_t j = 0; j < columns; ++j) {
    // Runs lie in the source the other way round.
    from_columns.push_back(((runs - 1 - j / run) * run + j % run) * width);
    to_columns.push_back(j * column_bytes);
    for (std::int64_t i = 0; i < rows; ++i) {
      std::memcpy(expected.data() + origin + j * column_bytes + i * width,
                  from.data() + i * pitch + from_columns.back(), static_cast<std::size_t>(width));
    }
  }
  MoveTile tile{};
  tile.from = tile.next = from.data();
  tile.to = memory.data() + origin;
  tile.from_rows = from_rows.data();
  tile.from_columns = from_columns.data();
  tile.to_columns = to_columns.data();
  tile.rows = rows;
  tile.columns = columns;
  tile.run = run;
  tile.to_step = width;
  tile_kernel(TileKind::transpose, width, Stores::lines)(tile);
  finish_streaming();
  EXPECT_EQ(memory, expected) << "width " << width << ", columns of " << column_bytes << " bytes, " << runs
                              << " runs of " << run;
}

TEST(MoveTiles, ColumnsThatMakeUpLinesByFoursAreTransposedPastTheCaches) {
  with_every_target([] {
    for (const std::int64_t width : {1, 2, 4, 8}) {
      for (const std::int64_t run : {4, 8, 60, 64, 68, 132}) {
        for (const std::int64_t runs : {1, 3}) expect_lines_transposed(width, 16, run, runs);
      }
    }
  });
}

TEST(MoveTiles, ColumnsOfWholeLinesAreTransposedPastTheCaches) {
  with_every_target([] {
    for (const std::int64_t width : {1, 2, 4, 8, 16}) {
      for (const std::int64_t run : {3, 64, 67}) expect_lines_transposed(width, 128, run, 2);
    }
  });
}

// A matrix whose rows and columns have gaps between them on both sides, which stay as they are.
void expect_matrix_turned(std::int64_t width, std::int64_t rows, std::int64_t columns) {
  const std::int64_t from_step = columns * width + 5 * width, to_step = rows * width + 3 * width;
  std::vector<std::byte> from(static_cast<std::size_t>(rows * from_step)),
      to(static_cast<std::size_t>(columns * to_step), std::byte{7});
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 193 >> 2);
  std::vector<std::byte> expected = to;
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) {
      std::memcpy(expected.data() + j * to_step + i * width, from.data() + i * from_step + j * width,
                  static_cast<std::size_t>(width));
    }
  }
  turn(width, {to.data(), from.data(), rows, columns, to_step, from_step});
  EXPECT_EQ(to, expected) << "width " << width << ", " << rows << " by " << columns;
}

TEST(MoveTiles, MatricesOfAnySidesAreTurned) {
  with_every_target([] {
    for (const std::int64_t width : {1, 4, 8, 16}) {
      for (const std::int64_t rows : {1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 64}) {
        for (const std::int64_t columns : {1, 2, 5, 8, 11, 16, 31, 64}) expect_matrix_turned(width, rows, columns);
      }
    }
  });
}

TEST(MoveTiles, RunsOfAnyNumberOfBytesAreCopied) {
  with_every_target([] {
    std::vector<std::byte> from(700);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 29 >> 1);
    for (std::int64_t bytes = 1; bytes <= 300; ++bytes) {
      std::vector<std::byte> to(700, std::byte{7}), expected = to;
      const std::int64_t from_columns[] = {1, 350}, to_columns[] = {3, 333};
      for (const std::size_t j : {0U, 1U}) {
        std::memcpy(expected.data() + to_columns[j], from.data() + from_columns[j], static_cast<std::size_t>(bytes));
      }
      MoveTile tile{};
      tile.from = from.data();
      tile.to = to.data();
      tile.from_columns = from_columns;
      tile.to_columns = to_columns;
      tile.rows = bytes;
      tile.columns = 2;
      tile_kernel(TileKind::runs, 1, Stores::cached)(tile);
      EXPECT_EQ(to, expected) << bytes;
    }
  });
}

}  // namespace
}  // namespace tenferro::internal
