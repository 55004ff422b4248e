"""The summation term of (3.1): a geometric sum, and (3.2), under which it is small. Steps s7 to s10."""

from dpaudit.claims.writing import *

from .notation import TAU
from .steps_terms import LOWER_TERM, UPPER_TERM
from .symbols import *

CLOSED = f"sum(j, 3, alpha, {RATIO}**(j - 2)) == {RATIO}*(1 - {RATIO}**(alpha - 2))/(1 - {RATIO})"

SUM_STEPS = (
    step(
        "s7",
        "the summation term is at most tau^2 C(alpha, 2) times a geometric sum, by s4 and s6",
        f"{TAIL} <= tau**2*binomial(alpha, 2)*{GEOMETRIC}",
        SYMBOLS,
        place="the display before (3.2), first inequality",
        printed=r"\sum_{j=3}^\alpha\tau^j\binom\alpha j2e^{(j-1)\rho(j)} \le \tau^2\binom\alpha2\Bigl("
        r"\sum_{j=3}^\alpha\tau^{j-2}\alpha^{j-2}e^{\frac{(\alpha-1)j}{2\sigma^2}}\Bigr)",
        argument=(
            Rewrite(
                right="sum(j, 3, alpha, tau**2*binomial(alpha, 2)*(tau**(j - 2)*alpha**(j - 2)*"
                "exp((alpha - 1)*j/(2*sigma2))))"
            ),
            Termwise(
                (
                    Have("binomial(alpha, j) <= alpha**2*alpha**(j - 2)/factorial(3)", (ByTheorem(f"{LEM}/s5"),)),
                    Have("2*binomial(alpha, j) <= binomial(alpha, 2)*alpha**(j - 2)", (ByTheorem(f"{LEM}/s6"),)),
                    Have(f"{LOWER_TERM} <= {UPPER_TERM}", (ByTheorem(f"{LEM}/s4"),)),
                    Combine(
                        terms=(
                            (
                                f"tau**j*{LOWER_TERM}",
                                "2*binomial(alpha, j) <= binomial(alpha, 2)*alpha**(j - 2)",
                            ),
                            ("tau**j*binomial(alpha, 2)*alpha**(j - 2)", f"{LOWER_TERM} <= {UPPER_TERM}"),
                        )
                    ),
                )
            ),
        ),
        mutants=(
            mutant(
                "half",
                "half of the right side",
                f"{TAIL} <= tau**2*binomial(alpha, 2)*{GEOMETRIC}/5",
                "alpha=3 tau=1/1000 sigma2=1",
            ),
        ),
    ),
    step(
        "s8-sum",
        "the geometric sum: its terms are r^(j - 2) e^((alpha - 1)/sigma^2) with r = tau alpha e^((alpha - 1)/(2 "
        "sigma^2)), and for every m the sum of r^(j - 2) from 3 to m is r (1 - r^(m - 2))/(1 - r)",
        "sum(j, 3, m, r**(j - 2)) == r*(1 - r**(m - 2))/(1 - r)",
        (integer("m", "[2, oo)", "last index"), real("r", "(0, 1)", "ratio")),
        kind=ClaimKind.INDUCTION,
        reads=Reads.REASON,
        place="the reason of the second inequality before (3.2)",
        printed=r"\text{the sum of the geometric sequence}",
        argument=(Induct("m", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "s8",
        "with r = tau alpha e^((alpha - 1)/(2 sigma^2)) < 1 the geometric sum is at most tau alpha e^(3 (alpha - 1)/(2 "
        "sigma^2))/(1 - r); the factor tau^2 C(alpha, 2) > 0 of both sides is left out",
        f"{GEOMETRIC} <= {NUMERATOR}/(1 - {RATIO})",
        SYMBOLS,
        (f"{RATIO} < 1",),
        place="the display before (3.2), second inequality",
        printed=r""
        r"\tau^2\binom\alpha2\Bigl(\sum_{j=3}^\alpha\tau^{j-2}\alpha^{j-2}e^{\frac{(\alpha-1)j}{2\sigma^2}}\Bigr) \le "
        r"\tau^2\binom\alpha2\frac{\tau\alpha e^{\frac{3(\alpha-1)}{2\sigma^2}}}{1-\tau\alpha "
        r"e^{\frac{\alpha-1}{2\sigma^2}}}",
        argument=(
            Rewrite(left=f"exp((alpha - 1)/sigma2)*sum(j, 3, alpha, {RATIO}**(j - 2))"),
            Have(CLOSED, (ByTheorem(f"{LEM}/s8-sum", at=(("m", "alpha"), ("r", RATIO))),)),
            Combine(
                terms=(
                    ("exp((alpha - 1)/sigma2)", CLOSED.replace("==", "<=")),
                    (f"exp((alpha - 1)/sigma2)*{RATIO}**(alpha - 1)/(1 - {RATIO})", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "exponent",
                "e^(alpha - 1) in place of e^(3 (alpha - 1)/2), over sigma^2",
                f"{GEOMETRIC} <= tau*alpha*exp((alpha - 1)/sigma2)/(1 - {RATIO})",
                "alpha=3 tau=1/100 sigma2=1",
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s9-numerator",
        "(3.2) says that the numerator is at most 1/(1 + sigma^2)",
        f"{NUMERATOR} <= 1/(1 + sigma2)",
        (REAL_ORDER, TAU, VARIANCE),
        (ORDER_CONDITION,),
        reads=Reads.GAP,
        argument=(Logarithm(), Combine(terms=(("3/(2*sigma2)", ORDER_CONDITION),))),
        mutants=(
            mutant(
                "exponent",
                "2 (alpha - 1) in place of 3 (alpha - 1)/2",
                "tau*alpha*exp(2*(alpha - 1)/sigma2) <= 1/(1 + sigma2)",
                "alpha=2 tau=6/100 sigma2=2",
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s9",
        "under (3.2) the summation term is at most tau^2 C(alpha, 2)/sigma^2: with N = tau alpha e^(3 (alpha - 1)/(2 "
        "sigma^2)) <= 1/(1 + sigma^2) and r <= N, N/(1 - r) <= 1/sigma^2",
        BY_S9,
        SYMBOLS,
        (ORDER_CONDITION,),
        place="(3.2) and the display after it",
        printed=r"\sum_{j=3}^{\alpha} \tau^j \binom{\alpha}{j} 2e^{(j-1)\rho(j)} \leq \tau^2 \binom{\alpha}{2} "
        r"\frac{1}{\sigma^2}",
        argument=(
            Have(f"{RATIO} < 1", (ByTheorem(f"{LEM}/s10"),)),
            Have(f"{NUMERATOR} <= 1/(1 + sigma2)", (ByTheorem(f"{LEM}/s9-numerator"),)),
            Have(
                f"{RATIO} <= {NUMERATOR}",
                (Logarithm(), Combine(terms=(("(alpha - 1)/sigma2", "0 <= 1"),))),
            ),
            Have(f"{TAIL} <= {SECOND}*{GEOMETRIC}", (ByTheorem(f"{LEM}/s7"),)),
            Have(f"{GEOMETRIC} <= {NUMERATOR}/(1 - {RATIO})", (ByTheorem(f"{LEM}/s8"),)),
            Have(
                f"{NUMERATOR}/(1 - {RATIO}) <= 1/sigma2",
                (
                    Scale(f"sigma2*(1 - {RATIO})"),
                    Combine(
                        terms=(
                            ("1 + sigma2", f"{NUMERATOR} <= 1/(1 + sigma2)"),
                            ("1", f"{RATIO} <= {NUMERATOR}"),
                        )
                    ),
                ),
            ),
            Combine(
                terms=(
                    ("1", f"{TAIL} <= {SECOND}*{GEOMETRIC}"),
                    (SECOND, f"{GEOMETRIC} <= {NUMERATOR}/(1 - {RATIO})"),
                    (SECOND, f"{NUMERATOR}/(1 - {RATIO}) <= 1/sigma2"),
                )
            ),
        ),
        mutants=(
            Mutant("no-condition", "without (3.2)", conditions=(), candidates=(point("alpha=3 tau=1/10 sigma2=7/10"),)),
            mutant(
                "constant",
                "1/12 in place of 1",
                f"{TAIL} <= {SECOND}/(12*sigma2)",
                "alpha=3 tau=269/100000 sigma2=7/10",
            ),
        ),
    ),
    step(
        "s10",
        "r = tau alpha exp((alpha - 1)/(2 sigma^2)) < 1 under (3.2) if tau < 1: even r <= 1/(1 + sigma^2), and (3.2) "
        "alone implies tau < 1",
        f"{RATIO} < 1",
        (REAL_ORDER, TAU, VARIANCE),
        (ORDER_CONDITION,),
        place="the paragraph after (3.2)",
        printed=r"\tau \alpha \exp((\alpha - 1)/(2\sigma^2)) < 1",
        argument=(
            Have(f"{NUMERATOR} <= 1/(1 + sigma2)", (ByTheorem(f"{LEM}/s9-numerator"),)),
            Bound(
                left=NUMERATOR,
                argument=(Logarithm(), Combine(terms=(("(alpha - 1)/sigma2", "0 <= 1"),))),
            ),
            Bound(left="1/(1 + sigma2)", argument=(Combine(terms=(("1", f"{NUMERATOR} <= 1/(1 + sigma2)"),)),)),
            Boxes(),
        ),
        mutants=(
            Mutant(
                "no-condition",
                "tau < 1 alone",
                conditions=("tau < 1",),
                candidates=(point("alpha=3 tau=1/2 sigma2=1"),),
                own_sentence=True,
            ),
        ),
    ),
)
