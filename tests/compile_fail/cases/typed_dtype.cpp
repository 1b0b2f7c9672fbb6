// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: does not take this element type
// A row refuses typed operands of other element types when the program is built.
#include "tenferro/backend/session.hpp"
#include "tenferro/ops/elementwise.hpp"

using tenferro::TypedTensor;

#ifdef TENFERRO_MUST_FAIL
using Number = std::int32_t;
#else
using Number = float;
#endif

auto exponential(tenferro::BackendSession& session, const TypedTensor<Number>& x) { return exp(session, x); }
