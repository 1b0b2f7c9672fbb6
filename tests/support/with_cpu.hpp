// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A session of one CPU backend for tests of single behaviours, and short spellings of tensors in and out.

#include <utility>
#include <vector>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tests/support/refusal_of.hpp"

namespace tenferro::testing {

/// The backend that all tests of the program share.
inline CpuBackend& shared_cpu() {
  static CpuBackend cpu;
  return cpu;
}

/// f(session) on the shared backend.
template <class F>
auto on_cpu(F&& f) {
  return shared_cpu().with_session(std::forward<F>(f));
}

/// The elements in column-major order.
template <Element T>
std::vector<T> values(const Tensor& t) {
  const auto data = t.data<T>();
  return {data.begin(), data.end()};
}

}  // namespace tenferro::testing
