"""Every printed ambiguity of the ReSQue algorithms is an option in words, with the default of the specification."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from dpaudit.content.items import Loaded
from dpaudit.content.loading import forms_of, load_algorithms
from dpaudit.records.errors import ConfigurationError

FOUND = [item.carrier.code for item in load_algorithms() if isinstance(item, Loaded)]
MODULES = {m.__name__.rsplit(".", 1)[-1]: m for m in FOUND if m.ALGORITHM.name.startswith("resque/ALG")}
each = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)

SPECIFIED = {
    "ac_sa": {"index": "GL12", "weight": "GL12", "linear": "GL12", "gradient": "samples"},
    "sub_erm": {"average": "printed", "project_start": "printed", "project_output": "printed", "estimator": "resque"},
    "sub_erm_strongly_convex": {
        "returned": "last",
        "rounding": "floor",
        "logarithm": "base2",
        "privacy_schedule": "printed",
    },
    "bias_reduced_prox": {"repetitions": "None"},
    "aggregate": {"fallback": "most"},
    "high_probability_erm": {"rounding_of_copies": "ceil"},
    "ball_acceleration": {"output": "last"},
    "non_private_prox": {"part": "proximal", "solver": "epoch_sgd", "lines": "GL12"},
    "parallel_solver": {"solver": "epoch_sgd", "lines": "GL12", "output": "projected"},
    "private_erm": {"output": "projected", "estimator": "resque"},
    "private_regularised_erm": {"estimator": "resque"},
    "private_sco": {"budget": "printed", "step": "quartered"},
}
"""Section 2 of the specification: the switches of each algorithm and what they are by default."""


def defaults(module: Any) -> dict[str, Any]:
    return {field.name: field.default for field in dataclasses.fields(module.Params)}


@each
def test_options_are_fields_with_the_same_default(module: Any) -> None:
    known = defaults(module)
    for name, default, others in module.ALGORITHM.options:
        assert str(known[name]) == default
        assert others.strip()
    assert len({name for name, _, _ in module.ALGORITHM.options}) == len(module.ALGORITHM.options)


@each
def test_every_choice_is_an_option(module: Any) -> None:
    listed = {name for name, _, _ in module.ALGORITHM.options}
    assert {name for name, value in defaults(module).items() if isinstance(value, str)} <= listed


@each
def test_the_switches_of_the_specification_are_there(module: Any) -> None:
    found = {name: default for name, default, _ in module.ALGORITHM.options}
    assert SPECIFIED.get(module.__name__.rsplit(".", 1)[-1], {}).items() <= found.items()


def test_all_of_them_were_looked_at() -> None:
    assert set(SPECIFIED) <= set(MODULES)
    assert len(MODULES) == 16


@each
def test_every_named_reading_is_accepted_and_others_are_not(module: Any) -> None:
    """The words before a colon, split at commas, are values of the option."""
    params = forms_of(module).cases(4)[0].params
    for name, default, others in module.ALGORITHM.options:
        if default == "None":
            continue
        first = [reading.split(":")[0] for reading in others.split(";")]
        for value in (default, *(one.strip() for reading in first for one in reading.split(","))):
            if (name, value) not in ONE_DIMENSION:
                assert getattr(dataclasses.replace(params, **{name: value}), name) == value
        with pytest.raises(ConfigurationError, match=f"{name} must be one of"):
            dataclasses.replace(params, **{name: "another"})


ONE_DIMENSION = {("gradient", "moments"), ("gradient", "limit")}
"""Readings that need one dimension, see `ac_sa`."""
