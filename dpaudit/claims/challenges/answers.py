"""Judges answers: a certificate that the checker accepts, of exactly what is asked, on grounds that are allowed; Coq
files are judged by `coq`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.certificates import certificate
from dpaudit.claims.challenges import coq
from dpaudit.claims.challenges.confined import Confine, Confined
from dpaudit.claims.challenges.judgement import Judgement, no_news
from dpaudit.claims.challenges.unsettled import Unsettled, as_number
from dpaudit.claims.citations import Citations, Item, citations_of
from dpaudit.content import by_id
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Outcome

LONGEST = 1 << 26
"""Bytes of a certificate that is read."""


def judge(file: Path, asked: Unsettled, confine: Confine, value: str = "", seconds: float = 3600) -> Judgement:
    """What the answer in `file` shows of what is asked: a certificate, a claim file or a Coq file, which are run.

    ConfigurationError for a file that is none of them. confine: makes the places where it is run; value: of the
    constant, which only a Coq file does not say itself; seconds: most time that it is run.
    """
    if file.suffix == coq.SUFFIX and file.is_file():
        return coq.judge(file, asked, confine, value, seconds)
    if value:
        raise ConfigurationError(f"--value is for Coq files ({coq.SUFFIX}); {file.name} says the value itself")
    if file.suffix == ".json":
        return _of([file], asked)
    if file.suffix != ".py" or not file.is_file():
        kinds = f"a claim file (.py), a certificate (.json) or a Coq file ({coq.SUFFIX})"
        raise ConfigurationError(f"{str(file)!r} is not there, or is not {kinds}")
    with confine() as place:
        found = _certificates(file, place, seconds)
        return Judgement(asked.name, found) if isinstance(found, str) else _of(found, asked)


def _certificates(file: Path, place: Confined, seconds: float) -> list[Path] | str:
    """The certificates that a claim file leaves, made in a process of its own; or why there are none."""
    run = place.folder / "run"
    command = [sys.executable, "-P", "-m", "dpaudit", "verify", str(file.resolve()), "--run-dir", str(run)]
    command += ["--no-cache", "--no-report", "--no-mutants"]
    try:
        ended = place.run(command, seconds)
    except TimeoutError as error:
        return str(error)
    found = sorted((run / certificate.FOLDER).glob("*.json"))
    return found or f"it leaves no certificate: {ended.said.strip()[-600:]}"


def _of(files: Sequence[Path], asked: Unsettled) -> Judgement:
    """The best that the certificates show; what is wrong with the first of them where none shows anything."""
    judged = list(_judged(files, asked))
    return next((one for one in judged if not one.reason), judged[0])


def _judged(files: Sequence[Path], asked: Unsettled) -> Iterator[Judgement]:
    for file in files:
        if not file.is_file() or file.stat().st_size > LONGEST:
            raise ConfigurationError(f"{str(file)!r} is no certificate of at most {LONGEST >> 20} MiB")
    for checked in certificate.recheck(files):
        if checked.reason:
            yield Judgement(asked.name, f"the checker refuses it: {checked.reason}")
        elif checked.solvers:  # anybody may write that solvers have agreed
            said = f"{checked.solvers} of its goals rest on the word of solvers, which nobody checks"
            yield Judgement(asked.name, said)
        else:
            yield _fits(certificate.read(checked.path), asked)


def _fits(data: Mapping[str, Any], asked: Unsettled) -> Judgement:
    """An accepted certificate: is it one of what is asked, and on what does it rest?"""
    value = _value(data["statement"]["goal"], asked)
    wanted = asked.statement
    if asked.constant is not None:
        if value is None:
            return Judgement(asked.name, f"its relation is not {asked.constant.form!r} with a value for {{c}}")
        wanted = asked.constant.with_value(wanted, value)
    if difference := _difference(data["statement"], as_data(wanted)):
        return Judgement(asked.name, f"it is about another statement: {difference}")
    if theorems := [name for name in data["assuming"] if "/" not in name]:
        said = f"it assumes {', '.join(theorems)}: a theorem by its name alone, which nobody compares with its use"
        return Judgement(asked.name, said)
    if reason := no_news(value, asked) or _unsound(data["grounds"], asked):
        return Judgement(asked.name, reason)
    return Judgement(asked.name, "", data["outcome"], value or "", tuple(data["assuming"]))


def _value(goal: str, asked: Unsettled) -> str | None:
    """The value that stands for the constant in the goal; None where there is none."""
    if asked.constant is None:
        return None
    head, *tail = asked.constant.form.split("{c}")
    rest = goal.removeprefix(f"{head}(")
    value = rest.partition(")")[0]
    return value if rest != goal and tail and as_number(value) is not None else None


def _difference(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    for part in ("goal", "conditions", "symbols", "exists"):
        if given[part] != wanted[part]:
            return f"{part}: {given[part]!r}, where {wanted[part]!r} is asked"
    return ""


def _unsound(grounds: Mapping[str, Any], asked: Unsettled) -> str:
    """Why an answer may not rest on these statements; empty if it may. Its own id is another one than what is asked."""
    named = {asked.name, asked.name.rpartition("~best-")[0]}
    cited = _cited(grounds, asked)
    for name, ground in grounds.items():
        item = cited.items.get(name)
        if item is None or item.statement is None or as_data(item.statement) != ground:
            return f"it rests on {name!r}, which is no statement of the papers as they read now"
        if item.expects is not Outcome.PROVED:
            return f"it rests on {name}, which is {item.expects.word}"
        if named & {name, *cited.below(name)}:
            return f"it rests on {name}, which is or rests on what is asked"
    return ""


def _cited(grounds: Iterable[str], asked: Unsettled) -> Citations:
    """The statements of these ids, and those that their proofs cite in turn."""
    items: dict[str, Item] = {}
    for name in sorted(set(map(by_id.claim_of, grounds))):
        found = by_id.find_claim(name, asked.file)
        items |= citations_of(found.record, found.path).items if found is not None else {}
    return Citations(items)
