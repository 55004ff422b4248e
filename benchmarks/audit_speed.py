"""How long an audit of a small training takes as its user sees it: until the structural checks are told of, until the
end, and the longest time without a line where nobody watches a terminal.

    python benchmarks/audit_speed.py [--repeats 3]

Two correct trainings are audited with `dpaudit audit` at level smoke, each in a folder of its own: DP-SGD of a small
perceptron by hand in torch, and one of about ten milliseconds in NumPy. Times of the clock are those of an audit in its
sandbox, on a machine that may be busy with other work; processor times, which hang little on that, those of the same
audit with `--no-isolate`. Both are from the start of the command, so that the import of torch is in them. Results go to
`reports/benchmarks/audit_speed.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

JSON = Path(__file__).parents[1] / "reports" / "benchmarks" / "audit_speed.json"
PERCEPTRON = """
import torch
from torch.func import functional_call, grad, vmap

import numpy as np

from dpaudit import Gaussian, PoissonSampled, SelfComposed, TorchTraining, claim


def train(records, watch):
    model = torch.nn.Sequential(torch.nn.Linear(20, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    watch(optimizer, clip_norm=1.0, noise_multiplier=1.2, batch_size=20)

    def loss(own, x, y):
        return torch.nn.functional.cross_entropy(functional_call(model, own, (x[None],)), y[None])

    for _ in range(5):
        x, y = records.tensors(torch.nonzero(torch.rand(len(records)) < 0.2)[:, 0])
        named = {name: p.detach() for name, p in model.named_parameters()}
        own = {n: p[None][:0] for n, p in named.items()}
        if len(x):
            own = vmap(grad(loss), in_dims=(None, 0, 0))(named, x, y)
        norms = torch.cat([g.flatten(1) for g in own.values()], dim=1).norm(dim=1)
        factors = torch.where(norms.isfinite(), (1.0 / norms.clamp(min=1e-12)).clamp(max=1.0), torch.zeros(()))
        for name, p in model.named_parameters():
            total = torch.einsum("i,i...->...", factors, torch.nan_to_num(own[name], 0.0, 0.0, 0.0))
            p.grad = (total + 1.2 * torch.randn(p.shape)) / 20
        optimizer.step()
    return model


rng = np.random.default_rng(0)
RECORDS = rng.normal(size=(100, 20)).astype(np.float32), rng.integers(3, size=100)
AUDIT = TorchTraining("mine/perceptron", train, records=RECORDS, claim=claim(epsilon=3.0, delta=1e-5),
                      mechanism=SelfComposed(PoissonSampled(0.2, Gaussian(1.2)), 5))
"""
TEN_MILLISECONDS = """
import numpy as np

from dpaudit import Gaussian, PoissonSampled, SelfComposed, Training, claim


def train(records, recorder):
    rng, mean = np.random.default_rng(recorder.seed), np.zeros(200)
    for _ in range(20):
        members = recorder.batch(np.flatnonzero(rng.random(len(records)) < 0.2))
        own = np.nan_to_num(records[members] - mean, nan=0.0, posinf=0.0, neginf=0.0)
        total = (own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1.0)).sum(axis=0)
        noise = 1.5 * rng.normal(size=200)
        mean += recorder.release("gradient", total, noise, sensitivity=1.0, noise_scale=1.5) / 400
    recorder.output("mean", mean)


RECORDS = np.random.default_rng(0).normal(size=(2000, 200))
AUDIT = Training("mine/mean", train, records=RECORDS, claim=claim(epsilon=5.0, delta=1e-5),
                 mechanism=SelfComposed(PoissonSampled(0.2, Gaussian(1.5)), 20))
"""


def audited(text: str, *options: str) -> dict[str, float]:
    """Seconds of one audit, by the clock: until the structural verdict is told, until the end, and the longest without
    a line; and processor seconds until the verdict and until the end, of what no sandbox does."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mine.py").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "dpaudit", "audit", "mine.py", "--no-controls", *options]
        before = _of_children()
        started = last = time.perf_counter()
        silent = structural = used = 0.0
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "PYTHONUNBUFFERED": "1"}) as process:  # fmt: skip
            assert process.stdout is not None
            for line in process.stdout:
                now = time.perf_counter()
                silent, last = max(silent, now - last), now
                if "structural checks consistent" in line:
                    structural, used = now - started, _of(process.pid)
        end = time.perf_counter()
        if process.returncode:
            raise RuntimeError(f"the audit ended with {process.returncode}")
    times = {"structural": structural, "end": end - started, "silent": max(silent, end - last)}
    return times | {"structural_processor": used, "processor": _of_children() - before}


def _of(process: int) -> float:
    """Processor seconds of a process so far, and of those that it has waited for; on Linux."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _of_children() -> float:
    """Processor seconds of all processes that were started and waited for, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


CLOCK, PROCESSOR = ("structural", "end"), ("structural_processor", "processor")


def _row(name: str, text: str, repeats: int) -> dict[str, Any]:
    """Medians over the repeats; of the times without a line, the longest."""
    made = [audited(text) for _ in range(repeats)]
    alone = [audited(text, "--no-isolate") for _ in range(repeats)]
    row = {key: round(statistics.median(one[key] for one in made), 1) for key in CLOCK}
    row |= {key: round(statistics.median(one[key] for one in alone), 1) for key in PROCESSOR}
    return {"training": name, **checked(text), **row, "silent": round(max(one["silent"] for one in made), 1)}


def checked(text: str) -> dict[str, float]:
    """Processor time of one training, and of the structural tier alone in a process that has imported everything."""
    from dpaudit.audit import tiers
    from dpaudit.audit.randomness import frozen
    from dpaudit.audit.structural.recording import Recorder
    from dpaudit.content.audits import audit_of
    from dpaudit.records.context import Context, Level

    if "torch" in text:
        import torch

        torch.set_num_threads(1)  # threads that wait for each other would count
    loaded: dict[str, Any] = {}
    exec(text, loaded)
    audit, times = loaded["AUDIT"], []
    subject = audit_of(audit, audit.TARGET)
    alone = type(subject)(**{**vars(subject), "target": type(audit.TARGET)(**{**vars(audit.TARGET), "trials": None})})
    for _ in range(3):
        started = time.process_time()
        with frozen(1):
            audit._traced(loaded["RECORDS"], Recorder(seed=1))
        times.append(time.process_time() - started)
    started = time.process_time()
    verdict = tiers.audit(alone, Context(1, Level.SMOKE, 1e-4))
    tier = time.process_time() - started
    assert verdict.outcome.value == "CONSISTENT", verdict.evidence
    trainings = round(tier / min(times))
    return {"training_ms": round(1e3 * min(times), 1), "tier": round(tier, 2), "tier_in_trainings": trainings}


def main() -> None:
    """Measure, print a line each, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    rows = []
    for name, text in (("perceptron in torch", PERCEPTRON), ("ten milliseconds in NumPy", TEN_MILLISECONDS)):
        rows.append(_row(name, text, asked.repeats))
        print(json.dumps(rows[-1]), flush=True)
    command = f"python benchmarks/audit_speed.py --repeats {asked.repeats}"
    JSON.write_text(json.dumps({"command": command, "rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
