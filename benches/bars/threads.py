# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a second thread brings, as ratios of wall times in one run."""

from bars.times import Times, timed_shares

# A product of this many rows and more must scale as the peak of multiply-adds does in the same run.
LARGE = (512, 1024)


def scaling(times, arm):
    return times.ratio(f"{arm}/1", f"{arm}/2")


def requirements(times):
    """(name, measured, required) of every bar; all are lower bounds."""
    peak = scaling(times, "peak")
    bars = [("exp of 10^6 f64: one over two", scaling(times, "exp"), 1.6)]
    for arm in sorted(name[:-2] for name in times.median if name.startswith("gemm/") and name.endswith("/1")):
        large = int(arm.rsplit("/", 1)[1]) in LARGE
        share = scaling(times, arm) / (0.95 * peak if large else 1)
        bars.append((f"{arm}: one over two" + (", as a share of 0.95 of the peak's" if large else ""), share,
                     1.0 if large else 1.6))
    return bars


def timed(report, build):
    def measure():
        return Times(build / "bin" / "bench_threads", repetitions=11, min_time=0.02, clock="real_time")

    timed_shares(report, "threads", measure, requirements)
    times = measure()
    for arm in ("peak", "sum"):
        report.info(f"threads/{arm}: one over two", f"{scaling(times, arm):.2f}")
