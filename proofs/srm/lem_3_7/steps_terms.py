"""The terms of (3.1): the second one, and what the others are compared with. Steps s1 to s6."""

from dpaudit.claims.writing import *

from .symbols import *

LOWER_TERM = "exp((j - 1)*j/(2*sigma2))"
UPPER_TERM = "exp((alpha - 1)*j/(2*sigma2))"
BY_THEOREM_9 = (
    "rho_prime <= log(1 + tau**2*binomial(alpha, 2)*min(4*(exp(2/(2*sigma2)) - 1), 2*exp(2/(2*sigma2)))"
    " + sum(j, 3, alpha, tau**j*binomial(alpha, j)*2*exp((j - 1)*(j/(2*sigma2)))))/(alpha - 1)"
)
"""Theorem 9 of Wang et al. for the curve rho(j) = j/(2 sigma^2) of the Gaussian mechanism."""


def minimum_below(constant):
    """The two branches of the minimum, on either side of x = 1/sigma^2 = 7/10, against constant * x."""
    return (
        Substitute((real("x", "(0, 10/7]", "1/sigma^2"),), where("sigma2=1/x"), where("x=1/sigma2")),
        Cases(
            (
                (
                    "x <= 7/10",
                    (
                        Bound(
                            left="4*(exp(x) - 1)",
                            argument=(Combine(terms=(("1", "min(4*(exp(x) - 1), 2*exp(x)) <= 4*(exp(x) - 1)"),)),),
                        ),
                        Rewrite(left="4*x*exprel(x)"),
                        Scale("1/x"),
                        Rewrite(left="4*exprel(x)", right=constant),
                        Boxes(),
                    ),
                ),
                (
                    "otherwise",
                    (
                        Bound(
                            left="2*exp(x)",
                            argument=(Combine(terms=(("1", "min(4*(exp(x) - 1), 2*exp(x)) <= 2*exp(x)"),)),),
                        ),
                        Boxes(),
                    ),
                ),
            )
        ),
    )


TERM_STEPS = (
    step(
        "s1",
        "(3.1): rho'(alpha) is at most the bound of Theorem 9 of Wang et al. 2019 with rho(j) = j/(2 sigma^2). The "
        "theorem, for integer orders, is taken from there; here its rho(2) is 1/sigma^2, and (j - 1) rho(j) is (j - "
        "1) j/(2 sigma^2)",
        BY_31,
        (RHO_PRIME, *SYMBOLS),
        (BY_THEOREM_9,),
        kind=ClaimKind.DIVERGENCE,
        rests_on=("subsampled-renyi",),
        place="(3.1)",
        printed=r"\rho'(\alpha) \le \frac1{\alpha-1}\log\Bigl(1 + \tau^2\binom\alpha2\min\{4(e^{\rho(2)}-1), "
        r"2e^{\rho(2)}\} + \sum_{j=3}^{\alpha}\tau^j\binom\alpha j 2e^{(j-1)\rho(j)}\Bigr)",
        argument=(Combine(terms=(("1", BY_THEOREM_9),)),),
        mutants=(
            mutant(
                "minimum",
                "e^rho(2) in place of 2 e^rho(2)",
                BY_31.replace("2*exp(1/", "exp(1/"),
                "rho_prime=1/20 alpha=2 tau=1/10 sigma2=7/10",
            ),
        ),
    ),
    step(
        "s2",
        "for sigma^2 >= 0.7 the minimum is at most 6/sigma^2",
        f"{MINIMUM} <= 6/sigma2",
        (VARIANCE,),
        place="first display after (3.1)",
        printed=r"\min\{4(e^{\rho(2)}-1), 2e^{\rho(2)}\} \le 6/\sigma^2",
        argument=minimum_below("6"),
        tightness=(
            Tightness(
                "second-term",
                printed="6",
                form=f"{MINIMUM} <= {{c}}/sigma2",
                proved="117/20",
                refuted="146/25",
                argument=minimum_below("117/20"),
                candidates=(point("sigma2=7/10"),),
            ),
        ),
        mutants=(
            Mutant(
                "variance",
                "sigma^2 >= 0.65",
                symbols=(real("sigma2", "[13/20, oo)"),),
                candidates=(point("sigma2=13/20"),),
            ),
        ),
    ),
    step(
        "s3",
        "so the second term is at most tau^2 C(alpha, 2) 6/sigma^2",
        f"tau**2*binomial(alpha, 2)*{MINIMUM} <= tau**2*binomial(alpha, 2)*6/sigma2",
        SYMBOLS,
        given={f"{LEM}/s2": f"{MINIMUM} <= 6/sigma2"},
        place="second display after (3.1)",
        printed=r"\tau^2\binom\alpha2\min\{4(e^{\rho(2)}-1), 2e^{\rho(2)}\} \le \tau^2\binom\alpha2 6/\sigma^2",
        argument=(Combine(terms=(("tau**2*binomial(alpha, 2)", f"{MINIMUM} <= 6/sigma2"),)),),
        mutants=(
            mutant(
                "constant",
                "5 in place of 6",
                f"tau**2*binomial(alpha, 2)*{MINIMUM} <= tau**2*binomial(alpha, 2)*5/sigma2",
                "alpha=2 tau=1/10 sigma2=7/10",
            ),
        ),
    ),
    step(
        "s4",
        "e^((j - 1) rho(j)) <= e^((alpha - 1) j/(2 sigma^2)) for j <= alpha",
        f"{LOWER_TERM} <= {UPPER_TERM}",
        (ORDER, INDEX, VARIANCE),
        ("j <= alpha",),
        place="the reason of the first inequality, first half",
        printed=r"e^{(j-1)\rho(j)} = e^{(j-1)j/(2\sigma^2)} \le e^{(\alpha-1)j/(2\sigma^2)}",
        argument=(Logarithm(), Combine(terms=(("j/(2*sigma2)", "j <= alpha"),))),
        mutants=(
            mutant("shift", "alpha - 2", f"{LOWER_TERM} <= exp((alpha - 2)*j/(2*sigma2))", "alpha=3 j=3 sigma2=1"),
            Mutant(
                "beyond", "j <= alpha + 1", conditions=("j <= alpha + 1",), candidates=(point("alpha=3 j=4 sigma2=1"),)
            ),
        ),
    ),
    step(
        "s5",
        "C(alpha, j) = alpha!/(j! (alpha - j)!) <= alpha^2 alpha^(j - 2)/3! for 3 <= j <= alpha",
        "binomial(alpha, j) <= alpha**2*alpha**(j - 2)/factorial(3)",
        (ORDER, INDEX),
        ("j <= alpha",),
        place="the reason of the first inequality, second half",
        printed=r"\binom\alpha j = \frac{\alpha!}{j!(\alpha-j)!} \le \frac{\alpha^2\alpha^{j-2}}{3!}",
        argument=(
            Induct(
                "j",
                base=(Positive(),),
                step=(
                    Combine(
                        terms=(
                            ("alpha", "binomial(alpha, j) <= alpha**2*alpha**(j - 2)/factorial(3)"),
                            ("j*(alpha + 1)/(j + 1)", "0 <= binomial(alpha, j)"),
                        ),
                        because="C(alpha, j + 1) = C(alpha, j) (alpha - j)/(j + 1)",
                    ),
                ),
            ),
        ),
        mutants=(
            mutant(
                "factorial",
                "4! in place of 3!",
                "binomial(alpha, j) <= alpha**2*alpha**(j - 2)/factorial(4)",
                "alpha=30 j=3",
            ),
        ),
    ),
    step(
        "s6",
        "so 2 C(alpha, j) <= C(alpha, 2) alpha^(j - 2): this is how s5 is used, alpha^2/3 <= alpha (alpha - 1)/2 for "
        "alpha >= 3",
        "2*binomial(alpha, j) <= binomial(alpha, 2)*alpha**(j - 2)",
        (ORDER, INDEX),
        ("j <= alpha",),
        given={f"{LEM}/s5": "binomial(alpha, j) <= alpha**2*alpha**(j - 2)/factorial(3)"},
        reads=Reads.GAP,
        place="the first inequality for the summation term",
        argument=(
            Bound(
                left="2*(alpha**2*alpha**(j - 2)/6)",
                argument=(Combine(terms=(("2", "binomial(alpha, j) <= alpha**2*alpha**(j - 2)/factorial(3)"),)),),
            ),
            Have("3 <= alpha", (Solve(),)),
            Combine(terms=(("alpha*alpha**(j - 2)/6", "3 <= alpha"),)),
        ),
        mutants=(
            mutant(
                "half",
                "half of the right side",
                "2*binomial(alpha, j) <= binomial(alpha, 2)*alpha**(j - 2)/2",
                "alpha=100 j=3",
            ),
        ),
    ),
)
