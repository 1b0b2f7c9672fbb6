// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: deleted function
// Typed tensors do not mix element types; dynamic ones are promoted.
#include "tenferro/backend/session.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/structural.hpp"

using tenferro::BackendSession;
using tenferro::TypedTensor;

TypedTensor<double> sum(BackendSession& session, const TypedTensor<double>& a, const TypedTensor<float>& b) {
#ifdef TENFERRO_MUST_FAIL
  return add(session, a, b);
#else
  return add(session, a, typed<double>(convert(session, b, tenferro::DType::f64)));
#endif
}
