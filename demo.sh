#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Installs what is missing (Debian 12, as root or through sudo), builds the tenferro command in build/release, and
# contracts a tensor network and a pair of matrices from files. Both results are checked against values that
# examples/networks/demo_data.py computes in plain Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=tools/packages.sh
. tools/packages.sh
ensure_packages build
jobs=${JOBS:-$(nproc)}
if [ ! -f build/release/CMakeCache.txt ]; then
  cmake --preset release -DTENFERRO_BUILD_TESTS=OFF -DTENFERRO_BUILD_BENCHES=OFF -DTENFERRO_BUILD_EXAMPLES=OFF
fi
cmake --build --preset release --target tenferro_cli -- -j "$jobs"
