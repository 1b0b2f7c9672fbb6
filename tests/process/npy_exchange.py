#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""NumPy reads what tenferro writes, and tenferro what NumPy writes.   usage: npy_exchange.py PROGRAM

The rule from an array's name to its elements stands in npy_exchange.cpp; each side follows it on its own.
"""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

CODES = ["f4", "f8", "c8", "c16", "i4", "i8", "b1"]
EXTENTS = ["", "5", "2x3", "2x3x4", "0x3", "1x1x7"]
NAMES = [f"{code}_{extents}" for code in CODES for extents in EXTENTS]


def named(name):
    code, extents = name.split("_")
    shape = tuple(int(n) for n in extents.split("x") if n)
    n = np.arange(int(np.prod(shape))).reshape(shape)
    if code == "b1":
        return n % 3 == 0
    return (n + 1 - 1j * n if code.startswith("c") else n + 1).astype(code)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and bool(np.all(a == b))


def read_ours(program, folder):
    subprocess.run([program, "write", folder], check=True)
    seen = 0
    for path in sorted(folder.glob("*.npy")):
        array = np.load(path)
        assert same(array, named(path.name.split(".")[0])), path
        if array.ndim > 1 and min(array.shape) > 1:
            assert array.flags.f_contiguous == (".columns." in path.name), path
        seen += 1
    for path in sorted(folder.glob("*.npz")):
        assert zipfile.ZipFile(path).testzip() is None, path
        with np.load(path) as archive:
            assert list(archive.keys()) == NAMES, path
            for name in NAMES:
                assert same(archive[name], named(name)), (path, name)
                seen += 1
    return seen


def write_theirs(program, folder):
    paths = []
    for name in NAMES:
        for order in "CF":
            for endian in "<>":
                array = np.asarray(named(name), order=order)
                array = array.astype(array.dtype.newbyteorder(endian), order=order)
                swapped = endian == ">" and array.dtype.itemsize > 1
                paths.append(folder / f"{name}.{order}.{'big' if swapped else 'little'}.npy")
                np.save(paths[-1], array)
    for kind, save in {"stored": np.savez, "packed": np.savez_compressed}.items():
        paths.append(folder / f"{kind}.npz")
        save(paths[-1], **{name: named(name) for name in NAMES})
    subprocess.run([program, "check", *paths], check=True)
    return len(paths)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
        print(f"NumPy read {read_ours(program, pathlib.Path(ours))} arrays of ours")
        print(f"tenferro read {write_theirs(program, pathlib.Path(theirs))} files of NumPy's")


if __name__ == "__main__":
    main()
