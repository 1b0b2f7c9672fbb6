#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Paths that the documentation names must exist: relative links, and `folder/file` in backticks.

A path with a <placeholder> is a pattern for the reader and is not checked; one with * must match something.
usage: check_docs.py [ROOT]     |     check_docs.py --self-test
"""
import pathlib
import re
import sys
import tempfile

from source_files import line_of, tree_files

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
QUOTED = re.compile(r"`((?:\.ci|benches|cli|cmake|docs|examples|tenferro|tests|tools)/[\w./*<>-]+)`")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def exists(base, path):
    if "<" in path:
        return True
    if "*" in path:
        return any(base.glob(path))
    return (base / path).exists()


def check(root, files):
    complaints = []
    for page in files:
        if page.suffix != ".md":
            continue
        text = (root / page).read_text(encoding="utf-8")
        text = FENCE.sub(lambda m: "\n" * m.group(0).count("\n"), text)
        for match in LINK.finditer(text):
            if "://" not in match.group(1) and not exists((root / page).parent, match.group(1)):
                complaints.append(f"{page}:{line_of(text, match.start())}: broken link {match.group(1)}")
        for match in QUOTED.finditer(text):
            if not exists(root, match.group(1)):
                complaints.append(f"{page}:{line_of(text, match.start())}: names {match.group(1)}, which is not there")
    return complaints


def self_test():
    page = "see `tenferro/a/x.hpp`, `tenferro/a/<op>.hpp`, `tenferro/*/x.hpp` and [x](tenferro/a/x.hpp#part)\n"
    breaches = [("`tenferro/a/y.hpp`\n", "names"), ("[y](y.md)\n", "broken link"), ("`tests/*.cpp`\n", "names")]
    failures = 0
    for text, wanted in [(page, None)] + breaches:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tenferro/a").mkdir(parents=True)
            (root / "tenferro/a/x.hpp").write_text("", encoding="utf-8")
            (root / "page.md").write_text(text, encoding="utf-8")
            found = check(root, [pathlib.PurePosixPath("page.md")])
        if not ((len(found) == 1 and wanted in found[0]) if wanted else not found):
            failures += 1
            print(f"self-test: wanted {wanted!r}, found {found}")
    print(f"{len(breaches) + 1 - failures} passed, {failures} failed")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent)
    complaints = check(root, tree_files(root))
    print("\n".join(complaints) if complaints else "docs: every named path exists")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
