# SPDX-License-Identifier: MIT OR Apache-2.0
"""Scans, sorts and searches through the public call, one thread, beside libraries; and what two threads gain."""

from bars.environment import numpy_times
from bars.times import Times, timed_shares

PEERS = ("torch", "numpy", "std")
SMALLEST = 64  # elements from which ours must be the fastest
# Rows that two threads share. Of one running extremum all elements are read twice.
SHARED = {"sort/f64/1000x1000/0/random": 1.6, "sort/f64/1000x1000/1/random": 1.6, "sort/f64/1000000x1/0/random": 1.6,
          "sort/i32/1000000x1/0/random": 1.6, "argsort/f64/1000000x1/0/random": 1.6,
          "argsort/i32/1000000x1/0/random": 1.6, "cummax/f64/1000000x1/0/random": 1.3}

NUMPY = """
calls = {
    'cumsum': lambda x, axis: numpy.cumsum(x, axis=axis),
    'cumprod': lambda x, axis: numpy.cumprod(x, axis=axis),
    'cummax': lambda x, axis: numpy.maximum.accumulate(x, axis=axis),
    'sort': lambda x, axis: numpy.sort(x, axis=axis),
    'argsort': lambda x, axis: numpy.argsort(x, axis=axis, kind='stable'),
    'top_k': lambda x, axis: numpy.sort(numpy.partition(x, x.shape[axis] - 10, axis=axis)[-10:], axis=axis),
    'argmax': lambda x, axis: numpy.argmax(x),
    'any': lambda x, axis: numpy.any(x),
    'sum_squares': lambda x, axis: numpy.vdot(x, x),
}
types = {'f64': 'f8', 'f32': 'f4', 'i32': 'i4', 'i64': 'i8', 'bool': '?'}
for row in what:
    op, dtype, shape, axis, order = row.split('/')
    rows, columns = map(int, shape.split('x'))
    if dtype == 'bool':
        x = numpy.zeros((rows, columns), types[dtype], order='F')
        x[rows // 2, columns // 2] = True
    else:
        x = numpy.random.default_rng(1).integers(-2**31, 2**31, rows * columns)
        x = x.astype(types[dtype]) if dtype[0] == 'i' else (x / 2**31).astype(types[dtype])
        x = (numpy.sort(x) if order == 'sorted' else x).reshape((rows, columns), order='F')
    count = max(1, 200_000 // (rows * columns + 200))
    times[row + '/numpy'] = median_ns(partial(calls[op], x, int(axis)), count, 5)
"""


def requirements(times):
    """(name, measured, required) of every bar; all are lower bounds."""
    bars = []
    for row in times.rows():
        rows, columns = map(int, row.split("/")[2].split("x"))
        if rows * columns >= SMALLEST:
            bars += [(f"{row}: {peer} over ours", times.ratio(f"{row}/{peer}", f"{row}/ours"), 1.0)
                     for peer in PEERS if f"{row}/{peer}" in times]
    return bars + [(f"{row}: one thread over two", times.wall_ratio(f"{row}/ours", f"{row}/two"), gain)
                   for row, gain in SHARED.items()]


def timed(report, build):
    def measure():
        times = Times(build / "bin" / "bench_order", repetitions=5, min_time=0.004)
        times.median.update(numpy_times(NUMPY, times.rows()))
        return times

    timed_shares(report, "order", measure, requirements, PEERS)
