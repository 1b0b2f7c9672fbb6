#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every public function is shown: its name stands in an example of a header of its module, or of a document.

Public are the headers tenferro/<module>/*.hpp, outside namespaces `internal` and `scalar`, outside private and protected
parts of classes. Constructors, operators, names that end in _for_test and the products of macros are not looked at.

usage: check_examples.py [ROOT]     |     check_examples.py --self-test
"""
import pathlib
import re
import sys

from extract_examples import from_document, from_header
from source_files import code_only, tree_files

HIDDEN_NAMESPACES = {"", "internal", "scalar"}
NOT_NAMES = ["alignas", "decltype", "explicit", "noexcept", "requires", "sizeof", "static_assert", "__attribute__"]
CLOSING = {"(": ")", "{": "}", "<": ">"}
SCOPE = re.compile(r"\s*(?:(?:inline\s+)?namespace\s*(?P<space>[\w:]*)|(?P<kind>class|struct|union)\b"
                   r"(?:\s*alignas\s*\(\w+\))?\s*(?P<type>\w+)(?:\s*<[^{};]*>)?\s*(?:final\s*)?(?::[^:].*)?)\s*$", re.DOTALL)


def end_of(text, at):
    """The place behind the bracket that closes the one at `at`."""
    opening, depth = text[at], 0
    while at < len(text):
        depth += (text[at] == opening) - (text[at] == CLOSING[opening])
        at += 1
        if depth == 0:
            break
    return at


def without(head, start):
    """A declaration without the clauses that begin with `start` and end with a bracket."""
    while match := re.search(start, head):
        head = head[:match.start()] + " " + head[end_of(head, match.end() - 1):]
    return head


def function_name(head, class_name):
    """The name that a declaration without its body introduces, if it is one to be shown."""
    head = without(re.sub(r"\[\[.*?\]\]", " ", head), r"\btemplate\s*<")
    head = without(head, rf"\b(?:{'|'.join(NOT_NAMES)}|[A-Z0-9_]{{4,}})\s*\(")
    if re.search(r"=\s*delete\s*$|\b(?:using|typedef|operator)\b", head):
        return None
    match = re.search(r"(~|::\s*)?\b([A-Za-z_]\w*)\s*\((?!\*)", head)
    if not match or match.group(1) or "=" in head[:match.start()]:
        return None
    name = match.group(2)
    return None if name == class_name or name.endswith("_for_test") else name


def public_functions(text):
    """Names of the public functions that a header declares or defines, in order, with their classes."""
    text = re.sub(r"^[ \t]*#[^\n]*", "", re.sub(r"\\\n", " ", code_only(text)), flags=re.MULTILINE)
    found, scopes, head, at = {}, [], "", 0

    def note():
        class_name = scopes[-1][0] if scopes else ""
        name = function_name(head, class_name) if all(shown for _, shown in scopes) else None
        if name:
            found[name] = f"{class_name}::{name}" if class_name else name

    while at < len(text):
        c = text[at]
        if c == "(":
            head, at = head + text[at:end_of(text, at)], end_of(text, at)
            continue
        if c == "{" and (scope := SCOPE.match(without(head, r"\btemplate\s*<"))):
            space = scope.group("space")
            hidden = space is not None and space.split("::")[-1] in HIDDEN_NAMESPACES
            scopes.append((scope.group("type") or "", not hidden and scope.group("kind") != "class"))
        elif c == "{":
            at = end_of(text, at)
            if re.match(r"\s*[,{]", text[at:]):  # a member that is initialised in front of the body
                continue
            if "(" in head:
                note()
            head = ""
            continue
        elif c == "}" and scopes:
            scopes.pop()
        elif c == ";":
            note()
        elif c == ":" and scopes and re.search(r"\b(?:public|protected|private)\s*$", head):
            scopes[-1] = (scopes[-1][0], head.split()[-1] == "public")
        else:
            head, at = head + c, at + 1
            continue
        head, at = "", at + 1
    return found


def code_of(examples):
    return "\n".join("\n".join(e.lines) for e in examples)


def complaints(headers, documents):
    """`headers` and `documents` map paths to texts."""
    shown = code_of([e for path, text in documents.items() for e in from_document(path, text)])
    modules = {}
    for path, text in headers.items():
        modules[path.parent] = modules.get(path.parent, "") + "\n" + code_of(from_header(path, text))
    for path, text in headers.items():
        for name, full_name in public_functions(text).items():
            if not re.search(rf"\b{name}\s*[(<{{]", modules[path.parent] + shown):
                yield f"{path}: no example shows {full_name}"


def self_test():
    header = """#define F(x) void made(int)
namespace tenferro { namespace internal { void hidden(); }
template <class T> class A { int inner(); public: A(); explicit A(int n) : n_{n}, f_(g()) {} ~A(); void shown() {} int n_;
  bool operator==(const A&) const; void gone() = delete; private: void secret(); };
/// Example:
///     A<int>().shown();
struct alignas(64) B final : C<int> { [[nodiscard]] int missing() const noexcept { if (x) {} return x; } int x = y(3);
  void (*pointer)(int) = nullptr; };
template <class T> requires(x<T>) void also_missing(T t, int n = f(2)); MACRO(x) static_assert(f(x)); inline constexpr int k = h(2); void in_page(); }
"""
    page = "```cpp\nin_page();\n```\n"
    P = pathlib.PurePosixPath
    got = list(complaints({P("m/a.hpp"): header}, {P("p.md"): page}))
    wanted = [f"m/a.hpp: no example shows {name}" for name in ("B::missing", "also_missing")]
    for line in sorted(set(got) ^ set(wanted)):
        print(f"self-test: {line}")
    return 0 if got == wanted else 1


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent).resolve()
    files = tree_files(root)
    headers = {p: (root / p).read_text(encoding="utf-8") for p in files
               if p.match("tenferro/*/*.hpp") and not p.name.startswith("scalar_")}
    documents = {p: (root / p).read_text(encoding="utf-8") for p in files
                 if p.match("README.md") or p.match("docs/guide/*.md") or p.match("docs/howto/*.md")}
    found = list(complaints(headers, documents))
    print("\n".join(found) or f"examples: {len(headers)} headers show every public function")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
