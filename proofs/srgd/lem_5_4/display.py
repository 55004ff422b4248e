"""Lemma 5.4: what Theorem 5.1 gives at time t, as a whole. Step s5, with the constant c_2, and the sum of (21).

c_2 = 144 is enough, with eta_{0:t} in the theorem as with eta_{0:t-1}. The weight i^{3/2} of the display is 0 at i = 0,
where the theorem has 2; with |grad F(x_i)| <= L and beta >= c_DP^2 L/R that term is part of the next one.
"""

from dpaudit.claims.writing import *

from .errors import *
from .symbols import *

BELOW = "1/(sqrt(B)*sqrt(t + 1))"


def by_theorem(scale):
    """That the display follows from a bound with the prefactor `scale`, at most 2/(t (t + 1))."""
    facts = (
        f"{scale}*12*c_DP*L**2*sqrt(ell)*t/(sqrt(B)*beta) <= 24*c_DP*L*R*ell*{BELOW}",
        f"{scale}*36*c_DP**2*L**2*ell*t*(t + 1)/(B*beta) <= 72*c_DP*L*R*ell*{BELOW}",
        f"{scale}*24*c_DP*L*R*sqrt(ell)*sqrt(t)*t/sqrt(B) <= 48*c_DP*L*R*ell*{BELOW}",
    )
    lengths = (f"{scale}*t*(t + 1) <= 2",)
    whole = (f"{scale}*30 <= 144/t**2", f"{scale} <= 4/(t + 1)**2", f"{scale}*t <= 2/(t + 1)")
    return (
        Choose(where("c_2=144")),
        Have("sqrt(ell) <= ell", (Power("2"), Combine((("ell", "1 <= ell"),)))),
        Have("sqrt(t) <= sqrt(t + 1)", (Power("2"), Positive())),
        Have("1 <= sqrt(t + 1)", (Power("2"), Positive())),
        Have("sqrt(t + 1) <= sqrt(B)", (Power("2"), Combine((("1", "t + 1 <= B"),)))),
        Have("1/sqrt(B) <= 1/sqrt(t + 1)", (Scale("sqrt(B)*sqrt(t + 1)"), Combine((("1", "sqrt(t + 1) <= sqrt(B)"),)))),
        Have("c_DP**2*L/beta <= R", (Scale("beta"), Combine((("1", "c_DP**2*L <= beta*R"),)))),
        Have("1 <= c_DP**2", (Power("1/2"), Combine((("1", "1 <= c_DP"),)))),
        *(Have(one, (Positive(),)) for one in (*lengths, *whole)),
        Have(f"{ERRORS} <= {SUMMED}", (ByTheorem(f"{LEM}/s5-sum"),)),
        Have(
            facts[0],
            (Combine((("24*c_DP*L*sqrt(ell)/(c_DP**2*sqrt(B)*sqrt(t + 1))", "c_DP**2*L/beta <= R"),)),),
        ),
        Have(
            facts[1],
            (
                Combine(
                    (
                        ("36*c_DP**2*L**2*ell/(B*beta)", lengths[0]),
                        ("72*L*ell/B", "c_DP**2*L/beta <= R"),
                        ("72*L*R*ell/sqrt(B)", "1/sqrt(B) <= 1/sqrt(t + 1)"),
                        (f"72*L*R*ell*{BELOW}", "1 <= c_DP"),
                    )
                ),
            ),
        ),
        Have(
            facts[2],
            (
                Combine(
                    (
                        (f"{scale}*24*c_DP*L*R*sqrt(ell)*t/sqrt(B)", "sqrt(t) <= sqrt(t + 1)"),
                        (f"24*c_DP*L*R*sqrt(ell)*{BELOW}", lengths[0]),
                        (f"48*c_DP*L*R*{BELOW}", "sqrt(ell) <= ell"),
                    )
                ),
            ),
        ),
        Combine(
            (
                ("1", f"gap <= {scale}*({ERRORS} + beta*R**2)"),
                (scale, f"{ERRORS} <= {SUMMED}"),
                *(("1", one) for one in facts),
                (SUM, whole[0]),
                ("beta*R**2", whole[1]),
                ("4*beta*b*R", whole[2]),
                ("136*beta*b*R/(t + 1) + 140*beta*R**2/(t + 1)**2", "0 <= 1"),
            )
        ),
    )


ASSUMED = ("all(i, 0, t - 1, N[i] <= L)", "c_DP**2*L <= beta*R", "g <= log(6) + ell")
LARGE = ("t + 1 <= B",)
START = "t=1 c_DP=1 L=1 R=1 ell=1 beta=1 B=2 b=1 g=5/2 N=[1]"
NEXT = "c_1*sqrt(M)*(sqrt(c_DP*L*R*ell/sqrt(B*(i + 1))) + sqrt(beta*b*R/(i + 1)) + 2*sqrt(beta)*R/(i + 1))"
SECOND = (
    "c_1*c_DP*L*sqrt(M*ell)/(sqrt(B)*beta)*(4/9*t**(1/4)*sqrt(c_DP*L*R*ell/sqrt(B)) + sqrt(beta*b*R)/2"
    " + 4*sqrt(beta)*R/(3*sqrt(t)))"
)
SUMS = {
    "quarter": "sum(i, 0, t - 1, i**(3/2)/(i + 1)**(1/4)) <= 4/9*t**(9/4)",
    "half": "sum(i, 0, t - 1, i**(3/2)/(i + 1)**(1/2)) <= 1/2*t**2",
    "one": "sum(i, 0, t - 1, i**(3/2)/(i + 1)) <= 2/3*t**(3/2)",
}
PUT_IN = (
    "c_1*c_DP*L*sqrt(M*ell)/(sqrt(B)*beta)*i**(3/2)*(sqrt(c_DP*L*R*ell/sqrt(B*(i + 1))) + sqrt(beta*b*R/(i + 1))"
    " + 2*sqrt(beta)*R/(i + 1))"
)

DISPLAY_STEPS = (
    step(
        "s5-sum",
        "the errors of Theorem 5.1 summed up, with Q = 2 c_DP L, |grad F(x_i)| <= L for all i < t and b_max <= R, for "
        "the delta of s2~repaired; g is log(6T/gamma), at most log(6) + log(T/gamma)",
        f"{ERRORS} <= {SUMMED}",
        ANY[:-1],
        (ASSUMED[0], ASSUMED[2]),
        given={f"{LEM}/s1": "", f"{LEM}/s2~repaired": "b <= R"},
        reads=Reads.OURS,
        argument=(
            Have("log(6) <= 2", (Boxes(),)),
            Have("g <= 3*ell", (Combine((("1", ASSUMED[2]), ("1", "log(6) <= 2"), ("2", "1 <= ell"))),)),
            Have(THREE, (Power("2"), Combine((("3", "g <= 3*ell"),)))),
            Bound(right=f"sum(i, 0, t - 1, {SIMPLE})", argument=(Identical(),)),
            Termwise(PER_INDEX),
        ),
        candidates=(point(START),),
        mutants=(mutant("tenth", "a tenth of it", f"{ERRORS} <= 1/10*({SUMMED})", START),),
    ),
    step(
        "s5-display",
        "Theorem 5.1 at time t, with Q = 2 c_DP L, gives the display for some constant c_2, here 144, for T <= B and "
        "b_max <= R. Encoded: c_DP^2 L <= beta R is (19), and log(6T/gamma) = log(6) + log(T/gamma)",
        f"gap <= c_2*({DISPLAY})",
        (constant("c_2"), *ANY),
        ASSUMED,
        given={
            "srgd/THM-5.1": f"gap <= 2/((t + 1)*(t + 2))*({ERRORS} + beta*R**2)",
            f"{LEM}/s1": "",
            f"{LEM}/s2~repaired": "b <= R",
        },
        enough=LARGE,
        candidates=(point(f"{START} gap=1"),),
        argument=by_theorem("2/((t + 1)*(t + 2))"),
        expects=Outcome.CONSISTENT,
        reads=Reads.PRINTED,
        kind=ClaimKind.CONVERGENCE,
        place="proof of Lemma 5.4, second display",
        printed=r"F(\mathbf y_t)-F(\mathbf x^*)\le c_2\left(\frac1{t^2}\sum_{i=0}^{t-1}\frac{c_{DP}Li^{3/2}"
        r"\sqrt{\log(T/\gamma)}\|\nabla F(\mathbf x_i)\|_2}{\sqrt B\beta}+\frac{c_{DP}LR\log(T/\gamma)}"
        r"{\sqrt{B(t+1)}}+\frac{\beta b_{max}R}{t+1}+\frac\beta{(t+1)^2}R^2\right)",
        mutants=(
            Mutant(
                "fifteen",
                "15 in place of c_2",
                f"gap <= 15*({DISPLAY})",
                symbols=ANY,
                candidates=(point(f"{START} gap=19"),),
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s5-halved",
        "the same for what holds with the step of z halved (THM-5.1~repaired with kappa = 2), where eta_{0:t-1} stands "
        "for eta_{0:t}: the display holds for some constant c_2, and 144 does here too; b_max <= R is for the delta of "
        "s2~repaired",
        f"gap <= c_2*({DISPLAY})",
        (constant("c_2"), *ANY),
        ASSUMED,
        given={
            "srgd/THM-5.1~repaired": f"gap <= 2/(t*(t + 1))*({ERRORS} + beta*R**2)",
            f"{LEM}/s1": "",
            f"{LEM}/s2~repaired": "b <= R",
        },
        enough=LARGE,
        candidates=(point(f"{START} gap=1"),),
        reads=Reads.OURS,
        argument=by_theorem("2/(t*(t + 1))"),
        kind=ClaimKind.CONVERGENCE,
        mutants=(
            Mutant(
                "forty",
                "40 in place of c_2",
                f"gap <= 40*({DISPLAY})",
                symbols=ANY,
                candidates=(point(f"{START} gap=57"),),
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s9-first",
        "(21), first line to second line: the sum of s5 with the bound of the lemma put in for |grad F(x_i)|, i < t",
        f"1/t**2*{SUM} <= {SECOND}",
        (STEP, C_DP, *SIZES, ELL, BETA_ANY, B_ANY, B_MAX, positive("c_1"), NORMS),
        (f"all(i, 0, t - 1, N[i] <= {NEXT})",),
        given={f"{LEM}/s9-{name}": text for name, text in SUMS.items()},
        reads=Reads.PRINTED,
        place="Lemma 5.4, (21)",
        argument=(
            Bound(
                left=f"1/t**2*sum(i, 0, t - 1, {PUT_IN})",
                argument=(
                    Scale("t**2"),
                    Rewrite(left=SUM, right=f"sum(i, 0, t - 1, {PUT_IN})"),
                    Termwise(
                        (AtIndex("i"), Combine((("c_DP*L*i**(3/2)*sqrt(ell)/(sqrt(B)*beta)", f"N[i] <= {NEXT}"),)))
                    ),
                ),
            ),
            Combine(
                (
                    ("c_1*c_DP*L*sqrt(M*ell)/(t**2*sqrt(B)*beta)*sqrt(c_DP*L*R*ell/sqrt(B))", SUMS["quarter"]),
                    ("c_1*c_DP*L*sqrt(M*ell)/(t**2*sqrt(B)*beta)*sqrt(beta*b*R)", SUMS["half"]),
                    ("2*c_1*c_DP*L*sqrt(M*ell)/(t**2*sqrt(B)*beta)*sqrt(beta)*R", SUMS["one"]),
                )
            ),
        ),
        mutants=(
            mutant(
                "tenth",
                "a tenth of it",
                f"1/t**2*{SUM} <= 1/10*({SECOND})",
                "t=3 c_DP=1 L=1 R=1 M=1 ell=1 beta=1 B=1 b=0 c_1=1 N=[0,1,1]",
            ),
        ),
    ),
)
