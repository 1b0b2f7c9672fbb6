# SPDX-License-Identifier: MIT OR Apache-2.0
"""The environment in which everything is measured."""

import json
import os
import subprocess


def clean_environment():
    """The environment of a measurement: the kernels that the processor deserves, no calibration, a heap that is kept."""
    env = dict(os.environ)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "TENFERRO_NUM_THREADS", "TENFERRO_GEMM", "TENFERRO_SIMD"):
        env.pop(name, None)
    env["TENFERRO_CALIBRATION"] = "off"
    # A heap that is kept: what a peer allocates is warm from its second call on, as what we take from the pool is.
    env["MALLOC_MMAP_MAX_"] = "0"
    env["MALLOC_TRIM_THRESHOLD_"] = str(1 << 40)
    env["BLIS_ARCH_TYPE"] = "0"  # BLIS 0.9 knows no newer processor; these are its AVX-512 kernels
    return env


# Counting takes every thread: without those of OpenBLAS, which spin for a while, counts repeat to the instruction.
ONE_BLAS_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


# What scripts that time NumPy have at hand: median_ns is the time of a call, the median of several batches of `count`.
NUMPY_PRELUDE = """
import json, sys, time
import numpy
from functools import partial
def median_ns(call, count, batches, clock=time.perf_counter_ns):
    samples = []
    for _ in range(batches):
        start = clock()
        for _ in range(count):
            call()
        samples.append((clock() - start) / count)
    return sorted(samples)[batches // 2]
what, times = json.loads(sys.argv[1]), {}
"""


def numpy_times(script, what=None):
    """The `times` that a script of NumPy makes of `what`, in a process of its own; nothing if it fails."""
    run = subprocess.run(["/usr/bin/python3", "-c", NUMPY_PRELUDE + script + "print(json.dumps(times))",
                          json.dumps(what)], env=clean_environment(), capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else {}
