"""Trials per second of every algorithm and backend, beside what a run cannot do without, in one process.

    python benchmarks/trials.py                        the tables, about ten minutes on two cores
    python benchmarks/trials.py --device cuda -o FILE  with torch on another device, and as JSON
    python benchmarks/trials.py --memory               10^7 trials of DP-SGD, streamed in chunks: peak memory

Every row is the median of repeats that take turns, so that a slow spell of the machine hits all of them; read the
ratios. All rows use the same number of threads (--threads, default 1).

Table 1: the first agreement instance of every algorithm (small: its cost is that of starting a step), against a plain
NumPy loop over trials (its reference).
Table 2: 64 coordinates, 20 steps, full batches: against drawing the same normals alone, from the same addressed
stream and from the fastest generator of a library, and where the gradient grows with the 100 records, against those
normals plus the bare matrix products (BLAS).
Table 3: the same DP-SGD audit on the same logistic problem by looping Opacus.
Table 4: the runs of table 2 on a torch device that is no CPU, by the number of trials that go at once, beside numba.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

REPEATS = 5
Rows = dict[str, Callable[[], object]]


def seconds(rows: Rows, repeats: int = REPEATS) -> dict[str, float]:
    """Median seconds of each row after one call that is not counted; the rows take turns."""
    found: dict[str, list[float]] = {name: [] for name in rows}
    for run in rows.values():
        run()
    for _ in range(repeats):
        for name, run in rows.items():
            started = time.perf_counter()
            run()
            found[name].append(time.perf_counter() - started)
    return {name: statistics.median(values) for name, values in found.items()}


def every_algorithm(device: str) -> list[dict[str, Any]]:
    """Table 1: trials per second of the reference, numba and torch on each algorithm's first agreement instance."""
    from dpaudit.content import loading
    from dpaudit.noise.tensors import why_unavailable

    missing, table = why_unavailable(device), []
    for item in loading.load_algorithms():
        case = loading.forms_of(item.carrier).cases(1)[0]
        row = {
            "algorithm": item.name,
            "title": item.record.title,
            "instance": case.name,
            **_speeds(case, device, missing),
        }
        print(_line(row), flush=True)
        table.append(row)
    return table


def _speeds(case: Any, device: str, missing: str, few: int = 3, many: int = 1_000) -> dict[str, Any]:
    import numpy as np

    numbers = np.arange(many)
    rows: Rows = {
        "reference": lambda: [case.calls(trial) for trial in range(few)],
        "numba": lambda: case.bulk(numbers, "numba", "float64", "cpu"),
    }
    if not missing:
        rows["torch"] = lambda: case.bulk(numbers, "torch", "float64", device)
    found = seconds(rows, 3)
    torch = f"NOT_RUN: {missing}" if missing else many / found["torch"]
    loop, numba = few / found["reference"], many / found["numba"]
    return {"NumPy loop": loop, "numba": numba, f"torch {device}": torch, "ratio": numba / loop}


def _instances() -> list[tuple[str, Any, Any, Any, int, Any]]:
    """Table 2: name, module, parameters, problem, normals a step, rows that a step has to be multiplied with."""
    import numpy as np

    from dpaudit.algorithms.rbcd import dp_gd, dp_skgd
    from dpaudit.algorithms.srgd import accelerated_dp_srgd, dp_sgd
    from dpaudit.algorithms.srm import dp_srm
    from dpaudit.algorithms.zeroth import noisy_zogd
    from dpaudit.problems import losses as problems
    from dpaudit.sampling import coordinates
    from dpaudit.sampling.batches import Batches

    d, steps, rng = 64, 20, np.random.default_rng(1)
    features, labels = rng.normal(size=(100, d)), np.where(rng.random(100) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(d, d))
    curvature = (root @ root.T + (root @ root.T).T) / (2 * d)
    logistic = problems.logistic(features, labels)
    losses = {
        "linear": (problems.linear(features), 0),
        "quadratic": (problems.quadratic_minus_linear(curvature, features), 0),
        "logistic": (logistic, 1),
    }
    start, eta, every = (0.0,) * d, (0.01,) * d, Batches("all records", 100, 100)
    once = Batches("in order", 100, 5)
    weights = (1.0,) * (steps + 1)
    srgd, srgd_once = (accelerated_dp_srgd.Params(d, weights, 10.0, batches, 1.0, 1.0) for batches in (every, once))
    listed = (
        (dp_sgd, dp_sgd.Params(start, (0.01,) * steps, every, 1.0, 1.0)),
        (dp_gd, dp_gd.Params(start, eta, 2, steps // 2, 1.0, 1.0, 100)),
        (dp_skgd, dp_skgd.Params(start, eta, 2, steps // 2, coordinates.full(d), (1.0,), (1.0,), 100)),
        (dp_srm, dp_srm.Params(start, steps, 100, 100, 100, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)),
        (accelerated_dp_srgd, srgd),
    )
    rows = [
        (f"{module.ALGORITHM.title.split(':')[0]}, {name}", module, params, problem, d, features[: 100 * products])
        for module, params in listed
        for name, (problem, products) in losses.items()
        if products == 0 or params is not srgd
    ]
    two_points = np.vstack([features[:5]] * 2)
    rows.append(("Accelerated-DP-SRGD, logistic, one pass", accelerated_dp_srgd, srgd_once, logistic, d, two_points))
    four = noisy_zogd.Params(start, steps, Batches("all records", 2, 2), 4, 0.1, 0.1, 1.0, 1.0)
    two = problems.linear(features[:2])
    return [*rows, ("Noisy-ZOGD, linear, 2 records, 4 directions", noisy_zogd, four, two, 5 * d + 4, features[:0])]


def beside_the_normals(device: str) -> list[dict[str, Any]]:
    """Table 2: speed of a run over that of drawing alone, and over drawing and the matrix products."""
    from dpaudit.noise.tensors import why_unavailable

    missing, table = why_unavailable(device), []
    for name, module, params, problem, width, matrix in _instances():
        row = {"run": name, **_ratios(module, params, problem, width, matrix, device, missing)}
        print(_line(row), flush=True)
        table.append(row)
    return table


def _ratios(
    module: Any, params: Any, problem: Any, width: int, matrix: Any, device: str, missing: str, trials: int = 3_000
) -> dict[str, Any]:
    import numpy as np

    from dpaudit.noise.kernels import draw
    from dpaudit.noise.stream import Stream, Trials

    stream, numbers, library = Stream(1, "benchmark"), np.arange(trials), np.random.Generator(np.random.SFC64(1))
    steps = module.noise_shape(params)[0]
    points, whole = np.random.default_rng(2).normal(size=(trials, problem.dimension)), Trials(stream, numbers)
    rows: Rows = {
        "run": lambda: module.cpu(params, problem, whole, "final"),
        "normals": lambda: [draw(stream.key, numbers, t, width, True) for t in range(steps)],
        "library": lambda: [library.standard_normal((trials, width)) for _ in range(steps)],
        "products": lambda: [(points @ matrix.T) @ matrix for _ in range(steps)],
    }
    if not missing:
        rows["torch"] = partial(_on_device, module, params, problem, whole, device)
    found = seconds(rows)
    needed = found["normals"] + (found["products"] if len(matrix) else 0.0)
    return {
        "numba, trials/s": trials / found["run"],
        f"torch {device}, trials/s": f"NOT_RUN: {missing}" if missing else trials / found["torch"],
        "normals alone": found["normals"] / found["run"],
        "library normals alone": found["library"] / found["run"],
        "normals and products": needed / found["run"],
    }


def _on_device(module: Any, params: Any, problem: Any, whole: Any, device: str) -> Any:
    """The final iterates by torch, brought back: without that the work of a GPU may not be done yet."""
    return module.gpu(params, problem, whole, "final", device).cpu()


def by_trials(device: str, counts: tuple[int, ...] = (3_000, 30_000, 300_000)) -> list[dict[str, Any]]:
    """Table 4: trials per second of torch on the device with so many trials at once, and of numba."""
    import numpy as np

    from dpaudit.noise.stream import Stream, Trials
    from dpaudit.noise.tensors import why_unavailable

    if device == "cpu" or why_unavailable(device):
        return []
    stream, table = Stream(1, "benchmark"), []
    for name, module, params, problem, *_ in _instances():
        rows: Rows = {}
        for count in counts:
            whole = Trials(stream, np.arange(count))
            rows[f"torch {device}, {count} trials"] = partial(_on_device, module, params, problem, whole, device)
        rows["numba"] = partial(module.cpu, params, problem, Trials(stream, np.arange(counts[1])), "final")
        found = seconds(rows, 3)
        row = {"run": name, "numba, trials/s": counts[1] / found.pop("numba")}
        row |= {f"{label}, trials/s": count / found[label] for label, count in zip(found, counts, strict=True)}
        print(_line(row), flush=True)
        table.append(row)
    return table


def beside_opacus(trials: int = 20_000, looped: int = 30) -> list[dict[str, Any]]:
    """Table 3: DP-SGD on 100 logistic records in 64 coordinates, 20 full-batch steps with clipping."""
    import numpy as np
    import torch

    from dpaudit.algorithms.srgd import dp_sgd
    from dpaudit.noise.stream import Stream, Trials
    from dpaudit.problems import losses as problems
    from dpaudit.sampling.batches import Batches

    rng = np.random.default_rng(1)
    features, labels = rng.normal(size=(100, 64)), np.where(rng.random(100) < 0.5, -1.0, 1.0)
    params = dp_sgd.Params((0.0,) * 64, (0.01,) * 20, Batches("all records", 100, 100), 0.01, 1.0, 1.0)
    problem, whole = problems.logistic(features, labels), Trials(Stream(1, "benchmark"), np.arange(trials))
    data = torch.tensor(features, dtype=torch.float32), torch.tensor((labels + 1) / 2, dtype=torch.float32)
    found = seconds(
        {
            "dpaudit, numba": lambda: dp_sgd.cpu(params, problem, whole, "final"),
            "Opacus loop": lambda: [_opacus(data, seed) for seed in range(looped)],
        },
        3,
    )
    ours, theirs = trials / found["dpaudit, numba"], looped / found["Opacus loop"]
    row = {"dpaudit, trials/s": ours, "Opacus loop, trials/s": theirs, "ratio": ours / theirs}
    print(_line(row), flush=True)
    return [row]


def _opacus(data: Any, seed: int) -> Any:
    import warnings

    import torch
    from opacus import PrivacyEngine
    from torch.utils.data import DataLoader, TensorDataset

    warnings.simplefilter("ignore")
    torch.manual_seed(seed)
    model = torch.nn.Linear(64, 1, bias=False)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.01)
    loader = DataLoader(TensorDataset(*data), batch_size=100)
    model, optimiser, loader = PrivacyEngine().make_private(
        module=model, optimizer=optimiser, data_loader=loader, noise_multiplier=1.0, max_grad_norm=1.0,
        poisson_sampling=False,
    )  # fmt: skip
    loss = torch.nn.BCEWithLogitsLoss()
    for _ in range(20):
        for x, y in loader:
            optimiser.zero_grad()
            loss(model(x)[:, 0], y).backward()
            optimiser.step()
    return model


def memory(trials: int = 10_000_000, chunk: int = 100_000) -> dict[str, Any]:
    """Peak memory of the process after `trials` final iterates of DP-SGD in 16 coordinates, summed chunk by chunk."""
    import numpy as np

    from dpaudit.algorithms.srgd import dp_sgd
    from dpaudit.noise.stream import Stream, Trials
    from dpaudit.problems import losses as problems
    from dpaudit.sampling.batches import Batches

    rng = np.random.default_rng(1)
    problem, stream = problems.linear(rng.normal(size=(100, 16))), Stream(1, "benchmark")
    params = dp_sgd.Params((0.0,) * 16, (0.1, 0.1), Batches("all records", 100, 100), 1.0, 1.0)
    started, total = time.perf_counter(), np.zeros(16)
    for first in range(0, trials, chunk):
        total += dp_sgd.cpu(params, problem, Trials(stream, np.arange(first, first + chunk)), "final").sum(axis=0)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    elapsed = time.perf_counter() - started
    row = {"trials": trials, "seconds": elapsed, "peak GiB": used, "mean": float(total[0] / trials)}
    print(_line(row), flush=True)
    return row


def _line(row: dict[str, Any]) -> str:
    cells = ((name, f"{value:.4g}" if isinstance(value, float) else value) for name, value in row.items())
    return "  ".join(f"{name}: {value}" for name, value in cells)


def main() -> None:
    """Print the tables, and write them as JSON where asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", help="torch device (default cpu)")
    parser.add_argument("--threads", type=int, default=1, help="threads of every row (default 1)")
    parser.add_argument("--memory", action="store_true", help="only the peak memory of 10^7 streamed trials")
    parser.add_argument("--only", choices=("1", "2", "3", "4"), help="only this table")
    parser.add_argument("-o", "--output", help="file for the tables as JSON")
    options = parser.parse_args()
    for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(options.threads)
    if options.memory:
        memory()
        return
    import torch

    torch.set_num_threads(options.threads)
    jobs = {
        "1": lambda: every_algorithm(options.device),
        "2": lambda: beside_the_normals(options.device),
        "3": beside_opacus,
        "4": lambda: by_trials(options.device),
    }
    tables = {name: job() for name, job in jobs.items() if options.only in (None, name)}
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"device": options.device, "threads": options.threads, "tables": tables}, file, indent=1)


if __name__ == "__main__":
    main()
