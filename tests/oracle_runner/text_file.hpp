// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// Text files as they are or deflated: `path` itself, else `path` + ".gz".

#include <filesystem>
#include <string>
#include <vector>

namespace tenferro::oracle {

/// The lines that are not empty. Throws std::runtime_error if there is neither file, or it ends early or is damaged.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace tenferro::oracle
