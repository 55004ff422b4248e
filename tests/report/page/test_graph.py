"""The graph of a paper: what rests on what, what is refuted below, every node a link, hostile records as text."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from run_folder import HOSTILE, verdict

from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.page import graph

PROVED, REFUTED = Outcome.PROVED, Outcome.REFUTED


def claim(name: str, outcome: Outcome, *uses: str) -> Verdict:
    return replace(verdict(f"toy/{name}", Kind.CLAIM, outcome, outcome), rests_on=tuple(f"toy/{one}" for one in uses))


def step(name: str, outcome: Outcome, *given: str) -> Verdict:
    return replace(verdict(f"toy/{name}", Kind.STEP, outcome, outcome), given=tuple(f"toy/{one}" for one in given))


RUN = (
    claim("LEM-1", REFUTED),
    claim("LEM-2", PROVED),
    step("LEM-2/s1", PROVED, "LEM-1/s3"),
    step("LEM-2/s2", REFUTED),
    claim("THM-1", PROVED, "LEM-2", "union-bound"),
    claim("THM-2", PROVED),
    verdict("toy/THM-2~best-c", Kind.REDUCTION, PROVED),
    verdict("toy/THM-2~m", Kind.MUTANT, REFUTED),
    verdict("other/LEM-1", Kind.CLAIM, PROVED),
)


def test_claims_are_nodes_and_what_their_steps_use_is_an_edge() -> None:
    found = {node.name: node for node in graph.nodes(RUN, "toy")}
    assert list(found) == ["toy/LEM-1", "toy/LEM-2", "toy/THM-1", "toy/THM-2"]
    assert [sorted(node.rests) for node in found.values()] == [[], ["toy/LEM-1"], ["toy/LEM-2"], []]
    assert [node.proof for node in found.values()] == [None, REFUTED, None, None]


def test_what_rests_on_a_refuted_claim_is_marked_through_others() -> None:
    assert [node.doubtful for node in graph.nodes(RUN, "toy")] == [False, True, True, False]
    lines = graph.svg(RUN, "toy").splitlines()
    assert sum('class="bad"' in line for line in lines) == 2
    assert [line.count(" *</text>") for line in lines if "<text" in line] == [0, 1, 1, 0]


def test_a_claim_stands_below_all_that_it_uses_and_a_lonely_one_last() -> None:
    rows = {node.name: node.y for node in graph.placed(graph.nodes(RUN, "toy"))}
    assert rows["toy/LEM-1"] < rows["toy/LEM-2"] < rows["toy/THM-1"] < rows["toy/THM-2"]


def test_no_two_nodes_stand_at_one_place() -> None:
    many = [claim(f"LEM-{i}", PROVED, *([f"LEM-{i // 2}"] if i > 1 else ())) for i in range(1, 60)]
    places = [(node.x, node.y) for node in graph.placed(graph.nodes(many, "toy"))]
    assert len(set(places)) == len(places) == 59


def test_a_circle_is_drawn_and_ends() -> None:
    circle = [claim("A", PROVED, "B"), claim("B", PROVED, "C"), claim("C", PROVED, "A")]
    assert graph.svg(circle, "toy").count("<text") == 3


@pytest.mark.parametrize(("outcome", "corner"), [(PROVED, ""), (REFUTED, "l9"), (Outcome.INCONCLUSIVE, "q9")])
def test_the_corners_tell_the_printed_proof(outcome: Outcome, corner: str) -> None:
    run = (claim("A", PROVED), step("A/s1", outcome), claim("B", PROVED, "A"))
    (path,) = re.findall(r'<a class="node" href="#v-toy/A">.*? d="(.*?)"', graph.svg(run, "toy"))
    assert (corner in path) if corner else not set("lq") & set(path)


def test_every_node_is_a_link_and_the_text_is_well_formed() -> None:
    tree = ElementTree.fromstring(graph.svg(RUN, "toy"))
    assert [one.get("href") for one in tree.iter("a")] == [f"#v-toy/{n}" for n in ("LEM-1", "LEM-2", "THM-1", "THM-2")]


def test_a_hostile_id_stays_text() -> None:
    name = "toy/" + HOSTILE.replace("/", "_")
    run = [verdict(name, Kind.CLAIM, PROVED), replace(claim("B", PROVED), rests_on=(name,))]
    made = graph.svg(run, "toy")
    assert "<script" in HOSTILE
    assert "<script" not in made
    assert len(list(ElementTree.fromstring(made).iter("a"))) == 2


def test_a_graph_without_a_line_or_too_large_to_read_is_left_out() -> None:
    assert graph.svg([claim("A", PROVED)], "toy") == ""
    many = [claim(f"LEM-{i}", PROVED, f"LEM-{i + 1}") for i in range(3_000)]  # a chain longer than Python recurses
    assert graph.svg(many, "toy") == ""
