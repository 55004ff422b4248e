"""What the nodes of a proof say to a reader: one row of evidence each."""

from __future__ import annotations

from collections.abc import Callable

from dpaudit.claims.argument.nodes import Node, statement_of
from dpaudit.claims.engines.rigorous.extremum import worst_point
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.terms import show
from dpaudit.records.verdict import Evidence, Numbers, Outcome

RATIO_BOXES = 300
"""Boxes that the search for the tightest ratio may look at, after a proof."""


def told(goal: Goal, node: Node) -> Evidence:
    """The row of a node that was checked."""
    engine, say = SAID[node["by"]]
    reason = f": {node['because']}" if node.get("because") and node["by"] != "theorem" else ""
    outcome = Outcome.CONSISTENT if node["by"] == "open" else Outcome.PROVED
    return Evidence(engine, outcome, f"{say(goal, node)}{reason}", _numbers(goal, node))


def _numbers(goal: Goal, node: Node) -> Numbers:
    if node["by"] == "boxes":
        return (("boxes", len(node["splits"].split())), *_tightest(goal))
    return ()


def _tightest(goal: Goal) -> Numbers:
    """The largest ratio left/right: attained at an exact point, and an upper bound for the whole domain."""
    found = worst_point(statement_of(goal), RATIO_BOXES)
    attained: Numbers = ()
    if found.lower is not None:
        at = ", ".join(f"{name} = {value}" for name, value in found.point)
        attained = (("largest_ratio", float(found.lower)), ("at", at))
    return (*attained, ("ratio_at_most", float(found.upper))) if found.upper is not None else attained


def _goal(goal: Goal, node: Node) -> str:
    return plain(show(goal.relation))


def plain(text: str) -> str:
    """A relation or condition without needless brackets."""
    from dpaudit.claims.language.expression import parse_condition

    return str(parse_condition(text))


def _new(goal: Goal, node: Node) -> str:
    return (
        plain(node["then"]["goal"]) if isinstance(node.get("then"), dict) and "goal" in node["then"] else "another goal"
    )


def _theorem(goal: Goal, node: Node) -> str:
    said = f"{_goal(goal, node)} by {node['theorem']}"
    return f"{said}, which is assumed: {node['because']}" if node.get("because") else said


Say = Callable[[Goal, Node], str]
SAID: dict[str, tuple[str, Say]] = {
    "rewrite": ("symbolic", lambda goal, node: f"equal to {_new(goal, node)}"),
    "bound": ("symbolic", lambda goal, node: f"it is enough that {_new(goal, node)}"),
    "scale": ("symbolic", lambda goal, node: f"both sides multiplied by {node['factor']} > 0"),
    "shift": ("symbolic", lambda goal, node: f"{node['term']} added to both sides"),
    "logarithm": ("symbolic", lambda goal, node: "logarithm of both sides, which are positive"),
    "substitute": ("symbolic", lambda goal, node: "change of variables, with its inverse checked"),
    "subtract": ("symbolic", lambda goal, node: f"it is enough that {_new(goal, node)}, as {plain(node['fact'])}"),
    "name": ("argument", lambda goal, node: f"{node['symbol'][0]} stands for {node['term']}"),
    "power": ("symbolic", lambda goal, node: f"both sides to the power {node['exponent']}, neither is negative"),
    "have": ("argument", lambda goal, node: f"it is used that {node['fact']}"),
    "narrow": ("argument", lambda goal, node: "conditions on one symbol become part of its range"),
    "monotone": ("symbolic", lambda goal, node: f"slope of right - left in {node['variable']}: {node['slope']}"),
    "antiderivative": ("symbolic", lambda goal, node: f"{node['primitive']} is a primitive of {node['integral']}"),
    "termwise": ("argument", lambda goal, node: "compared term by term"),
    "cases": ("argument", lambda goal, node: f"cases {', '.join(part['case'] for part in node['parts'])}"),
    "identical": ("symbolic", lambda goal, node: f"both sides of {_goal(goal, node)} are the same expression"),
    "combine": ("symbolic", lambda goal, node: (
        f"right - left is a nonnegative combination of {len(node['terms'])} known inequalities, "
        "valid in every dimension"
    )),
    "positive": ("symbolic", lambda goal, node: f"{_goal(goal, node)}: counted from the ends of the ranges"),
    "tangent": ("symbolic", lambda goal, node: (
        f"convex in {node['variable']}, touching at {node['variable']} = {node['point']}: second derivative "
        f"{node['curvature']} >= 0"
    )),
    "taylor": ("symbolic", lambda goal, node: (
        f"Taylor polynomial of right - left in {node['variable']} at {node['point']}; the derivative of order "
        f"{len(node['derivatives'])} that is left: {node['derivatives'][-1]}"
    )),
    "boxes": ("rigorous", lambda goal, node: (
        f"{_goal(goal, node)} on the whole box: {len(node['splits'].split())} boxes"
    )),
    "enumerate": ("exact", lambda goal, node: f"{_goal(goal, node)}: every case in exact arithmetic"),
    "solvers": ("smt", lambda goal, node: f"{_goal(goal, node)}: no counter-example, say two solvers"),
    "induct": ("argument", lambda goal, node: f"induction over {node['variable']}"),
    "at-index": ("argument", lambda goal, node: f"{plain(show(goal.every[node['of']]))} at {node['index']}"),
    "exhibit": ("rigorous", lambda goal, node: (
        f"conditions and relation at {', '.join(f'{name} = {value}' for name, value in node['point'])}"
    )),
    "choose": ("argument", lambda goal, node: (
        f"with {', '.join(f'{name} = {value}' for name, value in node['values'])}"
    )),
    "instance": ("argument", lambda goal, node: f"{_goal(goal, node)} is an instance of {node['of']}"),
    "theorem": ("theorem", _theorem),
    "open": ("argument", lambda goal, node: "left open"),
}  # fmt: skip
"""For each rule the engine that the row names, and the words."""
