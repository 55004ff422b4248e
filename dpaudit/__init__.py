"""dpaudit: a referee and an auditor for differentially private optimisation.

The words of the field come from here: `from dpaudit import GaussianDP, Target, TorchTraining, assert_private`. Each is
imported when it is first asked for, so that `import dpaudit` loads none of torch, numba, sympy, flint or scipy.stats.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

PACKAGES = (
    "recheck",
    "kernel",
    "records",
    "confinement",
    "arithmetic",
    "noise",
    "accounting",
    "estimators",
    "attacks",
    "problems",
    "sampling",
    "agreement",
    "algorithms",
    "content",
    "claims",
    "audit",
    "adapters",
    "runs",
    "report",
    "testing",
    "pytest_plugin",
    "cli",
)
"""The packages in their order: each imports only those before it, and itself."""

if TYPE_CHECKING:
    from dpaudit.accounting.epsilon import epsilon_bounds
    from dpaudit.adapters.command import Command
    from dpaudit.adapters.one_run import OneRun
    from dpaudit.adapters.one_run_model import OneRunModel
    from dpaudit.adapters.release import Release
    from dpaudit.adapters.torch_training import TorchTraining
    from dpaudit.adapters.training import Training
    from dpaudit.content.audits import Audit
    from dpaudit.content.named_scores import named_scores
    from dpaudit.noise.stream import Stream, Trials
    from dpaudit.records.assumptions import Assumptions
    from dpaudit.records.mechanism import (
        Composed,
        Concentrated,
        FixedSizeSampled,
        Gaussian,
        Laplace,
        PoissonSampled,
        PureDP,
        SelfComposed,
    )
    from dpaudit.records.privacy import (
        ApproximateDP,
        GaussianDP,
        Neighbours,
        PrivacyClaim,
        PrivacyProfile,
        RenyiDP,
        View,
        claim,
    )
    from dpaudit.records.target import Target, TrialPlan
    from dpaudit.records.verdict import Outcome, Verdict
    from dpaudit.runs.reading import load_run
    from dpaudit.testing.guarantees import assert_private
    from dpaudit.testing.sensitivity import assert_sensitivity

_HOMES = {
    "records.privacy": (
        "ApproximateDP", "GaussianDP", "Neighbours", "PrivacyClaim", "PrivacyProfile", "RenyiDP", "View", "claim",
    ),
    "records.mechanism": (
        "Composed", "Concentrated", "FixedSizeSampled", "Gaussian", "Laplace", "PoissonSampled", "PureDP",
        "SelfComposed",
    ),
    "records.target": ("Target", "TrialPlan"),
    "records.assumptions": ("Assumptions",),
    "records.verdict": ("Outcome", "Verdict"),
    "noise.stream": ("Stream", "Trials"),
    "accounting.epsilon": ("epsilon_bounds",),
    "content.audits": ("Audit",),
    "content.named_scores": ("named_scores",),
    "adapters.command": ("Command",),
    "adapters.one_run": ("OneRun",),
    "adapters.one_run_model": ("OneRunModel",),
    "adapters.release": ("Release",),
    "adapters.training": ("Training",),
    "adapters.torch_training": ("TorchTraining",),
    "runs.reading": ("load_run",),
    "testing.guarantees": ("assert_private",),
    "testing.sensitivity": ("assert_sensitivity",),
}  # fmt: skip
_HOME = {name: f"dpaudit.{module}" for module, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022  # by subject
    # guarantees
    "ApproximateDP", "GaussianDP", "RenyiDP", "PrivacyProfile", "PrivacyClaim", "claim", "Neighbours", "View",
    # mechanisms, and what they are worth
    "Gaussian", "Laplace", "PureDP", "Concentrated", "PoissonSampled", "FixedSizeSampled", "SelfComposed", "Composed",
    "epsilon_bounds",
    # audits
    "Audit", "Target", "TrialPlan", "Assumptions", "Stream", "Trials",
    "Release", "Training", "TorchTraining", "OneRun", "OneRunModel", "Command",
    # tests
    "assert_private", "assert_sensitivity",
    # results
    "Verdict", "Outcome", "load_run", "named_scores",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """The public name, imported from the module that defines it."""
    if name not in _HOME:
        raise AttributeError(f"module 'dpaudit' has no attribute {name!r}; it has: {', '.join(__all__)}")
    found = getattr(import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
