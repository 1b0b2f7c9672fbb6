// SPDX-License-Identifier: MIT OR Apache-2.0

// The tenferro side of npy_exchange.py.
//   npy_exchange write FOLDER    writes its tensors as .npy and .npz files
//   npy_exchange check FILE…     compares every tensor of .npy and .npz files with what its name says
// A name is CODE_EXTENTS, as in f8_2x3x4 or c16_; element number n, counted with the last index fastest, is n + 1, with
// imaginary part −n, and a truth value says whether n is a multiple of 3.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tenferro/io/npy_map.hpp"
#include "tenferro/io/npz.hpp"
#include "tenferro/tensor/compare.hpp"

namespace {

using namespace tenferro;

struct Code {
  const char* text;
  DType dtype;
};
constexpr Code kCodes[] = {{"f4", DType::f32}, {"f8", DType::f64}, {"c8", DType::c32},    {"c16", DType::c64},
                           {"i4", DType::i32}, {"i8", DType::i64}, {"b1", DType::boolean}};

template <class T>
Tensor numbered(const Shape& shape) {
  const auto count = element_count(shape).value();
  Tensor rows = Tensor::uninitialized(dtype_of<T>, {count});
  T* out = rows.data<T>().data();
  for (std::int64_t n = 0; n < count; ++n) {
    if constexpr (std::is_same_v<T, bool>) {
      out[n] = n % 3 == 0;
    } else if constexpr (is_complex(dtype_of<T>)) {
      out[n] = {static_cast<typename T::value_type>(n + 1), static_cast<typename T::value_type>(-n)};
    } else {
      out[n] = static_cast<T>(n + 1);
    }
  }
  return Tensor::copy_of(
      TypedView<const T>::row_major(std::span<const T>(out, static_cast<std::size_t>(count)), shape));
}

Tensor named(const std::string& name) {
  const std::size_t mark = name.find('_');
  Shape shape;
  for (std::size_t at = mark + 1; at < name.size();) {
    std::size_t used = 0;
    shape.push_back(std::stoll(name.substr(at), &used));
    at += used + 1;
  }
  for (const Code& code : kCodes) {
    if (name.substr(0, mark) != code.text) continue;
    return visit_dtype(code.dtype, [&](auto tag) { return numbered<typename decltype(tag)::type>(shape); });
  }
  return {};
}

int write(const std::string& folder) {
  for (const bool row_major : {false, true}) {
    std::vector<NamedTensor> all;
    for (const Code& code : kCodes) {
      for (const char* extents : {"", "5", "2x3", "2x3x4", "0x3", "1x1x7"}) {
        const std::string name = std::string(code.text) + "_" + extents;
        all.push_back({name, named(name)});
        const std::string order = row_major ? ".rows" : ".columns";
        write_npy(folder + "/" + name + order + ".npy", all.back().value, {.row_major = row_major});
      }
    }
    std::vector<NpzItem> items;
    for (const NamedTensor& t : all) items.push_back({t.name, t.value});
    for (const bool compress : {false, true}) {
      for (const bool zip64 : {false, true}) {
        const std::string name = std::string("all") + (row_major ? ".rows" : "") + (compress ? ".packed" : "") +
                                 (zip64 ? ".zip64" : "") + ".npz";
        write_npz(folder + "/" + name, items, {.compress = compress, .zip64 = zip64, .npy = {.row_major = row_major}});
      }
    }
  }
  return 0;
}

bool agrees(const std::string& where, const std::string& name, TensorRead tensor) {
  if (same_bits(tensor, named(name))) return true;
  std::fprintf(stderr, "%s: %s is not what its name says\n", where.c_str(), name.c_str());
  return false;
}

bool check(const std::string& path) {
  if (path.size() > 4 && path.substr(path.size() - 4) == ".npz") {
    bool good = true;
    for (const NamedTensor& t : read_npz(path)) good = agrees(path, t.name, t.value) && good;
    return good;
  }
  const std::size_t start = path.rfind('/') + 1;
  const std::string name = path.substr(start, path.find('.', start) - start);
  const bool swapped = path.find(".big.") != std::string::npos;
  return agrees(path, name, read_npy(path)) && (swapped || agrees(path, name, NpyMap(path).view()));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::strcmp(argv[1], "write") == 0) return write(argv[2]);
    bool good = argc > 2 && std::strcmp(argv[1], "check") == 0;
    for (int k = 2; k < argc; ++k) good = check(argv[k]) && good;
    return good ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
