// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/error.hpp"

#include "tenferro/base/text.hpp"

namespace tenferro {

std::string describe(const ShapeMismatch& e) {
  return concat(e.op, ": shapes do not fit (expected ", e.hint.empty() ? "equal shapes" : e.hint, ", got ",
                list_text(e.lhs), " and ", list_text(e.rhs), ")");
}
std::string describe(const ArityMismatch& e) {
  return concat(e.op, ": wrong number of ", e.what, " (expected ", e.expected < 0 ? "at least one" : concat(e.expected),
                ", got ", e.got, ")");
}
std::string describe(const EmptyReduction& e) {
  return concat(e.op, ": nothing to choose from (expected at least one element along each reduced axis, got shape ",
                list_text(e.shape), ")");
}
std::string describe(const UnsupportedConversion& e) {
  return concat(e.op, ": conversion may lose values (expected a dtype that holds ", name(e.from), ", got ", name(e.to),
                "; use cast to allow it)");
}
std::string describe(const BadElement& e) {
  return concat(e.op, ": element ", e.position, " of operand ", e.operand, " has no result (", e.what, ")");
}
std::string describe(const Unsupported& e) {
  return concat(e.op, ": unsupported by backend ", e.backend, e.family.empty() ? "" : concat(" in family ", e.family),
                e.why.empty() ? "" : concat(" (", e.why, ")"));
}
std::string describe(const BackendFailure& e) { return concat(e.op, ": backend failure (", e.text, ")"); }

void throw_failure(OpFailure failure) { throw OpError(*failure); }

void internal::rethrow_as(std::string_view op, const OpError& error) {
  OpErrorInfo info = error.info();
  std::visit([&](auto& payload) { payload.op = op; }, info);
  raise<OpErrorInfo>(info);
}

void backend_failure(std::string_view op, std::string text) { raise<OpErrorInfo>(BackendFailure{op, std::move(text)}); }

}  // namespace tenferro
