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

tenferro=build/release/bin/tenferro
work=build/demo
data="python3 -B examples/networks/demo_data.py"
$data inputs "$work"
run() { printf '\n$ %s\n' "$*"; "$@"; }

printf '\nThe squared norm of a matrix-product state of 24 sites: 48 tensors from 24 files.\n'
sites=()
for file in "$work"/site_*.npy; do
  sites+=("$file" "$file")
done
printf '\n$ %s contract examples/networks/mps_inner_product_24.json --repeat 5 -v --operand %s %s …\n' \
  "$tenferro" "${sites[0]}" "${sites[1]}"
"$tenferro" contract examples/networks/mps_inner_product_24.json --repeat 5 -v --operand "${sites[@]}" \
  | tee "$work/network.txt"
$data check-network "$(sed -n 's/^value: //p' "$work/network.txt")" "$($data expected)"

printf '\nA product of two matrices from files, one stored by rows and one by columns.\n'
run "$tenferro" einsum 'ij,jk->ik' "$work/left.npy" "$work/right.npy" -o "$work/product.npy" --repeat 5
$data check-product "$work"

printf '\nThis machine, as tenferro sees it.\n'
run "$tenferro" info
