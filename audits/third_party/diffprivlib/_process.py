"""What the audits of diffprivlib 0.6.6 share: where its Python is, and the worker beside this file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpaudit.adapters.command import Command
from dpaudit.content.loading import load_module
from dpaudit.records.privacy import Neighbours, PrivacyClaim, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

LIBRARY = load_module(Path(__file__).parents[1] / "_shared" / "_own_python.py").Library(
    "diffprivlib",
    "0.6.6",
    "DPAUDIT_DIFFPRIVLIB_PYTHON",
    Path(__file__).with_name("_worker.py"),
    others="'scikit-learn<1.8'",
)
"""It does not import beside scikit-learn 1.8."""

SOURCE = "diffprivlib 0.6.6, documentation of {}: differential privacy with parameter epsilon"

MECHANISMS = TrialPlan(smoke=5_000, standard=50_000, deep=500_000)
MODELS = TrialPlan(smoke=2_000, standard=20_000, deep=100_000)
SLOW = TrialPlan(smoke=1_000, standard=5_000, deep=20_000)


def audit(
    name: str,
    release: str,
    pair: tuple[Any, Any],
    score: Callable[[Any, Any, Any], Any] | None,
    what: str,
    privacy: PrivacyClaim | None = None,
    **options: Any,
) -> Command:
    """One target. release: a function of the worker; score: None for the attacks that dpaudit chooses among.

    what: of diffprivlib, is audited; privacy: epsilon 1 for replacing a record unless given.
    """
    effect = f"diffprivlib's {what} tells more about a record than its epsilon says"
    options = {"title": what, "effect": effect, **options}
    command: Command = LIBRARY.audit(name, release, pair, score, privacy or promise(what), **options)
    return command


def low(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The lower the released value, the more it looks like the data set; of vectors the first number."""
    return -outputs.reshape(len(outputs), -1)[:, 0]


def modelled(module: str, name: str, release: str, what: str, pair: Any, score: Any = low, **options: Any) -> Command:
    """One target of `what` in a module of diffprivlib, with the trials of its models."""
    privacy = promise(f"{module}.{what}", neighbours=options.pop("neighbours", Neighbours.REPLACE_ONE))
    return audit(name, release, pair, score, f"{module}.{what}", privacy, **{"trials": MODELS, **options})


def refuted(
    module: str, name: str, release: str, what: str, pair: Any, score: Any, repair: str, effect: str, **options: Any
) -> Command:
    """`modelled`, which is refuted and put right by `repair`."""
    verdict = {"expects": Outcome.REFUTED, "repair": f"diffprivlib/{repair}", "effect": effect}
    return modelled(module, name, release, what, pair, score, **verdict, **options)


def promise(
    what: str, epsilon: float = 1.0, delta: float = 0.0, neighbours: Neighbours = Neighbours.REPLACE_ONE
) -> PrivacyClaim:
    """What the documentation of `what` promises; the relation is the one under which its sensitivity is right."""
    return claim(epsilon, delta, neighbours=neighbours, source=SOURCE.format(what))
