#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fails on include edges that the module DAG does not allow.

The DAG is stated once, in the tenferro_module() calls; the configure step writes it to <build>/layers.txt. Rules:
  - a public or internal header may include its own module and what its DEPS reach;
  - a source may also include what its PRIVATE_DEPS reach, a test also what its TEST_DEPS reach;
  - a header of another module must be one that module lists (HEADERS, INTERNAL_HEADERS or GENERATED_HEADERS);
  - internal headers are not for programs, examples and benches; but benches, which time kernels below dispatch, may
    include what lies in kernels/;
  - every header that stands directly in a module's folder is listed, and the path always starts with tenferro/, but for
    tests/support/, which tests of every module share.

usage: check_layers.py LAYERS_TXT [ROOT]     |     check_layers.py --self-test
"""
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
SOURCE_SUFFIXES = {".hpp", ".h", ".cpp", ".def", ".inc", ".cu"}
PROGRAM_FOLDERS = ("cli", "examples", "benches")
TEST_FOLDERS = ("tests",)


class Module:
    def __init__(self, name):
        self.name = name
        self.fields = {}

    def listed(self):
        return {h for key in ("headers", "internal_headers", "generated_headers") for h in self.fields.get(key, [])}

    def modules(self, *keys):
        words = [w for key in keys for w in self.fields.get(key, [])]
        return {w.removeprefix("tenferro::") for w in words if w.startswith("tenferro::")}


def read_layers(text):
    modules = {}
    for line in text.splitlines():
        key, *words = line.split()
        if key == "module":
            current = modules.setdefault(words[0], Module(words[0]))
        else:
            current.fields[key] = words
    return modules


def closure(modules, start):
    """Modules reached from `start` by following public DEPS."""
    reached, todo = set(), list(start)
    while todo:
        name = todo.pop()
        if name in reached or name not in modules:
            continue
        reached.add(name)
        todo += modules[name].modules("deps")
    return reached


def is_test(path):
    return path.stem.endswith("_test") or "testing" in path.parts


def includes(path):
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, match.group(1), match.group(2)


def allowed_modules(modules, module, path, relative):
    keys = ["deps"]
    if path.suffix == ".cpp" or relative not in module.listed():
        keys.append("private_deps")
    if is_test(path):
        keys.append("test_deps")
    return closure(modules, module.modules(*keys)) | {module.name}


def check_edge(modules, owner, allowed, target, may_use_internal):
    """The complaint about one included path below tenferro/, or None."""
    parts = pathlib.PurePosixPath(target).parts
    if len(parts) < 3 or parts[1] not in modules:
        return f"{target} belongs to no module"
    other, rest = modules[parts[1]], "/".join(parts[2:])
    if other.name != owner:
        if allowed is not None and other.name not in allowed:
            return f"{target}: module {owner} does not depend on {other.name}"
        if rest not in other.listed() and not (owner == "benches" and rest.startswith("kernels/")):
            return f"{target} is private to {other.name}"
        if rest in other.fields.get("internal_headers", []) and not may_use_internal:
            return f"{target} is internal"
    return None


def check(modules, root):
    complaints = []
    for module in modules.values():
        folder = root / "tenferro" / module.name
        for path in sorted(p for p in folder.rglob("*") if p.suffix in SOURCE_SUFFIXES):
            relative = path.relative_to(folder).as_posix()
            where = path.relative_to(root).as_posix()
            if "/" not in relative and path.suffix in {".hpp", ".h", ".def"} and relative not in module.listed():
                complaints.append(f"{where}: header is not listed in the module's HEADERS")
            allowed = allowed_modules(modules, module, path, relative)
            for line, quote, target in includes(path):
                if target.startswith("tenferro/"):
                    complaint = check_edge(modules, module.name, allowed, target, True)
                elif target.startswith("tests/support/"):
                    complaint = None if is_test(path) else f"{target} is for tests"
                elif quote == '"':
                    complaint = f'"{target}" does not start with tenferro/'
                else:
                    complaint = None
                if complaint:
                    complaints.append(f"{where}:{line}: {complaint}")
    for top in PROGRAM_FOLDERS + TEST_FOLDERS:
        for path in sorted(p for p in (root / top).rglob("*") if p.suffix in SOURCE_SUFFIXES):
            if "compile_fail" in path.parts:
                continue
            for line, _, target in includes(path):
                if target.startswith("tenferro/"):
                    complaint = check_edge(modules, top, None, target, top in TEST_FOLDERS)
                    if complaint:
                        complaints.append(f"{path.relative_to(root).as_posix()}:{line}: {complaint}")
    for folder in sorted(p for p in (root / "tenferro").glob("*") if (p / "CMakeLists.txt").exists()):
        if folder.name not in modules:
            complaints.append(f"tenferro/{folder.name}: the configured build does not know this module")
    return complaints


SELF_TEST_LAYERS = """\
module low
headers low.hpp
internal_headers internal/detail.hpp
generated_headers version.hpp
deps
module mid
headers mid.hpp
deps tenferro::low
private_deps tenferro::side
module side
headers side.hpp
deps tenferro::low
module high
headers high.hpp
deps tenferro::mid
test_deps tenferro::side
"""

SELF_TEST_FILES = {
    "tenferro/low/low.hpp": '#include "tenferro/low/version.hpp"\n#include <vector>\n',
    "tenferro/low/internal/detail.hpp": "",
    "tenferro/low/internal/secret.hpp": "",
    "tenferro/mid/mid.hpp": '#include "tenferro/low/low.hpp"\n#include "tenferro/low/internal/detail.hpp"\n',
    "tenferro/mid/mid.cpp": '#include "tenferro/side/side.hpp"\n',
    "tenferro/side/side.hpp": '#include "tenferro/low/low.hpp"\n',
    "tenferro/high/high.hpp": '#include "tenferro/mid/mid.hpp"\n#include "tenferro/low/low.hpp"\n',
    "tenferro/high/high_test.cpp": '#include "tenferro/side/side.hpp"\n#include "tests/support/tool.hpp"\n',
    "examples/e.cpp": "#include <tenferro/high/high.hpp>\n",
    "benches/k.cpp": '#include "tenferro/low/kernels/loop.hpp"\n',
}

# file, added line, what the complaint must say
SELF_TEST_BREACHES = [
    ("tenferro/low/low.hpp", '#include "tenferro/mid/mid.hpp"', "low does not depend on mid"),
    ("tenferro/mid/mid.hpp", '#include "tenferro/side/side.hpp"', "mid does not depend on side"),
    ("tenferro/high/high.cpp", '#include "tenferro/side/side.hpp"', "high does not depend on side"),
    ("tenferro/mid/mid.cpp", '#  include "tenferro/low/internal/secret.hpp"', "is private to low"),
    ("tenferro/mid/extra.hpp", "", "not listed"),
    ("tenferro/mid/mid.cpp", '#include "mid.hpp"', "does not start with tenferro/"),
    ("tenferro/mid/mid.cpp", '#include "tests/support/tool.hpp"', "is for tests"),
    ("tenferro/mid/mid.cpp", "#include <tenferro/none/x.hpp>", "belongs to no module"),
    ("examples/e.cpp", '#include "tenferro/low/internal/detail.hpp"', "is internal"),
    ("examples/e.cpp", '#include "tenferro/low/kernels/loop.hpp"', "is private to low"),
    ("benches/b.cpp", '#include "tenferro/low/secret.hpp"', "is private to low"),
    ("tests/t.cpp", '#include "tenferro/low/internal/secret.hpp"', "is private to low"),
    ("tenferro/stray/CMakeLists.txt", "", "does not know this module"),
]


def self_test():
    modules = read_layers(SELF_TEST_LAYERS)
    failures = 0
    for name, line, wanted in [(None, "", None)] + SELF_TEST_BREACHES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            files = dict(SELF_TEST_FILES)
            if name:
                files[name] = files.get(name, "") + line + "\n"
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            found = check(modules, root)
        ok = (len(found) == 1 and wanted in found[0]) if wanted else not found
        if not ok:
            failures += 1
            print(f"self-test {name or 'clean tree'}: wanted {wanted!r}, found {found}")
    print(f"{len(SELF_TEST_BREACHES) + 1 - failures} passed, {failures} failed")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    if not 1 <= len(arguments) <= 2:
        print(__doc__)
        return 2
    root = pathlib.Path(arguments[1] if len(arguments) == 2 else pathlib.Path(__file__).resolve().parent.parent)
    modules = read_layers(pathlib.Path(arguments[0]).read_text(encoding="utf-8"))
    complaints = check(modules, root)
    print("\n".join(complaints) if complaints else f"layers: {len(modules)} modules, no forbidden include")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
