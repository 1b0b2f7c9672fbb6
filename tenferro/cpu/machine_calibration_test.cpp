// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/machine_calibration.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tenferro {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, removed at its end.
class Calibration : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tenferro_calibration_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

MachineCalibration some_figures() {
  MachineCalibration figures;
  figures.openblas_from = {1000, 2000, 3000, MachineCalibration::kNever};
  figures.depth_bytes = 4096;
  return figures;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void replace_in(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = text_of(path);
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos) << text;
  std::ofstream(path) << text.replace(at, from.size(), to);
}

TEST_F(Calibration, IsReadAsItWasWritten) {
  write_calibration(path("deeper/figures"), some_figures());
  EXPECT_EQ(read_calibration(path("deeper/figures")), some_figures());
}

TEST_F(Calibration, OfAnotherProcessorIsIgnored) {
  write_calibration(path("figures"), some_figures());
  replace_in(path("figures"), "processor ", "processor another ");
  EXPECT_FALSE(read_calibration(path("figures")));
}

TEST_F(Calibration, OfAnotherFormatIsIgnored) {
  write_calibration(path("figures"), some_figures());
  replace_in(path("figures"), "calibration 1", "calibration 2");
  EXPECT_FALSE(read_calibration(path("figures")));
}

TEST_F(Calibration, CutShortOrDamagedIsIgnored) {
  write_calibration(path("figures"), some_figures());
  replace_in(path("figures"), "2000", "-2000");
  EXPECT_FALSE(read_calibration(path("figures")));
  write_calibration(path("figures"), some_figures());
  replace_in(path("figures"), "openblas_from_c64 ", "");
  EXPECT_FALSE(read_calibration(path("figures")));
}

TEST_F(Calibration, ThatCannotBeWrittenSaysWhereAndWhy) {
  std::ofstream(path("file")) << "not a folder";
  const auto written = attempt<CalibrationNotWritten>([&] { write_calibration(path("file/figures"), some_figures()); });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().path, path("file/figures"));
  EXPECT_FALSE(written.error().reason.empty());
}

TEST_F(Calibration, LeavesNothingBesideTheFile) {
  write_calibration(path("figures"), some_figures());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Calibration, NothingButARegularFileIsReplacedOrRead) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_calibration(path("pipe"))) << "and does not wait for a writer";
  EXPECT_FALSE(attempt<CalibrationNotWritten>([&] { write_calibration(path("pipe"), some_figures()); }));
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  std::ofstream(path("figures")) << "old";
  fs::create_symlink(path("figures"), path("link"));
  write_calibration(path("link"), some_figures());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_calibration(path("figures")), some_figures());
}

TEST_F(Calibration, BlocksThatNoMachineHasAreNone) {
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{1} << 40}) {
    MachineCalibration figures = some_figures();
    figures.depth_bytes = bytes;
    write_calibration(path("figures"), figures);
    EXPECT_FALSE(read_calibration(path("figures")));
  }
}

}  // namespace
}  // namespace tenferro
