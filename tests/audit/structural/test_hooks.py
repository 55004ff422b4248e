"""What hooks of an optimiser keep: a step that is made several times counts once there."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from dpaudit.audit.structural.checks import outputs, sensitivity
from dpaudit.audit.structural.hooks import Kept, hooks_of
from dpaudit.audit.structural.optimisers import observe
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.records.verdict import Outcome

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")


class Hooked(torch.optim.SGD):
    """Noise on the sum of the gradients, then a hook, then the step."""

    step_hook: Any = None

    def step(self, closure: Any = None) -> None:
        for p in self.param_groups[0]["params"]:
            p.summed = p.grad.clone()
            p.grad = p.grad + 0.5 * torch.randn_like(p)
        self.step_hook(self)
        super().step()


def train(data: np.ndarray, recorder: Recorder, broken: bool) -> None:
    """A hook adds a part of a running mean of noisy sums; broken: of sums that have no noise."""
    torch.manual_seed(recorder.seed)
    p = torch.nn.Parameter(torch.zeros(4))
    optimizer = Hooked([p], lr=0.1)
    kept = {"mean": torch.zeros(4)}
    steps = [0]

    def hook(optimizer: Any) -> None:
        own = p.summed if broken else p.grad
        p.grad = p.grad + 0.9 * kept["mean"]
        kept["mean"] = 0.5 * kept["mean"] + own
        steps[0] += 1

    optimizer.step_hook = hook
    with observe(optimizer, recorder, sensitivity=1.0, noise_scale=0.5, release="gradient"):
        for _ in range(4):
            rows = torch.tensor(data[recorder.batch(np.arange(len(data)))], dtype=torch.float32)
            p.grad = torch.nn.functional.normalize(rows + 0.01 * p.detach(), dim=1).sum(dim=0)
            optimizer.step()
    recorder.output("steps", steps[0])
    recorder.output("weights", p.detach().numpy().copy())


def pair(broken: bool) -> tuple[str, Recording, Recording]:
    data = np.eye(4)
    first = Recorder(seed=1)
    train(data, first, broken)
    again = Recorder(first.recording(), np.arange(3), seed=1)
    train(data, again, broken)
    return "removed", first.recording(), again.recording()


@pytest.mark.parametrize("broken", [False, True])
def test_clean_sums_in_a_hook_are_seen_and_noisy_ones_are_not_accused(broken: bool) -> None:
    found = pair(broken)
    assert sensitivity.check([found]).outcome is (Outcome.REFUTED if broken else Outcome.CONSISTENT)
    assert not found[1].processed
    assert dict(found[1].outputs)["steps"] == 4
    if not broken:
        assert outputs.check([found]).outcome is Outcome.CONSISTENT


class Accountant:
    def __init__(self) -> None:
        self.history: list[int] = []
        self.count, self.seen = 0, {1}

    def step(self, optimizer: Any) -> None:
        self.count += 1
        self.history.append(self.count)
        self.seen.add(self.count)


def counting() -> Any:
    count, values = 0, np.zeros(2)

    def hook(optimizer: Any) -> int:
        nonlocal count
        count += 1
        values[0] += 1
        return count + int(values[0])

    return hook


def test_objects_variables_and_arguments_are_put_back_in_place() -> None:
    accountant, hook, listed = Accountant(), counting(), [torch.zeros(1)]

    def given(optimizer: Any, places: list[torch.Tensor]) -> None:
        places[0] += 1

    kept = Kept([accountant.step, hook, partial(given, places=listed)])
    for _ in range(2):
        accountant.step(None)
        assert hook(None) == 2
        given(None, listed)
        kept.restore()
        assert (accountant.count, accountant.history, accountant.seen) == (0, [], {1})
        assert listed[0] == 0


def test_models_and_optimisers_are_left_alone() -> None:
    model = torch.nn.Linear(1, 1, bias=False)
    optimizer = Hooked(model.parameters(), lr=0.1)

    def hook(optimizer: Any) -> Any:
        return model

    optimizer.step_hook = hook
    optimizer.register_step_pre_hook(lambda *_: None)
    assert len(hooks_of(optimizer)) == 2
    kept = Kept(hooks_of(optimizer))
    model.weight.data.fill_(7.0)
    kept.restore()
    assert model.weight.item() == 7.0
