// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: deleted function
// Copies of a tensor are explicit.
#include "tenferro/tensor/tensor.hpp"

tenferro::Tensor twice(const tenferro::Tensor& a) {
#ifdef TENFERRO_MUST_FAIL
  return a;
#else
  return a.duplicate();
#endif
}
