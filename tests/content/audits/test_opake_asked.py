"""The auditor and the accountants of opake: not run without it, judged by what a stand-in answers, asked rightly."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_python import FOLDER, Audits, stand_in

from dpaudit.audit import tiers
from dpaudit.content import loading
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

VARIABLE = "DPAUDIT_OPAKE_PYTHON"
ONE_RUN = loading.load_module(FOLDER / "opake" / "one_run.py")
ACCOUNTANTS = loading.load_module(FOLDER / "opake" / "accountants.py")
WORKER = (FOLDER / "opake" / "_asked_worker.py").read_text(encoding="utf-8")
NAMES = [audit.target.name for module in (ONE_RUN, ACCOUNTANTS) for audit in module.AUDITS]

ANSWERS = """import json, sys
assert sys.argv[1].endswith("_asked_worker.py"), sys.argv
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({answer}), flush=True)
"""


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Put a program in the place of opake's Python. answer: an expression of `asked`, the question."""
    return lambda answer: monkeypatch.setenv(VARIABLE, stand_in(tmp_path, ANSWERS.replace("{answer}", answer)))


def needs_opake() -> None:
    """Skip where there is none."""
    if not os.environ.get(VARIABLE) and not ONE_RUN.LIBRARY.installed():
        pytest.skip(f"opake is not installed, and {VARIABLE} names no Python that has it")


def test_every_target_is_optional_and_quotes_what_its_number_is_said_to_be() -> None:
    for module, words in ((ONE_RUN, "Epsilon lower bound at the given"), (ACCOUNTANTS, "Smallest epsilon achieving")):
        for audit in module.AUDITS:
            assert audit.target.optional
            assert words in audit.target.claim.source


@pytest.mark.parametrize("name", NAMES)
def test_without_opake_nothing_is_run_and_the_install_line_is_given(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if ONE_RUN.LIBRARY.installed():
        pytest.skip("this Python has opake itself")
    verdict = Audits("opake").audited(name)
    assert verdict.outcome is Outcome.NOT_RUN
    assert VARIABLE in verdict.evidence[0].detail


@pytest.mark.parametrize(("answer", "outcome"), [("0.0", Outcome.CONSISTENT), ("9.0", Outcome.REFUTED)])
def test_a_bound_is_judged_by_what_it_says(answer: str, outcome: Outcome, answering: Any) -> None:
    answering(answer)
    audit = replace(ONE_RUN.audit("stand-in", "eps_delta", "median"), repetitions=TrialPlan(20, 20, 20))
    assert tiers.audit(audit, Context(1, Level.SMOKE, 1e-6)).outcome is outcome


@pytest.mark.parametrize(("method", "canaries"), [("eps_delta", 1_000), ("gdp", 100)])
def test_a_bound_is_asked_for_with_both_scores_of_every_canary(method: str, canaries: int, answering: Any) -> None:
    said = "len(asked['present']) + len(asked['absent']) / 1e4 + asked['present'][7] * 1e6 + asked['absent'][7] * 1e7"
    answering(f"{said} if (asked['method'], asked['threshold'], asked['delta'], asked['significance']) == "
              f"('{method}', 'median', 0.25, 0.125) else -1")  # fmt: skip
    scores = np.zeros(1_000), np.zeros(1_000)
    scores[0][7], scores[1][7] = 3, 4
    assert ONE_RUN.bounds(method, "median")(*scores, 0.25, 0.125) == canaries * 1.0001 + 3e6 + 4e7


def test_an_accountant_is_refuted_by_an_epsilon_that_is_too_small(answering: Any, monkeypatch: Any) -> None:
    setting = (1.0, 2.0, 4)  # 1-GDP: epsilon 4.37718 at delta 1e-5
    for stated, outcome in (([4.3772, 4.3772], "consistent"), ([4.3771, 4.3771], "refuted")):
        monkeypatch.setattr(ACCOUNTANTS, "WORKERS", {})
        answering(str(stated))
        accounts = list(ACCOUNTANTS.poisson((setting,), (1e-5,))())
        found = ACCOUNTANTS.audit("stand-in", "a stand-in", lambda accounts=accounts: iter(accounts))
        assert [account.epsilon for account in accounts] == stated
        from dpaudit.audit.accounts import examine

        assert examine(found.accounts(), found.target.claim.neighbours)[0].outcome.value.lower() == outcome


def test_a_worker_that_ends_or_is_silent_is_an_error_in_words(answering: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ONE_RUN.ASKED.Asked(lambda: (os.environ[VARIABLE], "_asked_worker.py"))
    answering("sys.exit(3)")
    with pytest.raises(ContentError, match="ended without an answer"):
        asked(1)
    answering("__import__('time').sleep(60)")
    monkeypatch.setattr(ONE_RUN.ASKED, "SECONDS", 0.2)
    silent = ONE_RUN.ASKED.Asked(lambda: (os.environ[VARIABLE], "_asked_worker.py"))
    with pytest.raises(ContentError, match=r"no answer within 0\.2 s"):
        silent(1)
    silent._child.kill()


def test_a_worker_answers_in_order_and_ends_with_its_input(answering: Any) -> None:
    answering("asked * 2")
    asked = ONE_RUN.ASKED.Asked(lambda: (os.environ[VARIABLE], "_asked_worker.py"))
    assert [asked(number) for number in range(5)] == [0, 2, 4, 6, 8]
    child = asked._child
    del asked
    assert child.returncode == 0


def test_every_kind_that_is_asked_is_one_of_the_worker() -> None:
    kinds = json.loads(json.dumps(WORKER[WORKER.index("asked = {") : WORKER.index("for line in sys.stdin")]))
    for kind in ("audits", "of_errors", "poisson", "one_band", "mixtures"):
        assert f'"{kind}":' in kinds


def test_the_workers_shortcut_gives_what_the_library_says() -> None:
    """gdp() is asked once for each number of wrong guesses; a number of guesses has one bound, at any threshold."""
    needs_opake()
    rng = np.random.default_rng(5)
    audits, of_errors = (
        ONE_RUN.ASKED.Asked(lambda kind=kind: (ONE_RUN.LIBRARY.executable(), str(ONE_RUN.LIBRARY.worker), kind))
        for kind in ("audits", "of_errors")
    )
    for _ in range(6):
        truth = rng.random(40) < 0.8  # canary i looks like what it is, or like the other
        asked = {"present": truth.astype(float).tolist(), "absent": (~truth).astype(float).tolist()}
        asked |= {"delta": 1e-5, "significance": 0.05}
        wrong = {"canaries": 40, "wrong": int((~truth).sum()), "delta": 1e-5, "significance": 0.05}
        for method in ("gdp", "eps_delta"):
            said = of_errors(wrong | {"method": method})
            expected = said[0] if method == "gdp" else said
            assert audits(asked | {"method": method, "threshold": 0.5}) == expected
            assert audits(asked | {"method": method, "threshold": "default"}) >= expected
