// SPDX-License-Identifier: MIT OR Apache-2.0
// Movement of elements, conversion, creation, random bits; special functions that the standard library lacks.
#include <cmath>
#include <limits>

#include "tests/conformance/oracles.hpp"

namespace tenferro::testing {
namespace {

/// The array whose element at an index is f(index).
template <class F>
Array built(DType d, const Shape& shape, F&& f) {
  Array out(d, shape);
  for_each_index(shape, [&](DimsView index, std::int64_t) { out.at(index) = f(index); });
  return out;
}

struct Words {
  std::uint32_t w[4];
};

/// Ten rounds of Philox 4x32 (Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011).
Words philox(std::uint64_t block, std::uint64_t stream, std::uint64_t seed) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  Words c{{low(block), high(block), low(stream), high(stream)}};
  std::uint32_t k0 = low(seed), k1 = high(seed);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = 0xD2511F53ULL * c.w[0], q = 0xCD9E8D57ULL * c.w[2];
    c = {{high(q) ^ c.w[1] ^ k0, low(q), high(p) ^ c.w[3] ^ k1, low(p)}};
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return c;
}

}  // namespace

Arrays transposed(const Op& op, const Arrays& in) {
  const Array& x = in[0];
  const AxisList& perm = op.as<TransposeAttrs>().perm;
  Shape shape;
  for (const std::uint8_t axis : perm) shape.push_back(x.shape[axis]);
  return {built(x.dtype, shape, [&](DimsView index) {
    Dims source(x.rank());
    for (std::size_t k = 0; k < perm.size(); ++k) source[perm[k]] = index[k];
    return x.at(source);
  })};
}

Arrays reshaped(const Op& op, const Arrays& in) {
  Array out = in[0];
  out.shape = op.as<ReshapeAttrs>().shape;
  return {std::move(out)};
}

Arrays broadcast(const Op& op, const Arrays& in) {
  const Array& x = in[0];
  const BroadcastInDimConfig& config = *op.as<BroadcastInDimAttrs>();
  return {built(x.dtype, config.shape, [&](DimsView index) {
    Dims source;
    for (std::size_t k = 0; k < x.rank(); ++k) source.push_back(x.shape[k] == 1 ? 0 : index[config.axes[k]]);
    return x.at(source);
  })};
}

Arrays diagonal_extracted(const Op& op, const Arrays& in) {
  const Array& x = in[0];
  const auto& attrs = op.as<DiagAttrs>();
  Shape shape;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (k != attrs.axis1 && k != attrs.axis2) shape.push_back(x.shape[k]);
  }
  std::int64_t length = 0;
  for (std::int64_t i = 0; i < x.shape[attrs.axis1]; ++i) {
    length += i + attrs.shift >= 0 && i + attrs.shift < x.shape[attrs.axis2] ? 1 : 0;
  }
  shape.push_back(length);
  return {built(x.dtype, shape, [&](DimsView index) {
    Dims source;
    std::size_t next = 0;
    const std::int64_t i = index.back() + (attrs.shift < 0 ? -attrs.shift : 0);
    for (std::size_t k = 0; k < x.rank(); ++k) {
      source.push_back(k == attrs.axis1 ? i : k == attrs.axis2 ? i + attrs.shift : index[next++]);
    }
    return x.at(source);
  })};
}

Arrays diagonal_embedded(const Op& op, const Arrays& in) {
  const Array& x = in[0];
  const auto& attrs = op.as<DiagAttrs>();
  Shape shape;
  std::size_t next = 0;
  const std::int64_t side = x.shape.back() + (attrs.shift < 0 ? -attrs.shift : attrs.shift);
  for (std::size_t k = 0; k < x.rank() + 1; ++k) {
    shape.push_back(k == attrs.axis1 || k == attrs.axis2 ? side : x.shape[next++]);
  }
  return {built(x.dtype, shape, [&](DimsView index) {
    if (index[attrs.axis2] - index[attrs.axis1] != attrs.shift) return Cell{};
    Dims source;
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (k != attrs.axis1 && k != attrs.axis2) source.push_back(index[k]);
    }
    source.push_back(index[attrs.axis1] + (attrs.shift < 0 ? attrs.shift : 0));
    return x.at(source);
  })};
}

Arrays triangle(const Op& op, const Arrays& in) {
  const std::int64_t shift = op.as<TriAttrs>().shift;
  return {built(in[0].dtype, in[0].shape, [&](DimsView index) {
    const std::int64_t offset = index[1] - index[0];
    const bool stays = op.kind() == OpKind::tril ? offset <= shift : offset >= shift;
    return stays ? in[0].at(index) : Cell{};
  })};
}

Arrays backwards(const Op& op, const Arrays& in) {
  const Array& x = in[0];
  return {built(x.dtype, x.shape, [&](DimsView index) {
    Dims source(index);
    for (std::size_t k = 0; k < source.size(); ++k) {
      if (op.as<AxesAttrs>().axes.contains(k)) source[k] = x.shape[k] - 1 - index[k];
    }
    return x.at(source);
  })};
}

Arrays joined(const Op& op, const Arrays& in) {
  const std::size_t axis = op.as<AxisAttrs>().axis;
  Shape shape = in[0].shape;
  for (std::size_t i = 1; i < in.size(); ++i) shape[axis] += in[i].shape[axis];
  return {built(in[0].dtype, shape, [&](DimsView index) {
    Dims source(index);
    std::size_t part = 0;
    while (source[axis] >= in[part].shape[axis]) source[axis] -= in[part++].shape[axis];
    return in[part].at(source);
  })};
}

Arrays padded(const Op& op, const Arrays& in) {
  const Array& x = in[0];
  const PadConfig& config = *op.as<PadAttrs>();
  Shape shape;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    const std::int64_t gaps = x.shape[k] > 0 ? x.shape[k] - 1 : 0;
    shape.push_back(x.shape[k] + gaps * config.interior[k] + config.low[k] + config.high[k]);
  }
  const Cell fill = array_of(Tensor::scalar(config.fill)).cells[0];
  return {built(x.dtype, shape, [&](DimsView index) {
    Dims source;
    for (std::size_t k = 0; k < index.size(); ++k) {
      const std::int64_t place = index[k] - config.low[k], step = config.interior[k] + 1;
      if (place < 0 || place % step != 0 || place / step >= x.shape[k]) return fill;
      source.push_back(place / step);
    }
    return x.at(source);
  })};
}

Arrays sliced(const Op& op, const Arrays& in) {
  const Array& x = in[0];
  const SliceConfig& config = *op.as<SliceAttrs>();
  Shape shape;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    std::int64_t n = 0;
    for (std::int64_t i = config.starts[k]; i < config.limits[k]; i += config.strides[k]) ++n;
    shape.push_back(n);
  }
  return {built(x.dtype, shape, [&](DimsView index) {
    Dims source;
    for (std::size_t k = 0; k < index.size(); ++k) source.push_back(config.starts[k] + index[k] * config.strides[k]);
    return x.at(source);
  })};
}

Cell cast_cell(const Cell& cell, DType from, DType to) {
  Cell out;
  const Real x = is_whole(from) ? static_cast<Real>(cell.n) : cell.z.real();
  if (to == DType::boolean) {
    out.n = is_whole(from) ? cell.n != 0 : cell.z != Complex(0);
  } else if (is_integer(to)) {
    const bool narrow = to == DType::i32;
    const Whole low = narrow ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min();
    const Whole high = narrow ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
    if (is_whole(from)) {
      out.n = cell.n;  // cut to the width when it is compared
    } else if (std::isnan(x)) {
      out.n = 0;
    } else {
      out.n = x <= static_cast<Real>(low) ? low : x >= static_cast<Real>(high) ? high : static_cast<Whole>(x);
    }
  } else if (is_complex(to) && is_complex(from)) {
    out.z = cell.z;
  } else {
    out.z = x;
  }
  return out;
}

Arrays converted(const Op& op, const Arrays& in) {
  const DType to = op.as<ConvertAttrs>().to;
  return {built(to, in[0].shape, [&](DimsView index) { return cast_cell(in[0].at(index), in[0].dtype, to); })};
}

Arrays shape_of(const Op& op, const Arrays& in) {
  Array out(DType::i64, Shape{});
  out.cells[0].n = in[0].shape[op.as<AxisAttrs>().axis];
  return {std::move(out)};
}

Arrays truncated(const Op& op, const Arrays& in) {
  Shape shape = in[0].shape;
  shape[op.as<AxisAttrs>().axis] = in[1].cells[0].n;
  return {built(in[0].dtype, shape, [&](DimsView index) { return in[0].at(index); })};
}

Arrays padded_to_match(const Op& op, const Arrays& in) {
  const std::size_t axis = op.as<AxisAttrs>().axis;
  Shape shape = in[0].shape;
  shape[axis] = in[1].shape[axis];
  return {built(in[0].dtype, shape,
                [&](DimsView index) { return index[axis] < in[0].shape[axis] ? in[0].at(index) : Cell{}; })};
}

Arrays created(const Op& op, const Arrays&) {
  if (const auto* constant = std::get_if<ConstantAttrs>(&op.attrs)) return {array_of(*constant->value)};
  const auto& attrs = op.as<IotaAttrs>();
  return {built(attrs.dtype, attrs.shape, [&](DimsView index) {
    Cell cell;
    cell.n = index[attrs.axis];
    cell.z = static_cast<Real>(cell.n);
    return cell;
  })};
}

Arrays philox_bits(const Op& op, const Arrays& in) {
  const auto& attrs = op.as<RandomBitsAttrs>();
  const auto seed = static_cast<std::uint64_t>(in[0].cells[0].n), stream = static_cast<std::uint64_t>(in[0].cells[1].n);
  Array out(attrs.dtype, attrs.shape);
  for (std::size_t i = 0; i < out.cells.size(); ++i) {
    if (attrs.dtype == DType::i32) {
      out.cells[i].n = static_cast<std::int32_t>(philox(i / 4, stream, seed).w[i % 4]);
    } else {
      const Words words = philox(i / 2, stream, seed);
      const std::uint64_t low = words.w[i % 2 * 2], high = words.w[i % 2 * 2 + 1];
      out.cells[i].n = static_cast<Whole>(low | high << 32);
    }
  }
  return {std::move(out)};
}

Real inverse_erf(Real x) {
  if (std::isnan(x) || std::abs(x) > 1) return std::numeric_limits<Real>::quiet_NaN();
  if (std::abs(x) == 1) return x * std::numeric_limits<Real>::infinity();
  if (x == 0) return x;
  Real low = -7, high = 7;  // halving first, so that Newton's steps start close
  for (int i = 0; i < 40; ++i) {
    const Real middle = (low + high) / 2;
    (std::erf(middle) < x ? low : high) = middle;
  }
  Real y = (low + high) / 2;
  for (int i = 0; i < 4; ++i) {
    const Real slope = 2 / std::sqrt(std::acos(Real(-1))) * std::exp(-y * y);
    y -= (std::erf(y) - x) / slope;
  }
  return y;
}

// Recurrence up to where the asymptotic series (Abramowitz and Stegun 6.3.18) holds to the last bit.
Real digamma(Real x) {
  Real sum = 0;
  for (; x < 40; x += 1) sum -= 1 / x;
  const Real r = 1 / (x * x);
  const Real series =
      r * (1 / 12.0L - r * (1 / 120.0L - r * (1 / 252.0L - r * (1 / 240.0L - r * (5 / 660.0L - r * 691 / 32760)))));
  return sum + std::log(x) - 1 / (2 * x) - series;
}

}  // namespace tenferro::testing
