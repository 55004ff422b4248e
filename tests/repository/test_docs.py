"""The code in the documentation does what the text says; `tox -e docs` builds it."""

from __future__ import annotations

import importlib
import importlib.util
import re
import shlex
from functools import cache
from itertools import pairwise
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from urllib.parse import unquote

import click
import pytest
from markdown_it import MarkdownIt

import dpaudit
from dpaudit.audit import tiers
from dpaudit.audit.structural import checks
from dpaudit.claims import verify
from dpaudit.cli import config
from dpaudit.cli.main import program
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import ExitCode, Kind, Outcome

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
STARTERS = Path(dpaudit.__file__).parent / "cli" / "starter_files"
PAGES = sorted(p for p in (*ROOT.glob("*.md"), *DOCS.rglob("*.md")) if "_build" not in p.parts)
MARKDOWN = MarkdownIt("commonmark").enable("table")


def example(page: str, folder: Path, holding: str = "") -> ModuleType:
    """The first Python block of `page` that holds this text, saved and imported as a user would save it."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    file = folder / "example.py"
    file.write_text(next(block for block in blocks if holding in block), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("example", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_target_of_the_tutorial_is_refuted_with_the_planted_factor_of_two(tmp_path: Path) -> None:
    module = example("audit_your_own.md", tmp_path, "TARGET = Target(")
    # Chance that a true claim would be refuted here: at most 1e-6 (alpha); the seed is fixed.
    verdict = tiers.audit(audit_of(module), Context(1, Level.SMOKE, 1e-6))
    assert verdict.outcome is Outcome.REFUTED
    assert 1.0 < dict(verdict.numbers)["mu_lower_95"] <= 2.0


@pytest.mark.deep
def test_the_example_of_the_algorithms_runs_on_both_backends(tmp_path: Path) -> None:
    module = example("algorithms.md", tmp_path)
    assert module.models.shape == (1_000, 4)
    assert abs(module.same.numpy() - module.models).max() < 1e-12
    assert 0 < module.epsilon.lower <= module.epsilon.upper < 20


def test_the_claim_of_the_page_is_proved_and_its_mutants_are_caught(tmp_path: Path) -> None:
    module = example("claims.md", tmp_path)
    verdicts = verify.verify_claim(module.CLAIM, module, Context(1, Level.SMOKE, 1e-6))
    assert {v.outcome for v in verdicts if v.kind is Kind.MUTANT} == {Outcome.REFUTED}
    assert [v.outcome for v in verdicts if v.kind is not Kind.MUTANT] == [Outcome.PROVED, Outcome.PROVED]


def test_every_table_of_numbers_names_numbers_that_an_audit_reports(tmp_path: Path) -> None:
    text = (DOCS / "audit_your_own.md").read_text(encoding="utf-8")
    named = {name for line in re.findall(r"(?m)^\| (`.+?`) \|", text) for name in re.findall(r"`(\w+)`", line)}
    module = example("audit_your_own.md", tmp_path, "TARGET = Target(")
    verdict = tiers.audit(audit_of(module), Context(1, Level.SMOKE, 1e-6))
    assert named
    assert named <= {name for name, _ in verdict.numbers}


def test_the_lemma_of_the_page_is_proved_with_its_constant_and_its_mutants_are_caught(tmp_path: Path) -> None:
    module = example("your_lemma.md", tmp_path)
    verdicts = verify.verify_claim(module.CLAIM, module, Context(20261121, Level.SMOKE, 1e-6))
    assert all(v.as_expected for v in verdicts)
    assert [v.id for v in verdicts if v.kind is not Kind.MUTANT] == [
        "mine/LEM-7", "mine/LEM-7/s1", "mine/LEM-7/s2", "mine/LEM-7/s2~best-constant",
    ]  # fmt: skip
    assert sum(v.kind is Kind.MUTANT for v in verdicts) == 3
    constant = dict(next(v for v in verdicts if v.id.endswith("~best-constant")).numbers)
    as_the_page_says = {"printed": "2", "proved": "1.7183", "refuted": "1.7182"}
    assert as_the_page_says.items() <= constant.items()


FURTHER = re.findall(r'id="(mine/[\w-]+)"', (DOCS / "your_lemma.md").read_text(encoding="utf-8"))[1:]
"""The claims of the page behind its first one."""


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", FURTHER)
def test_each_other_claim_of_the_page_is_proved_as_it_stands(tmp_path: Path, name: str) -> None:
    module = example("your_lemma.md", tmp_path, f'"{name}"')
    verdicts = verify.verify_claim(module.CLAIM, module, Context(20261121, Level.SMOKE, 1e-6))
    assert [(v.id, v.outcome) for v in verdicts if v.kind is Kind.CLAIM] == [(name, Outcome.PROVED)]


def linked(text: str) -> list[str]:
    """Where the links and pictures of a page lead; what stands in code is no link."""
    tokens = [child for token in MARKDOWN.parse(text) for child in token.children or ()]
    return [str(t.attrs[name]) for t in tokens for name in ("href", "src") if name in t.attrs]


@cache
def anchors(text: str) -> set[str]:
    """The anchors of a page: its headings as GitHub and MyST name them, and the targets that it sets itself."""
    tokens = MARKDOWN.parse(text)
    titles = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    plain = [re.sub(r"\\(.)", r"\1", title).replace("`", "") for title in titles]
    slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in plain}
    return slugs | set(re.findall(r"(?m)^\((.+)\)=$", text))


def dead(page: Path, text: str) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading of it."""
    found = []
    for link in linked(text):
        name, _, anchor = unquote(link).partition("#")
        file = page.parent / name
        if re.match("[a-z]+:", link):
            continue
        if (name and not file.exists()) or (
            anchor and anchor not in anchors(file.read_text(encoding="utf-8") if name else text)
        ):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    assert dead(page, page.read_text(encoding="utf-8")) == []


def test_a_dead_link_is_noticed() -> None:
    text = "# A title\n[a](nothing.md) [b](trust.md) [c](#a-title) [d](#b) [e](trust.md#b) `[f](g)` ![h](h.png)"
    assert dead(DOCS / "index.md", text.replace("# A title", "# dpaudit")) == [
        "nothing.md", "#a-title", "#b", "trust.md#b", "h.png",
    ]  # fmt: skip


def commands(text: str) -> list[str]:
    """The lines of code blocks that call dpaudit, and the calls in running text."""
    tokens = MARKDOWN.parse(text)
    blocks = [t.content.replace("\\\n", " ") for t in tokens if t.type in ("fence", "code_block")]
    spans = [c.content for t in tokens for c in t.children or () if c.type == "code_inline"]
    lines = [line for block in blocks for line in block.splitlines()]
    return [found[1] for line in (*lines, *spans) if (found := re.match(r"(?:\$ )?dpaudit( [^-].*)", line))]


def unknown(call: str) -> str:
    """What a call of dpaudit names that there is not: a command, a flag, a value of a choice; empty if all is known."""
    words = shlex.split(re.split(r" [|>&]|;", call)[0], comments=True)
    if words and (words[0] in config.KEYS or not re.fullmatch("[a-z]+", words[0])):
        return ""  # a placeholder
    command = program.commands.get(words[0]) if words else None
    if command is None:
        return f"command {words[:1]}"
    flags = {flag: option for option in command.params for flag in (*option.opts, *option.secondary_opts)}
    for place, word in enumerate(words[1:], start=1):
        name, _, value = word.partition("=")
        if not name.startswith("-"):
            continue
        if name not in flags:
            return f"flag {name} of {words[0]}"
        given = value or (words[place + 1] if place + 1 < len(words) else "")
        kind = flags[name].type
        if isinstance(kind, click.Choice) and given.islower() and given not in kind.choices:
            return f"value {given} of {name}"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_command_and_flag_that_a_page_names_exists(page: Path) -> None:
    if page.name != "CHANGELOG.md":  # which also tells what is gone
        assert [(c, what) for c in commands(page.read_text(encoding="utf-8")) if (what := unknown(c))] == []


def test_a_command_that_does_not_exist_is_noticed() -> None:
    text = "`dpaudit vary` and\n```console\n$ dpaudit audit a.py --sed 7\n$ dpaudit run --level slow\nprinted\n```\n"
    assert [unknown(c) for c in commands(text)] == ["flag --sed of audit", "value slow of --level", "command ['vary']"]
    assert unknown(" audit mine.py --level smoke --seed 7 | less") == ""


def test_every_page_of_the_docs_is_in_the_index() -> None:
    listed = set(re.findall(r"(?m)^([\w/]+)$", (DOCS / "index.md").read_text(encoding="utf-8")))
    for page in ("checks", "reference/estimators", "reference/attacks"):  # which list all pages of a folder
        folder = DOCS / page
        assert f":glob:\n\n{folder.name}/*\n" in folder.with_suffix(".md").read_text(encoding="utf-8")
        listed |= {f"{page}/{one.stem}" for one in folder.glob("*.md")}
    pages = {
        page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md") if "_build" not in page.parts
    }
    assert listed == pages - {"index"}


PUBLIC = (
    "dpaudit", "dpaudit.claims.writing", "dpaudit.estimators", "dpaudit.attacks", "dpaudit.algorithms",
    "dpaudit.problems", "dpaudit.adapters", "dpaudit.testing",
)  # fmt: skip
"""What users import from: a module gives the names of its `__all__`, a package of modules these modules."""
RECORDING = tuple(
    f"dpaudit.audit.structural.{name}"
    for name in ("recording", "optimisers", "checks", "observed", "far", "training", "finding")
)
"""What an `instrument` and a structural check are given; the only modules documented beside PUBLIC."""


def documented(kind: str) -> list[str]:
    """What the pages of the reference document by the directives `auto<kind>`."""
    pages = (page.read_text(encoding="utf-8") for page in sorted((DOCS / "reference").rglob("*.md")))
    return [name for page in pages for name in re.findall(rf"(?m)^\.\. auto{kind}:: (\S+)", page)]


def modules_of(name: str) -> set[str]:
    """The modules that `name`, one of PUBLIC, is: itself, and those that its `__all__` names."""
    module = importlib.import_module(name)
    inside = (f"{name}.{each}" for each in module.__all__ if hasattr(module, "__path__"))
    return {name, *(one for one in inside if importlib.util.find_spec(one))}


def test_the_reference_documents_the_public_modules_and_nothing_else() -> None:
    names = documented("module")
    assert len(names) == len(set(names))
    assert set(names) == set().union(*map(modules_of, PUBLIC), RECORDING)


def test_the_reference_documents_every_public_name_of_dpaudit() -> None:
    names = [name for name in documented("(?:class|function)") if name.count(".") == 1]
    assert sorted(names) == sorted(f"dpaudit.{name}" for name in dpaudit.__all__)


@pytest.mark.parametrize("package", ["estimators", "attacks"])
def test_a_package_of_public_modules_names_each_that_is_not_private(package: str) -> None:
    home = importlib.import_module(f"dpaudit.{package}")
    assert sorted(home.__all__) == [m.name for m in iter_modules(home.__path__) if not m.name.startswith("_")]


def imports(text: str) -> set[str]:
    """What the Python in a page or a file imports from dpaudit, as dotted names."""
    found = re.findall(r"(?m)^ *from (dpaudit[\w.]*) import ([\w, ]+)", text)
    return {f"{module}.{name.strip()}" for module, names in found for name in names.split(",")}


def test_what_users_are_told_to_import_is_in_the_reference() -> None:
    shown = [ROOT / "audits" / "_template.py", *(DOCS / "examples").glob("*.py"), *STARTERS.glob("*.txt")]
    told = set().union(*(imports(file.read_text(encoding="utf-8")) for file in (*PAGES, *shown)))
    alone = {name for kind in ("module", "class", "function") for name in documented(kind)}
    unknown = {name for name in told - alone if name.rpartition(".")[0] not in {*documented("module")} - {"dpaudit"}}
    assert len(told) > 20
    assert unknown == set()


def extension(name: str) -> ModuleType:
    """An extension of Sphinx that lies beside the pages."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "extensions" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_docstrings_are_plain_but_for_backticks_blocks_and_bullets() -> None:
    plain = extension("plain_docstrings").plain
    text = ["Of 2**n and |x|: `a*b_` stays.", "", "    code(*args)", "", "    more_", "", "* one_", "x_ again"]
    assert list(plain(text)) == [
        r"Of 2\*\*n and \|x\|: `a*b_` stays.", "", "::", "", "    code(*args)", "", "    more_", "",
        r"* one\_", r"x\_ again",
    ]  # fmt: skip


def test_the_tables_of_the_reference_have_every_key_and_code() -> None:
    tables = extension("program_tables")
    rows = [row.split(" | ")[0].strip("|` ") for row in tables.configuration_keys()]
    assert rows[2:] == list(config.KEYS)
    assert [row.split(" | ")[0].strip("|` ") for row in tables.exit_codes()][2:] == [str(int(c)) for c in ExitCode]
    assert len(list(tables.schemas())) == 2 + len(list((DOCS / "schema").glob("*.json")))
    assert any("`srgd/ALG-" in row and "`dp_sgd`" not in row for row in tables.algorithms("srgd"))
    assert len(list(tables.structural_checks())) == 2 + len(list(iter_modules(checks.__path__)))
    assert tables.cell("a|b*<c>") == r"a\|b\*\<c\>"
