// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Iteration over the elements of a strided view in column-major order, first index fastest.

#include <cstdint>
#include <iterator>
#include <type_traits>

#include "tenferro/tensor/shape.hpp"

namespace tenferro {

/// Random-access iterator over a view; valid while the view that made it lives. ++ and -- cost a few instructions,
/// jumps a division an axis.
///
/// Example (tenferro/tensor/typed_tensor.hpp):
///     Tensor x = Tensor::matrix({{1., 2.}, {3., 4.}});
///     auto t = x.view().permuted({1, 0}).as<double>();         // [[1, 3], [2, 4]], read down its columns
///     StridedIterator<const double> i = t.begin();
///     CHECK(*i == 1 && *++i == 2 && i[2] == 4 && t.end() - i == 3);
template <class T>
class StridedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = std::int64_t;
  using pointer = T*;
  using reference = T&;

  StridedIterator() = default;
  /// At the element number `position` of the view; `position` may be the count, one past the last.
  StridedIterator(T* base, DimsView extents, const std::int64_t* strides, std::int64_t position)
      : base_(base), extents_(extents), strides_(strides), at_(extents.size()) {
    go_to(position);
  }

  reference operator*() const noexcept { return *current_; }
  pointer operator->() const noexcept { return current_; }
  reference operator[](difference_type n) const { return *(*this + n); }

  StridedIterator& operator++() noexcept {
    ++position_;
    for (std::size_t k = 0; k < extents_.size(); ++k) {
      if (at_[k] + 1 < extents_[k]) {
        ++at_[k];
        current_ += strides_[k];
        return *this;
      }
      current_ -= at_[k] * strides_[k];
      at_[k] = 0;
    }
    return *this;
  }
  StridedIterator& operator--() noexcept {
    --position_;
    for (std::size_t k = 0; k < extents_.size(); ++k) {
      if (at_[k] > 0) {
        --at_[k];
        current_ -= strides_[k];
        return *this;
      }
      at_[k] = extents_[k] - 1;
      current_ += at_[k] * strides_[k];
    }
    return *this;
  }
  StridedIterator operator++(int) {
    StridedIterator before = *this;
    ++*this;
    return before;
  }
  StridedIterator operator--(int) {
    StridedIterator before = *this;
    --*this;
    return before;
  }
  StridedIterator& operator+=(difference_type n) {
    go_to(position_ + n);
    return *this;
  }
  StridedIterator& operator-=(difference_type n) { return *this += -n; }
  friend StridedIterator operator+(StridedIterator i, difference_type n) { return i += n; }
  friend StridedIterator operator+(difference_type n, StridedIterator i) { return i += n; }
  friend StridedIterator operator-(StridedIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const StridedIterator& a, const StridedIterator& b) noexcept {
    return a.position_ - b.position_;
  }
  friend bool operator==(const StridedIterator& a, const StridedIterator& b) noexcept {
    return a.position_ == b.position_;
  }
  friend auto operator<=>(const StridedIterator& a, const StridedIterator& b) noexcept {
    return a.position_ <=> b.position_;
  }

 private:
  // One past the last element is kept as the first again, as ++ leaves it, so that -- leads back.
  void go_to(std::int64_t position) noexcept {
    position_ = position;
    current_ = base_;
    for (std::size_t k = 0; k < extents_.size(); ++k) {
      if (extents_[k] == 0) return;
      at_[k] = position % extents_[k];
      position /= extents_[k];
      current_ += at_[k] * strides_[k];
    }
  }

  T* base_ = nullptr;
  T* current_ = nullptr;
  DimsView extents_;
  const std::int64_t* strides_ = nullptr;
  Dims at_;
  std::int64_t position_ = 0;
};

}  // namespace tenferro
