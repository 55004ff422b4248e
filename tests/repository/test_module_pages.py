"""The pages of structural checks, estimators and attacks: one a module, with all sections, true to code and records."""

from __future__ import annotations

import doctest
import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from dpaudit import claim
from dpaudit.adapters.release import Release, output_attacks
from dpaudit.adapters.scores import FINAL_ATTACKS, STEP_ATTACKS
from dpaudit.attacks.histogram import Histogram

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.append(str(DOCS / "extensions"))  # Sphinx has it there too, and the extensions import each other

import module_pages  # noqa: E402
import page_records  # noqa: E402
from module_pages import ATTACKS, CHECKS, ESTIMATORS, KINDS, Kind  # noqa: E402

HEADINGS = {
    "checks": [
        "What it asks", "What it sees", "What it cannot see", "False alarms", "The exception that one may declare",
        "Planted bugs that it caught", "What a refutation looks like", "Where its code is",
    ],
    "estimators": [
        "What it promises", "What it assumes", "Does it decide?", "How it works", "Where it comes from",
        "What was measured", "Example",
    ],
    "attacks": [
        "What it scores", "Which leaks it finds", "What it cannot find", "What it needs from a target", "What it costs",
        "When it competes", "Targets of the sample run", "How it works", "Where it comes from",
    ],
}  # fmt: skip
MODULES = [(kind, name, module) for kind in KINDS for name, module in kind.modules().items()]


def sections(body: str) -> dict[str, str]:
    """What stands below each heading."""
    parts = (part.partition("\n") for part in body.split("\n## ")[1:])
    return {heading: text.strip() for heading, _, text in parts}


def unlike(folder: Path) -> list[str]:
    """The files of pages that a folder of docs lacks, has without a module, or that hold something else."""
    made = {path.relative_to(DOCS): text for path, text in module_pages.written()}
    there = {path.relative_to(folder) for kind in KINDS for path in (folder / kind.folder).glob("*.md")}
    wrong = {
        path for path, text in made.items()
        if not (folder / path).exists() or (folder / path).read_text(encoding="utf-8") != text
    }  # fmt: skip
    return sorted(path.as_posix() for path in wrong | (there - made.keys()))


def test_every_module_has_its_committed_page_and_every_overview_its_rows() -> None:
    assert unlike(DOCS) == [], "python docs/extensions/module_pages.py"
    for kind, folder in ((ESTIMATORS, "estimators"), (ATTACKS, "attacks"), (CHECKS, "audit/structural/checks")):
        files = [path for path in (ROOT / "dpaudit" / folder).glob("*.py") if not path.name.startswith("_")]
        assert len(files) == len(list((DOCS / kind.folder).glob("*.md")))


def test_a_page_that_is_missing_or_changed_or_of_no_module_is_seen(tmp_path: Path) -> None:
    for path, text in module_pages.written():
        copy = tmp_path / path.relative_to(DOCS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    assert unlike(tmp_path) == []
    (tmp_path / "checks" / "sampler.md").unlink()
    (tmp_path / "reference" / "attacks" / "gone.md").write_text("# gone\n", encoding="utf-8")
    overview = tmp_path / "reference" / "estimators.md"
    rows = [line for line in overview.read_text(encoding="utf-8").splitlines() if "[betting]" not in line]
    overview.write_text("\n".join(rows), encoding="utf-8")
    assert unlike(tmp_path) == ["checks/sampler.md", "reference/attacks/gone.md", "reference/estimators.md"]


@pytest.mark.parametrize(("kind", "name", "module"), MODULES, ids=[f"{k.name}/{name}" for k, name, _ in MODULES])
def test_a_page_has_all_sections_and_says_something_in_each(kind: Kind, name: str, module: ModuleType) -> None:
    found = sections(kind.body(module))
    assert list(found) == HEADINGS[kind.name]
    assert [heading for heading, text in found.items() if len(text) < 8] == []
    assert kind.api == ("## API" in kind.stub(name, module))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_docstring_without_a_paragraph_is_refused(kind: Kind) -> None:
    module = next(iter(kind.modules().values()))
    for label in set(module_pages.LABELS[kind.name]) - {"Source", "Sources"}:
        words = kind.words(module)
        lacking = replace(words, said={key: said for key, said in words.said.items() if key != label})
        with pytest.raises(ValueError, match=f"lacks a paragraph '{label}: ...'"):
            [list(lines) for _, lines in kind.sections(module, lacking)]


def test_a_new_module_has_its_page_by_lying_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "some_attacks"
    home.mkdir()
    (home / "__init__.py").write_text('"""Attacks."""', encoding="utf-8")
    said = "\n\n".join(f"{label}: word by word." for label in module_pages.LABELS["attacks"])
    (home / "fresh.py").write_text(f'"""What it is.\n\nHow.\n\n{said}\n"""', encoding="utf-8")
    (home / "_private.py").write_text('"""No page."""', encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module_pages, "ROOT", tmp_path)
    kind = replace(ATTACKS, package="some_attacks")
    [(name, module)] = kind.modules().items()
    assert name == "fresh"
    assert sections(kind.body(module))["What it costs"] == "Word by word."
    assert '<a id="fresh"></a>[fresh](attacks/fresh.md) | What it is. | word by word |' in kind.overview()


def test_links_to_a_check_in_reports_and_messages_lead_to_its_row() -> None:
    page = (DOCS / "checks.md").read_text(encoding="utf-8")
    assert [name for name in CHECKS.modules() if f'| <a id="{name}"></a>[{name}](checks/{name}.md) |' not in page] == []


# Estimators. ------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ESTIMATORS.modules().values(), ids=list(ESTIMATORS.modules()))
def test_the_example_of_an_estimator_gives_what_it_says(module: ModuleType) -> None:
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(module) or "", {}, module.__name__, None, None)
    assert any(one.want for one in example.examples)
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def used() -> Iterator[str]:
    """The estimators that a module of dpaudit imports that is no estimator, or one of these does."""
    graph = page_records.imports()
    todo = [names for file, names in graph.items() if not file.startswith("dpaudit/estimators/")]
    seen: set[str] = set()
    while todo:
        for name in {one.split(".")[2] for one in todo.pop() if one.startswith("dpaudit.estimators.")} - seen:
            seen.add(name)
            todo.append(graph.get(f"dpaudit/estimators/{name}.py", frozenset()))
    yield from seen


def test_what_no_audit_uses_says_so_and_nothing_else_does() -> None:
    known = ESTIMATORS.modules()
    said = {name: " ".join(ESTIMATORS.words(module)["Decides"].split()) for name, module in known.items()}
    idle = {name for name, words in said.items() if "No audit uses it" in words}
    assert idle == known.keys() - set(used())


def test_what_decides_is_imported_where_audits_are_decided() -> None:
    known = ESTIMATORS.modules()
    deciding = {name for name, module in known.items() if ESTIMATORS.words(module)["Decides"].startswith("yes")}
    files = [names for file, names in page_records.imports().items() if file.startswith("dpaudit/audit/game/decide")]
    assert deciding == {"betting", "clopper_pearson", "held_out_threshold", "one_run_fdp", "rank_test"}
    assert all(any(f"dpaudit.estimators.{name}" in names for names in files) for name in deciding)


@pytest.mark.deep(keep=1)
def test_an_estimator_that_promises_no_coverage_says_so() -> None:
    for name, module in ESTIMATORS.modules().items():
        text = sections(ESTIMATORS.body(module))["What was measured"]
        assert text.startswith("It claims no coverage") == (not getattr(module, "COVERS", True)), name
        assert hasattr(module, "COVERS") == ("exceeded the truth, with its" in text), name


def test_the_rows_of_an_estimator_are_those_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ESTIMATORS.modules()["hockey_stick"]
    rows = [row for row in page_records.benchmark("validity")["rows"] if row["estimator"] == "hockey_stick"]
    text = "\n".join(page_records.coverage(module))
    assert text.count("\n| ") == len(rows) + 2
    assert f"| {rows[0]['audits']:,} | {100 * rows[0]['epsilon_exceeded'] / rows[0]['audits']:.2f} " in text
    monkeypatch.setattr(
        page_records,
        "benchmark",
        lambda _: {"rows": [rows[0] | {"audits": 8, "epsilon_exceeded": 2, "mu_exceeded": 0}]},
    )
    assert "| 8 | 25.00 \\[3.19, 65.09\\] |" in "\n".join(page_records.coverage(module))


# Checks. ----------------------------------------------------------------------------------------


def test_caught_bugs_are_those_of_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    bugs = json.loads((ROOT / "reports" / "benchmarks" / "structural.json").read_text(encoding="utf-8"))["bugs"]
    text = "\n".join(page_records.caught("noise scale"))
    own = [bug["bug"] for bug in bugs if bug["check"] == "noise scale"]
    others = [bug for bug in bugs if bug["others"].get("noise scale")]
    assert own
    assert others
    assert all(f"| {name} | this one | 20 of 20 seeds |" in text for name in own)
    assert f"| {others[0]['bug']} | another one | {others[0]['others']['noise scale']} of 20 seeds |" in text
    assert "| half of the noise | this one | in the sample run, `known-bad/dp-sgd-half-noise` |" in text
    monkeypatch.setattr(page_records, "audited", tuple)
    monkeypatch.setattr(page_records, "benchmark", lambda _: {"bugs": [bugs[0] | {"caught": 0}]})
    assert "\n".join(page_records.caught("noise scale")).startswith("No record has a bug of [the catalogue]")


@pytest.mark.parametrize("module", CHECKS.modules().values(), ids=list(CHECKS.modules()))
def test_an_example_of_a_refutation_stands_in_a_record(module: ModuleType) -> None:
    lines = list(page_records.refutation(module.NAME))
    if lines == ["No record has one."]:
        assert module.NAME in ("repeatable replay", "declared epsilon")
        return
    detail = lines[lines.index("```text") + 1]
    assert detail.startswith(f"{module.NAME}: ")
    kept = [one.detail for verdict in page_records.audited() for one in verdict.evidence]
    if detail not in kept:
        files = (ROOT / "reports" / "benchmarks").glob("trainings*.json")
        assert any(json.dumps(detail) in file.read_text(encoding="utf-8") for file in files)


# Attacks. ---------------------------------------------------------------------------------------


def test_an_attack_of_an_adapter_is_said_to_compete_under_its_name() -> None:
    release = Release("mine/sum", lambda data, seed: data.sum(), pair=([1.0, 2.0], [1.0]), claim=claim(epsilon=1.0))
    listed = {**output_attacks(float_bits=True), **STEP_ATTACKS, **FINAL_ATTACKS, **release.ATTACKS}
    known, told = ATTACKS.modules(), dict[str, set[str]]()
    for name, attack in listed.items():
        of = getattr(attack, "features", None) or type(attack)  # a histogram of features competes as these
        told.setdefault(of.__module__.rpartition(".")[2], set()).add(name)
    assert "replayed_seed" in told
    for name, module in known.items():
        words = " ".join(ATTACKS.words(module)["Competes"].split())
        quoted = set(words.split('"')[1::2])
        assert quoted == told.get(name, set()), name


def test_games_of_the_sample_run_are_listed_with_the_attack_that_was_chosen() -> None:
    lines = list(page_records.targets("dpaudit.attacks.histogram"))
    assert sum("`discrete/noisy-max`" in line and "| consistent | histogram |" in line for line in lines) == 1
    assert not any("known-bad/float-gaussian" in line for line in lines)
    assert "known-bad/float-gaussian" in "\n".join(page_records.targets("dpaudit.attacks.float_bits"))
    assert next(page_records.targets("dpaudit.attacks.worst_case")).startswith("None")


def test_the_modules_of_an_attack_are_those_that_it_calls() -> None:
    from dpaudit.attacks import float_bits, likelihood_ratio

    def score(outputs: object, data: object, neighbour: object) -> object:
        return helper(outputs)

    def helper(outputs: object) -> object:
        return likelihood_ratio.gaussian(outputs, 0.0, 1.0, 1.0)  # type: ignore[arg-type]

    assert set(page_records.modules_of(score)) == {"dpaudit.attacks.likelihood_ratio"}
    assert set(page_records.modules_of(Histogram(features=float_bits.low_bits))) == {
        "dpaudit.attacks.histogram", "dpaudit.attacks.float_bits",
    }  # fmt: skip
    assert set(page_records.modules_of(lambda outputs, data, neighbour: outputs)) == set()
