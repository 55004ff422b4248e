"""What an optimiser keeps in its state: released with a checkpoint, unless the training says that it is withheld."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
from torch_trainings import BATCH, CLAIM, CLIP, NOISE, STEPS, clipped_sum, drawn, examined, labelled, refuted

from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.errors import ConfigurationError

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")


class Keeping(torch.optim.Optimizer):
    """Noisy steps; its state holds the sum of the clipped gradients, or their norm, and with `used` a step has a part
    of it."""

    def __init__(self, parameters: Any, number: bool, used: bool) -> None:
        super().__init__(parameters, {"lr": 0.5})
        self.number, self.used = number, used

    @torch.no_grad()
    def step(self) -> None:
        for p in self.param_groups[0]["params"]:
            kept = self.state[p].get("kept", 0.0)
            self.state[p]["kept"] = float(p.grad.norm()) if self.number else p.grad.clone()
            gradient = (p.grad + NOISE * CLIP * torch.randn_like(p)) / BATCH
            p.sub_(0.5 * (gradient + 0.2 * kept / BATCH if self.used else gradient))


def keeping(records: Any, watch: Any, number: bool = False, used: bool = False, **declared: Any) -> Any:
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = Keeping([weights], number, used)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH, **declared)
    for _ in range(STEPS):
        weights.grad = clipped_sum(*records.tensors(drawn(records)), weights.detach())
        optimizer.step()
    return {"weights": weights}


def before_the_step(records: Any, watch: Any, **declared: Any) -> Any:
    """The loop adds the noise and writes into the state of a plain optimiser."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH, **declared)
    for _ in range(STEPS):
        total = clipped_sum(*records.tensors(drawn(records)), weights.detach())
        weights.grad = (total + torch.normal(0.0, NOISE, (5,))) / BATCH
        optimizer.state[weights]["kept"] = total
        optimizer.step()


@pytest.mark.deep
@pytest.mark.parametrize("train", [keeping, partial(keeping, number=True), before_the_step])
def test_clean_values_in_the_state_are_released_with_a_checkpoint(train: Any) -> None:
    found = refuted(examined(train))
    assert set(found) == {"un-noised outputs"}
    assert "output optimiser state kept of parameter 0 changes" in found["un-noised outputs"]
    assert "torch.save(optimizer.state_dict()) writes it" in found["un-noised outputs"]
    assert 'watch(optimizer, state="withheld")' in found["un-noised outputs"]


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("train", [keeping, partial(keeping, number=True), before_the_step])
def test_state_that_is_withheld_is_no_output(train: Any) -> None:
    assert refuted(examined(partial(train, state="withheld"))) == {}


def test_state_that_is_withheld_may_not_move_the_steps() -> None:
    found = refuted(examined(partial(keeping, used=True, state="withheld")))
    assert {"sensitivity", "accountant"} <= set(found)


def test_what_is_withheld_is_said() -> None:
    for declared, said in (({"state": "withheld"}, True), ({}, False)):
        audit = TorchTraining("mine/state", partial(keeping, **declared), records=labelled(), claim=CLAIM, trials=None)
        audit.instrument(labelled(), Recorder(seed=1))
        assert any("state of the optimiser withheld" in note for note in audit.notes()) is said


def test_another_word_for_the_state_is_refused() -> None:
    audit = TorchTraining("mine/state", partial(keeping, state="secret"), records=labelled(), claim=CLAIM, trials=None)
    with pytest.raises(ConfigurationError, match="state"):
        audit.instrument(labelled(), Recorder(seed=1))
