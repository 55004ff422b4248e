"""Each empirical check refutes what is false, accepts only with power, and checks only what its relation says."""

from types import ModuleType

import numpy as np
import pytest

from dpaudit.claims import experiment
from dpaudit.claims.source import Source
from dpaudit.records.claim import Chance, Count, Sampling, Search, Slope
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Basis, Outcome

CONTEXT = Context(11, Level.SMOKE, 1e-6)
SIZES = np.array([10.0, 100.0, 1000.0])


def source(**functions):
    module = ModuleType("claim")
    vars(module).update(functions)
    return Source((module,))


def run(check, draw):
    evidence, basis = experiment.run("toy/LEM-1", check, source(draw=draw), CONTEXT)
    return evidence.outcome, basis


def coin(probability):
    return lambda stream, trials: stream.uniforms(np.arange(trials), 0, 1)[:, 0] < probability


def costs(power):
    return lambda stream, trials: (SIZES, SIZES**power * np.exp(stream.normals(np.arange(trials), 0, 3) / 10))


@pytest.mark.parametrize(
    ("limit", "near_miss", "outcome"),
    [
        (0.2, 0.05, Outcome.CONSISTENT),
        (0.2, 0.15, Outcome.INCONCLUSIVE),  # a probability of 0.1 does not refute 0.15: no power
        (0.05, 0.01, Outcome.REFUTED),
    ],
)
def test_a_chance(limit, near_miss, outcome):
    assert run(Chance("draw", limit, near_miss, 20_000), coin(0.1)) == (outcome, Basis.SAMPLING)


@pytest.mark.parametrize(
    ("claimed", "near_miss", "outcome"),
    [(2.0, 1.5, Outcome.CONSISTENT), (2.0, 2.05, Outcome.INCONCLUSIVE), (1.5, 1.0, Outcome.REFUTED)],
)
def test_a_slope(claimed, near_miss, outcome):
    assert run(Slope("draw", claimed, 0.05, near_miss), costs(2.0)) == (outcome, Basis.SAMPLING)


def test_a_refutation_by_sampling_must_be_repeated():
    seen = []

    def once(stream, trials):
        seen.append(stream)
        return np.full(trials, len(seen) == 1)

    assert run(Chance("draw", 0.5, 0.1, 1000), once)[0] is Outcome.INCONCLUSIVE
    assert len(seen) == 2


def counted(difference):
    return lambda stream, cases: (np.arange(cases) + 5 + difference, np.arange(cases) + 5)


@pytest.mark.parametrize(
    ("relation", "difference", "near_miss", "outcome"),
    [
        ("==", 0, 1.0, Outcome.CONSISTENT),
        ("==", 1, 1.0, Outcome.REFUTED),
        ("==", -1, 1.0, Outcome.REFUTED),
        ("<=", 0, 0.9, Outcome.CONSISTENT),
        ("<=", -1, 0.99, Outcome.CONSISTENT),
        ("<=", 1, 0.9, Outcome.REFUTED),
        ("<=", 0, 1.0, Outcome.INCONCLUSIVE),
    ],
)
def test_a_count(relation, difference, near_miss, outcome):
    assert run(Count("draw", relation, near_miss), counted(difference)) == (outcome, Basis.SEARCH)


def test_a_search_with_ranges_climbs_to_the_worst_point():
    ridge = lambda points: 1.1 - np.abs(points[:, 0] - 0.123456) - np.abs(points[:, 1] - 0.654321)  # noqa: E731
    check = Search("draw", 0.5, trials=300, ranges=((0.0, 1.0), (0.0, 1.0)))
    evidence, _ = experiment.run("toy/LEM-1", check, source(draw=ridge), CONTEXT)
    assert evidence.outcome is Outcome.REFUTED
    assert dict(evidence.numbers)["largest_ratio"] == pytest.approx(1.1, abs=1e-3)
    assert run(check, lambda points: ridge(points) - 0.2)[0] is Outcome.CONSISTENT


@pytest.mark.parametrize("relation", ["<", ">=", ">", "="])
@pytest.mark.parametrize("make", [lambda r: Sampling("draw", r, 1.0, 1.0, 0.5), lambda r: Count("draw", r)])
def test_another_relation_is_not_taken_for_one_of_the_two(make, relation):
    with pytest.raises(ContentError, match="checks <= or =="):
        run(make(relation), lambda stream, trials: np.zeros(trials))


def test_a_missing_function_is_named():
    with pytest.raises(ContentError, match="no function 'other'"):
        run(Chance("other", 0.5, 0.1), coin(0.1))


def test_what_costs_a_share_of_the_error_budget():
    assert set(experiment.STATISTICAL) == {Sampling, Chance, Slope}
