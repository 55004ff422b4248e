"""The binary tree and other factorisations of the summation matrix, in exact arithmetic where there is one."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.accounting import factorisations
from dpaudit.accounting.factorisations import (
    FACTORISATIONS,
    Factorisation,
    Node,
    complete_nodes,
    nodes_from_prefixes,
    nodes_of_prefix,
    nodes_with_item,
    prefix_matrix,
    prefixes_from_nodes,
    printed_nodes,
    square_root_coefficients,
    tree_factors,
    tree_schedule,
    unformed_prefixes,
)
from dpaudit.records.errors import ConfigurationError

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "srgd_tree.json").read_text(encoding="utf-8"))


def fractions(texts: list[str]) -> np.ndarray:
    """Rational numbers written as text."""
    return np.array([Fraction(text) for text in texts], dtype=object)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["steps"])
def test_known_trees(case: dict[str, Any]) -> None:
    steps = case["steps"]
    numbers = range(1, steps + 1)
    assert [[node.items[0], node.items[-1]] for node in complete_nodes(steps)] == case["nodes"]
    assert [node.number for node in complete_nodes(steps)] == list(numbers)
    assert tree_schedule(steps).previous.tolist() == case["previous"]
    assert [list(nodes_of_prefix(t)) for t in numbers] == case["prefix_nodes"]
    assert [nodes_with_item(i, steps) for i in numbers] == case["nodes_with_item"]
    assert factorisations.most_nodes(steps) == case["most_nodes"]
    assert [node.number for node in printed_nodes(steps)] == case["printed_nodes"]
    assert list(unformed_prefixes(steps)) == case["unformed_prefixes"]


def test_a_prefix_is_the_disjoint_union_of_its_nodes() -> None:
    """By the definition of the node set, not by the bit tricks of the code."""
    for steps in range(1, 65):
        nodes = {Node(j, k) for k in range(8) for j in range(1, steps + 1, 2) if j * 2**k <= steps}
        assert nodes == set(complete_nodes(steps))
        by_number = {node.number: node for node in nodes}
        for t in range(1, steps + 1):
            items = [i for number in nodes_of_prefix(t) for i in by_number[number].items]
            assert sorted(items) == list(range(1, t + 1))
            assert len(nodes_of_prefix(t)) == t.bit_count() == tree_schedule(steps).depth[t - 1]
        counts = [sum(i in node.items for node in nodes) for i in range(1, steps + 1)]
        assert [nodes_with_item(i, steps) for i in range(1, steps + 1)] == counts
        assert max(counts) == counts[0] == factorisations.most_nodes(steps)
        assert max(len(nodes_of_prefix(t)) for t in range(1, steps + 1)) == factorisations.most_summands(steps)


def test_what_the_printed_node_set_lacks() -> None:
    """Exactly the nodes of the last prefix, for every T; and that is a rank, not only a matter of ways to sum."""
    for steps in range(1, 300):
        lacking = {node.number for node in complete_nodes(steps)} - {node.number for node in printed_nodes(steps)}
        assert lacking == set(nodes_of_prefix(steps))
        assert (len(unformed_prefixes(steps)) == 1) == (steps.bit_count() == 1)
    for steps in (5, 7, 8, 12):
        rows = np.array([[i in node.items for i in range(1, steps + 1)] for node in printed_nodes(steps)], dtype=float)
        for t in range(1, steps + 1):
            wanted = (np.arange(steps) < t).astype(float)
            formed = np.linalg.matrix_rank(np.vstack([rows, wanted])) == np.linalg.matrix_rank(rows)
            assert formed == (t not in unformed_prefixes(steps))


def test_the_base_of_the_number_of_levels() -> None:
    """ceil(log T) summands and 1 + ceil(log T) nodes suffice in base 2; with natural logarithms they do not."""
    for steps in range(2, 5000):
        assert factorisations.most_summands(steps) <= factorisations.ceil_logarithm(steps, "2")
        assert factorisations.most_nodes(steps) <= 1 + factorisations.ceil_logarithm(steps, "2")
        assert factorisations.ceil_logarithm(steps, "2") == math.ceil(math.log2(steps))
    assert (factorisations.most_summands(7), factorisations.ceil_logarithm(7, "e")) == (3, 2)
    assert (factorisations.most_nodes(16), 1 + factorisations.ceil_logarithm(16, "e")) == (5, 4)
    assert [node.number for node in printed_nodes(128) if node not in printed_nodes(128, "e")] == [64]


@pytest.mark.parametrize("steps", [1, 2, 3, 7, 8, 12, 31])
def test_the_factors_of_the_tree_are_exact(steps: int) -> None:
    left, right = tree_factors(steps)
    assert left.dtype == right.dtype == np.int64
    assert np.array_equal(left @ right, prefix_matrix(steps))
    for factor in (left, right):
        assert np.array_equal(np.tril(factor), factor)
        assert (np.diag(factor) == 1).all()
    assert right.sum(axis=0).tolist() == [nodes_with_item(i, steps) for i in range(1, steps + 1)]
    assert left.sum(axis=1).tolist() == tree_schedule(steps).depth.tolist()


@pytest.mark.parametrize("steps", [1, 5, 8, 13])
def test_streaming_in_few_vectors_gives_the_same_bits(steps: int) -> None:
    noise = np.random.default_rng(5).normal(size=(steps, 3))
    schedule, slots = tree_schedule(steps), np.zeros((factorisations.most_summands(steps) + 1, 3))
    expected = prefixes_from_nodes(noise)
    for t, depth in enumerate(schedule.depth):
        slots[depth] = slots[depth - 1] + noise[t]
        assert np.array_equal(slots[depth], expected[t])


def test_nodes_and_prefixes_by_hand() -> None:
    (case,) = VECTORS["sums"]
    items, noise = fractions(case["items"]), fractions(case["node_noise"])
    _, right = tree_factors(len(items))
    nodes = right.astype(object) @ items + noise
    assert nodes.tolist() == fractions(case["node_values"]).tolist()
    prefixes = prefixes_from_nodes(nodes, axis=0)
    assert prefixes.tolist() == fractions(case["noisy_prefixes"]).tolist()
    assert nodes_from_prefixes(prefixes, axis=0).tolist() == nodes.tolist()
    assert (prefixes - np.cumsum(items)).tolist() == prefixes_from_nodes(noise, axis=0).tolist()


def test_nodes_and_prefixes_along_any_axis() -> None:
    whole = np.random.default_rng(6).integers(-9, 9, size=(2, 6, 3))
    prefixes = prefixes_from_nodes(whole)
    assert np.array_equal(nodes_from_prefixes(prefixes), whole)
    assert np.array_equal(prefixes[1], tree_factors(6)[0] @ whole[1])
    assert np.array_equal(prefixes_from_nodes(whole.swapaxes(1, 2), axis=-1).swapaxes(1, 2), prefixes)


def test_the_square_root_is_exact() -> None:
    (case,) = VECTORS["square_root"]
    found = square_root_coefficients(40)
    assert [str(c) for c in found[:10]] == case["coefficients"]
    assert all(found[k] == Fraction(math.comb(2 * k, k), 4**k) for k in range(40))
    assert all(sum(found[j] * found[k - j] for j in range(k + 1)) == 1 for k in range(40))
    inverse = factorisations.square_root(10).increments[:, 0]
    assert inverse == pytest.approx([float(Fraction(c)) for c in case["inverse"]], abs=1e-15)


@pytest.mark.parametrize("name", FACTORISATIONS)
@pytest.mark.parametrize("steps", [1, 2, 7, 16])
def test_factorisations(name: str, steps: int) -> None:
    """Their noise has covariance left left^T, against which an item is worth its column norm and no more."""
    found = FACTORISATIONS[name](steps)
    assert (found.name, found.steps) == (name, steps)
    assert found.left @ found.right == pytest.approx(prefix_matrix(steps), abs=1e-12)
    assert found.increments @ found.right == pytest.approx(np.eye(steps), abs=1e-12)
    covariance = found.left @ found.left.T
    assert found.row_norms**2 == pytest.approx(np.diag(covariance))
    shifts = prefix_matrix(steps).astype(float)
    worth = np.sqrt(np.diag(shifts.T @ np.linalg.solve(covariance, shifts)))
    assert found.column_norms == pytest.approx(worth)
    assert found.sensitivity == pytest.approx(worth.max())
    steps_covariance = found.increments @ found.increments.T
    assert steps_covariance == pytest.approx(np.linalg.inv(found.right.T @ found.right), abs=1e-9)


def test_known_norms() -> None:
    assert factorisations.binary_tree(12).column_norms[0] == pytest.approx(2.0)
    assert factorisations.binary_tree(12).row_norms[6] == pytest.approx(math.sqrt(3))
    assert factorisations.independent_noise(9).row_norms[8] == pytest.approx(3.0)
    assert factorisations.independent_noise(9).sensitivity == 1.0
    assert factorisations.noise_per_prefix(9).sensitivity == pytest.approx(3.0)
    assert factorisations.noise_per_prefix(9).row_norms == pytest.approx(np.ones(9))
    root = factorisations.square_root(4)
    assert root.sensitivity**2 == pytest.approx(1 + 1 / 4 + 9 / 64 + 25 / 256)


def test_the_largest_error_at_equal_privacy() -> None:
    """Row norm times sensitivity: logarithmic for the tree and the root (c_k^2 <= 1/(pi k), k >= 1), else sqrt(T)."""
    for steps in (64, 1024):
        errors = {name: f(steps).row_norms.max() * f(steps).sensitivity for name, f in FACTORISATIONS.items()}
        assert errors["independent noise"] == pytest.approx(math.sqrt(steps))
        assert errors["noise per prefix"] == pytest.approx(math.sqrt(steps))
        most = factorisations.most_summands(steps) * factorisations.most_nodes(steps)
        assert errors["binary tree"] ** 2 == pytest.approx(most)
        assert errors["square root"] < errors["binary tree"]
        assert 1 + math.log(steps) / 4 < errors["square root"] < 1 + (1 + math.log(steps)) / math.pi


def test_what_is_no_factorisation_is_refused() -> None:
    ones, unit = prefix_matrix(3).astype(float), np.eye(3)
    with pytest.raises(ConfigurationError, match="lower triangular matrix of ones, got one 1"):
        Factorisation("none", unit, unit)
    with pytest.raises(ConfigurationError, match="square of one shape"):
        Factorisation("none", ones, np.eye(4))
    with pytest.raises(ConfigurationError, match="lower triangular matrix of ones"):
        Factorisation("none", ones * math.nan, unit)
    swap = np.eye(3)[[1, 0, 2]]
    with pytest.raises(ConfigurationError, match="no step needs a later item"):
        Factorisation("none", ones @ swap, swap)


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="steps must be at least 1, got 0"):
        complete_nodes(0)
    with pytest.raises(ConfigurationError, match="item must be from 1 to 4, got 5"):
        nodes_with_item(5, 4)
    with pytest.raises(ConfigurationError, match="steps must be from 1 to 2048"):
        prefix_matrix(2049)
    with pytest.raises(ConfigurationError, match="log_base must be one of '2', 'e', got '10'"):
        printed_nodes(8, "10")
