// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A vector of a trivially copyable type that keeps up to N elements inside itself and goes to the heap beyond.
// Shapes, strides and axis lists are such vectors, so that a tensor of usual rank needs no allocation for them.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

namespace tenferro {

/// Contiguous sequence of T with N elements inline. Moves leave the source empty. Not thread-safe.
///
/// Example:
///     using Axes3 = InlineVector<int, 3>;
///     Axes3 a{4, 5};
///     a.push_back(6);
///     a.push_back(7);                                          // the fourth goes to the heap, with the others
///     CHECK(a.size() == 4 && a.front() == 4 && a.back() == 7 && a[2] == 6 && a.data()[3] == 7);
///     a.insert(0, 3);
///     a.erase(1);
///     CHECK(a == Axes3{3, 5, 6, 7});
///     a.pop_back();
///     a.resize(4, 9);
///     CHECK(a == Axes3{3, 5, 6, 9} && std::find(a.begin(), a.end(), 6) - a.begin() == 2);
///     Axes3 b;
///     b.reserve(8);
///     b.assign(a.data(), 2);
///     CHECK(b == Axes3{3, 5});
///     b.assign_one(1);
///     CHECK(b == Axes3(1, 1));                                 // one element of value 1
///     b.clear();
///     CHECK(b.empty());
template <class T, std::size_t N>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  InlineVector() noexcept {}
  explicit InlineVector(std::size_t count, T value = T{}) { resize(count, value); }
  InlineVector(std::initializer_list<T> values) { assign(values.begin(), values.size()); }
  explicit InlineVector(std::span<const T> values) { assign(values.data(), values.size()); }
  template <class It>
    requires(!std::is_arithmetic_v<It>)
  InlineVector(It first, It last) {
    for (; first != last; ++first) push_back(static_cast<T>(*first));
  }
  InlineVector(const InlineVector& other) { assign(other.data(), other.size_); }
  InlineVector(InlineVector&& other) noexcept { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) assign(other.data(), other.size_);
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~InlineVector() { release(); }

  T* data() noexcept { return on_heap() ? heap_ : inline_; }
  const T* data() const noexcept { return on_heap() ? heap_ : inline_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  T& operator[](std::size_t i) noexcept {
    assert(i < size_);
    return data()[i];
  }
  const T& operator[](std::size_t i) const noexcept {
    assert(i < size_);
    return data()[i];
  }
  T& back() noexcept { return (*this)[size_ - 1]; }
  const T& back() const noexcept { return (*this)[size_ - 1]; }
  T& front() noexcept { return (*this)[0]; }
  const T& front() const noexcept { return (*this)[0]; }

  void clear() noexcept { size_ = 0; }
  /// Makes this the one element `value`.
  void assign_one(T value) noexcept {
    data()[0] = value;
    size_ = 1;
  }
  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  void push_back(T value) {
    if (size_ == capacity_) grow(std::size_t{capacity_} * 2);
    data()[size_++] = value;
  }
  void pop_back() noexcept { --size_; }
  void resize(std::size_t count, T value = T{}) {
    reserve(count);
    for (std::size_t i = size_; i < count; ++i) data()[i] = value;
    size_ = static_cast<std::uint32_t>(count);
  }
  void assign(const T* values, std::size_t count) {
    reserve(count);
    if (on_heap()) {
      if (count != 0) std::memcpy(heap_, values, count * sizeof(T));
    } else {
      copy_few(inline_, values, count);
    }
    size_ = static_cast<std::uint32_t>(count);
  }
  void insert(std::size_t position, T value) {
    push_back(value);
    std::rotate(begin() + position, end() - 1, end());
  }
  void erase(std::size_t position) {
    std::copy(begin() + position + 1, end(), begin() + position);
    --size_;
  }

  friend bool operator==(const InlineVector& a, const InlineVector& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  // The usual few elements are copied in place. The barrier keeps the compiler from calling memcpy for them.
  static void copy_few(T* to, const T* from, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = from[i];
      asm volatile("");
    }
  }
  bool on_heap() const noexcept { return capacity_ > N; }
  // Out of line: where the compiler loses sight of the capacity, it would take an element for the address and warn.
  [[gnu::noinline, gnu::cold]] static void free_heap(const T* heap) noexcept { delete[] heap; }
  void release() noexcept {
    if (on_heap()) free_heap(heap_);
    capacity_ = N;
    size_ = 0;
  }
  // Requires that this holds no heap memory and has capacity N.
  void take(InlineVector& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    if (!other.on_heap()) [[likely]] {
      copy_few(inline_, other.inline_, size_);
      return;
    }
    heap_ = other.heap_;
    capacity_ = std::exchange(other.capacity_, std::uint32_t{N});
  }
  void grow(std::size_t wanted) {
    const std::size_t capacity = std::max(wanted, 2 * N);
    T* grown = new T[capacity];
    if (size_ != 0) std::memcpy(grown, data(), size_ * sizeof(T));
    if (on_heap()) free_heap(heap_);
    heap_ = grown;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  // The pointer has a value even when it is not in use, for the same reason.
  union {
    T* heap_ = nullptr;
    T inline_[N];
  };
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;
};

}  // namespace tenferro
