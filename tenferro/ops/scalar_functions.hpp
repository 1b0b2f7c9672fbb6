// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Every elementwise row of the catalog as a function of scalars, overloaded on the dtypes that the row admits and
// named exactly as the row. Kernels for any backend expand to these, so all of them share one meaning.
//
// Example:
//     CHECK(scalar::exp(std::complex<float>(0, 0)) == 1.0F);
//     CHECK(scalar::select(scalar::lt(1, 2), 10.0, 20.0) == 10);

#include "tenferro/ops/scalar_arithmetic.hpp"
#include "tenferro/ops/scalar_cast.hpp"
#include "tenferro/ops/scalar_compare.hpp"
#include "tenferro/ops/scalar_complex.hpp"
#include "tenferro/ops/scalar_complex_exp.hpp"
#include "tenferro/ops/scalar_complex_trig.hpp"
#include "tenferro/ops/scalar_elementary.hpp"
#include "tenferro/ops/scalar_integer.hpp"
#include "tenferro/ops/scalar_special.hpp"
#include "tenferro/ops/scalar_types.hpp"
