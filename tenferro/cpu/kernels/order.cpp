// SPDX-License-Identifier: MIT OR Apache-2.0
// sort, argsort and top_k along one axis. All are stable: equal elements (both zeros are equal) keep their order, and
// NaN comes last whatever the direction.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tenferro/cpu/calibration.hpp"
#include "tenferro/cpu/kernels/kernel_row.hpp"
#include "tenferro/cpu/kernels/sort_keys.hpp"
#include "tenferro/cpu/kernels/strided_loop.hpp"
#include "tenferro/cpu/kernels/workspaces.hpp"

namespace tenferro::internal {
namespace {

/// Elements of one line and how far apart they are.
template <class T>
struct Line {
  T* data;
  std::int64_t step;
  T& operator[](std::int64_t i) const { return data[i * step]; }
};

/// The lines of a tensor along one axis, numbered in column-major order of the other indices.
class Lines {
 public:
  Lines(const TensorRead& x, std::size_t axis)
      : data_(const_cast<std::byte*>(x.data)), axis_(axis), extents_(x.shape()), strides_(strides_of(x)) {
    for (std::size_t k = 0; k < extents_.size(); ++k) {
      if (k != axis) count_ *= extents_[k];
    }
  }

  std::int64_t count() const noexcept { return count_; }
  std::int64_t length() const noexcept { return extents_[axis_]; }
  template <class T>
  Line<T> line(std::int64_t number) const {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < extents_.size(); ++k) {
      if (k == axis_) continue;
      offset += number % extents_[k] * strides_[k];
      number /= extents_[k];
    }
    return {reinterpret_cast<T*>(data_) + offset, strides_[axis_]};
  }

 private:
  std::byte* data_;
  std::size_t axis_;
  Dims extents_, strides_;
  std::int64_t count_ = 1;
};

/// body(line number, scratch) for each line; scratch has `bytes` for each element of a line.
template <class F>
void for_each_line(KernelContext& context, const Lines& lines, std::uint64_t bytes, F body) {
  if (lines.count() == 0 || lines.length() == 0) return;
  Workspaces spaces(context, bytes * static_cast<std::uint64_t>(lines.length()), lines.count());
  const double ns_per_line = calibration::kSortedElementNs * static_cast<double>(lines.length() + 1);
  const auto range = [&](std::int64_t first, std::int64_t last) {
    const Workspaces::Lease lease(spaces);
    for (; first < last; ++first) body(first, lease.data());
  };
  if (ns_per_line * static_cast<double>(lines.count()) < kSerialNs || lines.count() == 1) {
    return range(0, lines.count());
  }
  context.parallel_for(lines.count(), ns_per_line, range);
}

template <class T, bool descending>
typename SortKey<T>::Key sort_key(T x) {
  return descending ? SortKey<T>::descending(x) : SortKey<T>::of(x);
}

/// Whether a line without NaN is in order already. Found out piece by piece, so that it costs little where it is not.
template <class T, bool descending>
bool in_order(Line<const T> x, std::int64_t n) {
  constexpr std::int64_t kPiece = 128;
  using Word = typename SortKey<T>::Key;  // as wide as an element, so that comparisons fill vectors
  const auto ordered = [](const T* at, std::int64_t step, std::int64_t count) {
    Word falls = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const T a = at[i * step], b = at[(i + 1) * step];
      falls |= (descending ? a >= b : a <= b) ? Word{0} : Word{1};
    }
    return falls == 0;
  };
  if (n > 0 && x[0] != x[0]) return false;
  for (std::int64_t first = 0; first + 1 < n; first += kPiece) {
    const std::int64_t count = std::min(kPiece, n - 1 - first);
    const T* const at = x.data + first * x.step;
    if (!(x.step == 1 ? ordered(at, 1, count) : ordered(at, x.step, count))) return false;
  }
  return true;
}

// Keys alone go through the sort; elements that share a key and still differ (zeros of both signs, NaN with payloads)
// are put back in the order in which they stood.
template <class T, bool descending>
void sort_line(Line<const T> x, Line<T> out, std::int64_t n, std::byte* scratch) {
  if (in_order<T, descending>(x, n)) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = x[i];
    return;
  }
  using Key = typename SortKey<T>::Key;
  auto* const keys = reinterpret_cast<Key*>(scratch);
  bool zeros_differ = false;
  std::int64_t nans = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const T value = x[i];
    keys[i] = sort_key<T, descending>(value);
    nans += value != value ? 1 : 0;
    if constexpr (std::is_floating_point_v<T>) zeros_differ |= (value == 0) & std::signbit(value);
  }
  sort_keys(keys, keys + n, n);
  for (std::int64_t i = 0; i < n - nans; ++i) {
    out[i] = SortKey<T>::back(descending ? static_cast<Key>(~keys[i]) : keys[i]);
  }
  for (std::int64_t i = 0, to = n - nans; to < n; ++i) {
    if (x[i] != x[i]) out[to++] = x[i];
  }
  if (!zeros_differ) return;
  std::int64_t zero = std::lower_bound(keys, keys + n, sort_key<T, descending>(T{0})) - keys;
  for (std::int64_t i = 0; i < n; ++i) {
    if (x[i] == T{0}) out[zero++] = x[i];
  }
}

template <class T>
using Entry = KeyAndPosition<typename SortKey<T>::Key>;

/// Positions 0 … n−1 in the order of their elements.
template <class T, class E, bool descending>
void sort_positions(Line<const T> x, E* entries, std::int64_t n) {
  using Key = decltype(entries->key);
  for (std::int64_t i = 0; i < n; ++i) entries[i] = {sort_key<T, descending>(x[i]), static_cast<Key>(i)};
  sort_keys(entries, entries + n, n);
}

constexpr bool fits_narrow(std::int64_t n) { return n <= std::int64_t{std::numeric_limits<std::uint32_t>::max()}; }

/// f(TypeTag of the entry) with the narrowest entry for elements of type T and n positions.
template <class T, class F>
void with_entry(std::int64_t n, F f) {
  if constexpr (sizeof(T) == 4) {
    if (!fits_narrow(n)) return f(TypeTag<KeyAndPosition<std::uint64_t>>{});
  }
  f(TypeTag<Entry<T>>{});
}

/// The first k of n in the order of keys, ties by position, sorted: a heap whose top is the last of the best so far.
template <class T, class E, bool descending>
void best_positions(Line<const T> x, E* heap, std::int64_t n, std::int64_t k) {
  using Key = decltype(heap->key);
  const auto before = [](const E& a, const E& b) {
    return a.key < b.key || (a.key == b.key && a.position < b.position);
  };
  for (std::int64_t i = 0; i < k; ++i) heap[i] = {sort_key<T, descending>(x[i]), static_cast<Key>(i)};
  std::make_heap(heap, heap + k, before);
  for (std::int64_t i = k; i < n; ++i) {
    const Key key = sort_key<T, descending>(x[i]);
    if (key >= heap[0].key) continue;
    std::pop_heap(heap, heap + k, before);
    heap[k - 1] = {key, static_cast<Key>(i)};
    std::push_heap(heap, heap + k, before);
  }
  std::sort_heap(heap, heap + k, before);
}

template <class T, bool descending>
void run_sort(KernelContext& context, const TensorRead& x, const TensorWrite& out, std::size_t axis) {
  const std::int64_t n = x.extents[axis];
  const Lines from(x, axis), to(out.read(), axis);
  for_each_line(context, from, 2 * sizeof(T), [&](std::int64_t number, std::byte* scratch) {
    sort_line<T, descending>(from.line<const T>(number), to.line<T>(number), n, scratch);
  });
}

template <class T, bool descending>
void run_argsort(KernelContext& context, const TensorRead& x, const TensorWrite& out, std::size_t axis) {
  const std::int64_t n = x.extents[axis];
  const Lines from(x, axis), to(out.read(), axis);
  with_entry<T>(n, [&]<class E>(TypeTag<E>) {
    for_each_line(context, from, 2 * sizeof(E), [&](std::int64_t number, std::byte* scratch) {
      auto* const entries = reinterpret_cast<E*>(scratch);
      const auto values = from.line<const T>(number);
      const auto line = to.line<std::int64_t>(number);
      if (in_order<T, descending>(values, n)) {
        for (std::int64_t i = 0; i < n; ++i) line[i] = i;
        return;
      }
      sort_positions<T, E, descending>(values, entries, n);
      for (std::int64_t i = 0; i < n; ++i) line[i] = static_cast<std::int64_t>(entries[i].position);
    });
  });
}

template <class T, bool descending>
void run_top_k(KernelContext& context, const TensorRead& x, const TensorWrite& values, const TensorWrite& positions,
               const TopKAttrs& attrs) {
  const std::int64_t n = x.extents[attrs.axis], k = attrs.k;
  if (k == 0) return;
  const Lines from(x, attrs.axis), to_values(values.read(), attrs.axis), to_positions(positions.read(), attrs.axis);
  with_entry<T>(n, [&]<class E>(TypeTag<E>) {
    for_each_line(context, from, 2 * sizeof(E), [&](std::int64_t number, std::byte* scratch) {
      auto* const entries = reinterpret_cast<E*>(scratch);
      const auto line = from.line<const T>(number);
      k < n / 8 ? best_positions<T, E, descending>(line, entries, n, k)
                : sort_positions<T, E, descending>(line, entries, n);
      const auto value = to_values.line<T>(number);
      const auto position = to_positions.line<std::int64_t>(number);
      for (std::int64_t i = 0; i < k; ++i) {
        position[i] = static_cast<std::int64_t>(entries[i].position);
        value[i] = line[position[i]];
      }
    });
  });
}

template <class T>
struct SortKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    const auto& attrs = op.as<SortAttrs>();
    attrs.descending ? run_sort<T, true>(context, in[0], out[0], attrs.axis)
                     : run_sort<T, false>(context, in[0], out[0], attrs.axis);
  }
};

template <class T>
struct ArgsortKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    const auto& attrs = op.as<SortAttrs>();
    attrs.descending ? run_argsort<T, true>(context, in[0], out[0], attrs.axis)
                     : run_argsort<T, false>(context, in[0], out[0], attrs.axis);
  }
};

template <class T>
struct TopKKernel {
  static void run(KernelContext& context, const Op& op, std::span<const TensorRead> in,
                  std::span<const TensorWrite> out) {
    const auto& attrs = op.as<TopKAttrs>();
    attrs.largest ? run_top_k<T, true>(context, in[0], out[0], out[1], attrs)
                  : run_top_k<T, false>(context, in[0], out[0], out[1], attrs);
  }
};

constexpr CpuKernelTable kTable{kernel_row<OpKind::sort, SortKernel>(), kernel_row<OpKind::argsort, ArgsortKernel>(),
                                kernel_row<OpKind::top_k, TopKKernel>()};
TENFERRO_COVERS(kTable, OpCategory::order);

}  // namespace

constinit const CpuKernelTable kOrderKernels = kTable;

}  // namespace tenferro::internal
