# SPDX-License-Identifier: MIT OR Apache-2.0
"""Small matrix products on one thread: the bare kernel, batches, calls in a session, matrix times vector."""

from bars.times import Times, timed_shares

# (what, peer, required ratio of the peer's time to ours); sizes are those that the program has.
BARE = {"openblas": (lambda n: n <= 16, 1.0), "xsmm": (lambda n: n >= 8 and n % 8 == 0, 0.9),
        "eigen": (lambda n: True, 1.0)}
BATCH_OF_LIBRARY = 0.9
# Eigen makes no result; it is compared from 64 elements up.
MATMUL = {"torch": lambda n: 8.0 if n <= 8 else 3.0, "eigen": lambda n: 1.0 if n >= 8 else 0.0}


def size_of(arm):
    return int(arm.split("/")[2].split("x")[0])


def requirements(times):
    """(name, measured, required) of every bar; all are lower bounds."""
    bars = []
    for arm in sorted(name for name in times.median if name.endswith("/ours")):
        what, dtype, size, _ = arm.split("/")
        row, n = arm.removesuffix("/ours"), size_of(arm)

        def against(peer, required, peer_row=row):
            other = f"{peer_row}/{peer}"
            if other in times:
                bars.append((f"{row}: {peer} over ours", times.ratio(other, arm), required))

        if what == "bare":
            for peer, (applies, required) in BARE.items():
                if applies(n):
                    against(peer, required)
        elif what == "matmul":
            for peer, required in MATMUL.items():
                against(peer, required(n))
        elif what.startswith("batch"):
            contiguous = f"batch_last/{dtype}/{size}"
            against("xsmm", BATCH_OF_LIBRARY, contiguous)
            for peer in ("torch", "eigen"):
                against(peer, 1.0, contiguous)
        else:
            for peer in ("torch", "eigen"):
                against(peer, 1.0)
    return bars


def exact(report, ir, label):
    arms = [(f"matmul{n}", f"product{n}") for n in (2, 4, 8)]
    ir.count_together(*((arm,) for pair in arms for arm in pair))
    for call, bare in arms:
        over = ir.of(call) - ir.of(bare)
        report.bar(f"gemm/{label}/{call} in a session over the bare kernel", f"{over:.0f} instructions", "<= 800",
                   over <= 800)


def timed(report, build, tries=4):
    timed_shares(report, "gemm", lambda: Times(build / "bin" / "bench_gemm_small", repetitions=9, min_time=0.002), requirements, tries)
