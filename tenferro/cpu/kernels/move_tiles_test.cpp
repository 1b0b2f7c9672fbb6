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

}  // namespace
}  // namespace tenferro::internal
