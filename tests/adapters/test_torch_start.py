"""Trainings that all start where trainings without noise end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit import claim
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit import tiers
from dpaudit.audit.randomness import frozen
from dpaudit.audit.sandbox import isolation
from dpaudit.audit.structural.recording import Recorder
from dpaudit.confinement.limits import Limits
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import View
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

torch = pytest.importorskip("torch")

STEPS, NOISE, SIZE = 4, 4.0, 50
RECORDS = np.random.default_rng(0).normal(3.0, 0.1, size=(SIZE, 2))
CLEAN = Assumptions(checked_records=True, shared_generators=True)
MU = STEPS**0.5 / NOISE


class Mean:
    """Descends to the mean of the records from a random start; starts: where it did; lr: of its steps; far: off."""

    def __init__(self, lr: float = 0.5, far: float = 0.0) -> None:
        self.starts: list[Any] = []
        self.lr, self.far = lr, far

    def __call__(self, records: Any, watch: Any) -> Any:
        mean = torch.nn.Parameter(torch.rand(2) + self.far)
        optimizer = torch.optim.SGD([mean], lr=self.lr)
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE)
        self.starts.append(mean.detach().clone().numpy())
        for _ in range(STEPS):
            own = mean.detach() - records.tensors()
            total = (own / own.norm(dim=1, keepdim=True).clamp(min=1.0)).sum(dim=0)
            mean.grad = (total + torch.normal(0.0, NOISE, (2,))) / SIZE
            optimizer.step()
        return {"mean": mean}


def made(train: Any, pretrain: Any = 20, **options: Any) -> TorchTraining:
    given = {"claim": claim(mu=MU), "records": RECORDS, "trials": None, "assumptions": CLEAN} | options
    return TorchTraining("test/start", train, pretrain=pretrain, **given)


def test_all_trainings_start_where_the_last_one_without_noise_ends() -> None:
    train = Mean()
    audit = made(train)
    audit.neighbours(np.random.default_rng(1))
    first, chosen = train.starts[1:21], train.starts[21:]  # the first one shows which parameters are trained
    assert np.all((first[0] >= 0) & (first[0] < 1))  # its own start
    moves = np.linalg.norm(np.diff([*first, chosen[0]], axis=0), axis=1)
    assert moves[0] == pytest.approx(STEPS * 0.5, rel=0.05)  # of steps without noise, each of which is clipped
    assert len(chosen) > 2
    assert np.all(np.array(chosen) == chosen[0])
    assert chosen[0] == pytest.approx(RECORDS.mean(axis=0), abs=0.01)


def test_the_same_generator_gives_the_same_start_and_the_same_pair() -> None:
    one, other, plain = Mean(), Mean(), Mean()
    pairs = [made(train, n).neighbours(np.random.default_rng(1)) for train, n in ((one, 2), (other, 2), (plain, 0))]
    assert np.array_equal(one.starts[3], other.starts[3])
    assert np.array_equal(pairs[0][0], pairs[1][0])
    assert len({tuple(start) for start in plain.starts}) > 1


@pytest.mark.deep
def test_a_sandbox_gives_the_same_start_each_time(workdir: Path) -> None:
    """It knows the state of the generator, and not the seed that it was made from."""
    path = workdir / "mine.py"
    path.write_text(
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_torch_start import Mean, made\nTRAIN = Mean()\nAUDIT = made(TRAIN, 2)\n"
        "def shown(): return [f'{start}' for start in TRAIN.starts]\nAUDIT.notes = shown\n"
    )
    told = []
    for _ in range(2):
        with isolation.playing(path, "test/start", Limits(seconds=120.0)) as item:
            item.carrier.neighbours(np.random.default_rng(1))
            told.append(item.carrier.notes())
    assert told[0][2] == told[1][2]


def test_another_generator_chooses_another_start() -> None:
    """A target that is audited twice with other seeds gives what each seed gives alone."""
    train, alone = Mean(), Mean()
    twice = made(train, 2)
    twice.neighbours(np.random.default_rng(1))
    before = len(train.starts)
    for audit in (twice, made(alone, 2)):
        audit.neighbours(np.random.default_rng(5))
    assert np.array_equal(train.starts[before : before + 2], alone.starts[1:3])
    assert np.all(np.array(train.starts[before + 2 :]) == alone.starts[3])


@pytest.mark.deep
def test_a_record_that_a_trained_model_has_not_seen_is_told_apart_better() -> None:
    """What the others move hardly hangs on the start, and the random start of each trial hides the rest."""

    def shown(pretrain: int, fixed: bool = True) -> float:
        plan = TrialPlan(400, 400, 400)
        audit = made(Mean(), pretrain, trials=plan, view=View.FINAL_MODEL, claim=claim(mu=MU), fixed_start=fixed)
        verdict = tiers.audit(replace(audit_of(audit), instrument=None), Context(3, Level.SMOKE, 1e-4))
        assert verdict.outcome is Outcome.CONSISTENT
        return float(dict(verdict.numbers)["mu_lower_95"])  # type: ignore[arg-type]

    assert shown(20) > 0.5 * MU > 2 * shown(0, fixed=False)
    assert shown(0) > 0.5 * MU


@pytest.mark.parametrize("fixed", [True, False])
def test_trials_start_at_one_place_unless_nobody_knows_the_start(fixed: bool) -> None:
    train, plan = Mean(), TrialPlan(40, 40, 40)
    audit = made(train, 0, trials=plan, fixed_start=fixed)
    data, _ = audit.neighbours(np.random.default_rng(1))
    train.starts.clear()
    audit.run(data, Trials(Stream(1, "trials"), np.arange(6)))
    assert len({tuple(start) for start in train.starts}) == (1 if fixed else 6)
    assert any("one place in all trials of the game" in note for note in audit.notes()) == fixed
    train.starts.clear()
    for seed in range(3):  # what the structural checks record has a start of its own
        with frozen(seed):
            audit.instrument(data, Recorder(seed=seed))
    assert len({tuple(start) for start in train.starts}) == 3


def test_a_start_that_is_not_random_is_no_news() -> None:
    def fixed(records: Any, watch: Any) -> Any:
        mean = torch.nn.Parameter(torch.zeros(2))
        optimizer = torch.optim.SGD([mean], lr=0.5)
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE)
        mean.grad = (records.tensors().clamp(-0.5, 0.5).sum(dim=0) + torch.normal(0.0, NOISE, (2,))) / SIZE
        optimizer.step()

    audit = made(fixed, 0, trials=TrialPlan(40, 40, 40))
    audit.neighbours(np.random.default_rng(1))
    assert not any("start:" in note for note in audit.notes())


@pytest.mark.deep
def test_a_model_of_another_shape_starts_by_itself() -> None:
    """The start is that of the first data set; where the other one has an output more, its own is taken."""

    def train(records: Any, watch: Any) -> Any:
        _, labels = records.tensors()
        model = torch.nn.Linear(2, int(labels.max()) + 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE)
        for p in model.parameters():
            p.grad = torch.normal(0.0, NOISE, p.shape) / SIZE
        optimizer.step()
        return model

    records = RECORDS, np.repeat([0, 1], SIZE // 2)
    audit = made(train, 0, records=records, trials=TrialPlan(40, 40, 40))
    verdict = tiers.audit(audit_of(audit), Context(3, Level.SMOKE, 1e-4))
    assert verdict.outcome is Outcome.REFUTED, [one.detail for one in verdict.evidence]
    assert "is (4,), on the neighbour (2,)" in verdict.statement


def test_a_start_that_hangs_on_the_records_is_left_as_it_is() -> None:
    """One place for all trials would hide what it tells of them."""

    def train(records: Any, watch: Any) -> Any:
        mean = torch.nn.Parameter(torch.rand(2) + records.tensors().sum(dim=0))
        optimizer = torch.optim.SGD([mean], lr=0.5)
        watch(optimizer, clip_norm=1.0, noise_multiplier=NOISE, batch_size=SIZE)
        total = (mean.detach() - records.tensors()).clamp(-0.5, 0.5).sum(dim=0)
        mean.grad = (total + torch.normal(0.0, NOISE, (2,))) / SIZE
        optimizer.step()
        return {"mean": mean}

    audit = made(train, 0, trials=TrialPlan(400, 400, 400), view=View.FINAL_MODEL)
    verdict = tiers.audit(replace(audit_of(audit), instrument=None), Context(3, Level.SMOKE, 1e-4))
    assert verdict.outcome is Outcome.REFUTED
    assert "start:" not in verdict.statement


def test_the_structural_checks_start_there_and_the_verdict_says_so() -> None:
    train = Mean()
    verdict = tiers.audit(audit_of(made(train, 3)), Context(3, Level.SMOKE, 1e-4))
    assert verdict.outcome is Outcome.CONSISTENT
    assert np.all(np.array(train.starts[4:]) == train.starts[4])
    assert "start: where 3 trainings without noise end" in verdict.statement


def test_a_given_pair_starts_from_the_data_without_the_record() -> None:
    pair = (np.vstack([RECORDS, [[-90.0, -90.0]]]), RECORDS)
    train = Mean(lr=5.0)
    made(train, 3, records=None, pair=pair, claim=claim(mu=MU)).neighbours(np.random.default_rng(1))
    alone = Mean(lr=5.0)
    made(alone, 3).neighbours(np.random.default_rng(1))
    assert np.array_equal(train.starts[3], alone.starts[3])


@pytest.mark.parametrize("pretrain", [-1, 1.5, True, "3"])
def test_pretrain_is_a_number_of_trainings(pretrain: object) -> None:
    with pytest.raises(ConfigurationError, match="pretrain must be a number of trainings, at least 0"):
        made(Mean(), pretrain)


def test_trainings_that_cannot_be_pretrained_say_so() -> None:
    with pytest.raises(ContentError, match="not finite; give a smaller pretrain="):
        made(Mean(lr=float("inf"))).neighbours(np.random.default_rng(1))

    with pytest.raises(ContentError, match=r"their rounding, .*, would hide noise of scale 0\.08; give a"):
        made(Mean(lr=1.0, far=1e4), 2).neighbours(np.random.default_rng(1))

    def growing(records: Any, watch: Any) -> None:
        growing.width += 1  # type: ignore[attr-defined]
        weights = torch.nn.Parameter(torch.zeros(growing.width))  # type: ignore[attr-defined]
        watch(torch.optim.SGD([weights], lr=1.0))

    growing.width = 1  # type: ignore[attr-defined]
    with pytest.raises(ContentError, match=r"shapes \[\(3,\)\] now, and \[\(2,\)\] before"):
        made(growing).neighbours(np.random.default_rng(1))
