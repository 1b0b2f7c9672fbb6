# SPDX-License-Identifier: MIT OR Apache-2.0
"""Instruction counts (valgrind's Ir), system calls and allocations of the arms of the program `instructions`.

Each arm runs with two iteration counts, and the difference is divided by that of the counts, so that start-up does not
count.
"""

import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from bars.environment import ONE_BLAS_THREAD, clean_environment


class Instructions:
    """Instructions per iteration of the arms of the program `instructions` in one build."""

    def __init__(self, build):
        self.program = build / "bin" / "instructions"
        self.known = {}

    def total(self, arm, count):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(
                ["valgrind", "--tool=callgrind", "--collect-atstart=no",
                 "--toggle-collect=tenferro_counted_iterations", f"--callgrind-out-file={folder}/out", str(self.program), arm, str(count)],
                env={**clean_environment(), **ONE_BLAS_THREAD}, capture_output=True, text=True)
        found = re.search(r"Collected : (\d+)", run.stderr)
        if run.returncode != 0 or not found:
            raise RuntimeError(f"{arm}: {run.stderr.strip().splitlines()[-1:]}")
        return int(found.group(1))

    def of(self, arm, low=1000, high=3000):
        if arm not in self.known:
            self.known[arm] = (self.total(arm, high) - self.total(arm, low)) / (high - low)
        return self.known[arm]

    def count_together(self, *arms):
        """Counts several arms at once, since counts do not depend on what else runs; an arm is (name[, low, high])."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda arm: self.of(*arm), arms))


def syscalls(program, arm, count):
    """System calls of the thread that runs one arm, between the program's notes at the start and the end of its loop."""
    run = subprocess.run(["valgrind", "--tool=none", "--trace-syscalls=yes", str(program), arm, str(count)],
                         env=clean_environment(), capture_output=True, text=True, check=True)
    calls = re.findall(r"^SYSCALL\[\d+,1\]\(\d+\) (\w+ ?\(.*)", run.stderr, re.MULTILINE)
    notes = [i for i, call in enumerate(calls) if call.startswith("sys_write ( 1,")]
    return notes[1] - notes[0] - 1


def allocations(program, arm, count):
    """Calls of the allocation functions in `count` iterations of one arm after its warm-up, as the program counted them."""
    run = subprocess.run([str(program), arm, str(count)], env=clean_environment(), capture_output=True, text=True,
                         check=True)
    return int(re.search(r"allocations (\d+)", run.stdout).group(1))


def ir_bar(report, ir, name, arm, limit):
    measured = ir.of(arm)
    report.bar(name, f"{measured:.0f} instructions", f"<= {limit}", measured <= limit)


def within(report, name, got, want, tolerance):
    off = got / want - 1
    report.bar(name, f"{got:.0f} vs {want:.0f} ({off:+.1%})", f"within {tolerance:.1%}", abs(off) <= tolerance)
