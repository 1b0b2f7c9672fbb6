// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Failures. Every failure that a caller can cause is a TypedError<Info> derived from Error; Info is a variant of
// small plain payloads, one variant a module. Inside the library Info travels as tl::expected; across the public
// boundary it is thrown. `attempt` turns the one into the other:
//
// Example (tenferro/base/text.hpp):
//     struct TooSmall {
//       int got;
//     };
//     std::string describe(const TooSmall& e) { return concat("resize: too small (expected 1, got ", e.got, ")"); }
//     using SizeErrorInfo = std::variant<TooSmall>;
//     using SizeError = TypedError<SizeErrorInfo>;
//
//     void resize(int n) {
//       if (n < 1) raise<SizeErrorInfo>(TooSmall{n});
//     }
//
//     int main() {
//       auto r = attempt<SizeErrorInfo>([] { resize(0); });
//       CHECK(!r && std::get<TooSmall>(r.error()).got == 0);
//       try {
//         value_or_throw(r);                                   // back to an exception
//       } catch (const SizeError& e) {
//         CHECK(std::get<TooSmall>(e.info()).got == 0);
//       }
//       try {
//         resize(-1);
//       } catch (const Error& e) {                             // whatever the library throws
//         CHECK(std::string(e.what()) == "resize: too small (expected 1, got -1)");
//       }
//       return 0;
//     }

#include <exception>
#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <variant>

namespace tenferro {

/// Root of all exceptions thrown by tenferro; what() is one line of the form
/// "op: what is wrong (expected …, got …)".
class Error : public std::exception {
 public:
  explicit Error(std::string message) : message_(std::move(message)) {}
  ~Error() override;
  Error(const Error&) = default;
  Error(Error&&) = default;
  Error& operator=(const Error&) = default;
  Error& operator=(Error&&) = default;

  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Message of a variant of payloads: that of the alternative it holds. Each payload has a `describe` of its own.
template <class... Ts>
std::string describe(const std::variant<Ts...>& info) {
  return std::visit([](const auto& payload) { return describe(payload); }, info);
}

/// An Error with a payload to match on. `describe(info)` gives the message.
template <class Info>
class TypedError final : public Error {
 public:
  explicit TypedError(Info info) : Error(describe(info)), info_(std::move(info)) {}

  const Info& info() const noexcept { return info_; }

 private:
  Info info_;
};

/// Throws TypedError<Info> with a copy of this payload; out of line of the caller's hot path.
// By reference: GCC 12 at -O3 (ipa-modref) overlooks what a function that does not return writes to an argument that
// its caller destroys, so that a payload moved from here would be freed twice.
template <class Info, class Payload>
[[noreturn, gnu::noinline, gnu::cold]] void raise(const Payload& payload) {
  throw TypedError<Info>(Info(payload));
}

/// The value, or its error thrown as TypedError<Info>.
template <class T, class Info>
T value_or_throw(tl::expected<T, Info> result) {
  if (!result) raise<Info>(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Runs f and returns its result, or the payload of the TypedError<Info> that it threw. Other exceptions pass.
template <class Info, class F>
auto attempt(F&& f) -> tl::expected<std::invoke_result_t<F>, Info> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(f)();
      return {};
    } else {
      return std::forward<F>(f)();
    }
  } catch (const TypedError<Info>& error) {
    return tl::unexpected<Info>(error.info());
  }
}

}  // namespace tenferro
