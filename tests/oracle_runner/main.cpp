// SPDX-License-Identifier: MIT OR Apache-2.0
// oracle_runner DIR [--area NAME]: runs every line of DIR/index.json through the public API and compares it with the
// reference by the oracle's rules. Prints one line an area, names every failing case with both numbers, and ends with
// "N passed, N failed, N skipped". Files may be deflated (NAME.gz). A count that differs from the index, an unreadable
// file and an operation that the runner cannot map to the library all make the run fail.

#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/oracle_runner/area.hpp"
#include "tests/oracle_runner/text_file.hpp"

namespace tenferro::oracle {

const std::vector<Area>& areas() {
  static const std::vector<Area> all = {
      {"scalar", run_scalar_line}, {"tensor", run_tensor_line}, {"einsum", run_einsum_line}};
  return all;
}

namespace {

struct Counts {
  long run = 0, passed = 0, failed = 0, unsupported = 0, skipped = 0;
};

void count(const CaseResult& result, const std::string& file, Counts& counts, std::set<std::string>& unsupported) {
  ++counts.run;
  switch (result.outcome) {
    case Outcome::passed:
      ++counts.passed;
      break;
    case Outcome::failed:
      ++counts.failed;
      std::printf("FAILED %s %s: %s\n", file.c_str(), result.id.c_str(), result.text.c_str());
      break;
    case Outcome::unsupported:
      ++counts.unsupported;
      unsupported.insert(result.text);
      break;
    case Outcome::skipped:
      ++counts.skipped;
      break;
  }
}

// Cases of one file; false if it cannot be read or does not have as many as the index says.
bool run_file(CpuBackend& cpu, const Area& area, const std::filesystem::path& directory, const std::string& file,
              long expected, Counts& counts, std::set<std::string>& unsupported) {
  std::vector<std::string> lines;
  try {
    lines = read_lines(directory / file);
  } catch (const std::exception& error) {
    std::printf("FAILED %s: %s\n", file.c_str(), error.what());
    return false;
  }
  const long before = counts.run;
  for (const std::string& text : lines) {
    try {
      for (const CaseResult& result : area.run_line(cpu, Json::parse(text))) {
        count(result, file, counts, unsupported);
      }
    } catch (const std::exception& error) {
      count({text.substr(0, 60), Outcome::failed, error.what()}, file, counts, unsupported);
    }
  }
  if (counts.run - before == expected) return true;
  std::printf("FAILED %s: ran %ld cases, the index says %ld\n", file.c_str(), counts.run - before, expected);
  return false;
}

int run(const std::filesystem::path& directory, const char* only) {
  std::ifstream stream(directory / "index.json");
  if (!stream) {
    std::fprintf(stderr, "%s: no index.json\n", directory.c_str());
    return 2;
  }
  const Json index = Json::parse(stream);
  CpuBackend cpu;
  Counts total;
  bool complete = true;
  bool found = only == nullptr;
  for (const Area& area : areas()) {
    if (only != nullptr && std::strcmp(only, area.name) != 0) continue;
    if (!index.at("areas").contains(area.name)) continue;
    found = true;
    Counts counts;
    std::set<std::string> unsupported;
    for (const auto& [file, entry] : index.at("areas").at(area.name).at("files").items()) {
      const long expected = entry.contains("points") ? entry.at("points").get<long>() : entry.at("cases").get<long>();
      complete = run_file(cpu, area, directory, file, expected, counts, unsupported) && complete;
    }
    std::printf("%s: %ld run, %ld passed, %ld failed, %ld unsupported, %ld skipped\n", area.name, counts.run,
                counts.passed, counts.failed, counts.unsupported, counts.skipped);
    for (const std::string& name : unsupported) std::printf("  unsupported: %s\n", name.c_str());
    total.passed += counts.passed;
    total.failed += counts.failed + counts.unsupported;
    total.skipped += counts.skipped;
  }
  if (!found) {
    std::fprintf(stderr, "no area %s here\n", only);
    return 2;
  }
  std::printf("%ld passed, %ld failed, %ld skipped\n", total.passed, total.failed, total.skipped);
  return total.failed == 0 && complete ? 0 : 1;
}

}  // namespace
}  // namespace tenferro::oracle

int main(int argc, char** argv) {
  const bool area = argc == 4 && std::strcmp(argv[2], "--area") == 0;
  if (argc != 2 && !area) {
    std::fprintf(stderr, "usage: %s DIR [--area NAME]\n", argv[0]);
    return 2;
  }
  try {
    return tenferro::oracle::run(argv[1], area ? argv[3] : nullptr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
