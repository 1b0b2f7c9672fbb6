// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/npy.hpp"

#include <algorithm>
#include <cstring>

#include "tenferro/io/internal/file.hpp"
#include "tenferro/io/internal/npy_array.hpp"
#include "tenferro/io/internal/npy_header.hpp"

namespace tenferro {
namespace internal {
namespace {

// Reverses each run of `width` bytes.
void swap_bytes(std::byte* data, std::uint64_t count, std::size_t width) {
  for (std::uint64_t k = 0; k < count; ++k) std::reverse(data + k * width, data + (k + 1) * width);
}

}  // namespace

Tensor read_npy_array(ByteSource& source, const Subject& subject) {
  const NpyHeader header = read_npy_header(source, subject);
  const bool straight = header.column_major();
  Shape shape = header.shape;
  if (!straight) std::reverse(shape.begin(), shape.end());
  Tensor read = Tensor::uninitialized(header.dtype, std::move(shape));
  source.read(read.bytes(), read.byte_size());
  if (header.swapped) {
    const DType part = real_part(header.dtype);
    swap_bytes(read.bytes(), read.byte_size() / element_size(part), element_size(part));
  }
  if (header.dtype == DType::boolean) {
    // A C++ bool is 0 or 1 and nothing else; NumPy takes any other byte as true.
    std::byte* bytes = read.bytes();
    for (std::size_t k = 0; k < read.byte_size(); ++k) bytes[k] = std::byte{bytes[k] != std::byte{0}};
  }
  if (straight) return read;
  Dims backwards(header.shape.size());
  for (std::size_t k = 0; k < backwards.size(); ++k) backwards[k] = static_cast<std::int64_t>(backwards.size() - 1 - k);
  return Tensor::copy_of(read.view().permuted(backwards));
}

NpyArray::NpyArray(TensorRead tensor, const NpyOptions& options) {
  if (tensor.dtype == DType::external) {
    raise<TensorErrorInfo>(UnsupportedDType{"write_npy", 0, tensor.dtype, kBuiltInDTypes});
  }
  if (!host_accessible(tensor.placement)) {
    raise<TensorErrorInfo>(PlacementMismatch{"write_npy", 0, Placement{}, tensor.placement});
  }
  const Dims strides = internal::strides_of(tensor);
  const bool one_order = tensor.rank() <= 1;
  header = npy_header_text(tensor.dtype, tensor.shape(), !one_order && !options.row_major);
  data_bytes = static_cast<std::uint64_t>(tensor.count()) * element_size(tensor.dtype);
  if (options.row_major && !one_order) {
    const Shape turned(std::make_reverse_iterator(tensor.shape().end()),
                       std::make_reverse_iterator(tensor.shape().begin()));
    const Dims turned_strides(std::make_reverse_iterator(strides.end()), std::make_reverse_iterator(strides.begin()));
    copy_ =
        Tensor::copy_of(TensorView::trusted(tensor.data, tensor.dtype, {turned, turned_strides, 0}, tensor.placement));
    data = copy_.bytes();
  } else if (is_compact(tensor.shape(), strides)) {
    data = tensor.data;
  } else {
    copy_ = Tensor::copy_of(tensor);
    data = copy_.bytes();
  }
}

}  // namespace internal

Tensor read_npy(const std::string& path) {
  const internal::Subject subject{"read_npy", path};
  const auto bytes = internal::open_bytes(subject);
  internal::PartSource source(*bytes, 0, bytes->size());
  return internal::read_npy_array(source, subject);
}

tl::expected<Tensor, IoErrorInfo> try_read_npy(const std::string& path) {
  return attempt<IoErrorInfo>([&] { return read_npy(path); });
}

Tensor read_npy(std::span<const std::byte> bytes, const std::string& name) {
  internal::MemorySource source(bytes);
  return internal::read_npy_array(source, {"read_npy", name});
}

void write_npy(const std::string& path, TensorRead tensor, const NpyOptions& options) {
  const internal::NpyArray array(tensor, options);
  internal::NewFile file({"write_npy", path});
  file.write(array.header);
  file.write(array.data, array.data_bytes);
  file.commit();
}

tl::expected<void, IoErrorInfo> try_write_npy(const std::string& path, TensorRead tensor, const NpyOptions& options) {
  return attempt<IoErrorInfo>([&] { write_npy(path, tensor, options); });
}

std::vector<std::byte> npy_bytes(TensorRead tensor, const NpyOptions& options) {
  const internal::NpyArray array(tensor, options);
  std::vector<std::byte> out(array.header.size() + array.data_bytes);
  std::memcpy(out.data(), array.header.data(), array.header.size());
  if (array.data_bytes != 0) std::memcpy(out.data() + array.header.size(), array.data, array.data_bytes);
  return out;
}

}  // namespace tenferro
