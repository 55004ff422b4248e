"""What the printed budgets cost, and what the whole budget in each phase costs."""

import numpy as np

from dpaudit.algorithms.resque import private_sco
from dpaudit.algorithms.resque.accounting.calibration import claimed_gradients
from dpaudit.claims.writing import *

from .symbols import *


def over_stated(budget, stream, trials):
    """The count of Theorem 3 summed over the phases of the shipped schedule, over the stated count of the whole, at
    d = sqrt(n) for n = 2^40 to 2^100, eps random."""
    ratios = np.empty((trials, len(SIZES)))
    for row, draw in enumerate(stream.uniforms(np.arange(trials), 0, 1)[:, 0]):
        for column, n in enumerate(SIZES):
            shared = SMALL | {"epsilon": 0.2 + 0.7 * draw, "delta": 1e-6}
            phases = private_sco.phases(private_sco.Params(origin=(0.0,), records=n, budget=budget, **shared))
            solvers, d = [phase.solver for phase in phases if phase.solver is not None], float(n) ** 0.5
            total = sum(claimed_gradients(part.records, d, part.epsilon, part.delta) for part in solvers)
            ratios[row, column] = total / claimed_gradients(n, d, shared["epsilon"], shared["delta"])
    return np.array(SIZES, dtype=float), ratios


def with_printed_budgets(stream, trials):
    """See `over_stated`: eps/2^i and delta/2^i."""
    return over_stated("printed", stream, trials)


def with_whole_budgets(stream, trials):
    """See `over_stated`: the whole budget in every phase."""
    return over_stated("parallel", stream, trials)


STEPS = (
    erratum(
        "s1",
        "The reason given: combining Proposition 11 and Corollary 3: the second term of phase i at budget "
        "eps/2^i is at most c times the stated count, c a constant that O(.) hides (the powers of log(n_i/"
        "delta_i) = log(n/delta) cancel)",
        f"{LATE} <= c*{STATED}",
        (
            integer("i", "[1, oo)"),
            integer("n", "[1, oo)"),
            integer("d", "[1, oo)"),
            real("eps", "(0, 1)"),
            real("c", "[1, oo)"),
        ),
        ("2**i <= n",),
        reads=Reads.REASON,
        kind=ClaimKind.COST,
        candidates=((("i", "59"), ("n", str(2**360)), ("d", str(2**180)), ("eps", "1/2"), ("c", "1000")),),
        finding="The reason does not carry the theorem as it stands. With the budgets eps/2^i of Proposition 11 "
        "the sum of the gradient counts exceeds the stated one by a power of n, up to n^(1/18) at d = "
        "sqrt(n) and eps constant: at n = 2^(18 m), d = 2^(9 m) the phase i = 3 m has more than c times the "
        "count as soon as 2^m >= 4 c (s1-every). "
        "So the count does not follow from the two results as printed. It holds with the whole eps in "
        "each phase, which disjoint batches allow (s1~repaired).",
        repair="resque/THM-4/s1~repaired",
    ),
    step(
        "s1-every",
        "for every constant c: at n = 2^(18 m), d = 2^(9 m), eps = 1/2, whole numbers, the second term of the "
        "phase i = 3 m, for which 2^i <= n, exceeds c times the stated count as soon as 2^m >= 4 c; the paper has "
        "O(.)",
        f"c*{stated(*POWERS)} < {late('(3*m)', *POWERS)}",
        (integer("m", "[1, oo)"), positive("c", "any constant")),
        ("2**(3*m) <= 2**(18*m)",),
        ours=("4*c <= 2**m",),
        kind=ClaimKind.COST,
        argument=(
            Substitute((real("u", "[2, oo)", "2^m"),), where("m=log(u)/log(2)"), where("u=2**m")),
            Rewrite(left="c*(min(u**18, u**27/4) + min(2*u**18, u**24*2**(-1/3)))", right="u**19*2**(-1/3)"),
            Bound(
                left="3*c*u**18",
                argument=(
                    Combine(
                        (
                            ("c", "min(u**18, u**27/4) <= u**18"),
                            ("c", "min(2*u**18, u**24*2**(-1/3)) <= 2*u**18"),
                        )
                    ),
                ),
            ),
            Combine((("3*u**18/4", "4*c <= u"), ("u**19", "3/4 < 2**(-1/3)"))),
        ),
        candidates=(point("m=2 c=1"),),
        mutants=(
            Mutant(
                "smaller",
                "as soon as 2^m >= 3 c",
                conditions=("2**(3*m) <= 2**(18*m)", "3*c <= 2**m"),
                candidates=(point("m=10 c=1024/3"),),
            ),
        ),
    ),
    step(
        "s1~repaired",
        "with the whole eps and delta/2^i in phase i: it costs at most 2^(-2i/3) of the whole",
        f"{PHASE_COST} <= y**2*{WHOLE}",
        (A, B, P, Q, Y),
        kind=ClaimKind.COST,
        rests_on=("resque/THM-4/r2",),
        argument=(Solve(),),
        from_standard=(Slope("with_whole_budgets", claimed=0.0, slack=0.02, near_miss=-0.005, trials=28),),
        mutants=(
            Mutant(
                "decay",
                "2^(-i)",
                f"{PHASE_COST} <= y**3*{WHOLE}",
                candidates=((*ONES[:2], ("P", "1"), ("Q", "100"), ("y", "1/2")),),
            ),
        ),
    ),
    Step(
        "r1",
        "how much the printed budgets lose, eps constant, d = n^e: the exponent of P^(5/6) Q^(1/6), P = "
        "(nd)^(2/3), Q = n^(4/3), is at most 1/18 above the stated one",
        Statement(EXPONENTS.format(c="1/18"), (ROOT,)),
        argument=(Solve(),),
        mutants=(mutant("constant", "1/19", EXPONENTS.format(c="1/19"), "e=1/2"),),
    ),
    Step(
        "r1-run",
        "the sum over the shipped schedule with the printed budgets, over the stated count, at d = sqrt(n), n up "
        "to 2^100: it grows like n^(1/18)",
        None,
        kind=ClaimKind.COST,
        expects=Outcome.CONSISTENT,
        empirical=(Slope("with_printed_budgets", claimed=1 / 18, slack=0.02, near_miss=0.04, trials=28),),
    ),
    step(
        "r1-crossing",
        "every phase: min(2^(i/3) P, 2^(-5i/3) Q) <= P^(5/6) Q^(1/6); P = p^6, Q = q^6, y = 2^(i/3)",
        "min(p**6*y, q**6/y**5) <= p**5*q",
        (positive("p"), positive("q"), real("y", "[1, oo)")),
        argument=(
            Cases(
                (
                    (
                        "p*y <= q",
                        (
                            Bound(
                                left="p**6*y",
                                argument=(Combine(terms=(("1", "min(p**6*y, q**6/y**5) <= p**6*y"),)),),
                            ),
                            Combine(terms=(("p**5", "p*y <= q"),)),
                        ),
                    ),
                    (
                        "otherwise",
                        (
                            Bound(
                                left="q**6/y**5",
                                argument=(Combine(terms=(("1", "min(p**6*y, q**6/y**5) <= q**6/y**5"),)),),
                            ),
                            Combine(
                                terms=(
                                    (
                                        "q/y**5*(p**4*y**4 + p**3*y**3*q + p**2*y**2*q**2 + p*y*q**3 + q**4)",
                                        "q <= p*y",
                                    ),
                                )
                            ),
                        ),
                    ),
                )
            ),
        ),
        mutants=(mutant("growth", "no growth at all", "min(p**6*y, q**6/y**5) <= p**6", "p=1 q=2 y=3/2"),),
    ),
    step(
        "r2",
        "the sum of 2^(-2i/3) over the phases is below 1/(2^(2/3) - 1) < 1.71",
        "sum(i, 1, k, 2**(-2*i/3)) == (1 - 2**(-2*k/3))/(2**(2/3) - 1)",
        (integer("k", "[1, oo)", "phases"),),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
    ),
)
