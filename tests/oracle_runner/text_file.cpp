// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/oracle_runner/text_file.hpp"

#include <zlib.h>

#include <memory>
#include <sstream>
#include <stdexcept>

namespace tenferro::oracle {
namespace {

struct Close {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

std::string read_all(const std::filesystem::path& path) {
  std::unique_ptr<gzFile_s, Close> file(gzopen(path.c_str(), "rb"));
  if (!file) file.reset(gzopen((path.string() + ".gz").c_str(), "rb"));
  if (!file) throw std::runtime_error("cannot be read");
  std::string text(1 << 16, '\0');
  std::size_t used = 0;
  for (;;) {
    if (used == text.size()) text.resize(2 * used);
    const int got = gzread(file.get(), text.data() + used, static_cast<unsigned>(text.size() - used));
    if (got < 0) throw std::runtime_error("is damaged");
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  // An end in the middle of a deflated stream is told here only.
  int error = Z_OK;
  (void)gzerror(file.get(), &error);
  if (error != Z_OK && error != Z_STREAM_END) throw std::runtime_error("ends early");
  text.resize(used);
  return text;
}

}  // namespace

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::istringstream stream(read_all(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace tenferro::oracle
