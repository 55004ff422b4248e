"""What the records of `reports/` say of one check, estimator or attack, as lines of Markdown for its page."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from inspect import getclosurevars, isfunction
from pathlib import Path
from types import ModuleType
from typing import Any

from program_tables import cell, table

from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_targets
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper
from dpaudit.records.verdict import Evidence, Kind, Outcome, Verdict
from dpaudit.runs.reading import load_run

ROOT = Path(__file__).parents[2]
BENCHMARKS, SAMPLE = ROOT / "reports" / "benchmarks", ROOT / "reports" / "sample"
MEASURED = ("structural", "validity", "one_run_validity", "bands_and_bets")
FILES = (Path(__file__), *(BENCHMARKS / f"{name}.json" for name in MEASURED), SAMPLE / "records.jsonl")
"""What pages are made of, beside the docstrings; an example may come of a further file of BENCHMARKS."""
CATALOGUE = "[the catalogue](../catalogue.md)"
CHOSEN = re.compile(r"the attack '(.+?)' was chosen of \d+")
ATTACKS = "dpaudit.attacks."

Row = dict[str, Any]


@cache
def benchmark(name: str) -> Any:
    """The record of a benchmark."""
    return json.loads((BENCHMARKS / f"{name}.json").read_text(encoding="utf-8"))


@cache
def audited() -> tuple[Verdict, ...]:
    """The audits and controls of the sample run."""
    return tuple(v for v in load_run(SAMPLE).verdicts if v.kind in (Kind.AUDIT, Kind.CONTROL))


# Checks. ----------------------------------------------------------------------------------------


def false_alarms(check: str) -> Iterator[str]:
    """How often a statistical check refuted correct trainings; nothing of the others, which make no test."""
    rows = []
    for twin in benchmark("structural")["twins"]:
        coarse, fine = (twin[f"refuted_at_{level}"] for level in ("0.01", "1e-06"))
        if check in coarse:
            rows.append((cell(twin["twin"]), f"{twin['seeds']:,}", str(coarse[check]), str(fine.get(check, 0))))
    if rows:
        yield "How often it refuted correct trainings (`reports/benchmarks/structural.json`):"
        yield ""
        yield from table(("training", "seeds", "refuted at 0.01", "refuted at 1e-6"), rows)


def caught(check: str) -> Iterator[str]:
    """The planted bugs that a check refuted, in the benchmark of the checks and in the sample run."""
    rows = [
        (cell(bug["bug"]), _named(bug["check"] == check), f"{count} of {bug['of']} seeds")
        for bug in benchmark("structural")["bugs"]
        if (count := bug["caught"] if bug["check"] == check else bug["others"].get(check, 0))
    ]
    for verdict in audited():
        if verdict.kind is Kind.CONTROL and any(_by(check, one) for one in verdict.evidence):
            named = dict(verdict.numbers).get("planted_check") == check
            rows.append((cell(_title(verdict)), _named(named), f"in the sample run, `{verdict.id}`"))
    if not rows:
        yield f"No record has a bug of {CATALOGUE} that this check refuted."
        return
    yield "Counts of seeds are those of `reports/benchmarks/structural.json`. A bug whose check is another one was "
    yield "refuted by this one beside it. For bugs that are targets of their own, as nearly all are, "
    yield f"{CATALOGUE} links to where each was reported."
    yield ""
    yield from table(("what is wrong", "its check", "caught"), rows)


def _named(own: bool) -> str:
    return "this one" if own else "another one"


def _title(verdict: Verdict) -> str:
    return verdict.title.partition("planted: ")[2] or verdict.title


def _by(check: str, evidence: Evidence) -> bool:
    """Did the check refute?"""
    return evidence.outcome is Outcome.REFUTED and evidence.detail.startswith(f"{check}: ")


def refutation(check: str) -> Iterator[str]:
    """What a record says where the check refuted: of the sample run, else of a benchmark."""
    found = [(v, one.detail) for v in audited() for one in v.evidence if _by(check, one)]
    if found:
        verdict, detail = min(found, key=lambda one: dict(one[0].numbers).get("planted_check") != check)
        yield f"Of `{verdict.id}` in the sample run ({cell(_title(verdict))}):"
        yield from ("", "```text", detail, "```", "", "It is made again by", "", "```text")
        yield from (f"$ {verdict.replay}", "```")
        return
    for file in sorted(BENCHMARKS.glob("trainings*.json")):
        for row in json.loads(file.read_text(encoding="utf-8"))["rows"]:
            if row["found"].startswith(f"{check}: "):
                yield f"Of `{row['name']}` in `reports/benchmarks/{file.name}` ({cell(row['bug'])}):"
                yield from ("", "```text", row["found"], "```")
                return
    yield "No record has one."


# Estimators. ------------------------------------------------------------------------------------


def coverage(module: ModuleType) -> Iterator[str]:
    """How often the bounds of an estimator exceeded the truth, at 5 %, and what else was measured of it."""
    name = module.__name__.rpartition(".")[2]
    rows = [row for row in benchmark("validity")["rows"] if row["estimator"] == name]
    found = [
        line for make in (_exceeded, _of_the_family, _small, _guarded, _watched, _edges) for line in make(name, rows)
    ]
    if hasattr(module, "COVERS") and not module.COVERS:
        found.insert(0, "It claims no coverage; these are its real errors.\n")
    yield from found or ["Nothing of its own: it makes no bound that could exceed a truth."]


def _exceeded(_: str, rows: list[Row]) -> Iterator[str]:
    if not rows:
        return
    with_mu = any(row["mu_exceeded"] or row["mean_mu"] for row in rows)
    yield "Share of simulated audits in which a bound with alpha = 0.05 exceeded the truth, with its 95 % interval, of "
    yield "`reports/benchmarks/validity.json`. [Validity](../../validity.md) says what the laws are and how it was "
    yield "measured; size is that of a side, or the number of canaries."
    if all(row["mean_epsilon"] is None for row in rows):
        yield "Counted are audits that refute the true guarantee, as claimed; the bound exceeds it no more often."
    yield ""
    head = ("law", "size", "audits", "% epsilon too high", *(["% mu too high"] if with_mu else []))
    laws = list(dict.fromkeys(row["law"] for row in rows))
    ordered = sorted(rows, key=lambda row: (laws.index(row["law"]), row["size"]))
    yield from table(head, (_row(row, with_mu) for row in ordered))
    yield ""


def _row(row: Row, with_mu: bool) -> Iterator[str]:
    yield from (cell(row["law"]), f"{row['size']:,}", f"{row['audits']:,}")
    for key in ("epsilon_exceeded", "mu_exceeded")[: 1 + with_mu]:
        count, audits = row[key], row["audits"]
        low, high = (100 * float(bound(count, audits, 0.025)) for bound in (rate_lower, rate_upper))
        yield f"{100 * count / audits:.2f} \\[{low:.2f}, {high:.2f}\\]"


def _of_the_family(name: str, _: list[Row]) -> Iterator[str]:
    if name == "one_run_family":
        yield "Share of simulated audits that refute the true mechanism, as claimed, with alpha = 0.05, so that the "
        yield "bound exceeded the truth, with its 95 % interval, of `reports/benchmarks/one_run_validity.json`:"
        yield ""
        shown = (
            (cell(r["case"]), f"{r['canaries']:,}", f"{r['audits']:,}", "yes" if r["assumption holds"] else "no",
             f"{r['percent']:.2f} \\[{r['percent_low']:.2f}, {r['percent_high']:.2f}\\]")
            for r in benchmark("one_run_validity")["rows"] if r["part"] == "family"
        )  # fmt: skip
        yield from (*table(("case", "canaries", "audits", "its assumption holds", "% refuted"), shown), "")


def _small(name: str, _: list[Row]) -> Iterator[str]:
    if name in ("rank_test", "least_favourable"):
        yield "p-values of the rank test for claims that hold exactly; of those at or below 0.05 there may be 5 %, and "
        yield "what chance adds."
        yield ""
        rows = benchmark("validity")["p_values"]
        shown = ((cell(r["law"]), cell(r["claim"]), f"{r['repeats']:,}", f"{100 * r['shares'][4]:.1f}") for r in rows)
        yield from (*table(("law", "claim", "p-values", "% at or below 0.05"), shown), "")


def _guarded(name: str, _: list[Row]) -> Iterator[str]:
    if name == "conditional_gaussian":
        yield from ("How often its guard lets each law through:", "")
        shown = (
            (cell(r["law"]), f"{r['size']:,}", f"{r['audits']:,}", f"{100 * r['passed'] / r['audits']:.1f}")
            for r in benchmark("validity")["guard"]
        )
        yield from (*table(("law", "trials a side", "audits", "% let through"), shown), "")


def _watched(name: str, _: list[Row]) -> Iterator[str]:
    if name == "confidence_sequence":
        yield "Share of sequences that ever missed the rate, looked at after every trial, of "
        yield "`reports/benchmarks/bands_and_bets.json`:"
        yield ""
        shown = (
            (f"{r['rate']:g}", f"{r['runs']:,}", f"{r['trials']:,}", f"{r['alpha']:g}", f"{100 * r['missed']:.1f}")
            for r in benchmark("bands_and_bets")["sequences"]
        )
        yield from (*table(("rate", "sequences", "trials", "alpha", "% missed"), shown), "")


def _edges(name: str, _: list[Row]) -> Iterator[str]:
    if name == "power":
        yield "Share of audits that caught the violation which it says is caught with probability 0.9, by counts, of "
        yield "`reports/benchmarks/bands_and_bets.json`:"
        yield ""
        shown = (
            (cell(r["guarantee"]), f"{r['trials']:,}", f"{r['audits']:,}", f"{r['violation']:.3g}", f"{r['caught']:g}")
            for r in benchmark("bands_and_bets")["edges"]
        )
        yield from (*table(("claim", "trials a side", "audits", "epsilon", "caught"), shown), "")


@cache
def imports() -> dict[str, frozenset[str]]:
    """The modules of dpaudit, by their file, and what each imports: modules, and names of modules."""
    found = {}
    for file in sorted((ROOT / "dpaudit").rglob("*.py")):
        names: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
        found[file.relative_to(ROOT).as_posix()] = frozenset(names)
    return found


def importers(name: str) -> str:
    """Which files of dpaudit import a module, in a sentence."""
    files = [f"`{file}`" for file, names in imports().items() if name in names]
    return f"Imported by {', '.join(files)}." if files else "No module of dpaudit imports it."


# Attacks. ---------------------------------------------------------------------------------------


@cache
def scored() -> tuple[tuple[Verdict, Outcome, str, frozenset[str]], ...]:
    """The games of the sample run on two data sets: the verdict, the outcome of the game, the name of the attack whose
    scores were counted, and the modules of attacks that it is of or calls."""
    items = {item.name: item for item in load_targets([ROOT / "audits"]) if isinstance(item, Loaded)}
    found = []
    for verdict in audited():
        game = next((one for one in verdict.evidence if one.engine == "game"), None)
        item = items.get(verdict.id)
        if game is None or game.outcome is Outcome.NOT_RUN or item is None or item.record.canaries:
            continue
        attacks = item.carrier.all_attacks
        chosen = CHOSEN.search(game.detail)
        name = chosen[1] if chosen else next(iter(attacks))
        found.append((verdict, game.outcome, name, frozenset(modules_of(attacks[name]))))
    return tuple(found)


def modules_of(attack: Any) -> Iterator[str]:
    """The modules of `dpaudit.attacks` that an attack is of, that its functions call, or that its fields are of."""
    todo, seen = [attack], set[int]()
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield from _homes(one)
        todo += _inside(one)


def _homes(one: Any) -> Iterator[str]:
    for name in (getattr(one, "__name__", ""), getattr(one, "__module__", ""), type(one).__module__):
        if str(name).startswith(ATTACKS):
            yield str(name)


def _inside(one: Any) -> Iterable[Any]:
    """What an attack is made of: the function of a partial one, what a function of a target calls, fields of others."""
    if isinstance(one, partial):
        return [one.func, *one.args]
    if isfunction(one) and not one.__module__.startswith("dpaudit."):
        return [*getclosurevars(one).globals.values(), *getclosurevars(one).nonlocals.values()]
    return list(vars(one).values()) if type(one).__module__.startswith(ATTACKS) else []


def targets(name: str) -> Iterator[str]:
    """The games of the sample run whose counted scores are those of an attack."""
    rows = [(v, outcome, attack) for v, outcome, attack, modules in scored() if name in modules]
    if not rows:
        yield "None: no game on two data sets counted its scores. What scored the canaries of one training, records do "
        yield "not say."
        return
    yield "Games on two data sets whose counted scores it made, and the outcome of the game. Where several attacks "
    yield "competed, the name is that of the one that was chosen on held-out trials."
    yield ""
    shown = ((f"`{v.id}`", outcome.word, cell(attack), cell(v.title)) for v, outcome, attack in rows)
    yield from table(("target", "outcome", "attack", "what it is"), shown)
