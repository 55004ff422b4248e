"""The flows of dpaudit, one file each: what they collect, how a task is performed, what its verdicts rest on."""

from __future__ import annotations

from dpaudit.runs.flows.agreement import Agreement
from dpaudit.runs.flows.audit import Audits
from dpaudit.runs.flows.claims import Claims
from dpaudit.runs.flows.flow import Flow

__all__ = ["FLOWS", "flow_of"]

FLOWS: tuple[Flow, ...] = (Claims(), Agreement(), Audits())
"""In plan order."""


def flow_of(part: str) -> Flow:
    """The flow of this name, one of `Part`."""
    return next(flow for flow in FLOWS if flow.part == part)
