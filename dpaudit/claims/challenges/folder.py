"""A challenge as a folder: what is asked, the statement that counts, and a file to start an answer from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.challenges import coq
from dpaudit.claims.challenges.holders import Ends, ends
from dpaudit.claims.challenges.unsettled import Unsettled
from dpaudit.content.places import paper_of
from dpaudit.kernel import coqc
from dpaudit.kernel.batch import REALS
from dpaudit.kernel.text import NotExported
from dpaudit.records.claim import Statement
from dpaudit.records.errors import ConfigurationError

CHALLENGE, ANSWER, COQ_ANSWER = "challenge.json", "answer.py", "answer.v"
PAPER = """title = "An answer to {name}"
authors = "you"
year = {year}
identifier = "answer"
version = "1"
"""


def write(asked: Unsettled, folder: Path, year: int) -> Path:
    """Write the files of the challenge into `folder`, which must not be there yet; its path. year: of the answer."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:
        raise ConfigurationError(f"{str(folder)!r} exists; --into names another folder") from error
    answer = folder / "answer"
    answer.mkdir()
    (folder / "README.md").write_text(readme(asked), encoding="utf-8")
    known = {"id": asked.name, "statement": as_data(asked.statement)}
    (folder / CHALLENGE).write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (answer / "paper.toml").write_text(PAPER.format(name=asked.name, year=year), encoding="utf-8")
    (answer / ANSWER).write_text(starter(asked), encoding="utf-8")
    if statement := _in_coq(asked):
        (folder / "coq").mkdir()
        (folder / "coq" / f"{coq.ASKED}.v").write_text(statement, encoding="utf-8")
        (folder / "coq" / f"{coq.SUPPORT}.v").write_bytes(coqc.support())
        (folder / "coq" / COQ_ANSWER).write_text(coq.starter(), encoding="utf-8")
    return folder


def _in_coq(asked: Unsettled) -> str:
    """The statement in Coq, of a constant with the value that is proved; "" where it is not said there."""
    try:
        return coq.statement_text(_proved(asked))
    except NotExported:
        return ""


def _proved(asked: Unsettled) -> Statement:
    row = asked.constant
    return asked.statement if row is None else row.with_value(asked.statement, row.proved)


def readme(asked: Unsettled) -> str:
    """What is asked, what is known, and what an answer is."""
    return "\n".join(_lines(asked)) + "\n"


def _lines(asked: Unsettled) -> Iterator[str]:
    item, row = asked.item, asked.constant
    yield f"# {asked.name}"
    yield ""
    yield f"{item.words}"
    yield ""
    yield f"From {asked.name.partition('/')[0]}, {asked.claim.place}. Open is: {asked.what}."
    yield ""
    if item.finding:
        yield from (f"Known: {item.finding}", "")
    yield "The statement that counts, as `dpaudit show` has it:"
    yield from ("", "    " + str(asked.statement).replace("\n", "\n    "), "")
    if row is not None:
        yield f"with this relation, in which a value of yours stands for `{{c}}`: `{row.form}`"
        yield ""
        found = ends(paper_of(asked.file)).get(asked.name, Ends())
        for word, value, held in (("proved", row.proved, found.proved), ("refuted", row.refuted, found.refuted)):
            yield f"* {value} is {word}" + (f" ({held})" if held is not None else "")
        yield ""
    yield "An answer is one of these:"
    yield ""
    yield f"* a claim file: `answer/{ANSWER}` states it; write its argument, or another outcome with a witness."
    yield "  `docs/claims.md` has the moves. It is run in a sandbox;"
    yield "* a certificate of format 3 (`docs/trust.md`), made by whatever program;"
    yield from _coq_lines(asked)
    yield ""
    yield "It may use statements of the papers by their ids, as long as they are proved and do not rest on this one. It"
    yield "may not assume a theorem by its name. Ask with:"
    yield ""
    yield f"    dpaudit judge answer/{ANSWER} --challenge {quote(asked.name)}"


def _coq_lines(asked: Unsettled) -> Iterator[str]:
    if not _in_coq(asked):
        yield "* no Coq file: the statement is not said in Coq yet."
        return
    yield f"* a Coq file with a theorem `answer`: `coq/{coq.ASKED}.v` has the statement, `coq/{COQ_ANSWER}` a start."
    if asked.constant is not None:
        yield f"  There the statement has the value {asked.constant.proved}: write your own, and name it by `--value`."
    yield f"  It may rest on these axioms of Coq's library alone: {', '.join(sorted(REALS))}."


def starter(asked: Unsettled) -> str:
    """A claim file that states what is open, without an argument."""
    return f'''"""An answer to {asked.name}: write its argument, then `dpaudit judge`."""

from dpaudit.claims.writing import *

CLAIM = Claim(
    id="answer/ANSWER",
    title="an answer",
    words={asked.item.words!r},
    place="an answer to {asked.name}",
    kind=ClaimKind.INEQUALITY,
    statement={written(_proved(asked))},
    argument=(),
)
'''


def written(statement: Statement) -> str:
    """A statement as the expression of a claim file that makes it."""
    data = as_data(statement)
    symbols = "".join(f"            {_symbol(*row)},\n" for row in data["symbols"])
    conditions = "".join(f"            {one!r},\n" for one in data["conditions"])
    parts = [repr(data["goal"]), f"(\n{symbols}        )" if symbols else "()"]
    if conditions or data["exists"]:
        parts.append(f"(\n{conditions}        )" if conditions else "()")
    if data["exists"]:
        parts.append("exists=True")
    return "Statement(\n        " + ",\n        ".join(parts) + ",\n    )"


def _symbol(name: str, kind: str, domain: str) -> str:
    return f"{kind}({name!r})" if kind in ("vector", "vector_sequence") else f"{kind}({name!r}, {domain!r})"
