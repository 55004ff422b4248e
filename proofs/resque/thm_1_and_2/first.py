"""Theorem 1, by epoch SGD."""

import numpy as np

from dpaudit.claims.writing import *

from .common import common
from .symbols import *


def rounds_by_dimension(stream, trials):
    """Rounds of queries for d = 2, 8, 32 with EpochSGD."""
    sizes = (2, 8, 32)
    rounds = [solved(stream.part(str(d)), trials, d, "epoch_sgd")[0].rounds for d in sizes]
    return np.array(sizes, dtype=float), np.stack(rounds, axis=1).astype(float)


def gaps(stream, trials):
    """Error over 2 eps (acceleration and smoothing) for both solvers and d = 2, 8."""
    return np.concatenate(
        [solved(stream.part(f"{s}{d}"), trials // 4, d, s)[1] for s in ("epoch_sgd", "ac_sa") for d in (2, 8)]
    )


FIRST = Claim(
    id="resque/THM-1",
    title="parallel stochastic convex optimisation with EpochSGD: query depth",
    words="Query depth O(d^(1/3) kappa^(2/3) log^3(d kappa)). In part: 24 K lk iterations on average (PROP-1~repaired) "
    "of 43 lX search calls (PROP-2~repaired), the runs of a call in one round, and one round for the other oracles, "
    "are at most 2088 K log^2(d kappa) rounds, less than printed. The queries are s5 up to constants, the error s1 "
    "and PROP-1~repaired; not checked: that [CH22]'s proximal oracle is good enough for lambda > lamstar.",
    place="Theorem 1",
    kind=ClaimKind.COST,
    statement=Statement(f"{ROUNDS} <= 2088*{K}*ell**3", (D, KAPPA, LK, LX, ELL), LOGARITHMS),
    rests_on=(*WHOLE, "resque/PROP-3", "resque/THM-1/s1", "resque/THM-1/s5", "resque/THM-1/s7-log"),
    argument=(
        Bound(left=f"2088*{K}*ell**2", argument=DEPTH),
        Bound(right=f"2088*{K}*ell**2", argument=(Combine(terms=((f"2088*{K}*ell**2", "1 <= ell"),)),)),
        Open(UNCHECKED),
    ),
    expects=Outcome.CONSISTENT,
    from_standard=(
        Slope("rounds_by_dimension", 1 / 3, 0.03, 0.25, trials=30),
        Search("gaps", near_miss=0.02, trials=120),
    ),
    candidates=((*ONES[:3], ("lX", "2"), ("ell", "1")),),
    mutants=(
        mutant("logarithm", "one logarithm", f"{ROUNDS} <= 2088*{K}*ell", "d=1 kappa=1 lk=100 lX=200 ell=100"),
        Mutant("constant", "1800 in place of 2088", f"{ROUNDS} <= 1800*{K}*ell**3"),
    ),
    steps=common("THM-1"),
)
