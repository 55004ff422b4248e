"""The last paragraph with its own condition, alpha <= log(1/(tau (1 + sigma^2))): the conclusion holds under it too.

All of this is ours. tau <= e^(-alpha)/(1 + sigma^2); the terms grow with tau, so that this value is enough. From
alpha = 14 on they fall geometrically (closing-many), below it the sums are enclosed one by one (closing-few).
"""

from dpaudit.claims.writing import *

from .notation import TAU
from .real_tails import IN_X, SHARP, SHARP_PAIRS
from .symbols import *

FEW, MANY = integer("alpha", "[2, 14]", "Renyi order"), integer("alpha", "[14, oo)", "Renyi order")
AT_MOST = "(1 + sigma2)*tau <= exp(-alpha)"
LARGEST = "exp(-alpha)/(1 + sigma2)"
AT_LARGEST = f"sum(j, 3, alpha, binomial(alpha, j)*2*({LARGEST})**(j - 2)*exp((j - 1)*j/(2*sigma2)))"
ROOM = "23/20*binomial(alpha, 2)/sigma2"
FALL = "(alpha*exp(-alpha + (alpha + 1)/(2*sigma2))/(1 + sigma2))"
"""From one term to the next at most, at this tau."""
FALL_CLOSED = f"sum(j, 3, alpha, {FALL}**(j - 2)) == {FALL}*(1 - {FALL}**(alpha - 2))/(1 - {FALL})"

CLOSING_OURS = (
    step(
        "closing-tau",
        "the printed condition on alpha says tau <= e^(-alpha)/(1 + sigma^2)",
        AT_MOST,
        (REAL_ORDER, TAU, VARIANCE),
        (CLOSING_CONDITION,),
        argument=(Logarithm(), Combine(terms=(("1", CLOSING_CONDITION),))),
        mutants=(
            mutant(
                "factor",
                "sigma^2 tau replaced by 2 sigma^2 tau",
                "(1 + 2*sigma2)*tau <= exp(-alpha)",
                "alpha=2 tau=1/15 sigma2=1",
            ),
        ),
    ),
    step(
        "closing-largest",
        "so the summation term is at most tau^2 times the sum at this value",
        f"{TAIL} <= tau**2*{AT_LARGEST}",
        SYMBOLS,
        (AT_MOST,),
        argument=(
            Rewrite(
                right=f"sum(j, 3, alpha, tau**2*binomial(alpha, j)*2*({LARGEST})**(j - 2)*exp((j - 1)*j/(2*sigma2)))"
            ),
            Termwise(
                (
                    Have(
                        f"tau**(j - 2) <= ({LARGEST})**(j - 2)",
                        (Power("1/(j - 2)"), Combine(terms=(("1/(1 + sigma2)", AT_MOST),))),
                    ),
                    Combine(
                        terms=(
                            (
                                "tau**2*binomial(alpha, j)*2*exp((j - 1)*j/(2*sigma2))",
                                f"tau**(j - 2) <= ({LARGEST})**(j - 2)",
                            ),
                        )
                    ),
                )
            ),
        ),
        mutants=(mutant("half", "half of it", f"{TAIL} <= tau**2*{AT_LARGEST}/2", "alpha=3 tau=1/36 sigma2=7/10"),),
    ),
    step(
        "closing-few",
        "orders up to 14: that sum is at most 1.15 C(alpha, 2)/sigma^2",
        f"{AT_LARGEST} <= {ROOM}",
        (FEW, VARIANCE),
        argument=(
            IN_X,
            Scale("1/x"),
            Rewrite(
                left="sum(j, 3, alpha, binomial(alpha, j)*2*exp(-alpha*(j - 2))*x**(j - 3)/(1 + x)**(j - 2)"
                "*exp((j - 1)*j*x/2))",
                right="23/20*binomial(alpha, 2)",
            ),
            Boxes(),
        ),
        mutants=(
            mutant(
                "constant",
                "0.9 in place of 1.15",
                f"{AT_LARGEST} <= 9/10*binomial(alpha, 2)/sigma2",
                "alpha=3 sigma2=7/10",
            ),
        ),
    ),
    step(
        "closing-fall",
        "orders from 14 on: the terms fall by a factor of 7/20 at least",
        f"{FALL} <= 7/20",
        (MANY, VARIANCE),
        argument=(IN_X, Rewrite(left="alpha*x*exp(-alpha + (alpha + 1)*x/2)/(1 + x)")),
        mutants=(mutant("constant", "1/4", f"{FALL} <= 1/4", "alpha=14 sigma2=7/10"),),
    ),
    step(
        "closing-first",
        "and what the geometric sum starts with is small enough",
        f"2/3*exp(1/sigma2)*{FALL}*20/13 <= 23/20/sigma2",
        (MANY, VARIANCE),
        argument=(
            IN_X,
            Scale("1/x"),
            Rewrite(left="40/39*exp(x)*alpha*exp(-alpha + (alpha + 1)*x/2)/(1 + x)", right="23/20"),
        ),
        mutants=(
            mutant(
                "constant",
                "0.9 in place of 1.15",
                f"2/3*exp(1/sigma2)*{FALL}*20/13 <= 9/10/sigma2",
                "alpha=14 sigma2=7/10",
            ),
        ),
    ),
    step(
        "closing-many",
        "orders from 14 on: the sum is at most 1.15 C(alpha, 2)/sigma^2 as well, by 2 C(alpha, j) <= (2/3) C(alpha, 2) "
        "alpha^(j - 2) and j (j - 1) <= (j - 2)(alpha + 1) + 2",
        f"{AT_LARGEST} <= {ROOM}",
        (MANY, VARIANCE),
        argument=(
            Have(f"{FALL} <= 7/20", (ByTheorem(f"{LEM}/closing-fall"),)),
            Have(f"2/3*exp(1/sigma2)*{FALL}*20/13 <= 23/20/sigma2", (ByTheorem(f"{LEM}/closing-first"),)),
            Have(FALL_CLOSED, (ByTheorem(f"{LEM}/s8-sum", at=(("m", "alpha"), ("r", FALL))),)),
            Bound(
                left=f"2/3*binomial(alpha, 2)*exp(1/sigma2)*sum(j, 3, alpha, {FALL}**(j - 2))",
                argument=(
                    Rewrite(right=f"sum(j, 3, alpha, 2/3*binomial(alpha, 2)*exp(1/sigma2)*{FALL}**(j - 2))"),
                    Termwise(
                        (
                            Have(SHARP_PAIRS, (ByTheorem(f"{LEM}/sharp-pairs"),)),
                            Have(
                                "exp((j - 1)*j/(2*sigma2)) <= exp(((j - 2)*(alpha + 1) + 2)/(2*sigma2))",
                                (Logarithm(), Combine(terms=(("(j - 2)/(2*sigma2)", "j <= alpha"),))),
                            ),
                            Combine(
                                terms=(
                                    (f"({LARGEST})**(j - 2)*exp((j - 1)*j/(2*sigma2))", SHARP_PAIRS),
                                    (
                                        f"2/3*binomial(alpha, 2)*alpha**(j - 2)*({LARGEST})**(j - 2)",
                                        "exp((j - 1)*j/(2*sigma2)) <= exp(((j - 2)*(alpha + 1) + 2)/(2*sigma2))",
                                    ),
                                )
                            ),
                        )
                    ),
                ),
            ),
            Have(
                f"{FALL}/(1 - {FALL}) <= 20/13*{FALL}",
                (Scale(f"1 - {FALL}"), Combine(terms=((f"20/13*{FALL}", f"{FALL} <= 7/20"),))),
            ),
            Have(
                f"sum(j, 3, alpha, {FALL}**(j - 2)) <= {FALL}/(1 - {FALL})",
                (
                    Combine(
                        terms=(
                            ("1", FALL_CLOSED.replace("==", "<=")),
                            (f"{FALL}**(alpha - 1)/(1 - {FALL})", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Combine(
                terms=(
                    (
                        "2/3*binomial(alpha, 2)*exp(1/sigma2)",
                        f"sum(j, 3, alpha, {FALL}**(j - 2)) <= {FALL}/(1 - {FALL})",
                    ),
                    ("2/3*binomial(alpha, 2)*exp(1/sigma2)", f"{FALL}/(1 - {FALL}) <= 20/13*{FALL}"),
                    ("binomial(alpha, 2)", f"2/3*exp(1/sigma2)*{FALL}*20/13 <= 23/20/sigma2"),
                )
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "1/6000 in place of 1.15",
                f"{AT_LARGEST} <= binomial(alpha, 2)/(6000*sigma2)",
                "alpha=14 sigma2=7/10",
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s11",
        "as printed: under alpha <= log(1/(tau (1 + sigma^2))) too, the right side of (3.1) is at most 3.5 alpha "
        "tau^2/sigma^2",
        f"{THEOREM_9} <= {BOUND}",
        SYMBOLS,
        (CLOSING_CONDITION,),
        kind=ClaimKind.DIVERGENCE,
        rests_on=("subsampled-renyi",),
        place="last display of Section 3, with the conditions of its paragraph",
        printed=r"\text{under the conditions that } \sigma^2 \ge 0.7,\ \alpha \le \log(1/\tau(1+\sigma^2)):\ "
        r"\rho'(\alpha) \le 3.5\alpha\tau^2/\sigma^2",
        argument=(
            Have(AT_MOST, (ByTheorem(f"{LEM}/closing-tau"),)),
            Have(SHARP, (ByTheorem(f"{LEM}/sharp-second"),)),
            Have(f"{TAIL} <= tau**2*{AT_LARGEST}", (ByTheorem(f"{LEM}/closing-largest"),)),
            Have(
                f"{AT_LARGEST} <= {ROOM}",
                (
                    Cases(
                        (
                            ("alpha <= 14", (ByTheorem(f"{LEM}/closing-few"),)),
                            ("otherwise", (ByTheorem(f"{LEM}/closing-many"),)),
                        )
                    ),
                ),
            ),
            Have(f"0 <= {TAIL}", (ByTheorem(f"{LEM}/tail-sign"),)),
            Name("U", TAIL),
            Name("W", AT_LARGEST),
            Combine(
                terms=(
                    ("1/(alpha - 1)", f"log(1 + {SECOND}*{MINIMUM} + U) <= 1 + {SECOND}*{MINIMUM} + U - 1"),
                    (f"{SECOND}/(alpha - 1)", SHARP),
                    ("1/(alpha - 1)", "U <= tau**2*W"),
                    ("tau**2/(alpha - 1)", f"W <= {ROOM}"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "no-condition",
                "without a condition on alpha",
                conditions=(),
                candidates=(point("alpha=8 tau=1/100 sigma2=7/10"),),
            ),
            mutant(
                "constant",
                "3.3 in place of 3.5",
                f"{THEOREM_9} <= 33/10*alpha*tau**2/sigma2",
                "alpha=3 tau=29/1000 sigma2=7/10",
            ),
        ),
    ),
)
