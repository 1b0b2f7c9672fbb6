// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// The operation behind tensordot.

#include <cstdint>
#include <span>

#include "tenferro/ops/infer.hpp"

namespace tenferro::internal {

/// dot_general over the named axes, negative ones from the last. Throws OpError (AxisOutOfRange, DuplicateAxis).
Op tensordot_op(const MetaView& lhs, const MetaView& rhs, std::span<const std::int64_t> lhs_axes,
                std::span<const std::int64_t> rhs_axes);
/// dot_general over the last `count` axes of lhs and the first `count` of rhs. Throws OpError (BadArgument).
Op tensordot_op(const MetaView& lhs, const MetaView& rhs, std::int64_t count);

}  // namespace tenferro::internal
