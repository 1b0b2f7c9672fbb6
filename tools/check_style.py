#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rules of the house that neither the compiler nor clang-format knows. RULES below is the list.

usage: check_style.py [ROOT]     |     check_style.py --self-test
"""
import pathlib
import re
import sys
import tempfile

from source_files import CPP_SUFFIXES, code_only, line_of, tree_files

SPDX = "SPDX-License-Identifier: MIT OR Apache-2.0"
LONG_FILE = 1000
LONG_FILE_REASON = "Long because"
HEAVY_HEADERS = re.compile(r"#\s*include\s*<(iostream|ranges|source_location|fmt/|nlohmann/|CLI/|gtest/)")
# Spelled in pieces so that this file passes its own check.
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX"]) + r")\b")
FOREIGN = re.compile(
    r"(?<![\w.$}{/-])/(work|root|home)/\w|/tmp/\w+/\w+/|\bsub-?a[g]ent|\btool librar[y]\b"
    r"|pypi\.or[g]|registry\.npmj[s]|deb\.debian\.or[g]|crates\.i[o]/", re.IGNORECASE)
SKIPPED_TESTS = re.compile(r"\b(GTEST_SK" + r"IP|DISABLED_\w+|EXPECT_TRUE\(true\))")
SORTED_KEYWORDS = ["HEADERS", "INTERNAL_HEADERS", "GENERATED_HEADERS", "SOURCES", "TESTS", "DEPS", "PRIVATE_DEPS",
                   "BUILD_DEPS", "TEST_DEPS"]
CMAKE_CALL = re.compile(r"\btenferro_(?:module|test|program|bench|fuzz|example)\s*\(([^()]*)\)")


def in_library(path):
    return path.parts[0] == "tenferro"


def is_test(path):
    return path.stem.endswith("_test") or path.parts[0] == "tests" or "testing" in path.parts


def spdx(path, text):
    if path.suffix in CPP_SUFFIXES | {".py", ".sh"} and SPDX not in "\n".join(text.split("\n", 3)[:3]):
        yield 1, f"no line '{SPDX}' at the top"


def pragma_once(path, text):
    # An "inl" header is included once for every set of vector instructions.
    if path.suffix == ".hpp" and not path.stem.endswith("inl") and not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield 1, "header without #pragma once"


def op_switch(path, text):
    if path.suffix in CPP_SUFFIXES and path.parts[:2] != ("tenferro", "ops"):
        for match in re.finditer(r"\bcase\s+(?:tenferro::)?OpKind::", code_only(text)):
            yield line_of(code_only(text), match.start()), "switch over ops outside tenferro/ops: use an op table"


def untyped_error(path, text):
    if path.suffix in CPP_SUFFIXES and in_library(path) and not is_test(path):
        code = code_only(text)
        for match in re.finditer(r"\bthrow\s+(?:::)?std::(?!bad_alloc)", code):
            yield line_of(code, match.start()), "untyped error: raise a TypedError"


def heavy_header(path, text):
    if path.suffix == ".hpp" and in_library(path) and not is_test(path) and "internal" not in path.parts:
        for match in HEAVY_HEADERS.finditer(text):
            yield line_of(text, match.start()), f"<{match.group(1)}> does not belong in a public header"


def long_file(path, text):
    lines = text.count("\n")
    if path.suffix in CPP_SUFFIXES | {".py"} and lines > LONG_FILE and LONG_FILE_REASON not in text:
        yield 1, f"{lines} lines: split by concern, or give the reason in a line '{LONG_FILE_REASON} …'"


def unfinished(path, text):
    for match in UNFINISHED.finditer(text):
        yield line_of(text, match.start()), f"unfinished: {match.group(0)}"


def skipped_test(path, text):
    if path.suffix in CPP_SUFFIXES:
        for match in SKIPPED_TESTS.finditer(text):
            yield line_of(text, match.start()), f"a test that does not test: {match.group(0)}"


def foreign_matter(path, text):
    if path.name == "check_style.py":
        return
    for match in FOREIGN.finditer(text):
        yield line_of(text, match.start()), f"not about the product: {match.group(0)}"


def sorted_lists(path, text):
    if path.name != "CMakeLists.txt":
        return
    text = re.sub(r"#[^\n]*", lambda m: " " * len(m.group(0)), text)
    for call in CMAKE_CALL.finditer(text):
        words, keyword, lists = call.group(1).split(), None, {}
        for word in words:
            if word in SORTED_KEYWORDS:
                keyword = word
            elif keyword and not word.startswith("$"):
                lists.setdefault(keyword, []).append(word)
        for keyword, items in lists.items():
            if items != sorted(items):
                yield line_of(text, call.start()), f"{keyword} is not sorted: {' '.join(sorted(items))}"


RULES = [spdx, pragma_once, op_switch, untyped_error, heavy_header, long_file, unfinished, skipped_test, foreign_matter,
         sorted_lists]


def check(root, files):
    complaints = []
    for path in files:
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for rule in RULES:
            complaints += [f"{path}:{line}: {message}" for line, message in rule(path, text)]
    return complaints


GOOD = f"// {SPDX}\n#pragma once\n"
SELF_TEST_BREACHES = [
    ("tenferro/a/a.hpp", "#pragma once\n", "no line"),
    ("tenferro/a/a.hpp", f"// {SPDX}\n", "#pragma once"),
    ("tenferro/a/a.hpp", GOOD + "#include <iostream>\n", "public header"),
    ("tenferro/a/a.hpp", GOOD + "// TO" "DO later\n", "unfinished"),
    ("tenferro/a/a.hpp", GOOD + "int x;\n" * (LONG_FILE + 1), "lines"),
    ("tenferro/a/a.cpp", GOOD + "case  OpKind::add:\n", "outside tenferro/ops"),
    ("cli/a.cpp", GOOD + "case tenferro::OpKind::add:\n", "outside tenferro/ops"),
    ("tenferro/a/a.cpp", GOOD + "throw std::runtime_error(1);\n", "untyped"),
    ("tenferro/a/a_test.cpp", GOOD + "GTEST_SK" "IP();\n", "does not test"),
    ("docs/a.md", "in /wo" "rk/main we\n", "product"),
    ("docs/a.md", "run /tm" "p/some/place/x\n", "product"),
    ("tenferro/a/CMakeLists.txt", "tenferro_module(a\n  SOURCES b.cpp a.cpp)\n", "not sorted"),
]
SELF_TEST_CLEAN = [
    ("tenferro/ops/a.cpp", GOOD + "case OpKind::add:\n"),
    ("tenferro/a/a.cpp", GOOD + "// case OpKind::add: throw std::x\nauto s = \"throw std::y\";\nthrow std::bad_alloc();\n"),
    ("tenferro/a/a.cpp", GOOD + f"// {LONG_FILE_REASON} the table has one row a line.\n" + "int x;\n" * (LONG_FILE + 1)),
    ("tenferro/a/CMakeLists.txt", "tenferro_module(a\n  SOURCES a.cpp b.cpp\n  DEPS tenferro::a tl::b)\n"),
    ("docs/a.md", "see docs/guide/root/x and src/home/y; build/home/z; programs in ./bin\n"),
]


def self_test():
    failures = 0
    cases = [(name, text, None) for name, text in SELF_TEST_CLEAN] + SELF_TEST_BREACHES
    for name, text, wanted in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text(text, encoding="utf-8")
            found = check(root, [pathlib.PurePosixPath(name)])
        if not ((len(found) == 1 and wanted in found[0]) if wanted else not found):
            failures += 1
            print(f"self-test {name}: wanted {wanted!r}, found {found}")
    print(f"{len(cases) - failures} passed, {failures} failed")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent)
    files = tree_files(root)
    complaints = check(root, files)
    print("\n".join(complaints) if complaints else f"style: {len(files)} files clean")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
