"""Normal draws of a training with Opacus beside the noise that Opacus adds."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
from opacus_trainings import ZERO_OUT, needs_opacus, private
from torch_trainings import NOISE, consistent, examined, refuted

from dpaudit.records.verdict import Outcome

pytestmark = [pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread"), needs_opacus]


def compressed(records: Any, watch: Any, leak: str = "", noise_multiplier: float = NOISE) -> Any:
    """The gradient of each record goes through a public sketch; then Opacus clips it and adds noise."""
    model, optimizer, loader = private(records, noise_multiplier)
    if leak == "before the noise":
        optimizer.clip_and_accumulate = partial(clipped_with_a_leak, optimizer, optimizer.clip_and_accumulate)
    if leak == "after the noise":
        optimizer.attach_step_hook(lambda done: [add_leak(p, p.grad) for p in done.params])
    watch(optimizer)
    for inputs, labels in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(inputs), labels).backward()
        for p in model.parameters():
            own = p.grad_sample.flatten(1)
            sketch = torch.randn(3, own.shape[1])
            p.grad_sample = (own @ sketch.T @ sketch).view_as(p.grad_sample)
        optimizer.step()
    return model


def clipped_with_a_leak(optimizer: Any, clip: Any) -> None:
    clip()
    for p in optimizer.params:
        add_leak(p, p.summed_grad)


def add_leak(p: Any, gradient: Any) -> None:
    """A private number times a normal draw, which looks like noise and is none that anybody declared."""
    gradient += p.grad_sample.flatten(1).norm(dim=1).sum() * torch.randn(p.shape)


def test_a_public_sketch_is_consistent() -> None:
    findings = examined(compressed, ZERO_OUT)
    assert [one for one in findings if one.outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE)] == []
    assert consistent(findings) >= {"sensitivity", "noise scale", "noise law", "accountant", "released values"}


def test_a_public_sketch_with_little_noise_is_refuted() -> None:
    assert set(refuted(examined(partial(compressed, noise_multiplier=0.3 * NOISE), ZERO_OUT))) == {"accountant"}


def test_a_leak_times_a_normal_draw_is_refuted() -> None:
    found = refuted(examined(partial(compressed, leak="before the noise"), ZERO_OUT))
    assert {"sensitivity", "accountant"} <= set(found)


def test_a_leak_in_a_hook_after_the_noise_is_no_silence() -> None:
    findings = examined(partial(compressed, leak="after the noise"), ZERO_OUT)
    unclear = {one.check: one.detail for one in findings if one.outcome is Outcome.INCONCLUSIVE}
    assert "are no sum of statistic and noise" in unclear["sensitivity"]
    assert not {"sensitivity", "noise scale"} & consistent(findings)
