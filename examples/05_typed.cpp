// SPDX-License-Identifier: MIT OR Apache-2.0
// Tensors whose element type the compiler knows: mixed types do not compile, results have the right type.
#include <complex>
#include <cstdio>
#include <type_traits>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/contraction.hpp"
#include "tenferro/ops/elementwise.hpp"
#include "tenferro/tensor/print.hpp"

using namespace tenferro;
using Complex = std::complex<double>;

int main() {
  CpuBackend cpu;
  const TypedTensor<Complex> z = TypedTensor<Complex>::matrix({{{3, 4}, {0, 1}}, {{1, 0}, {0, 0}}});
  const TypedTensor<double> size = cpu.with_session([&](BackendSession& s) {
    static_assert(std::is_same_v<decltype(abs(s, z)), TypedTensor<double>>);
    static_assert(std::is_same_v<decltype(eq(s, z, z)), TypedTensor<bool>>);
    return abs(s, z);
  });

  double sum = 0;
  for (const double x : size) sum += x;  // column-major order
  std::printf("%s\nsum %g, element (0, 0) %g\n", to_text(size.dynamic()).c_str(), sum, size(0, 0));

  // A typed tensor is a tensor wherever one is wanted; the other way asks for the type, and checks it.
  Tensor dynamic = cpu.with_session([&](BackendSession& s) { return matmul(s, size.dynamic(), size.dynamic()); });
  const TypedTensor<double> square = typed<double>(std::move(dynamic));
  return sum == 7 && square(0, 0) == 26 ? 0 : 1;
}
