"""What a verdict rests on is followed to the end, and a circle proves nothing."""

from dataclasses import replace

import pytest

from dpaudit.claims.grounds import settle
from dpaudit.records.verdict import Basis, Evidence, Kind, Outcome, Verdict

PROVED, REFUTED, INCONCLUSIVE = Outcome.PROVED, Outcome.REFUTED, Outcome.INCONCLUSIVE


def verdict(name, *below, outcome=PROVED, shown=None):
    evidence = (Evidence("symbolic", shown or outcome, "said"),)
    basis = Basis.SAMPLING if outcome is Outcome.CONSISTENT else None
    return Verdict(name, Kind.STEP, outcome, PROVED, name, evidence, "nowhere", 7, rests_on=below, basis=basis)


def settled(*verdicts):
    return {v.id: (v.outcome, v.assuming) for v in settle(verdicts)}


def test_named_theorems_are_taken_over_once_and_in_order():
    found = settled(verdict("a", "b", "union-bound"), verdict("b", "c", "lyapunov"), verdict("c", "lyapunov"))
    assert found["a"] == (PROVED, ("lyapunov", "union-bound"))


def test_a_ground_outside_of_the_list_is_left():
    assert settled(verdict("a", "other/LEM-1"))["a"] == (PROVED, ("other/LEM-1",))


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not PROVED])
def test_a_ground_that_is_not_proved_is_none(outcome):
    found = settled(verdict("a", "b"), verdict("b", "c"), verdict("c", outcome=outcome))
    assert found["a"][0] is found["b"][0] is INCONCLUSIVE
    assert found["c"][0] is outcome


@pytest.mark.parametrize("links", [{"a": ("a",)}, {"a": ("b",), "b": ("a",)}, {"a": ("b",), "b": ("c",), "c": ("b",)}])
def test_a_circle_proves_nothing(links):
    found = settled(*(verdict(name, *below, "union-bound") for name, below in links.items()))
    assert {outcome for outcome, _ in found.values()} == {INCONCLUSIVE}


def test_what_rests_on_a_circle_falls_too():
    found = settled(verdict("top", "a"), verdict("a", "b"), verdict("b", "a"), verdict("free"))
    assert (found["top"][0], found["free"][0]) == (INCONCLUSIVE, PROVED)


def test_a_diamond_is_no_circle():
    found = settled(verdict("a", "b", "c"), verdict("b", "d"), verdict("c", "d"), verdict("d", "lyapunov"))
    assert found["a"] == (PROVED, ("lyapunov",))


def test_a_consistent_verdict_falls_with_its_ground():
    lost = verdict("b", outcome=INCONCLUSIVE)
    result = {v.id: v for v in settle([verdict("a", "b", outcome=Outcome.CONSISTENT), lost])}["a"]
    assert (result.outcome, result.basis) == (INCONCLUSIVE, None)
    assert "rests on b" in result.evidence[-1].detail


def test_a_refutation_by_a_witness_stands_for_itself():
    assert settled(verdict("a", "b", outcome=REFUTED), verdict("b", outcome=INCONCLUSIVE))["a"][0] is REFUTED


def test_a_refutation_by_an_argument_falls_with_its_ground():
    """`Nowhere` refutes by a proof of the opposite, which rests on what it rests on."""
    argued = verdict("a", "b", outcome=REFUTED, shown=PROVED)
    assert settled(argued, verdict("b", outcome=INCONCLUSIVE))["a"][0] is INCONCLUSIVE
    assert settled(argued, verdict("b"))["a"][0] is REFUTED


def given(verdict, *names):
    return replace(verdict, given=names)


def test_what_a_given_conclusion_assumes_is_assumed_and_a_conclusion_elsewhere_is_not():
    found = settled(
        given(verdict("top", "lyapunov"), "a", "elsewhere"),
        given(verdict("a", "union-bound"), "b", "top"),
        verdict("b", "c"),
        verdict("c", "jensen"),
        given(verdict("open"), "lost"),
        verdict("lost", "markov", outcome=INCONCLUSIVE),
        verdict("resting", "top"),
    )
    assert found["top"] == (PROVED, ("lyapunov", "union-bound", "jensen"))
    assert found["a"] == (PROVED, ("union-bound", "lyapunov", "jensen"))
    assert found["open"] == (PROVED, ())
    assert found["resting"] == (PROVED, ("lyapunov", "union-bound", "jensen"))


def test_settling_again_forgets_what_a_conclusion_assumed_before():
    rows = [given(verdict("top"), "a"), verdict("a", "union-bound")]
    once = settle(rows)
    assert once[0].assuming == ("union-bound",)
    assert settle(once) == once
    assert settled(once[0], replace(once[1], rests_on=()))["top"] == (PROVED, ())


def test_an_inference_from_a_refuted_conclusion_is_no_proof_of_its_own_conclusion():
    rows = (
        verdict("printed", outcome=REFUTED),
        given(verdict("next"), "printed"),
        given(verdict("after"), "next"),
        verdict("resting", "after"),
        given(verdict("apart"), "true"),
        verdict("true"),
    )
    once = settle(rows)
    found = {v.id: (v.outcome, v.basis) for v in once}
    inferred = (Outcome.CONSISTENT, Basis.REFUTED_GIVEN)
    assert found == {
        "printed": (REFUTED, None), "next": inferred, "after": inferred, "resting": inferred,
        "apart": (PROVED, None), "true": (PROVED, None),
    }  # fmt: skip
    assert "printed" in once[2].evidence[-1].detail
    assert settle(once) == once


def test_a_given_conclusion_that_is_not_looked_at_changes_nothing():
    (alone,) = settle([given(verdict("next"), "elsewhere")])
    assert alone.outcome is PROVED
    undecided = settle([given(verdict("next"), "open"), verdict("open", outcome=INCONCLUSIVE)])
    assert undecided[0].outcome is PROVED


def test_settled_in_parts_is_settled_at_once():
    """Each claim is settled by itself, then all of the run."""
    refuted, first = verdict("p/X", outcome=REFUTED), given(verdict("p/T/s1"), "p/X")
    second, third = verdict("p/T/s2", "p/T/s1"), verdict("p/T", "p/T/s2", "union-bound")
    once = settle([refuted, first, second, third])
    assert [v.basis for v in once] == [None, *[Basis.REFUTED_GIVEN] * 3]
    parts = [*settle([refuted]), *settle([first, second, third])]
    assert settle(parts) == once
    assert settle(once[::-1]) == once[::-1]


def test_what_is_settled_among_others_starts_again_from_what_it_is_alone():
    resting, ground = verdict("a", "b"), verdict("b", outcome=INCONCLUSIVE)
    undecided = settle([resting, ground])[0]
    assert (undecided.outcome, undecided.alone) == (INCONCLUSIVE, PROVED)
    again = settle([undecided, verdict("b")])[0]
    assert (again.outcome, again.alone) == (PROVED, None)
    assert again == settle([resting, verdict("b")])[0]


def test_a_ground_that_loses_its_proof_later_takes_what_rests_on_it_along():
    first = settle([verdict("a", "b"), verdict("b")])
    refused = replace(first[1], outcome=Outcome.CONSISTENT, basis=Basis.UNCHECKED_PROOF)
    assert settle([first[0], refused])[0].outcome is INCONCLUSIVE


def test_a_refutation_that_rests_on_nothing_firm_refutes_no_hypothesis():
    rows = (
        verdict("y", outcome=INCONCLUSIVE),
        verdict("x", "y", outcome=REFUTED, shown=PROVED),
        given(verdict("a"), "x"),
    )
    assert [v.outcome for v in settle(rows)] == [INCONCLUSIVE, INCONCLUSIVE, PROVED]


def test_an_open_step_between_hands_no_refutation_on():
    rows = (verdict("x", outcome=REFUTED), given(verdict("g", outcome=INCONCLUSIVE), "x"), given(verdict("h"), "g"))
    assert settle(rows)[2].outcome is PROVED


@pytest.mark.parametrize("link", [lambda v, names: replace(v, rests_on=names), lambda v, names: given(v, *names)])
def test_many_ways_down_are_walked_once(link):
    names = [f"s{i}" for i in range(60)]
    rows = [link(verdict(name), tuple(names[:i])) for i, name in enumerate(names)]
    assert {v.outcome for v in settle(rows)} == {PROVED}
