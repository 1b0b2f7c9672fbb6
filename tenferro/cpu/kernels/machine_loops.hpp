// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Loops that do one thing as fast as the vector instructions in use allow, for measuring the machine.
//
//   const std::int64_t flops = fma_rounds<double>(1000);

#include <cstddef>
#include <cstdint>

namespace tenferro::internal {

/// Independent multiply-adds in registers, `rounds` of them in each of twelve chains; the floating-point operations
/// done. T is float or double.
template <class T>
std::int64_t fma_rounds(std::int64_t rounds);

/// The sum of n elements, read once; its order is not that of any operation.
double read_elements(const double* x, std::size_t n);
/// x[i] = value.
void store_elements(double* x, std::size_t n, double value);
/// c[i] = a[i] + b[i].
void add_elements(const double* a, const double* b, double* c, std::size_t n);

}  // namespace tenferro::internal
