// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/creation.hpp"

#include <cmath>
#include <limits>

#include "tenferro/base/text.hpp"

namespace tenferro::internal {

Op full_op(const Shape& shape) { return {OpKind::broadcast_in_dim, BroadcastInDimConfig{shape, {}}}; }

Op iota_op(const Shape& shape, DType dtype, std::int64_t axis) {
  return {OpKind::iota, IotaAttrs{shape, dtype, axis_of("iota", axis, shape.size())}};
}

std::int64_t arange_count(double start, double stop, double step) {
  if (step == 0.0 || !std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step)) {
    raise<OpErrorInfo>(BadArgument{"arange", concat("the range has no length (expected finite bounds and a step other "
                                                    "than 0, got ",
                                                    start, ", ", stop, " and ", step, ")")});
  }
  const double count = std::ceil((stop - start) / step);
  // As many f64 as there are are bytes in no memory; the quotient of finite numbers may be infinite.
  if (!(count < 0x1p60)) raise<OpErrorInfo>(ShapeOverflow{"arange", {std::numeric_limits<std::int64_t>::max()}});
  return count > 0.0 ? static_cast<std::int64_t>(count) : 0;
}

Op linspace_op(double first, double last, std::int64_t n) {
  if (n < 0) raise<OpErrorInfo>(BadArgument{"linspace", concat("the number of values is negative (got ", n, ")")});
  return {OpKind::constant, ConstantAttrs{std::make_shared<const Tensor>(Tensor::linspace(first, last, n))}};
}

Shape eye_shape(std::int64_t n, std::int64_t m) {
  Shape shape{n, m == -1 ? n : m};
  if (shape[0] < 0 || shape[1] < 0) raise<OpErrorInfo>(InvalidShape{"eye", shape});
  return shape;
}

PadConfig eye_padding(std::int64_t n, std::int64_t m) {
  const std::int64_t side = std::min(n, m);
  return {{0, 0}, {n - side, m - side}, {0, 0}, false};
}

}  // namespace tenferro::internal
