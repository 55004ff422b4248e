"""The description of an algorithm is data that travels as JSON."""

from __future__ import annotations

from dpaudit.records.algorithm import Algorithm, Backend
from dpaudit.records.serial import decode, encode


def test_a_description_comes_back() -> None:
    made = Algorithm("toy/ALG-1", "title", "Algorithm 1", "x <- 0", (("a", "b", "c"),), "x", "n")
    assert decode(encode(made)) == made


def test_the_three_forms() -> None:
    assert [backend.value for backend in Backend] == ["reference", "numba", "torch"]
