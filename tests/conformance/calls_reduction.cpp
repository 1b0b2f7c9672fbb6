// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/conformance/payload_calls.hpp"

namespace tenferro::testing {
namespace {

using Edges = Domain::Edges;
using Extents = std::initializer_list<std::int64_t>;

AxisSet axis_set(std::initializer_list<std::size_t> axes) {
  AxisSet set;
  for (const std::size_t axis : axes) set.insert(axis);
  return set;
}

/// Sums and products stay away from the ends of the range; choices see everything, also ties and NaN.
Domain domain_of(OpKind kind) {
  for (const OpKind sum : {OpKind::reduce_sum, OpKind::reduce_sum_squares, OpKind::cumsum, OpKind::cumlogsumexp}) {
    if (kind == sum) return {-8, 8};
  }
  if (kind == OpKind::reduce_prod || kind == OpKind::cumprod) return {0.5L, 1.5L};
  return {-3, 3, Edges::all};
}

bool needs_an_element(OpKind kind) {
  return kind == OpKind::reduce_max || kind == OpKind::reduce_min || kind == OpKind::argmax || kind == OpKind::argmin;
}

OpCall call_of(const Op& op, std::string label, DType d, DimsView shape, Domain domain) {
  return {shape_text(shape) + label, op, {draw_array(d, shape, domain, index(op.kind()) + shape.size())}};
}

}  // namespace

Calls reduction_calls_of(OpKind kind, DType d) {
  Calls calls;
  const Domain domain = domain_of(kind);
  const auto add = [&](Extents shape, AxisSet axes, bool keep_dims, std::string label) {
    calls.push_back(call_of(Op(kind, ReduceAttrs{axes, keep_dims}), std::move(label), d,
                            DimsView(shape.begin(), shape.size()), domain));
  };
  for (const bool keep : {false, true}) {
    const std::string kept = keep ? " kept" : "";
    add({3, 5, 4}, axis_set({0}), keep, " axis 0" + kept);
    add({3, 5, 4}, axis_set({1}), keep, " axis 1" + kept);
    add({3, 5, 4}, axis_set({2}), keep, " axis 2" + kept);
    add({3, 5, 4}, axis_set({0, 2}), keep, " axes 0 2" + kept);
    add({3, 5, 4}, axis_set({0, 1, 2}), keep, " all axes" + kept);
    add({3, 5, 4}, {}, keep, " no axes" + kept);
  }
  add({67}, axis_set({0}), false, " all axes");
  add({2, 4}, axis_set({1}), false, " axis 1");
  add({41, 3}, axis_set({0}), false, " axis 0");
  add({3, 41}, axis_set({1}), false, " axis 1");
  add({1, 4, 1}, axis_set({0, 2}), false, " axes 0 2");
  add({}, {}, false, " no axes");
  add({2, 0, 3}, axis_set({0}), false, " axis 0");
  add({0}, {}, false, " no axes");
  if (!needs_an_element(kind)) {
    add({2, 0, 3}, axis_set({1}), false, " axis 1");
    add({0}, axis_set({0}), true, " all axes kept");
  }
  return calls;
}

Calls large_reductions_of(OpKind kind, DType d) {
  Calls calls;
  const Domain domain = domain_of(kind);
  const auto add = [&](Extents shape, AxisSet axes, std::string label) {
    calls.push_back(call_of(Op(kind, ReduceAttrs{axes, false}), std::move(label), d,
                            DimsView(shape.begin(), shape.size()), domain));
  };
  add({1031, 67}, axis_set({0}), " axis 0");
  add({1031, 67}, axis_set({1}), " axis 1");
  add({1031, 67}, axis_set({0, 1}), " all axes");
  return calls;
}

Calls arg_reduction_calls_of(OpKind kind, DType d) {
  Calls calls;
  const auto add = [&](Extents shape, std::int8_t axis, bool keep_dims, std::string label) {
    calls.push_back(call_of(Op(kind, ArgReduceAttrs{axis, keep_dims}), std::move(label), d,
                            DimsView(shape.begin(), shape.size()), domain_of(kind)));
  };
  for (const bool keep : {false, true}) {
    const std::string kept = keep ? " kept" : "";
    add({3, 5, 4}, 0, keep, " axis 0" + kept);
    add({3, 5, 4}, 1, keep, " axis 1" + kept);
    add({3, 5, 4}, 2, keep, " axis 2" + kept);
    add({3, 5, 4}, -1, keep, " all axes" + kept);
  }
  add({67}, 0, false, " axis 0");
  add({2, 4}, 1, false, " axis 1");
  add({}, -1, false, " all axes");
  add({2, 0, 3}, 0, false, " axis 0");
  return calls;
}

Calls large_arg_reductions_of(OpKind kind, DType d) {
  Calls calls;
  for (const auto axis : std::initializer_list<std::int8_t>{0, 1, -1}) {
    calls.push_back(call_of(Op(kind, ArgReduceAttrs{axis, false}), " axis " + std::to_string(axis), d, Shape{1031, 67},
                            domain_of(kind)));
  }
  return calls;
}

Calls scan_calls_of(OpKind kind, DType d) {
  Calls calls;
  const auto add = [&](Extents shape, ScanAttrs attrs) {
    const std::string label = " axis " + std::to_string(attrs.axis) + (attrs.reverse ? " reverse" : "") +
                              (attrs.exclusive ? " exclusive" : "");
    calls.push_back(call_of(Op(kind, attrs), label, d, DimsView(shape.begin(), shape.size()), domain_of(kind)));
  };
  for (const bool reverse : {false, true}) {
    for (const bool exclusive : {false, true}) {
      for (const auto axis : std::initializer_list<std::uint8_t>{0, 1, 2}) add({3, 5, 4}, {axis, reverse, exclusive});
      add({2, 4}, {1, reverse, exclusive});
      add({37}, {0, reverse, exclusive});
      add({2, 0, 3}, {0, reverse, exclusive});
      add({2, 0, 3}, {1, reverse, exclusive});
    }
  }
  return calls;
}

Calls large_scans_of(OpKind kind, DType d) {
  Calls calls;
  for (const auto axis : std::initializer_list<std::uint8_t>{0, 1}) {
    calls.push_back(call_of(Op(kind, ScanAttrs{axis, false, false}), " axis " + std::to_string(axis), d,
                            Shape{509, 131}, domain_of(kind)));
  }
  return calls;
}

Calls sort_calls_of(OpKind kind, DType d) {
  Calls calls;
  const auto add = [&](Extents shape, SortAttrs attrs) {
    const std::string label = " axis " + std::to_string(attrs.axis) + (attrs.descending ? " descending" : "");
    calls.push_back(call_of(Op(kind, attrs), label, d, DimsView(shape.begin(), shape.size()), domain_of(kind)));
  };
  for (const bool descending : {false, true}) {
    for (const auto axis : std::initializer_list<std::uint8_t>{0, 1, 2}) add({4, 7, 5}, {axis, descending, true});
    add({2, 4}, {1, descending, true});
    add({67}, {0, descending, true});
    add({1}, {0, descending, true});
    add({2, 0, 3}, {1, descending, true});
    add({2, 0, 3}, {0, descending, true});
  }
  return calls;
}

Calls large_sorts_of(OpKind kind, DType d) {
  Calls calls;
  for (const auto axis : std::initializer_list<std::uint8_t>{0, 1}) {
    calls.push_back(call_of(Op(kind, SortAttrs{axis, false, true}), " axis " + std::to_string(axis), d, Shape{211, 103},
                            domain_of(kind)));
  }
  return calls;
}

Calls top_k_calls(DType d) {
  Calls calls;
  const auto add = [&](Extents shape, TopKAttrs attrs) {
    const std::string label = " k " + std::to_string(attrs.k) + " axis " + std::to_string(attrs.axis) +
                              (attrs.largest ? " largest" : " smallest");
    calls.push_back(
        call_of(Op(OpKind::top_k, attrs), label, d, DimsView(shape.begin(), shape.size()), domain_of(OpKind::top_k)));
  };
  for (const bool largest : {true, false}) {
    add({4, 7, 5}, {2, 0, largest});
    add({4, 7, 5}, {7, 1, largest});
    add({4, 7, 5}, {1, 2, largest});
    add({4, 7, 5}, {0, 1, largest});
    add({2, 4}, {2, 1, largest});
    add({67}, {9, 0, largest});
    add({0, 3}, {0, 0, largest});
    add({0, 3}, {2, 1, largest});
  }
  return calls;
}

Calls large_top_k(DType d) {
  return {
      call_of(Op(OpKind::top_k, TopKAttrs{17, 0, true}), " k 17 axis 0", d, Shape{211, 103}, domain_of(OpKind::top_k))};
}

Calls dot_general_calls(DType d) {
  Calls calls;
  const auto add = [&](Extents a, Extents b, DotGeneralConfig config, std::string label) {
    const DimsView left(a.begin(), a.size()), right(b.begin(), b.size());
    calls.push_back({shape_text(left) + " by " + shape_text(right) + label,
                     Op(OpKind::dot_general, std::move(config)),
                     {draw_array(d, left, {-4, 4}, calls.size()), draw_array(d, right, {-4, 4}, calls.size() + 100)}});
  };
  add({4, 3}, {3, 5}, {{1}, {0}}, "");
  add({3, 4}, {5, 3}, {{0}, {1}}, " both transposed");
  add({2, 3, 4}, {4, 3, 5}, {{1, 2}, {1, 0}}, " two contracted");
  add({4, 3, 2}, {3, 5, 2}, {{1}, {0}, {2}, {2}}, " batch last");
  add({2, 4, 3}, {3, 2, 5}, {{2}, {0}, {0}, {1}}, " batch first");
  add({2, 3, 4, 5}, {5, 3, 2}, {{3}, {0}, {1, 0}, {1, 2}}, " two batch");
  add({7}, {7}, {{0}, {0}}, " inner");
  add({4}, {5}, DotGeneralConfig(), " outer");
  add({}, {}, DotGeneralConfig(), " scalars");
  add({}, {2, 3}, DotGeneralConfig(), " scalar by matrix");
  add({6, 1}, {1, 4}, {{1}, {0}}, "");
  add({1, 9}, {9, 1}, {{1}, {0}}, "");
  add({3, 4}, {3, 4}, {{}, {}, {0, 1}, {0, 1}}, " all batch");
  add({37, 29}, {29, 31}, {{1}, {0}}, "");
  add({3, 0}, {0, 4}, {{1}, {0}}, " nothing to sum");
  add({0, 3}, {3, 4}, {{1}, {0}}, " no row");
  add({2, 3, 0}, {3, 2, 0}, {{1}, {0}, {2}, {2}}, " no batch");
  for (const bool left : {true, false}) {
    DotGeneralConfig config{{1}, {0}};
    config.lhs_conj = left;
    config.rhs_conj = !left;
    add({4, 3}, {3, 5}, config, left ? " conj left" : " conj right");
  }
  return calls;
}

Calls large_dot_general(DType d) {
  Calls calls;
  const auto add = [&](Extents a, Extents b, DotGeneralConfig config) {
    const DimsView left(a.begin(), a.size()), right(b.begin(), b.size());
    calls.push_back({shape_text(left) + " by " + shape_text(right),
                     Op(OpKind::dot_general, std::move(config)),
                     {draw_array(d, left, {-4, 4}, 1), draw_array(d, right, {-4, 4}, 2)}});
  };
  add({64, 444}, {444, 56}, {{1}, {0}});
  add({16, 24, 24}, {24, 16, 24}, {{1}, {0}, {2}, {2}});
  add({9973}, {9973}, {{0}, {0}});
  return calls;
}

}  // namespace tenferro::testing
