// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/io/npz.hpp"

#include <algorithm>

#include "tenferro/io/testing/io_test_support.hpp"
#include "tenferro/tensor/compare.hpp"

namespace tenferro {
namespace {

// What make_fixtures.py puts at [i, j].
template <class T>
T expected_at(int i, int j) {
  if constexpr (std::is_same_v<T, bool>) {
    return (i + j) % 2 == 1;
  } else if constexpr (is_complex(dtype_of<T>)) {
    using Part = typename T::value_type;
    const auto n = static_cast<Part>(1 + 3 * i + j);
    return {n, -n};
  } else {
    return static_cast<T>(1 + 3 * i + j);
  }
}

Tensor expected(DType d) {
  Tensor t = Tensor::uninitialized(d, {2, 3});
  visit_dtype(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) t.at<T>({i, j}) = expected_at<T>(i, j);
    }
  });
  return t;
}

DType dtype_of_code(const std::string& name) {
  const std::string code = name.substr(0, name.find('_'));
  const std::pair<const char*, DType> codes[] = {{"f4", DType::f32},    {"f8", DType::f64}, {"c8", DType::c32},
                                                 {"c16", DType::c64},   {"i4", DType::i32}, {"i8", DType::i64},
                                                 {"b1", DType::boolean}};
  for (const auto& [text, d] : codes) {
    if (code == text) return d;
  }
  return DType::external;
}

TEST(ReadNpz, ArchivesOfNumpyInEveryDtypeOrderAndByteOrder) {
  for (const char* file_name : {"arrays.npz", "compressed.npz"}) {
    const std::vector<NamedTensor> all = read_npz(fixture(file_name));
    EXPECT_EQ(all.size(), 6u * 4 + 2 + 2);
    for (const auto& [name, value] : all) {
      if (name == "scalar") {
        EXPECT_EQ(value.item(), Scalar(2.5));
      } else if (name == "empty") {
        EXPECT_EQ(value.shape(), (Shape{0, 3}));
      } else {
        EXPECT_TRUE(same_bits(value, expected(dtype_of_code(name)))) << file_name << " " << name;
      }
    }
  }
}

TEST(ReadNpz, EntriesOfOtherTypesAreRefusedByName) {
  const NpzFile file(fixture("refused.npz"));
  EXPECT_EQ(file.names().size(), 8u);
  const auto descr = [&](const char* entry) {
    return io_error_of<UnsupportedElement>([&] { return file.read(entry); }).descr;
  };
  EXPECT_EQ(descr("object"), "|O");
  EXPECT_EQ(descr("unicode"), "<U2");
  EXPECT_EQ(descr("half"), "<f2");
  EXPECT_EQ(descr("unsigned"), "|u1");
  EXPECT_EQ(descr("structured"), "[('x', '<f8'), ('y', '<i4')]");
  EXPECT_EQ(descr("time"), "<M8[s]");
}

TEST(ReadNpz, MissingEntriesAreTyped) {
  const NpzFile file(fixture("arrays.npz"));
  EXPECT_TRUE(file.contains("scalar"));
  EXPECT_FALSE(file.contains("absent"));
  EXPECT_EQ(io_error_of<MissingEntry>([&] { return file.read("absent"); }).entry, "absent");
}

TEST(WriteNpz, EveryKindOfArchiveComesBack) {
  const TempFolder folder;
  const Tensor big = Tensor::arange(0, 20000);
  for (const bool compress : {false, true}) {
    for (const bool zip64 : {false, true}) {
      for (const bool row_major : {false, true}) {
        std::vector<Tensor> tensors;
        for (const DType d : kDTypes) tensors.push_back(expected(d));
        std::vector<NpzItem> items;
        for (const Tensor& t : tensors) items.push_back({tenferro::name(t.dtype()), t});
        items.push_back({"big", big});
        const Tensor empty;
        items.push_back({"empty", empty});
        write_npz(folder / "a.npz", items, {.compress = compress, .zip64 = zip64, .npy = {.row_major = row_major}});
        const auto back = read_npz(folder / "a.npz");
        ASSERT_EQ(back.size(), items.size());
        for (std::size_t k = 0; k < items.size(); ++k) {
          EXPECT_EQ(back[k].name, items[k].name);
          EXPECT_EQ(back[k].value.dtype(), items[k].value.dtype);
        }
        for (std::size_t k = 0; k < tensors.size(); ++k) EXPECT_TRUE(same_bits(back[k].value, tensors[k]));
        EXPECT_TRUE(same_bits(back[tensors.size()].value, big));
      }
    }
  }
}

TEST(WriteNpz, ViewsAndNamesBeyondAscii) {
  const TempFolder folder;
  const Tensor x = Tensor::arange(0, 10);
  write_npz(folder / "a.npz", {{"grüße/x", x.view({range(0, end, 3)})}});
  EXPECT_EQ(NpzFile(folder / "a.npz").read("grüße/x").to_row_major<double>(), (std::vector<double>{0, 3, 6, 9}));
}

TEST(WriteNpz, CompressionMakesRepetitionSmall) {
  const TempFolder folder;
  write_npz(folder / "a.npz", {{"x", Tensor::zeros<double>(100000)}}, {.compress = true});
  EXPECT_LT(std::filesystem::file_size(folder / "a.npz"), 3000u);
  EXPECT_EQ(read_npz(folder / "a.npz")[0].value.count(), 100000);
}

TEST(WriteNpz, EqualTensorsGiveEqualBytes) {
  const TempFolder folder;
  for (const char* name : {"a.npz", "b.npz"}) write_npz(folder / name, {{"x", Tensor::linspace(0, 1, 50)}});
  EXPECT_EQ(file_text(folder / "a.npz"), file_text(folder / "b.npz"));
}

TEST(WriteNpz, EmptyArchive) {
  const TempFolder folder;
  write_npz(folder / "a.npz", std::span<const NpzItem>{});
  EXPECT_TRUE(NpzFile(folder / "a.npz").names().empty());
}

TEST(WriteNpz, BadNamesLeaveNoFile) {
  const TempFolder folder;
  const Tensor x = Tensor::scalar(1.0);
  io_error_of<BadFormat>([&] { write_npz(folder / "a.npz", {{"x", x}, {"x", x}}); });
  io_error_of<BadFormat>([&] { write_npz(folder / "a.npz", {{"", x}}); });
  io_error_of<BadFormat>([&] { write_npz(folder / "a.npz", {{std::string(70000, 'x'), x}}); });
  EXPECT_TRUE(folder.content().empty());
}

// ---- damaged archives

class DamagedNpz : public ::testing::TestWithParam<bool> {
 protected:
  std::string archive() const {
    const TempFolder folder;
    write_npz(folder / "a.npz", {{"x", Tensor::linspace(0, 1, 200)}}, {.compress = GetParam()});
    return file_text(folder / "a.npz");
  }
};

TEST_P(DamagedNpz, EveryTruncationIsATypedError) {
  const std::string whole = archive();
  for (std::size_t left = 0; left < whole.size();
       left += left < 200 || left + 200 > whole.size() ? std::size_t{1} : std::size_t{13}) {
    const auto r = attempt<IoErrorInfo>([&] { return NpzFile(bytes_of(whole.substr(0, left))).read("x"); });
    ASSERT_FALSE(r) << left;
  }
}

TEST_P(DamagedNpz, AFlippedBitIsNeverAnotherTensor) {
  const std::string whole = archive();
  const Tensor x = Tensor::linspace(0, 1, 200);
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    const auto r = attempt<IoErrorInfo>([&] { return NpzFile(bytes_of(damaged)).read("x"); });
    if (r) {
      ASSERT_TRUE(same_bits(*r, x)) << at;  // times, versions and the like do not matter
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size() * 2 / 3));
}

INSTANTIATE_TEST_SUITE_P(StoredAndCompressed, DamagedNpz, ::testing::Bool(),
                         [](const auto& kind) { return kind.param ? "Compressed" : "Stored"; });

// The number of `width` bytes at `at` replaced.
std::string with_number(std::string bytes, std::size_t at, std::uint64_t value, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) bytes[at + k] = static_cast<char>(value >> (8 * k) & 0xff);
  return bytes;
}

TEST(HostileNpz, SizesThatTheBytesCannotHaveAreRefusedBeforeMemoryIsTaken) {
  const TempFolder folder;
  // An array of 2^31 − 256 bytes announced by the header inside and by the directory; the archive is tiny.
  const std::uint64_t size = 0x7fffff00;
  const std::string dict = "{'descr': '|b1', 'fortran_order': False, 'shape': (" + std::to_string(size - 128) + ",)}";
  for (const bool compress : {false, true}) {
    write_npz(folder / "a.npz", {{"x", Tensor::zeros<bool>(100)}}, {.compress = compress});
    std::string bytes = file_text(folder / "a.npz");
    const std::size_t central = bytes.find("PK\1\2");
    bytes = with_number(bytes, central + 24, size, 4);
    if (!compress) bytes.replace(30 + 5, 128, npy_file(dict, ""));
    const auto r = attempt<IoErrorInfo>([&] { return NpzFile(bytes_of(bytes)).read("x"); });
    ASSERT_FALSE(r);
    EXPECT_EQ(std::holds_alternative<ByteCountMismatch>(r.error()), !compress) << describe(r.error());
  }
}

TEST(HostileNpz, CompressedBytesThatGoOnAreRefused) {
  const TempFolder folder;
  write_npz(folder / "a.npz", {{"x", Tensor::zeros<double>(10)}}, {.compress = true});
  write_npz(folder / "b.npz", {{"x", Tensor::zeros<double>(11)}}, {.compress = true});
  // The directory and the header say 10 elements; the stream has the bytes of 11 behind a header for 10.
  const std::string bytes = file_text(folder / "b.npz");
  const std::size_t central = bytes.find("PK\1\2");
  const auto r =
      attempt<IoErrorInfo>([&] { return NpzFile(bytes_of(with_number(bytes, central + 24, 128 + 80, 4))).read("x"); });
  ASSERT_FALSE(r);
}

TEST(HostileNpz, EncryptedAndUnknownMethodsAreRefused) {
  const TempFolder folder;
  write_npz(folder / "a.npz", {{"x", Tensor::scalar(1.0)}});
  const std::string bytes = file_text(folder / "a.npz");
  const std::size_t central = bytes.find("PK\1\2");
  const auto reason = [&](const std::string& damaged) {
    return io_error_of<BadFormat>([&] { return NpzFile(bytes_of(damaged)).read("x"); }).reason;
  };
  EXPECT_NE(reason(with_number(bytes, central + 8, 1, 2)).find("encrypted"), std::string::npos);
  EXPECT_NE(reason(with_number(bytes, central + 10, 12, 2)).find("method 12"), std::string::npos);
  EXPECT_NE(reason(with_number(bytes, central + 16, 0, 4)).find("checksum"), std::string::npos);
}

TEST(HostileNpz, OtherFilesAreNotArchives) {
  io_error_of<BadFormat>([] { return NpzFile(bytes_of("")); });
  io_error_of<BadFormat>([] { return NpzFile(bytes_of("just some text that is longer than an end record")); });
  EXPECT_EQ(io_error_of<BadFormat>([] { return NpzFile(fixture("version1.npy")); }).format, "npz");
  EXPECT_EQ(std::get<FileFailure>(try_read_npz(fixture("absent.npz")).error()).code, ENOENT);
}

TEST(ReadNpz, CommentsBehindTheDirectoryAreAllowed) {
  const TempFolder folder;
  write_npz(folder / "a.npz", {{"x", Tensor::scalar(1.5)}});
  const std::string bytes = file_text(folder / "a.npz");
  const std::string comment = "made by hand";
  const std::string with = with_number(bytes, bytes.size() - 2, comment.size(), 2) + comment;
  EXPECT_EQ(NpzFile(bytes_of(with)).read("x").item(), Scalar(1.5));
}

TEST(ReadNpz, TheLastOfSeveralEntriesOfOneNameCounts) {
  const TempFolder folder;
  write_npz(folder / "a.npz", {{"a", Tensor::scalar(1.0)}, {"b", Tensor::scalar(2.0)}});
  std::string bytes = file_text(folder / "a.npz");
  for (std::size_t at = 0; (at = bytes.find("b.npy", at)) != std::string::npos;) bytes[at] = 'a';
  EXPECT_EQ(NpzFile(bytes_of(bytes)).read("a").item(), Scalar(2.0));
}

}  // namespace
}  // namespace tenferro
