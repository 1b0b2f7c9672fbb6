#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles one case twice: as it stands it must pass, with TENFERRO_MUST_FAIL it must stop with the expected message.

usage: run_case.py CASE.cpp COMPILER [FLAG…]
"""
import re
import subprocess
import sys


def compile_case(case, command, *flags):
    result = subprocess.run([*command, *flags, "-fsyntax-only", case], capture_output=True, text=True,
                            env={"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"})
    return result.returncode == 0, result.stderr


def main(case, command):
    with open(case, encoding="utf-8") as file:
        expected = re.search(r"^// expect: (.+)$", file.read(), re.MULTILINE)
    if not expected:
        print(f"{case}: no '// expect:' line")
        return 1
    good, messages = compile_case(case, command)
    if not good:
        print(f"{case} does not compile as it stands:\n{messages}")
        return 1
    good, messages = compile_case(case, command, "-DTENFERRO_MUST_FAIL")
    if good:
        print(f"{case} compiles, but must not")
        return 1
    if not re.search(expected.group(1), messages):
        print(f"{case} stops, but not with /{expected.group(1)}/:\n{messages}")
        return 1
    print(f"stops as it should: {expected.group(1)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
