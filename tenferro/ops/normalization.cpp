// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/normalization.hpp"

namespace tenferro::internal {

AxisSet parameter_axes(std::string_view op, const MetaView& x, const MetaView& parameter, const Axes& axes) {
  const AxisSet normalised = axes.resolve(op, x.rank());
  if (parameter.rank() != normalised.size()) return {};
  return AxisSet(AxisSet::first(x.rank()).bits() & ~normalised.bits());
}

}  // namespace tenferro::internal
