"""The tails of (3.1) at the orders m and m + 1, given (3.2) at alpha = m + f; for `real_high`. All of this is ours."""

from dpaudit.claims.writing import *

from .notation import TAU
from .steps_terms import LOWER_TERM, UPPER_TERM, minimum_below
from .symbols import *

LOW, PART = integer("m", "[3, oo)", "the integer below alpha"), real("f", "[0, 1]", "alpha - m")
SHARP = f"{MINIMUM} <= 117/20/sigma2"
SHARP_PAIRS = "2*binomial(alpha, j) <= 2/3*binomial(alpha, 2)*alpha**(j - 2)"
TAIL_BOUND = f"{TAIL} <= {SECOND}*2/3*{NUMERATOR}/(1 - {RATIO})"


def at(text, order):
    """`text` with another order in the place of alpha."""
    return text.replace("alpha", f"({order})")


# N at the orders m and m + 1 is at most `MOST`, the ratio r of the geometric sum at most `RATIO_MOST`.
MOST = {
    "m": "(m/(m + f)*exp(-3*f/(2*sigma2))/(1 + sigma2))",
    "m + 1": "((m + 1)/(m + f)*exp(3*(1 - f)/(2*sigma2))/(1 + sigma2))",
}
RATIO_MOST = {"m": "(exp(-2/sigma2)/(1 + sigma2))", "m + 1": "(4/3*exp(-3/(2*sigma2))/(1 + sigma2))"}
WITH_N = f"{NUMERATOR} <= 1/(1 + sigma2)"
IN_X = Substitute((real("x", "(0, 10/7]", "1/sigma^2"),), where("sigma2=1/x"), where("x=1/sigma2"))


def tail_at(order):
    """The bound on the tail of order m or m + 1."""
    return at(f"{TAIL} <= {SECOND}*2/3*{MOST[order]}*(1 + 13/10*{RATIO_MOST[order]})", order)


def tail_step(name, order, factor, rest, near):
    """`tail_at` from (3.2) at m + f; factor: N at this order over N at alpha; rest: why r is small."""
    numerator, ratio, most, small = at(NUMERATOR, order), at(RATIO, order), MOST[order], RATIO_MOST[order]
    return step(
        name,
        f"the tail of order {order}: N there is at most a known multiple of N at alpha, and N/(1 - r) <= n (1 + 1.3 "
        f"r) for "
        "r <= 3/13",
        tail_at(order),
        (LOW, PART, TAU, VARIANCE),
        (at(ORDER_CONDITION, "m + f"),),
        argument=(
            Have(at(WITH_N, "m + f"), (ByTheorem(f"{LEM}/s9-numerator", at=(("alpha", "m + f"),)),)),
            Have(f"{numerator} <= {most}", (Combine(terms=((factor, at(WITH_N, "m + f")),)),)),
            Have(f"{small} <= 3/13", (IN_X, Boxes())),
            *rest(numerator, ratio, most, small),
            Have(
                f"{ratio} < 1",
                (Combine(terms=(("1", f"{ratio} <= {small}"), ("1", f"{small} <= 3/13"), ("10/13", "0 < 1"))),),
            ),
            Have(at(TAIL_BOUND, order), (ByTheorem(f"{LEM}/sharp-tail", at=(("alpha", order),)),)),
            Have(
                f"{numerator}/(1 - {ratio}) <= {most}*(1 + 13/10*{small})",
                (ByTheorem(f"{LEM}/geometric", at=(("N", numerator), ("R", ratio), ("n", most), ("r", small))),),
            ),
            Name("V", at(TAIL, order)),
            Combine(
                terms=(
                    ("1", at(TAIL_BOUND, order).replace(at(TAIL, order), "V")),
                    (at(f"{SECOND}*2/3", order), f"{numerator}/(1 - {ratio}) <= {most}*(1 + 13/10*{small})"),
                )
            ),
        ),
        mutants=(near,),
    )


def decays_low(numerator, ratio, most, small):
    """r = N e^(-(m - 1)/sigma^2) with m >= 3 and N <= 1/(1 + sigma^2)."""
    return (
        Have("exp(-(m - 1)/sigma2) <= exp(-2/sigma2)", (Logarithm(), Combine(terms=(("1/sigma2", "3 <= m"),)))),
        Have("exp(-3*f/(2*sigma2)) <= 1", (Logarithm(), Combine(terms=(("3*f/(2*sigma2)", "0 <= 1"),)))),
        Have(
            f"{numerator} <= 1/(1 + sigma2)",
            (
                Combine(
                    terms=(
                        ("1", f"{numerator} <= {most}"),
                        ("m/((m + f)*(1 + sigma2))", "exp(-3*f/(2*sigma2)) <= 1"),
                        ("f/((m + f)*(1 + sigma2))", "0 <= 1"),
                    )
                ),
            ),
        ),
        Have(
            f"{ratio} <= {small}",
            (
                Combine(
                    terms=(
                        ("exp(-(m - 1)/sigma2)", f"{numerator} <= 1/(1 + sigma2)"),
                        ("1/(1 + sigma2)", "exp(-(m - 1)/sigma2) <= exp(-2/sigma2)"),
                    )
                ),
            ),
        ),
    )


def decays_high(numerator, ratio, most, small):
    """r = N e^(-m/sigma^2) with m >= 3 and N <= (4/3) e^(3/(2 sigma^2))/(1 + sigma^2)."""
    return (
        Have("exp(-m/sigma2) <= exp(-3/sigma2)", (Logarithm(), Combine(terms=(("1/sigma2", "3 <= m"),)))),
        Have(
            "exp(3*(1 - f)/(2*sigma2)) <= exp(3/(2*sigma2))",
            (Logarithm(), Combine(terms=(("3*f/(2*sigma2)", "0 <= 1"),))),
        ),
        Have("(m + 1)/(m + f) <= 4/3", (Scale("3*(m + f)"), Combine(terms=(("1", "3 <= m"), ("4*f", "0 <= 1"))))),
        Have(
            f"{numerator} <= 4/3*exp(3/(2*sigma2))/(1 + sigma2)",
            (
                Combine(
                    terms=(
                        ("1", f"{numerator} <= {most}"),
                        ("(m + 1)/((m + f)*(1 + sigma2))", "exp(3*(1 - f)/(2*sigma2)) <= exp(3/(2*sigma2))"),
                        ("exp(3/(2*sigma2))/(1 + sigma2)", "(m + 1)/(m + f) <= 4/3"),
                    )
                ),
            ),
        ),
        Have(
            f"{ratio} <= {small}",
            (
                Combine(
                    terms=(
                        ("exp(-m/sigma2)", f"{numerator} <= 4/3*exp(3/(2*sigma2))/(1 + sigma2)"),
                        ("4/3*exp(3/(2*sigma2))/(1 + sigma2)", "exp(-m/sigma2) <= exp(-3/sigma2)"),
                    )
                ),
            ),
        ),
    )


LOW_NEAR = mutant(
    "factor",
    "1/10 in place of 2/3",
    tail_at("m").replace("2/3*", "1/10*"),
    "m=3 f=0 tau=26/10000 sigma2=7/10",
    own_sentence=True,
)
HIGH_NEAR = mutant(
    "factor",
    "1/10 in place of 2/3",
    tail_at("m + 1").replace("2/3*", "1/10*", 1),
    "m=3 f=0 tau=26/10000 sigma2=7/10",
    own_sentence=True,
)
TAIL_STEPS = (
    step(
        "tail-sign",
        "the summation term is not negative",
        f"0 <= {TAIL}",
        SYMBOLS,
        argument=(
            Rewrite(left="sum(j, 3, alpha, 0)"),
            Termwise((Combine(terms=(("tau**j*2*exp((j - 1)*j/(2*sigma2))", "0 <= binomial(alpha, j)"),)),)),
        ),
        mutants=(mutant("negative", "with a minus", f"0 <= -{TAIL}", "alpha=3 tau=1/2 sigma2=1"),),
    ),
    step(
        "sharp-second",
        "s2 with 5.85 in place of 6",
        SHARP,
        (VARIANCE,),
        argument=minimum_below("117/20"),
        mutants=(mutant("constant", "5.8", f"{MINIMUM} <= 5.8/sigma2", "sigma2=7/10"),),
    ),
    step(
        "sharp-pairs",
        "s6 with 2/3 in place of 1: 2 C(alpha, j) <= (2/3) C(alpha, 2) alpha^(j - 2)",
        SHARP_PAIRS,
        (ORDER, INDEX),
        ("j <= alpha",),
        argument=(
            Induct(
                "j",
                base=(Positive(),),
                step=(Combine(terms=(("alpha", SHARP_PAIRS), ("2*j*(alpha + 1)/(j + 1)", "0 <= binomial(alpha, j)"))),),
            ),
        ),
        mutants=(
            mutant(
                "half",
                "1/2 in place of 2/3",
                "2*binomial(alpha, j) <= 1/2*binomial(alpha, 2)*alpha**(j - 2)",
                "alpha=100 j=3",
            ),
        ),
    ),
    step(
        "sharp-tail",
        "s7 and s8 with the factor 2/3",
        TAIL_BOUND,
        SYMBOLS,
        (f"{RATIO} < 1",),
        argument=(
            Bound(
                left=f"{SECOND}*2/3*{GEOMETRIC}",
                argument=(
                    Rewrite(
                        right="sum(j, 3, alpha, tau**2*binomial(alpha, 2)*2/3*(tau**(j - 2)*alpha**(j - 2)*"
                        "exp((alpha - 1)*j/(2*sigma2))))"
                    ),
                    Termwise(
                        (
                            Have(SHARP_PAIRS, (ByTheorem(f"{LEM}/sharp-pairs"),)),
                            Have(f"{LOWER_TERM} <= {UPPER_TERM}", (ByTheorem(f"{LEM}/s4"),)),
                            Combine(
                                terms=(
                                    (f"tau**j*{LOWER_TERM}", SHARP_PAIRS),
                                    ("2/3*tau**j*binomial(alpha, 2)*alpha**(j - 2)", f"{LOWER_TERM} <= {UPPER_TERM}"),
                                )
                            ),
                        )
                    ),
                ),
            ),
            Have(f"{GEOMETRIC} <= {NUMERATOR}/(1 - {RATIO})", (ByTheorem(f"{LEM}/s8"),)),
            Combine(terms=((f"2/3*{SECOND}", f"{GEOMETRIC} <= {NUMERATOR}/(1 - {RATIO})"),)),
        ),
        mutants=(
            mutant(
                "third",
                "1/6 in place of 2/3",
                TAIL_BOUND.replace("2/3", "1/6"),
                "alpha=20 tau=1/10000 sigma2=20",
                own_sentence=True,
            ),
        ),
    ),
    step(
        "geometric",
        "N/(1 - R) <= n (1 + 1.3 r) for N <= n and R <= r <= 3/13",
        "N/(1 - R) <= n*(1 + 13/10*r)",
        (positive("N"), positive("n"), positive("R"), positive("r")),
        ("N <= n", "R <= r", "r <= 3/13"),
        argument=(
            Scale("1 - R"),
            Combine(terms=(("1", "N <= n"), ("n*(1 + 13/10*r)", "R <= r"), ("13/10*n*r", "r <= 3/13"))),
        ),
        mutants=(mutant("factor", "1.1 in place of 1.3", "N/(1 - R) <= n*(1 + 11/10*r)", "N=1 n=1 R=1/5 r=1/5"),),
    ),
    tail_step("tail-low", "m", "m/(m + f)*exp(-3*f/(2*sigma2))", decays_low, LOW_NEAR),
    tail_step("tail-high", "m + 1", "(m + 1)/(m + f)*exp(3*(1 - f)/(2*sigma2))", decays_high, HIGH_NEAR),
)
