// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: (convert|conversion|no match)
// A value of one surface, here a shape without data, is no operand of another.
#include "tenferro/backend/session.hpp"
#include "tenferro/ops/elementwise.hpp"

tenferro::Tensor twice(tenferro::BackendSession& session, const tenferro::Tensor& x, const tenferro::TensorMeta& meta) {
  (void)meta;
#ifdef TENFERRO_MUST_FAIL
  return tenferro::add(session, x, meta);
#else
  return tenferro::add(session, x, x);
#endif
}
