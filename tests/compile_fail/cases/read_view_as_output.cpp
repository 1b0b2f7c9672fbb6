// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: (convert|conversion|no match|invalid|deleted)
// A view for reading is no output.
#include "tenferro/tensor/tensor.hpp"

void copy(const tenferro::Tensor& from, tenferro::Tensor& to) {
#ifdef TENFERRO_MUST_FAIL
  tenferro::copy_elements(from, to.view());
#else
  tenferro::copy_elements(from, to.mutable_view());
#endif
}
