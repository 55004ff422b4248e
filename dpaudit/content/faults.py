"""One line on what went wrong in a file of somebody else, and what to do about it."""

from __future__ import annotations

import traceback
from pathlib import Path

from dpaudit.content.places import PACKAGE, claim_files, shown
from dpaudit.records.errors import DpauditError, MissingPackageError, install_line, nearest, of_the_machine

EXTRAS = {
    "cvc5": "smt",
    "dask": "dask",
    "dp_accounting": "accountants",
    "hypothesis": "testing",
    "jax": "third-party",
    "jax_privacy": "third-party",
    "jinja2": "report",
    "matplotlib": "report",
    "opacus": "third-party",
    "opendp": "third-party",
    "ray": "ray",
    "sklearn": "mia",
    "torch": "torch",
    "z3": "smt",
}
"""Importable names of the optional packages, and the extra that installs each."""


def describe(error: BaseException, path: Path) -> str:
    """What went wrong in the file `path` or a part of its claim, and in which line; one line.

    Where the file is no Python two more follow: the line as it stands, and a caret.
    """
    parts = _parts(path)
    if isinstance(error, SyntaxError):
        line, file = error.lineno, parts.get(Path(error.filename or "").name, path)
    else:
        frames = _frames(error, path)
        line, file = (frames[-1].lineno, parts[Path(frames[-1].filename).name]) if frames else (None, path)
    text = error.msg + _marked(error) if isinstance(error, SyntaxError) else str(error)
    for folder in (Path.cwd(), PACKAGE.parent):  # records name no place of this machine
        text = text.replace(f"{folder}/", "")
    if not line and text.startswith(shown(file)):
        return f"{text}{_remedy(error)}"
    place = shown(file) + (f", line {line}" if line else "")
    kind = "" if isinstance(error, DpauditError) else f"{type(error).__name__}: "
    return f"{place}: {kind}{text}{_remedy(error)}"


def machine_failed(error: BaseException, path: Path) -> bool:
    """Is it an error of the machine, and none that the code of the file `path` or of its parts has raised? Who can
    raise anything could stop what others wait for. What lacks memory says so from anywhere."""
    return of_the_machine(error) and (isinstance(error, MemoryError) or not _frames(error, path))


def beside(error: BaseException, path: Path) -> bool:
    """Is it an error of the machine that came through no call of the file `path`? Then trying again may go well."""
    return of_the_machine(error) and not _frames(error, path)


def _parts(path: Path) -> dict[str, Path]:
    return {file.name: file for file in claim_files(path)}


def _frames(error: BaseException, path: Path) -> list[traceback.FrameSummary]:
    """The calls of the file `path`, and of the parts of its claim, through which an error came."""
    parts = _parts(path)
    return [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).name in parts]


def _marked(error: SyntaxError) -> str:
    """The line that cannot be read and below it a caret where that begins, each on a line of its own."""
    if not error.text or not error.offset:
        return ""
    row = error.text.rstrip().replace("\t", " ")
    code = row.lstrip()
    caret = max(0, error.offset - 1 - (len(row) - len(code)))
    return f"\n    {code}\n    {' ' * caret}^"


def _remedy(error: BaseException) -> str:
    """What to do about a module or a name that is not there, from its place in the sentence on."""
    if hint := _install_line(error):
        return f"; run: {hint}"
    if isinstance(error, ModuleNotFoundError):
        return (
            f"; install the package that has {error.name}, or put the module beside this file, "
            "or add its folder to PYTHONPATH"
        )
    if isinstance(error, NameError) and error.__traceback__ is not None:
        frame = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][-1]
        near = nearest(error.name or "", {**frame.f_globals, **frame.f_locals}, most=1)
        return f"; did you mean {near[0]!r}?" if near else ""
    return ""


def _install_line(error: BaseException) -> str:
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return install_line(EXTRAS[name]) if name in EXTRAS else ""


def lacks_package(error: BaseException) -> bool:
    """Does the error say that a package is not installed?"""
    return isinstance(error, MissingPackageError) or bool(_install_line(error))
