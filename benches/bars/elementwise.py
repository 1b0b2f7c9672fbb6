# SPDX-License-Identifier: MIT OR Apache-2.0
"""Elementwise operations on f64, beside bare loops over the same arrays, beside peers, and in other layouts."""

from bars.times import at_least, at_most, timed as timed_bars

CHEAP = ("add", "mul", "select")
FUNCTIONS = ("exp", "log", "sin", "cos", "tanh", "pow")
SIZES = (64, 1000, 100_000, 1_000_000)
PEERS = {"eigen": "Eigen", "torch": "libtorch"}
LAYOUTS = {"transposed": "one operand transposed", "row": "one operand a row for all columns",
           "column": "one operand a column for all rows", "reversed": "one operand reversed",
           "every_second": "one operand every second element"}


def bars():
    """(name, arm above, arm below, requirement, predicate, arm with a twin)."""
    large = SIZES[-1]
    result = []
    for operation in CHEAP:
        ours = f"{operation}/{large}/tenferro"
        result.append((f"elementwise/{operation}, 10^6: bare loop over ours", f"{operation}/{large}/bare", ours,
                       *at_least(0.95), ours))
    for operation in FUNCTIONS:
        ours = f"{operation}/{large}/tenferro"
        result.append((f"elementwise/{operation}, 10^6: ours over bare SLEEF", ours, f"{operation}/{large}/bare",
                       *at_most(1.15), ours))
    for layout, words in LAYOUTS.items():
        for operation in ("add", "exp"):
            contiguous = f"layout/{operation}/contiguous"
            result.append((f"elementwise/{operation}, {words}: over contiguous", f"layout/{operation}/{layout}",
                           contiguous, *at_most(1.5), contiguous))
    for peer, name in PEERS.items():
        for operation in CHEAP + FUNCTIONS:
            for size in SIZES:
                ours = f"{operation}/{size}/tenferro"
                result.append((f"elementwise/{operation}, {size}: {name} over ours", f"{operation}/{size}/{peer}",
                               ours, *at_least(1), f"{operation}/{large}/tenferro"))
    return result


def timed(report, build):
    timed_bars(report, build / "bin" / "bench_elementwise", bars())
