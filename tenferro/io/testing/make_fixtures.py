#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes the files of testing/fixtures with NumPy, so that the readers are tested on files that are not our own.

Element [i, j] of every array tells its index: 1 + 3 i + j for numbers, minus that as imaginary part, (i + j) odd for
truth values.   usage: make_fixtures.py FOLDER
"""
import pathlib
import sys

import numpy as np
from numpy.lib import format as npy

SHAPE = (2, 3)
CODES = ["f4", "f8", "c8", "c16", "i4", "i8", "b1"]


def array(code, order):
    i, j = np.indices(SHAPE)
    number = 1 + 3 * i + j
    if code == "b1":
        values = (i + j) % 2 == 1
    elif code.startswith("c"):
        values = number - 1j * number
    else:
        values = number
    return np.asarray(values, order=order)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    entries = {}
    for code in CODES:
        for order in "CF":
            for endian in ("|" if code == "b1" else "<>"):
                name = f"{code}_{order}_{'big' if endian == '>' else 'little'}"
                entries[name] = np.asarray(array(code, order).astype(endian + code), order=order)
    entries["scalar"] = np.array(2.5)
    entries["empty"] = np.zeros((0, 3))
    np.savez(folder / "arrays.npz", **entries)
    np.savez_compressed(folder / "compressed.npz", **entries)

    vector = np.array([1.0, 2.0, 3.0])
    for version in (1, 2, 3):
        with open(folder / f"version{version}.npy", "wb") as file:
            npy.write_array(file, vector, version=(version, 0))
    for order in "CF":
        np.save(folder / f"order_{order}.npy", np.asarray(np.arange(6.0).reshape(2, 3), order=order))

    np.savez(folder / "refused.npz",
             object=np.array([{"a": 1}], dtype=object), unicode=np.array(["ab"]), half=np.zeros(2, "f2"),
             unsigned=np.zeros(2, "u1"), structured=np.zeros(2, [("x", "<f8"), ("y", "<i4")]),
             time=np.zeros(2, "M8[s]"), short=np.zeros(2, "i2"), long_double=np.zeros(2, "f16"))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
