"""The matrix mechanisms of opake 0.16.1 (DP-FTRL): noise that is correlated over 16 steps.

What: one training of 16 steps a trial, at noise multiplier 4 and clipping norm 1. A record is in a batch at most four
times, four steps apart or more.
Why: the noise of a step takes back some of that of earlier ones, so that the accountant has to know the matrix, and how
often a record takes part.
Worst-case neighbours: a record with the longest gradient that clipping allows, always in the same direction, in steps
0, 4, 8 and 12; and the same training without it. The other records cancel.
The adversary sees the noisy sum of every step, and multiplies them by the public matrix: then the noise of each step
is a number of its own. The score is the projection onto what the record adds to that, the likelihood ratio.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.content.loading import load_module
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

LIBRARY = load_module(Path(__file__).parents[1] / "_shared" / "_own_python.py").Library(
    "opake",
    "0.16.1",
    "DPAUDIT_OPAKE_PYTHON",
    Path(__file__).with_name("_worker.py"),
    others="opake-dpftrl==0.16.1",
    python="python3.13",
)
"""It wants PyTorch 2.9 or later, and does not import on the first releases of Python 3.11 and 3.12."""

STEPS, TIMES, NOISE = 16, (0, 4, 8, 12), 4.0
ABSENT = {"gradients": np.zeros(STEPS)}
PRESENT = {"gradients": np.isin(np.arange(STEPS), TIMES).astype(float)}
PLAN = TrialPlan(smoke=1_000, standard=4_000, deep=20_000)
DOCUMENTED = (
    "opake 0.16.1, opake.dpftrl.accounting.mf_gaussian: models a Gaussian release with effective noise multiplier "
    "noise_multiplier / strategy.sensitivity(n_steps, ...); min_sep=4, max_participations=4"
)


def projection(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The logarithm of the likelihood ratio, but for constants: along what the record adds after the matrix."""
    whitened, columns = outputs[:, :STEPS], outputs[:, STEPS:]
    return (whitened * columns).sum(axis=1)


def audit(name: str, release: str, what: str, sensitivity: float, epsilon: float, **options: Any) -> Any:
    """One strategy. sensitivity, epsilon: what its accountant says, rounded up in the fourth digit."""
    privacy = claim(epsilon=epsilon, delta=1e-5, neighbours=Neighbours.ADD_OR_REMOVE, source=DOCUMENTED)
    options = {
        "title": f"{what}, 16 steps, a record in four of them",
        "effect": f"opake's {what} tells more about a record than its accountant says",
        "trials": PLAN,
        "mechanism": Gaussian(NOISE / sensitivity),
        "check_pair": False,  # what a record adds to every step, no records
        **options,
    }
    return LIBRARY.audit(name, release, (PRESENT, ABSENT), projection, privacy, **options)


AUDITS = (
    audit("band-mf", "band_mf", "band_mf_strategy(bands=4)", 2.0, 1.9931),
    audit("blt", "blt", "blt_strategy()", 3.08376, 3.247),
    audit("bsr", "bsr", "bsr_strategy(bandwidth=4)", 2.43991, 2.4908),
    audit("bisr", "bisr", "bisr_strategy(bandwidth=4)", 2.86214, 2.9831),
    audit("lambda-cgd", "lambda_cgd", "lambda_cgd_strategy(lambda_=0.5)", 2.09544, 2.0997),
    audit("one-band", "one_band", "band_mf_strategy(bands=1), which is independent noise", 2.0, 1.9931),
    audit(
        "identity",
        "identity",
        "identity_strategy()",
        1.0,
        0.9264,
        expects=Outcome.REFUTED,
        repair="opake/one-band",
        effect="bare accounting of independent noise counts one participation of a record, however many are allowed: "
        "epsilon 0.93 is stated where four give 1.99",
    ),
)
