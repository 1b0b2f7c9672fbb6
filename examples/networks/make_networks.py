#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes small networks with labels on more than two tensors, in the instance format; plain Python, no packages.

peps_weighted_3x3      <psi|W|psi> of a 3x3 projected entangled-pair state: each physical label stands on a site, on its
                       conjugate and on a vector of weights, each bond label on two sites and a vector of weights
petersen_3_colourings  one matrix an edge of the Petersen graph, one label a vertex, so that each label stands on three
                       matrices; with matrices that are 0 on the diagonal and 1 elsewhere the result is 120

usage: make_networks.py FOLDER
"""
import itertools
import json
import math
import pathlib
import sys

PHYSICAL, BOND, SIDE = 2, 3, 3


def names():
    """Latin, then Greek letters."""
    ranges = [("a", "z"), ("A", "Z"), ("α", "ω")]
    return [chr(c) for first, last in ranges for c in range(ord(first), ord(last) + 1)]


def peps():
    fresh = iter(names())
    sites = list(itertools.product(range(SIDE), range(SIDE)))
    physical = {site: next(fresh) for site in sites}
    operands, shapes = [], []
    for _ in ("ket", "bra"):
        bonds = {}
        for row, column in sites:
            for other in ((row, column + 1), (row + 1, column)):
                if max(other) < SIDE:
                    bonds[(row, column), other] = next(fresh)
        for site in sites:
            legs = [label for pair, label in bonds.items() if site in pair]
            operands.append("".join(legs) + physical[site])
            shapes.append([BOND] * len(legs) + [PHYSICAL])
        for label in bonds.values():
            operands.append(label)
            shapes.append([BOND])
    for site in sites:
        operands.append(physical[site])
        shapes.append([PHYSICAL])
    return operands, shapes


def petersen():
    vertex = names()[:10]
    edges = [(k, (k + 1) % 5) for k in range(5)] + [(k, k + 5) for k in range(5)] + [(5 + k, 5 + (k + 2) % 5)
                                                                                    for k in range(5)]
    return [vertex[a] + vertex[b] for a, b in edges], [[3, 3] for _ in edges]


def find_path(operands, extent, rate):
    """Greedy order by the rating of a pair: (extents it runs over, size of its result, sizes of the pair)."""
    size = lambda labels: math.prod(extent[c] for c in labels)
    alive = [frozenset(o) for o in operands]
    path, flops, largest = [], 0, 1
    while len(alive) > 1:
        best = None
        for i, j in itertools.combinations(range(len(alive)), 2):
            others = frozenset().union(*(alive[k] for k in range(len(alive)) if k not in (i, j)))
            both = alive[i] | alive[j]
            kept = both & others
            rated = rate(size(both), size(kept), size(alive[i]) + size(alive[j]))
            if best is None or rated < best[0]:
                best = rated, i, j, kept, size(both)
        _, i, j, kept, cost = best
        path.append([i, j])
        flops += cost
        largest = max(largest, size(kept))
        alive = [a for k, a in enumerate(alive) if k not in (i, j)] + [kept]
    return {"path": path, "log10_flops": round(math.log10(flops), 4), "log2_size": round(math.log2(largest), 4)}


def instance(name, notes, operands, shapes):
    extent = {c: e for o, s in zip(operands, shapes) for c, e in zip(o, s)}
    text = ",".join(operands) + "->"
    paths = {"opt_flops": find_path(operands, extent, lambda cost, made, pair: (made - pair, cost)),
             "opt_size": find_path(operands, extent, lambda cost, made, pair: (made, cost))}
    return {
        "name": name, "notes": notes, "format_string": text, "format_string_rowmajor": text,
        "format_string_colmajor": ",".join(o[::-1] for o in operands) + "->", "shapes": shapes,
        "shapes_colmajor": [s[::-1] for s in shapes], "dtype": "float64", "num_tensors": len(operands), "paths": paths,
    }


def write(folder, entry):
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items())
    (folder / f"{entry['name']}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0])
    written = "; written by examples/networks/make_networks.py."
    write(folder, instance("peps_weighted_3x3", "Weighted norm of a 3x3 projected entangled-pair state" + written, *peps()))
    write(folder, instance("petersen_3_colourings", "Counts the 3-colourings of the Petersen graph" + written, *petersen()))


if __name__ == "__main__":
    main(sys.argv[1:])
