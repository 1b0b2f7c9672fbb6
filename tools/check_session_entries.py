#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sessions are entered in a few named places only; an operation that receives a session never opens another.

This is the source audit of pitfall 34, a hidden entry inside an operation. Every mention in library code of a name that
enters a session or scope must stand in a file of ALLOWED. Aliases of such names (using, typedef, #define, a constant
bound to one) count as the name. An ALLOWED file that no longer enters is reported as well, so the list can only shrink
or be changed on purpose; so is a name of ENTRY_NAMES that nothing has.

usage: check_session_entries.py [ROOT]     |     check_session_entries.py --self-test
"""
import pathlib
import re
import sys
import tempfile

from source_files import CPP_SUFFIXES, code_only, line_of, tree_files

ENTRY_NAMES = {"with_session", "try_with_session", "with_session_cached", "try_with_session_cached",
               "with_execution_scope", "HeldCpuSession", "CpuEntry", "EntryGuard", "ExecutionScope"}

# File below the root -> why it may enter.
ALLOWED = {
    "tenferro/backend/backend.hpp": "declares the closure form for any backend",
    "tenferro/backend/entry_guard.hpp": "the guard of families without admission",
    "tenferro/cpu/cpu_backend.cpp": "the closure form behind the virtual call, and the held session",
    "tenferro/cpu/cpu_backend.hpp": "the closure form, the scope form and the held session",
    "tenferro/cpu/execution_scope.cpp": "the scope itself",
    "tenferro/cpu/execution_scope.hpp": "the scope itself",
    "tenferro/cpu/session.cpp": "a session is made from an entry",
    "tenferro/cpu/session.hpp": "a session is made from an entry",
    "tenferro/cpu/session_entry.cpp": "the entry itself",
    "tenferro/cpu/session_entry.hpp": "the entry itself",
}

# A class that is only declared, or made a friend, is not used.
DECLARATION = re.compile(r"\b(?:friend\s+)?(?:class|struct)\s+\w+\s*;")

ALIAS_FORMS = [
    r"\busing\s+(\w+)\s*=[^;]*\b{name}\b[^;]*;",
    r"\btypedef\b[^;]*\b{name}\b[^;]*?\b(\w+)\s*;",
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)]*\))?[^\n]*\b{name}\b",
    r"\b(?:auto|constexpr|const|static|inline)[\s&*]+(\w+)\s*=\s*&?[\w:<>]*\b{name}\b\s*;",
]


def is_checked(path):
    return path.parts[0] == "tenferro" and path.suffix in CPP_SUFFIXES and not path.stem.endswith("_test") \
        and "testing" not in path.parts


def find_aliases(codes):
    """ENTRY_NAMES and everything that the code binds to one of them, to any depth."""
    names, todo = set(ENTRY_NAMES), set(ENTRY_NAMES)
    while todo:
        name = todo.pop()
        for form in ALIAS_FORMS:
            pattern = re.compile(form.format(name=re.escape(name)), re.MULTILINE)
            for code in codes.values():
                for match in pattern.finditer(code):
                    if match.group(1) not in names:
                        names.add(match.group(1))
                        todo.add(match.group(1))
    return names


def check(root, files, allowed, required_names=()):
    codes = {path: DECLARATION.sub("", code_only((root / path).read_text(encoding="utf-8")))
             for path in files if is_checked(path)}
    mention = re.compile(r"\b(" + "|".join(sorted(find_aliases(codes))) + r")\b")
    complaints, entering, found_names = [], set(), set()
    for path, code in codes.items():
        for match in mention.finditer(code):
            entering.add(str(path))
            found_names.add(match.group(1))
            if str(path) not in allowed:
                complaints.append(f"{path}:{line_of(code, match.start())}: enters a session by {match.group(1)}, "
                                  "but is not in ALLOWED of tools/check_session_entries.py")
    complaints += [f"{name}: stands in ENTRY_NAMES but nowhere in the library" 
                   for name in sorted(required_names) if name not in found_names]
    complaints += [f"{path}: stands in ALLOWED but enters no session" for path in allowed if path not in entering]
    return complaints


SELF_TEST_FILES = {
    "tenferro/cpu/backend.hpp": "template <class F> auto with_session(F&& f);\nusing Entry = detail::CpuEntry<int>;\n"
                                "#define ENTER(b) Entry e(b)\n",
    "tenferro/ops/good.cpp": '// never with_session here\nauto text = "with_session";\nadd(session, a, b);\n'
                             "friend class HeldCpuSession;\n",
    "tenferro/ops/ops_test.cpp": "backend.with_session([](auto&) {});\n",
}
GONE = "CpuEntry: stands in ENTRY_NAMES"
SELF_TEST_BREACHES = [
    ("tenferro/ops/bad.cpp", "backend.try_with_session([](auto&) {});\n", "by try_with_session"),
    ("tenferro/ops/bad.cpp", "Entry hidden(backend);\n", "by Entry"),
    ("tenferro/ops/bad.cpp", "ENTER(backend);\n", "by ENTER"),
    ("tenferro/ops/bad.cpp", "HeldCpuSession s(backend);\n", "by HeldCpuSession"),
    ("tenferro/cpu/backend.hpp", "int nothing;\n", "enters no session"),
    ("tenferro/cpu/backend.hpp", "template <class F> auto with_session(F&& f);\n", GONE),
]


def self_test():
    failures = 0
    for name, text, wanted in [("tenferro/ops/good.cpp", SELF_TEST_FILES["tenferro/ops/good.cpp"], None)] + SELF_TEST_BREACHES:
        files = {**SELF_TEST_FILES, name: text}
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content, encoding="utf-8")
            found = check(root, [pathlib.PurePosixPath(f) for f in files], {"tenferro/cpu/backend.hpp": "declares it"},
                          {"CpuEntry"} if wanted == GONE else ())
        if not ((len(found) == 1 and wanted in found[0]) if wanted else not found):
            failures += 1
            print(f"self-test {name}: wanted {wanted!r}, found {found}")
    print(f"{len(SELF_TEST_BREACHES) + 1 - failures} passed, {failures} failed")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent)
    complaints = check(root, tree_files(root), ALLOWED, ENTRY_NAMES)
    print("\n".join(complaints) if complaints else f"session entries: only in {len(ALLOWED)} allowed files")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
