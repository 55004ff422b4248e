"""Targets that use global random state, or whose trials cannot be played again."""

from __future__ import annotations

import os
import random
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.audit import conduct, tiers
from dpaudit.audit.game import play
from dpaudit.audit.randomness import frozen
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

TRIALS = Trials(Stream(1, "test"), np.arange(10, 18))
CONTEXT = Context(seed=7, level=Level.SMOKE, alpha=1e-3)


def carrier(run: Callable[[Any, Trials], Any]) -> Any:
    return types.SimpleNamespace(
        run=run, neighbours=lambda rng: (1.0, 0.0), score=lambda outputs, data, neighbour: outputs
    )


def seeded(data: float, trials: Trials) -> Any:
    return np.array([np.random.default_rng(seed).normal(data) for seed in trials.seeds()])


def verdict_of(run: Callable[[Any, Trials], Any], trials: int = 200, **changes: Any) -> Any:
    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.REPLACE_ONE, delta=1e-5, source="the test")
    plan = TrialPlan(trials, trials, trials)
    target = Target("test/conduct", "A normal", View.TRANSCRIPT, claim, plan, **changes)
    return tiers.audit(audit_of(carrier(run), target), CONTEXT)


def with_python(data: float, trials: Trials) -> Any:
    return np.array([random.gauss(data, 1) for _ in trials.numbers])


def with_numpy(data: float, trials: Trials) -> Any:
    return np.random.normal(data, size=len(trials))


def seeding_numpy(data: float, trials: Trials) -> Any:
    np.random.seed(3)
    return seeded(data, trials)


def with_torch(data: float, trials: Trials) -> Any:
    import torch

    return data + torch.randn(len(trials)).numpy()


@pytest.mark.parametrize(
    ("run", "name"),
    [(with_python, "random"), (with_numpy, "numpy.random"), (seeding_numpy, "numpy.random"), (with_torch, "torch")],
)
def test_global_random_state_is_refused(run: Callable[..., Any], name: str) -> None:
    pytest.importorskip("torch")
    with frozen(1), pytest.raises(ContentError, match=f"the global state of {name}: draw from trials.stream"):
        conduct.play(carrier(run), 1.0, TRIALS)


@pytest.mark.parametrize(
    ("draw", "times", "made"), [(random.random, 1, 2), (random.random, 4, 5), (np.random.random, 1, 1)]
)
def test_beside_the_threads_of_a_cluster_some_draws_of_theirs_are_excused(
    draw: Callable[[], Any], times: int, made: int
) -> None:
    calls: list[str] = []

    def run(data: float, trials: Trials) -> Any:
        calls.append("run")
        if len(calls) <= times:
            draw()
        return seeded(data, trials)

    said: list[str] = []

    def work() -> None:
        try:
            conduct.play(carrier(run), 1.0, TRIALS)
        except ContentError as error:
            said.append(str(error))

    with frozen(1):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join(timeout=60)
    assert (len(calls), bool(said)) == (made, made == 1)


def test_on_a_thread_too_a_run_that_always_draws_is_refused() -> None:
    said: list[str] = []

    def work() -> None:
        try:
            conduct.play(carrier(with_python), 1.0, TRIALS)
        except ContentError as error:
            said.append(str(error))

    with frozen(1):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join(timeout=60)
    assert "the global state of random" in said[0]


def test_a_package_may_draw_while_it_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "draws_on_import.py").write_text("import random\nrandom.random()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def run(data: float, trials: Trials) -> Any:
        import draws_on_import  # noqa: F401

        return data + trials.stream.normals(trials.numbers, 0, 1)[:, 0]

    assert len(conduct.undisturbed(run, 0.0, TRIALS)) == len(TRIALS)


def test_a_run_that_puts_global_state_back_passes() -> None:
    def run(data: float, trials: Trials) -> Any:
        rows = []
        for seed in trials.seeds():
            with frozen(int(seed)):
                rows.append(np.random.normal(data))
        return np.array(rows)

    found = conduct.play(carrier(run), 1.0, TRIALS)
    conduct.check_repeats(carrier(run), 1.0, TRIALS, found)
    assert len(set(found)) == len(TRIALS)


def of_the_system(data: float, trials: Trials) -> Any:
    return data + np.frombuffer(os.urandom(8 * len(trials)), dtype=np.uint64) / 2.0**64


def of_the_batch(data: float, trials: Trials) -> Any:
    return np.random.default_rng(trials.seeds()[0]).normal(data, size=len(trials))


def of_no_seed(data: float, trials: Trials) -> Any:
    return np.random.default_rng().normal(data, size=len(trials))


@pytest.mark.parametrize("run", [of_the_system, of_the_batch, of_no_seed])
def test_trials_that_cannot_be_played_again(run: Callable[..., Any]) -> None:
    found = conduct.play(carrier(run), 1.0, TRIALS)
    with pytest.raises(ContentError, match=r"gives trial 1[0-2] the value \S+ and, played again in another batch, "):
        conduct.check_repeats(carrier(run), 1.0, TRIALS, found)


def test_the_error_names_the_trial_and_both_values() -> None:
    def run(data: float, trials: Trials) -> Any:
        return np.array([[5.0, number + len(trials)] for number in trials.numbers])

    found = conduct.play(carrier(run), 1.0, TRIALS)
    with pytest.raises(ContentError, match=r"trial 12 the value 20\.0 and, played again in another batch, 15\.0"):
        conduct.check_repeats(carrier(run), 1.0, TRIALS, found)


def test_shapes_that_hang_on_the_batch() -> None:
    def run(data: float, trials: Trials) -> Any:
        return np.zeros((len(trials), len(trials)))

    with pytest.raises(ContentError, match=r"shape \(8,\) and, played again, \(3,\)"):
        conduct.check_repeats(carrier(run), 1.0, TRIALS, conduct.play(carrier(run), 1.0, TRIALS))


def test_rounding_and_infinities_pass() -> None:
    def run(data: float, trials: Trials) -> Any:
        values = np.outer(trials.numbers, [1.0, 1e-9]).astype(np.float32) * (1 + 1e-6 * len(trials))
        return np.concatenate([values, np.full((len(trials), 1), np.inf, np.float32)], axis=1)

    conduct.check_repeats(carrier(run), 1.0, TRIALS, conduct.play(carrier(run), 1.0, TRIALS))


def test_audits_turn_it_into_an_error_unless_the_target_says_so() -> None:
    refused = verdict_of(of_the_system)
    assert refused.outcome is Outcome.ERROR
    assert "say deterministic=False" in refused.evidence[0].detail
    assert verdict_of(of_the_system, deterministic=False).outcome is not Outcome.ERROR
    assert verdict_of(seeded).outcome is not Outcome.ERROR
    with frozen(1):
        assert "global state of numpy.random" in verdict_of(with_numpy, deterministic=False).evidence[0].detail


def test_each_side_is_played_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "CHUNK", 64)
    played: list[tuple[float, list[int]]] = []

    def run(data: float, trials: Trials) -> Any:
        played.append((data, trials.numbers.tolist()))
        return seeded(data, trials)

    verdict_of(run)
    again = [(data, numbers) for data, numbers in played if numbers == [2, 1, 0]]
    assert again == [(1.0, [2, 1, 0]), (0.0, [2, 1, 0])]
    assert sum(len(numbers) for _, numbers in played) == 2 * (200 + conduct.REPLAYED)
