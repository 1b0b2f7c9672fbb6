// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tests/conformance/backends.hpp"

#include <string>

#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro::testing {
namespace {

CpuBackend::Options with_threads(int threads) {
  CpuBackend::Options options;
  options.threads = static_cast<std::uint32_t>(threads);
  return options;
}

class CpuUnderTest final : public BackendUnderTest {
 public:
  explicit CpuUnderTest(int threads)
      : name_("cpu with " + std::to_string(threads) + " threads"), cpu_(with_threads(threads)) {}

  std::string_view name() const override { return name_; }
  void with_session(FunctionRef<void(BackendSession&)> body) override {
    cpu_.with_session([&](BackendSession& session) { body(session); });
  }
  std::uint64_t session_entries() const override { return cpu_.stats().sessions; }

 private:
  std::string name_;
  CpuBackend cpu_;
};

}  // namespace

std::unique_ptr<BackendUnderTest> cpu_backend(int threads) { return std::make_unique<CpuUnderTest>(threads); }

const std::vector<std::unique_ptr<BackendUnderTest>>& backends() {
  static const auto kBackends = [] {
    std::vector<std::unique_ptr<BackendUnderTest>> list;
    list.push_back(cpu_backend(1));
    list.push_back(cpu_backend(3));
    return list;
  }();
  return kBackends;
}

}  // namespace tenferro::testing
