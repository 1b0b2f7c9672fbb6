#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Packs the oracle files that were made for this project into this folder, for checkouts without the whole collection.

Recorded suites of other projects are left out: they are not ours to ship.

usage: pack.py SOURCE            writes index.json, the areas below and their canaries, deflated, without time stamps
       pack.py --check SOURCE    compares instead; exit status 1 if something differs
"""
import gzip
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
AREAS = ["einsum", "scalar", "tensor"]
OF_OTHERS = {"einsum/numpy_suite.jsonl"}


def packed_index(index):
    areas = {}
    for area in AREAS:
        files = {}
        for name, entry in index["areas"][area]["files"].items():
            if name not in OF_OTHERS:
                files[name] = {key: entry[key] for key in ("cases", "lines", "points") if key in entry}
        cases = sum(entry.get("points", entry.get("cases", 0)) for entry in files.values())
        areas[area] = {"cases": cases, "files": files}
    return {"areas": areas, "total": sum(area["cases"] for area in areas.values())}


def contents(source):
    """The packed files by name, unpacked."""
    files = {}
    for folder in (".", "canary"):
        index = packed_index(json.loads((source / folder / "index.json").read_text(encoding="utf-8")))
        files[f"{folder}/index.json"] = (json.dumps(index, indent=1, sort_keys=True) + "\n").encode()
        for area in index["areas"].values():
            for name in area["files"]:
                files[f"{folder}/{name}.gz"] = (source / folder / name).read_bytes()
    return files


def main(arguments):
    check = arguments[:1] == ["--check"]
    wanted = contents(pathlib.Path(arguments[-1]))
    differing = 0
    for name, data in wanted.items():
        path = HERE / name
        if check:
            found = path.read_bytes() if path.exists() else b""
            if (gzip.decompress(found) if found and name.endswith(".gz") else found) != data:
                print(f"{name} differs from its source")
                differing += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(data, 9, mtime=0) if name.endswith(".gz") else data)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
