"""The noise: known answers, equal bits on all backends, law, independence. Each statistical test has a
false-alarm probability of at most 1e-6 (|z| <= 4.892 or p >= 1e-6) and a fixed seed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from scipy import special, stats

from dpaudit.noise import kernels, tensors
from dpaudit.noise import stream as noise
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError, MissingPackageError

VECTORS = Path(__file__).parents[1] / "vectors"
LIMIT = 4.892
STREAM = Stream(20_261, "tests/noise")


def vectors(name: str) -> list[dict[str, Any]]:
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["cases"]


def words_of(texts: list[str]) -> list[int]:
    return [int(text, 16) for text in texts]


@pytest.mark.parametrize("case", vectors("philox4x32_10"), ids=lambda case: case["words"][0])
def test_philox_gives_the_known_answers_on_every_backend(case: dict[str, list[str]]) -> None:
    import torch

    counter, key, expected = (words_of(case[name]) for name in ("counter", "key", "words"))
    assert [int(word) for word in noise.philox(tuple(counter), tuple(key))] == expected
    block, step, low, high = counter
    # The numba kernel takes a trial as a signed number: its 64 bits are the two upper counter words.
    trial = int(np.uint64(low + (high << 32)).astype(np.int64))
    assert [int(word) for word in kernels.words(*key, block, step, trial)] == expected
    made = tensors.philox([torch.tensor([word]) for word in counter], tuple(key))
    assert [int(word) for word in made] == expected


@pytest.mark.parametrize("case", vectors("noise_stream"), ids=lambda case: case["key"][0])
def test_recorded_draws_never_change(case: dict[str, Any]) -> None:
    stream, trial = Stream(case["seed"], case["purpose"]), np.array([case["trial"]])
    assert list(stream.key) == words_of(case["key"])
    assert [x.hex() for x in stream.normals(trial, case["step"], 3)[0].tolist()] == case["normals"]
    assert int(stream.seeds(trial)[0]) == case["seed63"]


def same_bits(left: np.ndarray, right: np.ndarray) -> int:
    """How many float64 differ in any bit."""
    return int((left.view(np.int64) != right.view(np.int64)).sum())


def numpy_normals(stream: Stream, trials: np.ndarray, step: int, count: int) -> np.ndarray:
    return noise.inverse_normal(noise.bits_to_uniform(noise.uniform_bits(stream.key, trials, step, count)))


def test_a_million_normals_have_equal_bits_on_numpy_numba_and_torch() -> None:
    trials = np.arange(200_000) * 1_000_003
    expected = numpy_normals(STREAM, trials, 9, 5)
    assert same_bits(expected, STREAM.normals(trials, 9, 5)) == 0
    assert same_bits(expected, STREAM.torch_normals(trials, 9, 5).numpy()) == 0
    assert np.abs(expected).max() > 4.5, "the tails must be part of it"


def test_the_far_tails_have_equal_bits() -> None:
    import torch

    steps = np.arange(1, 50_000) * 2.0**-53
    powers = 2.0 ** -np.arange(1, 54)
    edges = np.array([0.075, 0.925, np.exp(-25.0), 0.5 - 2.0**-53, 0.5, 0.5 + 2.0**-52])
    ends = np.concatenate([steps, powers, edges, np.nextafter(edges, 1), np.nextafter(edges, 0)])
    uniform = np.concatenate([ends, 1 - ends])
    expected = noise.inverse_normal(uniform)
    compiled = np.array([kernels.inverse_normal(u) for u in uniform])
    assert same_bits(expected, compiled) == 0
    assert same_bits(expected, tensors.inverse_normal(torch, torch.from_numpy(uniform)).numpy()) == 0
    assert 8.2 < np.abs(expected).max() < 8.3
    assert np.isfinite(expected).all()


def test_the_quantile_is_accurate_and_odd() -> None:
    uniform = np.concatenate([STREAM.uniforms(np.arange(100_000), 0, 1)[:, 0], 2.0 ** -np.arange(2, 53)])
    ours, theirs = noise.inverse_normal(uniform), special.ndtri(uniform)
    # Near 1/2 both lose relative accuracy in u - 1/2; the absolute error stays at the last place of 1.
    assert np.abs(ours - theirs).max() <= 4e-15 * np.maximum(1, np.abs(theirs)).max()
    exact = np.array([2.0**-30, 0.25, 0.375, 0.046875])
    assert np.array_equal(noise.inverse_normal(1 - exact), -noise.inverse_normal(exact))


def test_uniforms_are_exact_and_inside() -> None:
    bits = np.array([0, (1 << 64) - 1, 1 << 63, (1 << 12) - 1], dtype=np.uint64)
    assert noise.bits_to_uniform(bits).tolist() == [2.0**-53, 1 - 2.0**-53, 0.5 + 2.0**-53, 2.0**-53]


@given(
    seed=st.integers(-(2**70), 2**70),
    trial=st.integers(0, 2**63 - 1),
    step=st.integers(0, 2**32 - 1),
    count=st.integers(0, 9),
)
def test_any_trial_can_be_made_again_alone(seed: int, trial: int, step: int, count: int) -> None:
    stream = Stream(seed, "again")
    alone = stream.normals(np.array([trial]), step, count)
    batch = kernels.draw(stream.key, np.array([5, trial, 6]), step, count + 3, True)
    assert alone.shape == (1, count)
    assert same_bits(batch[1:2, :count].copy(), alone) == 0
    assert same_bits(stream.torch_normals(np.array([trial]), step, count).numpy(), alone) == 0


def test_every_part_of_the_address_matters() -> None:
    draws = {
        "base": Stream(1, "a").uniforms([0], 0, 1),
        "seed": Stream(2, "a").uniforms([0], 0, 1),
        "purpose": Stream(1, "b").uniforms([0], 0, 1),
        "step": Stream(1, "a").uniforms([0], 1, 1),
        "trial": Stream(1, "a").uniforms([1], 0, 1),
        "upper trial": Stream(1, "a").uniforms([1 << 32], 0, 1),
        "index": Stream(1, "a").uniforms([0], 0, 2)[:, 1:],
        "block": Stream(1, "a").uniforms([0], 0, 3)[:, 2:],
        "part": Stream(1, "a").part("b").uniforms([0], 0, 1),
    }
    assert len({float(value[0, 0]) for value in draws.values()}) == len(draws)


def test_the_law_is_normal() -> None:
    draws = STREAM.normals(np.arange(200_000), 1, 5).ravel()
    n = draws.size
    assert stats.kstest(draws, "norm").pvalue > 1e-6
    for power, mean, variance in ((1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)):
        assert abs((draws**power).mean() - mean) <= LIMIT * np.sqrt(variance / n), f"moment {power}"


@pytest.mark.parametrize("index", range(4))
def test_uniform_at_every_index(index: int) -> None:
    draws = STREAM.uniforms(np.arange(100_000), 2, 4)[:, index]
    assert stats.kstest(draws, "uniform").pvalue > 1e-6


@pytest.mark.parametrize("what", ["trial", "step", "index", "purpose", "seed", "upper trial", "part"])
def test_neighbouring_streams_are_uncorrelated(what: str) -> None:
    """r sqrt(n) is standard normal for independent streams; squares catch common scales."""
    trials = np.arange(100_000)
    base = STREAM.normals(trials, 4, 2)[:, 0]
    other = {
        "trial": lambda: STREAM.normals(trials + 1, 4, 1)[:, 0],
        "step": lambda: STREAM.normals(trials, 5, 1)[:, 0],
        "index": lambda: STREAM.normals(trials, 4, 2)[:, 1],
        "purpose": lambda: Stream(STREAM.seed, "tests/noisf").normals(trials, 4, 1)[:, 0],
        "seed": lambda: Stream(STREAM.seed + 1, STREAM.purpose).normals(trials, 4, 1)[:, 0],
        "upper trial": lambda: STREAM.normals(trials + (1 << 32), 4, 1)[:, 0],
        "part": lambda: STREAM.part("x").normals(trials, 4, 1)[:, 0],
    }[what]()
    n = len(trials)
    assert abs(base @ other) / np.sqrt(n) <= LIMIT
    assert abs((base**2 - 1) @ (other**2 - 1)) / np.sqrt(4 * n) <= LIMIT


def test_a_float32_draw_is_the_rounded_float64_one() -> None:
    import torch

    trials = np.arange(1_000)
    rounded = STREAM.torch_normals(trials, 0, 3, dtype=torch.float32).numpy()
    assert rounded.dtype == np.float32
    assert np.array_equal(rounded, STREAM.normals(trials, 0, 3).astype(np.float32))


def test_seeds_are_distinct_63_bit_numbers() -> None:
    seeds = Trials(STREAM, np.arange(50_000)).seeds()
    assert seeds.dtype == np.int64
    assert seeds.min() >= 0
    assert len(set(seeds.tolist())) == 50_000  # a collision among them has probability 1.4e-10
    assert seeds.max() > 1 << 62


def test_trials_know_their_number_and_are_checked() -> None:
    assert len(Trials(STREAM, np.arange(7))) == 7
    with pytest.raises(ConfigurationError, match=r"trials must be a list of integers, got dtype float64"):
        Trials(STREAM, np.array([0.5]))


test_wrong_addresses_are_refused = refused(
    STREAM.normals,
    (([-1], 0, 1), r"trial numbers must be in \[0, 2\^63\), got -1"),
    (([[1]], 0, 1), r"shape \(1, 1\)"),
    (([1], -1, 1), r"step must be in \[0, 2\^32\), got -1"),
    (([1], 1 << 32, 1), r"step must be in"),
    (([1], 0, -1), r"count must be in"),
)


def test_without_torch_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackageError, match=r"pip install .* '.\[torch\]'"):
        STREAM.torch_normals([0], 0, 1)
    assert "'.[torch]'" in tensors.why_unavailable("cpu")
