# SPDX-License-Identifier: MIT OR Apache-2.0
"""Small matrix products on one thread: the bare kernel, batches, calls in a session, matrix times vector."""

from bars.times import Times, timed_shares

# The required ratio of a peer's time to ours, by what is multiplied; None where a peer is not compared. The program has
# the sizes.
BARE = {"openblas": lambda n: 1.0 if n <= 16 else None, "xsmm": lambda n: 0.9 if n >= 8 else None,
        "eigen": lambda n: 1.0}
# Eigen makes no result; it is compared from 64 elements up.
MATMUL = {"torch": lambda n: 8.0 if n <= 8 else 3.0, "eigen": lambda n: 1.0 if n >= 8 else None}
BATCH = {"xsmm": lambda n: 0.9, "torch": lambda n: 1.0, "eigen": lambda n: 1.0}
VECTOR = {"torch": lambda n: 1.0, "eigen": lambda n: 1.0}
PEERS = {"bare": BARE, "matmul": MATMUL, "batch_last": BATCH, "batch_first": BATCH, "vector": VECTOR,
         "vector_t": VECTOR}


def requirements(times):
    """(name, measured, required) of every bar; all are lower bounds."""
    bars = []
    for arm in sorted(name for name in times.median if name.endswith("/ours")):
        what, dtype, size, _ = arm.split("/")
        peer_row = f"{what.replace('first', 'last')}/{dtype}/{size}"  # peers have batches in one order only
        for peer, required_for in PEERS[what].items():
            required = required_for(int(size.split("x")[0]))
            if required is not None:
                bars.append((f"{what}/{dtype}/{size}: {peer} over ours", times.ratio(f"{peer_row}/{peer}", arm),
                             required))
    return bars


SMALL = (2, 3, 4, 5, 7, 8)


def exact(report, ir, label):
    arms = [(f"matmul{n}", f"product{n}") for n in SMALL]
    ir.count_together(*((arm,) for pair in arms for arm in pair))
    for call, bare in arms:
        over = ir.of(call) - ir.of(bare)
        report.bar(f"gemm/{label}/{call} in a session over the bare kernel", f"{over:.0f} instructions", "<= 800",
                   over <= 800)


def timed(report, build):
    timed_shares(report, "gemm", lambda: Times(build / "bin" / "bench_gemm_small", repetitions=9, min_time=0.002),
                 requirements)
