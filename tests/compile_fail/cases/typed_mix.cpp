// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: deleted function
// Typed tensors of different element types do not mix; dynamic ones promote.
#include "tenferro/backend/session.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/tensor/typed_tensor.hpp"

tenferro::TypedTensor<double> sum(tenferro::BackendSession& session, const tenferro::TypedTensor<double>& x,
                                  const tenferro::TypedTensor<float>& y) {
  (void)y;
#ifdef TENFERRO_MUST_FAIL
  return tenferro::add(session, x, y);
#else
  return tenferro::add(session, x, x);
#endif
}
