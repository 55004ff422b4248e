"""A page for each structural check, each estimator and each attack, made of its docstring and of records of `reports/`.

A module of the three packages has its page by lying there. `python docs/extensions/module_pages.py`, and every build,
writes the files that are missing and the tables of the overviews; what a page says is put behind its mark at the build.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import page_records
from program_tables import table
from sphinx.application import Sphinx

from dpaudit.audit.structural.explained import CONTROL, FALSE_ALARMS, SHARES, labelled
from dpaudit.audit.structural.finding import code_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MARK = "<!-- page of {} -->"
TABLE = ("<!-- pages -->", "<!-- end of pages -->")
"""Between them lies the table of an overview."""
ACTIVE = re.compile(r"([\\*_\[\]<>|#~$])")
EXAMPLE = "Example"
API = "\n## API\n\n```{{eval-rst}}\n.. automodule:: {}\n```\n"
LABELS = {
    "checks": ("Sees", "Cannot see", FALSE_ALARMS),
    "estimators": ("Promises", "Assumes", "Decides", "Source", "Sources", EXAMPLE),
    "attacks": ("Scores", "Finds", "Cannot find", "Needs", "Costs", "Competes", "Source", "Sources"),
}
"""The paragraphs of a docstring that pages are made of, by the kind of page."""

Sections = Iterator[tuple[str, Iterator[str]]]
"""Headings, and the lines below them."""


@dataclass(frozen=True)
class Words:
    """A docstring. first: its first paragraph; rest: what has no label; said: the paragraphs with labels."""

    first: str
    rest: str
    said: dict[str, str]

    def __getitem__(self, label: str) -> str:
        """ValueError where the docstring lacks the paragraph."""
        if label not in self.said:
            raise ValueError(f"the docstring that begins with {self.first!r} lacks a paragraph '{label}: ...'")
        return self.said[label]


@dataclass(frozen=True)
class Kind:
    """Pages of one kind. folder: where they lie in docs, beside the overview of the same name; package: of the modules;
    sections: what a page says; head, row: of the table of the overview; api: is there a section of the API?"""

    folder: str
    package: str
    sections: Callable[[ModuleType, Words], Sections]
    head: tuple[str, ...]
    row: Callable[[ModuleType, Words], tuple[str, ...]]
    api: bool = True

    @property
    def name(self) -> str:
        """Of the kind, in LABELS."""
        return self.folder.rpartition("/")[2]

    def modules(self) -> dict[str, ModuleType]:
        """The public modules of the package by the names of their pages."""
        home = import_module(self.package)
        found = (import_module(f"{self.package}.{m.name}") for m in iter_modules(home.__path__) if m.name[0] != "_")
        return {page_name(module): module for module in found}

    def words(self, module: ModuleType) -> Words:
        """The docstring of one of them."""
        first, _, rest = (inspect.getdoc(module) or "").partition("\n\n")
        return Words(" ".join(first.split()), *labelled(rest, LABELS[self.name]))

    def body(self, module: ModuleType) -> str:
        """What its page says between the title and the API."""
        return "\n".join(
            line
            for heading, lines in self.sections(module, self.words(module))
            for line in ("", f"## {heading}", "", *lines)
        )

    def stub(self, name: str, module: ModuleType) -> str:
        """The committed file of a page: its title and its mark."""
        said = f"This page is made when the site is built, from `{source(module)}` and records of `reports/`.\n"
        api = API.format(module.__name__) if self.api else ""
        return f"# {name}\n\n{MARK.format(module.__name__)}\n\n{said}{api}"

    def overview(self) -> str:
        """The lines of the table of the overview."""
        rows = []
        for name, module in self.modules().items():
            link = f'<a id="{name}"></a>[{name}]({self.name}/{name}.md)'
            rows.append((getattr(module, "PLACE", 0), (link, *self.row(module, self.words(module)))))
        return "\n".join(table(self.head, (row for _, row in sorted(rows, key=lambda one: one[0]))))


def page_name(module: ModuleType) -> str:
    """Of the file: that of the module, of a check what the command line calls it."""
    named = module.__name__.startswith(CHECKS.package)
    return code_of(module.NAME) if named else module.__name__.rpartition(".")[2]


def source(module: ModuleType) -> str:
    """Where its code is, from the root of the repository."""
    return "/".join(module.__name__.split(".")) + ".py"  # from its name: it may lie in a wheel


def prose(words: str) -> Iterator[str]:
    """Paragraphs of a docstring as Markdown: nothing outside of backticks and indented blocks is markup."""
    for line in words.split("\n"):
        bullet = re.match(r"\* ", line)
        start = bullet[0] if bullet else ""
        pieces = re.split(r"(`[^`]*`)", line[len(start) :])
        yield (
            line
            if line.startswith("    ")
            else start + "".join(p if p.startswith("`") else ACTIVE.sub(r"\\\1", p) for p in pieces)
        )


def sentence(words: str) -> str:
    """A paragraph as one line of Markdown that begins with a capital."""
    joined = " ".join(prose(" ".join(words.split())))
    return joined[:1].upper() + joined[1:]


def of_a_check(module: ModuleType, words: Words) -> Sections:
    """The sections of the page of a check."""
    yield "What it asks", iter([sentence(words.first), "", *prose(words.rest)])
    yield "What it sees", iter([sentence(words["Sees"])])
    yield "What it cannot see", iter([sentence(words["Cannot see"])])
    share = SHARES[module.FALSE_ALARM]
    measured = page_records.false_alarms(module.NAME)
    yield FALSE_ALARMS, iter([f"{sentence(share)}. {sentence(words[FALSE_ALARMS])}", "", *measured])
    yield "The exception that one may declare", iter([sentence(module.EXCEPTION)])
    yield "Planted bugs that it caught", page_records.caught(module.NAME)
    yield "What a refutation looks like", page_records.refutation(module.NAME)
    code = f"`{source(module)}`; `dpaudit explain {code_of(module.NAME)}` prints what is said here without the records."
    yield "Where its code is", iter([code])


def of_an_estimator(module: ModuleType, words: Words) -> Sections:
    """The sections of the page of an estimator."""
    yield "What it promises", iter([sentence(words["Promises"])])
    yield "What it assumes", iter([sentence(words["Assumes"])])
    yield "Does it decide?", iter([sentence(words["Decides"]), "", page_records.importers(module.__name__)])
    yield "How it works", iter([sentence(words.first), "", *prose(words.rest)])
    yield "Where it comes from", origin(module, words)
    yield "What was measured", page_records.coverage(module)
    block = inspect.cleandoc(words[EXAMPLE])
    yield EXAMPLE, iter(["```pycon", *(line.removeprefix("    ") for line in block.splitlines()), "```"])


def of_an_attack(module: ModuleType, words: Words) -> Sections:
    """The sections of the page of an attack."""
    for label, heading in (
        ("Scores", "What it scores"),
        ("Finds", "Which leaks it finds"),
        ("Cannot find", "What it cannot find"),
        ("Needs", "What it needs from a target"),
        ("Costs", "What it costs"),
        ("Competes", "When it competes"),
    ):
        yield heading, iter([sentence(words[label])])
    yield "Targets of the sample run", page_records.targets(module.__name__)
    yield "How it works", iter([sentence(words.first), "", *prose(words.rest)])
    yield "Where it comes from", origin(module, words)


def origin(module: ModuleType, words: Words) -> Iterator[str]:
    """The papers, or that the module names none."""
    said = words.said.get("Source") or words.said.get("Sources") or getattr(module, "SOURCE", "")
    yield f"{sentence(said).rstrip('.')}." if said else "The module names no paper."


def _refutes(module: ModuleType) -> str:
    if module.NAME == CONTROL:
        return "no: it is the control of all replays"
    return "by a witness" if module.FALSE_ALARM == "0" else "by a test"


def _start(words: str, ends: str) -> str:
    """A paragraph up to the first of the signs `ends`."""
    return " ".join(prose(re.split(f"[{ends}]", " ".join(words.split()))[0]))


CHECKS = Kind(
    "checks", "dpaudit.audit.structural.checks", of_a_check, ("check", "question", "refutes"),
    lambda module, words: (sentence(words.first), _refutes(module)), api=False,
)  # fmt: skip
ESTIMATORS = Kind(
    "reference/estimators", "dpaudit.estimators", of_an_estimator, ("estimator", "what it is", "decides"),
    lambda module, words: (sentence(words.first), _start(words["Decides"], ".,:")),
)  # fmt: skip
ATTACKS = Kind(
    "reference/attacks", "dpaudit.attacks", of_an_attack, ("attack", "what it is", "competes"),
    lambda module, words: (sentence(words.first), _start(words["Competes"], ".;:")),
)  # fmt: skip
KINDS = (CHECKS, ESTIMATORS, ATTACKS)


def written() -> Iterator[tuple[Path, str]]:
    """Every file that this module writes, with what it must hold."""
    for kind in KINDS:
        for name, module in kind.modules().items():
            yield DOCS / kind.folder / f"{name}.md", kind.stub(name, module)
        page = DOCS / f"{kind.folder}.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(TABLE[0])
        yield page, f"{before}{TABLE[0]}\n\n{kind.overview()}\n\n{TABLE[1]}{rest.partition(TABLE[1])[2]}"


def renew(*_: object) -> None:
    """Write the files that are missing, and the tables of the overviews where they changed."""
    for path, text in written():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")


def fill(app: Sphinx, docname: str, text: list[str]) -> None:
    """Put what the page says in the place of what stands behind its mark."""
    for kind in KINDS:
        if not docname.startswith(f"{kind.folder}/"):
            continue
        module = kind.modules()[docname.rpartition("/")[2]]
        mark = MARK.format(module.__name__)
        before, _, rest = text[0].partition(mark)
        _, heading, api = rest.partition("\n## API")
        text[0] = f"{before}{kind.body(module)}\n{heading}{api}"
        for file in (Path(str(module.__file__)), Path(__file__), *page_records.FILES):
            app.env.note_dependency(file, docname=docname)


def drop(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """The docstring of a module that has a page is that page: its API does not repeat it."""
    if what == "module" and any(name.startswith(f"{kind.package}.") for kind in KINDS):
        lines.clear()


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("builder-inited", renew)
    app.connect("source-read", fill)
    app.connect("autodoc-process-docstring", drop, priority=400)  # before the docstrings are escaped
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    renew()
