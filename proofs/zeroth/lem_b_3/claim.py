r"""Lemma B.3: how much of a fixed vector K independent directions keep at least.

True, but not by its printed proof: there a factor 2 is lost (s6-number), and a square root in the choice of tau (s6),
without which the bound of s5 is not delta. What saves the lemma is its factor 20: B is at least 1/(20 (d + 1 + sqrt(d -
2))) with probability 4/5 (`usual`), and Chernoff's bound for the number of these does the rest. The constant 0.15 could
be 0.7 (`sharper`).
"""

from dpaudit.claims.writing import *

from .steps_law import LAW
from .steps_tail import TAIL
from .symbols import *

RARE = f"1 - beta_tail(1/2, (d - 1)/2, {LEVEL})"
NEAR = "sqrt((d - 1)/(20*(d + 1 + sqrt(d - 2)) - 1))"
CHERNOFF = "fails <= (exp(3/20 - L/K)*(1 - p + p*exp(-1)))**K"


def by_powers(constant):
    """The K-th root of the Chernoff bound is at most exp(-L/K)."""
    inner = f"exp({constant} - L/K)*(1 - p + p*exp(-1))"
    fact = f"exp({constant})*(1 - p + p*exp(-1)) <= 1"
    return (
        Have("exp(-1) <= 1", (Boxes(),)),
        Have(f"exp({constant})*(1/5 + 4/5*exp(-1)) <= 1", (Boxes(),)),
        Have(
            fact,
            (
                Combine(
                    (
                        (f"exp({constant})*(p - 4/5)", "exp(-1) <= 1"),
                        ("1", f"exp({constant})*(1/5 + 4/5*exp(-1)) <= 1"),
                    )
                ),
            ),
        ),
        Have(
            f"({inner})**K <= exp(-L)",
            (
                Power("1/K"),
                Rewrite(left=f"exp({constant})*(1 - p + p*exp(-1))*exp(-L/K)", right="exp(-L/K)"),
                Combine((("exp(-L/K)", fact),)),
            ),
        ),
        Combine((("1", f"({inner})**K <= exp(-L)"), ("1", f"fails <= ({inner})**K"))),
    )


CLAIM = Claim(
    id=HERE,
    title="the printed lower bound on the sum of K squared inner products holds",
    words=(
        "P{B_1 + ... + B_K >= (0.15 - log(1/delta)/K)_+ K/(20 (d + 1 + sqrt(d - 2)))} >= 1 - delta. Encoded with L = "
        "log(1/delta) <= 0.15 K; where L is larger the right side is 0, and the sum is not negative. If the sum is "
        "smaller, less than (0.15 - L/K) K of the B_k are at least 1/(20 (d + 1 + sqrt(d - 2))), each with probability "
        "p >= 4/5 (`usual`); Chernoff's bound for that, at s = 1/e."
    ),
    place="Lemma B.3",
    printed=r"\mathbb{P}\left\{\sum_{k=1}^{K}B_{k}\geq\left(0.15-\frac{\log(1/\delta)}{K}\right)_{+}\cdot\frac{K}"
    r"{20\left(d+1+\sqrt{d-2}\right)}\right\}\geq 1-\delta",
    kind=ClaimKind.TAIL,
    statement=Statement("fails <= exp(-L)", (K, L, P, FAILS), ("L <= 3/20*K", CHERNOFF, USUAL)),
    origins=(Condition(USUAL, Origin.GIVEN, f"{HERE}/usual"),),
    rests_on=("binomial-chernoff",),
    argument=by_powers("3/20"),
    candidates=(point("K=10 L=1 p=4/5 fails=0"),),
    mutants=(
        Mutant(
            "rate",
            "exp(-20 L)",
            "fails <= exp(-20*L)",
            candidates=(point("K=10 L=1 p=4/5 fails=1/10000"),),
        ),
    ),
    steps=(
        *LAW,
        *TAIL,
        step(
            "usual",
            "B is less than 1/(20 (d + 1 + sqrt(d - 2))) with probability 1/5 at most: |Z_1| is less than the root of "
            "c W_2 with probability at most sqrt(2/pi) times that root (`density`), whose mean is at most sqrt(c (d - "
            "1)), by Jensen",
            f"{RARE} <= 1/5",
            (D,),
            kind=ClaimKind.TAIL,
            rests_on=("haar-beta", "jensen", "monotone-mean", "chi-moments", f"{HERE}/density"),
            argument=(
                Have(
                    f"{RARE} <= sqrt(2/pi)*{NEAR}",
                    (ByTheorem("jensen", because="c = level/(1 - level), and E W_2 = d - 1"),),
                ),
                Have(
                    f"{NEAR} <= sqrt(1/20)",
                    (
                        Power("2"),
                        Rewrite(right="1/20"),
                        Scale("20*(d + 1 + sqrt(d - 2)) - 1"),
                        Combine((("1", "0 <= sqrt(d - 2)"), ("39/20", "0 <= 1"))),
                    ),
                ),
                Have("sqrt(2/pi)*sqrt(1/20) <= 1/5", (Boxes(),)),
                Combine(
                    (
                        (
                            "1",
                            f"{RARE} <= sqrt(2/pi)*{NEAR}",
                        ),
                        ("sqrt(2/pi)", f"{NEAR} <= sqrt(1/20)"),
                        ("1", "sqrt(2/pi)*sqrt(1/20) <= 1/5"),
                    )
                ),
            ),
            mutants=(mutant("tenth", "1/10", f"{RARE} <= 1/10", "d=1000"),),
        ),
        step(
            "density",
            "P(|Z_1| < x) <= sqrt(2/pi) x",
            "2*Phi(x) - 1 <= sqrt(2/pi)*x",
            (real("x", "[0, oo)"),),
            argument=(Taylor("x", "0", 1, "above", (Have("exp(-x**2/2) <= 1"),)),),
            mutants=(mutant("half", "half of it", "2*Phi(x) - 1 <= 1/2*sqrt(2/pi)*x", "x=1/10"),),
        ),
        step(
            "sharper",
            "the lemma with 0.7 in the place of 0.15",
            "fails <= exp(-L)",
            (K, L, P, FAILS),
            ("L <= 7/10*K", CHERNOFF.replace("3/20", "7/10")),
            given={f"{HERE}/usual": USUAL},
            kind=ClaimKind.TAIL,
            rests_on=("binomial-chernoff",),
            argument=by_powers("7/10"),
            candidates=(point("K=10 L=1 p=4/5 fails=0"),),
            mutants=(mutant("rate", "exp(-20 L)", "fails <= exp(-20*L)", "K=10 L=1 p=4/5 fails=1/10000"),),
        ),
    ),
)
