"""Theorem 5.12: the first two lines of the long display, from Theorem 5.1 with t for t + 1. Steps s2 and s3.

k is Q/L, which Corollary 5.10 makes a constant, and g is log(6T/gamma): what the O~ hides is a multiple of k^2 g.
"""

from dpaudit.claims.writing import *

from .notation import summed_errors
from .symbols import *

STEP, NORMS = integer("T", "[1, oo)", "steps"), sequence("N", "[0, oo)", "|grad F| at the t-th point")
GAP, SHARE = real("gap", meaning="F(y_T) - F(x*)"), real("k", "[1, oo)", "Q/L")
LOGARITHM, BETA_ANY = real("g", "[1, oo)", "log(6T/gamma)"), positive("beta")
NOISE_ANY, B_ANY = real("b", "[0, oo)", "b_max"), real("B", "[1, oo)", "batch size")
ANY = (STEP, LIPSCHITZ, RADIUS, SHARE, LOGARITHM, BETA_ANY, NOISE_ANY, B_ANY)
ERRORS = summed_errors("k*L")
INNER = (
    "t**2*(L**2/(sqrt(B*t)*beta) + L*b/(sqrt(B)*t**(3/2)) + L*R/(sqrt(B)*t**(3/2)) + beta*b*R/t**2 + beta*b**2/t**2)"
)
FIRST = f"1/T**2*sum(t, 1, T, {INNER}) + beta*R**2/T**2"
LARGEST = "L**2*T**(3/2)/(sqrt(B)*beta) + L*b*sqrt(T)/sqrt(B) + L*R*sqrt(T)/sqrt(B) + beta*b*R + beta*b**2"
HIDDEN = "k**2*g"
ROOTED = "sqrt(3*g) <= 2*g"
VARIANCE = "t**(3/2)/(sqrt(B)*beta)"
PARTS = (
    (
        "k*L*(t + 1)*sqrt(t)*sqrt(3*g)*N[t]/(sqrt(B)*beta) <= 4*k*g*L**2*t**(3/2)/(sqrt(B)*beta)",
        (
            Combine(
                (
                    ("k*L*(t + 1)*sqrt(t)/(sqrt(B)*beta)*N[t]", ROOTED),
                    ("2*k*g*L*(t + 1)*sqrt(t)/(sqrt(B)*beta)", "N[t] <= L"),
                    ("2*k*g*L**2*sqrt(t)/(sqrt(B)*beta)", "1 <= t"),
                )
            ),
        ),
    ),
    (
        "3*k**2*L**2*g*(t + 1)/(B*beta) <= 6*k**2*g*L**2*t**(3/2)/(sqrt(B)*beta)",
        (
            Combine(
                (
                    ("6*k**2*L**2*g*t/(B*beta)", "1 <= sqrt(B)*sqrt(t)"),
                    ("3*k**2*L**2*g/(B*beta)", "1 <= t"),
                )
            ),
        ),
    ),
    (
        "3/2*k*L*b*(t + 1)*sqrt(3*g)/(sqrt(B)*sqrt(t)) <= 6*k*g*L*b*sqrt(t)/sqrt(B)",
        (
            Combine(
                (
                    ("3/2*k*L*b*(t + 1)/(sqrt(B)*sqrt(t))", ROOTED),
                    ("3*k*g*L*b/(sqrt(B)*sqrt(t))", "1 <= t"),
                )
            ),
        ),
    ),
    ("k*L*R*sqrt(t)*sqrt(3*g)/sqrt(B) <= 2*k*g*L*R*sqrt(t)/sqrt(B)", (Combine((("k*L*R*sqrt(t)/sqrt(B)", ROOTED),)),)),
    ("(t + 1)/(2*t)*beta*b**2 <= beta*b**2", (Combine((("beta*b**2/(2*t)", "1 <= t"),)),)),
)
PER_STEP = (
    AtIndex("t"),
    Have("1 <= sqrt(B)*sqrt(t)", (Power("2"), Combine((("B", "1 <= t"), ("1", "1 <= B"))))),
    *(Have(text, argument) for text, argument in PARTS),
    Combine(
        (
            *(("1", text) for text, _ in PARTS),
            (f"4*k*g*L**2*{VARIANCE} + (6*k*g*L*b + 2*k*g*L*R)*sqrt(t)/sqrt(B)", "1 <= k"),
            ("3*beta*b*R + beta*b**2", "1 <= k**2*g"),
            (f"2*k**2*g*L**2*{VARIANCE} + (6*k**2*g*L*b + 10*k**2*g*L*R)*sqrt(t)/sqrt(B)", "0 <= 1"),
            ("9*k**2*g*beta*b*R + 11*k**2*g*beta*b**2", "0 <= 1"),
        )
    ),
)
LINE = "T=1 L=1 R=1 k=1 g=1 beta=1 b=1 B=1 N=[0,1]"

DISPLAY_STEPS = (
    step(
        "s2-sum",
        "the errors of Theorem 5.1 summed up, with |grad F(x_t)| <= L",
        f"{ERRORS} <= 12*{HIDDEN}*sum(t, 1, T, {INNER})",
        (*ANY, NORMS),
        ("all(t, 1, T, N[t] <= L)",),
        reads=Reads.OURS,
        argument=(
            Have(ROOTED, (Power("2"), Combine((("4*g", "1 <= g"), ("g", "0 <= 1"))))),
            Have("1 <= k**2", (Power("1/2"), Combine((("1", "1 <= k"),)))),
            Have("1 <= k**2*g", (Combine((("g", "1 <= k**2"), ("1", "1 <= g"))),)),
            Rewrite(right=f"sum(t, 1, T, 12*{HIDDEN}*{INNER})"),
            Termwise(PER_STEP),
        ),
        candidates=(point(LINE),),
        mutants=(mutant("one", "1 in place of 12", f"{ERRORS} <= 1*{HIDDEN}*sum(t, 1, T, {INNER})", LINE),),
    ),
    step(
        "s2",
        "long display of the proof, first line. Encoded: the bound of Theorem 5.1 with Q = k L and noise of at most "
        "b_max is at most C k^2 g times it",
        f"gap <= C*{HIDDEN}*({FIRST})",
        (constant("C"), *ANY, NORMS, GAP),
        ("all(t, 1, T, N[t] <= L)",),
        given={"srgd/THM-5.1": f"gap <= 2/((T + 1)*(T + 2))*({ERRORS} + beta*R**2)"},
        expects=Outcome.CONSISTENT,
        kind=ClaimKind.CONVERGENCE,
        printed=r"\widetilde O_{n,1/\delta}\left(\frac1{T^2}\sum_{t=1}^Tt^2\left(\frac{L^2}{\sqrt{Bt}\beta}"
        r"+\frac{Lb_{max}}{\sqrt Bt^{1.5}}+\frac{LR}{\sqrt Bt^{1.5}}+\frac{\beta b_{max}R}{t^2}"
        r"+\frac{\beta b_{max}^2}{t^2}\right)+\frac{\beta R^2}{T^2}\right)",
        place="proof of Theorem 5.12, second display, first line",
        argument=(
            Choose(where("C=24")),
            Have("1 <= k**2", (Power("1/2"), Combine((("1", "1 <= k"),)))),
            Have("1 <= k**2*g", (Combine((("g", "1 <= k**2"), ("1", "1 <= g"))),)),
            Have("2/((T + 1)*(T + 2)) <= 2/T**2", (Positive(),)),
            Have(f"{ERRORS} <= 12*{HIDDEN}*sum(t, 1, T, {INNER})", (ByTheorem(f"{THM}/s2-sum"),)),
            Combine(
                (
                    ("1", f"gap <= 2/((T + 1)*(T + 2))*({ERRORS} + beta*R**2)"),
                    ("2/((T + 1)*(T + 2))", f"{ERRORS} <= 12*{HIDDEN}*sum(t, 1, T, {INNER})"),
                    (f"12*{HIDDEN}*sum(t, 1, T, {INNER}) + beta*R**2", "2/((T + 1)*(T + 2)) <= 2/T**2"),
                    ("2*beta*R**2/T**2", "1 <= k**2*g"),
                    (f"22*{HIDDEN}*beta*R**2/T**2", "0 <= 1"),
                )
            ),
        ),
        candidates=(point(f"{LINE} gap=1"),),
        mutants=(
            Mutant(
                "tenth",
                "1/10 in place of C",
                f"gap <= 1/10*{HIDDEN}*({FIRST})",
                symbols=(*ANY, NORMS, GAP),
                candidates=(point(f"{LINE} gap=1"),),
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s3",
        "long display of the proof, first line to second line: 1/T^2 times the sum is at most the second line, term by "
        "term",
        f"{FIRST} <= {TERMS}",
        (STEP, LIPSCHITZ, RADIUS, BETA_ANY, NOISE_ANY, B_ANY),
        place="proof of Theorem 5.12, second display, second line",
        printed=r"\frac{L^2\sqrt T}{\sqrt B\beta}+\frac{Lb_{max}}{\sqrt{BT}}+\frac{LR}{\sqrt{BT}}"
        r"+\frac{\beta b_{max}R}T+\frac{\beta b_{max}^2}T+\frac{\beta R^2}{T^2}",
        argument=(
            Have(
                f"sum(t, 1, T, {INNER}) <= sum(t, 1, T, {LARGEST})",
                (
                    Termwise(
                        (
                            Have("sqrt(t) <= sqrt(T)", (Power("2"), Combine((("1", "t <= T"),)))),
                            Have("t**(3/2) <= T**(3/2)", (Power("2/3"), Combine((("1", "t <= T"),)))),
                            Combine(
                                (
                                    ("L**2/(sqrt(B)*beta)", "t**(3/2) <= T**(3/2)"),
                                    ("(L*b + L*R)/sqrt(B)", "sqrt(t) <= sqrt(T)"),
                                )
                            ),
                        )
                    ),
                ),
            ),
            Combine((("1/T**2", f"sum(t, 1, T, {INNER}) <= sum(t, 1, T, {LARGEST})"),)),
        ),
        mutants=(mutant("half", "half of it", f"{FIRST} <= 1/2*({TERMS})", "T=1 L=1 R=1 beta=1 b=1 B=1"),),
    ),
)
