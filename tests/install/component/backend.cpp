// SPDX-License-Identifier: MIT OR Apache-2.0
#include <tenferro/backend/session_entry_error.hpp>

int main() {
  using namespace tenferro;
  return describe(SessionEntryInfo{SessionEntryKind::reentered, "toy"}).find("toy") != std::string::npos ? 0 : 1;
}
