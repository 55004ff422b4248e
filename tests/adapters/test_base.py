"""Arguments that cannot be are refused in words that say what to write."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from dpaudit.adapters.base import Adapter
from dpaudit.adapters.command import Command
from dpaudit.adapters.release import Release
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.adapters.training import Training
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.privacy import ApproximateDP, Neighbours, View, claim
from dpaudit.records.target import TrialPlan


def test_a_claim_is_a_privacy_claim() -> None:
    with pytest.raises(ConfigurationError, match=r"mine/x: claim must be a PrivacyClaim, got ApproximateDP; write"):
        Adapter("mine/x", ApproximateDP(1.0, 0.0), {})  # type: ignore[arg-type]


@pytest.mark.parametrize("adapter", [Release, Training, TorchTraining, Command])
@pytest.mark.parametrize(("name", "meant"), [("pare", "pair"), ("trails", "trials"), ("own_attacks", "attacks")])
def test_a_misspelt_argument_is_named_with_the_nearest_one(adapter: type[Adapter], name: str, meant: str) -> None:
    wrong: dict[str, Any] = {name: 1.0}
    with pytest.raises(ConfigurationError, match=rf"argument of {adapter.__name__} '{name}'; did you mean '{meant}'"):
        adapter("mine/x", print, claim=claim(mu=1.0), **wrong)  # type: ignore[arg-type, misc]


def test_an_adapter_of_ones_own_has_arguments_of_its_own() -> None:
    class Mine(Release):
        def __init__(self, name: str, clip: float, **options: Any) -> None:
            super().__init__(name, release=lambda data, seed: clip, **options)

    with pytest.raises(ConfigurationError, match="unknown argument of Mine 'clp'; did you mean 'clip'"):
        Mine("mine/x", clp=1.0)  # type: ignore[call-arg]
    assert Mine("mine/x", clip=1.0, pair=(1, 2), claim=claim(mu=1.0)).TARGET.name == "mine/x"


def test_a_view_that_is_none_is_told_which_there_are() -> None:
    wrong: dict[str, Any] = {"view": "whole"}
    with pytest.raises(ConfigurationError, match=r"view must be one of View\.TRANSCRIPT, .*, got 'whole'"):
        Adapter("mine/x", claim(mu=1.0), {}, **wrong)


def test_trials_come_from_the_claim_the_user_or_not_at_all() -> None:
    assert Adapter("mine/x", claim(mu=1.0), {}).TARGET.trials is not None
    assert Adapter("mine/x", claim(mu=0.0), {}, trials=None).TARGET.trials is None
    plan = TrialPlan(2, 3, 4)
    assert Adapter("mine/x", claim(mu=1.0), {}, trials=plan).TARGET.trials is plan


def test_assumptions_are_those_of_a_target_file() -> None:
    assert not hasattr(Adapter("mine/x", claim(mu=1.0), {}), "ASSUMPTIONS")
    assumed = Assumptions(ordered=True)
    assert Adapter("mine/x", claim(mu=1.0), {}, assumptions=assumed).ASSUMPTIONS is assumed
    assert Adapter("mine/x", claim(mu=1.0), {}, view=View.LOSS).TARGET.view is View.LOSS


def test_a_target_file_imports_no_library_for_training() -> None:
    code = """
import sys
import numpy as np
from dpaudit.adapters.release import Release
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.records.privacy import claim
Release("mine/x", print, pair=(1, 2), claim=claim(epsilon=1.0))
TorchTraining("mine/y", print, records=np.ones((100, 5)), claim=claim(epsilon=1.0, delta=1e-5))
print([m for m in ("torch", "sklearn", "opacus", "jax") if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_adapters_share_one_constructor() -> None:
    assert issubclass(Release, Adapter)
    assert np.isscalar(Release("mine/x", print, pair=(1, 2), claim=claim(epsilon=1.0)).TARGET.trials.smoke)  # type: ignore[union-attr]


ARGV = ("./sum", "{data}", "{seed}")
MAKERS = {"release": Release, "command": Command, "training": Training, "torch": TorchTraining}
PAIRS = (  # a pair, its relation, and why it is none
    ((np.ones(10), np.ones(5)), Neighbours.ADD_OR_REMOVE, "10 and 5 records, of which 5 and 0 are not in the other"),
    (
        (np.ones(10), np.ones(10)),
        Neighbours.REPLACE_ONE,
        "the two data sets are equal, 0 records differ, and nothing tells them apart",
    ),
    ((np.ones(10), np.zeros(10)), Neighbours.ZERO_OUT, "10 and 10 records, of which 10 and 10 are not in the other"),
)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(("pair", "relation", "words"), PAIRS)
def test_a_pair_outside_of_the_relation_is_refused(kind: str, pair: Any, relation: Neighbours, words: str) -> None:
    given: Any = ARGV if kind == "command" else print
    stated = claim(mu=1.0, neighbours=relation)
    with pytest.raises(
        ConfigurationError, match=rf"^mine/x: the data sets of the pair are not neighbours: .*{words}; '{relation}'"
    ):
        MAKERS[kind]("mine/x", given, pair=pair, claim=stated)
    audit = MAKERS[kind]("mine/x", given, pair=pair, claim=stated, check_pair=False)
    assert audit.notes() == ("it was not checked that the two data sets are neighbours",)


def test_what_cannot_be_compared_is_said_to_be_unchecked() -> None:
    assert Release("mine/x", print, pair=(1, 2), claim=claim(mu=1.0)).notes()[0].startswith("it was not checked")
    assert Release("mine/x", print, pair=(np.ones(3), np.ones(2)), claim=claim(mu=1.0)).notes() == ()


def test_the_empty_record_of_a_training_with_torch_is_known() -> None:
    records = np.ones((3, 2))
    blank = records.copy()
    blank[1] = TorchTraining.empty
    stated = claim(mu=1.0, neighbours=Neighbours.ZERO_OUT)
    assert TorchTraining("mine/x", print, pair=(records, blank), claim=stated).notes() == ()
    with pytest.raises(ConfigurationError, match="empty in both or in neither"):
        Training("mine/x", print, pair=(records, blank), claim=stated)


def test_a_missing_argument_and_what_is_no_function_are_named() -> None:
    wrong: Any = 3.5
    with pytest.raises(ConfigurationError, match=r"Release: missing a required .*argument: 'claim'; it takes"):
        Release("mine/x", print, pair=(1, 2))  # type: ignore[call-arg]
    with pytest.raises(ConfigurationError, match="mine/x: release must be a function, got float; give it without"):
        Release("mine/x", wrong, pair=(1, 2), claim=claim(mu=1.0))
    with pytest.raises(ConfigurationError, match="mine/x: train must be a function, got float"):
        Training("mine/x", wrong, records=np.ones((3, 2)), claim=claim(mu=1.0))
