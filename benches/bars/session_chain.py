# SPDX-License-Identifier: MIT OR Apache-2.0
"""What sessions cost: instructions, allocations, system calls, entries, and times beside libtorch."""

import subprocess

from bars.environment import clean_environment
from bars.instructions import allocations, ir_bar, syscalls, within
from bars.times import at_least, at_most, timed as timed_bars


def entry_with_release(ir):
    """What an entry of its own adds to an operation: entering, leaving, and giving the result back outside a session."""
    return ir.of("add8/entry") - ir.of("add8")


LARGE = ("add_1024", "gemm_512")
CHAINS = ("chain/equal", "chain/stretched", "mixed")


def exact(report, ir, label):
    ir.count_together(("entry",), ("add8",), ("add8/entry",),
                      *((f"{chain}/{way}",) for chain in CHAINS for way in ("one_session", "ten_entries")),
                      *((f"{large}{way}", 2, 4) for large in LARGE for way in ("", "/entry")))
    ir_bar(report, ir, f"session/{label}/empty entry and exit", "entry", 250)
    ir_bar(report, ir, f"session/{label}/add of 8 f64 in a session", "add8", 400)
    for operands in ("equal", "stretched"):
        one, ten = f"chain/{operands}/one_session", f"chain/{operands}/ten_entries"
        ir_bar(report, ir, f"session/{label}/{one}", one, 6000)
        ir_bar(report, ir, f"session/{label}/{ten}", ten, 8500)
    entry = entry_with_release(ir)
    for chain in CHAINS:
        difference = ir.of(f"{chain}/ten_entries") - ir.of(f"{chain}/one_session")
        within(report, f"session/{label}/{chain}: ten - one = 9 entries", difference, 9 * entry, 0.10)
    for large in LARGE:
        within(report, f"session/{label}/{large}: one-shot = in session",
               ir.of(f"{large}/entry", 2, 4), ir.of(large, 2, 4), 0.005)


def counters(report, build):
    program = build / "bin" / "instructions"
    for arm in ("add8", "chain/equal/one_session", "chain/equal/ten_entries", "chain/stretched/one_session",
                "chain/stretched/ten_entries", "mixed/one_session", "einsum8"):
        more = allocations(program, arm, 200)
        report.bar(f"counters/{arm}: allocations in 200 iterations", str(more), "0", more == 0)
        more = syscalls(program, arm, 200)
        report.bar(f"counters/{arm}: system calls in 200 iterations", str(more), "0", more == 0)
    run = subprocess.run([str(program), "--entries"], env=clean_environment(), capture_output=True, text=True)
    for line in run.stdout.splitlines():
        name, got, want = line.rsplit(" ", 2)
        report.bar(f"counters/{name}: entries", got, want, got == want)
    if run.returncode != 0:
        report.error("counters/entries", run.stderr.strip() or "failed")


def timed(report, build):
    program = build / "bin" / "bench_session_chain"
    bars = []
    for operands in ("equal", "stretched"):
        chain = f"chain/{operands}"
        one, ten = f"{chain}/one_session", f"{chain}/ten_entries"
        bars += [(f"time/{chain}: libtorch over one session", f"{chain}/torch", one, *at_least(8), one),
                 (f"time/{chain}: libtorch over ten entries", f"{chain}/torch", ten, *at_least(4), one),
                 (f"time/{chain}: hand-off, ten entries over one", f"{chain}/handoff_ten", f"{chain}/handoff_one",
                  *at_least(2), one)]
    bars += [("time/entry and exit over a mutex lock and unlock", "entry", "mutex", *at_most(10), "add8"),
             ("time/add of 8 f64: at::add over ours", "add8/torch", "add8", *at_least(10), "add8")]
    median = timed_bars(report, program, bars).median
    for name, arm, limit in (("empty entry and exit", "entry", 150), ("chain in one session", "chain/equal/one_session", 1000),
                             ("chain in ten entries", "chain/equal/ten_entries", 2000)):
        report.bar(f"time/{name}", f"{median[arm]:.0f} ns", f"<= {limit} ns", median[arm] <= limit)
