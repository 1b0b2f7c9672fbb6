# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a second thread brings, as ratios of wall times in one run."""

from bars.times import Times

# A product of this many rows and more must scale as the peak of multiply-adds does in the same run.
LARGE = (512, 1024)
SMALLER = (128, 192, 256)


def scaling(times, arm):
    return times.ratio(f"{arm}/1", f"{arm}/2")


def requirements(times):
    """(name, measured, required) of every bar."""
    peak = scaling(times, "peak")
    bars = [("exp of 10^6 f64", scaling(times, "exp"), 1.6)]
    for arm in sorted(name[:-2] for name in times.median if name.startswith("gemm/") and name.endswith("/1")):
        required = 0.95 * peak if int(arm.rsplit("/", 1)[1]) in LARGE else 1.6
        bars.append((arm, scaling(times, arm), required))
    return peak, bars


def timed(report, build, tries=4):
    program = build / "bin" / "bench_threads"
    passed = set()
    for attempt in range(tries):
        times = Times(program, repetitions=11, min_time=0.02, clock="real_time")
        peak, bars = requirements(times)
        for name, measured, required in bars:
            if measured >= required or attempt == tries - 1:
                if name not in passed:
                    report.bar(f"threads/{name}: one over two", f"{measured:.2f} (peak {peak:.2f})",
                               f">= {required:.2f}", measured >= required)
                passed.add(name)
        if len(passed) == len(bars):
            break
    report.info("threads/sum of 2048^2: one over two", f"{scaling(times, 'sum'):.2f}")
