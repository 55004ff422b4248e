"""What works on this machine: one row per package or device, with the reason and the remedy."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import writer
from dpaudit.confinement import enclosed, namespaces
from dpaudit.content.faults import EXTRAS
from dpaudit.records.errors import DpauditError, install_line
from dpaudit.records.verdict import ExitCode, Outcome
from dpaudit.report.formats import text
from dpaudit.runs.provenance import processors, version

CORE = {
    "click": "click",
    "flint": "python-flint",
    "joblib": "joblib",
    "mpmath": "mpmath",
    "numpy": "numpy",
    "scipy": "scipy",
    "sympy": "sympy",
}
_DISTRIBUTIONS = {"cvc5": "cvc5", "dp_accounting": "dp-accounting", "sklearn": "scikit-learn", "z3": "z3-solver"}


@click.command(name="doctor")
@options.listing_options
@partial(options.verbose_option, tolerant=True)
@click.pass_context
def command(context: click.Context, form: str, output: Path | None) -> None:
    """Show what works on this machine, and how to mend the rest."""
    found = [*examine(), *_configuration(options.misconfigured(context))]
    rows = [
        {"state": "works" if r.works else "broken" if r.required else "absent", "name": r.name, "detail": r.detail,
         "remedy": r.remedy}
        for r in found
    ]  # fmt: skip
    with writer(output) as write:
        write(text.listing(rows, form))
    context.exit(ExitCode.EXPECTED if all(r.works or not r.required for r in found) else ExitCode.CRASHED)


@dataclass(frozen=True)
class Row:
    """name; works; required: dpaudit cannot do without; detail: version or reason; remedy: what to do, or empty."""

    name: str
    works: bool
    required: bool
    detail: str
    remedy: str = ""


def examine() -> Iterator[Row]:
    """The rows in the order of display; an import that crashes is a row, not a crash."""
    yield Row("python", True, True, f"{platform.python_version()}, {processors()} processors")
    for module, package in CORE.items():
        yield _tried(package, True, partial(_import, module, package), install_line())
    yield _tried("numba", True, _compile, "pip install --force-reinstall numba")
    for module, extra in EXTRAS.items():
        package = _DISTRIBUTIONS.get(module, module)
        remedy = install_line(extra)
        if find_spec(module) is None:
            yield Row(package, False, False, "not installed", remedy)
        else:
            yield _tried(package, False, partial(_import, module, package), remedy)
    contained, mode = namespaces.strength()
    yield Row("sandbox", contained, False, mode, "" if contained else "setpriv and unshare of util-linux on Linux")
    walled, mode = enclosed.strength()
    yield Row("claim files", walled, False, mode, "" if walled else "Linux from 5.12 with user namespaces")
    rounding = "the torch of this machine rounds differently; agreement will say where"
    yield _tried("noise", False, partial(_noise, "cpu"), rounding)
    yield _tried("cuda", False, _cuda, "optional: install a torch built for CUDA on a machine with a GPU")


def _configuration(error: DpauditError | None) -> Iterator[Row]:
    """Configuration files that cannot be used: every command that reads them refuses to begin."""
    if error is not None:
        yield Row("configuration", False, True, str(error), "mend the file; see the configuration in the documentation")


def _tried(name: str, required: bool, check: Callable[[], str], remedy: str) -> Row:
    try:
        return Row(name, True, required, check())
    except Exception as error:  # a broken installation may raise anything
        return Row(name, False, required, f"{type(error).__name__}: {error}".splitlines()[0], remedy)


def _import(module: str, package: str) -> str:
    __import__(module)
    return version(package) or "installed"


def _compile() -> str:
    import numba

    doubled = numba.njit(lambda value: 2 * value)
    if doubled(21) != 42:
        raise RuntimeError("compiled code gives wrong results")
    return f"{version('numba')}, compiles and runs, {numba.config.NUMBA_NUM_THREADS} threads"


def _noise(device: str) -> str:
    from dpaudit.cli.device import check_noise

    found = check_noise(device, seed=1, count=100_000)
    if found.outcome is not Outcome.CONSISTENT:
        raise RuntimeError(found.detail)
    return found.detail


def _cuda() -> str:
    import torch

    if not torch.cuda.is_available():
        raise RuntimeError("torch sees no CUDA device; rows that need one are NOT_RUN")
    return f"{torch.cuda.get_device_name(0)}; {_noise('cuda')}"
