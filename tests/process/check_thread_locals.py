#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pitfall 32: the default model of thread-locals in shared objects costs a call at every access, twice what an entry may
cost. The thread record is of the initial-exec model, which is one load from the global offset table; this reads the
relocations of shared objects and complains about any other model.

usage: check_thread_locals.py CONTROL FILE…     CONTROL has a thread-local of the default model, which must be found
"""
import re
import subprocess
import sys

# Module and offset pairs, and descriptors, of x86-64 and AArch64: all are resolved by a call.
BY_CALL = re.compile(r"\bR_\w*(?:DTPMOD|DTPOFF|DTPREL|TLSDESC|TLS_DTP)\w*")
BY_LOAD = re.compile(r"\bR_\w*(?:TPOFF|TPREL)\w*")
OF_THE_CXX_LIBRARY = re.compile(r"\b_ZSt\w+@")  # what std::call_once has


def relocations(path):
    text = subprocess.run(["readelf", "--wide", "--relocs", path], check=True, capture_output=True, text=True).stdout
    return [line for line in text.splitlines() if not OF_THE_CXX_LIBRARY.search(line)]


def by_call(path):
    return [line.split(maxsplit=3)[-1] for line in relocations(path) if BY_CALL.search(line)]


def complaints(path):
    found = [f"{path}: a thread-local is reached by a call ({line}; expected initial-exec)" for line in by_call(path)]
    if not any(BY_LOAD.search(line) for line in relocations(path)):
        found.append(f"{path}: no thread-local at all (expected the thread record)")
    return found


def main(control, *files):
    found = [] if by_call(control) else [f"{control}: the control's thread-local was not found"]
    for path in files:
        found += complaints(path)
    print("\n".join(found) if found else f"thread-locals: initial-exec in {len(files)} shared objects")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
