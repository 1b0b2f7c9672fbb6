# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times of the arms of one Google Benchmark program and bars on their ratios.

Arms are interleaved at random, a bar is a ratio of medians, and an arm registered twice (`<arm>/again`) shows the noise.
"""

import json
import statistics
import subprocess

from bars.environment import clean_environment

NOISE = 0.03  # an A/A comparison further apart than this says that the machine was too busy


class Times:
    """Median time in nanoseconds of each arm of one Google Benchmark program, arms interleaved at random."""

    def __init__(self, program, repetitions=31, min_time=0.004, clock="cpu_time"):
        run = subprocess.run(
            [str(program), "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
             f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={min_time}"],
            env=clean_environment(), capture_output=True, text=True)
        if run.returncode != 0:
            raise RuntimeError(run.stderr.strip().splitlines()[-1:])
        samples, wall = {}, {}
        data = json.loads(run.stdout)
        scale = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
        for row in data["benchmarks"]:
            if row.get("run_type") == "iteration":
                name = row["run_name"].removesuffix("/real_time")
                samples.setdefault(name, []).append(row[clock] * scale[row["time_unit"]])
                wall.setdefault(name, []).append(row["real_time"] * scale[row["time_unit"]])
        self.median = {name: statistics.median(values) for name, values in samples.items()}
        self.wall = {name: statistics.median(values) for name, values in wall.items()}
        self.context = data["context"]

    def __contains__(self, arm):
        return arm in self.median

    def rows(self):
        """What stands before `/ours` in the names of arms."""
        return sorted(name.removesuffix("/ours") for name in self.median if name.endswith("/ours"))

    def ratio(self, above, below):
        """The time of one arm over that of another; 0 if either was not measured, which meets no bar."""
        return self.median[above] / self.median[below] if above in self and below in self else 0.0

    def wall_ratio(self, above, below):
        """The same of times by the clock on the wall."""
        return self.wall[above] / self.wall[below] if above in self.wall and below in self.wall else 0.0

    def quiet(self, arm):
        """Whether the arm and its twin `<arm>/again` agree."""
        return abs(self.ratio(f"{arm}/again", arm) - 1) <= NOISE


def timed(report, program, bars, tries=4):
    """Checks bars (name, arm above, arm below, text of the requirement, predicate, arm with a twin); the last times."""
    pending = list(bars)
    last = {}
    for _ in range(tries):
        if not pending:
            break
        times = Times(program)
        kept = []
        for bar in pending:
            name, above, below, required, holds, twin = bar
            if above not in times or below not in times:
                report.error(name, f"{above if above not in times else below} not measured")
                continue
            ratio = times.ratio(above, below)
            noise = times.ratio(f"{twin}/again", twin)
            text = f"{ratio:.2f} ({times.median[above]:.0f}/{times.median[below]:.0f} ns, A/A {noise:.3f})"
            last[name] = (text, times.quiet(twin))
            if times.quiet(twin) and holds(ratio):
                report.bar(name, text, required, True)
            else:
                kept.append(bar)
        pending = kept
    for name, _, _, required, _, _ in pending:
        text, quiet = last[name]
        if quiet:
            report.bar(name, text, required, False)
        else:
            report.inconclusive(name, text, required)
    return times


def timed_shares(report, group, measure, requirements, peers=(), tries=3):
    """Checks the bars of requirements(measure()) by the medians of several runs.

    A bar is (name, measured, required), at least that much, or (name, measured, required, True), at most. An arm that
    is missing measures 0 over others (see Times.ratio). Of each peer there must be some arm `<row>/<peer>`; a group whose
    peers have all rows need not name them.
    """
    runs = []
    for _ in range(tries):
        times = measure()
        runs.append(requirements(times))
        for peer in peers:
            if not any(name.endswith(f"/{peer}") for name in times.median):
                report.error(f"{group}/{peer}", "not measured")
    for name, _, required, *upper in runs[0]:
        measured = statistics.median(bar[1] for run in runs for bar in run if bar[0] == name)
        holds = 0 < measured <= required if any(upper) else measured >= required
        report.bar(f"{group}/{name}", f"{measured:.3f}", f"{'<=' if any(upper) else '>='} {required:.3g}", holds)


def at_least(x):
    return f">= {x}", lambda ratio: ratio >= x


def at_most(x):
    return f"<= {x}", lambda ratio: ratio <= x
