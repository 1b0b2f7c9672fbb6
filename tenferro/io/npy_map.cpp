// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/npy_map.hpp"

#include <algorithm>

#include "tenferro/base/text.hpp"
#include "tenferro/io/internal/file.hpp"
#include "tenferro/io/internal/npy_header.hpp"

namespace tenferro {

NpyMap::NpyMap(const std::string& path) {
  const internal::Subject subject{"NpyMap", path};
  const auto refuse = [&](std::string reason) {
    raise<IoErrorInfo>(BadFormat{subject.op, subject.path, "npy", "it cannot be mapped: " + std::move(reason)});
  };
  internal::Mapping mapping = internal::map_file(subject);
  internal::MemorySource source({mapping.data, mapping.size});
  const internal::NpyHeader header = internal::read_npy_header(source, subject);
  if (header.swapped) refuse("its bytes are in the other order");
  const std::size_t alignment =
      visit_dtype(header.dtype, [](auto tag) { return alignof(typename decltype(tag)::type); });
  if (header.header_bytes % alignment != 0) {
    refuse(concat("its elements start at byte ", header.header_bytes, ", which is no multiple of ", alignment));
  }
  std::byte* elements = mapping.data + header.header_bytes;
  if (header.dtype == DType::boolean &&
      std::any_of(elements, elements + header.count, [](std::byte b) { return b > std::byte{1}; })) {
    refuse("it has truth values other than 0 and 1");
  }
  dtype_ = header.dtype;
  layout_ = {header.shape, header.fortran_order ? col_major_strides(header.shape) : row_major_strides(header.shape), 0};
  const std::uint64_t bytes = header.data_bytes();
  buffer_ = foreign_block(elements, bytes, [kept = std::move(mapping)](void*) {});
}

Tensor NpyMap::tensor() && {
  if (!compact()) return Tensor::copy_of(view());
  return Tensor::adopt(dtype_, layout_.shape, std::move(buffer_));
}

}  // namespace tenferro
