"""Noise that is drawn anew, and noise that is not."""

from __future__ import annotations

import numpy as np
import pytest
from recordings import noisy, recording

from dpaudit.audit.structural.checks import freshness
from dpaudit.audit.structural.recording import Recording
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
RNG = np.random.default_rng(2)


def draws(count: int, size: int = 20) -> list[np.ndarray]:
    return [RNG.normal(size=size) for _ in range(count)]


FIRST, *REST = draws(8)
REPEATED = {
    "every step": noisy([FIRST, FIRST, FIRST]),
    "two steps far apart": noisy([*REST[:3], REST[0]]),
    "another name": [*noisy([FIRST]), *noisy([FIRST], name="b")],
    "a shorter name": [*noisy([FIRST]), *noisy([FIRST[:6]], name="b")],
    "another scale": [*noisy([FIRST]), *noisy([3 * FIRST], 3.0, name="b")],
    "another sign": [*noisy([FIRST]), *noisy([-FIRST], name="b")],
    "single precision": noisy([FIRST.astype(np.float32), REST[0].astype(np.float32), FIRST.astype(np.float32)]),
    "single numbers": noisy([np.array(0.3), np.array(0.7), np.array(0.3)]),
    "without a scale": [{**release, "noise_scale": None} for release in noisy([FIRST, FIRST])],
}


@pytest.mark.parametrize("case", list(REPEATED))
def test_repeated_noise_is_found_exactly(case: str) -> None:
    found = freshness.check(recording(*REPEATED[case]), ALPHA)
    assert found.outcome is Outcome.REFUTED
    assert "repeats" in found.detail


@pytest.mark.parametrize(
    "noises",
    [
        [np.array(x, dtype=np.float32) for x in (0.3, 0.7, 0.3)],
        [np.array(x) for x in (1.0, 2.0, 1.0)],
        [np.array(x) for x in ([1.0, 2.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [1.0, 2.0, 0.0, 1.0])],
    ],
)
def test_coarse_noise_may_agree_by_chance(noises: list[np.ndarray]) -> None:
    assert freshness.check(recording(*noisy(noises)), ALPHA).outcome is not Outcome.REFUTED


def test_single_coarse_numbers_that_repeat_in_all_trainings_are_one_draw() -> None:
    """The same noise on every count: in one training three numbers of single precision might agree by chance."""

    def counts(same: bool) -> Recording:
        first, second = (np.array(RNG.normal(), dtype=np.float32) for _ in range(2))
        return recording(*noisy([first, first if same else second]))

    def repeats(*trainings: Recording) -> bool:
        return freshness.repeated(freshness.over_trainings(trainings)) is not None

    one, two = counts(True), counts(True)
    assert repeats(one, two, counts(True))
    assert "repeats" in freshness.check(one, ALPHA, two, counts(True)).detail
    assert not repeats(one, two)
    assert not repeats(one, two, counts(False))
    assert not repeats(one, one, one), "one training, three times"


def mixed(correlation: float, base: np.ndarray) -> np.ndarray:
    return correlation * base + np.sqrt(1 - correlation**2) * RNG.normal(size=base.shape)


def walk(correlation: float) -> Recording:
    steps = [RNG.normal(size=50)]
    for _ in range(29):
        steps.append(mixed(correlation, steps[-1]))
    return recording(*noisy(steps))


def names(correlation: float) -> Recording:
    firsts = draws(30, 50)
    return recording(*noisy(firsts), *noisy([mixed(correlation, x) for x in firsts], name="b"))


def halves(correlation: float) -> Recording:
    firsts = draws(30, 50)
    return recording(*noisy([np.concatenate([x, mixed(correlation, x)]) for x in firsts]))


@pytest.mark.parametrize("made", [walk, names, halves])
def test_correlated_noise_is_refuted_and_independent_noise_is_not(made: object) -> None:
    assert freshness.check(made(0.4), ALPHA).outcome is Outcome.REFUTED
    assert freshness.check(made(-0.4), ALPHA).outcome is Outcome.REFUTED
    assert freshness.check(made(0.0), ALPHA).outcome is Outcome.CONSISTENT


def test_noise_shared_by_two_trainings_is_refuted() -> None:
    one = draws(30, 50)
    other = recording(*noisy([mixed(0.5, x) for x in one]))
    assert freshness.check(recording(*noisy(one)), ALPHA, other).outcome is Outcome.REFUTED
    assert (
        freshness.check(recording(*noisy(one)), ALPHA, recording(*noisy(draws(30, 50)))).outcome is Outcome.CONSISTENT
    )


def test_laplace_noise_is_tested_by_its_signs() -> None:
    one = [RNG.laplace(size=200) for _ in range(10)]
    assert freshness.check(recording(*noisy(one, np.sqrt(2), "laplace")), ALPHA).outcome is Outcome.CONSISTENT
    signs = [np.abs(RNG.laplace(size=200)) * np.sign(one[0]) for _ in range(10)]
    assert freshness.check(recording(*noisy(signs, np.sqrt(2), "laplace")), ALPHA).outcome is Outcome.REFUTED


def discrete(size: int, decay: float = 0.05) -> np.ndarray:
    """Discrete Laplace noise: a difference of two geometric numbers; at this decay nine in ten are 0."""
    return (RNG.geometric(1 - decay, size) - RNG.geometric(1 - decay, size)).astype(float)


def test_whole_numbers_of_which_most_are_0_are_fresh_and_are_found_where_they_repeat() -> None:
    """Of 400 releases of 40 such numbers some are equal by chance, and the products of most pairs are 0."""
    fresh = [discrete(40) for _ in range(400)]
    assert len({x.tobytes() for x in fresh}) < len(fresh)
    assert freshness.check(recording(*noisy(fresh, 0.33, "laplace")), ALPHA).outcome is Outcome.CONSISTENT
    led = [np.concatenate([[1.0], np.zeros(39)]) for _ in range(2)]  # likely by chance, and no repetition
    assert freshness.check(recording(*noisy(led, 0.33, "laplace")), ALPHA).outcome is Outcome.CONSISTENT
    long = [discrete(600) for _ in range(6)]
    assert freshness.check(recording(*noisy(long, 0.33, "laplace")), ALPHA).outcome is Outcome.CONSISTENT
    again = next(x for x in (discrete(600) for _ in range(200)) if x[0] != 0)
    assert freshness.check(recording(*noisy([again, again], 0.33, "laplace")), ALPHA).outcome is Outcome.REFUTED


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("law", ["gaussian", "laplace"])
def test_false_alarms_are_at_most_as_many_as_stated(law: str) -> None:
    """At alpha 0.1, over 1,000 null recordings: more than 145 have a probability below 1e-5."""
    draw = RNG.normal if law == "gaussian" else RNG.laplace
    alarms = 0
    for _ in range(1_000):
        one, other = (
            recording(*noisy([draw(size=6) for _ in range(4)], law=law), *noisy([draw(size=5)], law=law, name="b"))
            for _ in range(2)
        )
        alarms += freshness.check(one, 0.1, other).outcome is Outcome.REFUTED
    assert alarms <= 145


@pytest.mark.parametrize("made", [walk, names, halves])
def test_a_pairing_has_a_sixth_of_alpha(made: object) -> None:
    recorded = made(0.0)  # type: ignore[operator]
    p_value = float(dict(freshness.check(recorded, ALPHA).numbers)["p_value"])
    below, above = (freshness.check(recorded, part * 6 * p_value) for part in (0.99, 1.01))
    assert (below.outcome, above.outcome) == (Outcome.CONSISTENT, Outcome.REFUTED)


def test_the_stated_correlation_is_caught_about_nine_times_in_ten() -> None:
    """Of 200 pairs of 400 coordinates 155 to 200 are caught (the power is an approximation): chance stays inside."""
    seen = freshness.smallest_correlation(400, ALPHA / freshness.PAIRINGS)
    firsts = draws(200, 400)
    pairs = [recording(*noisy([x, mixed(seen, x)])) for x in firsts]
    assert sum(freshness.check(pair, ALPHA).outcome is Outcome.REFUTED for pair in pairs) >= 155


def test_nothing_to_compare_is_said() -> None:
    assert freshness.check(recording(), ALPHA).outcome is Outcome.NOT_RUN
    assert freshness.check(recording({"noise": None}), ALPHA).outcome is Outcome.NOT_RUN
    assert freshness.check(recording(*noisy([np.array(0.3)])), ALPHA).outcome is Outcome.NOT_RUN


@pytest.mark.deep
def test_false_alarms_over_several_recordings_are_at_most_as_many_as_stated() -> None:
    """At alpha 0.01, over 2,000 nulls of four trainings with two names: above 40 has a chance of 2e-5."""
    rng, alarms = np.random.default_rng(14), 0
    for _ in range(2_000):
        made = [
            recording(*noisy(rng.normal(size=(4, 3))), *noisy(rng.normal(size=(4, 3)), name="bias")) for _ in range(4)
        ]
        alarms += freshness.check(made[0], 0.01, *made[1:]).outcome is Outcome.REFUTED
    assert alarms <= 40


def test_correlation_shows_over_several_small_trainings() -> None:
    """Each noise is half of the one before, of five coordinates in six steps; one training is too short to see it."""
    rng = np.random.default_rng(15)

    def made() -> Recording:
        fresh = rng.normal(size=(7, 5))
        return recording(*noisy([0.8 * fresh[t + 1] + 0.6 * fresh[t] for t in range(6)]))

    trainings = [made() for _ in range(10)]
    assert freshness.check(trainings[0], ALPHA).outcome is Outcome.CONSISTENT
    assert freshness.check(trainings[0], ALPHA, *trainings[1:]).outcome is Outcome.REFUTED


@pytest.mark.parametrize("coordinates", [3, 5])
def test_a_generator_that_begins_again_is_seen_in_single_precision(coordinates: int) -> None:
    epoch = list(np.random.default_rng(16).normal(size=(4, coordinates)).astype(np.float32))
    found = freshness.check(recording(*noisy(epoch + epoch)), ALPHA)
    assert found.outcome is Outcome.REFUTED
    assert "repeats" in found.detail


def test_noise_on_a_grid_may_agree_by_chance() -> None:
    grid = np.rint(4 * np.random.default_rng(17).normal(size=(40, 2))) / 8
    assert freshness.check(recording(*noisy(list(grid))), ALPHA).outcome is Outcome.CONSISTENT


def test_few_coordinates_of_half_precision_may_agree_by_chance() -> None:
    epoch = list(np.random.default_rng(18).normal(size=(4, 3)).astype(np.float16))
    assert freshness.repeated(recording(*noisy(epoch + epoch)).releases) is None
    whole = list(np.random.default_rng(18).normal(size=(4, 3)).astype(np.float32))
    assert freshness.repeated(recording(*noisy(whole + whole)).releases) is not None
