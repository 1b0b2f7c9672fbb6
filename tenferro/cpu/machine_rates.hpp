// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What this machine can do at most, measured by short loops: arithmetic from registers, and bandwidth of each level of
// memory. The roof under which operations are to be judged.
//
//   const double peak = measure_fma_peak<double>();             // GFLOP/s of one core
//   for (const MemoryLevel& level : memory_levels()) report(level.name, measure_bandwidth(level.working_set));

#include <cstdint>
#include <string>
#include <vector>

namespace tenferro {

/// GFLOP/s of one core: independent multiply-adds of T (float or double) with the vector instructions in use, a
/// multiply-add counting as two. Takes about 20 ms; the best of several runs.
///
/// Example:
///     CHECK(measure_fma_peak<double>() > 0.1);
template <class T>
double measure_fma_peak();

/// A level of memory and an amount of data that lies in it and in none nearer.
struct MemoryLevel {
  std::string name;           ///< "L1", "L2", "L3" or "memory"
  std::uint64_t size;         ///< bytes, as the system says; 0 if unknown and for memory
  std::uint64_t working_set;  ///< bytes
};

/// The levels that the system tells of, the nearest first; memory is always the last.
///
/// Example:
///     CHECK(memory_levels().back().name == "memory" && memory_levels().back().size == 0);
std::vector<MemoryLevel> memory_levels();

/// GB/s of one core, counted as bytes read and bytes written of the elements asked for.
struct Bandwidth {
  double read;   ///< summing an array
  double store;  ///< setting one
  double copy;   ///< memcpy from one to another
  double add;    ///< c = a + b
};

/// The rates for arrays of `working_set` bytes in all, warm, on the calling thread. Takes 50 ms, and up to a second
/// or two where they lie in memory.
///
/// Example:
///     const Bandwidth rates = measure_bandwidth(1 << 14);
///     CHECK(rates.read > 0 && rates.store > 0 && rates.copy > 0 && rates.add > 0);
Bandwidth measure_bandwidth(std::uint64_t working_set);

}  // namespace tenferro
