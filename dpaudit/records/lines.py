"""JSON texts that carry their digest: lines of records.jsonl and tasks.jsonl, run.json; what is damaged is named."""

from __future__ import annotations

from dpaudit.records.digests import WRONG, without_digest
from dpaudit.records.documents import parse
from dpaudit.records.errors import ContentError, DpauditError
from dpaudit.records.serial import SCHEMA, Json, decode
from dpaudit.records.verdict import Evidence, Verdict

_RECORDS = {"Verdict": Verdict, "Evidence": Evidence}
"""What a line may make: other records check what they hold, which may take long."""


def read_object(text: str, where: str) -> Json:
    """The object in a JSON text that carries its digest; ContentError says `where` it is damaged or has another
    schema."""
    sound = without_digest(text)
    data = parse(text if sound is None else sound, where)
    if not isinstance(data, dict):
        raise ContentError(f"{where} must hold a JSON object, got {type(data).__name__}")
    schema = data.get("schema", SCHEMA)
    if schema != SCHEMA:
        raise ContentError(
            f"{where}: schema {schema!r}, this version reads {SCHEMA}; use the version that wrote the run"
        )
    if sound is None:
        raise ContentError(f"{where}: {WRONG}")
    return data


def read_verdict(line: str, where: str) -> Verdict:
    """The verdict of one line of records.jsonl; ContentError says `where` it is damaged or of another schema."""
    data = read_object(line, where)
    try:
        verdict = decode(data, _RECORDS)
    except DpauditError as error:
        raise ContentError(f"{where}: {error}") from error
    if not isinstance(verdict, Verdict):
        raise ContentError(f"{where}: must hold a Verdict, got {type(verdict).__name__}")
    return verdict
