"""What is told of an algorithm: its reductions are none unless it has some."""

from __future__ import annotations

import dataclasses

from dpaudit.agreement.forms import Forms
from dpaudit.algorithms import _template
from dpaudit.algorithms._template import cases


def test_an_algorithm_without_reductions_has_none() -> None:
    forms = Forms(_template.ALGORITHM, _template, cases.agreement_cases)
    assert forms.reductions(1) == ()
    assert [case.name for case in forms.cases(1)] == ["normal records"]
    assert dataclasses.replace(forms, reductions=lambda seed: (seed,)).reductions(5) == (5,)
