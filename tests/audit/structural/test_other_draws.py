"""What differs on a neighbour refutes only if it does so whatever is drawn."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from dpaudit.audit.structural.examine import examine
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.other_draws import DRAWS, first_sure, seen, sure
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.audit.structural.training import Training
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.privacy import claim
from dpaudit.records.verdict import Outcome

DATA = np.random.default_rng(0).uniform(0.5, 1.0, size=(20, 2))
STEPS = 4
Beside = Callable[[Any, Recorder, Any], None]


def steps(data: Any, recorder: Recorder, beside: Beside) -> None:
    """Sums of the records with noise, and something beside them."""
    rng = np.random.default_rng(recorder.seed)
    for _ in range(STEPS):
        total = np.nan_to_num(data).clip(-1, 1).sum(axis=0)
        recorder.release("sum", total, 2 * rng.normal(size=2), sensitivity=1.5, noise_scale=2.0)
    beside(np.nan_to_num(data).clip(-1, 1), recorder, rng)


def noisy(data: Any, recorder: Recorder, rng: Any) -> None:
    recorder.output("count", data.sum() + rng.laplace(scale=9.0))


def rounded(data: Any, recorder: Recorder, rng: Any) -> None:
    recorder.output("count", float(np.round((data.sum() + rng.geometric(0.2) - rng.geometric(0.2)) / 4)))


def noisy_bound(data: Any, recorder: Recorder, rng: Any) -> None:
    recorder.public("bound", data.sum() + 3 * rng.normal())


def noisy_stop(data: Any, recorder: Recorder, rng: Any) -> None:
    if data.sum() + rng.normal() > DATA.sum() - 0.7:
        recorder.release("more", data.sum(axis=0), rng.normal(size=2), noise_scale=1.0)


def exact(data: Any, recorder: Recorder, rng: Any) -> None:
    """Discrete noise made of whole numbers, as exact samplers do it: a geometric number with a sign."""
    source, number = random.Random(recorder.seed), 0
    while source.randrange(10):
        number += 1
    recorder.output("count", int(data.sum()) + (number if source.randrange(2) else -number))


def clean(data: Any, recorder: Recorder, rng: Any) -> None:
    recorder.output("count", data.sum())


def overflowing(data: Any, recorder: Recorder, rng: Any) -> None:
    """Words of overflows are no exceptions, though the process makes them errors."""
    recorder.output("count", data.sum() + 0 * np.exp(800 + rng.normal()) ** 0)


def of_an_order(data: Any, recorder: Recorder, rng: Any) -> None:
    recorder.output("first", data.sum() * rng.permutation(5)[0])


def of_a_known_seed(data: Any, recorder: Recorder, rng: Any) -> None:
    recorder.output("count", data.sum() + np.random.default_rng(7).normal())


def one_of_two(data: Any, recorder: Recorder, rng: Any) -> None:
    noisy(data, recorder, rng)
    recorder.output("sum", data.sum())


def found(beside: Beside) -> dict[str, Finding]:
    findings = examine(
        partial(steps, beside=beside), DATA, (), claim(mu=4.0), seed=3, alpha=1e-6,
        assumptions=Assumptions(shared_generators=True, checked_records=True),
    )  # fmt: skip
    return {one.check: one for one in findings}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("beside", "check"),
    [(noisy, "un-noised outputs"), (rounded, "un-noised outputs"), (exact, "un-noised outputs"),
     (noisy_bound, "public values"), (noisy_stop, "noisy calls")],
)  # fmt: skip
def test_a_number_with_noise_that_nobody_told_of_is_no_witness(beside: Beside, check: str) -> None:
    findings = found(beside)
    assert not [one for one in findings.values() if one.outcome is Outcome.REFUTED]
    assert findings[check].outcome is Outcome.INCONCLUSIVE
    assert "recorder.release" in findings[check].detail
    assert "watch.release" in findings[check].detail


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("beside", [clean, of_an_order, of_a_known_seed, one_of_two])
def test_a_number_without_noise_is_refuted(beside: Beside) -> None:
    """Also where it hangs on draws that are no noise, and beside one that has noise."""
    findings = found(beside)
    assert {one.check for one in findings.values() if one.outcome is Outcome.REFUTED} == {"un-noised outputs"}
    name = {"of_an_order": "first", "one_of_two": "sum"}.get(beside.__name__, "count")
    assert f"output {name} changes" in findings["un-noised outputs"].detail


@pytest.mark.parametrize("noisy_mean", [True, False], ids=["a noisy mean", "a random start and a clean mean"])
def test_a_noisy_mean_before_the_first_batch_is_no_start(noisy_mean: bool) -> None:
    """Both move the first statistic; what everybody knows of a start hangs on no record."""

    def train(data: Any, recorder: Recorder) -> None:
        rng = np.random.default_rng(recorder.seed)
        drawn, mean = rng.laplace(scale=0.2, size=2), np.nan_to_num(data).clip(-1, 1).mean(axis=0)
        centre = mean + drawn if noisy_mean else drawn
        for _ in range(STEPS):
            batch = np.nan_to_num(data[recorder.batch(np.arange(len(data)))]).clip(-1, 1)
            total = (batch - centre).clip(-1, 1).sum(axis=0)
            recorder.release("sum", total, 2 * rng.normal(size=2), sensitivity=2.0**0.5, noise_scale=2.0)
        recorder.output("centre", centre)
        recorder.output("mean", mean + drawn)

    found = examine(train, DATA, (), claim(mu=4.0), seed=3, alpha=1e-6, assumptions=Assumptions(shared_generators=True))
    outcome = {one.check: one.outcome for one in found}["un-noised outputs"]
    assert outcome is (Outcome.INCONCLUSIVE if noisy_mean else Outcome.REFUTED)


def test_nothing_holds_a_recording_that_is_done_with() -> None:
    first, second = recorded(clean)
    finding = Finding("un-noised outputs", Outcome.REFUTED, "it changes")
    assert first_sure([("removed", first, second)], lambda pair: [(("output", 0), finding)]) is finding
    held = weakref.ref(first)
    del first, second
    gc.collect()
    assert held() is None


def recorded(beside: Beside) -> tuple[Recording, Recording]:
    training = Training(partial(steps, beside=beside), seed=1, sampled=False)
    first, _ = training.record(DATA)
    return first, training.replay(first, DATA[:-1])


def test_replays_end_where_nothing_is_left_to_be_sure_of() -> None:
    made: list[int] = []

    def counted(data: Any, recorder: Recorder, rng: Any, beside: Beside) -> None:
        made.append(recorder.seed)
        beside(data, recorder, rng)

    for beside, most in ((noisy, 10), (clean, 2 * DRAWS + 10)):
        sides = recorded(partial(counted, beside=beside))
        made.clear()
        left = sure(sides, [("output", 0)], partial(seen, base=sides[0]))
        assert left == ({("output", 0)} if beside is clean else set())
        assert len(made) <= most
        assert beside is noisy or len(made) > 2 * DRAWS


def test_a_training_that_other_draws_end_is_no_witness() -> None:
    """Whether it goes through has noise that nobody told of."""
    drawn: list[float] = []

    def stopped_by_noise(data: Any, recorder: Recorder, rng: Any) -> None:
        drawn.append(rng.laplace(scale=9.0))
        if drawn[-1] != drawn[0]:
            raise ArithmeticError("another draw")
        recorder.output("count", data.sum())

    sides = recorded(stopped_by_noise)
    assert sure(sides, [("output", 0)], partial(seen, base=sides[0])) == set()


def test_overflows_are_no_exceptions() -> None:
    with np.errstate(all="ignore"):
        sides = recorded(overflowing)
    with np.errstate(all="raise"):
        assert sure(sides, [("output", 0)], partial(seen, base=sides[0])) == {("output", 0)}


def test_what_nobody_can_make_again_is_sure() -> None:
    sides = [Recording((), (), (), (("count", value),)) for value in (1.0, 2.0)]
    finding = Finding("un-noised outputs", Outcome.REFUTED, "it changes")
    assert first_sure([("removed", *sides)], lambda pair: [(("output", 0), finding)]) is finding
