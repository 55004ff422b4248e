"""A made-up run folder with every outcome and every kind of verdict, hostile strings included."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpaudit.records.digests import digest_in, sha256, with_digest, without_digest
from dpaudit.records.serial import encode
from dpaudit.records.verdict import Basis, Evidence, Kind, Numbers, Outcome, Verdict, count

HOSTILE = "<script>alert(1)</script>\"'&amp;{{ 7*7 }}{% raw %}\x00\u202e"
GAME = "(2, 1e-05)-DP; neighbours: replace one record; the adversary sees the final model"
PROVED, CONSISTENT, REFUTED = Outcome.PROVED, Outcome.CONSISTENT, Outcome.REFUTED
INCONCLUSIVE, NOT_RUN, ERROR = Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.ERROR


def verdict(name: str, kind: Kind, outcome: Outcome, expected: Outcome | None = None, **more: Any) -> Verdict:
    """A verdict with plausible fields; `engine` and `detail` go into its one piece of evidence."""
    detail = more.pop("detail", "what the engine found, in one sentence")
    evidence = (Evidence(more.pop("engine", "rigorous"), outcome, detail, more.pop("found", ())),)
    title, source = more.pop("title", f"title of {name}"), more.pop("source", "A. Author (2024), A paper, page 4")
    more.setdefault("replay", f"dpaudit verify {name} --seed 7")
    expected = outcome if expected is None else expected
    return Verdict(name, kind, outcome, expected, title, evidence, source, 7, **more)


def claims() -> list[Verdict]:
    """Claims and steps of two papers, with mutants caught, escaped and slack."""
    statement = "for all p in [2, oo); a in (0, 1): a*p <= p**2 + a"
    witness: Numbers = (("p", "5/2"), ("a", "3/5"), ("left", "[3.25 +/- 1e-9]"), ("right", "3"))
    engines = tuple(Evidence(e, PROVED, f"closed by {e}", (("boxes", 120),)) for e in ("symbolic", "rigorous"))
    first = verdict("rbcd/LEM-2", Kind.CLAIM, PROVED, statement=statement, assuming=("minkowski",))
    return [
        replace(first, evidence=engines),
        verdict("rbcd/LEM-2/s1", Kind.STEP, PROVED, engine="symbolic", statement=statement),
        verdict("rbcd/LEM-2/s2", Kind.STEP, REFUTED, statement="x <= y", witness=witness,
                effect="the printed constant is too small by a factor of 2", repair="rbcd/LEM-2~repaired"),
        verdict("rbcd/LEM-2/r1", Kind.REDUCTION, PROVED, engine="symbolic", statement=statement),
        verdict("rbcd/LEM-2~repaired", Kind.CLAIM, PROVED, engine="exact"),
        verdict("rbcd/THM-1", Kind.CLAIM, CONSISTENT, basis=Basis.SAMPLING, engine="empirical",
                detail="mean 0.51 over 200000 trials; 0.55 would be refuted", found=(("near_miss", 0.55),)),
        verdict("rbcd/THM-2", Kind.CLAIM, CONSISTENT, basis=Basis.PARTIAL_PROOF),
        verdict("rbcd/THM-3", Kind.CLAIM, CONSISTENT, basis=Basis.SEARCH, engine="empirical"),
        verdict("srm/COR-5", Kind.CLAIM, INCONCLUSIVE, PROVED, title=HOSTILE, detail=HOSTILE),
        verdict("srm/COR-6", Kind.CLAIM, REFUTED, PROVED, title="a surprise", witness=(("x", HOSTILE),)),
        verdict("rbcd/LEM-2~constant at 0.95", Kind.MUTANT, REFUTED),
        verdict("rbcd/LEM-2/s1~sign", Kind.MUTANT, REFUTED),
        verdict("rbcd/THM-1~condition dropped", Kind.MUTANT, INCONCLUSIVE, REFUTED, title="drops p >= 2"),
        verdict("srm/COR-5~slack", Kind.MUTANT, PROVED, REFUTED),
    ]  # fmt: skip


def agreements() -> list[Verdict]:
    """Two comparisons that ran and one that had no device."""
    numbers: Numbers = (("deviation", 3.1e-15), ("bound", 2.2e-13))
    return [
        verdict("agree/rbcd/ALG-1/numba/float64", Kind.AGREEMENT, CONSISTENT, engine="agreement",
                basis=Basis.SEARCH, numbers=numbers),
        verdict("agree/rbcd/ALG-1/torch/float32", Kind.AGREEMENT, NOT_RUN, engine="agreement",
                detail="torch is not installed"),
    ]  # fmt: skip


def games() -> list[Verdict]:
    """Audits that hold, one expected and one unexpected refutation, a crash, and controls of both sorts."""
    return [
        _game("rbcd/alg-1", Kind.AUDIT, CONSISTENT, CONSISTENT, 1.9, 2.0, 1.97),
        _game("third/party", Kind.AUDIT, REFUTED, REFUTED, 4.1, 2.0, None, effect="a single record can be recovered"),
        _game("surprise/optimiser", Kind.AUDIT, REFUTED, CONSISTENT, 3.3, 1.0, None),
        verdict("crash/target", Kind.AUDIT, ERROR, CONSISTENT, engine="game", detail="returned NaN in trial 3"),
        _game("known_bad/no-noise", Kind.CONTROL, REFUTED, REFUTED, 6.0, 1.0, None),
        _game("null/constant", Kind.CONTROL, CONSISTENT, CONSISTENT, 0.0, 0.5, 0.0),
    ]


def _game(
    name: str, kind: Kind, outcome: Outcome, expected: Outcome, low: float, claim: float, exact: float | None,
    effect: str = "",
) -> Verdict:  # fmt: skip
    numbers: Numbers = (
        ("epsilon_lower_95", low), ("epsilon_claimed", claim), ("epsilon_exact", exact),
        ("tightness", low / exact if exact else None), ("delta", 1e-5), ("mu_lower_95", 0.4),
        ("trials_per_side", 20000), ("alpha_decision", 1e-4), ("limit_of_detection", 7.9),
        ("smallest_violation_at_90", claim + 0.625), ("threshold", 0.25),
    )  # fmt: skip
    scores = (f"scores/{name.replace('/', '_')}.json",)
    basis = Basis.SAMPLING if outcome is CONSISTENT else None
    return verdict(name, kind, outcome, expected, engine="game", numbers=numbers, attachments=scores, basis=basis,
                   statement=GAME, effect=effect)  # fmt: skip


def scores(epsilon: float, claimed: float) -> dict[str, Any]:
    """A scores file as the game writes it: a staircase of 300 points and the line of the claim."""
    rates = [math.exp(math.log(1e-4) * (1 - i / 299)) for i in range(300)]
    leak = [min(1.0, math.exp(epsilon) * rate, 1 - math.exp(-epsilon) * (1 - rate)) for rate in rates]
    line = [min(1.0, math.exp(claimed) * rate + 1e-5) for rate in rates[::10]]
    return {
        "target": "x", "trials_per_side": 20000, "false_positive_rate": [0.0, *rates],
        "true_positive_rate": [0.0, *leak], "claim_false_positive_rate": rates[::10], "claim_true_positive_rate": line,
        "claim_label": f"({claimed}, 1e-05)-DP",
        "point": {"false_positive_rate": 0.001, "true_positive_rate": 0.008,
                  "false_positive_rate_upper": 0.0017, "true_positive_rate_lower": 0.006},
        "epsilon_lower": epsilon, "delta": 1e-5, "epsilon_claimed": claimed, "epsilon_exact": None,
        "band": {"false_positive_rate_lower": [0.0, 0.1], "false_positive_rate_upper": [0.002, 0.2],
                 "true_positive_rate_lower": [0.003, 0.4], "true_positive_rate_upper": [0.01, 0.6]},
        "ruled_out": {"false_positive_rate": [0.0, 0.2, 1.0], "true_positive_rate": [0.0, 0.4, 1.0]},
        "progress": {"trials": [1, 100, 10000], "epsilon_lower": [0.0, 0.1, 0.6875],
                     "epsilon": [None, 0.9, 0.8125], "epsilon_upper": [None, None, 0.9375]},
        "power": {"how": "at least", "epsilon": [claimed + 0.5, claimed + 0.625], "chance": [0.5, 0.9]},
    }  # fmt: skip


def header(verdicts: list[Verdict], **changes: Any) -> dict[str, Any]:
    """A run.json as a finished run leaves it."""
    entries = [{"type": "LedgerEntry", "name": v.id, "tests": 1} for v in verdicts if v.kind is Kind.AUDIT]
    found = count(verdicts)
    counts = {"verdicts": len(verdicts), "unexpected": sum(v.surprising for v in verdicts)}
    counts |= {outcome.value: found[outcome] for outcome in Outcome}
    budget = {"type": "Ledger", "total": 0.001, "planned": 4, "share": 0.00025, "entries": entries, "method": "union"}
    return {
        "schema": 1, "command": "dpaudit run --seed 7", "seed": 7, "level": "smoke", "device": "cpu", "jobs": 1,
        "allow_inconclusive": False, "error_budget": budget,
        "content": [{"kind": "proofs", "folder": "proofs", "origin": "here", "digest": "ab" * 32}],
        "versions": {"dpaudit": "0.1.0", "python": "3.11.2", "torch": None},
        "checkout": {"commit": "0123456789abcdef" * 2, "dirty": True, "dirty_digest": "cd" * 32},
        "hardware": {"system": "Linux", "processors": 2}, "started": "2026-01-02T03:04:05+00:00",
        "finished": "2026-01-02T03:09:05+00:00", "exit_code": 1, "tasks": len(verdicts), "counts": counts,
    } | changes  # fmt: skip


def write(folder: Path, verdicts: list[Verdict] | None = None, **changes: Any) -> Path:
    """Write the folder: run.json, records.jsonl and a scores file for every attachment."""
    listed = [*claims(), *agreements(), *games()] if verdicts is None else verdicts
    (folder / "scores").mkdir(parents=True, exist_ok=True)
    for v in listed:
        found = dict(v.numbers)
        for path in (path for path in v.attachments if path.startswith("scores/")):
            data = scores(float(found["epsilon_lower_95"] or 0), float(found["epsilon_claimed"] or 0))
            (folder / path).write_text(json.dumps(data), encoding="utf-8")
    put(folder, header(listed, **changes), [encode(v) for v in with_digests(folder, listed)])
    return folder


def put(folder: Path, head: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """Write run.json and records.jsonl with the digests that belong to them."""
    bare = [{key: value for key, value in row.items() if key != "digest"} for row in rows]
    lines = "".join(with_digest(json.dumps(row, ensure_ascii=False)) + "\n" for row in bare)
    (folder / "records.jsonl").write_text(lines, encoding="utf-8")
    whole = head | {"records": sha256(lines) if head.get("exit_code") is not None else None}
    (folder / "run.json").write_text(with_digest(json.dumps(whole)), encoding="utf-8")


def with_digests(folder: Path, verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The verdicts with the digests of their files as they are now."""
    return [replace(v, digests=tuple(file_digest(folder / path) for path in v.attachments)) for v in verdicts]


def change_file(folder: Path, name: str, text: str) -> None:
    """Put another text into a file that verdicts name, and its digest into their records."""
    before = file_digest(folder / name)
    (folder / name).write_text(text, encoding="utf-8")
    edit(folder / "records.jsonl", lambda line: line.replace(before, file_digest(folder / name)))


def file_digest(path: Path) -> str:
    """The digest of a file, "" of one that is not there."""
    return sha256(path.read_bytes()) if path.is_file() else ""


def edit(path: Path, change: Callable[[str], str]) -> None:
    """Change the text of run.json, or of each line of records.jsonl or tasks.jsonl, and put the digests right, those of
    lines also in the marks and in run.json: what a program would do that means to lie."""
    text = path.read_text(encoding="utf-8")
    parts = text.split("\n")[:-1] if path.suffix == ".jsonl" else [text]
    before = [digest_in(part) for part in parts]
    changed = [with_digest(change(without_digest(part) or part)) for part in parts]
    path.write_text("\n".join(changed) + "\n" if path.suffix == ".jsonl" else changed[0], encoding="utf-8")
    if path.name == "records.jsonl":
        renamed = dict(zip(before, map(digest_in, changed), strict=True))
        for other in (path.with_name("tasks.jsonl"), path.with_name("run.json")):
            if other.exists():
                edit(other, lambda part: _renamed(part, renamed | {sha256(text): file_digest(path)}))


def _renamed(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new) if old else text
    return text
