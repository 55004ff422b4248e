"""The short forms of claim files give the records that the long ones give."""

import pytest

from dpaudit.claims import writing
from dpaudit.claims.writing import erratum, ids, mutant, point, positive, step, where
from dpaudit.records import claim as records
from dpaudit.records.claim import Boxes, ClaimKind, Identical, Mutant, Outcome, Statement, Step, real

A, B = positive("a"), real("b", "[0, 1]")


def test_it_brings_all_records_and_its_own_forms():
    short = {"erratum", "ids", "mutant", "point", "positive", "step", "where"}
    classes = {
        "convex_at",
        "minimised_at",
        "projected_at",
        "smooth_convex_at",
        "smooth_strongly_convex_at",
        "worst_function",
    }
    events = {"all_of", "any_of", "any_of_many", "bounded_martingale_tail", "martingale_tail"}
    laws = {
        *(
            "averaged",
            "composed",
            "composed_gaussians",
            "converted",
            "gaussian_hockey_stick",
            "gaussian_renyi",
            "mixed",
        ),
        *("processed", "sampled", "shift_reduced", "simply_converted", "transported"),
    }
    moments = {"conditional_mean", "fresh", "unbiased", "uncorrelated"}
    others = {"best_choice", "nodes_of_step", "prefix_nodes", "projected_by", "symmetric_at", "trace"}
    assert set(writing.__all__) == {*records.__all__, *short, *classes, *events, *laws, *moments, *others}
    assert all(hasattr(writing, name) for name in writing.__all__)


def test_a_point_and_what_stands_for_a_symbol():
    assert point("n=8 eps=1/8 v=(3/5,4/5)") == (("n", "8"), ("eps", "1/8"), ("v", "(3/5,4/5)"))
    assert where("n=u**3\n eps=log(u)") == (("n", "u**3"), ("eps", "log(u)"))
    assert point("") == ()


@pytest.mark.parametrize("text", ["n", "n=", "=3", "n = 3", "n=1 +2"])
def test_what_is_no_pair_is_refused(text):
    with pytest.raises(ValueError, match="not pairs name=term"):
        point(text)


def test_names_and_symbols():
    assert ids("toy/LEM-1", "s1 s2~repaired") == ("toy/LEM-1/s1", "toy/LEM-1/s2~repaired")
    assert positive("a", "length") == real("a", "(0, oo)", "length")


def test_a_mutant_with_the_points_that_refute_it():
    assert mutant("half", "a/2", "a <= 1/2", "a=1") == Mutant("half", "a/2", "a <= 1/2", candidates=((("a", "1"),),))
    assert mutant("half", "a/2", "a <= 1/2").candidates == ()


def test_an_equation_is_an_identity_by_its_normal_form():
    statement = Statement("a + b == b + a", (A, B), ("b <= a",))
    found = step("s1", "words", "a + b == b + a", (A, B), ("b <= a",))
    assert found == Step("s1", "words", statement, argument=(Identical(),), kind=ClaimKind.IDENTITY)


def test_what_is_said_goes_before_what_is_usual():
    found = step("s1", "words", "a == a", (A,), argument=(Boxes(),), kind=ClaimKind.COST)
    assert (found.argument, found.kind) == ((Boxes(),), ClaimKind.COST)


def test_an_inequality_is_left_as_it_is():
    found = step("s1", "words", "b <= 1", (B,), argument=(Boxes(),), rests_on=("jensen",))
    assert found == Step("s1", "words", Statement("b <= 1", (B,)), argument=(Boxes(),), rests_on=("jensen",))


@pytest.mark.parametrize(("expression", "kind"), [("b == 1", ClaimKind.IDENTITY), ("b <= 0", ClaimKind.INEQUALITY)])
def test_an_erratum_is_expected_to_be_refuted(expression, kind):
    found = erratum("s1", "words", expression, (B,), finding="b is any number", repair="toy/LEM-1/s2")
    assert (found.expects, found.argument, found.kind) == (Outcome.REFUTED, (), kind)
    assert (found.finding, found.repair) == ("b is any number", "toy/LEM-1/s2")
