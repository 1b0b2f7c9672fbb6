# SPDX-License-Identifier: MIT OR Apache-2.0
"""Triangles, slices, gathers and scatters of a million f64, one thread, beside memcpy and NumPy."""

from bars.environment import numpy_times
from bars.times import Times, timed_shares

PEERS = ("numpy",)
# Rows that are read and written along lines; the others go to places that are data, or start a run every few bytes.
LIKE_MEMCPY = ("tril/plain", "tril/turned", "reverse/lines", "slice/every_second", "embed_diag/line", "take/columns",
               "scatter/columns")
MEMCPY = 2.2

# NumPy in its own order of axes, which is the reverse of ours.
NUMPY = """
n, k = 1000, 8
x = numpy.arange(n * n, dtype='f8').reshape(n, n)
flat, small = x.reshape(-1), x.reshape(-1, 4, 4)
random = numpy.random.default_rng(1)
any_place, few = random.integers(0, n * n, n * n), random.integers(0, n, n)
rows, columns = random.integers(0, n - k + 1, (2, n * n // (k * k)))
windows = numpy.lib.stride_tricks.sliding_window_view(x, (k, k))
places, order = random.permutation(n * n), random.permutation(n)
def put(array, where):
    result = array.copy()
    result[where] = array
    return result
calls = {
    'tril/plain': lambda: numpy.triu(x),
    'tril/turned': lambda: numpy.triu(x.T),
    'tril/small': lambda: numpy.triu(small),
    'reverse/lines': lambda: numpy.ascontiguousarray(x[:, ::-1]),
    'slice/every_second': lambda: numpy.ascontiguousarray(x[:, ::2]),
    'embed_diag/line': lambda: numpy.diag(x[0]),
    'take/elements': lambda: numpy.take(flat, any_place),
    'take/columns': lambda: numpy.take(x, few, 0),
    'take/rows': lambda: numpy.take(x, few, 1),
    'gather/windows': lambda: windows[rows, columns],
    'scatter/elements': lambda: put(flat, places),
    'scatter/columns': lambda: put(x, order),
}
for row in what:
    times[row + '/numpy'] = median_ns(calls[row], 3, 7)
"""


def requirements(times):
    """(name, measured, required, whether that is the most) of every bar."""
    bars = [(f"{row}: ours over memcpy", times.ratio(f"{row}/ours", f"{row}/memcpy"), MEMCPY, True)
            for row in LIKE_MEMCPY]
    return bars + [(f"{row}: {peer} over ours", times.ratio(f"{row}/{peer}", f"{row}/ours"), 1.0, False)
                   for row in times.rows() for peer in PEERS]


def timed(report, build):
    def measure():
        # Arms change places all the time: each runs long enough to be measured in warm memory, as NumPy's calls in a row are.
        times = Times(build / "bin" / "bench_movement", repetitions=7, min_time=0.01)
        times.median.update(numpy_times(NUMPY, times.rows()))
        return times

    timed_shares(report, "movement", measure, requirements, PEERS)
