// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A set of CPUs by the operating system's own numbers, which may have gaps.
//
// Example:
//     CpuSet set{0, 1, 2, 3};
//     set.insert(8);
//     CHECK(set.size() == 5 && set.contains(8) && !set.empty() && set.text() == "0-3,8");
//     CHECK(set.overlaps(CpuSet{3, 4}) && (set & CpuSet{3, 4}) == CpuSet{3} && CpuSet{3}.is_subset_of(set));
//     const CpuSet here = CpuSet::affinity_of_this_thread();
//     CHECK(!here.empty() && here.bind_this_thread() && !CpuSet().bind_this_thread());

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace tenferro {

/// Value type of 128 bytes. Holds CPU numbers below kLimit; larger numbers are left out.
class CpuSet {
 public:
  static constexpr std::uint32_t kLimit = 1024;

  constexpr CpuSet() noexcept = default;
  constexpr CpuSet(std::initializer_list<std::uint32_t> cpus) noexcept {
    for (const std::uint32_t cpu : cpus) insert(cpu);
  }
  /// The CPUs that the calling thread may run on; never empty.
  static CpuSet affinity_of_this_thread() noexcept;
  /// Restricts the calling thread to this set; false if the system refused. An empty set is refused.
  bool bind_this_thread() const noexcept;

  constexpr void insert(std::uint32_t cpu) noexcept {
    if (cpu < kLimit) words_[cpu / 64] |= std::uint64_t{1} << (cpu % 64);
  }
  constexpr bool contains(std::uint32_t cpu) const noexcept {
    return cpu < kLimit && (words_[cpu / 64] >> (cpu % 64) & 1) != 0;
  }
  constexpr std::uint32_t size() const noexcept {
    std::uint32_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::uint32_t>(std::popcount(word));
    return count;
  }
  constexpr bool empty() const noexcept { return size() == 0; }
  constexpr bool overlaps(const CpuSet& other) const noexcept { return !(*this & other).empty(); }
  constexpr bool is_subset_of(const CpuSet& other) const noexcept { return (*this & other) == *this; }
  friend constexpr CpuSet operator&(const CpuSet& a, const CpuSet& b) noexcept {
    CpuSet both;
    for (std::size_t i = 0; i < both.words_.size(); ++i) both.words_[i] = a.words_[i] & b.words_[i];
    return both;
  }
  friend constexpr bool operator==(const CpuSet&, const CpuSet&) noexcept = default;

  /// "0-3,8": the numbers in the system's list form.
  std::string text() const;

 private:
  std::array<std::uint64_t, kLimit / 64> words_{};
};

}  // namespace tenferro
