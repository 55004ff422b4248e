"""How often training adapters refute half of the claimed noise at level smoke, by their game or their structure alone.

    python benchmarks/adapters.py [--structural] [--hidden] [--only WORD ...] [--jobs 2] [--as after]

Twenty trainings of five kinds add half of the noise that they claim; the structural checks are left out, or, with
--structural, the game. --hidden: whole audits, of trainings whose noise no check can see, since it comes from uniform
numbers by the formula of Box and Muller, or is handed over as a part of the statistic. The error probability of each
audit is 1e-4. --as: the name under which the rows are kept, so that two versions of dpaudit can stand beside each
other. Results go to `reports/benchmarks/adapters.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit import Gaussian, PoissonSampled, SelfComposed, TorchTraining, Training, claim
from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.audit import tiers
from dpaudit.audit.planning import gaussian_mu
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Outcome, Verdict
from dpaudit.report import deciding

SEED, ALPHA, DELTA, SHARE = 20261123, 1e-4, 1e-5, 0.5
JSON = Path(__file__).parents[1] / "reports" / "benchmarks" / "adapters.json"
CLIP_NORM = 1.0
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Setting:
    """rate: of the batches, 1 for all records; noise: the claimed multiplier."""

    records: int
    features: int
    rate: float
    steps: int
    noise: float

    @property
    def size(self) -> float:
        """Of a batch, on average."""
        return self.rate * self.records

    def mechanism(self, noise: float) -> SelfComposed:
        """What an accountant makes of it."""
        law = Gaussian(noise)
        return SelfComposed(PoissonSampled(self.rate, law) if self.rate < 1 else law, self.steps)

    def epsilon(self, noise: float) -> float:
        """At DELTA, rounded up in the third digit."""
        bounds = epsilon_bounds(self.mechanism(noise), DELTA, Neighbours.ADD_OR_REMOVE)
        return math.ceil(1e3 * bounds.upper) / 1e3


def table(setting: Setting) -> tuple[Array, Array]:
    """Features in float32, and labels 0, 1 and 2 that follow them."""
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=setting.records)
    features = rng.normal(size=(setting.records, setting.features)) + np.eye(3, setting.features)[labels]
    return features.astype(np.float32), labels.astype(np.int64)


def in_numpy(setting: Setting, records: Any, recorder: Any, hidden: bool = False) -> None:
    """Softmax regression."""
    x, y = records
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((setting.features, 3))
    for _ in range(setting.steps):
        drawn = np.flatnonzero(rng.random(len(x)) < setting.rate)
        members = recorder.batch(drawn) if setting.rate < 1 else drawn
        odds = np.exp(x[members] @ weights - (x[members] @ weights).max(axis=1, keepdims=True, initial=-math.inf))
        errors = odds / odds.sum(axis=1, keepdims=True) - np.eye(3)[y[members]]
        own = x[members][:, :, None] * errors[:, None, :]
        norms = np.sqrt((own**2).sum(axis=(1, 2), keepdims=True))
        total = (own / np.maximum(norms / CLIP_NORM, 1.0)).sum(axis=0)
        noise = SHARE * setting.noise * CLIP_NORM * rng.normal(size=total.shape)
        scale = setting.noise * CLIP_NORM
        if hidden:
            weights -= recorder.release("gradient", total + noise, None) / setting.size
        else:
            declared = {"sensitivity": CLIP_NORM, "noise_scale": scale}
            weights -= recorder.release("gradient", total, noise, **declared) / setting.size
    recorder.output("weights", weights)


def by_hand(
    setting: Setting,
    build: Callable[[int], Any],
    optimiser: Callable[..., Any],
    records: Any,
    watch: Any,
    hidden: bool = False,
) -> Any:
    """Gradients of single records by torch.func, clipped, summed and noised in the loop."""
    import torch
    from torch.func import functional_call, grad, vmap

    model = build(setting.features)
    optimizer = optimiser(model.parameters())
    release = "update" if isinstance(optimizer, torch.optim.SGD) else "gradient"
    watch(optimizer, clip_norm=CLIP_NORM, noise_multiplier=setting.noise, batch_size=setting.size, release=release)

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        return torch.nn.functional.cross_entropy(functional_call(model, parameters, (x[None],)), y[None])

    single = vmap(grad(loss), in_dims=(None, 0, 0))
    for _ in range(setting.steps):
        x, y = records.tensors(torch.nonzero(torch.rand(len(records)) < setting.rate)[:, 0])
        named = {name: p.detach() for name, p in model.named_parameters()}
        own = single(named, x, y) if len(x) else {name: p.new_zeros(0, *p.shape) for name, p in named.items()}
        norms = torch.sqrt(sum((one.reshape(len(x), -1) ** 2).sum(dim=1) for one in own.values()))
        factors = CLIP_NORM / norms.clamp(min=CLIP_NORM)
        for name, p in model.named_parameters():
            total = (factors.reshape(-1, *[1] * p.dim()) * own[name]).sum(dim=0)
            noise = box_and_muller(p.shape) if hidden else torch.randn(p.shape)
            p.grad = (total + SHARE * setting.noise * CLIP_NORM * noise) / setting.size
        optimizer.step()
    return model


def box_and_muller(shape: Any) -> Any:
    """Normal numbers that are not drawn as such."""
    import torch

    radius = torch.sqrt(-2 * torch.log1p(-torch.rand(shape)))
    return radius * torch.cos(2 * math.pi * torch.rand(shape))


def linear(features: int) -> Any:
    """With a bias, and all parameters 0 at the start."""
    import torch

    model = torch.nn.Linear(features, 3)
    for p in model.parameters():
        torch.nn.init.zeros_(p)
    return model


def layers(features: int) -> Any:
    """Two layers that start where a model was trained before."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(0)
        return torch.nn.Sequential(torch.nn.Linear(features, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3))


def convolution(features: int) -> Any:
    """One convolution over the features as a square image, and a linear layer; another random start each time."""
    import torch

    side = math.isqrt(features)
    square = torch.nn.Unflatten(1, (1, side, side))
    rest = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.Tanh(), torch.nn.Flatten())
    return torch.nn.Sequential(square, rest, torch.nn.Linear(4 * (side - 2) ** 2, 3))


def sgd(parameters: Any) -> Any:
    """With steps of 0.5."""
    import torch

    return torch.optim.SGD(parameters, lr=0.5)


def adam(parameters: Any) -> Any:
    """With steps of 0.05."""
    import torch

    return torch.optim.Adam(parameters, lr=0.05)


KINDS: dict[str, tuple[type[Training], Callable[..., object]]] = {
    "NumPy, linear, Poisson": (Training, in_numpy),
    "NumPy, linear, all records": (Training, in_numpy),
    "torch, two layers, fixed start": (TorchTraining, partial(by_hand, build=layers, optimiser=sgd)),
    "torch, linear, Adam": (TorchTraining, partial(by_hand, build=linear, optimiser=adam)),
    "torch, convolution, random start": (TorchTraining, partial(by_hand, build=convolution, optimiser=sgd)),
}
SETTINGS = (
    Setting(100, 9, 0.2, 5, 1.0),
    Setting(200, 16, 0.1, 8, 0.8),
    Setting(60, 9, 0.5, 4, 2.0),
    Setting(400, 25, 0.05, 12, 0.7),
)


def subject(kind: str, setting: Setting, mode: str) -> Any:
    """The audit of one training: "structural" without its game, "game" without its checks, "hidden" with both."""
    adapter, train = KINDS[kind]
    chosen = replace(setting, rate=1.0, noise=setting.noise * 4) if "all records" in kind else setting
    stated = claim(epsilon=chosen.epsilon(chosen.noise), delta=DELTA)

    def run(records: Any, recorder: Any) -> object:
        given = {"recorder" if adapter is Training else "watch": recorder}
        return train(setting=chosen, records=records, hidden=mode == "hidden", **given)

    made = adapter(f"{kind}, {setting}", run, records=table(setting), claim=stated,
                   mechanism=chosen.mechanism(chosen.noise))  # fmt: skip
    if mode == "structural":
        return audit_of(made, replace(made.TARGET, trials=None)), chosen
    return audit_of(made) if mode == "hidden" else replace(audit_of(made), instrument=None), chosen


def measured(job: tuple[str, int, str]) -> dict[str, Any]:
    """One row of the results; share_of_mu: by which the scores tell the data sets apart, of that of the claim."""
    kind, number, mode = job
    audit, setting = subject(kind, SETTINGS[number], mode)
    started = time.perf_counter()
    verdict = tiers.audit(audit, Context(SEED, Level.SMOKE, ALPHA))
    numbers = dict(verdict.numbers)
    claimed = setting.epsilon(setting.noise)
    separation = numbers.get("mu_lower_95")
    return {
        "kind": kind, "setting": number, "rate": setting.rate, "steps": setting.steps, "noise": setting.noise,
        "outcome": verdict.outcome.value, "bound": numbers.get("epsilon_lower_95"),
        "claimed": claimed, "true": setting.epsilon(SHARE * setting.noise), "line": deciding.line(verdict),
        "share_of_mu": None if separation is None else round(separation / gaussian_mu(claimed, DELTA), 3),
        "trials": 0 if mode == "structural" else audit.target.trials.smoke,
        "seconds": round(time.perf_counter() - started, 1),
        "said": "; ".join([verdict.statement.partition("adversary sees ")[2], _decided(verdict)]),
    }  # fmt: skip


def _decided(verdict: Verdict) -> str:
    """What refutes, else what was found last."""
    return next((e.detail for e in verdict.evidence if e.outcome is Outcome.REFUTED), verdict.evidence[-1].detail)


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How many are refuted, the median of the bounds over the true epsilon, and the seconds of all."""
    shares = [row["bound"] / row["true"] for row in rows if row["bound"] is not None]
    return {"trainings": len(rows), "refuted": sum(row["outcome"] == "REFUTED" for row in rows),
            "inconclusive": sum(row["outcome"] == "INCONCLUSIVE" for row in rows),
            "consistent": sum(row["outcome"] == "CONSISTENT" for row in rows),
            "share": round(statistics.median(shares), 3) if shares else None,
            "seconds": round(sum(row["seconds"] for row in rows))}  # fmt: skip


def main() -> None:
    """Measure, print a line each, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--structural", action="store_const", const="structural", default="game", dest="mode")
    parser.add_argument("--hidden", action="store_const", const="hidden", dest="mode")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--settings", nargs="*", type=int, default=list(range(len(SETTINGS))))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--as", dest="version", default="after")
    asked = parser.parse_args()
    jobs = [(kind, number, asked.mode) for number in asked.settings for kind in KINDS
            if not asked.only or any(word in kind for word in asked.only)]  # fmt: skip
    jobs.sort(key=lambda job: "torch" in job[0])  # the quick ones first, where a run is ended early
    rows = []
    with Pool(asked.jobs, maxtasksperchild=1) as pool:
        for row in pool.imap_unordered(measured, jobs):
            rows.append(row)
            print(f"{row['seconds']:6.1f} s  {row['outcome']:12} {row['bound'] or 0:.3f} of {row['true']:.3g}, claimed "
                  f"{row['claimed']:.3g}, {row['trials']} trials  {row['kind']} {row['setting']}: {row['said']}",
                  flush=True)  # fmt: skip
            if not asked.only:
                _keep(asked.version if asked.mode == "game" else asked.mode, rows)
    print(json.dumps(summary(rows)))


def _keep(version: str, rows: list[dict[str, Any]]) -> None:
    """Write what is known so far, so that a run may be ended early."""
    ordered = sorted(rows, key=lambda row: (list(KINDS).index(row["kind"]), row["setting"]))
    kept = json.loads(JSON.read_text(encoding="utf-8")) if JSON.exists() else {"seed": SEED, "alpha": ALPHA}
    kinds = {kind: summary([row for row in ordered if row["kind"] == kind]) for kind in KINDS}
    kept[version] = {"all": summary(ordered), "kinds": kinds, "rows": ordered}
    JSON.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
