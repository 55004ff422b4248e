"""What a target hands over is checked before anything is made of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from judged_games import make_target
from refusals import refused

from dpaudit.audit import contract
from dpaudit.content.audits import audit_of
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import GaussianDP

test_what_is_refused = refused(
    lambda values: contract.numbers(values, 3, "run"),
    ([1.0, 2.0], "must return 3 rows"),
    (["a", "b", "c"], "must return real numbers"),
    ([1.0, np.nan, 2.0], "NaN in 1 of 3 trials"),
    ([[1.0, 2.0], [np.nan, np.nan], [np.nan, 1.0]], "NaN in 2 of 3 trials"),
    (1.0, "must return 3 rows"),
    ([1j, 2j, 3j], "must return real numbers"),
    error=ContentError,
)


TARGET = make_target(GaussianDP(1.0))


def test_infinities_integers_and_truth_values_are_numbers() -> None:
    for values in ([np.inf, -np.inf, 0.0], [1, 2, 3], [True, False, True]):
        assert len(contract.numbers(values, 3, "run")) == 3


def test_a_score_is_one_number_a_trial() -> None:
    with pytest.raises(ContentError, match="one number a trial"):
        contract.scored(lambda outputs: outputs, np.zeros((4, 2)), "D")


def test_the_attacks_of_a_file_are_its_score_and_its_list() -> None:
    one, two = (lambda *a: 0), (lambda *a: 1)
    assert audit_of(SimpleNamespace(score=one), TARGET).all_attacks == {"score": one}
    both = SimpleNamespace(score=one, ATTACKS={"two": two})
    assert audit_of(both, TARGET).all_attacks == {"score": one, "two": two}
    with pytest.raises(ContentError, match="score"):
        _ = audit_of(SimpleNamespace(), TARGET).all_attacks


def test_generators_differ_by_purpose_and_repeat() -> None:
    first = contract.generator(1, "a", "coins").random()
    assert first == contract.generator(1, "a", "coins").random()
    assert len({first, *(contract.generator(*of).random() for of in ((2, "a", "coins"), (1, "b", "coins"),
                                                                         (1, "a", "neighbours")))}) == 4  # fmt: skip


@pytest.mark.parametrize("kind", [tuple, list])
def test_a_pair_is_a_tuple_or_a_list_of_two(kind: Any) -> None:
    made: Any = SimpleNamespace(first_neighbours=None, neighbours=lambda rng: kind([1.0, 2.0]))
    wrong: Any = SimpleNamespace(neighbours=lambda rng: kind([1.0, 2.0, 3.0]))
    assert contract.neighbours(made, np.random.default_rng(0)) == (1.0, 2.0)
    assert contract.first_neighbours(made, np.random.default_rng(0)) == (1.0, 2.0)
    with pytest.raises(ContentError, match=r"^neighbours must return a pair \(data set, neighbour\)"):
        contract.neighbours(wrong, np.random.default_rng(0))


def test_structural_checks_take_the_pair_that_is_known_sooner() -> None:
    def late(rng: np.random.Generator) -> tuple[str, str]:
        raise AssertionError("trials are played")

    quick: Any = SimpleNamespace(neighbours=late, first_neighbours=lambda rng: ["D", "D'"])
    assert contract.first_neighbours(quick, np.random.default_rng(0)) == ("D", "D'")
    wrong: Any = SimpleNamespace(neighbours=late, first_neighbours=lambda rng: "D")
    with pytest.raises(ContentError, match=r"^first_neighbours must return a pair"):
        contract.first_neighbours(wrong, np.random.default_rng(0))
