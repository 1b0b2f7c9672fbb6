#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Builds everything in build/release and runs all tests; arguments go to ctest (./test.sh -L unit -R einsum).
# On Debian 12 it first installs what is missing, as root or through sudo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=tools/packages.sh
. tools/packages.sh
ensure_packages build test
jobs=${JOBS:-$(nproc)}
if command -v ccache >/dev/null && [ -z "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ]; then
  # Objects of another checkout of the same sources count as the same.
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
benches=OFF
if [ -e /usr/include/benchmark/benchmark.h ]; then
  benches=ON
fi

# A tree that demo.sh configured has tests turned off.
cmake --preset release -DTENFERRO_BUILD_TESTS=ON -DTENFERRO_BUILD_EXAMPLES=ON -DTENFERRO_BUILD_BENCHES=$benches
cmake --build --preset release -- -j "$jobs"
ctest --preset release -j "$jobs" "$@"
