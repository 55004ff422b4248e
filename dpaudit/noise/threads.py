"""The rows of a batch on all processors: compiled kernels hold no lock, so threads of Python share them out.

Parallel loops of numba compile every kernel several times over, and cost more than half of all compiling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numba
import numpy as np
from numpy.typing import NDArray

LEAST = 4
"""Rows a thread: fewer are not worth starting one."""


def share_rows(kernel: Callable[..., None], rows: Sequence[NDArray[np.generic]], *given: object) -> None:
    """kernel(*rows, *given), called for slices of the arrays `rows`, all of one length, each in a thread of its own.

    The kernel writes into `rows` and may change nothing else; its rows must not depend on each other.
    """
    count = len(rows[0])
    threads = min(numba.config.NUMBA_NUM_THREADS, count // LEAST)
    if threads <= 1:
        kernel(*rows, *given)
        return
    ends = [count * part // threads for part in range(threads + 1)]
    parts = [slice(first, last) for first, last in pairwise(ends)]
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(kernel, *(array[part] for array in rows), *given) for part in parts]:
            done.result()
