// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/kernels/window_copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/index_windows.hpp"
#include "tenferro/cpu/kernels/move_tiles.hpp"
#include "tenferro/tensor/internal/copy_loops.hpp"

namespace tenferro::internal {
namespace {

constexpr std::int64_t kLine = 64;

// What is fetched into the second cache while a window's element is moved: the place `bytes` further on, or the element
// of the window that comes `windows` later. Windows at random places are what processors do not foresee.
struct Fetch {
  std::int64_t bytes = 0, windows = 0;
};

// One element of each window.
template <std::size_t W, bool kToOffsets>
void move_one_of_each(const WindowCopy& w, std::byte* to, const std::byte* from, std::int64_t first, std::int64_t last,
                      const Fetch& fetch) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  const std::int64_t* const offsets = w.offsets;
  const std::int64_t step = w.batch.empty() ? 0 : w.batch[0].step[0];
  const auto move = [=](std::int64_t b) {
    const std::int64_t there = offsets[b] * kWidth, beside = b * step;
    std::memcpy(to + (kToOffsets ? there : beside), from + (kToOffsets ? beside : there), W);
  };
  std::int64_t b = first;
  if (w.outside) {
    for (; b < last; ++b) {
      if (offsets[b] != kOutside) {
        move(b);
      } else if (w.fill != nullptr) {
        std::memcpy(to + b * step, w.fill, W);
      }
    }
  } else if (fetch.bytes != 0) {
    const std::byte* const next = (kToOffsets ? to : from) + fetch.bytes;
    for (; b < last; ++b) {
      __builtin_prefetch(next + offsets[b] * kWidth, 0, 2);
      move(b);
    }
  } else if (fetch.windows != 0) {
    const std::byte* const tensor = kToOffsets ? to : from;
    const std::int64_t* const later = offsets + fetch.windows;
    for (const std::int64_t end = std::min(last, w.count - fetch.windows); b < end; ++b) {
      __builtin_prefetch(tensor + later[b] * kWidth, 0, 2);
      move(b);
    }
  }
  for (; b < last; ++b) move(b);
}

template <std::size_t W>
void copy_across(const WindowCopy& w, std::int64_t first, std::int64_t last) {
  // Lines of the tensor that serve several elements of a window wait for those; others are fetched for the next one.
  const std::int64_t inside = w.window.empty() ? 0 : w.window[0].step[w.to_offsets ? 1 : 0];
  const bool near = !w.window.empty() && std::abs(inside) < kLine;
  const bool far = w.reach > calibration::kFetchedReachBytes;
  const bool goes_on = w.goes_on && w.window.size() == 1;
  const std::int64_t block = near ? calibration::kNearWindowsAcross : calibration::kWindowsAcross;
  const auto copy = w.to_offsets ? move_one_of_each<W, true> : move_one_of_each<W, false>;
  for (std::int64_t begin = first; begin < last; begin += block) {
    const std::int64_t end = std::min(begin + block, last);
    for_each_run<2>(w.window, {0, 0}, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& steps) {
      for (std::int64_t i = 0; i < count; ++i) {
        const Fetch fetch = near                       ? Fetch{}
                            : i + 1 < count || goes_on ? Fetch{.bytes = inside}
                            : far                      ? Fetch{.windows = calibration::kFetchedWindows}
                                                       : Fetch{};
        copy(w, w.to + at[1] + i * steps[1], w.from + at[0] + i * steps[0], begin, end, fetch);
      }
    });
  }
}

// The columns of a tile are the first loops of windows, from `begin` on.
class WindowTile {
 public:
  WindowTile(std::size_t width, const WindowCopy& windows) : w_(windows), width_(static_cast<std::int64_t>(width)) {
    if (!w_.window.empty()) inner_ = w_.window[0];
    for (std::size_t k = 1; k < w_.window.size(); ++k) outer_.push_back(w_.window[k]);
    const bool runs = w_.window.empty() || inner_.step == Offsets<2>{width_, width_};
    kernel_ = tile_kernel(runs ? TileKind::runs : TileKind::gather, width_, Stores::cached);
    tile_.from_rows = rows_;
    tile_.from_columns = from_;
    tile_.to_columns = to_;
    tile_.to_step = inner_.step[1];
    part_ = window_order(w_).part;
    if (!runs && !w_.in_order) part_ = std::min(part_, kRows);
    unit_ = runs ? width_ : 1;
    one_by_one_ = !runs && part_ > kRows;
    if (!runs && !one_by_one_) {
      for (std::int64_t i = 0; i < part_; ++i) rows_[i] = i * inner_.step[0];
    }
  }

  void run(std::int64_t first, std::int64_t last) {
    for (std::int64_t begin = 0; begin < inner_.extent; begin += part_) {
      const std::int64_t rows = std::min(part_, inner_.extent - begin);
      tile_.from = w_.from + begin * inner_.step[0];
      tile_.to = w_.to + begin * inner_.step[1];
      tile_.rows = rows * unit_;
      add_windows(first, last, rows);
      flush();
    }
  }

 private:
  static constexpr std::int64_t kRows = 256, kColumns = 256;

  void add_windows(std::int64_t first, std::int64_t last, std::int64_t rows) {
    BoxWalker<1> walker(w_.batch, first);
    for (std::int64_t b = first; b < last; ++b, walker.next()) {
      const std::int64_t beside = walker.at()[0];
      if (w_.offsets[b] == kOutside) {
        if (w_.fill != nullptr) fill_window(beside, rows);
        continue;
      }
      const std::int64_t there = w_.offsets[b] * width_;
      const Offsets<2> start = w_.to_offsets ? Offsets<2>{beside, there} : Offsets<2>{there, beside};
      if (outer_.empty()) {
        add(start);
      } else {
        for_each_run<2>(outer_, start, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
          for (std::int64_t i = 0; i < count; ++i) add({at[0] + i * step[0], at[1] + i * step[1]});
        });
      }
    }
  }
  void add(const Offsets<2>& at) {
    if (one_by_one_) {
      copy_run(width_, tile_.rows, tile_.from + at[0], inner_.step[0], tile_.to + at[1], inner_.step[1]);
      return;
    }
    from_[tile_.columns] = at[0];
    to_[tile_.columns++] = at[1];
    if (tile_.columns == kColumns) flush();
  }
  void flush() {
    if (tile_.columns > 0) kernel_(tile_);
    tile_.columns = 0;
  }
  void fill_window(std::int64_t beside, std::int64_t rows) {
    for_each_run<2>(outer_, {0, beside}, [&](std::int64_t count, const Offsets<2>& at, const Offsets<2>& step) {
      for (std::int64_t i = 0; i < count; ++i) {
        copy_run(width_, rows, w_.fill, 0, tile_.to + at[1] + i * step[1], inner_.step[1]);
      }
    });
  }

  const WindowCopy& w_;
  std::int64_t width_, unit_ = 1, part_ = 1;
  bool one_by_one_ = false;
  BoxAxis<2> inner_{1, {width_, width_}};
  BoxAxes<2> outer_;
  TileKernel kernel_ = nullptr;
  MoveTile tile_{};
  std::int64_t rows_[kRows], from_[kColumns], to_[kColumns];
};

}  // namespace

BoxAxes<2> finest_first(BoxAxes<2> axes) {
  std::sort(axes.begin(), axes.end(),
            [](const BoxAxis<2>& a, const BoxAxis<2>& b) { return std::abs(a.step[1]) < std::abs(b.step[1]); });
  BoxAxes<2> joined;
  for (const BoxAxis<2>& axis : axes) append_axis<2>(joined, axis);
  return joined;
}

WindowOrder window_order(const WindowCopy& w) noexcept {
  if (w.window.empty()) return {w.batch.size() <= 1, 1};
  const auto& [extent, step] = w.window[0];
  if (w.in_order) return {false, extent};
  if (w.batch.size() == 1) {
    const bool finer = std::abs(w.batch[0].step[0]) < std::abs(step[w.to_offsets ? 0 : 1]);
    if (finer && (!w.to_offsets || std::abs(step[1]) >= kLine)) return {true, 1};
  }
  const bool near = std::abs(step[0]) < kLine && std::abs(step[1]) < kLine;
  return {false,
          near ? extent : std::min(extent, w.to_offsets ? calibration::kScatteredPart : calibration::kGatheredPart)};
}

void copy_windows(std::size_t width, const WindowCopy& w, std::int64_t first, std::int64_t last) {
  if (!window_order(w).across) return WindowTile(width, w).run(first, last);
  switch (width) {
    case 1:
      return copy_across<1>(w, first, last);
    case 4:
      return copy_across<4>(w, first, last);
    case 8:
      return copy_across<8>(w, first, last);
    default:
      return copy_across<16>(w, first, last);
  }
}

}  // namespace tenferro::internal
