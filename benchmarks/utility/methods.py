"""Error against epsilon: methods at equal exact epsilon, their noise found from their own promises.

What is compared is what a user would get: each method promises the same epsilon at the same delta under the same
neighbouring relation, by the accountant of `dpaudit.accounting.epsilon` (upper ends), not by the constants of a
paper. Its setting (steps, step size, batch) is the best of a small public grid on data that are drawn from the same
family with another seed, so that the choice costs no privacy; it does assume that such data can be generated. A
method that is not private has no epsilon and one row.

Trials are runs of a method on one data set with noise of their own. Intervals are Student's at 95 %, for the mean over
these runs: they do not speak of other data sets, and of errors whose mean is far from normal they hold about.
Deterministic in the seed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from dpaudit.accounting.composition import gaussian_parameter
from dpaudit.accounting.epsilon import promised_epsilon
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.mechanism import Concentrated, Gaussian, Mechanism, Promise
from dpaudit.records.privacy import Neighbours
from dpaudit.records.validation import check_count, check_number

Array = NDArray[np.float64]

CONFIDENCE = 0.95
MOST_NOISE = 1e9
SLACK = 0.01
"""How far below the wanted epsilon a calibration may end, relatively."""
_FAR = 5.0


@dataclass(frozen=True)
class Mean:
    """A mean over trials and its interval; low = -inf and high = inf for one trial."""

    value: float
    low: float
    high: float


def mean_interval(values: ArrayLike, confidence: float = CONFIDENCE) -> Mean:
    """Student's interval for the mean of (trials,) numbers; ContentError for none, or numbers that are not finite."""
    sample = np.asarray(values, dtype=np.float64)
    check_number("confidence", confidence, above=0.0, most=1 - 2.0**-53)
    if sample.ndim != 1 or not sample.size or not np.isfinite(sample).all():
        raise ContentError(f"a mean needs one finite number a trial, got shape {sample.shape}")
    centre, count = float(sample.mean()), sample.size
    if count == 1:
        return Mean(centre, -math.inf, math.inf)
    reach = float(stdtrit(count - 1, (1 + confidence) / 2)) * float(sample.std(ddof=1)) / math.sqrt(count)
    return Mean(centre, centre - reach, centre + reach)


def for_replacement(promise: Promise) -> Promise:
    """What a Gaussian or zero-concentrated promise for one record added, removed or zeroed out says of a replacement.

    A replacement is two such changes: mu-GDP becomes 2 mu (Dong, Roth, Su 2022, theorem 2.14), rho-zCDP becomes 4 rho
    (Bun, Steinke 2016, proposition 1.9). A promise for a replacement is returned as it is. ContentError for others.
    """
    if promise.neighbours is Neighbours.REPLACE_ONE:
        return promise
    mechanism, mu = promise.mechanism, gaussian_parameter(promise.mechanism)
    twice: Mechanism
    if mu:
        twice = Gaussian(1 / (2 * mu))
    elif isinstance(mechanism, Concentrated) and mechanism.failure == 0:
        twice = Concentrated(4 * mechanism.rho)
    else:
        raise ContentError(f"no promise for a replaced record follows here from {mechanism}")
    return Promise(twice, Neighbours.REPLACE_ONE, promise.view, f"{promise.source}, twice")


def calibrated_noise(promise: Callable[[float], Promise], epsilon: float, delta: float) -> float:
    """A noise at which `promise(noise)` has between 0.99 `epsilon` and `epsilon` at `delta`, by its upper end.

    promise: of positive noises; its epsilon falls in them without jumps, and may be infinite. ConfigurationError if
    10^9 is not enough noise.
    """
    check_number("epsilon", epsilon, above=0.0)
    check_number("delta", delta, above=0.0, most=1 - 2.0**-53)
    tried: list[tuple[float, float]] = []  # log noise, log of epsilon over what is wanted

    def excess(log_noise: float) -> float:
        found = promised_epsilon(promise(math.exp(log_noise)), delta).upper / epsilon
        tried.append((log_noise, min(max(math.log(found), -_FAR), _FAR) if found > 0 else -_FAR))
        return tried[-1][1]

    place, over = 0.0, excess(0.0)
    while not -SLACK <= over <= 0:
        place = _next_place(tried)
        if place > math.log(MOST_NOISE):
            raise ConfigurationError(f"no noise up to {MOST_NOISE:g} gives epsilon {epsilon} at delta {delta}")
        over = excess(place)
    return math.exp(place)


def _next_place(tried: Sequence[tuple[float, float]]) -> float:
    """Between the nearest places on both sides, by a straight line where it falls inside, else in the middle."""
    below = max((pair for pair in tried if pair[1] > 0), default=None)
    above = min((pair for pair in tried if pair[1] <= 0), default=None)
    if above is None or below is None:
        last, over = tried[-1]
        return last + math.copysign(min(max(abs(over), 0.1), 2.0), over)
    (low, over), (high, under) = below, above
    share = (over + SLACK / 2) / (over - under)
    stuck = len(tried) % 4 == 0 or over == _FAR or under == -_FAR
    return low + (0.5 if stuck else min(max(share, 0.02), 0.98)) * (high - low)


@dataclass(frozen=True)
class Method:
    """One row of a table.

    settings: the public grid, at least one; run(data, setting, noise, trials) -> outputs, one row a trial;
    promise(setting, noise): what it promises of a replaced record, None for a method that is not private, whose noise
    is 0.
    """

    name: str
    settings: Sequence[Any]
    run: Callable[[Any, Any, float, Trials], Any]
    promise: Callable[[Any, float], Promise] | None = None

    def __post_init__(self) -> None:
        check_count(f"{self.name}: settings", len(self.settings))


@dataclass(frozen=True)
class Experiment:
    """Methods on one family of data.

    family(seed): a data set; errors: name -> (data, outputs) -> (trials,), the first of which the settings are chosen
    by; trials: of a row; tuning_trials: of a setting.
    """

    title: str
    family: Callable[[int], Any]
    errors: Mapping[str, Callable[[Any, Any], Array]]
    methods: Sequence[Method]
    epsilons: Sequence[float] = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
    delta: float = 1e-5
    trials: int = 100
    tuning_trials: int = 10


@dataclass(frozen=True)
class Row:
    """One method at one epsilon (None: not private); noise: as its promise reads it; setting: chosen, in words."""

    method: str
    epsilon: float | None
    noise: float
    setting: str
    trials: int
    errors: dict[str, Mean]


def rows(experiment: Experiment, seed: int) -> list[Row]:
    """All methods at all epsilons. Data have the seeds `seed` and, for the settings, `seed` + 1."""
    tuning, data, known = experiment.family(seed + 1), experiment.family(seed), _Calibrated(experiment.delta)
    made = []
    for method in experiment.methods:
        for epsilon in experiment.epsilons if method.promise else (None,):
            noises = [known.noise(method, setting, epsilon) for setting in method.settings]
            chosen = _chosen(experiment, method, tuning, noises, seed)
            setting, noise = method.settings[chosen], noises[chosen]
            stream = Stream(seed, f"utility/{experiment.title}/{method.name}/{epsilon}")
            outputs = method.run(data, setting, noise, Trials(stream, np.arange(experiment.trials)))
            errors = {name: mean_interval(error(data, outputs)) for name, error in experiment.errors.items()}
            made.append(Row(method.name, epsilon, noise, str(setting), experiment.trials, errors))
    return made


class _Calibrated:
    """Noises at `delta`, kept by what is promised at noise 1: settings that promise the same share one calibration."""

    def __init__(self, delta: float) -> None:
        self._delta, self._known = delta, dict[tuple[str, Mechanism, float], float]()

    def noise(self, method: Method, setting: Any, epsilon: float | None) -> float:
        promise = method.promise
        if promise is None or epsilon is None:
            return 0.0
        key = (method.name, promise(setting, 1.0).mechanism, epsilon)
        if key not in self._known:
            self._known[key] = calibrated_noise(lambda noise: promise(setting, noise), epsilon, self._delta)
        return self._known[key]


def _chosen(experiment: Experiment, method: Method, tuning: Any, noises: Sequence[float], seed: int) -> int:
    """The number of the setting with the least mean of the first error on the tuning data; infinite counts as worst."""
    if len(noises) == 1:
        return 0
    error, means = next(iter(experiment.errors.values())), []
    for number, (setting, noise) in enumerate(zip(method.settings, noises, strict=True)):
        stream = Stream(seed, f"utility tuning/{experiment.title}/{method.name}/{number}")
        outputs = method.run(tuning, setting, noise, Trials(stream, np.arange(experiment.tuning_trials)))
        with np.errstate(over="ignore", invalid="ignore"):
            mean = float(np.mean(error(tuning, outputs)))
        means.append(mean if math.isfinite(mean) else math.inf)
    return int(np.argmin(means))


def markdown(experiment: Experiment, made: Sequence[Row], error: str) -> str:
    """Methods by epsilons: mean and half the length of its interval."""
    head = ["method", *(f"eps {epsilon:g}" for epsilon in experiment.epsilons)]
    lines = [_line(head), _line(["---"] * len(head))]
    for method in experiment.methods:
        own = [_cell(row.errors[error]) for row in made if row.method == method.name]
        repeated = own * len(experiment.epsilons) if method.promise is None else own
        lines.append(_line([method.name if method.promise else f"{method.name} (not private)", *repeated]))
    return "\n".join(lines)


def _cell(mean: Mean) -> str:
    return f"{mean.value:.3g} ± {(mean.high - mean.low) / 2:.1g}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def report(experiment: Experiment, made: Sequence[Row], notes: Sequence[str], command: str, seed: int) -> str:
    """A page in markdown: one table for each error, and what has to be known about them."""
    about = (
        f"`{command}`, seed {seed}. Every method is (epsilon, {experiment.delta:g})-DP when one record is replaced, by "
        f"the project's accountants. Mean of {experiment.trials} runs on one data set ± half of Student's 95 % "
        "interval. Settings were chosen on generated data of the same family with another seed, "
        f"by the mean of the first error over {experiment.tuning_trials} runs."
    )
    tables = [f"## {name}\n\n{markdown(experiment, made, name)}" for name in experiment.errors]
    return "\n\n".join([f"# {experiment.title}", about, *notes, *tables]) + "\n"


def record(experiment: Experiment, made: Sequence[Row]) -> dict[str, Any]:
    """The rows and what they were made with, for JSON."""
    return {
        "title": experiment.title, "delta": experiment.delta, "epsilons": list(experiment.epsilons),
        "trials": experiment.trials, "tuning_trials": experiment.tuning_trials, "confidence": CONFIDENCE,
        "rows": [asdict(row) for row in made],
    }  # fmt: skip


def write(folder: Path, name: str, page: str, kept: Mapping[str, Any]) -> None:
    """`page` as `name`.md and `kept` as `name`.json in `folder`, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(page, encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
