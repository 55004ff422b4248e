"""What opake's bounds are judged by: wrong guesses as they are, the exact law of the best threshold, laws of known
epsilon; and the record."""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess

import numpy as np
import opake_bounds
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from dpaudit.audit.laws import known_laws


@pytest.mark.parametrize("values", [2, 4, 1_000_000])
def test_the_fewest_errors_are_those_of_the_best_threshold(values: int) -> None:
    rng = np.random.default_rng(values)
    coins, scores = rng.random((200, 9)) < 0.5, rng.integers(values, size=(200, 9)).astype(float)
    fewest, threshold = opake_bounds.fewest_errors(scores, coins)
    for row in range(200):
        tried = [*scores[row], np.inf]
        assert fewest[row] == min(int(((scores[row] >= at) != coins[row]).sum()) for at in tried)
    assert opake_bounds.wrong_guesses(scores, coins, threshold[:, None]).tolist() == fewest.tolist()


LIBRARYS = """import json, sys
import numpy as np
from opake.auditing import canary_scores, one_run
from opake.auditing.types import CoinFlip

for scores, coins in json.load(sys.stdin):
    names, coins = np.arange(len(coins)), np.array(coins)
    flipped = CoinFlip(len(coins), names, coins, names[coins], names[~coins])
    estimate = one_run(canary_scores(np.array(scores), canary_indices=names), coin_flip=flipped)
    print(estimate._best_r_u()[1], estimate._best_r_u(0.5)[1])
"""
"""Wrong guesses as the library counts them, at its own threshold and at 1/2."""


def test_wrong_guesses_are_those_of_the_library() -> None:
    library = opake_bounds.TARGETS.LIBRARY
    if not os.environ.get(library.variable) and not library.installed():
        pytest.skip(f"opake is not installed, and {library.variable} names no Python that has it")
    rng = np.random.default_rng(8)
    coins = rng.random((50, 60)) < 0.5
    scores = np.concatenate([opake_bounds.scores_of(law, rng, coins) for law in opake_bounds.LAWS])
    coins = np.concatenate([coins] * len(opake_bounds.LAWS))
    asked = json.dumps(list(zip(scores.tolist(), coins.tolist(), strict=True)))
    argv = [library.executable(), "-W", "ignore", "-c", LIBRARYS]
    done = subprocess.run(argv, input=asked, capture_output=True, text=True, check=True)
    best, half = np.loadtxt(done.stdout.splitlines(), dtype=int).T
    assert opake_bounds.fewest_errors(scores, coins)[0].tolist() == best.tolist()
    assert opake_bounds.wrong_guesses(scores, coins, 0.5).tolist() == half.tolist()


@pytest.mark.parametrize("canaries", [1, 2, 5, 10])
def test_the_exact_law_without_signal_is_the_one_of_all_coins(canaries: int) -> None:
    coins = np.array(list(itertools.product((False, True), repeat=canaries)))
    fewest, _ = opake_bounds.fewest_errors(np.tile(np.arange(canaries, dtype=float), (len(coins), 1)), coins)
    for most in range(canaries // 2 + 1):
        assert opake_bounds.without_signal(canaries, most) == pytest.approx((fewest <= most).mean(), abs=1e-12)


def test_epsilons_are_those_of_the_laws_that_auditors_are_played_on() -> None:
    known = {law.name: law.epsilon for law in known_laws(1e-5)}
    for ours, theirs in (
        ("response 1", "randomised response, epsilon 1"),
        ("ranked 1", "randomised response, epsilon 1"),
        ("Laplace 1", "Laplace, epsilon 1"),
        ("Gaussian 1", "Gaussian, mu 1"),
    ):
        assert opake_bounds.truth(ours, 1e-5) == pytest.approx(known[theirs], abs=1e-6)
    assert opake_bounds.truth("no signal", 0.0) == 0
    assert opake_bounds.truth("Gaussian 1", 0.0) == math.inf


def test_a_fixed_threshold_errs_as_often_as_the_law_says() -> None:
    rng = np.random.default_rng(3)
    coins = rng.random((400, 1_000)) < 0.5
    rates = {"no signal": 0.5, "Laplace 1": 0.5 * math.exp(-0.5), "Gaussian 1": 0.30854}
    rates |= {f"{name} {size}": 1 / (1 + math.exp(size)) for name in ("response", "ranked") for size in (1.0, 4.0)}
    for law, rate in rates.items():
        scores = opake_bounds.scores_of(law, rng, coins)
        wrong = opake_bounds.wrong_guesses(scores, coins, opake_bounds.middle(law)).sum()
        assert abs(wrong - 4e5 * rate) < 5.5 * math.sqrt(4e5 * rate * (1 - rate)), law  # 4e-8 by chance, each


def test_how_often_bounds_err_is_counted_from_the_numbers_that_err() -> None:
    wrong = np.array([3] * 10 + [5] * 30 + [8] * 60)
    found = opake_bounds._errs(wrong, lambda number: 1.0 - number / 10, 0.45)
    assert (found["most_wrong"], found["above"]) == (5, 0.4)
    assert found["excess_median_95_99_largest"] == [-0.25, 0.25, 0.25, 0.25]
    assert opake_bounds._errs(wrong, lambda number: 0.0, 0.45)["above"] == 0


def record() -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = json.loads(opake_bounds.JSON.read_text(encoding="utf-8"))
    return found


def test_the_record_has_every_cell_and_the_exact_rates_agree_with_the_counted_ones() -> None:
    rows = record()["guesses"]
    cells = {(r["law"], r["canaries"], r["delta"], r["significance"], r["threshold"]) for r in rows}
    assert len(cells) == len(rows) == 3 * 2 * 4 * (2 * 7 + 1)  # Gaussian noise has no epsilon at delta 0
    exact = [row for row in rows if "exact" in row]
    assert len(exact) == 12
    for row in exact:
        assert row["exact"] == pytest.approx(opake_bounds.without_signal(row["canaries"], row["most_wrong"]))  # type: ignore[arg-type]
        assert abs(row["above"] - row["exact"]) < 5.5 * math.sqrt(row["exact"] / row["audits"])


def test_the_record_shows_the_repairs_within_their_significance() -> None:
    for row in record()["guesses"]:
        limit = row["significance"] + 5.5 * math.sqrt(row["significance"] / row["audits"])
        if row["threshold"] != "default":
            assert row["above"] <= limit, row
        elif row["law"] == "no signal":
            assert row["above"] > limit, row


def test_the_record_of_few_errors_is_exact_and_only_without_any_above_the_significance() -> None:
    """At a fixed threshold; mu is a thousandth below what is stated."""
    for row in record()["separated"]:
        kept = ndtr((row["stated_mu"] - 1e-3) / 2)
        exact = binom.sf(row["canaries"] - row["wrong"] - 1, row["canaries"], kept)
        assert row["exact_at_fixed_threshold"] == pytest.approx(exact, rel=0.01)
        assert (row["exact_at_fixed_threshold"] > row["significance"]) is (row["wrong"] == 0)
        valid = binom.cdf(row["wrong"], row["canaries"], ndtr(-row["valid_mu"] / 2))
        assert valid == pytest.approx(row["significance"], rel=0.01)


def test_canaries_that_are_told_together_have_the_same_errors_on_average() -> None:
    """But the number of errors varies more than the binomial one."""
    tails = np.array([opake_bounds.told_together(100, most) for most in range(101)])
    assert (1 - tails).sum() == pytest.approx(100 * ndtr(-0.5), abs=1e-4)
    assert tails[20] > 10 * binom.cdf(20, 100, ndtr(-0.5))
