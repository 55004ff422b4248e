"""What the audits of dpmm 0.1.9 share: where its Python is, what it promises, and the worker beside this file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.adapters.command import Command
from dpaudit.content.loading import load_module
from dpaudit.records.privacy import Neighbours, PrivacyClaim, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

LIBRARY = load_module(Path(__file__).parents[1] / "_shared" / "_own_python.py").Library(
    "dpmm", "0.1.9", "DPAUDIT_DPMM_PYTHON", Path(__file__).with_name("_worker.py"), python="python3.11"
)
"""It wants Python 3.10 or 3.11 and one version each of NumPy, pandas, scikit-learn and OpenDP."""

README = "README of dpmm 0.1.9: end-to-end DP pipelines including data preprocessing, generative models, and mechanisms"
CERTAIN = TrialPlan(smoke=100, standard=200, deep=500)
"""Of targets with an event that gives a record away."""
USUAL = TrialPlan(smoke=200, standard=400, deep=2_000)
QUICK = TrialPlan(smoke=400, standard=1_200, deep=5_000)
"""Of models whose fit is short."""
LONG = TrialPlan(smoke=1_125, standard=2_500, deep=10_000)
"""Of AIM and MST, whose noisy counts have the law that their promise allows, but for what the choices cost."""


def pipeline() -> PrivacyClaim:
    """Epsilon of the model and of the preprocessing together."""
    return _promise(1.1, 1e-5, f"{README}; epsilon=1, delta=1e-5, proc_epsilon=0.1")


def model(delta: float) -> PrivacyClaim:
    """Epsilon 1, a domain given."""
    source = f"README of dpmm 0.1.9: state-of-the-art DP generative models; epsilon: Privacy budget; delta={delta:g}"
    return _promise(1.0, delta, source)


def _promise(epsilon: float, delta: float, source: str) -> PrivacyClaim:
    """No relation is documented; the noise of AIM and MST is right for added or removed records, not for replaced."""
    return claim(epsilon, delta, neighbours=Neighbours.ADD_OR_REMOVE, source=source)


def audit(name: str, release: str, what: str, pair: Any, score: Any, **options: Any) -> Command:
    """One target; a pipeline unless `privacy` is given. OpenDP draws from the operating system: no trial repeats."""
    privacy = options.pop("privacy", None) or pipeline()
    effect = f"dpmm's {what} tells more about a record than its epsilon says"
    options = {"title": what, "effect": effect, "trials": USUAL, "deterministic": False, **options}
    command: Command = LIBRARY.audit(name, release, pair, score, privacy, **options)
    return command


def refuted(
    name: str, release: str, what: str, pair: Any, score: Any, repair: str, effect: str, **options: Any
) -> Command:
    """`audit`, which is refuted and put right by `repair`."""
    verdict = {
        "expects": Outcome.REFUTED,
        "repair": f"dpmm/{repair}",
        "effect": effect,
        "trials": CERTAIN,
        "early_stop": True,
    }
    return audit(name, release, what, pair, score, **{**verdict, **options})


def one_more(columns: dict[str, Any], **record: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A data set of these columns, and with a record more."""
    data = {name: np.asarray(column) for name, column in columns.items()}
    return data, {name: np.append(column, np.asarray(record[name], column.dtype)) for name, column in data.items()}
