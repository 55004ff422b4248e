"""Theorem 4: private stochastic convex optimisation, by Proposition 11 and Corollary 3.

The gradient count does not follow from Proposition 11 as printed (s1). There phase i has budget eps/2^i, and the
term (n_i d)^(2/3)/eps_i = 2^(i/3) (nd)^(2/3)/eps grows until it meets n_i^(4/3) eps_i^(1/3). The sum is of the
order n^(7/9) d^(5/9) eps^(-7/9), above the stated count by up to n^(1/18), reached at d = sqrt(n) with eps
constant, where the theorem claims about n gradients (r1). Since the batches are disjoint, each phase may have the
whole eps: then phase i costs at most 2^(-2i/3) of the first (statement), the sum is geometric (r2), and the theorem
stands, also for the regime n >= d^2/eps^3 of near-linear cost. The third parameters stay delta/2^i as printed: the
chances that a count is exceeded add up to delta, and log(n_i/delta_i) = log(n/delta) does not change.
"""

import numpy as np

from dpaudit.algorithms.resque import private_regularised_erm, private_sco
from dpaudit.algorithms.resque.accounting.calibration import claimed_gradients
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses

A, B = positive("A", "n"), positive("B", "n^2 eps^2/d")
P, Q = positive("P", "(nd)^(2/3)/eps"), positive("Q", "n^(4/3) eps^(1/3)")
Y = real("y", "(0, 1]", "2^(-i/3)")
PHASE_COST = "min(y**3*A, y**6*B) + min(y**2*P, y**4*Q)"
WHOLE = "(min(A, B) + min(P, Q))"
ONES = tuple((s, "1") for s in ("A", "B", "P", "Q"))


def second_term(n, d, eps):
    return f"min((({n})*({d}))**(2/3)/({eps}), ({n})**(4/3)*({eps})**(1/3))"


def stated(n, d, eps):
    return f"(min({n}, ({n})**2*({eps})**2/({d})) + {second_term(n, d, eps)})"


def late(i, n, d, eps):
    """The second term of phase i, with n/2^i records and budget eps/2^i."""
    return second_term(f"2**(-{i})*{n}", d, f"2**(-{i})*{eps}")


LATE, STATED = late("i", "n", "d", "eps"), stated("n", "d", "eps")
POWERS = ("2**(18*m)", "2**(9*m)", "1/2")
"""n, d, eps of s1-every."""


EXPONENTS = "5/6*(2/3 + 2/3*e) + 1/6*(4/3) <= max(1, 2/3 + 2/3*e) + {c}"
ROOT = real("e", "[0, 1]", "d = n^e")
SMALL = {
    "radius": 0.5,
    "lipschitz": 1.0,
    "epsilon": 0.9,
    "delta": 0.1,
    "acceleration_constant": 0.7,
    "solver_constant": 0.3,
    "error_constant": 0.05,
    "privacy_constant": 2.0,
    "steps": (8, 8, 2),
    "privacy": 4.0,
    "failure": 0.75,
    "most": 2,
    "ball_share": 0.3,
    "smoothing_share": 0.9,
    "accuracy_share": 0.4,
    "least_records": 8,
}
"""Constants of practical size; with those of the proofs kappa < 1 for every n that can be run."""
SIZES = tuple(2**k for k in range(40, 101, 20))


def gradients(stream, cases):
    """Gradients of runs of the shipped algorithm on 32 records, against the sum over phases and stages of: iterations
    times (search calls * copies * T_1 + T_2 + loops * 2^(j_max + 1) T_3)."""
    params = private_sco.Params(origin=(0.0,), records=32, step_constant=20.0, budget="parallel", **SMALL)
    losses = ridge_losses([(Ridge.LINEAR, (-1.0,))] * params.records)
    counted = private_sco.cpu(params, losses, Trials(stream, np.arange(cases))).queries
    solvers = [phase.solver for phase in private_sco.phases(params) if phase.solver is not None]
    cap = 0
    for solver in (stage.solver for phase in solvers for stage in private_regularised_erm.stages(phase)):
        search = solver.search_calls * solver.search_oracle().copies * solver.search_steps
        proximal = solver.proximal.loops * 2 ** (solver.proximal.highest + 1) * solver.proximal_steps
        cap += solver.most_iterations * (search + solver.ball_steps + proximal)
    return counted, np.full(cases, cap)


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


CLAIM = Claim(
    id="resque/THM-4",
    title="private stochastic convex optimisation",
    words=(
        "(eps_dp, delta)-DP with the error and the gradient count of Theorem 3, for the population risk. In part: the "
        "count; with the whole eps_dp (and delta/2^i) in phase i it costs at most 2^(-2i/3) of the stated count. The "
        "error is PROP-11 and the privacy PROP-11/r3; not checked: the constants of Corollary 3."
    ),
    place="Theorem 4",
    kind=ClaimKind.COST,
    statement=Statement(f"{PHASE_COST} <= y**2*{WHOLE}", (A, B, P, Q, Y)),
    rests_on=("resque/THM-4/r2", "resque/PROP-11/r1", "resque/PROP-11/r3"),
    expects=Outcome.CONSISTENT,
    empirical=(Count("gradients", "<=", near_miss=0.2, cases=20),),
    argument=(
        Bound(left=f"y**2*{WHOLE}", argument=(Solve(),)),
        Open("the error rests on Proposition 11, and the constants of Corollary 3 are hidden"),
    ),
    mutants=(
        Mutant(
            "decay",
            "2^(-i)",
            f"{PHASE_COST} <= y**3*{WHOLE}",
            candidates=((*ONES[:2], ("P", "1"), ("Q", "100"), ("y", "1/2")),),
        ),
    ),
    steps=(
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
    ),
)
