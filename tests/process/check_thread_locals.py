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
BY_CALL = re.compile(r"R_\w*(?:DTPMOD|DTPOFF|DTPREL|TLSDESC|TLS_DTP)\w*|\b__tls_get_addr\b")
BY_LOAD = re.compile(r"R_\w*(?:TPOFF|TPREL)\w*")


def relocations(path):
    return subprocess.run(["readelf", "--wide", "--relocs", "--dyn-syms", path], check=True, capture_output=True,
                          text=True).stdout


def complaints(path):
    text = relocations(path)
    found = sorted(set(BY_CALL.findall(text)))
    if found:
        return [f"{path}: a thread-local is reached by a call ({', '.join(found)}; expected initial-exec)"]
    return [] if BY_LOAD.search(text) else [f"{path}: no thread-local at all (expected the thread record)"]


def main(control, *files):
    found = [] if BY_CALL.search(relocations(control)) else [f"{control}: the control's thread-local was not found"]
    for path in files:
        found += complaints(path)
    print("\n".join(found) if found else f"thread-locals: initial-exec in {len(files)} shared objects")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
