"""The Gaussian mechanism on coordinates: both forms, their laws, and what the printed one gives away.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from laws import assert_gaussian

from dpaudit.algorithms.rbcd import coordinate_gaussian as mechanism
from dpaudit.algorithms.rbcd.coordinate_gaussian import FORMS, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian

STREAM = Stream(26, "tests/coordinate_gaussian")
FEATURES = np.random.default_rng(14).normal(size=(6, 3))
LINEAR = losses.linear(FEATURES)
BASE = Params((0.0, 0.0, 0.0), (1.0, 0.0, 1.0), 0.4, 2.0, 6)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("form", FORMS)
def test_the_release_has_its_law_on_both_backends(form: str) -> None:
    params, trials = replace(BASE, form=form), Trials(STREAM, np.arange(10_000))
    mean = FEATURES.mean(axis=0) * (BASE.chosen if form == FORMS[0] else np.ones(3))
    for found in (mechanism.cpu(params, LINEAR, trials)[:, 0], mechanism.gpu(params, LINEAR, trials, "final").numpy()):
        assert_gaussian(found, mean, 0.16 * np.diag(BASE.chosen))


def test_the_printed_form_gives_a_bare_coordinate_away() -> None:
    params = replace(BASE, form=FORMS[1])
    with pytest.raises(ConfigurationError, match="noise is absent outside of U"):
        mechanism.promise(params)
    here = mechanism.cpu(params, LINEAR, Trials(STREAM, np.arange(50)), "final")[:, 1]
    assert len(set(here.tolist())) == 1
    assert mechanism.promise(replace(params, chosen=(1.0,) * 3)).mechanism == Gaussian(0.4 * 6 / 4.0)
    assert mechanism.promise(BASE).mechanism == Gaussian(0.4 * 6 / 4.0)


@pytest.mark.parametrize("chosen", [(0.0, 0.0, 0.0), (0.5, 1.0, 0.0)])
def test_the_set_must_be_a_set(chosen: tuple[float, ...]) -> None:
    with pytest.raises(ConfigurationError, match="chosen must be 0 or 1"):
        replace(BASE, chosen=chosen)
