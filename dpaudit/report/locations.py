"""Where the outcomes of a run belong: the file that each comes from, and the paper or library that it is about."""

from __future__ import annotations

from dpaudit.records.verdict import Kind, Verdict
from dpaudit.report import sections
from dpaudit.runs.reading import Run

_AGREEMENT = "agree/"


class Files:
    """The files of the tasks of a run, by what `run.json` says of its plan."""

    def __init__(self, run: Run) -> None:
        self._files = {str(row.get("name")): str(row.get("file") or "") for row in run.header.get("plan") or ()}

    def of(self, verdict: Verdict) -> str:
        """The file of the task that gave the verdict, a relative path with `/`; empty if the run does not say.

        A step, constant or mutant bears the name of its claim, a comparison that of its algorithm.
        """
        task = bare(verdict)
        while task not in self._files:
            place = max(task.rfind("/"), task.rfind("~"))
            if place < 0:
                return ""
            task = task[:place]
        return self._files[task]


def bare(verdict: Verdict) -> str:
    """The id, without what marks a comparison of backends."""
    return verdict.id.removeprefix(_AGREEMENT) if verdict.kind is Kind.AGREEMENT else verdict.id


def group(verdict: Verdict) -> str:
    """The paper or library that a verdict is about, or `known-bad` and `null` of controls."""
    if verdict.kind in (*sections.OF_PAPERS, Kind.MUTANT):
        return sections.paper_of(verdict)
    return bare(verdict).split("/", 1)[0]
