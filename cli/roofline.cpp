// SPDX-License-Identifier: MIT OR Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/machine_bench.hpp"

namespace tenferro::cli {
namespace {

constexpr double kWidth = 760, kHeight = 480, kLeft = 70, kRight = 110, kTop = 40, kBottom = 60;
// Operations a byte, powers of two.
constexpr double kLeastIntensity = -6, kMostIntensity = 8;

// The plane of the picture: x is log2 of operations a byte, y log2 of GFLOP/s.
class Plane {
 public:
  Plane(double least, double most) : least_(least), most_(most) {}
  double x(double intensity) const {
    const double part = (std::log2(intensity) - kLeastIntensity) / (kMostIntensity - kLeastIntensity);
    return kLeft + std::clamp(part, 0.0, 1.0) * (kWidth - kLeft - kRight);
  }
  double y(double gflops) const {
    const double part = (std::log2(gflops) - least_) / (most_ - least_);
    return kHeight - kBottom - std::clamp(part, 0.0, 1.0) * (kHeight - kTop - kBottom);
  }
  double least() const { return least_; }
  double most() const { return most_; }

 private:
  double least_, most_;
};

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}

std::string text(double x, double y, const std::string& words, const char* anchor = "start") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, words);
}

std::string point(double x, double y) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#b03030\"/>\n", x, y);
}

// Words that run down to the right, so that those of points side by side do not meet.
std::string slanting(double x, double y, const std::string& words) {
  return fmt::format("<text transform=\"translate({:.1f} {:.1f}) rotate(50)\">{}</text>\n", x, y, words);
}

std::string grid(const Plane& plane) {
  std::string svg;
  const double bottom = kHeight - kBottom, end = kWidth - kRight;
  for (double k = kLeastIntensity; k <= kMostIntensity; k += 2) {
    const double x = plane.x(std::exp2(k));
    svg += line(x, kTop, x, bottom, "stroke=\"#ddd\"");
    svg += text(x, bottom + 18, k < 0 ? fmt::format("1/{:.0f}", std::exp2(-k)) : fmt::format("{:.0f}", std::exp2(k)),
                "middle");
  }
  for (double k = plane.least(); k <= plane.most(); k += 1) {
    const double y = plane.y(std::exp2(k));
    svg += line(kLeft, y, end, y, "stroke=\"#ddd\"");
    svg += text(kLeft - 8, y + 4, fmt::format("{:g}", std::exp2(k)), "end");
  }
  svg += text((kLeft + end) / 2, kHeight - 15, "floating-point operations a byte", "middle");
  svg += text(kLeft, kTop - 15, "GFLOP/s of one core, f64");
  return svg;
}

}  // namespace

std::string roofline_svg(const MachineBench& bench) {
  const Plane plane(-1, std::ceil(std::log2(bench.peak_f64)) + 1);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, kHeight);
  svg += grid(plane);
  const double end = std::exp2(kMostIntensity), roof = plane.y(bench.peak_f64);
  double label = std::exp2(plane.least() + 1);  // the height of a name, each a little higher than the one before
  for (const auto& [level, rates] : bench.levels) {
    const double start = std::max(std::exp2(kLeastIntensity), std::exp2(plane.least()) / rates.read);
    svg += line(plane.x(start), plane.y(start * rates.read), plane.x(bench.peak_f64 / rates.read), roof,
                "stroke=\"#3060b0\" stroke-width=\"1.5\"");
    label = std::max(label * 1.5, std::exp2(kLeastIntensity) * rates.read * 1.2);
    svg += text(plane.x(label / rates.read) + 6, plane.y(label) + 4, level.name);
  }
  svg += line(plane.x(bench.peak_f64 / bench.levels.front().rates.read), roof, plane.x(end), roof,
              "stroke=\"#3060b0\" stroke-width=\"2\"");
  svg += text(plane.x(end) + 6, roof + 4, fmt::format("peak {:.0f}", bench.peak_f64));
  for (const ProductRate& rate : bench.products) {
    if (rate.dtype != DType::f64) continue;
    const double x = plane.x(2.0 * static_cast<double>(rate.n) / (3 * sizeof(double)));
    const double y = plane.y(std::max(rate.native, rate.openblas));
    svg += point(x, y) + slanting(x, y + 14, fmt::format("matmul {}", rate.n));
  }
  for (const OperationRate& rate : bench.operations) {
    if (rate.intensity == 0) continue;
    const double x = plane.x(rate.intensity), y = plane.y(rate.gigabytes * rate.intensity);
    svg += point(x, y) + text(x + 7, y + 4, rate.name);
  }
  return svg + "</svg>\n";
}

}  // namespace tenferro::cli
