// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/ops/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenferro/base/text.hpp"

namespace tenferro::internal {
namespace {

Op pair_op(std::int64_t a, std::int64_t b) {
  return {OpKind::constant,
          ConstantAttrs{std::make_shared<const Tensor>(Tensor::from_col_major<std::int64_t>({2}, {a, b}))}};
}

}  // namespace

Op key_op(std::int64_t seed) { return pair_op(seed, 0); }

// The fractional bits of √2 and √3: any constants other than 0 do.
Op split_tag_op() { return pair_op(0x6A09E667F3BCC908, 0x3B67AE8584CAA73B); }

Op random_bits_op(const Shape& shape, DType dtype) { return {OpKind::random_bits, RandomBitsAttrs{shape, dtype}}; }

Op split_bits_op(std::int64_t n) {
  if (n < 1) {
    raise<OpErrorInfo>(
        BadArgument{"random_split", concat("there is no key to make (expected 1 or more, got ", n, ")")});
  }
  return random_bits_op({2, n}, DType::i64);
}

void require_probability(double p) {
  if (!(p >= 0 && p <= 1)) {
    raise<OpErrorInfo>(BadArgument{"bernoulli", concat("p is no probability (expected 0 to 1, got ", p, ")")});
  }
}

Scalar below(double low, double high, DType dtype) {
  const double largest = dtype == DType::f32 ? double{std::numeric_limits<float>::max()}  //
                                             : std::numeric_limits<double>::max();
  if (!(low < high) || !(low >= -largest) || !(high <= largest) || !(high - low <= largest)) {
    raise<OpErrorInfo>(
        BadArgument{"uniform", concat("the range is empty or too wide (expected low < high with a difference within ",
                                      name(dtype), ", got ", low, " and ", high, ")")});
  }
  if (dtype == DType::f32) {
    const auto end = static_cast<float>(high), start = static_cast<float>(low);
    return std::max(start, end >= high ? std::nextafter(end, start) : end);
  }
  return std::max(low, std::nextafter(high, low));
}

}  // namespace tenferro::internal
