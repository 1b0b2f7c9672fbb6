# SPDX-License-Identifier: MIT OR Apache-2.0
"""Matrix products through the public call, one thread: beside libraries, the peak of the run, and other layouts.

Those of small matrices are in gemm_small.
"""

from bars import gemm_small
from bars.times import Times, timed_shares

PEAK_OPERATIONS = 1 << 23
LAYOUTS = ("tn", "nt", "tt", "sliced", "split")
LARGEST_IN_LAYOUTS = 1024
LIBRARIES = ("openblas", "blis")  # what must be reached; the others must be beaten


def peak_share(times, row):
    """The rate of our product over that of the peak of multiply-adds."""
    dtype, n = row.split("/")
    operations = 2 * int(n) ** 3 * (4 if dtype[0] == "c" else 1)
    peak = times.median["peak/f32" if dtype in ("f32", "c32") else "peak/f64"] / PEAK_OPERATIONS
    return operations * peak / times.median[f"{row}/ours"]


def requirements(times):
    """(name, measured, required) of every bar; all are lower bounds."""
    rows = sorted({name.rsplit("/", 1)[0] for name in times.median if name.endswith("/ours")},
                  key=lambda row: (row.split("/")[0], int(row.split("/")[1])))
    bars = []
    for row in rows:
        ours = f"{row}/ours"
        if row[0] != "i":  # no library multiplies integers
            bars.append((f"{row}: share of the peak", peak_share(times, row), 0.88 if row[0] == "c" else 0.90))
            bars.append((f"{row}: best of {' and '.join(LIBRARIES)} over ours",
                         min(times.ratio(f"{row}/{library}", ours) for library in LIBRARIES), 1.0))
        bars += [(f"{row}: {peer} over ours", times.ratio(f"{row}/{peer}", ours), 1.0) for peer in ("eigen", "torch")]
        bars += [(f"{row}: contiguous over {layout}", times.ratio(ours, f"{ours}/{layout}"), 0.91)
                 for layout in LAYOUTS if int(row.split("/")[1]) <= LARGEST_IN_LAYOUTS]
    return bars


exact = gemm_small.exact


def timed(report, build):
    timed_shares(report, "gemm", lambda: Times(build / "bin" / "bench_gemm", repetitions=9, min_time=0.01), requirements)
    gemm_small.timed(report, build)
