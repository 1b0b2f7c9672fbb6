// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A session of one CPU backend for tests of single behaviours, and short spellings of tensors in and out.

#include <gtest/gtest.h>

#include <vector>

#include "tenferro/cpu/cpu_backend.hpp"

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

/// The payload of the OpError that f throws; a failure of the test (and a default payload) if it throws none.
template <class Payload, class F>
Payload refused(F&& f) {
  try {
    f();
    ADD_FAILURE() << "was not refused";
  } catch (const OpError& error) {
    if (const auto* payload = std::get_if<Payload>(&error.info())) return *payload;
    ADD_FAILURE() << "was refused for another reason: " << error.what();
  }
  return {};
}

}  // namespace tenferro::testing
