"""Counts of the nodes of a binary tree over the steps of a method: conditions that a claim file can use.

The tree has the steps 1, 2, ... as its leaves; a node covers 2^k steps that end at a multiple of 2^k (Dwork, Naor,
Pitassi and Rothblum 2010; Chan, Shi and Song 2011).
"""

from __future__ import annotations


def prefix_nodes(count: str, step: str) -> tuple[str, ...]:
    """How many nodes the steps up to `step` >= 1 are the disjoint union of: one for each 1 among the binary digits of
    `step`. Equal at the upper end for 2^k - 1, at the lower one for 2^k."""
    return (f"1 <= {count}", f"{count} <= floor(log2(({step}) + 1))")


def nodes_of_step(count: str, steps: str) -> tuple[str, ...]:
    """How many of the nodes that are complete after `steps` >= 1 steps one step lies in: one for each size at most.
    Equal at the upper end for the first step."""
    return (f"1 <= {count}", f"{count} <= floor(log2({steps})) + 1")
