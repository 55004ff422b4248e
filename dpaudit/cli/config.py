"""Settings from dpaudit.toml and from [tool.dpaudit] in pyproject.toml.

The keys are the long flags without their dashes. A flag outranks dpaudit.toml, which
outranks pyproject.toml, which outranks the default.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError, UnknownNameError
from dpaudit.records.serial import Json
from dpaudit.report.formats.registry import FORMATS

KEYS: dict[str, type] = {
    "seed": int,
    "level": str,
    "alpha": float,
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
    "isolate": bool,
    "time": float,
    "time-limit": float,
    "memory-limit": float,
    "baseline": str,
    "exact": bool,
    "ignore-missing": bool,
    "epsilon": list,
    "chance": float,
    "verbose": bool,
}
"""Every key and its type; a list is one of numbers."""
ONCE = ("kind", "force", "ship", "anyway", "expires", "reason", "issue")
"""Flags without a key: what they say is meant for one call, and as a habit would overwrite or wave through."""

LISTINGS = ("text", "json", "jsonl", "markdown")
"""Of what is no run."""
_WORDS = {int: "an integer", float: "a number", str: "a string", bool: "true or false", list: "a list of numbers"}
_CHOICES: dict[str, tuple[str, ...]] = {"level": tuple(Level), "format": tuple(FORMATS)}
_PATHS = ("output", "run-dir", "proofs", "audits", "baseline")


def load(folder: Path, named: Path | None = None) -> Json:
    """The settings of the files in `folder`, or of the file `named` alone; paths are relative to their file.

    Raises ConfigurationError for a file that cannot be read, an unknown key (with the
    nearest known one), a wrong type or a value that is not allowed.
    """
    if named is not None:
        return _checked(_read(named), named)
    merged: Json = {}
    project = folder / "pyproject.toml"
    if project.is_file():
        tool = _read(project).get("tool", {})
        merged |= _checked(tool.get("dpaudit", {}) if isinstance(tool, dict) else {}, project)
    own = folder / "dpaudit.toml"
    return merged | (_checked(_read(own), own) if own.is_file() else {})


def _read(file: Path) -> Json:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # ValueError: bad TOML or not UTF-8
        raise ConfigurationError(f"cannot read {file.name}: {error}") from error


def _checked(data: object, file: Path) -> Json:
    if not isinstance(data, dict):
        raise ConfigurationError(f"{file.name}: the settings of dpaudit must be a table, got {data!r}")
    for key, value in data.items():
        if key not in KEYS:
            raise UnknownNameError(f"key of {file.name}", key, KEYS)
        _check_value(key, value, file)
    return {key: str(file.parent / value) if key in _PATHS else value for key, value in data.items()}


def _check_value(key: str, value: object, file: Path) -> None:
    kind = KEYS[key]
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits or (isinstance(value, list) and not all(type(item) in (int, float) for item in value)):
        raise ConfigurationError(f"{file.name}: {key} must be {_WORDS[kind]}, got {value!r}")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise ConfigurationError(f"{file.name}: {key} must be one of {', '.join(_CHOICES[key])}, got {value!r}")
