// SPDX-License-Identifier: MIT OR Apache-2.0
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "benches/peers/peer.hpp"

namespace tenferro::bench {

const void* load_peer(const char* library, const char* entry) {
  char program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  std::string path(program, length > 0 ? static_cast<std::size_t>(length) : 0);
  path.replace(path.rfind('/') + 1, std::string::npos, library);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (handle == nullptr) {
    std::fprintf(stderr, "peer not available: %s\n", dlerror());
    return nullptr;
  }
  const auto make = reinterpret_cast<const void* (*)()>(dlsym(handle, entry));
  return make != nullptr ? make() : nullptr;
}

}  // namespace tenferro::bench
