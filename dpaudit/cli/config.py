"""Settings from dpaudit.toml and from [tool.dpaudit] in pyproject.toml.

The keys are the long flags without their dashes. A flag outranks dpaudit.toml, which
outranks pyproject.toml, which outranks the user's own file, which outranks the default.
Both files of the working directory may belong to the code under audit: what would let it out of its sandbox or
write elsewhere is refused there.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpaudit.confinement.limits import Limits
from dpaudit.records import documents
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError, UnknownNameError
from dpaudit.records.serial import Json
from dpaudit.report.formats.registry import FORMATS

KEYS: dict[str, type] = {
    "seed": int,
    "level": str,
    "alpha": float,
    "ledger": str,
    "device": str,
    "jobs": int,
    "executor": str,
    "format": str,
    "output": str,
    "run-dir": str,
    "proofs": str,
    "audits": str,
    "controls": bool,
    "allow-inconclusive": bool,
    "mutants": bool,
    "cache": bool,
    "report": bool,
    "isolate": str,
    "time": float,
    "time-limit": float,
    "memory-limit": float,
    "allow-network": bool,
    "load-limit": float,
    "baseline": str,
    "exact": bool,
    "ignore-missing": bool,
    "epsilon": list,
    "chance": float,
    "verbose": bool,
    "quiet": bool,
    "maxfail": int,
    "durations": int,
    "select": tuple,
    "ignore": tuple,
}
"""Every key and its type; a list is one of numbers, a tuple a list of strings. A format may have a file,
and there may be a list of them."""
ONCE = (
    "kind", "force", "ship", "anyway", "expires", "reason", "issue", "kernel", "texts", "run", "png", "into",
    "challenge", "signers", "value", "total", "horizon", "confidence", "delta", "trials", "repetitions", "law",
    "noise-multiplier", "steps", "sampling-rate", "no-isolate",
)  # fmt: skip
"""Flags without a key: what they say is meant for one call, and as a habit would overwrite or wave through."""

OF_THE_USER = ("isolate", "allow-network", "executor", "output", "run-dir", "ledger")
"""Keys that a file of the working directory may not set, and neither the file of a format: whether code runs in a
sandbox, what it may reach there, where it runs, and which files are written, is for whoever runs dpaudit to say."""

LIMITS = {"time-limit": Limits.seconds, "load-limit": Limits.loading, "memory-limit": Limits.gib}
"""Keys of the limits of a sandbox with what holds without them: a file of the working directory may only lower them."""

LISTINGS = ("text", "json", "jsonl", "markdown")
"""Of what is no run."""
_WORDS = {int: "an integer", float: "a number", str: "a string", bool: "true or false", list: "a list of numbers",
          tuple: "a list of strings"}  # fmt: skip
ISOLATE = ("yes", "require", "no")
"""Are targets of others run in sandboxes? `require`: in whole ones, or not at all."""
_CHOICES: dict[str, tuple[str, ...]] = {"level": tuple(Level), "format": tuple(FORMATS), "isolate": ISOLATE}
_PATHS = ("output", "run-dir", "proofs", "audits", "baseline", "ledger")


@dataclass(frozen=True)
class _Table:
    """The settings of one file. header: of their table in it, "" for the whole file."""

    file: Path
    text: str
    header: str

    def at(self, key: str) -> str:
        """The file, and the line where `key` is first written below the header, as errors begin."""
        lines = self.text.split("\n")
        start = next((n for n, line in enumerate(lines) if self.header and line.strip() == self.header), 0)
        pattern = re.compile(rf"\s*\[*[\"']?{re.escape(key)}[\"']?\s*[\]=.]")
        found = next((n for n, line in enumerate(lines) if n >= start and pattern.match(line)), None)
        return self.file.name if found is None else f"{self.file.name}, line {found + 1}"


def load(folder: Path, named: Path | None = None) -> Json:
    """The settings of the user's own file and of those in `folder`, or of the file `named` alone.

    Paths are relative to their file. Raises ConfigurationError for a file that cannot be read, an unknown key (with the
    nearest known one), a wrong type, a value that is not allowed, or in a file of `folder` one of OF_THE_USER or a
    limit above that of the user.
    """
    if named is not None:
        return _checked(*_read(named))
    own = user_file()
    # A home that this user may not look into, as in a container with a user of its own, holds no file of theirs.
    merged = _checked(*_read(own)) if own is not None and _is_there(own) else {}
    return merged | _of_folder(folder, merged)


def user_file() -> Path | None:
    """The configuration of the user, which holds in every folder; it need not exist. None for a user without a home."""
    import platformdirs

    try:
        return platformdirs.user_config_path("dpaudit", appauthor=False) / "dpaudit.toml"
    except RuntimeError:
        return None


def _of_folder(folder: Path, of_the_user: Json) -> Json:
    merged: Json = {}
    project, own = folder / "pyproject.toml", folder / "dpaudit.toml"
    if _is_there(project):
        data, table = _read(project, "[tool.dpaudit]", folder)
        tool = data.get("tool", {})
        given = _checked(tool.get("dpaudit", {}) if isinstance(tool, dict) else {}, table)
        merged |= _allowed(given, table, of_the_user)
    if _is_there(own):
        data, table = _read(own, inside=folder)
        merged |= _allowed(_checked(data, table), table, of_the_user)
    return merged


def _is_there(file: Path) -> bool:
    """Is there anything but a folder, which has another purpose? What cannot be looked at is not."""
    return os.path.lexists(file) and not os.path.isdir(file)


def _allowed(settings: Json, table: _Table, of_the_user: Json) -> Json:
    """`settings` of a file of the working directory; ConfigurationError for what only the user may say."""
    raised = [key for key, usual in LIMITS.items() if settings.get(key, 0.0) > of_the_user.get(key, usual)]
    files = any("=" in one for one in _formats(settings.get("format", [])))
    refused = [key for key in OF_THE_USER if key in settings] + (["format"] if files else []) + raised
    for key in refused:
        what = {"format": "the file of a format"} | {key: f"a larger {key}" for key in raised}
        raise ConfigurationError(
            f"{table.at(key)}: {what.get(key, key)} is not taken from the working directory, whose code may be what "
            f"is audited; give the flag --{key}, name this file with `dpaudit --config {table.file.name}`, or set it "
            f"in {user_file() or 'the configuration of a user with a home'}"
        )
    return settings


def _read(file: Path, header: str = "", inside: Path | None = None) -> tuple[Json, _Table]:
    """What a file holds, and its table of that header; inside: a folder that it may not be a link out of."""
    try:
        text = documents.read_text(file, documents.MOST_OF_SETTINGS, inside, ConfigurationError)
    except OSError as error:
        raise ConfigurationError(f"cannot read {str(file)!r}: {error.strerror}; --config names another file") from error
    return documents.parse_toml(text, f"cannot read {file.name}", ConfigurationError), _Table(file, text, header)


def _checked(data: object, table: _Table) -> Json:
    if not isinstance(data, dict):
        raise ConfigurationError(f"{table.at('dpaudit')}: the settings of dpaudit must be a table, got {data!r}")
    for key, value in data.items():
        if key not in KEYS:
            raise UnknownNameError("key", key, KEYS, place=table.at(key))
        _check_value(key, value, table)
    return {key: _located(key, value, table.file.parent) for key, value in data.items()}


def _located(key: str, value: Any, folder: Path) -> Any:
    """`value` with its paths as seen from `folder`."""
    if key != "format":
        return str(folder / value) if key in _PATHS else value
    named = (one.partition("=") for one in _formats(value))
    return [f"{name}={folder / file}" if file else name for name, _, file in named]


def _formats(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _check_value(key: str, value: Any, table: _Table) -> None:
    kind, values = KEYS[key], _formats(value) if key == "format" else [value]
    fits = all(type(one) is (list if kind is tuple else kind) or (kind is float and type(one) is int) for one in values)
    items: tuple[type, ...] = (str,) if kind is tuple else (int, float)
    if not fits or (kind in (list, tuple) and not all(type(item) in items for item in value)):
        raise ConfigurationError(f"{table.at(key)}: {key} must be {_WORDS[kind]}, got {value!r}")
    for one in values if key in _CHOICES else ():
        if (one.partition("=")[0] if key == "format" else one) not in _CHOICES[key]:
            raise ConfigurationError(f"{table.at(key)}: {key} must be one of {', '.join(_CHOICES[key])}, got {one!r}")
