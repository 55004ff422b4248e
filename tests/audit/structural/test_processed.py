"""What was done after the noise was added: which refutations it explains, and which it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit import claim
from dpaudit.audit.structural.examine import examine
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.verdict import Outcome

STEPS, WIDTH, NOISE = 20, 30, 2.0
RECORDS = np.random.default_rng(0).normal(size=(20, WIDTH))
EVEN = np.arange(WIDTH) % 2 == 0
Way = Callable[[list[np.ndarray]], np.ndarray]


def last(steps: list[np.ndarray]) -> np.ndarray:
    return steps[-1]


def even(steps: list[np.ndarray]) -> np.ndarray:
    return steps[-1] * EVEN


def mean_of_two(steps: list[np.ndarray]) -> np.ndarray:
    return sum(steps[-2:]) / 2


def training(of_sums: Way = last, of_noise: Way = last, inferred: bool = True, processed: bool = False) -> Any:
    """Sums of clipped records and noise, and what is made of each over the steps."""

    def train(records: np.ndarray, recorder: Recorder) -> None:
        rng, sums, noises = np.random.default_rng(recorder.seed), [], []
        if inferred:
            recorder.inferred([("sum", step) for step in range(STEPS) if processed])
        for _ in range(STEPS):
            own = records[recorder.batch(np.arange(len(records)))]
            sums.append((own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1.0)).sum(axis=0))
            noises.append(rng.normal(0.0, NOISE, WIDTH))
            recorder.release("sum", of_sums(sums), of_noise(noises), sensitivity=1.0, noise_scale=NOISE)

    return train


def outcomes(train: Any) -> dict[str, tuple[Outcome, str]]:
    """Of the checks that do not hold, with their details."""
    found = examine(train, RECORDS, [], claim(mu=STEPS**0.5 / NOISE), seed=1, alpha=1e-6)
    wrong = (Outcome.REFUTED, Outcome.INCONCLUSIVE)
    return {
        one.check: (one.outcome, one.detail) for one in found if one.outcome in wrong and one.check != "bad records"
    }


def of(found: dict[str, tuple[Outcome, str]], outcome: Outcome) -> set[str]:
    return {check for check, (own, _) in found.items() if own is outcome}


def test_a_sum_of_statistic_and_noise_needs_no_explanation() -> None:
    assert outcomes(training()) == {}


@pytest.mark.parametrize(
    ("way", "words"),
    [(even, "300 coordinates hold neither noise nor statistic"), (mean_of_two, "averaged or filtered")],
)
def test_noise_that_is_not_as_declared_is_explained_by_what_was_done_after_it(way: Way, words: str) -> None:
    found = outcomes(training(way, way))
    assert of(found, Outcome.REFUTED) == set()
    assert of(found, Outcome.INCONCLUSIVE) >= {"noise scale", "noise law"}
    assert words in found["noise scale"][1]


@pytest.mark.parametrize("way", [even, mean_of_two])
def test_a_training_that_says_itself_what_its_noise_is_has_no_explanation(way: Way) -> None:
    found = outcomes(training(way, way, inferred=False))
    assert of(found, Outcome.REFUTED) >= {"noise scale"}
    assert of(found, Outcome.INCONCLUSIVE) == set()


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("of_sums", "of_noise"),
    [
        (last, even),  # the other coordinates have no noise
        (last, mean_of_two),  # noise that is used twice
        (last, lambda steps: steps[-1] / 2),
        (even, lambda steps: even(steps) / 2),
        (mean_of_two, lambda steps: steps[-1] / 2),
    ],
)
def test_noise_that_is_less_than_its_statistic_needs_is_refuted(of_sums: Way, of_noise: Way) -> None:
    assert of(outcomes(training(of_sums, of_noise)), Outcome.REFUTED) >= {"noise scale"}


def times(factor: float) -> Way:
    return lambda steps: factor * steps[-1]


@pytest.mark.parametrize(("of_sums", "of_noise"), [(0.3, 0.3), (3.0, 3.0), (1.0, 2.0), (0.45, 0.5)])
def test_noise_that_no_record_moves_by_more_of_than_is_declared_is_explained(of_sums: float, of_noise: float) -> None:
    found = outcomes(training(times(of_sums), times(of_noise)))
    assert of(found, Outcome.REFUTED) == set()
    assert of(found, Outcome.INCONCLUSIVE) >= {"noise scale", "noise law"}
    assert "by more of its noise than is declared, as where gradients are scaled" in found["noise scale"][1]


@pytest.mark.parametrize(("of_sums", "of_noise"), [(1.0, 0.8), (0.6, 0.5), (3.0, 2.0)])
def test_a_scale_explains_no_noise_that_records_move_by_more_of(of_sums: float, of_noise: float) -> None:
    found = outcomes(training(times(of_sums), times(of_noise)))
    assert of(found, Outcome.REFUTED) >= {"noise scale"}
    assert of(found, Outcome.INCONCLUSIVE) == set()


@pytest.mark.parametrize("unclear", [True, False])
def test_a_scale_that_may_hang_on_the_records_explains_nothing(unclear: bool) -> None:
    def train(records: np.ndarray, recorder: Recorder) -> None:
        if unclear:
            recorder.unclear("a number that may differ")
        training(times(0.3), times(0.3 if unclear else 0.3 + 0.001 * len(records)))(records, recorder)

    assert of(outcomes(train), Outcome.REFUTED) >= {"noise scale"}


def test_noise_as_declared_explains_no_sensitivity() -> None:
    """What its noise may be at most would allow it."""
    assert of(outcomes(training(times(1.02))), Outcome.REFUTED) == {"sensitivity"}


def test_a_release_that_is_no_sum_explains_its_sensitivity_too() -> None:
    found = outcomes(training(lambda steps: 3 * steps[-1], processed=True))
    assert of(found, Outcome.REFUTED) == set()
    assert "but 20 releases are no sum of statistic and noise" in found["sensitivity"][1]
    assert "to settle it: audit with Training" in found["sensitivity"][1]


def test_releases_that_are_no_sum_do_not_explain_others() -> None:
    def train(records: np.ndarray, recorder: Recorder) -> None:
        training(lambda steps: 3 * steps[-1])(records, recorder)
        recorder.inferred([("sum", 3)])

    assert "sensitivity" in of(outcomes(train), Outcome.REFUTED)


def test_marked_releases_are_kept() -> None:
    recorder = Recorder()
    assert not recorder.recording().inferred
    for processed in ([], [("sum", 1)], [], [("sum", 2)]):
        recorder.inferred(processed)
    assert recorder.recording().inferred
    assert recorder.recording().processed == {("sum", 1), ("sum", 2)}
    recorder.release("sum", 1.0, None)
    assert recorder.last("sum") == ("sum", 0)
    assert Recorder(recorder.recording()).replays
    assert not recorder.replays
