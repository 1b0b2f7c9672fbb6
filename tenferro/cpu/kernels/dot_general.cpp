// SPDX-License-Identifier: MIT OR Apache-2.0
// Contractions: axes become a batch of matrix products, which our kernels take as they lie. A library gets operands as
// they lie where it can read them, and copies where it cannot. What decides the order of a sum (order of axes, tiles of
// the library, choice of kernel) follows from dtype and shapes alone, so that results do not depend on strides or on
// the number of threads.
#include <algorithm>
#include <limits>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/gemm_provider.hpp"
#include "tenferro/cpu/kernel_table.hpp"
#include "tenferro/cpu/kernels/contraction_plan.hpp"
#include "tenferro/cpu/kernels/gemm_blas.hpp"
#include "tenferro/cpu/kernels/gemm_packed.hpp"
#include "tenferro/cpu/kernels/gemm_small.hpp"
#include "tenferro/cpu/kernels/gemm_types.hpp"
#include "tenferro/cpu/kernels/gemv.hpp"
#include "tenferro/cpu/kernels/strided_copy.hpp"
#include "tenferro/cpu/kernels/workspaces.hpp"

namespace tenferro {
namespace internal {
namespace {

template <class T>
inline constexpr bool kHasBlas = !std::is_integral_v<T>;
template <class T>
inline constexpr std::int64_t kCost = is_complex(dtype_of<T>) ? 4 : 1;

using calibration::kOneTile;
using calibration::kSmallProduct;

// Sizes of the tiles into which one product is split.
struct Tiles {
  std::int64_t rows, cols;
  std::int64_t across(std::int64_t m) const noexcept { return (m + rows - 1) / rows; }
  std::int64_t along(std::int64_t n) const noexcept { return (n + cols - 1) / cols; }
};

// Halves the longer side until there are enough tiles for the work, whole numbers of every kernel's register tile.
Tiles tiles_for(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch, std::int64_t cost) noexcept {
  using calibration::kTileLeast, calibration::kTileMultiple;
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k * cost);
  const double most =
      (work >= calibration::kManyTiles * static_cast<double>(kOneTile) ? 2 : 1) * calibration::kFewestTiles;
  const double wanted = std::min(work / static_cast<double>(kOneTile), most) / static_cast<double>(batch);
  Tiles tiles{m, n};
  for (std::int64_t made = 1; static_cast<double>(made) < wanted; made *= 2) {
    std::int64_t& longer = tiles.cols >= tiles.rows ? tiles.cols : tiles.rows;
    if (longer < kTileLeast) break;
    longer = ((longer + 1) / 2 + kTileMultiple - 1) / kTileMultiple * kTileMultiple;
  }
  return tiles;
}

bool fits_int(std::int64_t n) noexcept { return n <= std::numeric_limits<int>::max(); }

// How a product of matrices is computed: a function of dtype and shape alone.
enum class Way : std::uint8_t { vector, small, packed, blas };

template <class T>
Way way_of(std::int64_t m, std::int64_t n, std::int64_t k) noexcept {
  if (m == 1 || n == 1) return Way::vector;
  constexpr double kMost = 0x1p62;
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  if constexpr (kHasBlas<T>) {
    const auto counted = static_cast<std::int64_t>(std::min(work, kMost));
    const bool fits = fits_int(m) && fits_int(n) && fits_int(k);
    if (fits && gemm_provider(dtype_of<T>, counted) == GemmProvider::openblas) return Way::blas;
  }
  const bool thin = std::min({m, n, k}) <= calibration::kThin;
  return thin || work < static_cast<double>(calibration::kPackedFrom) ? Way::small : Way::packed;
}

// As BLAS takes it, or with null data if it cannot.
template <class T>
BlasMatrix<T> as_blas(const StridedMatrix<const T>& x, std::int64_t rows, std::int64_t cols) noexcept {
  const bool conj = is_complex(dtype_of<T>) && x.conj;
  if ((x.row == 1 || rows == 1) && (x.col >= rows || cols == 1)) {
    const std::int64_t ld = cols == 1 ? rows : x.col;
    if (fits_int(ld)) return {x.data, ld, false, conj};
  }
  if ((x.col == 1 || cols == 1) && (x.row >= cols || rows == 1)) {
    const std::int64_t ld = rows == 1 ? cols : x.row;
    if (fits_int(ld)) return {x.data, ld, true, conj};
  }
  return {nullptr, 0, false, false};
}

template <class T>
class Contraction {
 public:
  Contraction(KernelContext& context, const DotGeneralConfig& config, const TensorRead& lhs, const TensorRead& rhs,
              const TensorWrite& out, const Blend<T>& blend)
      : context_(context),
        plan_(plan_contraction(config, lhs, rhs, out)),
        a_{lhs.as<T>(), 0, 0, config.lhs_conj},
        b_{rhs.as<T>(), 0, 0, config.rhs_conj},
        c_{out.as<T>(), 0, 0},
        blend_(blend) {}

  void run() {
    if (plan_.m_count * plan_.n_count * plan_.batch_count == 0) return;
    if (plan_.k_count == 0 || blend_.alpha == T(0)) return scale();
    if (plan_.m_count == 1 && plan_.n_count == 1 && plan_.k_count == 1 && !plan_.batch.empty()) return elementwise();
    const Way way = way_of<T>(plan_.m_count, plan_.n_count, plan_.k_count);
    if (way == Way::packed) {
      return gemm_packed<T>(context_, plan_, {a_.data, a_.conj}, {b_.data, b_.conj}, c_.data, blend_);
    }
    settle(plan_.m, plan_.k, kLhs, a_, packed_a_);
    settle(plan_.k, plan_.n, kRhs, b_, packed_b_);
    const auto row = single_step(plan_.m, kOut), col = single_step(plan_.n, kOut);
    const bool direct = row && col && (way != Way::blas || (*row == 1 && *col >= plan_.m_count && fits_int(*col)));
    if (direct) {
      c_.row = *row;
      c_.col = *col;
      return multiply(way);
    }
    through_scratch(way);
  }

 private:
  using Boxes = BoxAxes<3>;

  void multiply(Way way) {
    if (way == Way::vector) return multiply_vector();
    if (way == Way::small) return multiply_small();
    if constexpr (kHasBlas<T>) multiply_by_blas();
  }

  // The axes of one tensor in order: two groups, then the batch axes along which it changes.
  struct Walk {
    Dims shape, strides, compact;
  };
  Walk walk(const Boxes& first, const Boxes& second, std::size_t tensor) const {
    Walk w;
    for (const Boxes* group : {&first, &second, &plan_.batch}) {
      for (const auto& axis : *group) {
        if (group == &plan_.batch && axis.step[tensor] == 0) continue;
        w.shape.push_back(axis.extent);
        w.strides.push_back(axis.step[tensor]);
      }
    }
    w.compact = col_major_strides(w.shape);
    return w;
  }
  static std::uint64_t bytes_of(const Walk& w) {
    return static_cast<std::uint64_t>(element_count(w.shape).value_or(0)) * sizeof(T);
  }
  // Makes the plan see the compact copy of a tensor. Returns (row, col) steps.
  void follow(const Walk& w, std::size_t groups, std::size_t tensor) {
    std::size_t at = groups;
    for (auto& axis : plan_.batch) {
      if (axis.step[tensor] != 0) axis.step[tensor] = w.compact[at++];
    }
  }

  void pack(const Boxes& rows, const Boxes& cols, std::size_t tensor, StridedMatrix<const T>& x, Buffer& copy) {
    const Walk w = walk(rows, cols, tensor);
    copy = context_.scratch(bytes_of(w));
    strided_copy(context_, sizeof(T), w.shape, reinterpret_cast<const std::byte*>(x.data), w.strides, copy.data(),
                 w.compact);
    x.data = reinterpret_cast<const T*>(copy.data());
    x.row = 1;
    x.col = box_count(rows);
    follow(w, rows.size() + cols.size(), tensor);
  }

  // Two steps for a tensor whose groups run on evenly; a packed copy for others.
  void settle(const Boxes& rows, const Boxes& cols, std::size_t tensor, StridedMatrix<const T>& x, Buffer& copy) {
    const auto row = single_step(rows, tensor), col = single_step(cols, tensor);
    if (!row || !col) return pack(rows, cols, tensor, x, copy);
    x.row = *row;
    x.col = *col;
  }

  void through_scratch(Way way) {
    const Walk w = walk(plan_.m, plan_.n, kOut);
    Buffer work = context_.scratch(bytes_of(w));
    std::byte* const out = reinterpret_cast<std::byte*>(c_.data);
    if (blend_.beta != T(0)) strided_copy(context_, sizeof(T), w.shape, out, w.strides, work.data(), w.compact);
    c_ = {reinterpret_cast<T*>(work.data()), 1, plan_.m_count};
    follow(w, plan_.m.size() + plan_.n.size(), kOut);
    multiply(way);
    strided_copy(context_, sizeof(T), w.shape, work.data(), w.compact, out, w.strides);
  }

  // out = beta·out: nothing to sum, or alpha = 0.
  void scale() {
    BoxAxes<1> axes;
    for (const Boxes* group : {&plan_.m, &plan_.n, &plan_.batch}) {
      for (const auto& axis : *group) append_axis<1>(axes, {axis.extent, {axis.step[kOut]}});
    }
    parallel_runs<1>(context_, axes, {0}, 1.0, [&](std::int64_t count, const Offsets<1>& at, const Offsets<1>& step) {
      const Blend<T> blend{T(1), blend_.beta};
      for (std::int64_t i = 0; i < count; ++i) blend(c_.data + at[0] + i * step[0], T(0));
    });
  }

  void elementwise() {
    parallel_runs<3>(
        context_, plan_.batch, {0, 0, 0}, 1.0, [&](std::int64_t count, const Offsets<3>& at, const Offsets<3>& step) {
          const T* a = a_.data + at[kLhs];
          const T* b = b_.data + at[kRhs];
          T* c = c_.data + at[kOut];
          for (std::int64_t i = 0; i < count; ++i) {
            // A sum begins at +0.
            blend_(c + i * step[kOut], scalar::add(T(0), scalar::mul(conjugate_if(a_.conj, a[i * step[kLhs]]),
                                                                     conjugate_if(b_.conj, b[i * step[kRhs]]))));
          }
        });
  }

  // f(first, last) over items, without the detour where there is little to do.
  template <class F>
  void share(std::int64_t items, double ns_per_item, F&& f) {
    if (items == 1) return f(std::int64_t{0}, std::int64_t{1});
    context_.parallel_for(items, ns_per_item, f);
  }

  void multiply_vector() {
    // The matrix is the operand that has the free axis; a product of two vectors has one row.
    const bool left = plan_.n_count == 1;
    const std::size_t matrix = left ? kLhs : kRhs, other = left ? kRhs : kLhs;
    const std::int64_t rows = left ? plan_.m_count : plan_.n_count, k = plan_.k_count;
    if (std::int64_t& step = left ? b_.row : a_.col; step != 1 && rows * k >= 512) {
      // One pass over the vector makes the passes over the matrix run at full width.
      left ? pack(plan_.k, plan_.n, kRhs, b_, packed_b_) : pack(plan_.m, plan_.k, kLhs, a_, packed_a_);
    }
    const StridedMatrix<const T> a = left ? a_ : StridedMatrix<const T>{b_.data, b_.col, b_.row, b_.conj};
    const StridedVector<const T> x =
        left ? StridedVector<const T>{b_.data, b_.row, b_.conj} : StridedVector<const T>{a_.data, a_.col, a_.conj};
    const StridedVector<T> y{c_.data, left ? c_.row : c_.col};
    if (rows == 1 && plan_.batch_count == 1 && k > 2 * kGemvChunk<T>) return long_dot({a.data, a.col, a.conj}, x);
    // Rows are independent of each other, so that their blocks change no sum.
    const std::int64_t share_of_lane = context_.lanes() == 1 ? rows : rows / (std::int64_t{2} * context_.lanes()),
                       block = std::min(share_of_lane / 64 * 64 + 64, kGemvRows<T>),
                       blocks = (rows + block - 1) / block;
    const double ns = static_cast<double>(std::min(rows, block) * k * kCost<T>) * calibration::kMultiplyAddVectorNs +
                      calibration::kVectorBlockNs;
    share(blocks * plan_.batch_count, ns, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t item = first; item < last; ++item) {
        const std::int64_t i = item % blocks * block;
        const Offsets<3> at = offsets_at<3>(plan_.batch, item / blocks);
        gemv_rows<T>(std::min(block, rows - i), k, {a.at(i, 0) + at[matrix], a.row, a.col, a.conj},
                     {x.data + at[other], x.step, x.conj}, {y.data + at[kOut] + i * y.step, y.step}, blend_, rows == 1);
      }
    });
  }

  // One long dot product: a partial sum per chunk, added pairwise.
  void long_dot(const StridedVector<const T>& a, const StridedVector<const T>& x) {
    const std::int64_t k = plan_.k_count;
    std::int64_t parts = (k + kGemvChunk<T> - 1) / kGemvChunk<T>;
    Buffer work = context_.scratch(static_cast<std::uint64_t>(parts) * sizeof(T));
    T* sums = reinterpret_cast<T*>(work.data());
    context_.parallel_for(parts, kGemvChunk<T> * kCost<T> * calibration::kMultiplyAddVectorNs,
                          [&](std::int64_t first, std::int64_t last) {
                            for (std::int64_t part = first; part < last; ++part) {
                              const std::int64_t p = part * kGemvChunk<T>;
                              sums[part] =
                                  dot_chunk<T>(std::min(kGemvChunk<T>, k - p), {a.data + p * a.step, a.step, a.conj},
                                               {x.data + p * x.step, x.step, x.conj});
                            }
                          });
    while (parts > 1) {
      const std::int64_t half = parts / 2;
      for (std::int64_t i = 0; i < half; ++i) sums[i] = scalar::add(sums[2 * i], sums[2 * i + 1]);
      if (parts % 2 != 0) sums[half] = sums[parts - 1];
      parts = half + parts % 2;
    }
    blend_(c_.data, sums[0]);
  }

  // Small products: runs of a batch, and parts of the rows or columns where there are few products for the lanes.
  // Neither changes a sum.
  void multiply_small() {
    const std::int64_t m = plan_.m_count, n = plan_.n_count, k = plan_.k_count;
    Boxes outer = plan_.batch;
    BoxAxis<3> run{1, {0, 0, 0}};
    if (!outer.empty()) {
      // Items that are neighbours in memory run across lanes.
      const auto straight = [](const BoxAxis<3>& axis) { return axis.step == Offsets<3>{1, 1, 1}; };
      const auto found = std::find_if(outer.begin(), outer.end(), straight) - outer.begin();
      const auto axis = static_cast<std::size_t>(found) % outer.size();
      run = outer[axis];
      outer.erase(axis);
    }
    const double ns = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k * kCost<T>) *
                          calibration::kMultiplyAddNs +
                      calibration::kTileNs;
    const std::int64_t twice_the_lanes = std::int64_t{2} * context_.lanes();
    const std::int64_t parts =
        plan_.batch_count < twice_the_lanes && ns >= calibration::kMinRegionNs ? twice_the_lanes : 1;
    const auto cut = [&](std::int64_t extent, std::int64_t unit) {
      return std::max((extent / parts + unit - 1) / unit * unit, unit);
    };
    const bool by_cols = n >= m;
    const std::int64_t rows = by_cols || parts == 1 ? m : cut(m, calibration::kTileMultiple);
    const std::int64_t cols = !by_cols || parts == 1 ? n : cut(n, calibration::kSmallColumns);
    const std::int64_t across = (m + rows - 1) / rows, tiles = across * ((n + cols - 1) / cols);
    // Whole vectors where items lie side by side, and several lines of memory where there are enough of them.
    const bool side_by_side = run.step == Offsets<3>{1, 1, 1};
    const std::int64_t unit = !side_by_side ? 1 : run.extent >= std::int64_t{128} * context_.lanes() ? 64 : 16;
    const std::int64_t enough = static_cast<std::int64_t>(calibration::kMinChunkNs / ns) / unit * unit;
    const std::int64_t items = std::min(std::max(enough, unit), run.extent);
    const std::int64_t runs = (run.extent + items - 1) / items;
    const double part_ns = ns / static_cast<double>(tiles) * static_cast<double>(items);
    const std::int64_t parts_in_all = box_count(outer) * runs * tiles;
    const BatchCopies copies = side_by_side && items > 1 ? batch_copies<T>(rows, cols, k, a_, b_) : BatchCopies{};
    Workspaces spaces(context_, static_cast<std::uint64_t>(copies.bytes), parts_in_all);
    share(parts_in_all, part_ns, [&](std::int64_t first, std::int64_t last) {
      const Workspaces::Lease lease(spaces);
      for (std::int64_t part = first; part < last; ++part) {
        const std::int64_t i = part % tiles % across * rows, j = part % tiles / across * cols;
        const std::int64_t item = part / tiles % runs * items;
        Offsets<3> at = offsets_at<3>(outer, part / tiles / runs);
        for (std::size_t x = 0; x < at.size(); ++x) at[x] += item * run.step[x];
        gemm_batched<T>(
            std::min(rows, m - i), std::min(cols, n - j), k, {a_.at(i, 0) + at[kLhs], a_.row, a_.col, a_.conj},
            {b_.at(0, j) + at[kRhs], b_.row, b_.col, b_.conj}, {c_.at(i, j) + at[kOut], c_.row, c_.col}, blend_,
            {std::min(items, run.extent - item), run.step[kLhs], run.step[kRhs], run.step[kOut]}, copies, lease.data());
      }
    });
  }

  void multiply_by_blas() {
    require_usable_here(blas_provider().declaration);
    const std::int64_t m = plan_.m_count, n = plan_.n_count, k = plan_.k_count;
    const Tiles tiles = tiles_for(m, n, k, plan_.batch_count, kCost<T>);
    const std::int64_t last_rows = m - (tiles.across(m) - 1) * tiles.rows;
    const std::int64_t last_cols = n - (tiles.along(n) - 1) * tiles.cols;
    const bool straight = !is_complex(dtype_of<T>) && last_rows * last_cols <= kSmallProduct / k;
    BlasMatrix<T> a = as_blas(a_, m, k), b = as_blas(b_, k, n);
    if (a.data == nullptr || (straight && a.transposed)) {
      pack(plan_.m, plan_.k, kLhs, a_, packed_a_);
      a = as_blas(a_, m, k);
    }
    if (b.data == nullptr || (straight && b.transposed)) {
      pack(plan_.k, plan_.n, kRhs, b_, packed_b_);
      b = as_blas(b_, k, n);
    }
    for_tiles(tiles, [&](const Offsets<3>& at, std::int64_t i, std::int64_t j, std::int64_t rows, std::int64_t cols) {
      BlasMatrix<T> left = a, right = b;
      left.data = a_.at(i, 0) + at[kLhs];
      right.data = b_.at(0, j) + at[kRhs];
      blas_gemm<T>(rows, cols, k, blend_.alpha, left, right, blend_.beta, c_.at(i, j) + at[kOut], c_.col);
    });
  }

  // f(batch offsets, i, j, rows, cols) for every tile of every batch.
  template <class F>
  void for_tiles(const Tiles& tiles, F&& f) {
    const std::int64_t m = plan_.m_count, n = plan_.n_count;
    const std::int64_t across = tiles.across(m), a_batch = across * tiles.along(n);
    const double work = static_cast<double>(tiles.rows * tiles.cols) * static_cast<double>(plan_.k_count * kCost<T>);
    const double ns = work * calibration::kMultiplyAddNs + calibration::kTileNs;
    share(a_batch * plan_.batch_count, ns, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t item = first; item < last; ++item) {
        const Offsets<3> at = offsets_at<3>(plan_.batch, item / a_batch);
        const std::int64_t tile = item % a_batch;
        const std::int64_t i = tile % across * tiles.rows, j = tile / across * tiles.cols;
        f(at, i, j, std::min(tiles.rows, m - i), std::min(tiles.cols, n - j));
      }
    });
  }

  KernelContext& context_;
  ContractionPlan plan_;
  StridedMatrix<const T> a_, b_;
  StridedMatrix<T> c_;
  Blend<T> blend_;
  Buffer packed_a_, packed_b_;
};

// The step of an axis of a view; one of no consequence is 1.
template <class Byte>
std::int64_t step_of(const internal::Borrowed<Byte>& x, std::size_t axis) noexcept {
  return x.extents[axis] == 1 ? 1 : x.strides[axis];
}

// An operand of which axis `col` are the columns and the other one of axes 0 and 1 the rows.
template <bool kCompact, class T, class Byte>
StridedMatrix<T> matrix_of(T* data, const internal::Borrowed<Byte>& x, std::size_t col, bool conj) noexcept {
  if (!kCompact && !x.compact()) return {data, step_of(x, 1 - col), step_of(x, col), conj};
  return {data, col == 1 ? 1 : x.extents[0], col == 1 ? x.extents[0] : 1, conj};
}

// Two matrices, or a batch of them along the last axes, small enough for one call: no plan is needed. kCompact says
// that all of them lie compactly; their steps are known then.
template <bool kCompact, class T>
bool multiply_plainly(const DotGeneralConfig& config, const TensorRead& lhs, const TensorRead& rhs,
                      const TensorWrite& out, const Blend<T>& blend) {
  const std::uint8_t left = config.lhs_contracting()[0], right = config.rhs_contracting()[0];
  if (left > 1 || right > 1) return false;
  const std::int64_t m = lhs.extents[1 - left], k = lhs.extents[left], n = rhs.extents[1 - right];
  constexpr std::int64_t kMost = calibration::kOneSmallCall;
  static_assert(kMost < calibration::kPackedFrom);
  if (m < 2 || n < 2 || k < 1 || m > kMost || n > kMost || k > kMost || m * n > kMost / k) return false;
  const std::int64_t work = m * n * k;
  if (blend.alpha == T(0)) return false;
  if constexpr (kHasBlas<T>) {
    if (gemm_provider(dtype_of<T>, work) == GemmProvider::openblas) return false;
  }
  std::int64_t batch = 1;
  for (std::size_t i = 2; i < lhs.axis_count; ++i) {
    if (lhs.extents[i] < 1 || lhs.extents[i] > kMost) return false;
    batch *= lhs.extents[i];
    if (batch > kMost / work) return false;
  }
  const auto a = matrix_of<kCompact>(lhs.as<T>(), lhs, left, config.lhs_conj);
  const auto b = matrix_of<kCompact>(rhs.as<T>(), rhs, 1U - right, config.rhs_conj);
  const auto c = matrix_of<kCompact>(out.as<T>(), out, 1, false);
  if constexpr (kCompact) {
    if (batch == 1) {
      gemm_small<T>(m, n, k, a, b, c, blend);
    } else {
      gemm_batched<T>(m, n, k, a, b, c, blend, {batch, m * k, k * n, m * n});
    }
  } else {
    if (lhs.axis_count > 3 || batch_copies<T>(m, n, k, a, b).bytes != 0) return false;
    const auto step = [](const auto& x) {
      return x.axis_count < 3 ? 0 : x.compact() ? x.extents[0] * x.extents[1] : step_of(x, 2);
    };
    gemm_batched<T>(m, n, k, a, b, c, blend, {batch, step(lhs), step(rhs), step(out)});
  }
  return true;
}

// Whether the batch axes are the last ones of both operands, in order.
inline bool batch_comes_last(const DotGeneralConfig& config) noexcept {
  const auto lhs = config.lhs_batch(), rhs = config.rhs_batch();
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    if (lhs[i] != i + 2 || rhs[i] != i + 2) return false;
  }
  return true;
}

// The same for compact products with a vector, short enough for one block.
template <class T>
bool multiply_vector_plainly(const DotGeneralConfig& config, const TensorRead& lhs, const TensorRead& rhs,
                             const TensorWrite& out, const Blend<T>& blend) {
  const std::uint8_t left = config.lhs_contracting()[0], right = config.rhs_contracting()[0];
  const bool matrix_left = lhs.axis_count == 2;
  const TensorRead& matrix = matrix_left ? lhs : rhs;
  const std::uint8_t axis = matrix_left ? left : right;
  const std::int64_t k = lhs.extents[left], rows = matrix.axis_count == 2 ? matrix.extents[1 - axis] : 1;
  if (rows < 1 || k < 1 || rows > kGemvRows<T> || k > kGemvChunk<T> || rows * k > calibration::kOneVectorBlock)
    return false;
  if (blend.alpha == T(0)) return false;
  const StridedMatrix<const T> a{matrix.as<T>(), axis == 1 ? 1 : k, axis == 1 ? rows : 1,
                                 matrix_left ? config.lhs_conj : config.rhs_conj};
  const StridedVector<const T> x{(matrix_left ? rhs : lhs).as<T>(), 1, matrix_left ? config.rhs_conj : config.lhs_conj};
  gemv_rows<T>(rows, k, a, x, {out.as<T>(), 1}, blend, rows == 1);
  return true;
}

template <bool kCompact, class T>
bool contract_plainly(const DotGeneralConfig& config, const TensorRead& lhs, const TensorRead& rhs,
                      const TensorWrite& out, const Blend<T>& blend) {
  if (config.lhs_contracting().size() != 1) return false;
  const std::size_t batch_axes = config.lhs_batch().size();
  if (lhs.axis_count == batch_axes + 2 && rhs.axis_count == batch_axes + 2) {
    return (batch_axes == 0 || batch_comes_last(config)) && multiply_plainly<kCompact, T>(config, lhs, rhs, out, blend);
  }
  if (!kCompact || batch_axes != 0 || lhs.axis_count + rhs.axis_count > 3) return false;
  return multiply_vector_plainly<T>(config, lhs, rhs, out, blend);
}

template <class T>
void contract(KernelContext& context, const DotGeneralConfig& config, const TensorRead& lhs, const TensorRead& rhs,
              const TensorWrite& out, const Blend<T>& blend) {
  const bool compact = lhs.compact() && rhs.compact() && out.compact();
  if (compact ? contract_plainly<true, T>(config, lhs, rhs, out, blend)
              : contract_plainly<false, T>(config, lhs, rhs, out, blend))
    return;
  Contraction<T>(context, config, lhs, rhs, out, blend).run();
}

template <class T>
struct DotGeneral {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    contract<T>(context, op.as<DotGeneralConfig>(), in[0], in[1], out[0], {T(1), T(0)});
  }
};

}  // namespace

constexpr CpuKernelTable kContractionKernels = {
    {OpKind::dot_general, kernels_for_row<OpKind::dot_general, DotGeneral>()}};
TENFERRO_COVERS(kContractionKernels, OpCategory::contraction);

}  // namespace internal

void cpu_dot_general(KernelContext& context, const DotGeneralConfig& config, const TensorRead& lhs,
                     const TensorRead& rhs, const TensorWrite& out, const void* alpha, const void* beta) {
  visit_dtype(lhs.dtype, [&]<class T>(TypeTag<T>) {
    if constexpr (std::is_same_v<T, bool>) {
      assert(false);
    } else {
      internal::contract<T>(context, config, lhs, rhs, out,
                            {*static_cast<const T*>(alpha), *static_cast<const T*>(beta)});
    }
  });
}

}  // namespace tenferro
