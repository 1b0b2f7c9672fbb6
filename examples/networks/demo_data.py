#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Input files of the demo and answers that no part of tenferro computed; plain Python, no packages.

The network is the squared norm <psi|psi> of a matrix-product state of 24 sites, bond extent at most 64. The answer
walks along the chain with the transfer matrix; the check of the matrix product multiplies both sides by a vector.

usage: demo_data.py instance FILE.json    writes the network in the instance format
       demo_data.py inputs FOLDER         writes FOLDER/site_00.npy …, left.npy and right.npy
       demo_data.py expected              prints <psi|psi>
       demo_data.py check-network VALUE EXPECTED
       demo_data.py check-product FOLDER  compares FOLDER/product.npy with left.npy times right.npy
"""
import array
import ast
import json
import math
import operator
import pathlib
import struct
import sys

SITES, PHYSICAL, BOND = 24, 2, 64
ROWS, INNER, COLUMNS = 768, 640, 512
TOLERANCE = 1e-11


def uniform(seed):
    """Numbers in [-1, 1) from a fixed integer mix (splitmix64), the same on every machine."""
    mask = (1 << 64) - 1
    state = seed & mask
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield ((z ^ (z >> 31)) >> 11) / float(1 << 52) - 1.0


def numbers(seed, count, scale=1.0):
    stream = uniform(seed)
    return array.array("d", (next(stream) * scale for _ in range(count)))


def bond(k):
    """Extent of the bond to the left of site k."""
    return min(PHYSICAL**k, PHYSICAL**(SITES - k), BOND)


def site_shape(k):
    """Extents (left, physical, right) without the bonds of extent 1 at the ends."""
    shape = [bond(k), PHYSICAL, bond(k + 1)]
    return shape[1:] if k == 0 else shape[:2] if k == SITES - 1 else shape


def site_values(k):
    """Elements of site k, last axis fastest."""
    count = math.prod(site_shape(k))
    return numbers(1000 + k, count, math.sqrt(3.0 / (PHYSICAL * bond(k))))


def labels():
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)] + [chr(c) for c in range(ord("A"), ord("Z") + 1)]
    return letters + [chr(c) for c in range(0x3B1, 0x3CA)]


def instance():
    names = labels()
    physical, upper, lower = names[:SITES], names[SITES:2 * SITES], names[2 * SITES:]
    operands, shapes = [], []
    for k in range(SITES):
        for bonds in (upper, lower):
            left = bonds[k - 1] if k > 0 else ""
            right = bonds[k] if k < SITES - 1 else ""
            operands.append(left + physical[k] + right)
            shapes.append(site_shape(k))
    path, flops, largest = [], 0, 0
    alive = list(range(len(operands)))
    environment, labels_of, extent = None, dict(enumerate(operands)), {}
    for text, shape in zip(operands, shapes):
        extent.update(zip(text, shape))
    for operand in range(len(operands)):
        if environment is None:
            environment = operand
            continue
        pair = sorted([alive.index(environment), alive.index(operand)])
        path.append(pair)
        both = set(labels_of[environment]) | set(labels_of[operand])
        alive = [x for x in alive if x not in (environment, operand)]
        kept = {c for x in alive for c in labels_of[x]} & both
        flops += math.prod(extent[c] for c in both)
        largest = max(largest, math.prod(extent[c] for c in kept))
        environment = len(labels_of)
        labels_of[environment] = "".join(sorted(kept))
        alive.append(environment)
    found = {"path": path, "log10_flops": math.log10(flops), "log2_size": math.log2(largest)}
    text = ",".join(operands) + "->"
    reversed_text = ",".join(o[::-1] for o in operands) + "->"
    return {
        "name": "mps_inner_product_24",
        "notes": "Squared norm of a matrix-product state of 24 sites; written by examples/networks/demo_data.py.",
        "format_string": text, "format_string_rowmajor": text, "format_string_colmajor": reversed_text,
        "shapes": shapes, "shapes_colmajor": [s[::-1] for s in shapes], "dtype": "float64",
        "num_tensors": len(operands), "paths": {"opt_flops": found, "opt_size": found},
    }


def squared_norm():
    environment = [[1.0]]  # environment[a][b]: upper bond a, lower bond b
    for k in range(SITES):
        left, right, values = bond(k), bond(k + 1), site_values(k)
        following = [[0.0] * right for _ in range(right)]
        for p in range(PHYSICAL):
            rows = [values[(a * PHYSICAL + p) * right:(a * PHYSICAL + p + 1) * right] for a in range(left)]
            columns = list(zip(*rows))
            half = [[sum(map(operator.mul, e, c)) for c in columns] for e in environment]  # [a][r']
            half = list(zip(*half))  # [r'][a]
            for r in range(right):
                row = following[r]
                for s in range(right):
                    row[s] += sum(map(operator.mul, columns[r], half[s]))
        environment = following
    return environment[0][0]


def write_npy(path, shape, values, fortran=False):
    header = f"{{'descr': '<f8', 'fortran_order': {fortran}, 'shape': {tuple(shape)!r}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    if sys.byteorder == "big":
        values.byteswap()
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values.tobytes())


def read_npy(path):
    """Shape and a row reader of a two-axis <f8 file of either order."""
    data = path.read_bytes()
    start = 10 if data[6] == 1 else 12
    size = int.from_bytes(data[8:start], "little")
    header = ast.literal_eval(data[start:start + size].decode())
    if header["descr"] != "<f8":
        sys.exit(f"{path}: {header['descr']}, expected <f8")
    values = array.array("d", data[start + size:])
    rows, columns = header["shape"]
    if header["fortran_order"]:
        return header["shape"], lambda i: values[i::rows]
    return header["shape"], lambda i: values[i * columns:(i + 1) * columns]


def times_vector(matrix, vector):
    (rows, _), row = matrix
    return [math.fsum(map(operator.mul, row(i), vector)) for i in range(rows)]


def check_product(folder):
    left, right, product = (read_npy(folder / f"{name}.npy") for name in ("left", "right", "product"))
    if tuple(product[0]) != (ROWS, COLUMNS):
        sys.exit(f"product.npy has shape {product[0]}, expected {(ROWS, COLUMNS)}")
    vector = numbers(7, COLUMNS)
    wanted, found = times_vector(left, times_vector(right, vector)), times_vector(product, vector)
    error = max(abs(a - b) for a, b in zip(wanted, found)) / max(map(abs, wanted))
    print(f"check: product times a vector differs from left times (right times the vector) by {error:.1e} (relative)")
    return 0 if error <= TOLERANCE else 1


def check_network(value, expected):
    error = abs(value - expected) / abs(expected)
    print(f"check: got {value:.15g}, plain Python {expected:.15g}, relative difference {error:.1e}")
    return 0 if error <= TOLERANCE else 1


def main(arguments):
    if not arguments:
        print(__doc__)
        return 2
    command, *rest = arguments
    if command == "instance":
        lines = [f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in instance().items()]
        pathlib.Path(rest[0]).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    elif command == "inputs":
        folder = pathlib.Path(rest[0])
        folder.mkdir(parents=True, exist_ok=True)
        for k in range(SITES):
            write_npy(folder / f"site_{k:02d}.npy", site_shape(k), site_values(k))
        write_npy(folder / "left.npy", (ROWS, INNER), numbers(1, ROWS * INNER))
        write_npy(folder / "right.npy", (INNER, COLUMNS), numbers(2, INNER * COLUMNS), fortran=True)
    elif command == "expected":
        print(f"{squared_norm():.17g}")
    elif command == "check-network":
        return check_network(float(rest[0]), float(rest[1]))
    elif command == "check-product":
        return check_product(pathlib.Path(rest[0]))
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
