// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: deleted function
// A session is borrowed for a closure and cannot be kept.
#include "tenferro/backend/session.hpp"

void keep(tenferro::BackendSession& session) {
#ifdef TENFERRO_MUST_FAIL
  tenferro::BackendSession kept(session);
#else
  tenferro::BackendSession& kept = session;
#endif
  (void)kept.kind();
}
