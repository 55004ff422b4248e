"""The counts are those of a tree that is written out."""

from __future__ import annotations

from dpaudit.claims.engines.rigorous.witness import inside
from dpaudit.claims.trees import nodes_of_step, prefix_nodes
from dpaudit.claims.writing import Statement, integer

COUNT, STEPS = integer("c", "(-oo, oo)"), integer("t", "[1, oo)")
MOST = 70


def nodes(steps):
    """The steps that each complete node covers."""
    return [range(end - size + 1, end + 1) for size in (2**k for k in range(8)) for end in range(size, steps + 1, size)]


def holds(conditions, count, steps):
    return inside(Statement("0 <= t", (COUNT, STEPS), conditions), (("c", str(count)), ("t", str(steps))))


def fewest(step):
    """Nodes of the union of the steps up to this one, the largest first."""
    count, left = 0, step
    while left:
        left -= 2 ** (left.bit_length() - 1)
        count += 1
    return count


def test_a_prefix_is_a_union_of_so_many_nodes():
    conditions, reached = prefix_nodes("c", "t"), set()
    for step in range(1, MOST):
        assert holds(conditions, fewest(step), step)
        reached.add(holds(conditions, fewest(step) + 1, step))
    assert reached == {True, False}
    assert not holds(conditions, fewest(63) + 1, 63)
    assert not holds(conditions, fewest(64) - 1, 64)


def test_a_step_lies_in_so_many_nodes():
    conditions = nodes_of_step("c", "t")
    for steps in range(1, MOST):
        counts = [sum(step in node for node in nodes(steps)) for step in range(1, steps + 1)]
        assert all(holds(conditions, count, steps) for count in set(counts))
        assert not holds(conditions, counts[0] + 1, steps)
