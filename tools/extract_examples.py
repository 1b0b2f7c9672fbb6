#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Turns the examples in header comments and documents into one C++ file that is built and run.

In a header, a comment line `Example:` starts one, and the comment lines below that are indented by four spaces or more
are its code, up to the first line that is not:

    /// Example:
    ///     Shape s{2, 3};
    ///     CHECK(s.size() == 6);

In a Markdown file every ```cpp fence is one; ```cpp fragment is left alone. Options stand in parentheses after the word
Example (or after ```cpp): `session` runs the code in a session of a fresh CPU backend, under the names `backend` and
`session`; `compiles` builds it without running it; a path is included first. `#include` lines are hoisted, `main` may
be defined, CHECK(condition) and everything in namespace tenferro are at hand.

usage: extract_examples.py OUTPUT NAME FILE…       writes OUTPUT with a function run_<NAME>()
       extract_examples.py --self-test
"""
import pathlib
import re
import sys
import tempfile

START = re.compile(r"^(\s*)//(/?)\s?(\s*)Example(?:\s*\(([^)]*)\))?:\s*$")
FENCE = re.compile(r"^```cpp(?:[ \t]+\(?([^)\n]*)\)?)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
SESSION_HEADER = "tenferro/cpu/cpu_backend.hpp"


class Example:
    def __init__(self, path, line, options, lines):
        self.path, self.line = path, line
        self.options = [o.strip() for o in options.split(",") if o.strip()]
        self.lines = lines

    def includes(self):
        found = [f"#include <{o}>" for o in self.options if "/" in o]
        if "session" in self.options:
            found.append(f"#include <{SESSION_HEADER}>")
        return found + [l.strip() for l in self.lines if l.lstrip().startswith("#include")]

    def code(self, number):
        body = [("" if l.lstrip().startswith("#include") else l) for l in self.lines]
        where = f'#line {self.line} "{self.path}"'
        text = "\n".join(body)
        name = f"{self.path.name}:{self.line}"
        if re.search(r"\bint main\s*\(", text):
            text = re.sub(r"\bint main\s*\([^)]*\)", "int example_main()", text)
            inner, call = text, 'if (example_main() != 0) example_fail("main", "returned non-zero", 0);'
        else:
            if "session" in self.options:
                text = ("tenferro::CpuBackend backend;\nbackend.with_session([&](tenferro::BackendSession& session) "
                        f"{{ (void)session;\n{where}\n{text}\n}});")
            inner, call = f"void example_body() {{\n{where}\n{text}\n}}", "example_body();"
        run = f'if (example_show("{name}")) {{ {call} }}' if "compiles" not in self.options else f"if (false) {{ {call} }}"
        return (f"namespace example_{number} {{\nusing namespace tenferro;\n{where}\n{inner}\n"
                f"void run() {{ {run} }}\n}}  // namespace example_{number}\n")


def from_header(path, text):
    lines, examples, index = text.split("\n"), [], 0
    while index < len(lines):
        start = START.match(lines[index])
        index += 1
        if not start:
            continue
        first, code = index, []
        comment = re.compile(r"^\s*//" + start.group(2) + r"\s?" + start.group(3) + r"(?:    (.*)|(\s*))$")
        while index < len(lines):
            match = comment.match(lines[index])
            if not match:
                break
            code.append(match.group(1) or "")
            index += 1
        while code and not code[-1]:
            code.pop()
        if code:
            examples.append(Example(path, first + 1, start.group(4) or "", code))
        else:
            sys.exit(f"{path}:{first}: an example without code")
    return examples


def from_document(path, text):
    examples = []
    for match in FENCE.finditer(text):
        options = match.group(1) or ""
        if "fragment" not in options:
            line = text.count("\n", 0, match.start(2)) + 1
            examples.append(Example(path, line, options, match.group(2).rstrip("\n").split("\n")))
    return examples


PRELUDE = """\
// Extracted from comments and documents by tools/extract_examples.py.
%s
#include <cstdio>
#include <cstdlib>

namespace {
[[maybe_unused]] void example_fail(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%%s:%%d: CHECK(%%s) does not hold\\n", file, line, what);
  std::exit(1);
}
bool example_show(const char* name) { return std::printf("example %%s\\n", name) > 0; }
}  // namespace

#define CHECK(...) ((__VA_ARGS__) ? void() : example_fail(#__VA_ARGS__, __FILE__, __LINE__))

namespace {
namespace tenferro_examples {
%s
}  // namespace tenferro_examples
}  // namespace

int run_%s() {
%s  (void)example_show;
  return %d;
}
"""


def generate(name, paths):
    examples, includes = [], []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        found = from_document(path, text) if path.suffix == ".md" else from_header(path, text)
        if found and path.suffix != ".md":
            parts = path.as_posix().split("/tenferro/")
            includes.append(f"#include <tenferro/{parts[-1]}>")
        examples += found
    for example in examples:
        includes += example.includes()
    bodies = "\n".join(e.code(n) for n, e in enumerate(examples))
    calls = "".join(f"  tenferro_examples::example_{n}::run();\n" for n in range(len(examples)))
    return PRELUDE % ("\n".join(dict.fromkeys(includes)), bodies, name, calls, len(examples))


def self_test():
    header = ("int a;\n/// Adds.\n/// Example:\n///     CHECK(1 + 1 == 2);\n///\n///     f();\n/// More words.\nint f();\n"
              "// Example (session, vector/x.hpp):\n//     #include <map>\n//     add(session);\n")
    page = "```cpp\nint x = 1;\n```\ntext\n```cpp fragment\nnot C++\n```\n```cpp (compiles)\nint main() { return 0; }\n```\n"
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "tenferro" / "m"
        root.mkdir(parents=True)
        (root / "h.hpp").write_text(header, encoding="utf-8")
        (root / "p.md").write_text(page, encoding="utf-8")
        first = from_header(root / "h.hpp", header)
        second = from_document(root / "p.md", page)
        text = generate("m", [root / "h.hpp", root / "p.md"])
    checks = {
        "two in the header": len(first) == 2,
        "blank line inside": first[0].lines == ["CHECK(1 + 1 == 2);", "", "f();"],
        "line number": first[0].line == 4,
        "two in the page": len(second) == 2,
        "own header included": "#include <tenferro/m/h.hpp>" in text,
        "options": "#include <vector/x.hpp>" in text and SESSION_HEADER in text,
        "hoisted include": text.index("#include <map>") < text.index("add(session)"),
        "main renamed": "int example_main()" in text and "int main" not in text,
        "not run": "if (false) { if (example_main()" in text,
        "count": "return 4;" in text,
    }
    failures = [name for name, ok in checks.items() if not ok]
    for name in failures:
        print(f"self-test: {name}")
    print(f"{len(checks) - len(failures)} passed, {len(failures)} failed")
    return len(failures)


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    if len(arguments) < 2:
        print(__doc__)
        return 2
    text = generate(arguments[1], [pathlib.Path(a).resolve() for a in arguments[2:]])
    pathlib.Path(arguments[0]).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
