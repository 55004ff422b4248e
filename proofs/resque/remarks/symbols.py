"""The symbols and terms that several parts use."""

from dpaudit.claims.writing import *

N, D = real("n", "[1, oo)", "samples"), real("d", "[1, oo)", "dimension")
DP, OPT = positive("eps", "eps_dp"), real("eps", "(0, 1]", "eps_opt, L = R = 1")
SHARE = real("K", "[1, oo)", "number of subproblems")


def direction(name, words, expression, symbols, condition, argument, mutant, candidates=()):
    """One direction of an equivalence."""
    return Step(
        name,
        words,
        Statement(expression, symbols, (condition,)),
        argument=argument,
        kind=ClaimKind.IMPLICATION,
        candidates=candidates,
        mutants=(Mutant("regime", *mutant),),
    )


PLACE_PARALLEL, PLACE_PRIVATE, PLACE_APPROACH = "Section 1.1 and Table 1", "Section 1.2 and Table 2", "Section 1.4"

PRIVACY_COST, NO_COST = "sqrt(d)/(n*eps) <= 1/sqrt(n)", "d <= n*eps**2"
