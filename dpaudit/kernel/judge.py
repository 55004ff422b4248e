"""What Coq says of certificates: accepted, refused, or not translated, each with the reason."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpaudit.kernel import coqc
from dpaudit.kernel.batch import Suspect, module
from dpaudit.kernel.coqc import CoqRefused
from dpaudit.kernel.export import Exported, export
from dpaudit.kernel.session import Ended, Session
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.terms import Refused

ACCEPTED, REFUSED, NOT_TRANSLATED = "accepted", "refused", "not translated"
MOST_IN_A_FILE = 40


@dataclass(frozen=True)
class Judged:
    """result: ACCEPTED, REFUSED or NOT_TRANSLATED; reason: of the last two; assuming: what Coq lists beyond the real
    numbers, where it accepted."""

    result: str
    reason: str = ""
    assuming: tuple[str, ...] = ()


def judge(certificates: Mapping[str, Any], folder: Path | None = None, workers: int = 2) -> dict[str, Judged]:
    """What Coq says of each certificate, by the same names; raises coqc.Absent. folder: where the texts are left."""
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        coqc.prepare(place)
        found: dict[str, Judged] = {}
        texts = {}
        for name, data in certificates.items():
            made = translated(data)
            if isinstance(made, Judged):
                found[name] = made
            else:
                texts[name] = made
        found |= tried(place, texts, workers)
        return {name: found[name] for name in certificates}


def translated(data: Any) -> Exported | Judged:
    """The text of one certificate, or why there is none."""
    try:
        made = export(data)
        module("one", made)
        return made
    except Refused as error:
        return Judged(REFUSED, f"the checker: {error}")
    except NotExported as error:
        return Judged(NOT_TRANSLATED, str(error))
    except Suspect as error:
        return Judged(NOT_TRANSLATED, f"the text is suspect: {error}")
    except (ArithmeticError, LookupError, TypeError, AttributeError, RecursionError, AssertionError) as error:
        return Judged(NOT_TRANSLATED, f"{type(error).__name__} on the way: {error}"[:200])


def tried(place: Path, texts: Mapping[str, Exported], workers: int = 2) -> dict[str, Judged]:
    """Coq's answers to texts: those in which no proof fails when it is tried alone go to `coqc` together."""
    batches = list(_batches(texts))
    with ThreadPoolExecutor(workers) as pool:
        answers = pool.map(lambda pair: _of_batch(place, f"Certificates_{pair[0]}", pair[1]), enumerate(batches))
        return {name: judged for answer in answers for name, judged in answer.items()}


def _batches(texts: Mapping[str, Exported]) -> Iterator[dict[str, Exported]]:
    names = list(texts)
    for start in range(0, len(names), MOST_IN_A_FILE):
        yield {name: texts[name] for name in names[start : start + MOST_IN_A_FILE]}


def _of_batch(place: Path, file: str, texts: Mapping[str, Exported]) -> dict[str, Judged]:
    found: dict[str, Judged] = {}
    left = {}
    for name, failure in _failures(place, texts).items():
        if failure is None:
            left[name] = texts[name]
        else:
            found[name] = Judged(REFUSED, failure)
    return found | final(place, file, left)


def _failures(place: Path, texts: Mapping[str, Exported]) -> dict[str, str | None]:
    """What fails in each text; where Coq ends or hangs, another one goes on with the next text."""
    session = Session(place)
    found: dict[str, str | None] = {}
    for name, exported in texts.items():
        try:
            found[name] = session.failure(exported)
        except (Ended, OSError) as error:
            found[name] = str(error)
            session.close()
            session = Session(place)
    session.close()
    return found


def final(place: Path, file: str, texts: Mapping[str, Exported]) -> dict[str, Judged]:
    """The answer of `coqc` to one file; where it refuses the file, to both halves of it."""
    if not texts:
        return {}
    try:
        modules = {f"certificate_{i}": name for i, name in enumerate(texts)}
        answer = coqc.compiled(place, file, {made: texts[name] for made, name in modules.items()})
        return {name: Judged(ACCEPTED, "", tuple(sorted(answer[made]))) for made, name in modules.items()}
    except CoqRefused as error:
        if len(texts) == 1:
            return dict.fromkeys(texts, Judged(REFUSED, str(error)))
    names = list(texts)
    half = len(names) // 2
    parts = (names[:half], names[half:])
    return {
        name: judged
        for i, part in enumerate(parts)
        for name, judged in final(place, f"{file}_{i}", {one: texts[one] for one in part}).items()
    }
