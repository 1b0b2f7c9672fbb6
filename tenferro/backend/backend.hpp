// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A backend owns device state, pools and identity, and lends sessions. Code that takes any backend enters through this
// type; code that knows its backend (CpuBackend) enters through that one, with the same meaning.
//
// Example (tenferro/cpu/cpu_backend.hpp, tenferro/ops/elementwise.hpp):
//     Tensor twice(Backend& backend, const Tensor& x) {
//       return backend.with_session([&](BackendSession& s) { return add(s, x, x); });
//     }
//
//     int main() {
//       CpuBackend cpu;
//       CHECK(twice(cpu, Tensor::scalar(2.0)).item() == Scalar(4.0));
//       Backend& any = cpu;
//       CHECK(any.kind() == BackendKind{"cpu"});
//       tl::expected<int, SessionEntryInfo> seven = any.try_with_session([](BackendSession&) { return 7; });
//       CHECK(seven && *seven == 7);
//       return 0;
//     }

#include <concepts>
#include <functional>
#include <optional>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

#include "tenferro/backend/session.hpp"
#include "tenferro/backend/session_entry_error.hpp"

namespace tenferro {

/// What a closure over a session returns.
template <class F>
using SessionResult = std::invoke_result_t<F, BackendSession&>;

class Backend {
 public:
  virtual ~Backend() = default;
  virtual BackendKind kind() const noexcept = 0;

  /// Enters a session, runs f(session) on this thread exactly once, leaves, and returns f's result; also when f throws.
  /// Throws SessionEntryError before f runs if entry is refused, above all inside another session.
  template <std::invocable<BackendSession&> F>
  SessionResult<F> with_session(F&& f) {
    return value_or_throw(try_with_session(std::forward<F>(f)));
  }

  /// with_session with a refused entry as a value. f's own result, an expected included, comes back untouched.
  template <std::invocable<BackendSession&> F>
  tl::expected<SessionResult<F>, SessionEntryInfo> try_with_session(F&& f) {
    using R = SessionResult<F>;
    if constexpr (std::is_void_v<R>) {
      const auto refused = enter([&](BackendSession& s) { f(s); });
      if (refused) return tl::unexpected(*refused);
      return {};
    } else {
      std::optional<R> result;
      const auto refused = enter([&](BackendSession& s) { result.emplace(f(s)); });
      if (refused) return tl::unexpected(*refused);
      return std::move(*result);
    }
  }

 protected:
  Backend() = default;
  Backend(const Backend&) = default;
  Backend& operator=(const Backend&) = default;

 private:
  /// Runs the body in a session, or says why not.
  virtual std::optional<SessionEntryInfo> enter(FunctionRef<void(BackendSession&)> body) = 0;
};

}  // namespace tenferro
