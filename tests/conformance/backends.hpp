// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The backends that the suites run on; a new backend adds one line to backends.cpp.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tenferro/backend/session.hpp"
#include "tenferro/base/function_ref.hpp"

namespace tenferro::testing {

class BackendUnderTest {
 public:
  virtual ~BackendUnderTest() = default;
  virtual std::string_view name() const = 0;
  /// One session around the body.
  virtual void with_session(FunctionRef<void(BackendSession&)> body) = 0;
  virtual std::uint64_t session_entries() const = 0;
};

/// Every backend to test, made once.
const std::vector<std::unique_ptr<BackendUnderTest>>& backends();

/// A CPU backend with a chosen number of threads.
std::unique_ptr<BackendUnderTest> cpu_backend(int threads);

}  // namespace tenferro::testing
