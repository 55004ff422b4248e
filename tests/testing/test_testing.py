"""Assertions for test suites: what is wrong fails with a small witness, what is right passes, each time the same."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Outcome
from dpaudit.testing import NotPrivate, UnderPowered, assert_private, assert_sensitivity, neighbouring_data_sets
from dpaudit.testing.data_sets import DataSets, Pair

ADD, REPLACE, ZERO = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE, Neighbours.ZERO_OUT
PAIR = (np.ones(4), np.ones(3))
N, C = 4, 1.0


def noisy_sum(scale: float) -> Any:
    """A batched release that is 1/scale-GDP for one record of norm 1."""
    return lambda data, trials: data.sum() + scale * trials.stream.normals(trials.numbers, 0, 1)[:, 0]


def clipped_mean(data: np.ndarray) -> Any:
    """Of numbers, divided by a public count: it moves by C / N, by 2 C / N where a record is replaced."""
    return np.clip(data, -C, C).sum() / N


def clipped_rows(data: np.ndarray) -> Any:
    """The sum of rows that are scaled to an l2 norm of at most C."""
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(data, axis=1, keepdims=True)
    return (data * np.minimum(1.0, C / np.maximum(norms, 1e-300))).sum(axis=0)


def test_a_release_that_keeps_its_claim_passes() -> None:  # false alarm: 1e-6
    verdict = assert_private(noisy_sum(1.0), PAIR, mu=1.0, batched=True)
    assert (verdict.outcome, verdict.id, verdict.seed) == (Outcome.CONSISTENT, "release", 0)


def test_a_smaller_alpha_takes_more_trials_and_no_power() -> None:
    numbers = [dict(assert_private(noisy_sum(1.0), PAIR, mu=1.0, batched=True, alpha=a).numbers) for a in (1e-4, 1e-9)]
    usual, careful = (one["smallest_violation_at_90"] for one in numbers)
    assert careful <= usual < gaussian_epsilon(1e-5, 2.0)  # what half of the noise has


def test_half_of_the_noise_fails_with_bound_counts_power_and_how_to_repeat() -> None:  # missed: at most 1 in 10 seeds
    with pytest.raises(NotPrivate) as caught:
        assert_private(noisy_sum(0.5), PAIR, mu=1.0, batched=True, seed=3, name="mine")
    text = str(caught.value)
    numbers = dict(caught.value.verdict.numbers)
    assert text.startswith(
        f"mine is refuted: epsilon is at least {numbers['epsilon_lower_95']:.4g} (95 %), claimed 4.377"
    )
    assert "add or remove one record" in text
    assert "counts: " in text
    assert "trials on the data set and" in text
    limit = f"show at most epsilon {numbers['limit_of_detection']:.4g} at the level of the decision; they catch"
    assert f"the counts of {numbers['trials_per_side']} trials a side {limit}" in text
    assert text.endswith("to repeat: seed=3, alpha=1e-06, level='smoke'")


def test_a_pair_that_is_none_of_neighbours_is_no_refutation_and_no_pass() -> None:
    with pytest.raises(ConfigurationError, match="10 and 5 records, of which 5 and 0 are not in the other"):
        assert_private(noisy_sum(1.0), (np.ones(10), np.ones(5)), mu=1.0, batched=True)
    with pytest.raises(ConfigurationError, match="the two data sets are equal"):
        assert_private(noisy_sum(1.0), (np.ones(10), np.ones(10)), mu=1.0, batched=True)


def test_a_release_of_one_trial_is_seeded_and_repeats_itself() -> None:
    def release(data: np.ndarray, seed: int) -> float:
        return float(data.sum() + np.random.laplace(scale=1.0))

    first, second, other = (assert_private(release, PAIR, epsilon=1.0, trials=1000, seed=seed) for seed in (1, 1, 2))
    assert first.numbers == second.numbers != other.numbers


def test_too_few_trials_fail_for_a_reason_of_their_own() -> None:
    with pytest.raises(UnderPowered, match=r"release is under-powered: .* the claim is") as caught:
        assert_private(noisy_sum(1.0), PAIR, mu=1.0, batched=True, trials=40)
    assert not isinstance(caught.value, NotPrivate)
    assert caught.value.verdict.outcome is Outcome.INCONCLUSIVE


def test_an_audit_object_brings_its_claim_along() -> None:
    from dpaudit.adapters.release import Release
    from dpaudit.records.privacy import claim

    good, bad = (Release("mine/sum", noisy_sum(s), pair=PAIR, claim=claim(mu=1.0), batched=True) for s in (1.0, 0.4))
    assert assert_private(good, alpha=1e-4).id == "mine/sum"
    with pytest.raises(NotPrivate, match="mine/sum is refuted"):
        assert_private(bad)
    with pytest.raises(ConfigurationError, match="brings its data sets and its claim along"):
        assert_private(good, PAIR)


def test_a_broken_release_is_no_pass() -> None:
    with pytest.raises(ContentError, match="NaN"):
        assert_private(lambda data, seed: np.nan, PAIR, epsilon=1.0)
    with pytest.raises(ContentError, match="ZeroDivisionError"):
        assert_private(lambda data, seed: 1 / 0, PAIR, epsilon=1.0)


def test_numbers_of_numpy_a_list_and_a_whole_float_are_taken_for_what_they_hold() -> None:
    given: dict[str, Any] = {"mu": np.float32(1.0), "trials": 1e3, "alpha": np.float32(1e-3), "seed": np.int64(2)}
    verdict = assert_private(noisy_sum(1.0), list(PAIR), batched=True, **given)  # type: ignore[arg-type]
    assert dict(verdict.numbers)["trials_per_side"] == 950
    with pytest.raises(ContentError, match=r"must be an integer, got 1000.5"):
        assert_private(noisy_sum(1.0), PAIR, batched=True, **(given | {"trials": 1000.5}))


test_arguments_that_cannot_be_are_said = refused(
    partial(assert_private, noisy_sum(1.0)),
    ({"pair": None, "mu": 1.0}, "pair must be a tuple"),
    ({"pair": PAIR}, "states epsilon or mu"),
    ({"pair": PAIR, "mu": 1.0, "epsilon": 1.0}, "states epsilon or mu"),
    ({"pair": PAIR, "mu": 1.0, "alpha": 0.0}, "alpha must be above 0"),
    ({"pair": PAIR, "mu": 1.0, "trials": 1}, "trials must be at least 2"),
    error=(ConfigurationError, ContentError),
)


def test_a_mean_with_half_of_its_sensitivity_is_refuted_with_a_small_witness() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_sensitivity(clipped_mean, C / (2 * N))
    assert str(caught.value).splitlines()[:3] == [
        "the l2 sensitivity is at least 0.25, claimed 0.125, 2 times as much; neighbours: add or remove one record",
        "  data = array([1., 0.])",
        "  neighbour = array([0.])",
    ]


def test_the_right_sensitivity_passes_and_is_reached() -> None:
    assert assert_sensitivity(clipped_mean, C / N) == pytest.approx(C / N)
    assert assert_sensitivity(clipped_mean, 2 * C / N, neighbours=REPLACE) == pytest.approx(2 * C / N)
    assert assert_sensitivity(clipped_mean, C / N, neighbours=ZERO) == pytest.approx(C / N)


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize(
    ("norm", "neighbours", "sensitivity"),
    [("l2", ADD, 1.0), ("l2", REPLACE, 2.0), ("l2", ZERO, 1.0), ("l1", ADD, np.sqrt(3)), ("linf", ADD, 1.0),
     ("l1", REPLACE, 2 * np.sqrt(3)), ("linf", REPLACE, 2.0)],
)  # fmt: skip
def test_every_norm_and_relation_reaches_its_sensitivity(norm: str, neighbours: Neighbours, sensitivity: float) -> None:
    drawn: dict[str, Any] = {"shape": (3,), "bounds": (-10, 10), "neighbours": neighbours, "examples": 150}
    assert assert_sensitivity(clipped_rows, sensitivity, norm, **drawn) == pytest.approx(sensitivity, rel=1e-9)
    with pytest.raises(AssertionError, match=f"the {norm} sensitivity is at least"):
        assert_sensitivity(clipped_rows, 0.98 * sensitivity, norm, **drawn)


def test_what_hypothesis_does_not_find_the_climb_does() -> None:
    def far(data: np.ndarray) -> Any:  # the largest value is at one corner of 2^12, inside a long ridge
        return np.clip(data, -1, 1).sum(axis=0) @ np.array([1, -1] * 6)

    drawn: dict[str, Any] = {"shape": (12,), "bounds": (-3, 3), "examples": 20}
    with pytest.raises(AssertionError, match=r"at least 1[12].*, claimed 11\.9") as caught:
        assert_sensitivity(far, 11.9, **drawn)
    assert "3." not in str(caught.value), "the ends of the range, from where it climbed, are shrunk to the clip norm"
    assert assert_sensitivity(far, 12, **drawn) == pytest.approx(12)


def test_the_search_starts_from_opposite_records_too() -> None:
    found = [
        assert_sensitivity(clipped_rows, 2 * np.sqrt(3), "l1", shape=(3,), bounds=(-10, 10), neighbours=REPLACE,
                           examples=150, seed=seed) for seed in (7, 8)
    ]  # fmt: skip
    assert found == pytest.approx([2 * np.sqrt(3)] * 2, rel=1e-9), (
        "from the drawn pairs alone they climb to 3.4 at most"
    )


def test_the_search_is_deterministic() -> None:
    found = {assert_sensitivity(clipped_rows, 5.0, shape=(2,), examples=40, seed=seed) for seed in (1, 1)}
    assert len(found) == 1


def test_results_in_parts_count_as_one_vector() -> None:
    def parts(data: np.ndarray) -> Any:
        total = np.clip(data, 0, 1).sum()
        return {"a": total, "b": (total, [0.0, total])}

    assert assert_sensitivity(parts, 3.0, "l1") == pytest.approx(3.0)
    assert assert_sensitivity(parts, np.sqrt(3)) == pytest.approx(np.sqrt(3))


def test_nan_violates_every_bound() -> None:
    def normalised(data: np.ndarray) -> Any:
        return data.sum() / np.abs(data).max()

    with pytest.raises(AssertionError, match=r"NaN or an infinity(.|\n)*data = array\(\[0\., 0\.\]\)"):
        assert_sensitivity(normalised, 10.0)
    assert assert_sensitivity(clipped_mean, C / N, bounds=(-2, 2)) == pytest.approx(C / N)
    with pytest.raises(AssertionError, match="NaN or an infinity"):
        assert_sensitivity(clipped_mean, C / N, bounds=(-2, 2), non_finite=True)


def test_a_function_may_change_what_it_is_given() -> None:
    def careless(data: np.ndarray) -> Any:
        data.clip(-C, C, out=data)
        return data.sum() / N

    assert assert_sensitivity(careless, C / N, examples=50) == pytest.approx(C / N)


def test_noise_and_changing_shapes_have_no_sensitivity() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(ContentError, match="two results for one data set"):
        assert_sensitivity(lambda data: rng.normal(), 1.0)
    with pytest.raises(ContentError, match="numbers on a data set and"):
        assert_sensitivity(lambda data: data, 1.0)


def test_pairs_of_your_own_are_searched_and_shrunk() -> None:
    texts = st.tuples(st.text("ab", min_size=1), st.just("")).map(lambda pair: (list(pair[0]), []))
    with pytest.raises(AssertionError, match=r"data = \['a', 'a', 'a'\]"):
        assert_sensitivity(len, 2, pairs=texts)
    with pytest.raises(ConfigurationError, match="drop shape"):
        assert_sensitivity(len, 2, pairs=texts, shape=(3,))


test_wrong_arguments_of_a_search_are_said = refused(
    partial(assert_sensitivity, clipped_mean),
    ({"bound": -1}, "bound must be finite and at least 0"),
    ({"bound": np.nan}, "bound must be finite and at least 0"),
    ({"bound": 1, "norm": "l3"}, "norm must be one of l1, l2, linf"),
    ({"bound": 1, "bounds": (1, 0)}, "the lower one first"),
    ({"bound": 1, "records": (0, 3)}, "1 <= least <= most"),
    ({"bound": 1, "dtype": np.complex128}, "dtype must be"),
    ({"bound": 1, "dtype": np.int8, "non_finite": True}, "no NaN in int8"),
)


@given(neighbouring_data_sets(shape=(2,), bounds=(-1, 3), records=(1, 4)))
def test_a_record_more_or_less(pair: tuple[np.ndarray, np.ndarray]) -> None:
    short, long = sorted(pair, key=len)
    assert 1 <= len(long) == len(short) + 1 <= 4
    assert any(np.array_equal(np.delete(long, i, axis=0), short) for i in range(len(long)))
    assert long.shape[1:] == (2,)
    assert ((long >= -1) & (long <= 3)).all()


@given(neighbouring_data_sets(dtype=np.int8, neighbours=REPLACE), neighbouring_data_sets(neighbours=ZERO))
def test_a_record_in_another_place(replaced: tuple[Any, Any], blanked: tuple[Any, Any]) -> None:
    assert replaced[0].dtype == replaced[1].dtype == np.int8
    for first, second in (replaced, blanked):
        assert first.shape == second.shape
        assert (first != second).sum() <= 1
    first, second = blanked
    assert ((first == second) | (first == 0) | (second == 0)).all()


def test_a_pair_differs_at_its_place_and_nowhere_else() -> None:
    common, record, other = np.array([1.0, 2.0]), np.array(7.0), np.array(8.0)
    sets = [Pair(relation, common, record, 1, other if relation is REPLACE else None).data_sets()
            for relation in (ADD, REPLACE, ZERO)]  # fmt: skip
    assert [first.tolist() for first, _ in sets] == [[1, 7, 2]] * 3
    assert [second.tolist() for _, second in sets] == [[1, 2], [1, 8, 2], [1, 0, 2]]


def drawn_numbers(**spec: Any) -> np.ndarray:
    """All numbers of 200 data sets."""
    found: list[np.ndarray] = []

    @given(neighbouring_data_sets(**spec))
    def collect(pair: tuple[np.ndarray, np.ndarray]) -> None:
        found.extend(part.ravel().astype(np.float64) for part in pair)

    collect()
    return np.concatenate(found)


def test_extreme_numbers_are_drawn_and_nan_only_on_request() -> None:
    plain = drawn_numbers(dtype=np.float32)
    assert np.isfinite(plain).all()
    limits = np.finfo(np.float32)
    assert {0.0, 1.0, -1.0, float(limits.max), float(limits.min)} <= set(plain)
    odd = drawn_numbers(non_finite=True, bounds=(0, 1))
    assert np.isnan(odd).any()
    assert {np.inf, -np.inf} <= set(odd)
    assert set(drawn_numbers(dtype=np.bool_)) == {0.0, 1.0}
    assert set(drawn_numbers(dtype=np.uint8, bounds=(2, 4))) == {2.0, 3.0, 4.0}


def test_special_numbers_lie_within_the_bounds() -> None:
    assert DataSets(bounds=(0.5, 2)).special() == (1.0, 2.0, 0.5)
    assert DataSets(dtype=np.uint8).special() == (0, 1, 255)
