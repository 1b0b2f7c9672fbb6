// SPDX-License-Identifier: MIT OR Apache-2.0
// expect: discards qualifiers|not marked const
// A constant tensor gives no view for writing.
#include "tenferro/tensor/tensor.hpp"

#ifdef TENFERRO_MUST_FAIL
tenferro::MutableTensorView view(const tenferro::Tensor& x) { return x.mutable_view(); }
#else
tenferro::TensorView view(const tenferro::Tensor& x) { return x.view(); }
#endif
