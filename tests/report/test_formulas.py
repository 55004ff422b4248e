"""Printed formulas are typeset; what other people write in one can draw nothing but a formula."""

from __future__ import annotations

import sys
import time
from xml.etree import ElementTree

import pytest

from dpaudit.report import formulas

FRACTION = r"\frac{C_{ba}^2 \kappa \sqrt d}{\beta \log^2 \kappa} \le \frac12"


def test_a_formula_is_mathematics() -> None:
    tree = ElementTree.fromstring(formulas.mathml(FRACTION))
    assert (tree.tag, tree.get("display")) == ("math", "block")
    assert len(list(tree.iter("mfrac"))) == 2
    assert "κ" in "".join(tree.itertext())


@pytest.mark.parametrize(
    "hostile",
    [r"\text{<script>alert(1)</script>}", r"\href{javascript:alert(1)}{x}", r"\class{a}{x}", r"\style{color:red}{x}",
     r"\text{&lt;img src=x onerror=alert(1)&gt;}", r'\text{" onload="x}'],
)  # fmt: skip
def test_what_is_no_formula_stays_text(hostile: str) -> None:
    made = formulas.mathml(hostile)
    tags = {element.tag for element in ElementTree.fromstring(made).iter()}
    assert tags <= formulas.ELEMENTS
    for sign in ("<script", "<img", "href", 'class="', 'style="', ' onload="'):
        assert sign not in made


@pytest.mark.parametrize("text", ["", "  ", "{" * 400, "x" * (formulas.MOST_SIGNS + 1), r"\left( x", "a_b_c"])
def test_what_cannot_be_typeset_is_left_to_be_shown_as_written(text: str) -> None:
    assert formulas.mathml(text) == ""


def test_a_definition_that_grows_is_not_written_out() -> None:
    text = r"\newcommand\a{xxxxxxxxxx}"
    for last, name in zip("abcdefgh", "bcdefghi", strict=True):
        text += f"\\newcommand\\{name}{{" + f"\\{last}" * 10 + "}"
    start = time.perf_counter()
    assert formulas.mathml(text + r"\i") == ""
    assert time.perf_counter() - start < 5


def test_without_the_package_formulas_stay_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    assert formulas.mathml(FRACTION + " ") == ""


def test_an_element_that_is_no_formula_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from latex2mathml import converter

    made = ElementTree.fromstring("<math><mrow><script>alert(1)</script></mrow></math>")
    monkeypatch.setattr(converter, "convert_to_element", lambda *_, **__: made)
    assert formulas.mathml("any formula") == ""
