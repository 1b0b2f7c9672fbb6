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


def numpy_times(script, what):
    """What a script that times NumPy prints as JSON, in a process of its own; nothing if it fails."""
    run = subprocess.run(["/usr/bin/python3", "-c", script, json.dumps(what)], env=clean_environment(),
                         capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else {}
