"""The audits of jax-privacy and of accountants: what they assume of the package, and that they can fail."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.audit import tiers
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content import items, loading
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

pytest.importorskip("jax_privacy", reason="jax-privacy is not installed: pip install -e '.[third-party]'")

FOLDER = Path(__file__).parents[3] / "audits" / "third_party"
ITEMS = loading.load_targets([FOLDER / "jax_privacy", FOLDER / "dp_accounting"])
BY_NAME = {item.name: item for item in ITEMS if isinstance(item, items.Loaded)}


def file_of(name: str) -> Any:
    """The file that carries the target."""
    return loading.load_module(BY_NAME[f"jax-privacy/{name}"].path)


def audited(name: str, trials: int = 0) -> Verdict:
    """The verdict, with so many trials if any are given, at a false alarm of 1e-6."""
    item = BY_NAME[name]
    plan = TrialPlan(trials, trials, trials) if trials else item.record.trials
    return tiers.audit(audit_of(item.carrier, replace(item.record, trials=plan)), Context(1, Level.SMOKE, 1e-6))


def outputs(audit: Any, data: Any, number: int) -> Any:
    return audit.run(data, Trials(Stream(3, "jax"), np.arange(number)))


def recorded(audit: Any) -> Any:
    recorder = Recorder(seed=5)
    audit.instrument(audit.neighbours(np.random.default_rng(0))[0], recorder)
    return recorder.recording()


def test_every_file_loads_and_every_refutation_has_a_clean_twin_and_an_effect() -> None:
    assert len(BY_NAME) == len(ITEMS) >= 20
    shipped = {*BY_NAME, "discrete/float-grid"}
    for item in BY_NAME.values():
        assert item.record.optional
        assert item.record.isolate
        assert item.record.effect
        assert item.record.expects is Outcome.CONSISTENT or item.record.repair in shipped


class TestNoise:
    """Which numbers the noise can be, and that the audit sees too little of it."""

    def test_bfloat16_has_128_normal_numbers(self) -> None:
        known = file_of("gaussian-noise").normals("bfloat16")
        assert len(known) == 128
        assert -2.9 < known.min() < known.max() < 2.6

    @pytest.mark.deep
    def test_every_draw_in_single_precision_is_in_the_table(self) -> None:
        import jax

        known = file_of("gaussian-noise").normals("float32")
        drawn = np.asarray(jax.random.normal(jax.random.key(9), (200_000,)), dtype=np.float64)
        assert np.isin(drawn, known).all()
        assert len(known) <= 2**23

    @pytest.mark.deep(keep=1)
    @pytest.mark.parametrize("name", ["bfloat16-noise", "float32-bits"])
    def test_without_the_record_no_release_is_impossible_with_it_most_are(self, name: str) -> None:
        audit = BY_NAME[f"jax-privacy/{name}"].carrier
        data, neighbour = audit.neighbours(np.random.default_rng(0))
        [score] = audit.attacks.values()
        assert score(outputs(audit, neighbour, 2_000), data, neighbour).sum() == 0
        assert score(outputs(audit, data, 2_000), data, neighbour).mean() > 0.8

    def test_a_trial_is_the_same_alone_and_in_a_batch(self) -> None:
        audit = BY_NAME["jax-privacy/gaussian-noise"].carrier
        data, _ = audit.neighbours(np.random.default_rng(0))
        whole = outputs(audit, data, 6)
        assert np.array_equal(audit.run(data, Trials(Stream(3, "jax"), np.arange(4, 6))), whole[4:])

    def test_half_the_noise_is_refuted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from jax_privacy import noise_addition

        module, honest = file_of("gaussian-noise"), noise_addition.gaussian_privatizer
        module.training.cache_clear()
        monkeypatch.setattr(
            noise_addition, "gaussian_privatizer", lambda stddev, **rest: honest(stddev=stddev / 2, **rest)
        )
        found = audited("jax-privacy/gaussian-noise", 2_000)
        module.training.cache_clear()
        assert found.outcome is Outcome.REFUTED


class TestKeys:
    """Noise that is not fresh is seen in one recording."""

    @pytest.mark.deep
    def test_the_noise_of_the_last_row_goes_on(self) -> None:
        audit = BY_NAME["jax-privacy/dense-noise-exhausted"].carrier
        noise = [release.noise for release in recorded(audit).releases]
        rows = file_of("dense-noise").ROWS
        assert all(np.array_equal(noise[rows - 1], later) for later in noise[rows:])
        assert not np.array_equal(noise[rows - 2], noise[rows - 1])

    def test_a_row_for_every_step_is_fresh(self) -> None:
        noise = [release.noise for release in recorded(BY_NAME["jax-privacy/dense-noise"].carrier).releases]
        assert len({part.tobytes() for part in noise}) == len(noise)

    def test_a_plan_repeats_itself_whatever_the_seed(self) -> None:
        audit = BY_NAME["jax-privacy/plan-used-twice"].carrier
        other = Recorder(seed=6)
        audit.instrument(audit.neighbours(np.random.default_rng(0))[0], other)
        assert np.array_equal(recorded(audit).releases[0].noise, other.recording().releases[0].noise)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("name", "factor"), [("bfloat16-sum", 8.0), ("float16-clipping", 7.67)])
def test_a_record_moves_a_sum_in_low_precision_by_several_norms(name: str, factor: float) -> None:
    found = audited(f"jax-privacy/{name}")
    numbers = dict(found.witness)
    assert found.outcome is Outcome.REFUTED
    moved = float(numbers["sensitivity: distance"]) / float(numbers["sensitivity: sensitivity"])
    assert moved == pytest.approx(factor, rel=0.01)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("name", "share"), [("banded-noise", 1.0), ("banded-noise-normalised", math.sqrt(5) / 4)])
def test_the_noise_of_a_plan_over_what_its_event_accounts_for(name: str, share: float) -> None:
    """With the correlation taken out; six standard errors of the deviation, a false alarm of 2e-9."""
    audit = BY_NAME[f"jax-privacy/{name}"].carrier
    _, neighbour = audit.neighbours(np.random.default_rng(0))
    encoder = audit.run.__self__.encoder()
    independent = outputs(audit, neighbour, 1_024) @ encoder.T
    needed = file_of("banded-noise").NOISE_MULTIPLIER * np.linalg.norm(encoder, axis=0).max()
    assert independent.std() / needed == pytest.approx(share, abs=6 * share / math.sqrt(2 * independent.size))


@pytest.mark.deep
def test_a_clipping_norm_that_is_not_kept_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    module = file_of("dp-sgd")
    honest = module.clipped_sum()
    monkeypatch.setattr(module, "STEPS", 2)
    monkeypatch.setattr(
        module, "clipped_sum", lambda: lambda *given: {name: 2 * part for name, part in honest(*given).items()}
    )
    found = audited("jax-privacy/dp-sgd")
    assert found.outcome is Outcome.REFUTED
    assert any(str(name).startswith("sensitivity") for name, _ in found.witness)


class TestAuditor:
    """Bounds of CanaryScoreAuditor on scores without a signal."""

    scores = np.random.default_rng(4).normal(size=(2, 500))

    def test_identical_laws_get_an_epsilon_of_four_from_mu(self) -> None:
        assert BY_NAME["jax-privacy/epsilon-from-gdp"].carrier.bounds(*self.scores, 1e-5, 0.05) > 2

    @pytest.mark.parametrize("name", ["clopper-pearson", "clopper-pearson-both", "clopper-pearson-split"])
    def test_counts_get_none(self, name: str) -> None:
        assert BY_NAME[f"jax-privacy/{name}"].carrier.bounds(*self.scores, 1e-5, 0.05) == 0


class TestAccounts:
    """What is stated, and that a statement that is too small is refuted."""

    def test_the_cache_answers_for_other_parameters(self) -> None:
        more, less = BY_NAME["jax-privacy/cached-accountant"].carrier.accounts()
        assert more.epsilon == less.epsilon
        assert audited("jax-privacy/cached-accountant").outcome is Outcome.REFUTED

    def test_small_deltas_are_stated_too_small(self) -> None:
        found: list[Finding] = []
        from dpaudit.audit import accounts
        from dpaudit.records.privacy import Neighbours

        stated = BY_NAME["dp-accounting/pld-small-delta"].carrier.accounts()
        account = next(item for item in stated if item.delta == 1e-12)
        found += accounts.examine([account], Neighbours.ADD_OR_REMOVE)
        assert found[0].outcome is Outcome.REFUTED
        # How much hangs on the rounding of a Fourier transform, and so on the machine: 0.004 to 0.015 were seen.
        assert dict(found[0].numbers)["epsilon_lower"] - account.epsilon > 1e-3
