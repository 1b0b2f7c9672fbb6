#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The checks that are too slow for every change: line coverage with its bar, clang-tidy over the whole tree, and the
# kernels for 64-bit Arm under an emulator. tools/ci_full.sh [coverage|tidy|neon]…
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=packages.sh
. tools/packages.sh
export JOBS=${JOBS:-$(nproc)}
least_coverage=${LEAST_COVERAGE:-90}

coverage() {
  cmake --preset coverage >/dev/null
  cmake --build --preset coverage -- -j "$JOBS" | tail -n 3
  find build/coverage -name '*.gcda' -delete
  ctest --preset coverage -j "$JOBS" -LE 'lint|install|compile_fail' | tail -n 5
  gcovr --root . --filter 'tenferro/' --exclude '.*_test\.cpp' --object-directory build/coverage -j "$JOBS" \
        --exclude-throw-branches --print-summary --fail-under-line "$least_coverage"
}

tidy() {
  cmake --preset tidy >/dev/null
  cmake --build --preset tidy -- -j "$JOBS" | tail -n 3
}

neon() {
  if ! dpkg --print-foreign-architectures | grep -x arm64 >/dev/null; then
    $([ "$(id -u)" -eq 0 ] || echo sudo) dpkg --add-architecture arm64
  fi
  ensure_packages neon
  cmake --preset neon >/dev/null
  cmake --build --preset neon -- -j "$JOBS" | tail -n 3
  ctest --preset neon -j "$JOBS" -R '^tenferro_(backend|cpu|tensor)_test[.]'
}

ensure_packages build test ci ci_full
if [ $# -eq 0 ]; then
  set -- coverage tidy neon
fi
for name in "$@"; do
  printf '\n=== %s\n' "$name"
  "$name"
done
