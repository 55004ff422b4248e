"""Replays on data sets far from the recorded one, and the neighbours on the way there."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from dpaudit.audit.structural.data_sets import different
from dpaudit.audit.structural.examine import examine
from dpaudit.audit.structural.far import REPLAYS, Far, exchanged, far_data, far_pairs, told_apart
from dpaudit.audit.structural.finding import Finding, Pair
from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.structural.training import Training
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.privacy import Neighbours, claim
from dpaudit.records.verdict import Outcome

FEATURES, LABELS = np.random.default_rng(0).normal(size=(12, 3)) + 2.0, np.arange(12) % 2
DATA = (FEATURES, LABELS)
STEPS = 4


def steps(data: Any, recorder: Recorder, rule: Callable[[Any], bool] = lambda x: True) -> None:
    """The mean of the records in every step; `rule` of the features says whether there is another one."""
    x, _ = data
    rng = np.random.default_rng(recorder.seed)
    total = (x / np.maximum(np.linalg.norm(np.nan_to_num(x), axis=1, keepdims=True), 1.0)).sum(axis=0)
    for _ in range(STEPS):
        if not rule(x):
            break
        recorder.release("mean", np.nan_to_num(total), rng.normal(size=3), sensitivity=2.0, noise_scale=1.0)


def bound(data: Any, recorder: Recorder, rule: Callable[[Any], float]) -> None:
    recorder.public("bound", rule(data[0]))
    steps(data, recorder)


def mean_norm(x: Any) -> float:
    return float(np.linalg.norm(x.mean(axis=0)))


STOPS: dict[str, Callable[..., Any]] = {
    "while the mean is long": partial(steps, rule=lambda x: mean_norm(x) > 1.0),
    "while the mean is short": partial(steps, rule=lambda x: mean_norm(x) < 20.0),
    "while records differ": partial(steps, rule=lambda x: np.median(x.std(axis=0)) > 0.2),
}
BOUNDS: dict[str, Callable[..., Any]] = {
    "rounded up": partial(bound, rule=lambda x: float(2.0 ** np.ceil(np.log2(mean_norm(x) + 1)))),
    "one of two": partial(bound, rule=lambda x: 1.0 if np.abs(x).max() < 30 else 2.0),
}


def found(
    train: Any, relation: Neighbours = Neighbours.ADD_OR_REMOVE, data: Any = DATA, listed: Any = ()
) -> dict[str, Finding]:
    findings = examine(
        train, data, listed, claim(mu=2.0, neighbours=relation), seed=3, alpha=1e-6,
        assumptions=Assumptions(shared_generators=True, checked_records=True),
    )  # fmt: skip
    return {one.check: one for one in findings}


def apart(found: Far) -> list[Pair]:
    """Neighbours that something tells apart, open ones too."""
    return [*found.open, *(pair for pair in found.pairs if told_apart(*pair[1:]))]


def refuted(findings: dict[str, Finding]) -> set[str]:
    return {name for name, one in findings.items() if one.outcome is Outcome.REFUTED}


def test_far_data_have_as_many_records_with_their_labels() -> None:
    made = dict(far_data(DATA))
    for way in ("blank", "10 times as far out", "like the first one"):
        features, labels = made[way]
        assert features.shape == FEATURES.shape
        assert np.array_equal(labels, LABELS)
    assert not made["blank"][0].any()
    assert (made["like the first one"][0] == FEATURES[0]).all()
    assert np.array_equal(made["10 times as far out"][0], 10 * FEATURES)


def test_far_data_with_other_labels_keep_a_record_of_each() -> None:
    made = dict(far_data(DATA))
    assert np.array_equal(made["with the next label"][1], 1 - LABELS)
    for number in (0, 1):
        features, labels = made[f"like record {number}, its label too"]
        assert np.array_equal(features[:2], FEATURES[:2])
        assert (features[2:] == FEATURES[number]).all()
        assert labels.tolist() == [0, 1, *[number] * 10]


def test_without_labels_all_records_are_like_one_of_two() -> None:
    made = dict(far_data(FEATURES))
    assert list(made) == ["blank", "10 times as far out", "like the first one", "like record 6, its label too"]
    assert (made["like record 6, its label too"] == FEATURES[6]).all()


def test_words_are_no_numbers_to_be_scaled() -> None:
    words = np.arange(24).reshape(12, 2)
    made = dict(far_data((words, LABELS)))
    assert not {"blank", "10 times as far out"} & set(made)
    changed, labels = made["like the first one"]
    assert (changed == words[0]).all()
    assert np.array_equal(labels, LABELS)
    assert far_data((np.tile(words[:1], (12, 1)), np.zeros(12))) == [], "nothing is changed"


def test_records_are_exchanged_from_the_first_one_on() -> None:
    far = dict(far_data(DATA))["blank"]
    features, labels = exchanged(DATA, far, 5)
    assert not features[:5].any()
    assert np.array_equal(features[5:], FEATURES[5:])
    assert np.array_equal(labels, LABELS)
    assert np.array_equal(exchanged(FEATURES, far[0], 5), features)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("train", [*STOPS.values(), *BOUNDS.values()], ids=[*STOPS, *BOUNDS])
def test_the_neighbours_differ_in_one_record_and_in_what_everybody_sees(train: Any) -> None:
    training = Training(train, seed=1, sampled=False)
    recorded, _ = training.record(DATA)
    found = far_pairs([(training, recorded)], DATA)
    crossed = [label for label, _, _ in apart(found)]
    assert crossed
    assert not found.refused
    assert not found.open
    for label in crossed:
        said = re.fullmatch(r"the first (\d+) records (.*), on the neighbour (\d+)", label)
        assert said is not None
        near, there = (exchanged(DATA, dict(far_data(DATA))[said[2]], int(said[place])) for place in (1, 3))
        assert different(near, there) == int(said[1])
        assert told_apart(recorded, training.replay(recorded, near)) is None
        assert told_apart(recorded, training.replay(recorded, there)) is not None


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("relation", [Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE, Neighbours.ZERO_OUT])
@pytest.mark.parametrize("name", STOPS)
def test_a_stop_that_no_single_record_reaches_is_refuted(name: str, relation: Neighbours) -> None:
    emptied = FEATURES.copy()
    emptied[-1] = 0.0
    listed = [(relation, (emptied, LABELS))] if relation is Neighbours.ZERO_OUT else []
    findings = found(STOPS[name], relation, listed=listed)
    assert refuted(findings) == {"noisy calls"}
    assert "records" in findings["noisy calls"].detail


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_that_no_single_record_changes_is_refuted(name: str) -> None:
    findings = found(BOUNDS[name])
    assert refuted(findings) == {"public values"}
    assert "on the neighbour bound = " in findings["public values"].detail


@pytest.mark.parametrize("data", [DATA, FEATURES], ids=["labels", "features"])
def test_a_training_that_looks_at_nothing_is_consistent(data: Any) -> None:
    def train(data: Any, recorder: Recorder) -> None:
        bound(data if isinstance(data, tuple) else (data, None), recorder, lambda x: 1.0)

    findings = found(train, data=data)
    assert not refuted(findings)
    assert findings["noisy calls"].outcome is findings["public values"].outcome is Outcome.CONSISTENT


def test_noise_that_is_drawn_anew_changes_nothing() -> None:
    """A private number of draws before the noise: the replay on far data has other noise, and the same calls."""

    def train(data: Any, recorder: Recorder) -> None:
        np.random.random(int(np.abs(data[0]).sum()))
        total = np.nan_to_num(data[0]).clip(-0.5, 0.5).sum(axis=0)
        recorder.release("sum", total, np.random.normal(size=3), sensitivity=1.0, noise_scale=1.0)

    assert not refuted(found(train))


def test_data_that_the_training_refuses_are_told_of() -> None:
    def train(data: Any, recorder: Recorder) -> None:
        if len(np.unique(data[0].round(9), axis=0)) == 1:
            raise ValueError("all records are equal")
        steps(data, recorder)

    findings = found(train)
    assert not refuted(findings)
    told = "; refused: all records blank (ValueError), all records like the first one (ValueError)"
    assert findings["noisy calls"].detail.endswith(told)


MANY = np.random.default_rng(1).normal(size=(80, 3)) + 1.0, np.arange(80) % 2
"""Of so many records one hardly moves a mean."""


def learnt(data: Any, recorder: Recorder, choose: Callable[..., Any], start: float = 0.0) -> None:
    """A linear model that learns the labels in a few steps; `choose` of the losses of all steps says which leaves."""
    x, y = np.nan_to_num(data[0]).clip(-9, 9), np.where(data[1] > 0, 1.0, -1.0)
    rng = np.random.default_rng(recorder.seed)
    weights, kept, losses = start * rng.normal(size=3), [], []
    for _ in range(STEPS):
        own = x * (y / (1 + np.exp(np.clip(y * (x @ weights), -50, 50))))[:, None]
        total = (own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1.0)).sum(axis=0)
        noise = rng.normal(size=3)
        weights = weights + 0.1 * recorder.release("mean", total, noise, sensitivity=2.0, noise_scale=1.0)
        kept.append(weights)
        losses.append(float(np.log1p(np.exp(-y * (x @ weights))).mean()))
    recorder.output("weights", kept[choose(losses, rng)])


def with_noise(losses: Any, rng: Any) -> int:
    """The loss moves by up to a few hundredths with one record: noise in proportion."""
    return int(np.argmin(np.array(losses) + rng.laplace(scale=0.3, size=len(losses))))


CHOICES: dict[str, Callable[..., int]] = {
    "the last": lambda losses, rng: STEPS - 1,
    "the best": lambda losses, rng: int(np.argmin(losses)),
    "the first good one": lambda losses, rng: next((i for i, one in enumerate(losses) if one < 0.6), STEPS - 1),
}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("start", [0.0, 0.3], ids=["from zero", "from a random start"])
@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_by_losses_of_the_records_is_refuted(name: str, start: float) -> None:
    findings = found(partial(learnt, choose=CHOICES[name], start=start), data=MANY)
    assert refuted(findings) == (set() if name == "the last" else {"un-noised outputs"})
    if name != "the last":
        assert re.search("on the neighbour|removed", findings["un-noised outputs"].detail)


def test_a_choice_with_noise_of_its_own_is_not_refuted() -> None:
    """Nobody told the recorder of the noise, so that it is not known to be there: no verdict, and what to do."""
    findings = found(partial(learnt, choose=with_noise), data=MANY)
    assert not refuted(findings)
    assert findings["un-noised outputs"].outcome is Outcome.INCONCLUSIVE
    assert "recorder.release" in findings["un-noised outputs"].detail


def test_noise_that_is_drawn_before_the_first_step_is_noise_of_a_choice() -> None:
    def train(data: Any, recorder: Recorder) -> None:
        noise = np.random.default_rng([recorder.seed, 1]).laplace(scale=0.3, size=STEPS)
        learnt(data, recorder, lambda losses, rng: int(np.argmin(np.array(losses) + noise)))

    assert not refuted(found(train, data=MANY))


def with_a_count(data: Any, recorder: Recorder, train: Any, noisy: bool = True) -> None:
    train(data, recorder)
    noise = np.random.default_rng([recorder.seed, 2]).laplace(scale=3.0)
    recorder.output("count", float((np.nan_to_num(data[0]) > 2).sum()) + (noise if noisy else 0.0))


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", [*STOPS, *BOUNDS])
def test_a_noisy_count_of_which_nobody_told_hides_no_stop_and_no_bound(name: str) -> None:
    findings = found(partial(with_a_count, train=(STOPS | BOUNDS)[name]))
    assert refuted(findings) == {"noisy calls" if name in STOPS else "public values"}
    assert findings["un-noised outputs"].outcome is Outcome.INCONCLUSIVE


def test_neighbours_are_told_apart_by_a_stop_though_outputs_differ_before() -> None:
    training = Training(partial(with_a_count, train=STOPS["while the mean is long"]), seed=1, sampled=False)
    found = far_pairs([(training, training.record(DATA)[0])], DATA)
    stopped = [pair for pair in found.pairs if len(pair[1].releases) != len(pair[2].releases)]
    assert stopped
    assert {label for label, _, _ in found.open}.isdisjoint(label for label, _, _ in stopped)
    for _, one, other in stopped:
        assert one.outputs == other.outputs, "what draws change is not held against it"


def test_later_trainings_are_tried_while_replays_are_left() -> None:
    """The data sets hang on nothing that was drawn; only in the second training is there anything to decide."""
    made: list[int] = []

    def train(data: Any, recorder: Recorder) -> None:
        made.append(recorder.seed)
        steps(data, recorder, lambda x: recorder.seed == 1 or mean_norm(x) > 1.0)

    paths = []
    for seed in (1, 2):
        training = Training(train, seed=seed, sampled=False)
        paths.append((training, training.record(DATA)[0]))
    made.clear()
    found = far_pairs(paths, DATA)
    assert apart(found)
    assert all(label.endswith(", in training 2") for label, _, _ in apart(found))
    assert made.count(1) == len(far_data(DATA))
    made.clear()
    assert not apart(far_pairs(paths[:1] * 9, DATA))
    assert len(made) == REPLAYS
