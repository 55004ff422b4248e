"""Lemma 5.5: the three terms of (24), and (25). Steps s11 to s16."""

from dpaudit.claims.writing import *

from .closing import CLOSING_STEPS
from .symbols import *

FIRST = f"c_1*M*{STEPS}*sqrt(L*R*ell)/(sqrt({BETA}*c_DP)*n**(1/4))"
BASE = (RECORDS, C_DP, LIPSCHITZ, RADIUS, SMOOTH, C_1, WORST, ELL)
SECOND = f"sqrt(c_DP*L*R*sqrt(p)*(t + 1)/(eps*{BATCH}*{BETA}))"
FITS = "sqrt(p) <= eps*sqrt(n)*m"
IN_STEPS = f"t + 1 <= {STEPS}"

TERM_STEPS = (
    erratum(
        "s11",
        "third line: c_1 M T sqrt(L R ell)/(sqrt(beta c_DP) n^{1/4}) is c_1 M R sqrt(ell)/(sqrt(c_DP) m). Here m "
        "<= sqrt(n), as p <= eps^2 n^2",
        f"{FIRST} == c_1*M*R*sqrt(ell)/(sqrt(c_DP)*m)",
        BASE,
        ("m <= sqrt(n)",),
        argument=(),
        printed=r"\frac{c_1MR\sqrt{\log(T/\gamma)}}{\sqrt{c_{DP}}\max\{1,\sqrt p/\varepsilon\sqrt n\}}",
        candidates=(point("n=16 c_DP=1 L=1 R=1 M=1 c_1=1 m=4 ell=1"),),
        finding="A misprint: the root of the maximum belongs there (s11~repaired); the last line, without it, holds.",
        repair=f"{LEM}/s11-end",
    ),
    step(
        "s11~repaired",
        "with the root of m it is an identity",
        f"{FIRST} == c_1*M*R*sqrt(ell)/(sqrt(c_DP)*sqrt(m))",
        BASE,
    ),
    step(
        "s11-end",
        "the first term, last line; with the factor sqrt(c_M) of s9~repaired",
        f"sqrt(c_M)*({FIRST}) <= c_1*M*R*sqrt(ell)",
        (*BASE, C_M),
        enough=("c_M <= c_DP",),
        reads=Reads.PRINTED,
        argument=(
            Power("2"),
            Rewrite(left="c_M*c_1**2*M**2*R**2*ell/(c_DP*m)"),
            Scale("c_DP*m/(c_1**2*M**2*R**2*ell)"),
            Combine((("1", "c_M <= c_DP"), ("c_DP", "1 <= m"))),
        ),
        candidates=(point("n=1 c_DP=1 L=1 R=1 M=1 c_1=1 m=1 ell=1 c_M=1"),),
        mutants=(
            mutant(
                "half",
                "half of it",
                f"sqrt(c_M)*({FIRST}) <= 1/2*c_1*M*R*sqrt(ell)",
                "n=1 c_DP=1 L=1 R=1 M=1 c_1=1 m=1 ell=1 c_M=1",
            ),
        ),
    ),
    step(
        "s12",
        "the second term, second line to third line: sqrt(c_DP L R sqrt(p) (t + 1)/(eps B beta)) = R sqrt(sqrt(p) (t + "
        "1)/(c_DP B eps m)), where eps m = max{eps, sqrt(p)/sqrt(n)}. Encoded: without the factor c_1 M",
        f"{SECOND} == R*sqrt(sqrt(p)*(t + 1)/(c_DP*{BATCH}*eps*m))",
        (RECORDS, DIMENSION, EPS, C_DP, LIPSCHITZ, RADIUS, WORST, TIME),
    ),
    step(
        "s12-end",
        "the second term, second line to last line: at most sqrt(c_DP) R, for t + 1 <= T. Encoded: without the factor "
        "c_1 M",
        f"{SECOND} <= R*sqrt(c_DP)",
        (RECORDS, DIMENSION, EPS, C_DP, LIPSCHITZ, RADIUS, WORST, TIME),
        (IN_STEPS, FITS),
        reads=Reads.PRINTED,
        argument=(
            Power("2"),
            Rewrite(left="R**2*sqrt(p)*(t + 1)/(n**(3/4)*eps*m)"),
            Combine(
                (
                    ("R**2*(t + 1)/(n**(3/4)*eps*m)", FITS),
                    ("R**2*n**(-1/4)", IN_STEPS),
                )
            ),
        ),
        candidates=(point("n=16 p=1 eps=1 c_DP=2 L=1 R=1 m=1 t=1"),),
        mutants=(
            Mutant(
                "steps",
                "t + 1 <= 2 T",
                conditions=(f"t + 1 <= 2*{STEPS}", FITS),
                candidates=(point("n=16 p=16 eps=1 c_DP=2 L=1 R=1 m=1 t=7"),),
            ),
        ),
    ),
    step(
        "s13",
        "the third term: a martingale of B t terms of norm at most 2 c_DP L has |sum|^2 <= 3 (2 c_DP L)^2 B t g with "
        "g = log(6T/gamma) (Lemma 5.2), so that the mean is at most 2 c_DP L sqrt(3 g)/sqrt(B t). Encoded: the "
        "second from the first, at equality",
        "sqrt(3*(2*c_DP*L)**2*B*t*g)/(B*t) == 2*c_DP*L*sqrt(3*g)/sqrt(B*t)",
        (C_DP, LIPSCHITZ, TIME, positive("B"), positive("g", "log(6T/gamma)")),
        printed=r"\|\nabla_{t-1}-\nabla F(\mathbf x_{t-1})\|_2\le\frac{2c_{DP}L\sqrt{3\log(6T/\gamma)}}{\sqrt{Bt}}",
    ),
    step(
        "s14",
        "(t + 1)/sqrt(t) <= sqrt(2) sqrt(T) for 1 <= t <= T - 1",
        "(t + 1)/sqrt(t) <= sqrt(2)*sqrt(T)",
        (TIME, real("T", "[2, oo)")),
        ("t + 1 <= T",),
        reads=Reads.OURS,
        argument=(
            Power("2"),
            Scale("t"),
            Combine((("2*t", "t + 1 <= T"), ("t + 1", "1 <= t"))),
        ),
        candidates=(point("t=1 T=2"),),
        mutants=(mutant("one", "without sqrt(2)", "(t + 1)/sqrt(t) <= sqrt(T)", "t=1 T=2"),),
    ),
    step(
        "s15",
        "sqrt(T/B) = c_DP/n^{1/4}",
        f"sqrt({STEPS}/{BATCH}) == c_DP/n**(1/4)",
        (RECORDS, C_DP),
        reads=Reads.OURS,
    ),
    step(
        "s16",
        "(25), from the line before it, by b_max <= R (LEM-5.4/s1 and s2~repaired, for the delta of the latter) and M "
        "R <= c_M L; `third` is the third term",
        "c_1*M*R*sqrt(ell) + c_1*M*R*sqrt(c_DP) + third*L + M*b + 2*(c_1 + 1)*M*R + L"
        " <= (c_1*c_M*sqrt(ell) + c_1*c_M*sqrt(c_DP) + third + 2*c_1*c_M + 3*c_M + 1)*L",
        (C_DP, LIPSCHITZ, RADIUS, SMOOTH, C_M, C_1, ELL, NOISE, real("third", "[0, oo)")),
        (SCALED,),
        given={"srgd/LEM-5.4/s1": "", "srgd/LEM-5.4/s2~repaired": "b <= R"},
        place="Lemma 5.5, (25)",
        argument=(Combine((("M", "b <= R"), ("c_1*sqrt(ell) + c_1*sqrt(c_DP) + 2*c_1 + 3", SCALED))),),
        candidates=(point("c_DP=1 L=1 R=1 M=1 c_M=1 c_1=1 ell=1 b=1 third=1"),),
        mutants=(
            Mutant(
                "noise",
                "b_max <= 2 R",
                conditions=(SCALED, "b <= 2*R"),
                candidates=(point("c_DP=1 L=1 R=1 M=1 c_M=1 c_1=1 ell=1 b=2 third=1"),),
            ),
        ),
    ),
    *CLOSING_STEPS,
)
