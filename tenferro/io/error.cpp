// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/error.hpp"

#include "tenferro/base/text.hpp"

namespace tenferro {

std::string describe(const FileFailure& e) {
  return concat(e.op, ": cannot ", e.action, " ", e.path, " (", e.reason, ")");
}
std::string describe(const BadFormat& e) {
  return concat(e.op, ": ", e.path, " is not a usable ", e.format, " file: ", e.reason);
}
std::string describe(const ByteCountMismatch& e) {
  return concat(e.op, ": ", e.path, e.found < e.expected ? " is too short" : " is too long", " (expected ", e.expected,
                " bytes, got ", e.found, ")");
}
std::string describe(const UnsupportedElement& e) {
  return concat(e.op, ": unsupported element type in ", e.path, " (expected one of ", e.expected, ", got ", e.descr,
                ")");
}
std::string describe(const MissingEntry& e) { return concat(e.op, ": no entry ", e.entry, " in ", e.path); }

}  // namespace tenferro
