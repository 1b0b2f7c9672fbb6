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
//       auto forget = [](BackendSession&, SessionCaches& caches) { caches.clear(); };
//       CHECK(any.try_with_session_cached(nullptr, forget));
//       any.with_session_cached(nullptr, forget);
//       return 0;
//     }

#include <concepts>
#include <functional>
#include <optional>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

#include "tenferro/backend/session.hpp"
#include "tenferro/backend/session_caches.hpp"
#include "tenferro/backend/session_entry_error.hpp"

namespace tenferro {

/// What a closure over a session returns.
template <class F>
using SessionResult = std::invoke_result_t<F, BackendSession&>;
/// What a closure over a session and its caches returns.
template <class F>
using CachedSessionResult = std::invoke_result_t<F, BackendSession&, SessionCaches&>;

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
    return try_with_session_cached(nullptr,
                                   [&](BackendSession& s, SessionCaches&) -> SessionResult<F> { return f(s); });
  }

  /// with_session for code that keeps plans and analyses from session to session: f(session, caches) gets `own`, or if
  /// that is null the caches that the backend keeps. `own` must be in one session at a time.
  template <std::invocable<BackendSession&, SessionCaches&> F>
  CachedSessionResult<F> with_session_cached(SessionCaches* own, F&& f) {
    return value_or_throw(try_with_session_cached(own, std::forward<F>(f)));
  }
  template <std::invocable<BackendSession&, SessionCaches&> F>
  tl::expected<CachedSessionResult<F>, SessionEntryInfo> try_with_session_cached(SessionCaches* own, F&& f) {
    using R = CachedSessionResult<F>;
    if constexpr (std::is_void_v<R>) {
      const auto refused = enter(own, [&](BackendSession& s, SessionCaches& caches) { f(s, caches); });
      if (refused) return tl::unexpected(*refused);
      return {};
    } else {
      std::optional<R> result;
      const auto refused = enter(own, [&](BackendSession& s, SessionCaches& caches) { result.emplace(f(s, caches)); });
      if (refused) return tl::unexpected(*refused);
      return std::move(*result);
    }
  }

 protected:
  Backend() = default;
  Backend(const Backend&) = default;
  Backend& operator=(const Backend&) = default;

 private:
  /// Runs the body in a session, with `own` or the backend's caches, or says why not.
  virtual std::optional<SessionEntryInfo> enter(SessionCaches* own,
                                                FunctionRef<void(BackendSession&, SessionCaches&)> body) = 0;
};

}  // namespace tenferro
