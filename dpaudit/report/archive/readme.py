"""README.md of an archive: what its parts are, how to check, recheck and repeat it, and what it does not show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from dpaudit.report import escape
from dpaudit.report.archive.layout import CERTIFICATES, CHECKER, CONTENT, MANIFEST, RUN
from dpaudit.report.wording import clean
from dpaudit.runs.reading import Run
from dpaudit.runs.signatures import SIGNATURE

_DIGEST_CHECK = f"sha256sum -c {MANIFEST}"
_RECHECK = f"find {CERTIFICATES} -name '*.json' | python3 -I -S {CHECKER} - > recheck.jsonl"
_CHECK = f"dpaudit check {RUN}\ndpaudit recheck {RUN}"


def text(run: Run, ours: bool, names: Collection[str]) -> str:
    """The page. ours: all content came with dpaudit; names: of the files of the run, its content and its checker."""
    parts = (_head(run), _parts(names), _digests(run, names), _recheck(names), _repeat(run), _cite(), _limits(ours))
    return "\n\n".join(block for part in parts for block in part) + "\n"


def _head(run: Run) -> Iterator[str]:
    header = run.header
    yield "# A run of dpaudit"
    yield (
        "dpaudit checks differentially private optimisation: claims of papers, and implementations against the epsilon "
        "that they state. This is one run of it, with what it takes to read it, check it and repeat it."
    )
    rows = (
        ("command", header["command"]),
        ("seed", header["seed"]),
        ("level", header["level"]),
        ("finished", header["finished"]),
        ("verdicts", len(run.verdicts)),
        ("not as expected", sum(not verdict.as_expected for verdict in run.verdicts)),
        ("exit code", int(run.code)),
    )
    yield _listed(rows)


def _parts(names: Collection[str]) -> Iterator[str]:
    yield "## What is where"
    rows = (
        (f"`{RUN}/report.html`", "the page of the run, with `papers/` and `plots/`; it asks the network for nothing"),
        (f"`{RUN}/run.json`", "command, settings, seed, versions, error budget, plan, counts"),
        (f"`{RUN}/records.jsonl`", "one verdict a line"),
        (f"`{RUN}/`, other folders", "files that verdicts name: certificates, scores of trials, tracebacks"),
        (
            f"`{CONTENT}/`",
            "the claims and targets that the run was made of, and the named theorems of `proofs/assumed`",
        ),
        (f"`{CHECKER}/`", "the checker of certificates, as source: Python alone, standard library only"),
        (f"`{MANIFEST}`", "the SHA-256 of every other file"),
        ("`CITATION.cff`, `codemeta.json`, `.zenodo.json`", "how to cite dpaudit; what an archive asks for"),
    )
    shown = [row for row in rows if not row[0].startswith(f"`{CONTENT}/") or any(n.startswith(CONTENT) for n in names)]
    yield "\n".join(escape.table(("part", "what it is"), shown))


def _digests(run: Run, names: Collection[str]) -> Iterator[str]:
    yield "## Check the digests"
    yield _shell(_DIGEST_CHECK)
    yield (
        "Digests show damage, not forgery: whoever changes a file can change its line. Where the archive has a DOI, "
        "compare the digest of the whole file with the one that was published."
    )
    if f"{RUN}/{SIGNATURE}" in names:
        yield f"`{RUN}/{SIGNATURE}` signs the run: `dpaudit check {RUN} --signers FILE` says by whom."


def _recheck(names: Collection[str]) -> Iterator[str]:
    yield "## Recheck all certificates"
    number = sum(name.startswith(f"{CERTIFICATES}/") for name in names)
    if not number:
        yield "The run has no certificates: nothing in it was proved, or refuted by a point."
        return
    yield f"There are {number}. Python 3.11 or later is all that it needs; no package is installed or read:"
    yield _shell(_RECHECK)
    yield (
        "The exit code is 0 if every certificate is accepted, and 1 if one is not. Each has a line in `recheck.jsonl` "
        f"with its claim, its outcome, and the reason if it is refused. `python3 -m dpaudit.recheck`, called inside "
        f"`{CHECKER}/`, is the same program."
    )
    yield (
        "A certificate may rest on theorems that it names (`assuming`), and on goals that two solvers decided "
        "(`solvers` counts them). Acceptance says that it proves what stands in it. Whether that is the statement of "
        "the verdict, dpaudit itself says, once it is installed:"
    )
    yield _shell(_CHECK)


def _repeat(run: Run) -> Iterator[str]:
    header = run.header
    yield "## Repeat the run"
    yield (
        "Install dpaudit as it was, from the commit below if there is one, and the packages below. Then, in "
        f"`{CONTENT}/`:"
    )
    yield _shell(clean(str(header["command"])), f"dpaudit diff ../{RUN} runs/THE-NEW-RUN")
    yield (
        "With the same versions on the same kind of processor the records are the same, but for times; with others "
        "outcomes should be, and numbers may differ in their last digits."
    )
    versions = {name: version for name, version in (header.get("versions") or {}).items() if version}
    machine = (("machine", ", ".join(f"{name} {value}" for name, value in header["hardware"].items())),)
    checkout = header.get("checkout") or {}
    changed = ", with changes that are not in it" if checkout.get("dirty") else ""
    commit = (("commit", f"{checkout['commit']}{changed}"),) if checkout else ()
    source = (("SHA-256 of the source of dpaudit", header["source"]),) if header.get("source") else ()
    yield _listed((*commit, *source, *versions.items(), *machine))


def _cite() -> Iterator[str]:
    yield "## Cite it"
    yield (
        "Cite the DOI that the archive was given; `CITATION.cff` cites the software. A run records no names: where "
        "`.zenodo.json` names creators, these are the developers of dpaudit. Whoever publishes the archive gives the "
        "names of those who made the run in the form of the deposit."
    )


def _limits(ours: bool) -> Iterator[str]:
    yield "## What it does not show"
    rows = [
        "Who made the run and when. Nothing here is signed, unless a signature lies beside `run.json`.",
        "That a statement is what its paper prints. That takes a reader: the claim files name the places.",
        "More than its outcomes do. CONSISTENT is no proof, and a statistical refutation has the error budget of the "
        "run; only certificates can be rechecked without making the run again.",
        "dpaudit itself, its algorithms among it: `run.json` has the digest of its source and, of a checkout, the "
        "commit. The checker here is that of the dpaudit that made the archive.",
        "The packages that it used, and the libraries that were audited: there are their versions alone.",
        "What a target loads from elsewhere: run.json has the digest of its own file.",
    ]
    if not ours:
        rows.append(
            "A licence for all of it. `LICENSE` is that of dpaudit; some of the content came from elsewhere, and "
            "whoever publishes it says under which licence."
        )
    yield "\n".join(f"* {row}" for row in rows)


def _listed(rows: Iterable[tuple[str, object]]) -> str:
    """Names and values, a line each."""
    return escape.fenced("\n".join(f"{name}: {clean(str(value))}" for name, value in rows))


def _shell(*lines: str) -> str:
    return escape.fenced("\n".join(lines))
