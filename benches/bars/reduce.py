# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reductions through the public call, one thread: beside the read bandwidth of the run and beside libraries."""

from bars.environment import numpy_times
from bars.times import Times, timed_shares

LARGE = "4096"  # its rows must reach a share of the bandwidth
SHARE = 0.85
PEERS = ("eigen", "torch", "numpy")

NUMPY = """
for n in what:
    a = numpy.asfortranarray(numpy.random.default_rng(1).uniform(-1, 1, (n, n)))
    for op, name in ((numpy.sum, 'sum'), (numpy.max, 'max')):
        for axis in (None, 0, 1):
            for x, layout in ((a, 'contiguous'), (a.T, 'transposed')):
                count = max(1, 2_000_000 // (n * n + 4000))
                median = median_ns(partial(op, x, axis=axis), count, 7)
                times[f"{n}/{name}/{'all' if axis is None else axis}/{layout}/numpy"] = median
"""


def requirements(times):
    """(name, measured, required) of every bar; all are lower bounds."""
    bars = []
    for row in sorted(times.rows(), key=lambda row: (int(row.split("/")[0]), row)):
        ours, size = f"{row}/ours", row.split("/")[0]
        if size == LARGE:
            bars.append((f"{row}: read over ours", times.ratio(f"{size}/read", ours), SHARE))
        bars += [(f"{row}: {peer} over ours", times.ratio(f"{row}/{peer}", ours), 1.0)
                 for peer in PEERS if f"{row}/{peer}" in times]
    return bars


def timed(report, build):
    def measure():
        times = Times(build / "bin" / "bench_reduce", repetitions=7, min_time=0.004)
        times.median.update(numpy_times(NUMPY, sorted({int(name.split("/")[0]) for name in times.median})))
        return times

    timed_shares(report, "reduce", measure, requirements, PEERS)
