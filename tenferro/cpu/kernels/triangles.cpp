// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/triangles.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/any_dtype.hpp"
#include "tenferro/cpu/kernels/box_loop.hpp"
#include "tenferro/cpu/kernels/move_plan.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {
namespace {

// Zeros over a short run.
void clear_run(std::byte* to, std::int64_t bytes) {
  constexpr std::uint64_t kZeros = 0;
  if (bytes >= 64) {
    std::memset(to, 0, static_cast<std::size_t>(bytes));
  } else if (bytes >= 8) {
    for (std::int64_t at = 0; at < bytes - 8; at += 8) std::memcpy(to + at, &kZeros, 8);
    std::memcpy(to + bytes - 8, &kZeros, 8);
  } else {
    for (std::int64_t at = 0; at < bytes; ++at) to[at] = std::byte{0};
  }
}

// A triangle is copied by blocks of columns, or of matrices if those are small, each a box that leaves out the rows
// that all its columns lose; then each column is cleared up to where its kept part begins, row j − shift (lower), or
// from where it ends (upper).
class Triangles {
 public:
  Triangles(const TensorRead& x, const TensorWrite& y, std::int64_t shift, bool lower)
      : x_(x.data),
        y_(y.data),
        width_(static_cast<std::int64_t>(element_size(x.dtype))),
        rows_(x.extents[0]),
        columns_(x.extents[1]),
        shift_(std::clamp(shift, -rows_, columns_)),
        lower_(lower),
        from_(strides_of(x)),
        to_(strides_of(y)) {
    for (std::size_t k = 2; k < x.rank(); ++k) append_axis<2>(batch_, {x.extents[k], {from_[k], to_[k]}});
    for (const BoxAxis<2>& axis : batch_) {
      whole_ = whole_ || std::abs(axis.step[0]) < std::min(std::abs(from_[0]), std::abs(from_[1]));
    }
    if (whole_) shape_ = Shape(x.shape());
    if (!batch_.empty()) {
      series_ = batch_[0];
      batch_.erase(0);
    }
    constexpr std::int64_t kBytes = calibration::kTriangleBlockBytes, kLeast = calibration::kTriangleColumns;
    const std::int64_t column_bytes = rows_ * width_;
    part_ = std::min(std::max(kBytes / column_bytes, kLeast), columns_);
    column_parts_ = (columns_ + part_ - 1) / part_;
    if (column_parts_ == 1) matrices_ = std::clamp<std::int64_t>(kBytes / (column_bytes * columns_), 1, series_.extent);
    series_parts_ = (series_.extent + matrices_ - 1) / matrices_;
  }

  void run(KernelContext& context) const {
    if (whole_) strided_copy(context, static_cast<std::size_t>(width_), shape_, x_, from_, y_, to_);
    const double columns = static_cast<double>(part_ * matrices_);
    const double column_ns =
        static_cast<double>(rows_ * width_) * calibration::kTriangleByteNs + calibration::kTriangleColumnNs;
    context.parallel_for(column_parts_ * series_parts_ * box_count(batch_), columns * column_ns,
                         [&](std::int64_t first, std::int64_t last) {
                           for (std::int64_t block = first; block < last; ++block) run_block(block);
                         });
  }

 private:
  void run_block(std::int64_t block) const {
    const std::int64_t j = block % column_parts_ * part_, columns = std::min(part_, columns_ - j);
    const std::int64_t rest = block / column_parts_, matrix = rest % series_parts_ * matrices_;
    const std::int64_t matrices = std::min(matrices_, series_.extent - matrix);
    const Offsets<2> at = offsets_at<2>(batch_, rest / series_parts_);
    const std::byte* x = x_ + (at[0] + j * from_[1] + matrix * series_.step[0]) * width_;
    std::byte* y = y_ + (at[1] + j * to_[1] + matrix * series_.step[1]) * width_;
    const std::int64_t begin = lower_ ? meet(j) : 0, end = lower_ ? rows_ : meet(j + columns - 1);
    if (begin < end && !whole_) {
      const auto width = static_cast<std::size_t>(width_);
      move_nest(width, y + begin * to_[0] * width_, x + begin * from_[0] * width_,
                copy_loops(Dims{end - begin, columns, matrices}, Dims{from_[0], from_[1], series_.step[0]},
                           Dims{to_[0], to_[1], series_.step[1]}, width));
    }
    for (std::int64_t k = 0; k < columns; ++k) {
      const std::int64_t from_row = lower_ ? 0 : meet(j + k), rows = lower_ ? meet(j + k) : rows_ - from_row;
      std::byte* zeros = y + (from_row * to_[0] + k * to_[1]) * width_;
      for (std::int64_t m = 0; m < matrices; ++m, zeros += series_.step[1] * width_) {
        if (to_[0] == 1) {
          clear_run(zeros, rows * width_);
        } else {
          copy_run(width_, rows, kZeroElement.data(), 0, zeros, to_[0] * width_);
        }
      }
    }
  }
  std::int64_t meet(std::int64_t j) const noexcept {
    return std::clamp<std::int64_t>(lower_ ? j - shift_ : j - shift_ + 1, 0, rows_);
  }

  const std::byte* x_;
  std::byte* y_;
  std::int64_t width_, rows_, columns_, shift_;
  bool lower_;
  // The operand is copied whole before the blocks are cleared: its matrices lie among each other, so that every one of
  // its lines holds elements of many, and a block by itself would read it again.
  bool whole_ = false;
  Shape shape_;       // of the operand, if whole_
  Dims from_, to_;    // strides of all axes
  BoxAxes<2> batch_;  // but the finest axis of it
  BoxAxis<2> series_{1, {0, 0}};
  std::int64_t part_ = 1, column_parts_ = 1;      // columns of a block; blocks of a matrix
  std::int64_t matrices_ = 1, series_parts_ = 1;  // matrices of a block; blocks of the finest batch axis
};

}  // namespace

void copy_triangles(KernelContext& context, const TensorRead& x, const TensorWrite& out, std::int64_t shift,
                    bool lower) {
  if (out.count() > 0) Triangles(x, out, shift, lower).run(context);
}

}  // namespace tenferro::internal
