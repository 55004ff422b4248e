"""Theorem 5.8: its first display, from Theorem 5.1 and Lemma 5.4 with t for t + 1. Step s3, with constants.

All terms of Theorem 5.1 are represented. g is log(6T/gamma); what the O~ hides is a multiple of c_1 c_DP^2 g^2.
"""

from dpaudit.claims.writing import *

from .notation import summed_errors
from .symbols import *

NORMS, GAP = sequence("N", "[0, oo)", "|grad F| at the t-th point"), real("gap", meaning="F(y_T) - F(x*)")
LOGARITHM, C_1, SMOOTH = real("g", "[1, oo)", "log(6T/gamma)"), real("c_1", "[1, oo)"), positive("M")
ELL, BATCH_ANY = real("ell", "[1, oo)", "log(T/gamma)"), real("B", "[1, oo)", "batch size")
ANY = (TIME, LIPSCHITZ, RADIUS, C_DP, C_1, SMOOTH, ELL, LOGARITHM, BETA_ANY, NOISE_ANY, BATCH_ANY)
ERRORS = summed_errors("(2*c_DP*L)")
THREE = "(sqrt(L*R/sqrt(B*t)) + sqrt(beta*b*R/t) + sqrt(beta)*R/t)"
INNER = f"t**2*(L*(sqrt(M)*{THREE} + L/sqrt(B*t))/(sqrt(B*t)*beta) + L*R/(sqrt(B)*t**(3/2)) + beta*b*R/t**2)"
FIRST = f"1/T**2*sum(t, 1, T, {INNER}) + beta/T**2*R**2"
HIDDEN = "c_1*c_DP**2*g**2"
LEMMA = "c_1*sqrt(M)*(sqrt(c_DP*L*R*ell/sqrt(B*t)) + sqrt(beta*b*R/t) + 2*sqrt(beta)*R/t)"
ROOTED = "sqrt(3*g) <= 2*g"
SIMPLER = f"N[t] <= 2*c_1*c_DP*g*sqrt(M)*{THREE}"
VARIANCE = "t**(3/2)/(sqrt(B)*beta)"
PARTS = (
    (
        f"2*c_DP*L*(t + 1)*sqrt(t)*sqrt(3*g)*N[t]/(sqrt(B)*beta) <= 16*c_1*c_DP**2*g**2*L*sqrt(M)*{THREE}*{VARIANCE}",
        (
            Combine(
                (
                    ("2*c_DP*L*(t + 1)*sqrt(t)/(sqrt(B)*beta)*N[t]", ROOTED),
                    ("4*c_DP*g*L*(t + 1)*sqrt(t)/(sqrt(B)*beta)", SIMPLER),
                    (f"8*c_1*c_DP**2*g**2*L*sqrt(M)*{THREE}*sqrt(t)/(sqrt(B)*beta)", "1 <= t"),
                )
            ),
        ),
    ),
    (
        "12*c_DP**2*L**2*g*(t + 1)/(B*beta) <= 24*c_DP**2*g*L**2*t/(B*beta)",
        (Combine((("12*c_DP**2*L**2*g/(B*beta)", "1 <= t"),)),),
    ),
    (
        "3*c_DP*L*b*(t + 1)*sqrt(3*g)/(sqrt(B)*sqrt(t)) <= 12*c_DP*g*L*R*sqrt(t)/sqrt(B)",
        (
            Combine(
                (
                    ("3*c_DP*L*b*(t + 1)/(sqrt(B)*sqrt(t))", ROOTED),
                    ("6*c_DP*g*L*b/(sqrt(B)*sqrt(t))", "1 <= t"),
                    ("12*c_DP*g*L*sqrt(t)/sqrt(B)", "b <= R"),
                )
            ),
        ),
    ),
    (
        "2*c_DP*L*R*sqrt(t)*sqrt(3*g)/sqrt(B) <= 4*c_DP*g*L*R*sqrt(t)/sqrt(B)",
        (Combine((("2*c_DP*L*R*sqrt(t)/sqrt(B)", ROOTED),)),),
    ),
    (
        "(t + 1)/(2*t)*beta*b**2 <= beta*b*R",
        (Combine((("beta*b**2/(2*t)", "1 <= t"), ("beta*b", "b <= R"))),),
    ),
)
PER_STEP = (
    AtIndex("t"),
    Have(
        "sqrt(c_DP*ell) <= c_DP*g",
        (Power("2"), Combine((("c_DP*ell", "1 <= c_DP"), ("c_DP**2", "ell <= g"), ("c_DP**2*g", "1 <= g")))),
    ),
    Have(
        SIMPLER,
        (
            Combine(
                (
                    ("1", f"N[t] <= {LEMMA}"),
                    ("c_1*sqrt(M)*sqrt(L*R/sqrt(B*t))", "sqrt(c_DP*ell) <= c_DP*g"),
                    ("c_1*sqrt(M)*(2*sqrt(beta*b*R/t) + 2*sqrt(beta)*R/t)", "1 <= c_DP*g"),
                    ("c_1*sqrt(M)*c_DP*g*sqrt(L*R/sqrt(B*t)) + c_1*sqrt(M)*sqrt(beta*b*R/t)", "0 <= 1"),
                )
            ),
        ),
    ),
    *(Have(text, argument) for text, argument in PARTS),
    Combine(
        (
            *(("1", text) for text, _ in PARTS),
            ("24*c_DP**2*g*L**2*t/(B*beta)", "1 <= c_1*g"),
            ("16*c_DP*g*L*R*sqrt(t)/sqrt(B)", "1 <= c_1*c_DP*g"),
            ("4*beta*b*R", "1 <= c_1*c_DP**2*g**2"),
            (f"8*{HIDDEN}*L*sqrt(M)*{THREE}*{VARIANCE}", "0 <= 1"),
            (f"8*{HIDDEN}*L*R*sqrt(t)/sqrt(B) + 20*{HIDDEN}*beta*b*R", "0 <= 1"),
        )
    ),
)
SQUARES = "sum(t, 1, T, t**2*(L*(L/sqrt(B*t))/(sqrt(B*t)*beta)))"
LINE = "T=1 L=1 R=1 c_DP=1 c_1=1 M=1 ell=1 g=1 beta=1 b=1 B=1 N=[0,4]"
ASSUMED = (f"all(t, 1, T, N[t] <= {LEMMA})", "b <= R", "ell <= g")
FACTS = (
    Have("1 <= c_1*g", (Combine((("g", "1 <= c_1"), ("1", "1 <= g"))),)),
    Have("1 <= c_DP*g", (Combine((("g", "1 <= c_DP"), ("1", "1 <= g"))),)),
    Have("1 <= c_1*c_DP*g", (Combine((("c_1*g", "1 <= c_DP"), ("1", "1 <= c_1*g"))),)),
    Have("1 <= c_1*c_DP**2*g**2", (Combine((("c_1*c_DP*g", "1 <= c_DP*g"), ("1", "1 <= c_1*c_DP*g"))),)),
)

DISPLAY_STEPS = (
    step(
        "s3-sum",
        "the errors of Theorem 5.1 summed up, with the bound of Lemma 5.4 on the gradients and b_max <= R",
        f"{ERRORS} <= 24*{HIDDEN}*sum(t, 1, T, {INNER})",
        (*ANY, NORMS),
        ("ell <= g",),
        given={"srgd/LEM-5.4": ASSUMED[0], "srgd/LEM-5.4/s1": "", "srgd/LEM-5.4/s2~repaired": "b <= R"},
        reads=Reads.OURS,
        expects=Outcome.CONSISTENT,
        argument=(
            Have(ROOTED, (Power("2"), Combine((("4*g", "1 <= g"), ("g", "0 <= 1"))))),
            *FACTS,
            Rewrite(right=f"sum(t, 1, T, 24*{HIDDEN}*{INNER})"),
            Termwise(PER_STEP),
        ),
        candidates=(point(LINE),),
        mutants=(mutant("one", "1 in place of 24", f"{ERRORS} <= 1*{HIDDEN}*sum(t, 1, T, {INNER})", LINE),),
    ),
    step(
        "s3-display",
        "first display of the proof. Encoded: the bound of Theorem 5.1 with Q = 2 c_DP L and Lemma 5.4 is at most "
        "C c_1 c_DP^2 g^2 times it; the two terms that it leaves out are in the others, by b_max <= R",
        f"gap <= C*{HIDDEN}*({FIRST})",
        (constant("C"), *ANY, NORMS, GAP),
        ("ell <= g",),
        given={
            "srgd/THM-5.1": f"gap <= 2/((T + 1)*(T + 2))*({ERRORS} + beta*R**2)",
            "srgd/LEM-5.4": ASSUMED[0],
            "srgd/LEM-5.4/s1": "",
            "srgd/LEM-5.4/s2~repaired": "b <= R",
        },
        expects=Outcome.CONSISTENT,
        reads=Reads.PRINTED,
        kind=ClaimKind.CONVERGENCE,
        place="proof of Theorem 5.8, first display",
        printed=r"\widetilde O_{n,1/\delta}\left(\frac1{T^2}\sum_{t=1}^Tt^2\left(\frac{L\left(\sqrt M\left("
        r"\sqrt{\frac{LR}{\sqrt{Bt}}}+\sqrt{\frac{\beta b_{max}R}t}+\frac{\sqrt\beta R}t\right)+\frac L{\sqrt{Bt}}"
        r"\right)}{\sqrt{Bt}\beta}+\frac{LR}{\sqrt Bt^{3/2}}+\frac{\beta b_{max}R}{t^2}\right)+\frac\beta{T^2}R^2"
        r"\right)",
        argument=(
            Choose(where("C=48")),
            *FACTS,
            Have("2/((T + 1)*(T + 2)) <= 2/T**2", (Positive(),)),
            Have(f"{ERRORS} <= 24*{HIDDEN}*sum(t, 1, T, {INNER})", (ByTheorem(f"{THM}/s3-sum"),)),
            Combine(
                (
                    ("1", f"gap <= 2/((T + 1)*(T + 2))*({ERRORS} + beta*R**2)"),
                    ("2/((T + 1)*(T + 2))", f"{ERRORS} <= 24*{HIDDEN}*sum(t, 1, T, {INNER})"),
                    (f"24*{HIDDEN}*sum(t, 1, T, {INNER}) + beta*R**2", "2/((T + 1)*(T + 2)) <= 2/T**2"),
                    ("2*beta*R**2/T**2", "1 <= c_1*c_DP**2*g**2"),
                    (f"46*{HIDDEN}*beta*R**2/T**2", "0 <= 1"),
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
                candidates=(point(f"{LINE} gap=3"),),
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s4-square",
        "`we reuse the bound' of (21) and (22) for the first group: its last summand, L/sqrt(B t), is not in them. It "
        "adds (1/T^2) sum_t L^2 t/(B beta), at most L R/sqrt(n) by beta >= L/R and B >= sqrt(n)",
        f"1/T**2*{SQUARES} <= L*R/sqrt(n)",
        (TIME, RECORDS, LIPSCHITZ, RADIUS, BETA_ANY, B_ANY),
        ("L <= beta*R",),
        enough=("sqrt(n) <= B",),
        place="proof of Theorem 5.8, second display",
        reads=Reads.GAP,
        argument=(
            Have("L/beta <= R", (Scale("beta"), Combine((("1", "L <= beta*R"),)))),
            Have("1/B <= 1/sqrt(n)", (Scale("B*sqrt(n)"), Combine((("1", "sqrt(n) <= B"),)))),
            Have(
                f"{SQUARES} <= sum(t, 1, T, L**2*T/(B*beta))",
                (Termwise((Combine((("L**2/(B*beta)", "t <= T"),)),)),),
            ),
            Combine(
                (
                    ("1/T**2", f"{SQUARES} <= sum(t, 1, T, L**2*T/(B*beta))"),
                    ("L/B", "L/beta <= R"),
                    ("L*R", "1/B <= 1/sqrt(n)"),
                )
            ),
        ),
        candidates=(point("T=1 n=1 L=1 R=1 beta=1 B=1"),),
        mutants=(mutant("half", "half of it", f"1/T**2*{SQUARES} <= 1/2*L*R/sqrt(n)", "T=1 n=1 L=1 R=1 beta=1 B=1"),),
    ),
)
