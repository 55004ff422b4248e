"""The targets of private zeroth-order descent: exact laws, printed guarantees against corrected ones, planted bugs.

Statistical tests fail by chance with probability below 1e-7 each (six standard errors, or Hoeffding's inequality).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

from dpaudit.accounting.epsilon import gaussian_parameter
from dpaudit.algorithms.zeroth import dpzero, noisy_zogd
from dpaudit.algorithms.zeroth.accounting.batches import sampled_divergence
from dpaudit.algorithms.zeroth.accounting.calibration import closed_form
from dpaudit.algorithms.zeroth.accounting.exact_models import quadratic_rho
from dpaudit.algorithms.zeroth.accounting.hidden_state import best_window
from dpaudit.algorithms.zeroth.accounting.public_states import output_perturbation, public_states
from dpaudit.algorithms.zeroth.accounting.windows import Reading
from dpaudit.audit import tiers
from dpaudit.content.audits import Audit, audit_of
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_module, load_targets
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Concentrated, Gaussian, SelfComposed
from dpaudit.records.target import Control, TrialPlan
from dpaudit.records.verdict import Outcome

AUDITS = Path(__file__).parents[3] / "audits"
FOUND = load_targets([AUDITS / "zeroth"])
ITEMS = {item.name: item for item in FOUND if isinstance(item, Loaded)}
FACTORS = {
    "zeroth/noisy-zogd": 1.0,
    "zeroth/noisy-zogd-independent-directions": 1.0,
    "zeroth/dpzero": 1.0,
    "zeroth/dpzero-isotropic": 1.0,
    "zeroth/theorem-3.1-as-printed": 2.0,  # of sqrt(2 rho)
    "zeroth/theorem-3.1-isotropic-as-printed": 2.0,
    "known-bad/zeroth-clipped-mean": 3.0,  # n
    "known-bad/zeroth-noise-over-directions": 2.0,  # sqrt(K)
    "known-bad/zeroth-swapped-split": 2.0,  # sqrt(d/K)
}
PRINTED = [name for name, item in ITEMS.items() if item.record.repair and item.record.control is Control.NONE]


def module(name: str) -> Audit:
    return ITEMS[name].carrier


def params(name: str) -> Any:
    """Of the algorithm that a target runs: `run` binds them, or they are the file's only ones."""
    bound = getattr(module(name).run, "args", ())
    return bound[0] if bound else file_of(name).PARAMS


def with_params(name: str, others: Any) -> Audit:
    """The same target, whose algorithm runs with other parameters."""
    audit = module(name)
    return replace(audit, run=partial(audit.run.func, others))


def file_of(name: str) -> Any:
    return load_module(ITEMS[name].path)


def played(audit: Audit, trials: int, same_noise: bool = False) -> list[np.ndarray]:
    """Outputs on D and on D', of one noise for both sides or of two."""
    pair = audit.neighbours(np.random.default_rng(4))
    numbers = np.arange(trials)
    streams = [Stream(8, "" if same_noise else side) for side in "ab"]
    return [audit.run(data, Trials(s, numbers)) for data, s in zip(pair, streams, strict=True)]


def scores(name: str, trials: int, same_noise: bool = False) -> list[np.ndarray]:
    pair = module(name).neighbours(np.random.default_rng(4))
    return [module(name).score(outputs, *pair) for outputs in played(module(name), trials, same_noise)]


def outcome(audit: Audit, trials: int) -> Outcome:
    target = replace(audit.target, trials=TrialPlan(trials, trials, trials))
    return tiers.audit(audit_of(audit, target), Context(21, Level.SMOKE, 1e-6)).outcome


def claimed_mu(name: str) -> float:
    """mu of the claim, or sqrt(2 rho) of a concentrated one."""
    target = ITEMS[name].record
    if isinstance(target.claimed_mechanism, Concentrated):
        return math.sqrt(2 * target.claimed_mechanism.rho)
    return float(target.claim.guarantee.mu)


def test_every_file_is_a_target_and_every_printed_guarantee_has_a_repair() -> None:
    assert len(ITEMS) == len(FOUND) == 22
    assert len(PRINTED) == 7
    for name in PRINTED:
        printed, repaired = ITEMS[name].record, ITEMS[ITEMS[name].record.repair].record
        assert (printed.expects, repaired.expects) == (Outcome.REFUTED, Outcome.CONSISTENT)


@pytest.mark.parametrize(("name", "factor"), FACTORS.items())
def test_the_exact_mu_is_the_predicted_factor_times_the_claim(name: str, factor: float) -> None:
    """On equal noise and frames the log-likelihood ratio moves by mu^2 in every trial: no sampling error.

    Steep records, of slope 1e9, leave a trial unclipped with probability below 1e-8.
    """
    mu = gaussian_parameter(ITEMS[name].record.truth)
    assert mu == pytest.approx(factor * claimed_mu(name), rel=1e-12)
    here, there = scores(name, 50, same_noise=True)
    assert here - there == pytest.approx(np.full(50, mu**2), rel=1e-6)


@pytest.mark.parametrize("name", [*FACTORS, "zeroth/hidden-state-quadratic"])
def test_scores_have_the_law_of_the_truth(name: str) -> None:
    """N(mu^2/2, mu^2) on D and N(-mu^2/2, mu^2) on D': the noise is as large as the score believes."""
    mu = gaussian_parameter(ITEMS[name].record.truth)
    assert mu is not None
    for found, sign in zip(scores(name, 10_000), (1, -1), strict=True):
        assert found.mean() == pytest.approx(sign * mu**2 / 2, abs=6 * mu / math.sqrt(10_000))
        assert found.var() == pytest.approx(mu**2, rel=6 * math.sqrt(2 / 10_000))


@pytest.mark.parametrize("name", ["zeroth/noisy-zosgd", "zeroth/theorem-a.3-as-printed", "zeroth/hidden-state-frames"])
def test_scores_of_mixtures_are_exact_log_likelihood_ratios(name: str) -> None:
    """E_D min(1, 1/ratio) = E_D' min(1, ratio), both the integral of min(p, q); Hoeffding at 1e-7."""
    here, there = scores(name, 10_000)
    overlap = np.minimum(1, np.exp(-here)).mean() - np.minimum(1, np.exp(there)).mean()
    assert abs(overlap) < 2 * math.sqrt(math.log(4 / 1e-7) / (2 * 10_000))
    assert here.mean() > 0 > there.mean()


def test_the_score_of_batches_sums_over_all_batches() -> None:
    """Against the densities of every one of the 28 batches of each step, record by record."""
    target, code = module("zeroth/noisy-zosgd"), file_of("zeroth/noisy-zosgd")
    pair = target.neighbours(np.random.default_rng(0))
    outputs = target.run(pair[0], Trials(Stream(6, "batches"), np.arange(6)))
    batches = [list(batch) for batch in itertools.combinations(range(code.MANY), code.BATCH)]
    for row, found in zip(outputs, target.score(outputs, *pair), strict=True):
        likelihoods, point = np.ones(2), np.zeros(3)
        for after, frame in zip(row[:, :3], row[:, 3:].reshape(-1, 2, 3), strict=True):
            along, point = frame @ (after - point), after
            for side, data in enumerate(pair):
                slopes = np.clip(data @ frame.T, -code.CLIP_NORM, code.CLIP_NORM)
                means = -code.STEP_SIZE / code.DIRECTIONS * np.array([slopes[batch].mean(axis=0) for batch in batches])
                likelihoods[side] *= np.exp(-((along - means) ** 2).sum(axis=1) / (2 * code.BATCH_SPREAD**2)).mean()
        assert found == pytest.approx(math.log(likelihoods[0] / likelihoods[1]), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ["zeroth/noisy-zogd", "zeroth/noisy-zogd-independent-directions"])
def test_the_truth_is_what_the_algorithm_promises(name: str) -> None:
    promised = noisy_zogd.promise(params(name)).mechanism
    assert gaussian_parameter(promised) == pytest.approx(gaussian_parameter(ITEMS[name].record.truth), rel=1e-12)


def test_dpzero_promises_the_same_for_both_kinds_of_noise() -> None:
    for name in ("zeroth/dpzero", "zeroth/dpzero-isotropic"):
        promised = dpzero.promise(params(name)).mechanism
        assert gaussian_parameter(promised) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("name", ["zeroth/theorem-3.1-as-printed", "zeroth/theorem-3.1-isotropic-as-printed"])
def test_theorem_3_1_is_too_small_by_four(name: str) -> None:
    account = public_states(noisy_zogd.setting(params(name), 0.0), 1e-5)
    assert account.printed_rho == pytest.approx(ITEMS[name].record.claimed_mechanism.rho, rel=1e-9)
    assert account.rho / account.printed_rho == pytest.approx(4, rel=1e-6)


def test_batches_claim_what_the_algorithm_promises() -> None:
    promised = noisy_zogd.promise(params("zeroth/noisy-zosgd")).mechanism
    claimed = ITEMS["zeroth/noisy-zosgd"].record.claimed_mechanism
    assert isinstance(promised, SelfComposed)
    assert (promised.count, promised.mechanism.size, promised.mechanism.records) == (2, 2, 8)
    inner = claimed.mechanism.mechanism
    assert promised.mechanism.mechanism.noise_multiplier == pytest.approx(inner.noise_multiplier, rel=1e-12)


@pytest.mark.parametrize("order", [1.5, 2.0, 30.0, 1000.0])
def test_the_printed_divergence_of_batches_never_exceeds_log_2(order: float) -> None:
    noise = params("zeroth/theorem-a.3-as-printed").noise
    printed = sampled_divergence(order, 1 / 2, noise / 2, "printed")
    assert 0.5 * math.log(2) < printed <= math.log(2) * (1 + 1e-8)
    assert ITEMS["zeroth/theorem-a.3-as-printed"].record.claimed_mechanism.epsilon == math.log(2)


def test_the_displayed_recursion_pays_for_one_step() -> None:
    run = noisy_zogd.setting(params("zeroth/theorem-3.2-as-displayed"), 0.0, 0.0)
    displayed = best_window(run, 1e-5, Reading("printed", index_convention="display"))
    assert displayed.length == 1
    assert displayed.rho == pytest.approx(ITEMS["zeroth/theorem-3.2-as-displayed"].record.claimed_mechanism.rho)
    assert public_states(run, 1e-5).rho == pytest.approx(1 / 2, rel=1e-6)  # the repair: composition, 1-GDP
    assert best_window(replace(run, steps=10**6), 1e-5, Reading("printed", index_convention="display")).rho < 0.05


@pytest.mark.parametrize(("name", "share", "slope"), [("", 1 / 2, 1.0), ("-sign-canary", 2 / math.pi, 1e9)])
def test_the_mean_of_the_last_iterate(name: str, share: float, slope: float) -> None:
    """<w_T, v>: its mean moves by T eta 2 Delta/n times E<v, u>^2 or E|<v, u>|; on equal draws, so little noise."""
    audit, code = module(f"zeroth/last-iterate{name}"), file_of("zeroth/last-iterate")
    here, there = played(audit, 20_000, same_noise=True)
    unit = np.array([0.6, 0.8])
    moved = (there - here) @ unit
    expected = code.STEPS * 2 * code.CLIP_NORM / code.RECORDS * share
    assert moved.mean() == pytest.approx(expected, abs=6 * moved.std() / math.sqrt(20_000))
    canary = audit.neighbours(np.random.default_rng(4))[0][0]
    assert slope * 0.9 < np.linalg.norm(canary) / (1 if name else code.CLIP_NORM) < slope * 1.1


def test_the_law_given_the_directions_is_that_of_the_exact_model() -> None:
    name = "zeroth/hidden-state-frames"
    target, code = module(name), file_of(name)
    pair = target.neighbours(np.random.default_rng(1))
    outputs = target.run(pair[0], Trials(Stream(3, "frames"), np.arange(20)))
    (mean, other), spread = code.law_given_directions(outputs, *pair)
    run = noisy_zogd.setting(params(name), 1.0, 1.0)
    for row in range(20):
        frames = outputs[row, 2:].reshape(code.STEPS, 2, 1)
        apart = mean[row] - other[row]
        rho = quadratic_rho(run, np.eye(2), 2 * code.PLANE_WORST, frames)
        assert apart @ np.linalg.solve(spread[row], apart) / 2 == pytest.approx(rho, rel=1e-9)
        assert rho < public_states(run, 1e-5, "smooth and Lipschitz").rho


@pytest.mark.parametrize("name", ["zeroth/hidden-state-quadratic", "zeroth/hidden-state-frames"])
def test_the_hidden_state_claims_are_proved_and_their_assumptions_hold(name: str) -> None:
    target, bound = module(name), params(name)
    promised = noisy_zogd.hidden_state_promise(bound, 1e-5, 1.0, 1.0).mechanism
    assert isinstance(promised, Gaussian)
    claimed = target.target.claim.guarantee.mu
    assert 1 / promised.noise_multiplier <= claimed <= 1.001 / promised.noise_multiplier
    largest = max(np.linalg.norm(data, axis=1).max() for data in target.neighbours(np.random.default_rng(0)))
    assert bound.domain.radius + bound.perturbation + largest <= bound.clip_norm + 1e-12
    points = played(target, 4_000)[0][:, : len(bound.start)]
    assert np.linalg.norm(points, axis=1).max() < 0.75 * bound.domain.radius  # far from where it is projected


def test_composition_would_promise_less_than_the_hidden_state_bound() -> None:
    name = "zeroth/hidden-state-quadratic"
    target = ITEMS[name].record
    public = public_states(noisy_zogd.setting(params(name), 1.0, 1.0), 1e-5)
    assert math.sqrt(2 * public.rho) > 1.2 * target.claim.guarantee.mu
    assert gaussian_parameter(target.truth) < 0.5 * target.claim.guarantee.mu


def test_output_perturbation_forgets_the_last_step() -> None:
    name = "zeroth/output-perturbation-as-printed"
    target = ITEMS[name].record
    account = output_perturbation(noisy_zogd.setting(params(name), 0.0, 0.0), 1e-5, "smooth and Lipschitz")
    assert account.printed_rho == pytest.approx(target.claimed_mechanism.rho)
    corrected = ITEMS["zeroth/output-perturbation"].record.claim.guarantee.mu
    assert math.sqrt(2 * account.rho) == pytest.approx(corrected, rel=1e-6)


def test_the_last_point_in_the_disc_shows_more_than_printed_and_less_than_corrected() -> None:
    """At the threshold 0 both error rates are equal by symmetry: mu is at least 2 Phi^-1 of the true positive rate."""
    here, there = scores("zeroth/output-perturbation", 20_000)
    slack = 6 / math.sqrt(4 * 20_000)
    for rate in (np.mean(here > 0), np.mean(there < 0)):
        assert 2 * ndtri(rate - slack) > 0.5  # the printed rho is that of a 1/2-GDP mechanism
        assert 2 * ndtri(rate + slack) < 1.75


def test_corollary_3_3_holds_its_hypotheses_and_vanishes_with_the_radius() -> None:
    name = "zeroth/corollary-3.3-as-printed"
    target = ITEMS[name].record
    run = noisy_zogd.setting(params(name), 1.0, 1.0)
    found = closed_form(run, 0.01)
    assert found.violated == ()
    assert target.claim.guarantee.epsilon == pytest.approx(found.epsilon, rel=1e-3)
    assert closed_form(replace(run, radius=1e-8), 0.01).epsilon < 0.01
    sound = math.sqrt(2 * public_states(run, 0.01, "smooth and Lipschitz").rho)
    assert ITEMS["zeroth/corollary-3.3"].record.claim.guarantee.mu == pytest.approx(sound, rel=1e-3)
    assert file_of(name).SLOPE + run.radius + run.perturbation <= run.clip_norm + 1e-12


def test_a_smaller_ball_hides_nothing() -> None:
    """The direction of w_1, all that a small ball leaves, is the same to the bit for any smaller radius."""
    name = "zeroth/corollary-3.3"
    large, domain = played(module(name), 20)[0], params(name).domain
    smaller = with_params(name, replace(params(name), domain=replace(domain, radius=domain.radius / 2**20)))
    assert played(smaller, 20)[0] * 2**20 == pytest.approx(large, rel=1e-9)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("name", "times"), [("zeroth/coupling", 0.0), ("zeroth/coupling-as-printed", 1.0)])
def test_the_coupled_run_overshoots_by_k_minus_1_as_printed(name: str, times: float) -> None:
    """Linear records: with equal draws in mean, the coupled run is K - 1 = 1 change of the data too far."""
    canary = file_of(name).CANARY
    alone, coupled = (outputs @ canary for outputs in played(module(name), 20_000))
    change = 2 * 2 / 3 * (canary @ canary) * 2 / 2 / 2  # T (eta/K) (K/d) |2 v|^2/(2 n) with n = K = T = 2
    error = 6 * math.hypot(alone.std(), coupled.std()) / math.sqrt(20_000)
    assert (coupled - alone).mean() == pytest.approx(times * change, abs=error)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("name", "trials"), [(name, 20_000) for name in FACTORS if "known-bad" in name])
def test_planted_bugs_are_found(name: str, trials: int) -> None:
    assert outcome(module(name), trials) is Outcome.REFUTED


@pytest.mark.deep
@pytest.mark.parametrize("name", ["zeroth/noisy-zogd", "zeroth/dpzero", "zeroth/dpzero-isotropic"])
def test_noise_that_is_too_small_by_a_third_is_caught(name: str) -> None:
    assert outcome(module(name), 20_000) is Outcome.CONSISTENT
    quiet = with_params(name, replace(params(name), noise=params(name).noise * 2 / 3))
    assert outcome(quiet, 20_000) is Outcome.REFUTED
