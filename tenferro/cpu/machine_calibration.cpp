// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/machine_calibration.hpp"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tenferro/base/text.hpp"
#include "tenferro/cpu/simd.hpp"

namespace tenferro {
namespace {

constexpr std::string_view kFirstLine = "tenferro calibration 1";
constexpr std::string_view kProcessorKey = "processor ";
// f(key, figure) for every line after the head.
template <class Figures, class F>
void for_each_figure(Figures& figures, F&& f) {
  f("openblas_from_f32 ", figures.openblas_from[0]);
  f("openblas_from_f64 ", figures.openblas_from[1]);
  f("openblas_from_c32 ", figures.openblas_from[2]);
  f("openblas_from_c64 ", figures.openblas_from[3]);
  f("depth_bytes ", figures.depth_bytes);
  f("left_block_bytes ", figures.left_block_bytes);
  f("right_block_bytes ", figures.right_block_bytes);
}

// What the system calls the first processor, and the vector instructions in use.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string text, line;
  while (std::getline(file, line) && !line.empty()) {
    for (const std::string_view key : {"model name", "cpu family", "model\t", "stepping", "CPU part"}) {
      const auto colon = line.find(": ");
      if (line.starts_with(key) && colon != std::string::npos) text += line.substr(colon + 2) + ", ";
    }
  }
  return text + std::string(simd_target());
}

// "key value" with a positive value; false otherwise.
bool parse(std::string_view line, std::string_view key, std::int64_t& value) {
  if (!line.starts_with(key)) return false;
  line.remove_prefix(key.size());
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  return error == std::errc() && end == line.data() + line.size() && value > 0;
}

// No other blocks are ever measured.
bool sensible(const MachineCalibration& figures) {
  constexpr std::int64_t kLeast = 256, kMost = std::int64_t{64} << 20;
  const auto fits = [&](std::int64_t bytes) { return bytes >= kLeast && bytes <= kMost; };
  return fits(figures.depth_bytes) && fits(figures.left_block_bytes) && fits(figures.right_block_bytes);
}

MachineCalibration load() {
  const std::string path = calibration_path();
  return path.empty() ? MachineCalibration{} : read_calibration(path).value_or(MachineCalibration{});
}

MachineCalibration& figures_in_use() {
  static MachineCalibration figures = load();
  return figures;
}

}  // namespace

const MachineCalibration& machine_calibration() { return figures_in_use(); }

void internal::use_machine_calibration(const MachineCalibration& figures) noexcept { figures_in_use() = figures; }

std::string calibration_path() {
  if (const char* given = std::getenv("TENFERRO_CALIBRATION"); given != nullptr && *given != '\0') {
    return std::string_view(given) == "off" ? std::string() : given;
  }
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return concat(cache, "/tenferro/calibration");
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? concat(home, "/.cache/tenferro/calibration") : std::string();
}

std::optional<MachineCalibration> read_calibration(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return std::nullopt;  // nor one that blocks or never ends
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != kFirstLine) return std::nullopt;
  if (!std::getline(file, line) || line != concat(kProcessorKey, processor())) return std::nullopt;
  MachineCalibration figures;
  bool whole = true;
  for_each_figure(figures, [&](std::string_view key, std::int64_t& figure) {
    whole = whole && std::getline(file, line) && parse(line, key, figure);
  });
  return whole && sensible(figures) ? std::optional(figures) : std::nullopt;
}

std::string describe(const CalibrationNotWritten& info) {
  return concat("calibration: ", info.path, " cannot be written: ", info.reason);
}

void write_calibration(const std::string& path, const MachineCalibration& figures) {
  const auto refuse = [&](const std::string& reason) {
    raise<CalibrationNotWritten>(CalibrationNotWritten{path, reason});
  };
  std::error_code failed;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, failed);
  if (failed) refuse(failed.message());
  const std::filesystem::file_status status = std::filesystem::status(target, failed);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) refuse("it is no regular file");
  std::filesystem::create_directories(target.parent_path(), failed);
  if (failed) refuse(concat("its folder cannot be made: ", failed.message()));
  const std::string beside = concat(target.string(), ".", static_cast<std::int64_t>(::getpid()));
  errno = 0;
  std::ofstream file(beside, std::ios::trunc);
  file << kFirstLine << '\n' << kProcessorKey << processor() << '\n';
  for_each_figure(figures, [&](std::string_view key, std::int64_t figure) { file << key << figure << '\n'; });
  file.close();
  if (!file) failed = std::error_code(errno != 0 ? errno : EIO, std::generic_category());
  if (!failed) std::filesystem::rename(beside, target, failed);
  if (!failed) return;
  std::error_code ignored;
  std::filesystem::remove(beside, ignored);
  refuse(failed.message());
}

}  // namespace tenferro
