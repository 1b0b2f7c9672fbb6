# SPDX-License-Identifier: MIT OR Apache-2.0
"""Axes in another order: beside memcpy of the same bytes, on two threads, and beside peers, one thread, warm memory."""

from bars.environment import numpy_times
from bars.times import Times, timed_shares

PEERS = ("eigen", "torch", "numpy")
SMALL = ("transpose_8", "transpose_64", "transpose_512")  # in caches: compared with peers alone
RUNS = ("network_2", "network_2_scattered")  # runs of 16 elements survive

# NumPy's copies of the same patterns.
NUMPY = """
def cases(width):
    side, deep, rest = {1: (8192, 512, 32), 4: (4096, 256, 16), 8: (2048, 256, 16), 16: (2048, 256, 8)}[width]
    twos, threes = {1: (26, 17), 4: (24, 16)}.get(width, (23, 15))
    for name, n in (("8", 8), ("64", 64), ("512", 512), ("large", side)): yield f"transpose_{name}", (n, n), (1, 0)
    for perm in ((2, 0, 1), (1, 0, 2), (2, 1, 0)): yield "cube_%d%d%d" % perm, (256, deep, deep), perm
    yield "rotation_6d", (32, 16, 16, 16, rest, 16), (5, 0, 4, 1, 3, 2)
    yield "reverse_2", (2,) * twos, tuple(range(twos - 1, -1, -1))
    yield "reverse_3", (3,) * threes, tuple(range(threes - 1, -1, -1))
    yield "cyclic_3", (3,) * threes, tuple(range(1, threes)) + (0,)
    rank = max(twos, 24)
    yield "network_2", (2,) * rank, (0, 1, 2, 3, rank - 2, 4, rank - 1) + tuple(range(5, rank - 2))
for width, dtype in ((8, "f8"), (4, "f4"), (16, "c16"), (1, "u1")):
    for name, shape, perm in cases(width):
        x = numpy.ones(shape, dtype, order="F").transpose(perm)
        y = numpy.ones(x.shape, dtype, order="F")
        n = max(1, 100000 // x.size)
        times[f"{name}/{width}/numpy"] = median_ns(partial(numpy.copyto, y, x), n, 3, time.process_time_ns)
"""


def requirements(times):
    """(name, measured, required, whether that is the most) of every bar."""
    bars = []
    for row in times.rows():
        name, width = row.split("/")
        ours = f"{row}/ours"
        if name not in SMALL:
            limit = 1.5 if name in RUNS and int(width) >= 4 else 2.2
            bars.append((f"{row}: ours over memcpy", times.ratio(ours, f"{row}/memcpy"), limit, True))
        if f"{ours}/2" in times:
            bars.append((f"{row}: one thread over two", times.wall_ratio(ours, f"{ours}/2"), 1.7, False))
        bars += [(f"{row}: {peer} over ours", times.ratio(f"{row}/{peer}", ours), 1.0, False)
                 for peer in PEERS if f"{row}/{peer}" in times]
        if f"{ours}/allocating" in times:
            bars.append((f"{row}: a result from the pool over a reused one", times.ratio(f"{ours}/allocating", ours),
                         1.1, True))
    return bars


def timed(report, build):
    times = None

    def measure():
        nonlocal times
        times = Times(build / "bin" / "bench_permute", repetitions=7, min_time=0.001)
        times.median.update(numpy_times(NUMPY))
        return times

    timed_shares(report, "permute", measure, requirements, PEERS)
    for row in sorted(name.removesuffix("/memcpy/2") for name in times.median if name.endswith("/memcpy/2")):
        report.info(f"permute/{row}: memcpy, one thread over two",
                    f"{times.wall_ratio(f'{row}/memcpy', f'{row}/memcpy/2'):.2f}")
