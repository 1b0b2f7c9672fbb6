// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What is measured once a machine rather than known when the library is built: `tenferro bench` measures it and keeps
// it in a file of the user's cache directory, which the first backend of a process reads. A file of another processor,
// of another version of the format, or that makes no sense is as good as none.
//
//   TENFERRO_CALIBRATION=off     the figures of the library, whatever the file says
//   TENFERRO_CALIBRATION=/path   that file

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "tenferro/base/error.hpp"
#include "tenferro/cpu/calibration.hpp"
#include "tenferro/tensor/dtype.hpp"

namespace tenferro {

/// The element types that OpenBLAS multiplies.
inline constexpr std::array<DType, 4> kBlasDTypes{DType::f32, DType::f64, DType::c32, DType::c64};

/// The figures. They choose between loops that sum in different orders, so that together with operation, dtype and
/// shape they fix the bits of a result.
struct MachineCalibration {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  /// Matrix products, by the order of kBlasDTypes, whose m·n·k is at least this go to OpenBLAS.
  std::array<std::int64_t, 4> openblas_from{kNever, kNever, kNever, kNever};
  /// How our own products are cut into blocks; see calibration.hpp.
  std::int64_t depth_bytes = calibration::kDepthBytes;
  std::int64_t left_block_bytes = calibration::kLeftBlockBytes;
  std::int64_t right_block_bytes = calibration::kRightBlockBytes;

  friend bool operator==(const MachineCalibration&, const MachineCalibration&) = default;
};

/// The figures in use: read from calibration_path() at the first call of the process.
///
/// Example:
///     CHECK(&machine_calibration() == &machine_calibration());
const MachineCalibration& machine_calibration();

namespace internal {
/// Uses these figures from now on. For tests and measurements: no kernel may run meanwhile.
void use_machine_calibration(const MachineCalibration& figures) noexcept;
}  // namespace internal

/// Where the file is looked for and kept: what TENFERRO_CALIBRATION says, else tenferro/calibration in XDG_CACHE_HOME,
/// else in .cache of HOME; empty if it is off or neither variable names a folder.
///
/// Example:
///     const std::string path = calibration_path();
///     CHECK(path.empty() || path.find("calibration") != std::string::npos ||
///           std::getenv("TENFERRO_CALIBRATION") != nullptr);
std::string calibration_path();

/// What the file at `path` says for this processor and this version; nothing if there is no such file or it is of
/// another machine or damaged, or if its blocks are smaller than 256 bytes or larger than 64 MiB.
///
/// Example:
///     CHECK(!read_calibration("/nowhere/calibration"));
std::optional<MachineCalibration> read_calibration(const std::string& path);

/// Payload of the error of a calibration that could not be kept.
///
/// Example:
///     CHECK(describe(CalibrationNotWritten{"/a/b", "No space left on device"}) ==
///           "calibration: /a/b cannot be written: No space left on device");
struct CalibrationNotWritten {
  std::string path, reason;
};
std::string describe(const CalibrationNotWritten& info);
using CalibrationError = TypedError<CalibrationNotWritten>;

/// Keeps the figures at `path`, making its folder where that is missing; whole or not at all, and never in the place of
/// something that is no regular file. Throws CalibrationError.
/// Processes that run already are not changed.
///
/// Example:
///     const std::string path = std::string(std::getenv("PWD")) + "/calibration_example";
///     write_calibration(path, MachineCalibration{});
///     CHECK(read_calibration(path) == MachineCalibration{});
///     std::remove(path.c_str());
void write_calibration(const std::string& path, const MachineCalibration& figures);

}  // namespace tenferro
