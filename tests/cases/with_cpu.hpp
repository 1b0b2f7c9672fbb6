// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A session of one CPU backend for tests of single behaviours, and short spellings of tensors in and out.

#include <gtest/gtest.h>

#include <vector>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tests/support/payload_of.hpp"

namespace tenferro::testing {

/// f(session) on a backend that all tests of the program share.
template <class F>
auto on_cpu(F&& f) {
  static CpuBackend cpu;
  return cpu.with_session(std::forward<F>(f));
}

/// The elements in column-major order.
template <Element T>
std::vector<T> values(const Tensor& t) {
  const auto data = t.data<T>();
  return {data.begin(), data.end()};
}

/// Payload of the OpError that f throws; see payload_of.
template <class Payload, class F>
Payload refused(F&& f) {
  return payload_of<OpErrorInfo, Payload>(f);
}

}  // namespace tenferro::testing
