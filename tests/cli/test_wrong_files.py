"""Files of claims and targets that are wrong: the verdict says which file, where, what is allowed; once."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import dpaudit
from small_content import claim_text, target_text, write

from dpaudit.records.errors import install_line
from dpaudit.records.verdict import ExitCode

CLAIMS = (
    ("CLAIM = = 3", "a.py, line 1: SyntaxError: invalid syntax\n                 CLAIM = = 3\n"),
    ("X = 1 / 0", "a.py, line 1: ZeroDivisionError: division by zero"),
    ("1 / 0", "a.py, line 1: a call at the margin does something while the file is loaded; a claim file declares"),
    ("", "a.py defines no CLAIM or CLAIMS; it must hold a Claim record"),
    ("CLAIM = 3", "a.py: CLAIM must be a Claim record, got int"),
    ("import no_such", "a.py, line 1: the import of no_such; a claim file declares"),
    (claim_text().replace("(Identical(),)", "(Identcal(),)"), "'Identcal' is not defined; did you mean 'Identical'?"),
    (claim_text().replace("title=", "titel="), "unknown argument of Claim 'titel'; did you mean 'title'"),
    (claim_text(right="a**2 +"), "a.py: cannot read '(a + b)**2 == a**2 +': invalid syntax"),
    ("\0", "source code string cannot contain null bytes"),
)
SMALL = target_text(trials=200)
TARGETS = (
    ("AUDITS = ()", "AUDITS must hold Audit records or what dpaudit.adapters makes, got an empty tuple"),
    (f"{SMALL}\nAUDITS = (TARGET,)\n", "a.py defines both TARGET and AUDITS; one of them would never run"),
    (target_text(trials=200, mu=-1.0), "a.py, line 13: mu must be finite and at least 0, got -1.0"),
    (SMALL.replace("1e-5, ", "2.0, "), "the delta of a claim must be in (0, 1), or 0 for pure DP, got 2.0"),
    (SMALL.replace("def score", "def scoer"), "a target needs a function score(outputs, data, neighbour)"),
    (SMALL.replace("np.ones(4), np.ones(3)", "np.ones(4)"), "must return a pair (data set, neighbour), got ndarray"),
    (target_text(trials=200, run="return data.sum()"), "run on D must return 200 rows, one a trial, got shape ()"),
    (target_text(trials=200, run="return np.zeros((3, 2))"), "one a trial, got shape (3, 2)"),
    (target_text(trials=200, run="return np.full(200, np.nan)"), "run on D returned NaN in 200 of 200 trials"),
    (target_text(trials=200, run="return 'text'"), "run on D must return real numbers, got dtype <U4"),
    (target_text(trials=200, run="raise ValueError('mine')"), "game: ValueError: mine"),
    (target_text(trials=200, run="import sys; sys.exit(3)"), "game: SystemExit: 3"),
)


def answer(command: str, text: str, code: ExitCode) -> str:
    """What the command says of a file with this text."""
    write(Path("a.py"), text)
    flags = ["--jobs", "1", "--no-report", "--run-dir", "out"]
    flags += ["--no-controls", "--no-isolate"] if command == "audit" else ["--no-cache"]
    done = dpaudit(command, "a.py", *flags)
    assert (done.exit_code, done.stderr) == (code, ""), done.output
    assert "Traceback" not in done.stdout
    return done.stdout


@pytest.mark.parametrize(("text", "said"), CLAIMS)
def test_a_wrong_file_of_a_claim_gets_one_answer(workdir: Path, text: str, said: str) -> None:
    assert answer("verify", text, ExitCode.CRASHED).count(said) == 1


@pytest.mark.parametrize(("text", "said"), TARGETS)
def test_a_wrong_file_of_a_target_gets_one_answer(workdir: Path, text: str, said: str) -> None:
    assert answer("audit", text, ExitCode.CRASHED).count(said) == 1


def test_a_package_that_is_missing_is_named_with_what_installs_it(workdir: Path) -> None:
    text = target_text(trials=200, needs="(('no_such_package', 'torch'),)")
    said = f"no_such_package is not installed; run: {install_line('torch')}"
    assert answer("audit", text, ExitCode.INCONCLUSIVE).count(said) == 1
