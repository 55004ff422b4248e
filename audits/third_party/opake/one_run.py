"""The one-run auditor of opake 0.16.1: are its lower bounds on epsilon too large more often than they may be?

What: `one_run(scores, coin_flip=...)`, its two methods, `eps_delta()` for every mechanism and `gdp()` for Gaussian
trade-offs, at a significance of 0.05; coins are those of `coin_flip`, fair ones.
Why: without `threshold=` the library guesses at the threshold with the fewest errors on the very scores and coins that
it then counts, and takes the guesses for ones that were fixed before. Of scores that know nothing, the errors at the
best threshold are (m - R)/2, R the largest value of a walk of m fair steps doubled, less its last value, which Pitman's
theorem makes a Bessel process of three dimensions: for large m the bound is above 0 with probability
P(chi^2_3 > 2.71) = 0.44.
Worst-case neighbours: none; the laws of `dpaudit.audit.coverage`, for `gdp()` those with a Gaussian trade-off.
The adversary sees a score a canary.
The repaired use is public: `threshold=` a number that does not look at the coins, as the median of all scores. `gdp()`
is played with 100 canaries, as its p-value takes seconds with 1,000.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import Audit
from dpaudit.content.loading import load_module
from dpaudit.records.context import Level
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

SHARED = Path(__file__).parents[1] / "_shared"
LIBRARY = load_module(SHARED / "_own_python.py").Library(
    "opake",
    "0.16.1",
    "DPAUDIT_OPAKE_PYTHON",
    Path(__file__).with_name("_asked_worker.py"),
    others="opake-auditing==0.16.1",
    python="python3.13",
)
ASKED = load_module(SHARED / "_asked.py")
GAUSSIAN_LAWS = ("identical", "Gaussian at delta 0.1")
CANARIES = {"eps_delta": 1_000, "gdp": 100}
PLANS = {
    "eps_delta": TrialPlan(smoke=200, standard=1_000, deep=10_000),
    "gdp": TrialPlan(smoke=4_000, standard=10_000, deep=20_000),
}


def bounds(method: str, threshold: str) -> Callable[[Array, Array, float, float], float]:
    """The lower bound of a method: of canaries with the first scores if they are in, with the second ones if not."""
    asked = ASKED.Asked(lambda: (LIBRARY.executable(), str(LIBRARY.worker), "audits"))

    def bound(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
        canaries = CANARIES[method]
        return float(
            asked(
                {
                    "present": scores_in[:canaries].tolist(),
                    "absent": scores_out[:canaries].tolist(),
                    "method": method,
                    "threshold": threshold,
                    "delta": delta,
                    "significance": alpha,
                }
            )
        )

    return bound


def audit(name: str, method: str, threshold: str, repair: str = "") -> Audit:
    """One use of the auditor. repair: the target of the use that is right, for one that is not."""
    chosen = "the threshold that it chooses itself" if threshold == "default" else "the median of all scores"
    target = Target(
        name=f"opake/{name}",
        title=f"opake, one_run, {method}(), at {chosen}",
        view=View.TRANSCRIPT,
        claim=claim(
            epsilon=0.0,
            delta=1e-5,
            source=f"opake 0.16.1, OneRunEstimate.{method}().epsilon_at: Epsilon lower bound at the given (delta, "
            "significance)",
        ),
        trials=None,
        effect="trainings that leak nothing, or no more than is claimed, are called leaky more often than is said",
        optional=True,
        from_level=Level.STANDARD,
        expects=Outcome.REFUTED if repair else Outcome.CONSISTENT,
        repair=repair,
    )
    laws = GAUSSIAN_LAWS if method == "gdp" else None
    return Audit(target, bounds=bounds(method, threshold), laws=laws, repetitions=PLANS[method])


AUDITS = (
    audit("one-run-median", "eps_delta", "median"),
    audit("one-run-gdp-median", "gdp", "median"),
    audit("one-run-default", "eps_delta", "default", "opake/one-run-median"),
    audit("one-run-gdp-default", "gdp", "default", "opake/one-run-gdp-median"),
)
