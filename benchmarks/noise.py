"""Speed of the addressed noise against drawing plain normals, in one run: python benchmarks/noise.py

Prints million normals a second, median of the repeats, and the ratio to NumPy's fastest generator. The
machine may be noisy: read the ratios. One thread a row, except where the row says otherwise.
"""

from __future__ import annotations

import os

os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import time
from collections.abc import Callable

import numpy as np

from dpaudit.noise.stream import Stream

COUNT, WIDTH, REPEATS = 4_000_000, 64, 7


def rates(rows: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Million normals a second of each row; the rows take turns, so that a slow spell hits all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in rows}
    for draw in rows.values():
        draw()
    for _ in range(REPEATS):
        for name, draw in rows.items():
            started = time.perf_counter()
            draw()
            seconds[name].append(time.perf_counter() - started)
    return {name: COUNT / float(np.median(found)) / 1e6 for name, found in seconds.items()}


def main() -> None:
    """Print the table."""
    import torch

    from dpaudit.noise.kernels import draw

    torch.set_num_threads(1)
    stream, trials, generator = Stream(1, "benchmark"), np.arange(COUNT // WIDTH), np.random.default_rng(1)
    found = rates(
        {
            "NumPy default_rng": lambda: generator.standard_normal((COUNT // WIDTH, WIDTH)),
            "torch.randn float64": lambda: torch.randn(COUNT // WIDTH, WIDTH, dtype=torch.float64),
            "addressed, numba": lambda: draw(stream.key, trials, 0, WIDTH, True),
            "addressed, torch": lambda: stream.torch_normals(trials, 0, WIDTH),
        }
    )
    for name, rate in found.items():
        print(f"{name:<22} {rate:8.1f} M/s   {rate / found['NumPy default_rng']:.2f}")


if __name__ == "__main__":
    main()
