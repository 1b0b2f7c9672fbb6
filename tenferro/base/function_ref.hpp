// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// A borrowed callable: two pointers, no allocation. Valid only while the callable it was made from lives.
//
// Example:
//     int calls = 0;
//     auto half = [&](double x) { return ++calls, x / 2; };
//     auto apply = [](FunctionRef<double(double)> f, double x) { return f(x); };
//     CHECK(apply(half, 3) == 1.5 && calls == 1);

#include <memory>
#include <type_traits>
#include <utility>

namespace tenferro {

template <class Signature>
class FunctionRef;

/// Reference to anything callable as R(Args…); with R = void any result is dropped.
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
  FunctionRef(F&& f) noexcept  // NOLINT: implicit by design
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Args... args) -> R {
          auto& callable = *static_cast<std::remove_reference_t<F>*>(object);
          if constexpr (std::is_void_v<R>) {
            callable(std::forward<Args>(args)...);
          } else {
            return callable(std::forward<Args>(args)...);
          }
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace tenferro
