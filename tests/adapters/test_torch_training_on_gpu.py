"""Trainings whose model, gradients and noise live on a GPU, where there is one: seen and judged as on the CPU."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch_trainings import (
    BATCH,
    CLAIM,
    CLIP,
    MECHANISM,
    NOISE,
    STEPS,
    clipped_sum,
    consistent,
    drawn,
    examined,
    labelled,
    refuted,
)

from dpaudit.adapters.torch_recording import Place
from dpaudit.adapters.torch_training import NOTES, TorchTraining
from dpaudit.noise.tensors import why_unavailable

pytestmark = [
    pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread"),
    pytest.mark.skipif(bool(why_unavailable("cuda")), reason="needs a GPU that torch can use"),
]


def on_gpu(records: Any, watch: Any, bug: str = "", generator: bool = False, dropout: float = 0.0) -> Any:
    """A loop that adds noise on the GPU; the ids of a batch are drawn on the CPU, as samplers of torch do."""
    weights = torch.nn.Parameter(torch.zeros(5, device="cuda"))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    own = {"generator": torch.Generator("cuda").manual_seed(int(torch.randint(2**31, ())))} if generator else {}
    kept = None
    for _ in range(STEPS):
        inputs, labels = (one.to("cuda") for one in records.tensors(drawn(records)))
        if dropout:
            inputs = torch.nn.functional.dropout(inputs, dropout)
        scale = NOISE * CLIP * (0.3 if bug == "little noise" else 1.0)
        noise = scale * torch.randn(5, device="cuda", **own)
        kept = noise if kept is None or bug != "reused noise" else kept
        weights.grad = (clipped_sum(inputs, labels, weights.detach()) + kept) / BATCH
        kept = kept if bug == "reused noise" else None
        optimizer.step()
    return {"weights": weights}


def test_the_noise_on_a_gpu_is_seen() -> None:
    audit = TorchTraining("mine/gpu", on_gpu, records=labelled(), claim=CLAIM, mechanism=MECHANISM, trials=None)
    audit.first_neighbours(np.random.default_rng(1))
    assert NOTES[Place.BEFORE_STEP] in audit.notes()


@pytest.mark.parametrize("options", [{}, {"generator": True}, {"dropout": 0.3}], ids=["plain", "generator", "dropout"])
def test_a_correct_training_on_a_gpu_is_not_refuted(options: dict[str, Any]) -> None:
    found = examined(partial(on_gpu, **options))
    assert not refuted(found)
    assert {"sensitivity", "noise scale", "fresh noise", "un-noised outputs"} <= consistent(found)


@pytest.mark.parametrize("bug", ["little noise", "reused noise"])
def test_a_planted_bug_on_a_gpu_is_refuted(bug: str) -> None:
    assert refuted(examined(partial(on_gpu, bug=bug))).keys() & {"noise scale", "noise law", "fresh noise"}
