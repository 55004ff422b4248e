"""Lemma 5.4: the size of the noise, the first step, and what Theorem 5.1 gives. Steps s1 to s8."""

from dpaudit.claims.writing import *

from .noise import NOISE_STEPS
from .symbols import *

INDEX = integer("i", "[0, oo)", "index of the sum")
EXCESS = real("G", "[0, oo)", "what stands in the brackets")

START_STEPS = (
    *NOISE_STEPS,
    step(
        "s3",
        "c_DP^2 >= c_M for large n, and then beta >= c_DP^2 L/R >= M",
        f"M <= {BETA}",
        (C_DP, *SIZES, C_M, WORST),
        (SMOOTH,),
        enough=("c_M <= c_DP**2",),
        argument=(Scale("R"), Combine((("1", SMOOTH), ("L", "c_M <= c_DP**2"), ("c_DP**2*L", "1 <= m")))),
        printed=r"\beta\ge c_{DP}^2L/R\ge M",
        mutants=(
            Mutant(
                "power",
                "c_M <= 2 c_DP^2",
                conditions=(SMOOTH, "c_M <= 2*c_DP**2"),
                candidates=(point("c_DP=1 L=1 R=1 M=2 c_M=2 m=1"),),
            ),
        ),
    ),
    step(
        "s4",
        "at t = 0: |grad F(x_0)| <= M |x_0 - x*| <= M R <= sqrt(M beta) R, as grad F(x*) = 0",
        "norm(g) <= sqrt(M*beta)*R",
        (vector("g", "grad F(x_0)"), vector("x", "x_0 - x*"), *SIZES[1:], positive("beta")),
        ("norm(g) <= M*norm(x)", "norm(x) <= R"),
        given={f"{LEM}/s3": "M <= beta"},
        argument=(
            Have("M <= sqrt(M*beta)", (Power("2"), Combine((("M", "M <= beta"),)))),
            Combine((("1", "norm(g) <= M*norm(x)"), ("M", "norm(x) <= R"), ("R", "M <= sqrt(M*beta)"))),
        ),
        printed=r"\|\nabla F(\mathbf x_0)\|_2\le M\|\mathbf x_0-\mathbf x^*\|_2\le MR\le\sqrt{M\beta}R",
        candidates=(point("g=(1) x=(1) R=1 M=1 beta=1"),),
        mutants=(mutant("half", "half of it", "norm(g) <= 1/2*sqrt(M*beta)*R", "g=(1) x=(1) R=1 M=1 beta=1"),),
    ),
    step(
        "s4-constant",
        "hence the lemma holds at t = 0 for c_1 >= 1/2",
        "sqrt(M*beta)*R <= c_1*sqrt(M)*(X + 2*sqrt(beta)*R)",
        (*SIZES[1:], positive("beta"), real("c_1", "[1/2, oo)"), real("X", "[0, oo)", "the first two roots")),
        argument=(Combine((("2*sqrt(M)*sqrt(beta)*R", "1/2 <= c_1"), ("c_1*sqrt(M)*X", "0 <= 1"))),),
        mutants=(
            mutant(
                "one",
                "sqrt(beta) R in place of 2 sqrt(beta) R",
                "sqrt(M*beta)*R <= c_1*sqrt(M)*(X + sqrt(beta)*R)",
                "R=1 M=1 beta=1 c_1=1/2 X=0",
            ),
        ),
    ),
    erratum(
        "s5",
        "Theorem 5.1 has the weight eta_{0:i} 2 sqrt(i + 1)/eta_i = (i + 2) sqrt(i + 1) for the gradient at x_i, which "
        "is a constant times i^{3/2}",
        "(i + 2)*sqrt(i + 1) <= C*i**(3/2)",
        (constant("C"), INDEX),
        reads=Reads.BOUNDARY,
        place="proof of Lemma 5.4, second display",
        printed=r"\frac1{t^2}\sum_{i=0}^{t-1}\frac{c_{DP}Li^{3/2}\sqrt{\log(T/\gamma)}\|\nabla F(\mathbf x_i)\|_2}"
        r"{\sqrt B\beta}",
        argument=(ForEvery(where("i=0")),),
        finding="Not at i = 0, where i^{3/2} = 0. That term is at most a constant times the next one (s5-first).",
        repair=f"{LEM}/s5~repaired",
    ),
    step(
        "s5~repaired",
        "from i = 1 on it is",
        "(i + 2)*sqrt(i + 1) <= C*i**(3/2)",
        (constant("C"), integer("i", "[1, oo)", "index of the sum")),
        argument=(
            Choose(where("C=5")),
            Power("2"),
            Positive(),
        ),
        mutants=(
            Mutant(
                "four",
                "4 in place of C",
                "(i + 2)*sqrt(i + 1) <= 4*i**(3/2)",
                symbols=(integer("i", "[1, oo)"),),
                candidates=(point("i=1"),),
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s5-first",
        "the term i = 0, at most 8 sqrt(3) c_DP L sqrt(ell) M R/(sqrt(B) beta t^2) for ell = log(6T/gamma), is at most "
        "20 times c_DP L R ell/sqrt(B (t + 1)), which is the next term of the display but for the 6. Encoded: the "
        "second",
        "8*sqrt(3)*c_DP*L*sqrt(ell)*M*R/(sqrt(B)*beta*t**2) <= 20*c_DP*L*R*ell/sqrt(B*(t + 1))",
        (C_DP, *SIZES, real("ell", "[1, oo)", "log(6T/gamma)"), TIME, positive("B"), positive("beta")),
        given={f"{LEM}/s3": "M <= beta"},
        reads=Reads.OURS,
        argument=(
            Have("sqrt(ell) <= ell", (Power("2"), Combine((("ell", "1 <= ell"),)))),
            Have(
                "sqrt(t + 1) <= sqrt(2)*t**2",
                (
                    Power("2"),
                    Have("t <= t**4", (Power("1"), Positive())),
                    Combine((("2", "t <= t**4"), ("1", "1 <= t"))),
                ),
            ),
            Have("8*sqrt(3)*sqrt(2) <= 20", (Boxes(),)),
            Have("M/beta <= 1", (Scale("beta"), Combine((("1", "M <= beta"),)))),
            Scale("sqrt(B)*sqrt(t + 1)/(c_DP*L*R)"),
            Combine(
                (
                    ("8*sqrt(3)*sqrt(ell)*sqrt(t + 1)/t**2", "M/beta <= 1"),
                    ("8*sqrt(3)*sqrt(ell)/t**2", "sqrt(t + 1) <= sqrt(2)*t**2"),
                    ("sqrt(ell)", "8*sqrt(3)*sqrt(2) <= 20"),
                    ("20", "sqrt(ell) <= ell"),
                )
            ),
        ),
        candidates=(point("c_DP=1 L=1 R=1 M=1 ell=1 t=1 B=1 beta=1"),),
        mutants=(
            mutant(
                "nine",
                "9 in place of 20",
                "8*sqrt(3)*c_DP*L*sqrt(ell)*M*R/(sqrt(B)*beta*t**2) <= 9*c_DP*L*R*ell/sqrt(B*(t + 1))",
                "c_DP=1 L=1 R=1 M=1 ell=1 t=1 B=1 beta=1",
            ),
        ),
    ),
    erratum(
        "s6",
        "sqrt(2 M (F(y_t) - F(x*))) = sqrt(2 M) c_2 sqrt(G) for F(y_t) - F(x*) = c_2 G",
        "sqrt(2*M*c_2*G) == sqrt(2*M)*c_2*sqrt(G)",
        (SIZES[2], positive("c_2"), EXCESS),
        reads=Reads.BOUNDARY,
        argument=(),
        printed=r"\sqrt{2M(F(\mathbf y_t)-F(\mathbf x^*))}=\sqrt{2M}c_2\left(\sqrt{\ldots}\right)",
        candidates=(point("M=1 c_2=2 G=1"),),
        finding="sqrt(c_2) stands there. c_2 may be taken to be at least 1, and then the right side is larger.",
        repair=f"{LEM}/s6~repaired",
    ),
    step(
        "s6~repaired",
        "for c_2 >= 1 it is at most that",
        "sqrt(2*M*c_2*G) <= sqrt(2*M)*c_2*sqrt(G)",
        (SIZES[2], real("c_2", "[1, oo)"), EXCESS),
        argument=(Power("2"), Combine((("2*M*G*c_2", "1 <= c_2"),))),
        mutants=(
            Mutant(
                "any",
                "for every c_2 > 0",
                symbols=(SIZES[2], positive("c_2"), EXCESS),
                candidates=(point("M=1 c_2=1/4 G=1"),),
            ),
        ),
    ),
    step(
        "s7",
        "(20), first line: |grad F(x_t)| <= M |x_t - y_t| + |grad F(y_t)| <= 2 sqrt(M beta) R/t + |grad F(y_t)|, where "
        "x_t - y_t = 2 (z_t - y_t)/(t + 2)",
        "norm(g) <= 2*sqrt(M*beta)*R/t + norm(h)",
        (
            TIME,
            vector("g", "grad F(x_t)"),
            vector("h", "grad F(y_t)"),
            vector("z", "z_t - y_t"),
            *SIZES[1:],
            positive("beta"),
        ),
        ("norm(g - h) <= M*norm(2/(t + 2)*z)", "norm(z) <= R"),
        given={f"{LEM}/s3": "M <= beta"},
        argument=(
            Have("M <= sqrt(M*beta)", (Power("2"), Combine((("M", "M <= beta"),)))),
            Have("2/(t + 2) <= 2/t", (Positive(),)),
            Combine(
                (
                    ("1", "norm((g - h) + h) <= norm(g - h) + norm(h)"),
                    ("1", "norm(g - h) <= M*norm(2/(t + 2)*z)"),
                    ("2*M/(t + 2)", "norm(z) <= R"),
                    ("2*R/(t + 2)", "M <= sqrt(M*beta)"),
                    ("sqrt(M*beta)*R", "2/(t + 2) <= 2/t"),
                )
            ),
        ),
        place="Lemma 5.4, (20), first line",
        printed=r"\|\nabla F(\mathbf x_t)\|_2\le M\|\mathbf x_t-\mathbf y_t\|_2+\|\nabla F(\mathbf y_t)\|_2\le"
        r"2MR/t+\ldots",
        candidates=(point("t=1 g=(1) h=(1) z=(1) R=1 M=1 beta=1"),),
        mutants=(
            mutant(
                "half",
                "1/2 in place of 2",
                "norm(g) <= 1/2*sqrt(M*beta)*R/t + norm(h)",
                "t=1 g=(5/3) h=(1) z=(1) R=1 M=1 beta=1",
            ),
        ),
    ),
)
