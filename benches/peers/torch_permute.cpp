// SPDX-License-Identifier: MIT OR Apache-2.0
// Permutations of libtorch: what permute().contiguous() does, into memory that is reused.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <vector>

#include "benches/peers/permute_peer.hpp"

namespace {

struct Call {
  at::Tensor from, to;
};

// Contiguous is row-major there: all axes in the opposite order.
void* prepare(int width, int rank, const std::int64_t* shape, const std::int64_t* strides, const std::int64_t* perm,
              const void* from, void* to) {
  static c10::InferenceMode guard;
  at::set_num_threads(1);
  const auto type = width == 1 ? at::kByte : width == 4 ? at::kFloat : width == 8 ? at::kDouble : at::kComplexDouble;
  std::vector<std::int64_t> sizes, steps;
  for (int k = rank; k-- > 0;) {
    sizes.push_back(shape[perm[k]]);
    steps.push_back(strides[perm[k]]);
  }
  return new Call{at::from_blob(const_cast<void*>(from), sizes, steps, at::TensorOptions().dtype(type)),
                  at::from_blob(to, sizes, at::TensorOptions().dtype(type))};
}

void run(void* call) {
  auto& c = *static_cast<Call*>(call);
  c.to.copy_(c.from);
}

}  // namespace

const tenferro::bench::PermutePeer* tenferro_permute_peer() {
  static const tenferro::bench::PermutePeer peer{"torch", prepare, run};
  return &peer;
}
