// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The definition of a contraction as nested loops over plain arrays: the oracle of the einsum tests. It shares no code
// with the library.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace tenferro::testing {

/// A plain array, first index fastest.
template <class T>
struct LoopArray {
  std::vector<std::int64_t> shape;
  std::vector<T> data;

  explicit LoopArray(std::vector<std::int64_t> extents = {}, T value = T{}) : shape(std::move(extents)) {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    data.assign(count, value);
  }
  T& at(const std::vector<std::int64_t>& index) { return data[offset(index)]; }
  const T& at(const std::vector<std::int64_t>& index) const { return data[offset(index)]; }

 private:
  std::size_t offset(const std::vector<std::int64_t>& index) const {
    std::size_t position = 0;
    for (std::size_t k = shape.size(); k-- > 0;) {
      position = position * static_cast<std::size_t>(shape[k]) + static_cast<std::size_t>(index[k]);
    }
    return position;
  }
};

/// Fills with 0, 1, 2, … , last index fastest (seqR).
template <class T>
LoopArray<T> sequence(std::vector<std::int64_t> shape) {
  LoopArray<T> array(shape);
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::size_t n = 0; n < array.data.size(); ++n) {
    array.at(index) = static_cast<T>(static_cast<std::int64_t>(n));
    for (std::size_t k = shape.size(); k-- > 0;) {
      if (++index[k] < shape[k]) break;
      index[k] = 0;
    }
  }
  return array;
}

/// Σ over all labels of the product of the operands' elements, at the output's labels; an extent of 1 stretches.
template <class T, class Id>
LoopArray<T> loop_einsum(const std::vector<std::vector<Id>>& labels, const std::vector<LoopArray<T>>& operands,
                         const std::vector<Id>& output) {
  std::map<Id, std::int64_t> extents;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    for (std::size_t a = 0; a < labels[k].size(); ++a) {
      std::int64_t& extent = extents.emplace(labels[k][a], 1).first->second;
      if (operands[k].shape[a] != 1) extent = operands[k].shape[a];
    }
  }
  std::vector<std::int64_t> shape;
  for (const Id& label : output) shape.push_back(extents.at(label));
  LoopArray<T> result(shape);
  std::map<Id, std::int64_t> at;
  for (const auto& [label, extent] : extents) {
    if (extent == 0) return result;
    at[label] = 0;
  }
  const auto index_of = [&](const std::vector<Id>& of, const std::vector<std::int64_t>& within) {
    std::vector<std::int64_t> index;
    for (std::size_t a = 0; a < of.size(); ++a) index.push_back(within[a] == 1 ? 0 : at.at(of[a]));
    return index;
  };
  while (true) {
    T product = T(1);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      product = static_cast<T>(product * operands[k].at(index_of(labels[k], operands[k].shape)));
    }
    T& place = result.at(index_of(output, shape));
    place = static_cast<T>(place + product);
    auto label = at.begin();
    for (; label != at.end(); ++label) {
      if (++label->second < extents.at(label->first)) break;
      label->second = 0;
    }
    if (label == at.end()) return result;
  }
}

}  // namespace tenferro::testing
