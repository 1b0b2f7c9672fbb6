// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// One array in npy form, from or to any stream of bytes: a file of its own or an entry of an archive.

#include <string>

#include "tenferro/io/internal/file.hpp"
#include "tenferro/io/npy.hpp"

namespace tenferro::internal {

/// Reads one array, which must fill the source. Throws IoError.
Tensor read_npy_array(ByteSource& source, const Subject& subject);

/// Header and elements as they go to the file; borrows the tensor's memory where that lies right.
struct NpyArray {
  NpyArray(TensorRead tensor, const NpyOptions& options);

  std::string header;
  const std::byte* data = nullptr;
  std::uint64_t data_bytes = 0;

 private:
  Tensor copy_;
};

}  // namespace tenferro::internal
