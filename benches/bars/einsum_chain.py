# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a prepared einsum of small operands costs in a session."""

from bars.instructions import within
from bars.session_chain import entry_with_release
from bars.times import at_least, at_most, timed as timed_bars


def exact(report, ir, label):
    ir.count_together(("einsum8",), *((f"einsum_{chain}/{way}",) for chain in ("chain", "mixed")
                                      for way in ("one_session", "ten_entries")))
    report.info(f"einsum/{label}/prepared 8x8 in a session", f"{ir.of('einsum8'):.0f} instructions")
    difference = ir.of("einsum_chain/ten_entries") - ir.of("einsum_chain/one_session")
    within(report, f"einsum/{label}/ten - one = 9 entries", difference, 9 * entry_with_release(ir), 0.10)
    mixed = ir.of("einsum_mixed/ten_entries") - ir.of("einsum_mixed/one_session")
    within(report, f"einsum/{label}/mixed: ten - one = 9 entries", mixed, 9 * entry_with_release(ir), 0.10)


def timed(report, build):
    program = build / "bin" / "bench_einsum_chain"
    timed_bars(report, program,
          [("time/einsum 8x8 prepared over a bare dgemm", "einsum8", "dgemm8", *at_most(6), "einsum8"),
           ("time/einsum 8x8: torch::einsum over ours", "einsum8/torch", "einsum8", *at_least(10), "einsum8")])
