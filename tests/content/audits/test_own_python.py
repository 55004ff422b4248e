"""What a worker of a library with a Python of its own answers, and where its files lie."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_python import FOLDER

from dpaudit.content.loading import load_module

ANSWERS = load_module(FOLDER / "_shared" / "_answers.py")


def test_each_line_is_answered_by_the_data_and_the_seed_that_it_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, value in (("one", 1.0), ("two", 2.0)):
        np.savez(tmp_path / f"{name}.npz", value=np.array([value]))
    asked = [("one", 5), ("two", 5), ("one", 5 << 32), ("one", 5)]
    lines = [json.dumps({"data": str(tmp_path / f"{name}.npz"), "seed": seed}) for name, seed in asked]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))

    def release(rng: Any, value: Any) -> Any:
        value *= 10  # a release may change its arrays: the next one has them as they were
        return value + rng.normal()

    ANSWERS.answer(release)
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    noise = [np.random.RandomState([seed & 0xFFFFFFFF, seed >> 32]).normal() for _, seed in asked]
    assert found == [[10 + noise[0]], [20 + noise[1]], [10 + noise[2]], [10 + noise[3]]]
    assert noise[0] != noise[2]
