"""The last paragraph: the condition on the order, and the two factors of the display. Steps s11 to s14."""

from dpaudit.claims.writing import *

from .symbols import *

AT_TWO = point("alpha=2 tau=1/100 sigma2=1")
EARLY = point("alpha=4 tau=1/100 sigma2=7/10")


def inside(constant):
    """The logarithm of the last display with this constant."""
    return f"log(1 + {SECOND}*{constant}/sigma2)/(alpha - 1)"


def larger_inside(constant):
    """log A <= log B by log(A/B) <= A/B - 1, given A <= B: s3 and s9 give 7, and `constant` is at least that."""
    small, large = f"(1 + {TOTAL})", f"(1 + {SECOND}*{constant}/sigma2)"
    return (
        Have(
            f"{small} <= {large}",
            (
                Combine(
                    terms=(("1", BY_S3), ("1", BY_S9), (f"{SECOND}/sigma2", f"7 <= {constant}")),
                ),
            ),
        ),
        Combine(
            terms=(
                ("1", BY_31),
                ("1/(alpha - 1)", f"log({small}/{large}) <= {small}/{large} - 1"),
                (f"1/((alpha - 1)*{large})", f"{small} <= {large}"),
            )
        ),
    )


FACTORS = (
    "6/sigma^2 (s3) and 1/sigma^2 (s9) add up to 7/sigma^2 inside of the logarithm. With the printed 10 the inequality "
    "would need log(1 + 10 y) <= 7 y for y = tau^2 C(alpha, 2)/sigma^2, and y is so small under (3.2) that it fails "
    "at every point of the domain (s13-everywhere). 10 is a misprint for 7: with it both inequalities hold "
    "(s12~repaired, s13~repaired), and the lemma is as stated."
)
TWO_CONDITIONS = (
    "The last paragraph has alpha <= log(1/(tau (1 + sigma^2))) where the lines before, and the lemma as it is "
    "used, have (3.2). Neither implies the other. The lemma keeps (3.2), under which everything is shown. The "
    "conclusion holds under the other condition too (s11), by an argument that is not printed."
)

CLOSING_STEPS = (
    erratum(
        "s11-reason",
        "alpha <= log(1/(tau (1 + sigma^2))) gives (3.2), under which the lines before it are shown",
        ORDER_CONDITION,
        SYMBOLS,
        (CLOSING_CONDITION,),
        reads=Reads.REASON,
        place="the last paragraph of Section 3, its conditions",
        printed=r"\text{As a result, under the conditions that } \sigma^2 \ge 0.7,\ \alpha \le "
        r"\log(1/\tau(1+\sigma^2))",
        candidates=(point("alpha=8 tau=1/6000 sigma2=7/10"),),
        finding=TWO_CONDITIONS,
        repair=f"{LEM}/s11",
    ),
    erratum(
        "s11-converse",
        "(3.2), the condition of the lemma, gives alpha <= log(1/(tau (1 + sigma^2))). The paper does not say so; the "
        "lemma needs it, if the last paragraph is read as it stands. The steps s12 to s14 cover (3.2)",
        CLOSING_CONDITION,
        SYMBOLS,
        (ORDER_CONDITION,),
        reads=Reads.GAP,
        place="the last paragraph of Section 3, its conditions",
        candidates=(point("alpha=20 tau=1/10000 sigma2=10"),),
        finding=TWO_CONDITIONS,
        repair=LEM,
    ),
    step(
        "s12",
        "(3.1), with s3 and s9 for its two terms and 10 in place of 6 + 1",
        f"rho_prime <= {inside('10')}",
        (RHO_PRIME, *SYMBOLS),
        given={f"{LEM}/s1": BY_31, f"{LEM}/s3": BY_S3, f"{LEM}/s9": BY_S9},
        place="last display of Section 3, first inequality",
        printed=r"\rho'(\alpha) \le \frac{1}{\alpha - 1} \log \left( 1 + \tau^2 \binom{\alpha}{2} "
        r"\frac{10}{\sigma^2} \right)",
        argument=larger_inside("10"),
        mutants=(
            mutant(
                "constant",
                "5 in place of 10",
                f"rho_prime <= {inside('5')}",
                "rho_prime=8/10000 alpha=2 tau=1/100 sigma2=7/10",
            ),
        ),
    ),
    step(
        "s12~repaired",
        "with the constant that s3 and s9 give: 7",
        f"rho_prime <= {inside('7')}",
        (RHO_PRIME, *SYMBOLS),
        given={f"{LEM}/s1": BY_31, f"{LEM}/s3": BY_S3, f"{LEM}/s9": BY_S9},
        argument=larger_inside("7"),
        mutants=(
            mutant(
                "constant",
                "5 in place of 7",
                f"rho_prime <= {inside('5')}",
                "rho_prime=8/10000 alpha=2 tau=1/100 sigma2=7/10",
            ),
        ),
    ),
    erratum(
        "s13",
        "(1/(alpha - 1)) log(1 + tau^2 C(alpha, 2) 10/sigma^2) <= (1/(alpha - 1)) tau^2 C(alpha, 2) 7/sigma^2",
        f"{inside('10')} <= 1/(alpha - 1)*{SECOND}*7/sigma2",
        SYMBOLS,
        (ORDER_CONDITION,),
        place="last display of Section 3, second inequality",
        printed=r"\frac{1}{\alpha - 1} \log \left( 1 + \tau^2 \binom{\alpha}{2} \frac{10}{\sigma^2} \right) \leq "
        r"\frac{1}{\alpha - 1} \tau^2 \binom{\alpha}{2} \frac{7}{\sigma^2}",
        candidates=(AT_TWO,),
        finding=FACTORS,
        repair=f"{LEM}/s13~repaired",
    ),
    step(
        "s13-everywhere",
        "it is false at every point of the domain: y = tau^2 C(alpha, 2)/sigma^2 is at most 1/30 under (3.2), and "
        "7 y < log(1 + 10 y) for 0 < y < 3/70",
        f"7*({SECOND}/sigma2) < log(1 + 10*({SECOND}/sigma2))",
        SYMBOLS,
        (ORDER_CONDITION,),
        reads=Reads.OURS,
        argument=(
            Have(f"{NUMERATOR} <= 1/(1 + sigma2)", (ByTheorem(f"{LEM}/s9-numerator"),)),
            Have(
                "tau*alpha*(1 + sigma2)*exp(3*(alpha - 1)/(2*sigma2)) <= 1",
                (Combine(terms=(("1 + sigma2", f"{NUMERATOR} <= 1/(1 + sigma2)"),)),),
            ),
            Have(
                "(tau*alpha*(1 + sigma2))**2*exp(3*(alpha - 1)/sigma2) <= 1",
                (
                    Combine(
                        terms=(
                            (
                                "1 + tau*alpha*(1 + sigma2)*exp(3*(alpha - 1)/(2*sigma2))",
                                "tau*alpha*(1 + sigma2)*exp(3*(alpha - 1)/(2*sigma2)) <= 1",
                            ),
                        )
                    ),
                ),
            ),
            Have(
                "(tau*alpha*(1 + sigma2))**2*3*(alpha - 1)/sigma2 <= 1",
                (
                    Combine(
                        terms=(
                            ("1", "(tau*alpha*(1 + sigma2))**2*exp(3*(alpha - 1)/sigma2) <= 1"),
                            ("(tau*alpha*(1 + sigma2))**2", "1 + 3*(alpha - 1)/sigma2 <= exp(3*(alpha - 1)/sigma2)"),
                            ("(tau*alpha*(1 + sigma2))**2", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Have(
                f"30*({SECOND}/sigma2) <= 1",
                (
                    Bound(
                        left="(tau*alpha*(1 + sigma2))**2*3*(alpha - 1)/sigma2",
                        argument=(
                            Have("5 <= alpha*(1 + sigma2)**2", (Boxes(),)),
                            Combine(
                                terms=(
                                    (
                                        "3*tau**2*alpha*(alpha - 1)/sigma2",
                                        "5 <= alpha*(1 + sigma2)**2",
                                    ),
                                )
                            ),
                        ),
                    ),
                    Combine(terms=(("1", "(tau*alpha*(1 + sigma2))**2*3*(alpha - 1)/sigma2 <= 1"),)),
                ),
            ),
            Have(f"0 < {SECOND}/sigma2", (Positive(),)),
            Name("y", f"{SECOND}/sigma2"),
            Rewrite(right="-log(1/(1 + 10*y))"),
            Bound(
                right="1 - 1/(1 + 10*y)", argument=(Combine(terms=(("1", "log(1/(1 + 10*y)) <= 1/(1 + 10*y) - 1"),)),)
            ),
            Scale("1 + 10*y"),
            Solve(),
        ),
        mutants=(
            mutant(
                "factor",
                "10 in place of 7",
                f"10*({SECOND}/sigma2) < log(1 + 10*({SECOND}/sigma2))",
                "alpha=2 tau=1/100 sigma2=1",
            ),
        ),
    ),
    step(
        "s13~repaired",
        "with 7 on both sides: log(1 + y) <= y",
        f"{inside('7')} <= 1/(alpha - 1)*{SECOND}*7/sigma2",
        SYMBOLS,
        argument=(
            Combine(
                terms=(("1/(alpha - 1)", f"log(1 + {SECOND}*7/sigma2) <= 1 + {SECOND}*7/sigma2 - 1"),),
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "6.9 on the right",
                f"{inside('7')} <= 1/(alpha - 1)*{SECOND}*6.9/sigma2",
                "alpha=2 tau=1/100 sigma2=1",
            ),
        ),
    ),
    step(
        "s14",
        "(1/(alpha - 1)) tau^2 C(alpha, 2) 7/sigma^2 = 3.5 alpha tau^2/sigma^2 (printed as <=)",
        f"1/(alpha - 1)*{SECOND}*7/sigma2 == {BOUND}",
        SYMBOLS,
        place="last display of Section 3, third inequality",
        printed=r"\frac{1}{\alpha - 1} \tau^2 \binom{\alpha}{2} \frac{7}{\sigma^2} \leq 3.5 \alpha \tau^2 / \sigma^2",
    ),
)
