// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/npy.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "tenferro/io/testing/io_test_support.hpp"
#include "tenferro/tensor/compare.hpp"

namespace tenferro {
namespace {

Tensor parse(const std::string& bytes) { return read_npy(bytes_of(bytes), "test"); }

std::string doubles(std::initializer_list<double> values) {
  std::string out(values.size() * sizeof(double), '\0');
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

Tensor sample(DType d) { return Tensor::copy_of(Tensor::ones(d, {2, 3})); }

// ---- files of NumPy

TEST(ReadNpy, EveryVersionReadsTheSame) {
  for (const char* name : {"version1.npy", "version2.npy", "version3.npy"}) {
    EXPECT_TRUE(equal_elements(read_npy(fixture(name)), Tensor::vector({1., 2., 3.}))) << name;
  }
}

TEST(ReadNpy, HandMadeVersionsReadTheSame) {  // IO-01
  const std::string dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
  for (const char major : {'\1', '\2', '\3'}) {
    EXPECT_TRUE(equal_elements(parse(npy_file(dict, doubles({1, 2, 3}), major)), Tensor::vector({1., 2., 3.})));
  }
}

TEST(ReadNpy, BothOrdersGiveTheSameTensor) {  // IO-02
  for (const char* name : {"order_C.npy", "order_F.npy"}) {
    const Tensor t = read_npy(fixture(name));
    EXPECT_EQ(t.to_row_major<double>(), (std::vector<double>{0, 1, 2, 3, 4, 5})) << name;
    EXPECT_EQ(t.shape(), (Shape{2, 3}));
  }
}

// ---- headers

TEST(ReadNpy, EveryPythonSpellingOfTheHeaderIsRead) {  // IO-10
  for (const char* dict : {
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
           "{\"shape\": (3,), \"fortran_order\": False, \"descr\": \"<f8\"}",
           "{'shape':(3,),'descr':'<f8','fortran_order':False}",
           "  {  'shape'  :  ( 3 , ) ,\t'descr' : '=f8' ,\n 'fortran_order' : False , }  ",
           "{'descr': u'<f8', 'fortran_order': False, 'shape': (3L,), }",
           "{'descr': b'f8', 'fortran_order': True, 'shape': (+3,)}",
       }) {
    EXPECT_TRUE(equal_elements(parse(npy_file(dict, doubles({1, 2, 3}))), Tensor::vector({1., 2., 3.}))) << dict;
  }
}

TEST(ReadNpy, MalformedHeadersAreRefused) {  // IO-08
  for (const char* dict : {
           "",
           "{",
           "}",
           "{}",
           "[]",
           "{'descr'",
           "{'descr':",
           "{'descr': }",
           "{'descr': '<f8'",
           "{'descr': '<f8', 'fortran_order': False}",
           "{'descr': '<f8', 'shape': (3,)}",
           "{'fortran_order': False, 'shape': (3,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'extra': 1}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'shape': (3,)}",
           "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
           "{'descr': '<f8', 'fortran_order': Falsely, 'shape': (3,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': 3}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': [3]}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3.0,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3 3)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3,",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} + {}",
           "{'descr': '<f8' 'fortran_order': False, 'shape': (3,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
           "{__import__('os').system('true'): 1}",
       }) {
    EXPECT_EQ(io_error_of<BadFormat>([&] { return parse(npy_file(dict, doubles({1, 2, 3}))); }).format, "npy") << dict;
  }
}

TEST(ReadNpy, UnsupportedTypesAreNamed) {  // IO-08
  const auto descr_of = [](const std::string& descr) {
    const std::string dict = "{'descr': " + descr + ", 'fortran_order': False, 'shape': (3,)}";
    return io_error_of<UnsupportedElement>([&] { return parse(npy_file(dict, doubles({1, 2, 3}))); }).descr;
  };
  EXPECT_EQ(descr_of("'|O'"), "|O");
  EXPECT_EQ(descr_of("'<U2'"), "<U2");
  EXPECT_EQ(descr_of("'<f2'"), "<f2");
  EXPECT_EQ(descr_of("'<f16'"), "<f16");
  EXPECT_EQ(descr_of("'|u1'"), "|u1");
  EXPECT_EQ(descr_of("'<M8[s]'"), "<M8[s]");
  EXPECT_EQ(descr_of("''"), "");
  EXPECT_EQ(descr_of("[('x', '<f8'), ('y', '<i4', (2, 2))]"), "[('x', '<f8'), ('y', '<i4', (2, 2))]");
  EXPECT_EQ(descr_of("None"), "None");
  EXPECT_EQ(descr_of("__import__('os').system('x')"), "__import__('os').system('x')");
}

TEST(ReadNpy, ShapesBeyondAllMemoryAreRefusedByTheirByteCount) {
  const auto file = [](const std::string& shape) {
    return npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + "}", doubles({1}));
  };
  const auto e = io_error_of<ByteCountMismatch>([&] { return parse(file("(1099511627776, 1024)")); });
  EXPECT_EQ(e.expected, (std::uint64_t{1} << 53) + 128);
  EXPECT_EQ(e.found, 136u);
  io_error_of<BadFormat>([&] { return parse(file("(1099511627776, 1099511627776)")); });
  io_error_of<BadFormat>([&] { return parse(file("(1099511627776, 1099511627776, 0)")); });
  std::string axes = "(";
  for (int k = 0; k < 65; ++k) axes += "1,";
  io_error_of<BadFormat>([&] { return parse(file(axes + ")")); });
}

// ---- lengths

TEST(ReadNpy, CutFilesSayWhatWasExpectedAndFound) {  // IO-04
  const std::string whole = npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", doubles({1, 2, 3}));
  ASSERT_EQ(whole.size(), 128u + 24u);
  for (const std::size_t left : {whole.size() - 1, whole.size() / 2, std::size_t{128}, std::size_t{5}}) {
    const auto e = io_error_of<ByteCountMismatch>([&] { return parse(whole.substr(0, left)); });
    EXPECT_EQ(e.found, left);
    EXPECT_EQ(e.expected, left > 128 ? 152u : left == 128 ? 152u : left > 10 ? 128u : 10u) << left;
  }
  for (std::size_t left = 1; left < whole.size(); ++left) {
    const auto r = attempt<IoErrorInfo>([&] { return parse(whole.substr(0, left)); });
    ASSERT_FALSE(r) << left;
    ASSERT_TRUE(std::holds_alternative<ByteCountMismatch>(r.error())) << left;
  }
}

TEST(ReadNpy, BytesBehindTheElementsAreRefused) {
  const std::string dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}";
  const auto e = io_error_of<ByteCountMismatch>([&] { return parse(npy_file(dict, doubles({1, 2, 3}))); });
  EXPECT_EQ(e.expected, 144u);
  EXPECT_EQ(e.found, 152u);
}

TEST(ReadNpy, HeaderLengthBeyondTheFile) {
  std::string file = npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (0,)}", "", 2);
  file[11] = '\x7f';
  const auto e = io_error_of<ByteCountMismatch>([&] { return parse(file); });
  EXPECT_GT(e.expected, std::uint64_t{1} << 30);
  EXPECT_EQ(e.found, 128u);
}

TEST(ReadNpy, OtherFilesAreNotNpyFiles) {  // IO-05
  std::string changed = npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (0,)}", "");
  changed[0] = 'N';
  EXPECT_NE(io_error_of<BadFormat>([&] { return parse(changed); }).reason, "");
  io_error_of<BadFormat>([] { return parse("just some text\n"); });
  io_error_of<BadFormat>([] { return parse("abc"); });
  io_error_of<BadFormat>([] { return parse(""); });
  std::string version = npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (0,)}", "");
  version[6] = 4;
  EXPECT_NE(io_error_of<BadFormat>([&] { return parse(version); }).reason.find("version 4.0"), std::string::npos);
}

// ---- elements

TEST(ReadNpy, OtherByteOrderIsSwappedPartByPart) {
  std::string data = doubles({1.5, -2});
  std::reverse(data.begin(), data.begin() + 8);
  std::reverse(data.begin() + 8, data.end());
  const Tensor t = parse(npy_file("{'descr': '>c16', 'fortran_order': False, 'shape': ()}", data));
  EXPECT_EQ(t.item(), Scalar(std::complex<double>(1.5, -2)));
}

TEST(ReadNpy, AnyByteButZeroIsTrue) {
  const Tensor t =
      parse(npy_file("{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", std::string("\0\1\2\xff", 4)));
  EXPECT_TRUE(same_bits(t, Tensor::vector({false, true, true, true})));
}

TEST(ReadNpy, RankZeroAndEmpty) {
  EXPECT_EQ(parse(npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", doubles({2.5}))).item(),
            Scalar(2.5));
  EXPECT_EQ(parse(npy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 3)}", "")).shape(), (Shape{0, 3}));
}

// ---- writing

TEST(WriteNpy, EveryDtypeComesBack) {
  const TempFolder folder;
  for (const DType d : kDTypes) {
    for (const bool row_major : {false, true}) {
      write_npy(folder / "a.npy", sample(d), {.row_major = row_major});
      EXPECT_TRUE(same_bits(read_npy(folder / "a.npy"), sample(d))) << name(d) << row_major;
    }
  }
}

TEST(WriteNpy, ColumnMajorTensorsAreWrittenAsTheyLie) {  // IO-02
  const Tensor t = Tensor::matrix({{0., 1., 2.}, {3., 4., 5.}});
  const std::string text = text_of(npy_bytes(t));
  EXPECT_NE(text.find("'fortran_order': True"), std::string::npos);
  EXPECT_EQ(text.substr(128), doubles({0, 3, 1, 4, 2, 5}));
  const std::string rows = text_of(npy_bytes(t, {.row_major = true}));
  EXPECT_NE(rows.find("'fortran_order': False"), std::string::npos);
  EXPECT_EQ(rows.substr(128), doubles({0, 1, 2, 3, 4, 5}));
}

TEST(WriteNpy, HeadersArePaddedAndEndedByANewline) {  // IO-07
  for (std::size_t rank = 0; rank <= 64; ++rank) {
    const std::string text = text_of(npy_bytes(Tensor::zeros(DType::f32, Shape(rank, 1))));
    const std::size_t length =
        static_cast<unsigned char>(text[8]) + 256 * std::size_t{static_cast<unsigned char>(text[9])};
    EXPECT_EQ((10 + length) % 64, 0u) << rank;
    EXPECT_EQ(text[10 + length - 1], '\n') << rank;
    EXPECT_EQ(text.size(), 10 + length + 4) << rank;
    EXPECT_EQ(parse(text).rank(), rank);
  }
}

TEST(WriteNpy, ShapesAreTuples) {
  EXPECT_NE(text_of(npy_bytes(Tensor::scalar(1.0))).find("'shape': (), }"), std::string::npos);
  EXPECT_NE(text_of(npy_bytes(Tensor::zeros<double>(5))).find("'shape': (5,), }"), std::string::npos);
  EXPECT_NE(text_of(npy_bytes(Tensor::zeros<double>(2, 3))).find("'shape': (2, 3), }"), std::string::npos);
}

TEST(WriteNpy, ViewsAreWrittenByIndex) {  // IDX-08
  std::vector<double> numbers(16);
  for (std::size_t i = 0; i < 16; ++i) numbers[i] = static_cast<double>(i);
  const auto rows = TypedView<double>::row_major(numbers, {4, 4}).view({range(0, end, 2), range(-1, end, -1)});
  for (const bool row_major : {false, true}) {
    const Tensor back = read_npy(npy_bytes(rows, {.row_major = row_major}));
    EXPECT_EQ(back.to_row_major<double>(), (std::vector<double>{3, 2, 1, 0, 11, 10, 9, 8}));
  }
}

TEST(WriteNpy, NanPayloadsAndSignedZerosSurvive) {
  Tensor t = Tensor::vector({-0.0, 0.0});
  const std::uint64_t bits = 0x7ff800000000beefU;
  std::memcpy(t.bytes() + 8, &bits, 8);
  EXPECT_TRUE(same_bits(read_npy(npy_bytes(t)), t));
}

TEST(WriteNpy, FailedWritesLeaveTheOldFileAndNothingElse) {
  const TempFolder folder;
  write_text(folder / "a.npy", "old");
  const Tensor elsewhere = Tensor::adopt(DType::f64, {1}, heap_block(8), {DeviceKind::cuda, MemoryKind::device, 0, 0});
  EXPECT_FALSE(attempt<TensorErrorInfo>([&] { write_npy(folder / "a.npy", elsewhere); }));
  EXPECT_EQ(file_text(folder / "a.npy"), "old");
  EXPECT_EQ(folder.content(), (std::vector<std::string>{"a.npy"}));
}

TEST(WriteNpy, ReplacesAndKeepsPermissionsAndLinks) {
  const TempFolder folder;
  write_text(folder / "real.npy", "old");
  ASSERT_EQ(::chmod((folder / "real.npy").c_str(), 0640), 0);
  ASSERT_EQ(::symlink("real.npy", (folder / "link.npy").c_str()), 0);
  write_npy(folder / "link.npy", Tensor::scalar(1.5));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_EQ(read_npy(folder / "real.npy").item(), Scalar(1.5));
  struct stat status{};
  ASSERT_EQ(::stat((folder / "real.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_EQ(folder.content().size(), 2u);
}

TEST(WriteNpy, ReadersSeeWholeFilesOnly) {
  const TempFolder folder;
  const std::string path = folder / "a.npy";
  write_npy(path, Tensor::full({1000}, 0.0));
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int k = 0; k < 60; ++k) write_npy(path, Tensor::full({1000}, static_cast<double>(k)));
    stop = true;
  });
  while (!stop) {
    const Tensor t = read_npy(path);
    ASSERT_EQ(t.count(), 1000);
    ASSERT_TRUE(equal_elements(t, Tensor::full({1000}, t.at<double>({0}))));
  }
  writer.join();
}

TEST(NpyFiles, FailuresOfTheSystemAreTyped) {
  const TempFolder folder;
  const auto absent = try_read_npy(folder / "absent.npy");
  ASSERT_FALSE(absent);
  const auto& e = std::get<FileFailure>(absent.error());
  EXPECT_EQ(e.code, ENOENT);
  EXPECT_EQ(e.action, "open");
  EXPECT_EQ(e.path, folder / "absent.npy");
  EXPECT_EQ(describe(absent.error()),
            "read_npy: cannot open " + (folder / "absent.npy") + " (No such file or directory)");
  EXPECT_EQ(io_error_of<FileFailure>([&] { return read_npy(folder / ""); }).code, EISDIR);
  EXPECT_EQ(io_error_of<FileFailure>([&] { write_npy(folder / "no/such/a.npy", Tensor::scalar(1.0)); }).code, ENOENT);
  EXPECT_EQ(std::get<FileFailure>(try_write_npy(folder / "", Tensor::scalar(1.0)).error()).code, EISDIR);
}

TEST(NpyFiles, NamesThatAreNoneAndDevicesWithoutEndAreRefused) {
  EXPECT_EQ(io_error_of<FileFailure>([] { return read_npy("/dev/zero"); }).code, ENOTSUP);
  EXPECT_EQ(io_error_of<FileFailure>([] { return read_npy(""); }).code, ENOENT);
  EXPECT_EQ(io_error_of<FileFailure>([] { return read_npy(std::string("a\0b", 3)); }).path, "a\\0");
  EXPECT_EQ(io_error_of<FileFailure>([] {
              write_npy("", Tensor::scalar(1.0));
              return 0;
            }).code,
            ENOENT);
}

TEST(NpyFiles, PipesWork) {
  const TempFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Tensor t = Tensor::linspace(0, 1, 30000);
  std::thread writer([&] { write_npy(pipe, t); });
  const Tensor back = read_npy(pipe);
  writer.join();
  EXPECT_TRUE(same_bits(back, t));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

}  // namespace
}  // namespace tenferro
