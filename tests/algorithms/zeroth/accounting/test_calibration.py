"""Corollary 3.3 and figure 1(a): golden values, what the displays give away or take, conditions in words."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpaudit.algorithms.zeroth.accounting import calibration
from dpaudit.algorithms.zeroth.accounting.figure_1a import figure
from dpaudit.algorithms.zeroth.accounting.hidden_state import hidden_states, window_at
from dpaudit.algorithms.zeroth.accounting.public_states import Setting, converted, gaussian_bound, public_states
from dpaudit.algorithms.zeroth.accounting.windows import PRINTED, Reading
from dpaudit.records.errors import ConfigurationError

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "zeroth_accounting.json").read_text(encoding="utf-8"))
BASE = Setting(1000, 10_000, 1, 10**7, 1.0, 0.1, 1.0, radius=1.0, smoothness=1.0, convexity=0.9)
RUN = calibration.with_directions(BASE, 200)


@pytest.mark.parametrize("row", VECTORS["corollary_3_3"])
def test_every_display_has_its_golden_value(row: dict[str, Any]) -> None:
    fields = {name: value for name, value in row.items() if name in Setting.__dataclass_fields__}
    run = calibration.with_directions(Setting(**fields, step_size=1.0), row["directions"])
    found = calibration.closed_form(run, row["delta"])
    assert calibration.least_directions(run, row["delta"]) == pytest.approx(row["least_directions"], rel=1e-12)
    assert found.window == row["window"]
    for name in ("rho_27", "rho_29", "rho_33", "recomputed"):
        assert getattr(found, name) == pytest.approx(row[name], rel=1e-10), name
    assert found.failure == pytest.approx(row["failure"], rel=1e-10)
    assert found.violated == ()
    expected = (
        converted(found.rho_33, row["delta"]) if found.failure == 0 else converted(found.rho_29, row["delta"] / 2)
    )
    assert found.epsilon == expected


@pytest.mark.parametrize(
    ("n", "d", "delta", "least"),
    [(1000, 10**4, 1e-5, 171.8), (10**4, 10**6, 1e-5, 203.7), (60_000, 10**6, 1e-6, 232.2)],
)
def test_the_smallest_k(n: int, d: int, delta: float, least: float) -> None:
    run = replace(BASE, records=n, dimension=d)
    assert calibration.least_directions(run, delta) == pytest.approx(least, abs=0.05)
    appendix = calibration.least_directions(run, delta, "appendix")
    assert appendix < least  # M R n sqrt(2d)/Delta is K times the appendix' argument
    for k, holds in ((int(appendix), True), (int(appendix) - 1, False)):
        fits = calibration.with_directions(run, k)
        steps = calibration.saturation_steps(fits)
        needed = 20 / (3 * calibration.slack_of(fits) ** 2) * math.log(4 / delta * steps)
        assert (k >= needed) is holds


def test_the_failure_is_what_the_range_of_k_is_for() -> None:
    """(31) at the smallest K is delta/2 at most, and printed tails at e = (1-c^2)/(1+c^2) are below (31)."""
    for delta in (1e-3, 1e-5, 1e-9):
        run = calibration.with_directions(BASE, math.ceil(calibration.least_directions(BASE, delta, "appendix")))
        found = calibration.closed_form(run, delta, "appendix")
        assert found.violated == ()
        assert 0.01 * delta < found.failure <= delta / 2
        exact = window_at(run, delta, found.window, calibration.slack_of(run), PRINTED)
        assert exact.growth == pytest.approx(1.0)
        assert exact.failure <= found.failure


def test_27_29_and_the_minimum_of_the_theorem() -> None:
    """(29) is half of (27) at (28); the minimum with the 2 that the inequalities give is sqrt 2 above (29)."""
    found = calibration.closed_form(RUN, 1e-5)
    assert found.rho_27 == pytest.approx(2 * found.rho_29, rel=1e-4)
    unit = found.rho_29 / math.sqrt(2)  # 8 Delta R sqrt(d)/(eta n sigma^2)
    with_two = min(2 * n * 4e-6 / 0.01 + 2 * 4 * 10**4 / (n * 200**2 * 0.01) for n in range(300, 1500))
    assert with_two == pytest.approx(2 * unit, rel=1e-4)
    slack = calibration.slack_of(RUN)
    best = min(window_at(RUN, 1e-5, n, slack, Reading("printed", free_split=True)).rho for n in range(300, 800))
    assert best == pytest.approx(unit, rel=1e-4)


def test_29_is_below_the_minimum_of_the_theorem_for_small_step_sizes() -> None:
    """(1 + x) 8 Delta R sqrt(d)/(eta n sigma^2), x = n c2 sqrt(d)/(2 Delta eta) = 1/(sqrt 2 eta) at the largest xi."""
    for smoothness, optimistic in ((1000.0, True), (200.0, True), (100.0, False), (1.0, False)):
        run = calibration.with_directions(replace(BASE, smoothness=smoothness, convexity=0.9 * smoothness), 300)
        xi = 2 / (1000 * run.step_size * smoothness * math.sqrt(2 * 10**4))
        run = replace(run, perturbation=xi * (1 - 1e-12))
        assert calibration.closed_form(run, 1e-5).violated == ()
        exact = (1 + 1 / (math.sqrt(2) * run.step_size)) * 8 * 100 / (run.step_size * 1000 * 0.01)
        scale = 1000 * math.sqrt(10**4) / run.step_size  # the best N is of this order
        slack, free = calibration.slack_of(run), Reading("printed", free_split=True)
        lengths = {round(scale * factor / 200) for factor in range(40, 400)}
        least = min(window_at(run, 1e-5, length, slack, free).rho for length in lengths)
        assert least == pytest.approx(exact, rel=2e-3)
        assert (calibration.closed_form(run, 1e-5).rho_29 < least) is optimistic


def test_the_condition_on_xi_is_too_weak_for_small_step_sizes() -> None:
    """eta = 1/2: at the largest printed xi the bracket of (25) is 5 times its first term where (27) has 2 times."""
    run = calibration.with_directions(replace(BASE, smoothness=600.0, convexity=540.0), 300)
    xi = 2 / (1000 * run.step_size * 600 * math.sqrt(2 * 10**4))
    first, second = (2 / 1000) ** 2, 2 * (run.step_size * 600 * xi) ** 2 * 10**4 / run.step_size**2
    assert (first + second) / first == pytest.approx(5)
    run = replace(run, perturbation=0.999 * xi)
    found = calibration.closed_form(run, 1e-5)
    assert found.violated == ()
    slack = calibration.slack_of(run)
    longer = window_at(run, 1e-5, 3 * found.window, slack, PRINTED).rho
    assert longer > 2 * 3 * found.window * first / 0.01 + 16 * 10**4 / (3 * found.window * 0.25 * 0.01)


def test_the_printed_bound_jumps_up_where_it_saturates() -> None:
    window = calibration.saturation_steps(RUN)
    before = calibration.closed_form(replace(RUN, steps=window - 1), 1e-5)
    after = calibration.closed_form(replace(RUN, steps=window), 1e-5)
    assert after.rho_29 / before.rho_33 == pytest.approx(4, rel=0.01)
    assert after.epsilon > before.epsilon
    assert before.sound <= before.epsilon
    assert after.sound <= converted(after.recomputed, 1e-5 - after.failure)


def test_crossings() -> None:
    """With equal delta (33) reaches the rho of (29) at 4 N, theorem 3.1 at 16 N; the first T is exact."""
    window = RUN.records * math.sqrt(2 * 10**4) / 200
    rho = calibration.closed_form(RUN, 1e-5).rho_29
    level = converted(rho, 1e-5)
    run = replace(RUN, b_dir=1.0)
    assert calibration.crossing_steps(run, 1e-5, level, "(33)") == pytest.approx(4 * window, abs=1)
    assert calibration.crossing_steps(run, 1e-5, level, "theorem 3.1") == pytest.approx(16 * window, abs=1)
    exact = gaussian_bound(rho, 1e-5)
    first = calibration.crossing_steps(run, 1e-5, exact)
    assert first == pytest.approx(4 * window, abs=1)
    assert public_states(replace(run, steps=first), 1e-5).epsilon > exact
    assert public_states(replace(run, steps=first - 1), 1e-5).epsilon <= exact


def test_rho_is_inversely_proportional_to_k_and_epsilon_is_not() -> None:
    one, four = (calibration.closed_form(calibration.with_directions(BASE, k), 1e-5) for k in (200, 800))
    assert one.rho_29 / four.rho_29 == pytest.approx(4)
    assert 2 < one.epsilon / four.epsilon < 2.7


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"directions": 100, "step_size": 100.0}, "K = 100 >= 171.795"),
        ({"directions": 6000, "step_size": 6000.0}, "K = 6000 <= d/2 = 5000"),
        ({"step_size": 100.0}, "eta = 100 = K/M = 200"),
        ({"perturbation": 1.0}, "xi = 1 <= 7.07107e-08"),
    ],
)
def test_a_condition_that_fails_is_named_and_nothing_is_promised(change: dict[str, Any], words: str) -> None:
    found = calibration.closed_form(replace(RUN, steps=100, **change), 1e-5)
    assert words in found.violated
    assert found.epsilon == math.inf


def test_errors() -> None:
    with pytest.raises(ConfigurationError, match=r"corollary 3\.3 needs c < 1, got c = 1; give convexity > 0"):
        calibration.closed_form(replace(RUN, convexity=0.0), 1e-5)
    with pytest.raises(ConfigurationError, match=r"radius must be finite for corollary 3\.3, got inf"):
        calibration.saturation_steps(replace(RUN, radius=math.inf))
    with pytest.raises(ConfigurationError, match="smoothness must be above 0 for eta = K/M, got 0"):
        calibration.with_directions(replace(RUN, smoothness=0.0, convexity=None), 3)
    with pytest.raises(ConfigurationError, match="logarithm must be one of 'main text', 'appendix', got 'both'"):
        calibration.least_directions(RUN, 1e-5, "both")
    with pytest.raises(ConfigurationError, match="composition must be one of 'sound', 'theorem"):
        calibration.crossing_steps(RUN, 1e-5, 1.0, "printed")
    with pytest.raises(ConfigurationError, match=r"K must be from 1 to d/2 = 50, got \[.*\]; change multiples"):
        figure(dimension=100)


@pytest.mark.deep
def test_figure_1a() -> None:
    """The shape of the text: composition grows, output perturbation is constant, hidden states follow and stay."""
    found = figure(points=14)
    composition, output, *hidden = found.curves
    assert [curve.directions for curve in hidden] == [172, 344, 859]
    assert found.saturation == (823, 412, 165)
    at_first = replace(BASE, noise=found.noise, b_dir=1.0, steps=823)
    assert public_states(at_first, 1e-5).printed_epsilon == pytest.approx(1.0)
    for values in (composition.printed, composition.sound):
        assert list(values) == sorted(values)
    assert composition.printed[-1] > 3
    assert len(set(output.printed)) == len(set(output.sound)) == 1
    assert min(output.sound) > max(output.printed)
    for curve, crossing in zip(hidden, found.crossing, strict=True):
        assert max(curve.sound) == pytest.approx(curve.sound[-1], rel=1e-3)
        assert curve.sound[0] < 0.2 * curve.sound[-1]
        assert all(true < said for true, said in zip(curve.sound, curve.printed, strict=True))
        late = [t for t, said in zip(found.steps, composition.printed, strict=True) if said > curve.printed[-1]]
        assert all(t >= crossing for t in late)
    ends = [curve.sound[-1] for curve in hidden]
    assert ends == sorted(ends, reverse=True)
    for (printed, true), curve in zip(found.quarter, hidden, strict=True):
        assert 2.0 < printed < 2.2  # sqrt 4 and a little: epsilon is not inversely proportional to K
        assert 5 < true < 8, curve.label  # rho like K^-3/2 and windows that contract, c1 < 1
    assert hidden[0].sound[-1] == pytest.approx(
        hidden_states(replace(calibration.with_directions(BASE, 172), noise=found.noise), 1e-5).epsilon, rel=1e-3
    )
    clipped = figure(points=2, assumption="clipping")
    last = replace(at_first, steps=clipped.steps[-1])
    assert clipped.curves[0].sound[-1] == pytest.approx(public_states(last, 1e-5).epsilon)
    assert clipped.curves[0].sound[-1] > clipped.curves[0].printed[-1]
