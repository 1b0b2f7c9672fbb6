// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Rows of bits, one row a tensor, one bit a label: the label sets that searches join and measure.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tenferro/einsum/internal/path_search.hpp"

namespace tenferro::internal {

class LabelSets {
 public:
  using Word = std::uint64_t;

  LabelSets(const PathProblem& problem, std::size_t rows)
      : words_((problem.labels() + 63) / 64), bits_(rows * words_, 0), log2_extent_(problem.log2_extent) {
    for (std::size_t k = 0; k < problem.inputs.size(); ++k) {
      for (const Label label : problem.inputs[k]) insert(row(k), static_cast<std::size_t>(label));
    }
    log2_extent_.resize(words_ * 64, 0.0);
    uniform_ = !problem.log2_extent.empty();
    for (const double extent : problem.log2_extent) uniform_ = uniform_ && extent == problem.log2_extent[0];
  }

  std::size_t words() const noexcept { return words_; }
  Word* row(std::size_t r) noexcept { return bits_.data() + r * words_; }
  const Word* row(std::size_t r) const noexcept { return bits_.data() + r * words_; }

  static void insert(Word* set, std::size_t label) noexcept { set[label / 64] |= Word{1} << (label % 64); }
  static bool contains(const Word* set, std::size_t label) noexcept {
    return ((set[label / 64] >> (label % 64)) & 1) != 0;
  }

  /// Calls f(label) for each label of the set word(w), w < words().
  template <class WordAt, class F>
  void for_each(WordAt word_at, F f) const {
    for (std::size_t w = 0; w < words_; ++w) {
      for (Word word = word_at(w); word != 0; word &= word - 1) {
        f(w * 64 + static_cast<std::size_t>(__builtin_ctzll(word)));
      }
    }
  }

  /// log2 of the product of the extents of the set word(w).
  template <class WordAt>
  double log2_size(WordAt word_at) const {
    if (uniform_) {
      int count = 0;
      for (std::size_t w = 0; w < words_; ++w) count += __builtin_popcountll(word_at(w));
      return count * log2_extent_[0];
    }
    double sum = 0;
    for_each(word_at, [&](std::size_t label) { sum += log2_extent_[label]; });
    return sum;
  }

 private:
  std::size_t words_;
  std::vector<Word> bits_;
  std::vector<double> log2_extent_;
  bool uniform_ = false;
};

}  // namespace tenferro::internal
