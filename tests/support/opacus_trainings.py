"""Small trainings that Opacus makes private."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest
import torch
from torch_trainings import BATCH, CLIP, NOISE

from dpaudit.records.privacy import Neighbours, claim

needs_opacus = pytest.mark.skipif(importlib.util.find_spec("opacus") is None, reason="Opacus is not installed")
ZERO_OUT = claim(epsilon=2.3, delta=1e-5, neighbours=Neighbours.ZERO_OUT)
"""The relation of Opacus: the size of the data set is public."""


def private(records: Any, noise_multiplier: float = NOISE, outputs: int = 2) -> Any:
    """A model, its optimiser and its loader, made private by Opacus."""
    from opacus import PrivacyEngine

    model = torch.nn.Linear(5, outputs)
    for parameter in model.parameters():
        torch.nn.init.zeros_(parameter)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=int(BATCH))
    return PrivacyEngine().make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=noise_multiplier, max_grad_norm=CLIP
    )
