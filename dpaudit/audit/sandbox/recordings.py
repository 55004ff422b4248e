"""Recordings as plain values, to be sent between processes, and back by the calls that made them.

What comes from the other side passes through `Recorder.release`, `public`, `batch` and `output`, which check it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from dpaudit.audit.alignment.log import from_text
from dpaudit.audit.sandbox import wire
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.records.errors import ContentError
from dpaudit.records.serial import Json

_RELEASED = ("name", "statistic", "noise", "value", "sensitivity", "noise_scale", "norm", "law")
_PLACED = ("at", "beside")


def plain(recording: Recording) -> Json:
    """`recording` as a value of `wire`; ContentError names what cannot travel."""
    for what, values in (("public value", recording.public), ("output", recording.outputs)):
        for name, value in values:
            if not wire.travels(value):
                raise ContentError(
                    f"{what} {name!r} is a {type(value).__name__}, which cannot leave the sandbox: hand the recorder "
                    "numbers, strings, NumPy arrays, lists, tuples or dicts of these, or use --no-isolate"
                )
    return {
        "releases": [{key: getattr(release, key) for key in (*_RELEASED, *_PLACED)} for release in recording.releases],
        "public": list(recording.public),
        "batches": list(recording.batches),
        "pieces": list(recording.pieces),
        "outputs": list(recording.outputs),
        "unclear": recording.unclear,
        "inferred": recording.inferred,
        "processed": [list(one) for one in sorted(recording.processed)],
        "draws": np.frombuffer(recording.draws.text().encode(), dtype=np.uint8),
    }


def repeat(calls: wire.Wire, recorder: Recorder) -> Recorder:
    """Make the calls of a plain recording on `recorder`, and return it; ContentError for what `plain` cannot give."""
    try:
        batches, pieces = iter(calls["batches"]), iter(calls["pieces"])
        told = 0
        for release in calls["releases"]:
            for count in islice(pieces, max(int(release["at"]) - told, 0)):
                _stepped(recorder, batches, count)
                told += 1
            declared: dict[str, Any] = {key: release[key] for key in _RELEASED[3:]}
            declared |= {"at": int(release["at"])} if release["beside"] else {}
            made = recorder.beside if release["beside"] else recorder.release
            made(_name(release["name"]), release["statistic"], release["noise"], **declared)
        for name, value in calls["public"]:
            recorder.public(_name(name), value)
        for count in pieces:
            _stepped(recorder, batches, count)
        for members in batches:
            recorder.batch(members)
        for name, value in calls["outputs"]:
            recorder.output(_name(name), value)
        recorder.unclear(_name(calls["unclear"]))
        if calls["inferred"]:
            recorder.inferred([(_name(name), int(step)) for name, step in calls["processed"]])
        recorder.draws.tell(from_text(np.asarray(calls["draws"], dtype=np.uint8).tobytes().decode()))
    except (LookupError, TypeError, ValueError, OverflowError) as error:  # IndexError: an array in the place of fields
        raise ContentError(f"the sandbox sent what is no recording: {type(error).__name__}: {error}") from error
    return recorder


def _stepped(recorder: Recorder, batches: Iterator[wire.Wire], count: int) -> None:
    """One step, with its batches."""
    for members in islice(batches, abs(count)):
        recorder.batch(members)
    (recorder.begin if count < 0 else recorder.step)()


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise ContentError(f"names of a recording are strings, got {name!r}")
    return name
