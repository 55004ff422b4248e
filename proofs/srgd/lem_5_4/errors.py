"""Lemma 5.4: the errors of Theorem 5.1 at time t, with Q = 2 c_DP L, and what each is at most."""

from dpaudit.claims.writing import *

from .symbols import *

STEP = integer("t", "[1, oo)", "step")
NORMS, GAP = sequence("N", "[0, oo)", "|grad F(x_i)|"), real("gap", meaning="F(y_t) - F(x*)")
BETA_ANY, B_ANY, B_MAX = positive("beta"), positive("B"), real("b", "[0, oo)", "b_max")
G = positive("g", "log(6 T/gamma)")
ANY = (STEP, C_DP, *SIZES[:2], ELL, G, BETA_ANY, B_ANY, B_MAX, NORMS, GAP)
ROOT = "sqrt(3*(i + 1)*g)"
Q = "(2*c_DP*L)"
BRACES = (
    f"2*{Q}*{ROOT}*(N[i] + {Q}*{ROOT}/(sqrt(B)*(i + 1)))/(sqrt(B)*(i + 1)*beta)"
    f" + 3*{Q}*{ROOT}*b/(sqrt(B)*(i + 1)**2) + {Q}*R*{ROOT}/(sqrt(B)*((i + 1)*(i + 2)/2))"
    " + 3*beta/((i + 1)*(i + 2)/2)*b*R + beta*b**2/(i + 1)**2"
)
"""The errors of Theorem 5.1 at i, with eta_i = i + 1, eta_{0:i} = (i + 1)(i + 2)/2 and Q = 2 c_DP L."""
ERRORS = f"sum(i, 0, t - 1, (i + 1)*(i + 2)/2*({BRACES}))"
SUM = "sum(i, 0, t - 1, c_DP*L*i**(3/2)*sqrt(ell)*N[i]/(sqrt(B)*beta))"
DISPLAY = f"1/t**2*{SUM} + c_DP*L*R*ell/sqrt(B*(t + 1)) + beta*b*R/(t + 1) + beta/(t + 1)**2*R**2"
SIMPLE = (
    "6*c_DP*L*sqrt(ell)/(sqrt(B)*beta)*(5*i**(3/2)*N[i] + 2*L) + 36*c_DP**2*L**2*ell*(t + 1)/(B*beta)"
    " + 24*c_DP*L*R*sqrt(ell)*sqrt(t)/sqrt(B) + 4*beta*b*R"
)
SUMMED = (
    f"30*({SUM}) + 12*c_DP*L**2*sqrt(ell)*t/(sqrt(B)*beta) + 36*c_DP**2*L**2*ell*t*(t + 1)/(B*beta)"
    " + 24*c_DP*L*R*sqrt(ell)*sqrt(t)*t/sqrt(B) + 4*beta*b*R*t"
)
THREE = "sqrt(3*g) <= 3*sqrt(ell)"
WEIGHT = "(i + 2)*sqrt(i + 1) <= 5*i**(3/2) + 2"
PER_INDEX = (
    AtIndex("i"),
    Have(
        WEIGHT,
        (
            Cases(
                (
                    ("i < 1", (Narrow(), Boxes())),
                    ("otherwise", (Narrow(), Power("2"), Positive())),
                )
            ),
        ),
    ),
    Have("sqrt(i + 1) <= sqrt(t)", (Power("2"), Combine((("1", "i <= t - 1"),)))),
    Have("(i + 2)/sqrt(i + 1) <= 2*sqrt(i + 1)", (Positive(),)),
    Have("(i + 2)/(2*(i + 1)) <= 1", (Positive(),)),
    Combine(
        (
            ("(i + 2)*sqrt(i + 1)*2*c_DP*L*N[i]/(sqrt(B)*beta)", THREE),
            ("6*c_DP*L*sqrt(ell)*N[i]/(sqrt(B)*beta)", WEIGHT),
            ("12*c_DP*L*sqrt(ell)/(sqrt(B)*beta)", "N[i] <= L"),
            ("12*c_DP**2*L**2*(i + 2)/(B*beta)", "g <= 3*ell"),
            ("36*c_DP**2*L**2*ell/(B*beta)", "i <= t - 1"),
            ("3*c_DP*L*b*(i + 2)/(sqrt(i + 1)*sqrt(B))", THREE),
            ("9*c_DP*L*b*sqrt(ell)/sqrt(B)", "(i + 2)/sqrt(i + 1) <= 2*sqrt(i + 1)"),
            ("18*c_DP*L*b*sqrt(ell)/sqrt(B)", "sqrt(i + 1) <= sqrt(t)"),
            ("18*c_DP*L*sqrt(ell)*sqrt(t)/sqrt(B)", "b <= R"),
            ("2*c_DP*L*R*sqrt(i + 1)/sqrt(B)", THREE),
            ("6*c_DP*L*R*sqrt(ell)/sqrt(B)", "sqrt(i + 1) <= sqrt(t)"),
            ("beta*b**2", "(i + 2)/(2*(i + 1)) <= 1"),
            ("beta*b", "b <= R"),
        )
    ),
)
