"""Targets whose functions run in sandboxes give what they give without one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_content import NOISY_SUM, target_text, write

from dpaudit.attacks.histogram import Histogram
from dpaudit.attacks.linear_discriminant import LinearDiscriminant
from dpaudit.audit import tiers
from dpaudit.audit.accounts import Account
from dpaudit.audit.sandbox import isolation, remote_target
from dpaudit.audit.sandbox.remote_target import Handle, RemoteTarget
from dpaudit.audit.sandbox.session import Session
from dpaudit.audit.structural.finding import first_difference
from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.structural.training import Training
from dpaudit.confinement.limits import Limits
from dpaudit.content import items, loading, places
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.assumptions import Assumptions, Sampling
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

LIMITS = Limits(seconds=60.0)
CONTEXT = Context(seed=5, level=Level.SMOKE, alpha=1e-3)
TRIALS = Trials(Stream(3, "test"), np.arange(6))

SHIPPED = places.shipped_folder("audits")

EXTRA = """

class Records:
    def __init__(self, total):
        self.total = total

    def sum(self):
        return self.total


class Learned:
    def __init__(self, scale):
        self.scale = scale

    def fit(self, on_data, on_neighbour, data, neighbour, rng):
        shift = rng.normal() * 0 + np.mean(on_data) - np.mean(on_neighbour)
        return lambda outputs: self.scale * shift * outputs.reshape(len(outputs), -1)[:, 0]


def plain(outputs, data, neighbour):
    return outputs.reshape(len(outputs), -1)[:, 0] * (data.sum() - neighbour.sum())
"""

STRUCTURAL = """

def instrument(data, recorder):
    rng = np.random.default_rng(recorder.seed)
    scale = recorder.public("scale", 1.0)
    for step in range(recorder.public("steps", 3)):
        members = recorder.batch(np.flatnonzero(rng.random(len(data)) < 0.5))
        total = np.array([np.clip(data[members], -1, 1).sum()])
        value = recorder.release("sum", total, scale * rng.normal(size=1), sensitivity=1.0, noise_scale=1.0)
    {extra}
    recorder.output("last", value)
"""


@contextmanager
def opened(path: Path, name: str = "toy/sum") -> Iterator[Any]:
    with isolation.playing(path, name, LIMITS) as item:
        assert isinstance(item, remote_target.Remote)
        yield item.remote


def both(path: Path, name: str) -> tuple[Verdict, Verdict]:
    """The verdicts without a sandbox and with one, times aside."""
    found = []
    for isolate in (False, True):
        with isolation.playing(path, name, LIMITS, isolate) as item:
            assert isinstance(item, remote_target.Remote) is isolate
            found.append(replace(tiers.audit(item.carrier, CONTEXT), duration_s=0.0))
    return found[0], found[1]


def file(folder: Path, extra: str = "", **changes: Any) -> Path:
    return write(folder / "toy.py", target_text(**{"trials": 400, **changes}) + extra)


@pytest.mark.deep
def test_attacks_that_learn_and_compete_give_the_same_verdict(workdir: Path) -> None:
    attacks = "from dpaudit.attacks.histogram import Histogram\n"
    attacks += "ATTACKS = {'plain': plain, 'own': Learned(2.0), 'h': Histogram()}"
    plain, isolated = both(file(workdir, EXTRA + attacks, run=NOISY_SUM.format(scale=0.2)), "toy/sum")
    assert plain.outcome is Outcome.REFUTED
    assert isolated == plain


def test_data_that_cannot_travel_stays_there(workdir: Path) -> None:
    extra = EXTRA + "def neighbours(rng): return Records(rng.normal() + 5), Records(3.0)\nscore = plain\n"
    path = file(workdir, extra)
    with opened(path) as target:
        one, other = target.audit.neighbours(np.random.default_rng(1))
        assert (one, other) == (Handle("Records"), Handle("Records"))
        outputs = target.audit.run(one, TRIALS)
        assert abs(outputs.mean() - 5.3) < 2
        assert target.audit.score(outputs, one, other).shape == (6,)
    plain, isolated = both(path, "toy/sum")
    assert plain.outcome is not Outcome.ERROR
    assert isolated == plain


def test_the_generator_moves_on_as_it_did_there(workdir: Path) -> None:
    path = file(workdir, "\ndef neighbours(rng): return rng.normal(size=3), rng.normal(size=2)\n")
    here, there = np.random.default_rng(7), np.random.default_rng(7)
    [plain] = loading.load_targets([path])
    with opened(path) as target:
        assert isinstance(plain, items.Loaded)
        for mine, sent in zip(plain.carrier.neighbours(here), target.audit.neighbours(there), strict=True):
            np.testing.assert_array_equal(mine, sent)
    assert here.bit_generator.state == there.bit_generator.state


def test_the_pair_that_is_known_sooner_is_another_one(workdir: Path) -> None:
    extra = EXTRA + "def neighbours(rng): return Records(2.0), Records(3.0)\nscore = plain\n"
    extra += "def first_neighbours(rng): return Records(rng.normal() + 50), Records(5.0)\n"
    path, rng = file(workdir, extra), np.random.default_rng(1)
    with opened(path) as target:
        late, _ = target.audit.neighbours(rng)
        first, other = target.audit.first_neighbours(rng)
        assert abs(target.audit.run(first, TRIALS).mean() - 50) < 5
        assert abs(target.audit.run(late, TRIALS).mean() - 2) < 2
        outputs = np.ones((6, 1))  # scored in another sandbox, which makes the pair again
        moved = np.random.default_rng(1).normal() + 45
        np.testing.assert_allclose(target.audit.score(outputs, first, other), moved)


def test_a_sandbox_may_make_copies_of_itself(workdir: Path) -> None:
    asked = "from dpaudit.audit import side_by_side\n    return str(side_by_side._Copies.allowed)"
    with opened(file(workdir, f"\ndef notes():\n    {asked},\n")) as target:
        assert target.audit.notes() == ("True",)


def test_a_score_never_sees_the_sandbox_that_trains(workdir: Path) -> None:
    run = "global SEEN; SEEN = len(data); " + NOISY_SUM.format(scale=1.0)
    path = file(
        workdir, "\nSEEN = 0\ndef score(outputs, data, neighbour): return np.full(len(outputs), SEEN)\n", run=run
    )
    with opened(path) as target:
        one, other = target.audit.neighbours(np.random.default_rng(1))
        assert set(target.audit.score(target.audit.run(one, TRIALS), one, other)) == {0}
        assert target.playing() is not target.scoring()


def test_data_sets_are_sent_once(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(file(workdir)) as target:
        one, other = target.audit.neighbours(np.random.default_rng(1))
        assert target.argument(target.playing(), one) == {"kept": "0/0"}
        assert target.argument(target.scoring(), other)["sent"] is other
        assert target.argument(target.scoring(), other) == {"kept": "0/1"}
        changed = one + 1
        assert target.argument(target.playing(), changed)["sent"] is changed


def test_attacks_of_dpaudit_are_made_here(workdir: Path) -> None:
    lines = (
        "from dpaudit.attacks.histogram import Histogram",
        "from dpaudit.attacks.linear_discriminant import LinearDiscriminant",
        "ATTACKS = {'a': Histogram(), 'b': LinearDiscriminant(), 'c': Learned(1.0), 'd': plain}",
    )
    with opened(file(workdir, EXTRA + "\n".join(lines))) as target:
        kinds = {name: type(attack) for name, attack in target.audit.attacks.items()}
    assert (kinds["a"], kinds["b"]) == (Histogram, LinearDiscriminant)
    assert kinds["c"] is remote_target.RemoteAttack


@pytest.mark.parametrize(
    "description",
    [
        {"module": "os", "class": "system", "fields": {}},
        {"module": "dpaudit.attacks.histogram", "class": "np", "fields": {}},
        {"module": "dpaudit.attacks.histogram", "class": "Callable", "fields": {}},
        {"module": "dpaudit.attacks.histogram", "class": "Histogram", "fields": {"nothing": 1}},
        {"module": 7, "class": "Histogram", "fields": {}},
    ],
)
def test_only_attacks_of_dpaudit_can_be_named(description: dict[str, Any]) -> None:
    with pytest.raises(ContentError):
        remote_target._own_attack(description)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("extra", "outcome"), [("", Outcome.CONSISTENT), ("np.random.seed(3)", Outcome.REFUTED)])
def test_the_structural_tier_gives_the_same_findings(workdir: Path, extra: str, outcome: Outcome) -> None:
    lines = (
        STRUCTURAL.format(extra=extra) + "\nfrom dataclasses import replace\nTARGET = replace(TARGET, trials=None)\n"
    )
    lines += "from dpaudit.records.assumptions import Assumptions\nfrom dpaudit.records.assumptions import Sampling\n"
    lines += "ASSUMPTIONS = Assumptions(sampling=Sampling('Poisson', 4, 2))\n"
    plain, isolated = both(file(workdir, lines, mu=1.8), "toy/sum")
    assert any("state" in e.detail and e.outcome is outcome for e in plain.evidence)
    assert isolated == plain


@pytest.mark.deep
@pytest.mark.parametrize("name", ["tools/dp_sgd_by_hand.py", "mechanisms/noisy_max.py"])
def test_shipped_targets_as_files_of_other_people(workdir: Path, name: str) -> None:
    path = write(workdir / Path(name).name, (SHIPPED / name).read_text(encoding="utf-8") + "# not as it shipped\n")
    item = loading.load_targets([path])[0]
    assert isinstance(item, items.Loaded)
    if item.record.trials is not None:
        path.write_text(path.read_text(encoding="utf-8") + "\nfrom dataclasses import replace\n"
                        "FEW = replace(AUDITS[0].target, trials=TrialPlan(400, 400, 400))\n"
                        "AUDITS = (replace(AUDITS[0], target=FEW),)\n")  # fmt: skip
    plain, isolated = both(path, item.name)
    assert plain.outcome is not Outcome.ERROR
    assert isolated == plain


def test_what_cannot_be_compared_says_so(workdir: Path) -> None:
    lines = STRUCTURAL.format(extra="recorder.public('rng', rng)")
    with (
        opened(file(workdir, lines)) as target,
        pytest.raises(ContentError, match=r"public value 'rng' is a Generator"),
    ):
        target.audit.instrument(np.ones(4), Recorder(seed=1))


DRAWING = """

import random

def instrument(data, recorder):
    rng = np.random.default_rng(recorder.seed)
    for step in range(3):
        members = recorder.batch(np.flatnonzero(rng.random(len(data)) < 0.7))
        kept = rng.random(len(members)) < 0.5
        signs = np.array([random.choice((-1.0, 1.0)) for _ in members])
        total = np.array([(kept * signs * np.clip(data[members], -1, 1)).sum() * rng.random()])
        recorder.release("sum", total, rng.normal(size=1), sensitivity=1.0, noise_scale=1.0)
"""


def test_draws_are_aligned_inside_the_sandbox(workdir: Path) -> None:
    data = np.arange(8.0) / 8
    with opened(file(workdir, DRAWING)) as target:
        training = Training(target.audit.instrument, 3, sampled=True)
        recorded = training.record(data)[0]
        for label, one, other in training.pairs(data, data[:-1]):
            for here, there in zip(one.releases, other.releases, strict=True):
                assert abs(here.statistic - there.statistic)[0] <= 7 / 8, label
            assert other.draws.misaligned == ()
        site = next(site for _, site, batch in recorded.draws.counts if batch == 2)
        salted = training.replay(recorded, data, salted=frozenset({site}))
    assert first_difference(recorded, salted)


def test_a_training_without_noise_is_played_there_too(workdir: Path) -> None:
    lines = (
        "from dataclasses import replace",
        "TARGET = replace(TARGET, canaries=1000)",
        "import numpy as np; from dpaudit import named_scores",
        "NAMES = np.arange(1000)",
        "def run(i, trials): return named_scores(NAMES, trials.stream.normals(trials.numbers, 0, len(i))[0])",
        "def without_noise(i, trials): return named_scores(NAMES, i)",
    )
    plain, isolated = both(file(workdir, "\n" + "\n".join(lines)), "toy/sum")
    assert "the same training without its noise is refuted" in plain.evidence[0].detail
    assert replace(isolated, replay="") == replace(plain, replay="")


def test_constants_and_assumptions_come_over(workdir: Path) -> None:
    lines = (
        "from dpaudit.records.assumptions import Assumptions",
        "from dpaudit.records.assumptions import Sampling",
        "ASSUMPTIONS = Assumptions(sampling=Sampling('Poisson', 10, 5), ordered=True)",
        "LAWS = ('identical', 'Gaussian at delta 0.1')",
        "REPETITIONS = TrialPlan(20, 30, 40)",
        "def bounds(scores_in, scores_out, delta, alpha): return float(scores_in.mean() - scores_out.mean() + delta)",
        "from dpaudit.audit.accounts import Account",
        "from dpaudit.records.mechanism import Gaussian, SelfComposed",
        "def accounts(): yield Account('three', SelfComposed(Gaussian(2.0), 3), 1e-5, float('inf'))",
    )
    path = file(workdir, "\n" + "\n".join(lines))
    [plain] = loading.load_targets([path])
    assert isinstance(plain, items.Loaded)
    with opened(path) as target:
        assert Assumptions(sampling=Sampling("Poisson", 10, 5), ordered=True) == target.audit.assumptions
        assert target.audit.laws == ("identical", "Gaussian at delta 0.1")
        assert TrialPlan(20, 30, 40) == target.audit.repetitions
        assert target.audit.bounds(np.ones(3), np.zeros(3), 0.5, 0.1) == 1.5
        assert target.audit.accounts() == list(plain.carrier.accounts())
        assert target.audit.instrument is None


@pytest.mark.parametrize(
    "description",
    [
        {},
        {"target": 7},
        {"target": {"type": "Target"}},
        {"target": {"type": "Popen", "args": "ls"}},
        {"target": {"type": "TrialPlan", "smoke": 2, "standard": 2, "deep": 2}},
    ],
)
def test_descriptions_that_lie(tmp_path: Path, description: dict[str, Any]) -> None:
    with pytest.raises(ContentError):
        RemoteTarget(description, tmp_path / "toy.py", LIMITS)


class Described:
    """Stands for a session that answers `describe` as it is told."""

    limits = LIMITS

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def call(self, name: str) -> Any:
        return self.answer

    def here(self, text: str, place: Any) -> str:
        return text


@pytest.mark.parametrize(
    "wrong",
    [
        {"functions": None},
        {"attacks": [["score", {}]]},
        {"attacks": {"a": {"module": "dpaudit.attacks.none", "class": "None"}}},
        {"laws": 7},
        {"repetitions": "x"},
        {"assumptions": 3},
        {"claim": 10**400},
    ],
)
def test_descriptions_that_lie_are_broken_files(workdir: Path, wrong: dict[str, Any]) -> None:
    """The plan goes on with the other files."""
    path = file(workdir)
    with Session(path, LIMITS) as opened_session:
        [description] = opened_session.call("describe")
    if "claim" in wrong:
        description["target"]["claim"]["delta"] = wrong["claim"]
        wrong = {}
    [item] = remote_target.described(Described([description | wrong]), path)  # type: ignore[arg-type]
    assert isinstance(item, items.Broken)
    assert re.search(
        "described no target|REPETITIONS must be a TrialPlan|answered without 'sampling'|no record", item.error
    )


def test_a_file_holds_a_thousand_targets_at_most(tmp_path: Path) -> None:
    answer = [{"error": "x" * 10**6}] * (remote_target.MOST_TARGETS + 1)
    with pytest.raises(ContentError, match="may hold 1000 targets"):
        remote_target.described(Described(answer), tmp_path / "many.py")  # type: ignore[arg-type]
    [item] = remote_target.described(Described(answer[:1]), tmp_path / "one.py")  # type: ignore[arg-type]
    assert isinstance(item, items.Broken)
    assert len(item.error) == 20_000


def test_an_attack_on_whole_numbers_starts_no_sandbox_for_other_outputs(workdir: Path) -> None:
    path = file(workdir, EXTRA + "Learned.whole_numbers = True\nATTACKS = {'own': Learned(2.0)}")
    rng = np.random.default_rng(0)
    with opened(path) as target:
        attack, (data, neighbour) = target.audit.attacks["own"], target.audit.neighbours(rng)
        fractions, whole = rng.normal(size=20), np.arange(20.0)
        assert attack.fit(fractions, fractions, data, neighbour, rng)(fractions).tolist() == [0.0] * 20
        assert target._scorer is None
        attack.fit(whole, whole, data, neighbour, rng)
        assert target._scorer is not None


@pytest.mark.parametrize("number", ["epsilon", "noise_multiplier"])
def test_an_account_with_an_integer_that_is_no_float_is_refused(number: str) -> None:
    mechanism = {"type": "Gaussian", "noise_multiplier": 10**400 if number == "noise_multiplier" else 1}
    account = {"label": "a", "mechanism": mechanism, "delta": 1e-5, "epsilon": 10**400 if number == "epsilon" else 1.0}
    with pytest.raises(ContentError, match="sent"):
        remote_target._made(Account, [account])
