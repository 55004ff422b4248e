"""Error against epsilon: intervals, calibration, choice of settings, pages; and that the shipped experiments load."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from utility import methods as utility
from utility.methods import Experiment, Mean, Method

from dpaudit.accounting.epsilon import promised_epsilon
from dpaudit.noise.stream import Trials
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.mechanism import Composed, Concentrated, Gaussian, Laplace, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View

DELTA = 1e-5


def gaussian(multiplier: float, neighbours: Neighbours = Neighbours.REPLACE_ONE) -> Promise:
    return Promise(Gaussian(multiplier), neighbours, View.TRANSCRIPT, "test")


class TestMeanInterval:
    def test_by_hand(self) -> None:
        """Mean 2, deviation 1, t(0.975; 2) = 4.302653."""
        found = utility.mean_interval([1.0, 2.0, 3.0])
        assert (found.low, found.high) == pytest.approx((2 - 4.302653 / math.sqrt(3), 2 + 4.302653 / math.sqrt(3)))
        assert utility.mean_interval([4.0, 4.0]) == Mean(4.0, 4.0, 4.0)
        assert utility.mean_interval([7.0]) == Mean(7.0, -math.inf, math.inf)

    @pytest.mark.parametrize("values", [[], [1.0, math.nan], [1.0, math.inf], [[1.0, 2.0]]])
    def test_what_has_no_mean(self, values: Any) -> None:
        with pytest.raises(ContentError, match="one finite number a trial"):
            utility.mean_interval(values)

    def test_coverage_for_normal_errors(self) -> None:
        """Exact for normal numbers: 4,000 intervals of 5; false alarm below 1e-8 (six standard errors)."""
        samples = np.random.default_rng(3).normal(size=(4_000, 5))
        covered = [m.low <= 0 <= m.high for m in map(utility.mean_interval, samples)]
        assert np.mean(covered) == pytest.approx(0.95, abs=6 * math.sqrt(0.95 * 0.05 / 4_000))


class TestForReplacement:
    def test_two_changes(self) -> None:
        twice = utility.for_replacement(gaussian(3.0, Neighbours.ZERO_OUT))
        assert twice.neighbours is Neighbours.REPLACE_ONE
        assert twice.mechanism == Gaussian(1.5)
        composed = Promise(SelfComposed(Gaussian(4.0), 4), Neighbours.ADD_OR_REMOVE, View.TRANSCRIPT, "test")
        assert utility.for_replacement(composed).mechanism == Gaussian(1.0)
        concentrated = Promise(Concentrated(0.3), Neighbours.ADD_OR_REMOVE, View.TRANSCRIPT, "test")
        assert utility.for_replacement(concentrated).mechanism == Concentrated(1.2)

    def test_a_replacement_stays(self) -> None:
        assert utility.for_replacement(gaussian(3.0)) == gaussian(3.0)

    @pytest.mark.parametrize("mechanism", [Laplace(1.0), Concentrated(0.1, 1e-6), Composed((Laplace(1.0),))])
    def test_what_does_not_double_here(self, mechanism: Any) -> None:
        with pytest.raises(ContentError, match="no promise for a replaced record"):
            utility.for_replacement(Promise(mechanism, Neighbours.ZERO_OUT, View.TRANSCRIPT, "test"))


class TestCalibratedNoise:
    @pytest.mark.parametrize("epsilon", [0.01, 0.2, 1.0, 8.0, 50.0])
    @pytest.mark.parametrize("scale", [1e-4, 1.0, 1e5])
    def test_the_epsilon_is_met_and_used_up(self, epsilon: float, scale: float) -> None:
        noise = utility.calibrated_noise(lambda noise: gaussian(noise / scale), epsilon, DELTA)
        assert 0.99 * epsilon <= promised_epsilon(gaussian(noise / scale), DELTA).upper <= epsilon

    def test_few_accounts_are_asked_for(self) -> None:
        asked: list[float] = []

        def promise(noise: float) -> Promise:
            asked.append(noise)
            return gaussian(noise)

        utility.calibrated_noise(promise, 2.0, DELTA)
        assert len(asked) <= 8

    def test_an_infinite_epsilon_asks_for_more_noise(self) -> None:
        def promise(noise: float) -> Promise:
            budget = 1 / noise**2 if noise > 30 else math.inf
            return Promise(Concentrated(budget), Neighbours.REPLACE_ONE, View.TRANSCRIPT, "test")

        noise = utility.calibrated_noise(promise, 0.1, DELTA)
        assert 0.099 <= promised_epsilon(promise(noise), DELTA).upper <= 0.1

    def test_no_noise_is_enough(self) -> None:
        never = Promise(Concentrated(math.inf), Neighbours.REPLACE_ONE, View.TRANSCRIPT, "test")
        with pytest.raises(ConfigurationError, match="no noise up to"):
            utility.calibrated_noise(lambda noise: never, 1.0, DELTA)


def shifted(data: float, setting: float, noise: float, trials: Trials) -> Any:
    """Outputs data + setting + noise z."""
    return data + setting + noise * trials.stream.normals(trials.numbers, 0, 1)[:, 0]


def squared(data: float, outputs: Any) -> Any:
    return (outputs - data) ** 2


def experiment(**changes: Any) -> Experiment:
    methods = (
        Method("noisy", (5.0, 0.0, math.inf), shifted, lambda setting, noise: gaussian(noise)),
        Method("exact", (0.0,), shifted),
    )
    made: dict[str, Any] = {"title": "t", "family": float, "errors": {"square": squared}, "methods": methods}
    return Experiment(**(made | {"epsilons": (1.0, 4.0), "trials": 2_000, "tuning_trials": 50} | changes))


class TestRows:
    def test_the_best_setting_at_the_calibrated_noise(self) -> None:
        """E (noise z)^2 = noise^2; false alarm below 1e-8 (six standard errors of 2,000 trials)."""
        made = utility.rows(experiment(), seed=3)
        assert [(row.method, row.epsilon) for row in made] == [("noisy", 1.0), ("noisy", 4.0), ("exact", None)]
        for row in made[:2]:
            assert row.setting == "0.0"
            assert 0.99 * row.epsilon <= promised_epsilon(gaussian(row.noise), DELTA).upper <= row.epsilon
            assert row.errors["square"].value == pytest.approx(row.noise**2, rel=6 * math.sqrt(2 / 2_000))
        assert made[2].errors["square"] == Mean(0.0, 0.0, 0.0)
        assert made[2].noise == 0.0

    def test_deterministic_in_the_seed(self) -> None:
        assert utility.rows(experiment(), 3) == utility.rows(experiment(), 3)
        assert utility.rows(experiment(), 3) != utility.rows(experiment(), 4)

    def test_settings_are_chosen_on_other_data(self) -> None:
        seen: list[float] = []

        def watching(data: float, setting: float, noise: float, trials: Trials) -> Any:
            seen.append(data)
            return shifted(data, setting, noise, trials)

        methods = (Method("m", (1.0, 2.0), watching, lambda setting, noise: gaussian(noise)),)
        utility.rows(experiment(methods=methods, epsilons=(1.0,)), seed=3)
        assert seen == [4.0, 4.0, 3.0]

    def test_settings_with_one_promise_share_a_calibration(self) -> None:
        asked: list[float] = []

        def promise(setting: float, noise: float) -> Promise:
            asked.append(noise)
            return gaussian(noise)

        utility.rows(experiment(methods=(Method("m", (0.0,) * 4, shifted, promise),), epsilons=(1.0,)), 3)
        alone = len(asked)
        asked.clear()
        utility.rows(experiment(methods=(Method("m", (0.0,), shifted, promise),), epsilons=(1.0,)), 3)
        assert alone == len(asked) + 3  # one look at what each of the others promises

    def test_a_method_needs_a_setting(self) -> None:
        with pytest.raises(ConfigurationError, match="settings"):
            Method("m", (), shifted)


def test_pages(tmp_path: Path) -> None:
    made = utility.rows(experiment(), 3)
    page = utility.report(experiment(), made, ["A note."], "python x.py", 3)
    lines = [line for line in page.splitlines() if line.startswith("|")]
    assert lines[0] == "| method | eps 1 | eps 4 |"
    assert lines[2].startswith(f"| noisy | {made[0].errors['square'].value:.3g} ± ")
    assert lines[3] == "| exact (not private) | 0 ± 0 | 0 ± 0 |"
    assert "A note." in page
    assert "`python x.py`, seed 3" in page
    utility.write(tmp_path / "new", "t", page, {"tables": [utility.record(experiment(), made)]})
    assert (tmp_path / "new" / "t.md").read_text(encoding="utf-8") == page
    kept = json.loads((tmp_path / "new" / "t.json").read_text(encoding="utf-8"))
    assert kept["tables"][0]["rows"][0]["errors"]["square"]["low"] == made[0].errors["square"].low


FOLDER = Path(__file__).parents[2] / "benchmarks" / "utility"
PAPERS = sorted(path.stem for path in FOLDER.glob("[a-z]*.py") if path.stem != "methods")


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(FOLDER)
    yield import_module
    for name in (*PAPERS, "_common"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_shipped_experiments_promise_a_replacement_at_one_noise(paper: str, shipped: Any) -> None:
    """Every method and setting is about a replaced record, and more noise promises more."""
    for method in shipped(paper).EXPERIMENT.methods:
        for setting in method.settings if method.promise else ():
            assert method.promise(setting, 100.0).neighbours is Neighbours.REPLACE_ONE


@pytest.mark.parametrize("paper", ["rbcd", "resque", "srgd", "zeroth"])
def test_more_noise_promises_more(paper: str, shipped: Any) -> None:
    for method in shipped(paper).EXPERIMENT.methods:
        if method.promise:
            small, large = (
                promised_epsilon(method.promise(method.settings[0], n), DELTA).upper for n in (100.0, 200.0)
            )
            assert large < small, method.name


def page_of(table: dict[str, Any], command: str, seed: int) -> str:
    """The page of a stored table, without notes."""
    means = [{name: Mean(**mean) for name, mean in row["errors"].items()} for row in table["rows"]]
    made = [utility.Row(**{**row, "errors": errors}) for row, errors in zip(table["rows"], means, strict=True)]
    private = {row.method: row.epsilon is not None for row in made}
    methods = [
        Method(name, (0.0,), shifted, (lambda _, noise: gaussian(noise)) if keeps else None)
        for name, keeps in private.items()
    ]
    of = Experiment(
        table["title"], lambda _: 0.0, dict.fromkeys(made[0].errors, lambda *_: np.zeros(1)), methods,
        table["epsilons"], table["delta"], table["trials"], table["tuning_trials"],
    )  # fmt: skip
    return utility.report(of, made, [], command, seed)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_shipped_pages_have_the_figures_that_were_measured(paper: str) -> None:
    folder = Path(__file__).parents[2] / "reports" / "utility"
    kept = json.loads((folder / f"{paper}.json").read_text(encoding="utf-8"))
    shipped = (folder / f"{paper}.md").read_text(encoding="utf-8").split("\n\n")
    for table in kept["tables"]:
        made = page_of(table, kept["command"], kept["seed"]).rstrip("\n").split("\n\n")
        assert [part for part in made if part not in [one.rstrip("\n") for one in shipped]] == []
        table["rows"][0]["errors"][next(iter(table["rows"][0]["errors"]))]["value"] *= 1.01
        assert page_of(table, kept["command"], kept["seed"]).split("\n\n")[3].rstrip("\n") not in shipped
