"""Devices: an absent one is NOT_RUN with the reason; the check of the noise finds a single wrong bit."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from dpaudit.cli import device
from dpaudit.noise import tensors
from dpaudit.noise.stream import Stream
from dpaudit.records.errors import ConfigurationError, install_line
from dpaudit.records.verdict import Outcome


def test_the_cpu_is_usable_and_has_the_same_bits() -> None:
    found = device.check_noise("cpu", seed=1, count=100_000)
    assert device.usable("cpu")
    assert (found.outcome, dict(found.numbers)) == (Outcome.CONSISTENT, {"compared": 100_000, "different": 0})


def test_cuda_is_compared_where_it_is_and_not_run_where_it_is_not() -> None:
    found = device.check_noise("cuda", seed=1)
    if device.usable("cuda"):
        assert found.outcome is Outcome.CONSISTENT, found.detail
    else:
        assert found.outcome is Outcome.NOT_RUN
        assert "torch cannot use the device 'cuda'" in found.detail


def test_a_made_up_device_is_refused_with_the_remedy() -> None:
    assert "'banana'" in tensors.why_unavailable("banana")
    with pytest.raises(ConfigurationError, match="use device='cpu'"):
        Stream(1, "x").torch_normals([0], 0, 1, device="banana")


def test_one_wrong_bit_is_refuted_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    right = tensors.normals

    def wrong(key: tuple[int, int], trials: Any, step: int, count: int, where: str) -> Any:
        draws = right(key, trials, step, count, where)
        draws[7, 4] = float(np.nextafter(float(draws[7, 4]), 9))
        return draws

    monkeypatch.setattr(tensors, "normals", wrong)
    found = device.check_noise("cpu", seed=1, count=5_000)
    assert found.outcome is Outcome.REFUTED
    assert f"first: trial {7 * 4_294_967_311}, step 3, index 4" in found.detail
    assert dict(found.numbers)["different"] == 1


def test_without_torch_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    found = device.check_noise("cpu", seed=1)
    assert (found.outcome, found.detail) == (
        Outcome.NOT_RUN,
        f"torch is not installed; run: {install_line('torch')}",
    )
