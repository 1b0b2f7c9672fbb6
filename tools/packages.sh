# SPDX-License-Identifier: MIT OR Apache-2.0
# The Debian packages that tenferro needs, in groups, and the function that installs those which are missing.
# Source it:  . tools/packages.sh; ensure_packages build test

packages_build="build-essential cmake g++ libcli11-dev libexpected-dev libfmt-dev libhwy-dev libopenblas-pthread-dev
  libsleef-dev ninja-build nlohmann-json3-dev pkg-config python3 zlib1g-dev"
packages_test="clang-format-19 git libgtest-dev python3-numpy"
packages_ci="ccache clang-14 clang-19 clang-tidy-19 libbenchmark-dev libclang-rt-19-dev valgrind"
packages_ci_full="gcovr"
# Cross-build for 64-bit Arm and its emulator; needs dpkg --add-architecture arm64.
packages_neon="g++-aarch64-linux-gnu libgtest-dev:arm64 libhwy-dev:arm64 libopenblas-pthread-dev:arm64 libsleef-dev:arm64
  qemu-user zlib1g-dev:arm64"
# Peers of benches/gate; a comparison with one that is missing is left out.
packages_bench="libblis4-pthread libeigen3-dev libtorch-dev libxsmm-dev"

ensure_packages() {
  local group name missing="" sudo=""
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "not a Debian system: install the equivalents of tools/packages.sh yourself" >&2
    return 0
  fi
  for group in "$@"; do
    local list="packages_$group"
    for name in ${!list}; do
      if [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$name" 2>/dev/null | cut -c1-2)" != "ii" ]; then
        missing="$missing $name"
      fi
    done
  done
  if [ -z "$missing" ]; then
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    sudo="sudo"
  fi
  echo "installing:$missing"
  $sudo apt-get update -qq
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
