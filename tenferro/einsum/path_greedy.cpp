// SPDX-License-Identifier: MIT OR Apache-2.0
#include <algorithm>
#include <cmath>
#include <queue>

#include "tenferro/einsum/internal/label_sets.hpp"
#include "tenferro/einsum/internal/path_search.hpp"
#include "tenferro/einsum/internal/random.hpp"

namespace tenferro::internal {
namespace {

// Tensors that one label pairs a tensor with.
constexpr std::size_t kMostNeighbours = 40;

struct Candidate {
  double score;
  std::int32_t first;
  std::int32_t second;

  // Equal scores go to the earliest pair, so that an order does not hang on the heap's whims.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    if (a.first != b.first) return a.first > b.first;
    return a.second > b.second;
  }
};

class GreedySearch {
 public:
  GreedySearch(const PathProblem& problem, const GreedyRule& rule)
      : inputs_(problem.inputs.size()),
        sets_(problem, 2 * inputs_),
        rule_(rule),
        random_(rule.seed),
        kept_(sets_.words(), 0),
        scratch_(sets_.words(), 0),
        holders_(problem.labels()),
        alive_(2 * inputs_, 0),
        size_(2 * inputs_, 0.0),
        met_(2 * inputs_, -1) {
    for (std::size_t l = 0; l < problem.labels(); ++l) {
      if (problem.kept[l] != 0) LabelSets::insert(kept_.data(), l);
    }
    for (std::size_t k = 0; k < inputs_; ++k) add(k);
  }

  SsaPath run() {
    if (rule_.by_label) {
      eliminate_labels();
      join_components();
      return std::move(steps_);
    }
    for (std::size_t k = 0; k < inputs_; ++k) rate_neighbours(k, k);
    while (!heap_.empty()) {
      const Candidate best = heap_.top();
      heap_.pop();
      if (alive(best.first) && alive(best.second)) rate_neighbours(contract(best.first, best.second), next_);
    }
    join_components();
    return std::move(steps_);
  }

 private:
  using Word = LabelSets::Word;

  bool alive(std::int32_t tensor) const { return alive_[static_cast<std::size_t>(tensor)] != 0; }

  void add(std::size_t tensor) {
    alive_[tensor] = 1;
    const Word* set = sets_.row(tensor);
    const auto word = [&](std::size_t w) { return set[w]; };
    size_[tensor] = sets_.log2_size(word);
    sets_.for_each(word, [&](std::size_t label) { holders_[label].push_back(static_cast<std::int32_t>(tensor)); });
  }

  // Labels that the result of the pair keeps: all of both but those that only these two hold and the output does not.
  template <class F>
  void result_of(std::size_t a, std::size_t b, F put) const {
    const Word* x = sets_.row(a);
    const Word* y = sets_.row(b);
    for (std::size_t w = 0; w < sets_.words(); ++w) {
      Word both = x[w] & y[w] & ~kept_[w];
      Word gone = 0;
      for (; both != 0; both &= both - 1) {
        const int bit = __builtin_ctzll(both);
        if (holders_[w * 64 + static_cast<std::size_t>(bit)].size() == 2) gone |= Word{1} << bit;
      }
      put(w, (x[w] | y[w]) & ~gone);
    }
  }

  double score(std::size_t a, std::size_t b) {
    result_of(a, b, [&](std::size_t w, Word word) { scratch_[w] = word; });
    const double log2_result = sets_.log2_size([&](std::size_t w) { return scratch_[w]; });
    const double large = std::max(size_[a], size_[b]);
    const double log2_pair = large + std::log2(1.0 + std::exp2(std::min(size_[a], size_[b]) - large));
    if (rule_.temperature <= 0) return power_of_two(log2_result) - rule_.shrink * power_of_two(log2_pair);
    return log2_result - rule_.shrink * log2_pair - rule_.temperature * random_.gumbel();
  }

  // Rates the tensor with those below `bound` that share a label with it; of a label on very many tensors with the
  // youngest of them, so that the work stays in proportion.
  void rate_neighbours(std::size_t tensor, std::size_t bound) {
    const Word* set = sets_.row(tensor);
    sets_.for_each([&](std::size_t w) { return set[w]; },
                   [&](std::size_t label) {
                     const std::vector<std::int32_t>& holders = holders_[label];
                     std::size_t rated = 0;
                     for (std::size_t i = holders.size(); i-- > 0 && rated < kMostNeighbours;) {
                       const std::size_t o = static_cast<std::size_t>(holders[i]);
                       if (o == tensor || o >= bound) continue;
                       ++rated;
                       if (met_[o] == static_cast<std::int32_t>(tensor)) continue;
                       met_[o] = static_cast<std::int32_t>(tensor);
                       heap_.push({score(o, tensor), holders[i], static_cast<std::int32_t>(tensor)});
                     }
                   });
  }

  std::size_t contract(std::int32_t first, std::int32_t second) {
    const std::size_t a = static_cast<std::size_t>(first);
    const std::size_t b = static_cast<std::size_t>(second);
    const std::size_t made = inputs_ + steps_.size();
    Word* result = sets_.row(made);
    result_of(a, b, [&](std::size_t w, Word word) { result[w] = word; });
    for (const std::size_t gone : {a, b}) {
      alive_[gone] = 0;
      const Word* set = sets_.row(gone);
      sets_.for_each([&](std::size_t w) { return set[w]; },
                     [&](std::size_t label) {
                       std::vector<std::int32_t>& list = holders_[label];
                       list.erase(std::find(list.begin(), list.end(), static_cast<std::int32_t>(gone)));
                     });
    }
    steps_.push_back({first, second});
    add(made);
    next_ = made;
    return made;
  }

  // log2 size of what summing a label would make of its holders.
  double elimination_score(std::size_t label) {
    std::fill(scratch_.begin(), scratch_.end(), Word{0});
    for (const std::int32_t holder : holders_[label]) {
      const Word* set = sets_.row(static_cast<std::size_t>(holder));
      for (std::size_t w = 0; w < scratch_.size(); ++w) scratch_[w] |= set[w];
    }
    const double noise = rule_.temperature > 0 ? rule_.temperature * random_.gumbel() : 0.0;
    return sets_.log2_size([&](std::size_t w) { return scratch_[w]; }) - noise;
  }

  // Sums one label after another, the one with the smallest result first, joining its holders two by two.
  void eliminate_labels() {
    std::vector<double> scores(holders_.size(), -1.0);
    std::vector<char> open(holders_.size(), 0);
    for (std::size_t l = 0; l < open.size(); ++l) {
      open[l] = !LabelSets::contains(kept_.data(), l) && holders_[l].size() > 1 ? 1 : 0;
      if (open[l] != 0) scores[l] = elimination_score(l);
    }
    while (true) {
      std::size_t best = open.size();
      for (std::size_t l = 0; l < open.size(); ++l) {
        if (open[l] != 0 && (best == open.size() || scores[l] < scores[best])) best = l;
      }
      if (best == open.size()) return;
      std::size_t made = 0;
      while (holders_[best].size() > 1) made = join_cheapest_pair(holders_[best]);
      open[best] = 0;
      const Word* set = sets_.row(made);
      sets_.for_each([&](std::size_t w) { return set[w]; },
                     [&](std::size_t label) {
                       if (open[label] == 0) return;
                       if (holders_[label].size() < 2) {
                         open[label] = 0;
                       } else {
                         scores[label] = elimination_score(label);
                       }
                     });
    }
  }

  std::size_t join_cheapest_pair(const std::vector<std::int32_t>& among) {
    Candidate best{0, -1, -1};
    const std::size_t count = std::min(among.size(), kMostNeighbours);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        const Candidate next{score(static_cast<std::size_t>(among[i]), static_cast<std::size_t>(among[j])),
                             std::min(among[i], among[j]), std::max(among[i], among[j])};
        if (best.first < 0 || best < next) best = next;
      }
    }
    return contract(best.first, best.second);
  }

  void join_components() {
    std::priority_queue<Candidate> left;
    for (std::size_t k = 0; k < inputs_ + steps_.size(); ++k) {
      if (alive_[k] != 0) left.push({size_[k], static_cast<std::int32_t>(k), 0});
    }
    while (left.size() > 1) {
      const Candidate a = left.top();
      left.pop();
      const Candidate b = left.top();
      left.pop();
      const std::size_t made = contract(a.first, b.first);
      left.push({size_[made], static_cast<std::int32_t>(made), 0});
    }
  }

  std::size_t inputs_;
  LabelSets sets_;
  GreedyRule rule_;
  SearchRandom random_;
  std::vector<Word> kept_;
  std::vector<Word> scratch_;
  std::vector<std::vector<std::int32_t>> holders_;
  std::vector<char> alive_;
  std::vector<double> size_;
  std::vector<std::int32_t> met_;
  std::size_t next_ = 0;
  std::priority_queue<Candidate> heap_;
  SsaPath steps_;
};

}  // namespace

SsaPath greedy_path(const PathProblem& problem, const GreedyRule& rule) { return GreedySearch(problem, rule).run(); }

}  // namespace tenferro::internal
