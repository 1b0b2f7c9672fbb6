// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The whole vocabulary outside composites: the rows, and the functions of one or two rows under names that people know.

#include "tenferro/ops/arithmetic.hpp"
#include "tenferro/ops/arrangement.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/creation.hpp"
#include "tenferro/ops/dynamic.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/ops/indexing.hpp"
#include "tenferro/ops/order.hpp"
#include "tenferro/ops/random.hpp"
#include "tenferro/ops/reduction.hpp"
#include "tenferro/ops/scan.hpp"
#include "tenferro/ops/structural.hpp"
