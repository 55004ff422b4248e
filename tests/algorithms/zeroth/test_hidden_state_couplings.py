"""The couplings of Noisy-ZOGD: the forms, both marginals, what is shared, lemma 3.9, equation (6), errors.

Statistical tests: false alarm at most 1e-6 for each comparison of samples with a law.
"""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from three_forms import fast_forms

from dpaudit.algorithms.zeroth import hidden_state_couplings as couplings
from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.algorithms.zeroth.hidden_state_couplings.params import COUPLINGS, Neighbouring, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, ball
from dpaudit.sampling.batches import Batches

STREAM = Stream(45, "tests/couplings")
RNG = np.random.default_rng(16)
FEATURES = RNG.normal(size=(5, 4))
LABELS = np.array([1.0, -1, 1, -1, -1])
BOTH = Neighbouring(
    losses.logistic(FEATURES, LABELS), losses.logistic(np.vstack([-2 * FEATURES[:1], FEATURES[1:]]), LABELS)
)
EVERY, SMALL = Batches("all records", 5, 5), ball(0.6, (0.0,) * 4)
BASE = Params((0.3, -0.2, 0.1, 0.4), 4, EVERY, 2, 0.9, 0.25, 0.4, 0.5, 0.6, domain=SMALL)
FILLED, PRINTED = "shared isotropic noise", "mean as printed"


def split(params: Params, found: np.ndarray) -> list[np.ndarray]:
    """W, W', G, <Y', u_k> of transcripts, each (trials, T, ...)."""
    d, count = len(params.start), params.directions
    return np.split(found, [d, 2 * d, 2 * d + count, 2 * d + 2 * count], axis=2)


@pytest.mark.parametrize("coupling", COUPLINGS)
def test_the_run_on_d_has_the_bits_of_noisy_zogd_on_the_same_stream(coupling: str) -> None:
    params, trials = replace(BASE, coupling=coupling), Trials(STREAM, np.arange(6))
    alone = noisy_zogd.cpu(params.single, BOTH.own, trials)
    assert split(params, couplings.cpu(params, BOTH, trials))[0] == pytest.approx(alone[:, :, :4], abs=1e-14)


def test_what_a_coupling_shares() -> None:
    drawn = {name: couplings.draw_inputs(replace(BASE, coupling=name), STREAM, 3) for name in COUPLINGS}
    for name, draws in drawn.items():
        same = {
            "isotropic": np.array_equal(draws.noise[:, 0, :4], draws.noise[:, 1, :4]),
            "directional": np.array_equal(draws.noise[:, 0, 4:], draws.noise[:, 1, 4:]),
            "frames": np.array_equal(draws.directions[:, 0], draws.directions[:, 1]),
        }
        shared = {
            "independent": (),
            "synchronous": ("isotropic", "directional", "frames"),
        }.get(name, ("isotropic", "frames"))
        assert {part for part, equal in same.items() if equal} == set(shared)
        assert np.array_equal(draws.noise[:, 0], drawn["independent"].noise[:, 0]), "W does not change"


def signs(records: int, dimension: int) -> Neighbouring:
    """Sign canaries: the first record is steep along (1, ..., 1) on D, and the other way on D'."""
    steep = 1e6 * np.ones((1, dimension))
    rest = np.zeros((records - 1, dimension))
    return Neighbouring(*(losses.linear(np.vstack([sign * steep, rest])) for sign in (1, -1)))


@pytest.mark.parametrize("domain", [EVERYTHING, SMALL], ids=["everything", "a ball"])
@pytest.mark.parametrize("directions", [1, 2, 4])
def test_synchronous_runs_part_no_faster_than_lemma_3_9_says(directions: int, domain: Any) -> None:
    """|w_t - w'_t| <= min(2R, 2 eta Delta t/sqrt(K)) for sign canaries, with equality at t = 1 for a single record."""
    params = replace(BASE, directions=directions, domain=domain, batches=Batches("all records", 1, 1), steps=20)
    bound = np.minimum(domain.diameter, 2 * 0.9 * 0.4 * np.arange(1, 21) / math.sqrt(directions))
    for found in fast_forms(couplings, params, signs(1, 4), Trials(STREAM, np.arange(200))):
        w, v, *_ = split(params, found)
        apart = np.linalg.norm(w - v, axis=2)
        assert (apart <= bound * (1 + 1e-12)).all()
        if domain is EVERYTHING:
            assert apart[:, 0] == pytest.approx(np.full(200, bound[0]), rel=1e-12)


def test_at_equal_iterates_a_step_parts_them_by_one_nth_of_that() -> None:
    """2 eta Delta/(n sqrt(K)): the sensitivity behind the directional noise."""
    params = replace(BASE, steps=1, domain=EVERYTHING)
    for found in fast_forms(couplings, params, signs(5, 4), Trials(STREAM, np.arange(50))):
        w, v, *_ = split(params, found)
        assert np.linalg.norm(w - v, axis=2) == pytest.approx(np.full((50, 1), 2 * 0.9 * 0.4 / (5 * 2**0.5)))


def test_equal_data_stay_together_in_a_synchronous_run_and_not_in_an_independent_one() -> None:
    same, trials = Neighbouring(BOTH.own, BOTH.own), Trials(STREAM, np.arange(20))
    for coupling, together in (("synchronous", True), ("independent", False), (FILLED, False)):
        params = replace(BASE, coupling=coupling)
        w, v, *_ = split(params, couplings.cpu(params, same, trials))
        assert np.array_equal(w, v) == together


@pytest.mark.parametrize(("coupling", "factor"), [(FILLED, 1), (PRINTED, 2)])
def test_the_directional_noise_of_the_second_run_has_the_mean_of_equation_6(coupling: str, factor: int) -> None:
    """Canaries of opposite sign: the slopes differ by 2 Delta sign <v, u>/n at every point, so G and <Y', u_k> are
    independent normals of deviation eta sigma sqrt(b/K), the second of mean (eta/K) 2 Delta sign <v, u_k>/n: once as
    filled in, K times as printed."""
    params = replace(BASE, coupling=coupling, domain=EVERYTHING)
    deviation = 0.9 * 0.5 * math.sqrt(0.6 / 2)
    for found in fast_forms(couplings, params, signs(5, 4), Trials(STREAM, np.arange(5_000))):
        _, _, g, h, frames = split(params, found)
        towards = np.sign(frames.reshape(5_000, 4, 2, 4).sum(axis=3))
        shift = factor * 0.9 / 2 * 2 * 0.4 / 5
        both = np.concatenate([g, h - shift * towards], axis=2).reshape(5_000, 16)
        assert_gaussian(both, np.zeros(16), deviation**2 * np.eye(16))


def test_the_isotropic_noise_is_shared() -> None:
    """b_dir = 0: all noise is Z, so W - W' of linear losses is fixed by the frames."""
    params = replace(BASE, coupling=FILLED, variance_share=0.0, domain=EVERYTHING, steps=1)
    for found in fast_forms(couplings, params, signs(5, 4), Trials(STREAM, np.arange(10))):
        w, v, g, h, frames = split(params, found)
        rows = frames.reshape(10, 2, 4)
        assert not g.any()
        assert (v - w)[:, 0] == pytest.approx((h[:, 0, :, None] * rows).sum(axis=1), abs=1e-13)


def test_it_promises_what_one_of_its_runs_does_and_costs_two_or_three() -> None:
    assert couplings.promise(BASE) == noisy_zogd.promise(BASE.single)
    once = noisy_zogd.calls(BASE.single, noisy_zogd.draw_inputs(BASE.single, STREAM, 0))
    for coupling, factor in zip(COUPLINGS, (2, 2, 3, 3), strict=True):
        params = replace(BASE, coupling=coupling)
        run = couplings.reference(params, BOTH, couplings.draw_inputs(params, STREAM, 0))
        assert run.calls == {name: factor * number for name, number in once.items()}


test_what_cannot_be_is_refused = refused(
    operator.call,
    (lambda: replace(BASE, noise=-1.0), "noise must be at least 0"),
    (
        lambda: couplings.cpu(BASE, Neighbouring(BOTH.own, losses.linear(FEATURES[:4])), Trials(STREAM, [0])),
        "4 records of 4 coordinates, the parameters say 5 of 4",
    ),
)
