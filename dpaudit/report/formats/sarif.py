"""A run as SARIF 2.1.0 (OASIS, errata 01): a result for every outcome that is not as expected, and for every erratum.

An erratum is a refutation that was expected, of a printed statement or of code that is known to be wrong. It is of kind
`informational`, since nobody has to act on it again; the level of such a result must be `none` (section 3.27.10).

GitHub takes at most 25,000 results a run, keeps the first 5,000 by severity, and refuses files of more than 10 MB after
gzip (docs.github.com, "SARIF results exceed soft limits" and "SARIF file is too large"). The log stays below both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from urllib.parse import quote

from dpaudit.records.hidden import visible
from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode, Outcome, Verdict, exit_code
from dpaudit.report import deciding, sections
from dpaudit.report.escape import clipped
from dpaudit.report.formats import text as export
from dpaudit.report.formats.view import Filing, View, Whole, Write
from dpaudit.report.locations import Files
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "sarif", 6, Filing.WHOLE

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS = 5_000
MOST_BYTES = 9_000_000
"""Of the results as text; gzip makes it a fraction of that."""

_RULES = {
    "refuted": (
        "A statement or a guarantee is refuted that was not expected to be",
        "A witness, or a statistical test at its share of the error budget, contradicts what is claimed. The record "
        "holds the witness and the command that repeats it. Correct the claim or the code; if what is printed is "
        "false, keep it with `expects=Outcome.REFUTED` and add the repaired statement.",
    ),
    "not-refuted": (
        "An expected refutation did not happen",
        "A mutant, a planted bug or a statement that is known to be false was found consistent or proved. Either the "
        "check has lost its power, or what was false has been repaired: find out which, and change the expectation.",
    ),
    "crashed": (
        "A check or a target crashed, returned NaN, or broke its contract",
        "An error is never a pass. The record and the folder errors/ of the run hold the message.",
    ),
    "undecided": (
        "A required check is undecided, or weaker than expected",
        "Nothing is refuted and nothing is shown. The record says what would settle it: more trials, a higher level, "
        "or a longer argument.",
    ),
    "not-run": (
        "A required check was not run",
        "The record says why: a package that is missing, no device, or a statement that is not encoded yet.",
    ),
    "erratum": (
        "Known to be false, and refuted as expected",
        "Kept as it is printed, so that the refutation is repeated in every run. The record names the repair.",
    ),
}
RULES = tuple(_RULES)


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Whole(write, log)


def log(run: Run) -> str:
    """The log file, one run in it."""
    results, left_out = _fitting(run)
    body: Json = {
        "tool": {"driver": _driver(run)},
        "automationDetails": {"id": f"dpaudit/{export.command_name(run.header)}/{run.header.get('level', '')}/"},
        "invocations": [_invocation(run, left_out)],
        "versionControlProvenance": _checkout(run),
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    kept = {name: value for name, value in body.items() if value != []} | {"results": results}
    return export.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [kept]}, indent=1)


def rule_of(verdict: Verdict) -> str:
    """The rule that a verdict falls under, one of RULES; empty if there is nothing to say about it."""
    if verdict.as_expected:
        known = (*sections.refutations([verdict]).errata, *sections.refutations([verdict]).implementations)
        return "erratum" if known else ""
    if verdict.outcome is Outcome.REFUTED:
        return "refuted"
    if verdict.expected is Outcome.REFUTED and verdict.outcome in (Outcome.PROVED, Outcome.CONSISTENT):
        return "not-refuted"
    return {Outcome.ERROR: "crashed", Outcome.NOT_RUN: "not-run"}.get(verdict.outcome, "undecided")


def _fitting(run: Run) -> tuple[list[Json], int]:
    """The results, worst first, as many as fit, and how many do not."""
    accepted = [v for v in run.verdicts if not v.as_expected and not v.surprising]
    known = [v for v in run.verdicts if rule_of(v) == "erratum"]
    listed = [*sections.surprises(run.verdicts), *accepted, *known]
    files, made, size = Files(run), [], 0
    for verdict in listed[:MOST_RESULTS]:
        result = _result(verdict, files.of(verdict), run.allow_inconclusive)
        size += len(export.dumps(result, indent=1).encode(errors="replace"))
        if size > MOST_BYTES:
            break
        made.append(result)
    return made, len(listed) - len(made)


def _result(verdict: Verdict, file: str, allow_inconclusive: bool) -> Json:
    rule = rule_of(verdict)
    level = "warning" if exit_code([verdict], allow_inconclusive) is ExitCode.EXPECTED else "error"
    suppressed = {"kind": "external", "status": "accepted", "justification": clipped(verdict.accepted)}
    known = rule == "erratum"
    return {
        "ruleId": rule,
        "ruleIndex": RULES.index(rule),
        "kind": "informational" if known else "fail",
        "level": "none" if known else "error" if verdict.accepted else level,
        "message": {"text": _message(verdict)},
        "locations": [_location(verdict, file)],
        "partialFingerprints": _fingerprints(verdict, rule),
        **({"suppressions": [suppressed]} if verdict.accepted else {}),
        "properties": {
            "outcome": verdict.outcome.value,
            "expected": verdict.expected.value,
            "kind": verdict.kind.value,
            "replay": clipped(verdict.replay),
        },
    }


def _message(verdict: Verdict) -> str:
    """One paragraph a fact; braces are doubled, and no link can be made (sections 3.11.5 and 3.11.6)."""
    said = f"{verdict.outcome.word}, expected {verdict.expected.word}"
    seen = ", ".join(f"{name} = {value}" for name, value in verdict.witness)
    parts = (
        f"{verdict.id}: {said}. {verdict.title}",
        sections.reason(verdict),
        seen and f"witness: {seen}",
        verdict.effect,
        verdict.repair and f"repaired: {verdict.repair}",
        verdict.replay and f"repeat: {verdict.replay}",
        *(f"explained: {page}" for page in deciding.pages(verdict)),
    )
    text = "\n\n".join(visible(clipped(part)) for part in parts if part)
    return text.replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _location(verdict: Verdict, file: str) -> Json:
    """The file, which GitHub asks for, at its first line: a record does not say at which line a statement stands."""
    address = {"uri": quote(file or "records.jsonl"), **({"uriBaseId": "%SRCROOT%"} if file else {})}
    return {
        "physicalLocation": {"artifactLocation": address, "region": {"startLine": 1}},
        "logicalLocations": [{"fullyQualifiedName": clipped(verdict.id), "kind": verdict.kind.value}],
    }


def _fingerprints(verdict: Verdict, rule: str) -> dict[str, str]:
    """The same in every run, wherever the statement stands in its file; GitHub reads `primaryLocationLineHash`."""
    digest = hashlib.sha256(f"{verdict.id}\0{rule}".encode(errors="backslashreplace")).hexdigest()
    return {"primaryLocationLineHash": f"{digest[:16]}:1", "dpaudit/v1": digest}


def _driver(run: Run) -> Json:
    version = (run.header.get("versions") or {}).get("dpaudit") or "0"
    rules = [
        {
            "id": name,
            "name": "".join(part.capitalize() for part in name.split("-")),
            "shortDescription": {"text": short},
            "fullDescription": {"text": short + "."},
            "help": {"text": text.replace("`", ""), "markdown": text},
            "defaultConfiguration": {"level": "none" if name == "erratum" else "error"},
        }
        for name, (short, text) in _RULES.items()
    ]
    return {"name": "dpaudit", "version": version, "semanticVersion": version, "rules": rules}


def _invocation(run: Run, left_out: int) -> Json:
    """How the run was made and how it ended; successful: dpaudit came to its end, whatever it found."""
    notes = _notes(run, left_out)
    times = {name: run.header.get(key) for name, key in (("startTimeUtc", "started"), ("endTimeUtc", "finished"))}
    return {
        "commandLine": str(run.header.get("command", "")),
        "executionSuccessful": run.code not in (ExitCode.CRASHED, ExitCode.INTERRUPTED, ExitCode.NOTHING_COLLECTED),
        "exitCode": int(run.code),
        "exitCodeDescription": export.MEANINGS[run.code],
        **{name: str(time).replace("+00:00", "Z") for name, time in times.items() if time},
        **({"toolExecutionNotifications": notes} if notes else {}),
    }


def _notes(run: Run, left_out: int) -> Sequence[Json]:
    text = f"{left_out} more results do not fit here; all are in records.jsonl of the run."
    return [{"level": "warning", "message": {"text": text}}] if left_out else []


def _checkout(run: Run) -> Sequence[Json]:
    """The commit. A record names no place, so that the address is the identifier of the commit itself (swhid.org)."""
    checkout = run.header.get("checkout") or {}
    commit = checkout.get("commit")
    if not commit:
        return []
    more = {"dirty": bool(checkout.get("dirty")), "dirtyDigest": checkout.get("dirty_digest")}
    return [{"repositoryUri": f"swh:1:rev:{commit}", "revisionId": commit, "properties": more}]
