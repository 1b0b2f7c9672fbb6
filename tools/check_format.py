#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares every C++ file of the tree with what clang-format 19 makes of it; --fix rewrites them.

Catalog tables (.def) are laid out by hand. usage: check_format.py [--fix] [ROOT]
"""
import pathlib
import shutil
import subprocess
import sys

from source_files import tree_files

TOOL = "clang-format-19"
SUFFIXES = {".hpp", ".h", ".cpp", ".cu"}


def main(arguments):
    fix = "--fix" in arguments
    roots = [a for a in arguments if a != "--fix"]
    root = pathlib.Path(roots[0] if roots else pathlib.Path(__file__).resolve().parent.parent)
    if not shutil.which(TOOL):
        print(f"{TOOL} is not installed (apt-get install {TOOL})")
        return 1
    files = [str(p) for p in tree_files(root) if p.suffix in SUFFIXES]
    if not files:
        print("format: no files")
        return 1
    mode = ["-i"] if fix else ["--dry-run", "-Werror", "--ferror-limit=1"]
    result = subprocess.run([TOOL, *mode, *files], cwd=root)
    if result.returncode == 0:
        print(f"format: {len(files)} files {'written' if fix else 'clean'}")
    else:
        print("format: run tools/check_format.py --fix")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
