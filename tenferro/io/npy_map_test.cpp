// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/npy_map.hpp"

#include <cstring>

#include "tenferro/io/testing/io_test_support.hpp"
#include "tenferro/tensor/compare.hpp"

namespace tenferro {
namespace {

TEST(NpyMap, BothOrdersAreLookedAtInPlace) {
  for (const char* name : {"order_C.npy", "order_F.npy"}) {
    const NpyMap file(fixture(name));
    EXPECT_EQ(row_major_values<double>(file.view()), (std::vector<double>{0, 1, 2, 3, 4, 5})) << name;
  }
  EXPECT_EQ(NpyMap(fixture("order_C.npy")).view().strides(), (Dims{3, 1}));
  EXPECT_EQ(NpyMap(fixture("order_F.npy")).view().strides(), (Dims{1, 2}));
}

TEST(NpyMap, ColumnMajorFilesBecomeTensorsWithoutACopy) {
  NpyMap file(fixture("order_F.npy"));
  ASSERT_TRUE(file.compact());
  const std::byte* data = file.view().data();
  const Tensor t = std::move(file).tensor();
  EXPECT_EQ(t.bytes(), data);
  EXPECT_EQ(t.at<double>({1, 2}), 5);
  NpyMap rows(fixture("order_C.npy"));
  EXPECT_FALSE(rows.compact());
  EXPECT_EQ(std::move(rows).tensor().at<double>({1, 2}), 5);
}

TEST(NpyMap, WritesStayInTheProcess) {
  const TempFolder folder;
  write_npy(folder / "a.npy", Tensor::vector({1., 2.}));
  NpyMap file(folder / "a.npy");
  file.mutable_view().fill(9.0);
  EXPECT_EQ(file.view().at<double>({1}), 9);
  EXPECT_EQ(read_npy(folder / "a.npy").at<double>({1}), 2);
}

TEST(NpyMap, OutlivesTheNameOfItsFile) {
  Tensor t;
  {
    const TempFolder folder;
    write_npy(folder / "a.npy", Tensor::arange(0, 5000));
    t = NpyMap(folder / "a.npy").tensor();
  }
  EXPECT_EQ(t.at<double>({4999}), 4999);
}

TEST(NpyMap, ScalarsEmptiesAndBools) {
  const TempFolder folder;
  write_npy(folder / "a.npy", Tensor::scalar(2.5));
  EXPECT_EQ(NpyMap(folder / "a.npy").view().item(), Scalar(2.5));
  write_npy(folder / "a.npy", Tensor::zeros<double>(0, 3));
  EXPECT_EQ(NpyMap(folder / "a.npy").tensor().shape(), (Shape{0, 3}));
  write_npy(folder / "a.npy", Tensor::vector({true, false}));
  EXPECT_TRUE(equal_elements(NpyMap(folder / "a.npy").view(), Tensor::vector({true, false})));
}

TEST(NpyMap, RefusesWhatCannotBeSeenInPlace) {
  const TempFolder folder;
  const auto refused = [&](const std::string& bytes) {
    write_text(folder / "a.npy", bytes);
    EXPECT_EQ(io_error_of<BadFormat>([&] { return NpyMap(folder / "a.npy"); }).op, "NpyMap");
    EXPECT_GT(read_npy(folder / "a.npy").count(), 0);
  };
  refused(npy_file("{'descr': '>f8', 'fortran_order': False, 'shape': (1,)}", std::string(8, '\1')));
  refused(npy_file("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", "\1\2"));
  std::string odd = npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", std::string(8, '\1'));
  odd.erase(odd.find("\n") - 1, 1);
  odd[8] = static_cast<char>(odd[8] - 1);
  refused(odd);
}

TEST(NpyMap, DamagedFilesAreRefusedAsByTheReader) {
  const TempFolder folder;
  write_text(folder / "a.npy", "");
  io_error_of<BadFormat>([&] { return NpyMap(folder / "a.npy"); });
  write_text(folder / "a.npy", npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", "short"));
  EXPECT_EQ(io_error_of<ByteCountMismatch>([&] { return NpyMap(folder / "a.npy"); }).expected, 144u);
  EXPECT_EQ(io_error_of<FileFailure>([&] { return NpyMap(folder / "absent.npy"); }).code, ENOENT);
}

}  // namespace
}  // namespace tenferro
