// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/gemm_packed.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/gemm_panels.hpp"
#include "tenferro/cpu/kernels/workspaces.hpp"
#include "tenferro/cpu/machine_calibration.hpp"

namespace tenferro::internal {
namespace {

// A left operand is not packed if the terms of a block reach no further than this, a part of the second cache, or if it
// meets no more columns than that. Neither fixes bits.
constexpr std::int64_t kLyingBytes = std::int64_t{1} << 19, kLyingColumns = 64;

constexpr std::int64_t ceil_div(std::int64_t n, std::int64_t d) noexcept {
  assert(d > 0);
  return (n + d - 1) / d;
}

// Length of the fewest equal parts of `whole` that are at most `most` long, rounded up to a unit.
constexpr std::int64_t part_of(std::int64_t whole, std::int64_t most, std::int64_t unit) noexcept {
  const std::int64_t parts = ceil_div(whole, std::max(most, unit));
  return ceil_div(ceil_div(whole, parts), unit) * unit;
}

// The indices of one group in one tensor.
class Group {
 public:
  Group(const BoxAxes<3>& axes, std::size_t tensor) {
    for (const BoxAxis<3>& axis : axes) append_axis<1>(axes_, {axis.extent, {axis.step[tensor]}});
  }
  // Offsets of `count` indices from `first` on.
  void list(std::int64_t first, std::int64_t count, std::int64_t* at) const noexcept {
    if (axes_.size() < 2) {
      const std::int64_t step = axes_.empty() ? 0 : axes_[0].step[0];
      for (std::int64_t i = 0; i < count; ++i) at[i] = (first + i) * step;
      return;
    }
    for (BoxWalker<1> walker(axes_, first); count > 0; --count, walker.next()) *at++ = walker.at()[0];
  }
  // Whether neighbours lie side by side, for a while at least.
  bool straight() const noexcept { return !axes_.empty() && axes_[0].step[0] == 1; }

 private:
  BoxAxes<1> axes_;
};

// Whether these offsets follow each other by one step, and by which.
bool even(const std::int64_t* at, std::int64_t count) noexcept {
  for (std::int64_t i = 2; i < count; ++i) {
    if (at[i] - at[i - 1] != at[1] - at[0]) return false;
  }
  return true;
}
std::int64_t step_of(const std::int64_t* at, std::int64_t count) noexcept { return count > 1 ? at[1] - at[0] : 1; }

template <class T>
class PackedProduct {
 public:
  PackedProduct(KernelContext& context, const ContractionPlan& plan, GemmOperand<T> a, GemmOperand<T> b, T* c,
                Blend<T> blend)
      : context_(context),
        plan_(plan),
        // Rows of the result run through vectors.
        turned_(!Group(plan.m, kOut).straight() && Group(plan.n, kOut).straight()),
        left_(turned_ ? kRhs : kLhs),
        right_(turned_ ? kLhs : kRhs),
        a_(turned_ ? b : a),
        b_(turned_ ? a : b),
        c_(c),
        blend_(blend),
        m_(turned_ ? plan.n_count : plan.m_count),
        n_(turned_ ? plan.m_count : plan.n_count),
        k_(plan.k_count),
        a_rows_(rows(), left_),
        b_cols_(cols(), right_),
        a_depth_(plan.k, left_),
        b_depth_(plan.k, right_),
        c_rows_(rows(), kOut),
        c_cols_(cols(), kOut) {}

  void run() {
    cut();
    const std::int64_t tiles = across_ * along_, items = tiles * plan_.batch_count;
    Workspaces spaces(context_, workspace_bytes(), items);
    const double ns = calibration::kMultiplyAddNs * (is_complex(dtype_of<T>) ? 4 : 1) *
                      static_cast<double>(tile_m_ * tile_n_) * static_cast<double>(k_);
    context_.parallel_for(items, ns, [&](std::int64_t first, std::int64_t last) {
      const Workspaces::Lease lease(spaces);
      for (std::int64_t item = first; item < last; ++item) {
        const std::int64_t tile = item % tiles, i = tile % across_ * tile_m_, j = tile / across_ * tile_n_;
        multiply(lease.data(), offsets_at<3>(plan_.batch, item / tiles), i, std::min(tile_m_, m_ - i), j,
                 std::min(tile_n_, n_ - j));
      }
    });
  }

 private:
  const BoxAxes<3>& rows() const noexcept { return turned_ ? plan_.n : plan_.m; }
  const BoxAxes<3>& cols() const noexcept { return turned_ ? plan_.m : plan_.n; }

  // Tiles for the lanes, about as long as wide, and the blocks of a tile. Neither fixes bits, but for the depth.
  void cut() {
    constexpr std::int64_t kSize = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t lanes = context_.lanes();
    const std::int64_t wanted = lanes == 1 ? 1 : ceil_div(2 * lanes, plan_.batch_count);
    // Every tile packs its rows and columns, but for columns that are multiplied where they lie.
    constexpr double kLyingWeight = 0.25;
    const double weight = !is_complex(dtype_of<T>) && b_depth_.straight() ? kLyingWeight : 1;
    double best = 0;
    for (std::int64_t across = 1; across <= wanted; ++across) {
      const std::int64_t rows = part_of(m_, ceil_div(m_, across), kernels_.rows.unit),
                         cols = part_of(n_, ceil_div(n_, ceil_div(wanted, across)), kernels_.cols.most);
      const double tiles = static_cast<double>(ceil_div(m_, rows) * ceil_div(n_, cols)),
                   moved = tiles * (static_cast<double>(rows) + weight * static_cast<double>(cols));
      if (across > 1 && moved >= best) continue;
      best = moved;
      tile_m_ = rows;
      tile_n_ = cols;
    }
    across_ = ceil_div(m_, tile_m_);
    along_ = ceil_div(n_, tile_n_);
    const MachineCalibration& figures = machine_calibration();
    depth_ = part_of(k_, figures.depth_bytes / kSize, 1);
    const std::int64_t most_rows = std::min(figures.left_block_bytes / kSize / depth_, kPanelBlockRows);
    block_m_ = part_of(tile_m_, most_rows / kernels_.rows.most * kernels_.rows.most, kernels_.rows.most);
    block_n_ = part_of(tile_n_, figures.right_block_bytes / kSize / depth_, kernels_.cols.most);
  }

  // Of a packed block, up to the next line of the cache.
  std::int64_t bytes_of(std::int64_t lanes) const noexcept {
    return ceil_div(lanes * depth_ * static_cast<std::int64_t>(sizeof(T)), 64) * 64;
  }

  std::uint64_t workspace_bytes() const noexcept {
    const std::int64_t lists = 2 * (depth_ + block_m_ + block_n_) * static_cast<std::int64_t>(sizeof(std::int64_t));
    return static_cast<std::uint64_t>(bytes_of(block_m_) + bytes_of(block_n_) + lists);
  }

  void multiply(std::byte* space, const Offsets<3>& at, std::int64_t i0, std::int64_t m, std::int64_t j0,
                std::int64_t n) const {
    T* const packed_a = reinterpret_cast<T*>(space);
    space += bytes_of(block_m_);
    T* const packed_b = reinterpret_cast<T*>(space);
    std::int64_t* const a_depth = reinterpret_cast<std::int64_t*>(space + bytes_of(block_n_));
    std::int64_t* const b_depth = a_depth + depth_;
    std::int64_t *const a_rows = b_depth + depth_, *const c_rows = a_rows + block_m_;
    std::int64_t *const b_cols = c_rows + block_m_, *const c_cols = b_cols + block_n_;
    for (std::int64_t j = 0; j < n; j += block_n_) {
      const std::int64_t cols = std::min(block_n_, n - j);
      b_cols_.list(j0 + j, cols, b_cols);
      c_cols_.list(j0 + j, cols, c_cols);
      for (std::int64_t p = 0; p < k_; p += depth_) {
        const std::int64_t terms = std::min(depth_, k_ - p);
        a_depth_.list(p, terms, a_depth);
        b_depth_.list(p, terms, b_depth);
        const std::int64_t b_lying = columns_lying(b_depth, terms, cols);
        kernels_.pack({b_.data + at[right_], b_cols + b_lying, b_depth, b_.conj}, cols - b_lying, terms, kernels_.cols,
                      packed_b);
        const Blend<T> blend{blend_.alpha, p == 0 ? blend_.beta : T(1)};
        for (std::int64_t i = 0; i < m; i += block_m_) {
          const std::int64_t rows = std::min(block_m_, m - i);
          a_rows_.list(i0 + i, rows, a_rows);
          c_rows_.list(i0 + i, rows, c_rows);
          const std::int64_t a_lying = rows_lying(a_rows, rows, a_depth, terms, cols);
          kernels_.pack({a_.data + at[left_], a_rows + a_lying, a_depth, a_.conj}, rows - a_lying, terms, kernels_.rows,
                        packed_a);
          // Up to four rectangles: operands that lie, and their packed rests.
          for (const bool a_lies : {true, false}) {
            for (const bool b_lies : {true, false}) {
              const std::int64_t first_row = a_lies ? 0 : a_lying, first_col = b_lies ? 0 : b_lying;
              const PanelBlock<T> block{a_lies ? a_.data + at[left_] + a_depth[0] : packed_a,
                                        b_lies ? b_.data + at[right_] + b_depth[0] : packed_b,
                                        (a_lies ? a_lying : rows) - first_row,
                                        (b_lies ? b_lying : cols) - first_col,
                                        terms,
                                        a_lies ? a_rows : nullptr,
                                        step_of(a_depth, terms),
                                        b_lies ? b_cols : nullptr,
                                        turned_};
              if (block.m * block.n == 0) continue;
              kernels_.multiply(block, {c_ + at[kOut], c_rows + first_row, c_cols + first_col}, blend);
            }
          }
        }
      }
    }
  }

  // Columns that are multiplied where they lie: those that fill panels, if their terms are neighbours.
  std::int64_t columns_lying(const std::int64_t* depth, std::int64_t terms, std::int64_t cols) const noexcept {
    if (is_complex(dtype_of<T>) || step_of(depth, terms) != 1 || !even(depth, terms)) return 0;
    return cols / kernels_.cols.most * kernels_.cols.most;
  }

  // The same of rows, in whole vectors: neighbours within each panel, one step for all terms, and either near enough to
  // stay in the second cache, or used so seldom that packing does not pay.
  std::int64_t rows_lying(const std::int64_t* at, std::int64_t rows, const std::int64_t* depth, std::int64_t terms,
                          std::int64_t cols) const noexcept {
    if (is_complex(dtype_of<T>) || !even(depth, terms)) return 0;
    const std::int64_t reach = std::abs(step_of(depth, terms)) * terms * static_cast<std::int64_t>(sizeof(T));
    if (reach > kLyingBytes && cols > kLyingColumns) return 0;
    const std::int64_t most = kernels_.rows.most, whole = rows / kernels_.rows.unit * kernels_.rows.unit;
    for (std::int64_t i = 0; i < whole; i += most) {
      const std::int64_t panel = std::min(most, whole - i);
      if (step_of(at + i, panel) != 1 || !even(at + i, panel)) return 0;
    }
    return whole;
  }

  KernelContext& context_;
  const ContractionPlan& plan_;
  const bool turned_;
  const std::size_t left_, right_;
  const GemmOperand<T> a_, b_;
  T* const c_;
  const Blend<T> blend_;
  const std::int64_t m_, n_, k_;
  const Group a_rows_, b_cols_, a_depth_, b_depth_, c_rows_, c_cols_;
  const PanelKernels<T>& kernels_ = panel_kernels<T>();
  std::int64_t tile_m_ = 0, tile_n_ = 0, across_ = 0, along_ = 0, depth_ = 0, block_m_ = 0, block_n_ = 0;
};

}  // namespace

template <class T>
void gemm_packed(KernelContext& context, const ContractionPlan& plan, GemmOperand<T> a, GemmOperand<T> b, T* c,
                 Blend<T> blend) {
  PackedProduct<T>(context, plan, a, b, c, blend).run();
}

template <class T, class Part>
void blend_tile(const Part* parts, std::int64_t width, std::int64_t rows, std::int64_t cols,
                const PanelTarget<T>& target, Blend<T> blend) {
  constexpr bool kComplex = is_complex(dtype_of<T>);
  for (std::int64_t j = 0; j < cols; ++j) {
    const Part* const column = parts + (kComplex ? 2 * j : j) * width;
    T* const to = target.data + target.cols[j];
    for (std::int64_t i = 0; i < rows; ++i) {
      if constexpr (kComplex) {
        blend(to + target.rows[i], T(column[i], column[width + i]));
      } else {
        blend(to + target.rows[i], static_cast<T>(column[i]));
      }
    }
  }
}

#define TENFERRO_GEMM_PACKED(T, Part)                                                                                 \
  template void gemm_packed<T>(KernelContext&, const ContractionPlan&, GemmOperand<T>, GemmOperand<T>, T*, Blend<T>); \
  template void blend_tile<T, Part>(const Part*, std::int64_t, std::int64_t, std::int64_t, const PanelTarget<T>&,     \
                                    Blend<T>);
TENFERRO_GEMM_PACKED(float, float)
TENFERRO_GEMM_PACKED(double, double)
TENFERRO_GEMM_PACKED(std::complex<float>, float)
TENFERRO_GEMM_PACKED(std::complex<double>, double)
TENFERRO_GEMM_PACKED(std::int32_t, std::uint32_t)
TENFERRO_GEMM_PACKED(std::int64_t, std::uint64_t)

}  // namespace tenferro::internal
