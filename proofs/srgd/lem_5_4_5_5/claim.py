"""Lemmas 5.4 and 5.5 as one induction: constants, and an n from which on it closes.

Each lemma assumes the conclusion of the other one "for all t". In the order Delta_0, grad F(x_1), Delta_1, ... there is
no circle (`order`). With delta = 1/n, gamma = delta/4 and natural logarithms, c_2 = 144 (LEM-5.4/s5-display) and
c_1 = 400000 do, and every n >= e^(10^6 c_M) is large enough. Some such size is needed: with this c_2 the printed
condition fails for every n up to e^60000 (`needed`); (25) itself, which has sqrt(log(T/gamma)) where that condition
has sqrt(c_DP log(T/gamma)), up to e^2300 (`needed-25`); and with any constants both fail up to e^75 (`too-early`). So
"sufficiently large n" exists, and is far beyond practice. c_2 takes the bound of Theorem 5.1 over as it is, which no
run with eta_t = t + 1 is known to break. x stands for log(n).
"""

from dpaudit.claims.writing import *

from .steps import STEPS
from .symbols import *

CLAIM = Claim(
    id=HERE,
    title="the joint induction closes for n >= e^(10^6 c_M), at delta = 1/n",
    words=(
        "For all sufficiently large n the inductive step of Lemma 5.5 holds. Encoded: its closing condition with c_1 = "
        "400000, which closes Lemma 5.4 (`c_1`), for delta = 1/n, gamma = delta/4, c_M >= 1 (it may be taken larger) "
        "and log(n) >= 10^6 c_M; log(6T/gamma) is log(6) + log(T/gamma). What Lemma 5.4 has from Theorem 5.1, "
        "which is false as printed, is taken over (LEM-5.4/s5-display; LEM-5.4/s5-halved from the repaired theorem)."
    ),
    place="Lemmas 5.4 and 5.5",
    printed=r"c_1c_M\sqrt{c_{DP}\log(T/\gamma)}+c_1c_M\sqrt{c_{DP}}+\frac{2c_{DP}^2\sqrt{6\log(6T/\gamma)}}{n^{1/4}}"
    r"+2c_1c_M+3c_M+1\le c_{DP}",
    kind=ClaimKind.SENSITIVITY,
    reads=Reads.READING,
    statement=Statement(
        f"{CLOSED} <= c_DP",
        (constant("x_0"), LOG, SMOOTH, VALUE, ELL, G),
        (*SIZES, "ell <= 2*x", SIX, "x_0*c_M <= x"),
    ),
    origins=(
        Condition(SIZES[0], Origin.GIVEN, f"{HERE}/least"),
        Condition(SIZES[1], Origin.GIVEN, f"{HERE}/most"),
        Condition("ell <= 2*x", Origin.GIVEN, f"{HERE}/logarithms"),
        Condition("x_0*c_M <= x", Origin.ENOUGH),
    ),
    argument=(
        Choose(where("x_0=1000000")),
        Have("1000000 <= x", (Combine((("1", "1000000*c_M <= x"), ("1000000", "1 <= c_M"))),)),
        Have("100 <= x", (Combine((("1", "1000000 <= x"), ("999900", "0 <= 1"))),)),
        Have("log(6) <= 2", (Boxes(),)),
        Have(
            "g <= 3*x",
            (Combine((("1", SIX), ("1", "ell <= 2*x"), ("1", "log(6) <= 2"), ("1", "100 <= x"), ("98", "0 <= 1"))),),
        ),
        Have("1000000000000*c_M**2 <= x**2", (Power("1/2"), Combine((("1", "1000000*c_M <= x"),)))),
        Have(
            "1600000*c_M*sqrt(c_DP*ell) <= c_DP",
            (
                Power("2"),
                Combine(
                    (
                        ("2560000000000*c_M**2*c_DP", "ell <= 2*x"),
                        ("8*x*c_DP", "1000000000000*c_M**2 <= x**2"),
                        ("c_DP", "8*x**3 <= c_DP"),
                    )
                ),
            ),
        ),
        Have("sqrt(c_DP) <= sqrt(c_DP*ell)", (Power("2"), Combine((("c_DP", "1 <= ell"),)))),
        Have("sqrt(6*g) <= 5*sqrt(x)", (Power("2"), Combine((("6", "g <= 3*x"), ("7*x", "0 <= 1"))))),
        Have("log(1920) <= 8", (Boxes(),)),
        Have("log(64) <= 5", (Boxes(),)),
        Have(
            "1920*x**(7/2) <= exp(x/4)",
            (
                Logarithm(),
                Rewrite(left="log(1920) + 7/2*log(x)", right="x/4"),
                Combine(
                    (
                        ("1", "log(1920) <= 8"),
                        ("7/2", "log(x/64) <= x/64 - 1"),
                        ("7/2", "log(64) <= 5"),
                        ("25/128", "1000000 <= x"),
                        ("100", "0 <= 1"),
                    )
                ),
            ),
        ),
        Have(
            "16*c_DP*sqrt(6*g) <= exp(x/4)",
            (
                Combine(
                    (
                        ("1", "1920*x**(7/2) <= exp(x/4)"),
                        ("16*c_DP", "sqrt(6*g) <= 5*sqrt(x)"),
                        ("80*sqrt(x)", "c_DP <= 24*x**3"),
                    )
                ),
            ),
        ),
        Have(
            "2*c_DP**2*sqrt(6*g)/exp(x/4) <= c_DP/8",
            (Scale("8*exp(x/4)"), Combine((("c_DP", "16*c_DP*sqrt(6*g) <= exp(x/4)"),))),
        ),
        Have(
            "8000000*c_M <= c_DP",
            (
                Have("1 <= x**2", (Power("1/2"), Combine((("1", "100 <= x"), ("99", "0 <= 1"))))),
                Combine((("8", "1000000*c_M <= x"), ("8*x", "1 <= x**2"), ("1", "8*x**3 <= c_DP"))),
            ),
        ),
        Combine(
            (
                ("1/4", "1600000*c_M*sqrt(c_DP*ell) <= c_DP"),
                ("400000*c_M", "sqrt(c_DP) <= sqrt(c_DP*ell)"),
                ("1/4", "1600000*c_M*sqrt(c_DP*ell) <= c_DP"),
                ("1", "2*c_DP**2*sqrt(6*g)/exp(x/4) <= c_DP/8"),
                ("1/8", "8000000*c_M <= c_DP"),
                ("199996*c_M", "0 <= 1"),
                ("1", "1 <= c_M"),
                ("c_DP/4", "0 <= 1"),
            )
        ),
    ),
    candidates=(point(AT),),
    mutants=(
        Mutant(
            "earlier",
            "from log(n) = 60000 c_M on",
            f"{CLOSED} <= c_DP",
            symbols=(LOG, SMOOTH, VALUE, ELL, G),
            conditions=(*SIZES, "ell <= 2*x", SIX, "60000*c_M <= x"),
            candidates=(point("x=60000 c_M=1 c_DP=5184000000000000 ell=120000 g=120001"),),
            own_sentence=True,
        ),
    ),
    steps=STEPS,
)
