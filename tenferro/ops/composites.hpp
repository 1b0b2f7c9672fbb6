// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// All composites: functions of several rows whose values at the edges are fixed. A backend may run one faster, but not
// give it another meaning.

#include "tenferro/ops/activation.hpp"
#include "tenferro/ops/normalization.hpp"
#include "tenferro/ops/softmax.hpp"
