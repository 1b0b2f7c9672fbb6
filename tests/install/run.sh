#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# One outside consumer: run.sh static|shared|subdirectory SOURCE BUILD WORK.
#   static        installs BUILD, moves the prefix, finds the package, builds and runs the program, Debug and Release,
#                 and a program on each component alone
#   subdirectory  takes SOURCE in by add_subdirectory, as shared libraries
#   shared        like static, from the build of subdirectory
set -euo pipefail
kind=$1 source=$2 build=$3 work=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jobs=${JOBS:-$(nproc)}
rm -rf "$work/prefix" "$work/moved" "$work/consumer-"* "$work/component-"*
mkdir -p "$work"

configure() { cmake -G Ninja "$@" >/dev/null; }

if [ "$kind" = subdirectory ]; then
  # Built quickly: how the library is used is tested here, not its speed.
  configure -S "$here/subdirectory" -B "$work/consumer-tree" -DTENFERRO_SOURCE="$source" -DBUILD_SHARED_LIBS=ON \
    -DTENFERRO_INSTALL=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
  cmake --build "$work/consumer-tree" -- -j "$jobs" | tail -n 2
  "$work/consumer-tree/consumer"
  exit
fi

if [ "$kind" = shared ]; then
  build=$work/../subdirectory/consumer-tree/tenferro
fi

cmake --install "$build" --prefix "$work/prefix" >/dev/null
mv "$work/prefix" "$work/moved"

# Only what the modules list is installed; what is left out cannot be included.
listed=$(sed -nE 's/^module (.*)/\1/p; s/^(headers|internal_headers|generated_headers) //p' "$build/layers.txt" \
         | awk '/^[a-z_0-9]+$/ {module = $0; next} {for (i = 1; i <= NF; i++) print "tenferro/" module "/" $i}' | sort)
installed=$(cd "$work/moved/include" && find tenferro -type f | sort)
diff <(echo "$listed") <(echo "$installed") || { echo "installed headers differ from the listed ones"; exit 1; }
if grep -rqF -e "$source" -e "$work/prefix" "$work/moved" --include='*.cmake'; then
  echo "the package names folders of the build machine:"
  grep -rnF -e "$source" -e "$work/prefix" "$work/moved" --include='*.cmake'
  exit 1
fi

for type in Debug Release; do
  configure -S "$here/package" -B "$work/consumer-$type" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_BUILD_TYPE=$type
  cmake --build "$work/consumer-$type" -- -j "$jobs" | tail -n 1
  "$work/consumer-$type/consumer"
done
for program in "$here"/component/*.cpp; do
  name=$(basename "$program" .cpp)
  configure -S "$here/component" -B "$work/component-$name" -DCMAKE_PREFIX_PATH="$work/moved" -DCOMPONENT="$name"
  cmake --build "$work/component-$name" | tail -n 1
  (cd "$work/component-$name" && ./component)
done
# Without CMake: one compiler call with what pkg-config says.
pkg_path=$(dirname "$(find "$work/moved" -name tenferro.pc)")
# shellcheck disable=SC2046
"${CXX:-c++}" -std=c++20 "$here/consumer.cpp" -o "$work/consumer-pkg-config" \
  $(PKG_CONFIG_PATH=$pkg_path pkg-config --cflags --libs tenferro) -Wl,-rpath,"$pkg_path/.."
"$work/consumer-pkg-config"

if [ "$kind" = shared ]; then
  # Read to the end: a reader that leaves early fails the pipe.
  ldd "$work/consumer-Release/consumer" | grep "$work/moved/lib.*/libtenferro_" >/dev/null || {
    echo "the shared libraries of the moved prefix are not used"
    exit 1
  }
fi
