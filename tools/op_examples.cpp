// SPDX-License-Identifier: MIT OR Apache-2.0
// Prints docs/reference/examples.md: each catalog row called by its named function on a sample of the conformance
// suites, with operands and results. `op_examples > FILE`, or `op_examples --check FILE`, which fails where the file
// says something else.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/front_ends.hpp"
#include "tenferro/tensor/print.hpp"
#include "tests/conformance/front_end_calls.hpp"
#include "tests/conformance/op_samples.hpp"

namespace tenferro::testing {
namespace {

/// f64 where the row takes it, for the plainest numbers.
DType shown_dtype(OpKind kind) {
  return admitted(info(kind).dtypes).contains(DType::f64) ? DType::f64 : any_dtype(kind);
}

/// The same operands with few digits, without zeros, inside the domain.
void shorten(Array& x, Real low, Real high) {
  for (std::size_t i = 0; i < x.cells.size(); ++i) {
    Complex& z = x.cells[i].z;
    Real value = std::nearbyint(z.real() * 8) / 8;
    if (!(std::abs(value) < 1000)) value = static_cast<Real>(i % 5) - 1.5L;  // NaN too
    value = std::max(low, std::min(value, high));
    z = {value == 0 ? 0.25L : value, std::nearbyint(z.imag() * 8) / 8};
  }
}

bool is_small(const OpCall& call, std::size_t least, std::size_t most) {
  const auto fits = [&](const Array& x) { return !x.cells.empty() && x.cells.size() <= most && x.rank() <= 2; };
  bool all = fits(expected_results(call)[0]);
  for (const Array& x : call.in) all = all && fits(x);
  return all && (call.in.empty() || call.in[0].cells.size() >= least);
}

/// A short call: four elements of an element-by-element row, else the first sample of a size that shows something.
OpCall shown_call(OpKind kind) {
  const DType d = shown_dtype(kind);
  if (is_elementwise(kind)) {
    OpCall call{"", Op(kind), {}};
    for (std::uint8_t k = 0; k < info(kind).arity; ++k) {
      Domain domain = op_sample(kind).domain[k];
      domain.edges = Domain::Edges::none;
      const bool mask = info(kind).shape == ShapeRule::select && k == 0;
      call.in.push_back(draw_array(mask ? DType::boolean : d, {4}, domain, index(kind) + 100 * k));
      shorten(call.in.back(), std::ceil(domain.low * 8) / 8, std::floor(domain.high * 8) / 8);
    }
    return call;
  }
  const Calls calls = sample_calls(kind, d);
  for (const std::size_t most : {15U, 30U, 100U}) {
    for (OpCall call : calls) {
      if (!is_small(call, kind == OpKind::random_bits ? 2 : 4, most)) continue;
      for (Array& x : call.in) shorten(x, -1000, 1000);
      return call;
    }
  }
  return calls.front();
}

std::string value_text(std::string_view label, TensorRead x) {
  PrintOptions options;
  options.header = false;
  options.precision = 4;
  options.max_elements = 24;
  std::string text = concat(label, " = ");
  const std::string margin(text.size(), ' ');
  for (const char c : to_text(x, options)) {
    text += c;
    if (c == '\n') text += margin;
  }
  return text + '\n';
}

std::string example(BackendSession& session, OpKind kind) {
  const OpCall call = shown_call(kind);
  std::vector<Tensor> tensors;
  for (const Array& x : call.in) tensors.push_back(to_tensor(x));
  Recorder recorder;
  std::vector<Recorded> inputs;
  for (const Tensor& x : tensors) inputs.push_back(recorder.input({x.dtype(), x.shape()}));
  call_front_end<Recorder>(recorder, call.op, inputs);
  const std::vector<TensorRead> reads(tensors.begin(), tensors.end());
  const std::vector<Tensor> results = call_front_end<BackendSession>(session, call.op, reads);

  std::string text = concat("\n## ", info(kind).name, "\n\n`", kFrontEnds[kind].call, "`: ", info(kind).doc,
                            "\n\n```\n", to_text(recorder.recording()));
  if (text.back() != '\n') text += '\n';
  for (std::size_t i = 0; i < tensors.size(); ++i) text += value_text(concat('x', i), tensors[i]);
  for (std::size_t i = 0; i < results.size(); ++i) text += value_text(concat('x', tensors.size() + i), results[i]);
  return text + "```\n";
}

std::string page() {
  std::string text =
      "# Every operation by an example\n\n"
      "Printed by `tools/op_examples.cpp` from the samples of the conformance suites; do not edit. The first lines "
      "name "
      "operands and call, as a recorder prints them; the values follow, first axis down, second across. All calls are "
      "listed in [the reference](ops.md).\n";
  CpuBackend cpu;
  cpu.with_session([&](BackendSession& session) {
    for (const OpInfo& row : kOps) text += example(session, row.kind);
  });
  return text;
}

int check(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string found((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (found == page()) return 0;
  std::fprintf(stderr, "%s is not what the operations give; build the target `reference`\n", path);
  return 1;
}

}  // namespace
}  // namespace tenferro::testing

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--check") == 0) return tenferro::testing::check(argv[2]);
  if (argc != 1) return 2;
  std::fputs(tenferro::testing::page().c_str(), stdout);
  return 0;
}
