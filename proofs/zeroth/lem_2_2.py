"""Lemma 2.2: a map does not increase a Renyi divergence (Mironov 2017), on finite spaces.

The map sends m points, with weights p and q, to one (`fibre`): the integrand there is at most the sum of the m
integrands. The statement adds this up over all points of the image. A point where q is 0 and p is not makes the right
side infinite, and one where both are 0 adds nothing; one where p alone
is 0 makes the left side of `fibre` smaller and leaves the right one.
The lemma calls the map f in the words and h in the display.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-2.2"
ALPHA, POINTS = real("alpha", "(1, oo)", "order"), integer("m", "[1, oo)", "points that go to one")
P, Q = sequence("p", "(0, oo)", "p[k]: mu of the k-th point"), sequence("q", "(0, oo)", "q[k]: nu of it")
IMAGES = integer("r", "[1, oo)", "points of the image")
AFTER = sequence("after", "(0, oo)", "after[j]: integrand at the j-th point of the image")
BEFORE = sequence("before", "(0, oo)", "before[j]: sum of the integrands of the points that go there")
ALL_P, ALL_Q = "sum(k, 1, m, p[k])", "sum(k, 1, m, q[k])"
MOMENT = "sum(k, 1, m, p[k]**alpha*q[k]**(1 - alpha))"
LESS = "all(j, 1, r, after[j] <= before[j])"
NOW, THEN = "sum(j, 1, r, after[j])", "sum(j, 1, r, before[j])"
LINE = "x*(alpha*t**(alpha - 1)) - (alpha - 1)*t**alpha <= x**alpha"
LINEAR = f"alpha*t**(alpha - 1)*{ALL_P} - (alpha - 1)*t**alpha*{ALL_Q}"
AT_RATIO = "p[k]/q[k]*(alpha*t**(alpha - 1)) - (alpha - 1)*t**alpha <= (p[k]/q[k])**alpha"
RATIO = f"({ALL_P}/{ALL_Q})"
AT_BEST = f"alpha*{RATIO}**(alpha - 1)*{ALL_P} - (alpha - 1)*{RATIO}**alpha*{ALL_Q} <= {MOMENT}"

CLAIM = Claim(
    id=HERE,
    title="on finite spaces a map does not increase a Renyi divergence",
    words=(
        "For alpha > 1, any map h and laws mu, nu: D_alpha(h#mu || h#nu) <= D_alpha(mu || nu). In part: for laws on "
        "finitely many points; the integrand after[j] at each point of the image is bounded by `fibre`."
    ),
    place="Lemma 2.2",
    printed=r"D_{\alpha}(h\sharp\mu||h\sharp\nu)\leq D_{\alpha}(\mu\|\nu)",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(f"log({NOW})/(alpha - 1) <= log({THEN})/(alpha - 1)", (IMAGES, AFTER, BEFORE, ALPHA), (LESS,)),
    origins=(Condition(LESS, Origin.GIVEN, f"{HERE}/fibre"),),
    argument=(
        Have(f"{NOW} <= {THEN}", (Termwise((AtIndex("j"), Combine((("1", "after[j] <= before[j]"),)))),)),
        Have(f"0 < {NOW}"),
        Have(f"0 < {THEN}"),
        Name("now", NOW),
        Name("then", THEN),
        Narrow(),
        Scale("alpha - 1"),
        Combine((("1", "log(now/then) <= now/then - 1"), ("1/then", "now <= then"))),
    ),
    candidates=(point("r=2 after=[1] before=[2] alpha=2"),),
    mutants=(
        Mutant("half", "half of it", f"log({NOW})/(alpha - 1) <= log({THEN}/2)/(alpha - 1)"),
        Mutant("order", "the other order", f"log({THEN})/(alpha - 1) <= log({NOW})/(alpha - 1)"),
    ),
    steps=(
        step(
            "line",
            "x^alpha lies above its tangent at t",
            LINE,
            (ALPHA, positive("x"), positive("t")),
            argument=(Tangent("x", "t"),),
            mutants=(mutant("slope", "twice the slope", LINE.replace("(alpha*", "(2*alpha*"), "alpha=2 x=1 t=1"),),
        ),
        step(
            "linear",
            "so the sum of the integrands of m points is above a linear function of their weights, for every t",
            f"{LINEAR} <= {MOMENT}",
            (POINTS, P, Q, ALPHA, positive("t")),
            argument=(
                Rewrite(left="sum(k, 1, m, alpha*t**(alpha - 1)*p[k] - (alpha - 1)*t**alpha*q[k])"),
                Termwise(
                    (
                        Have(AT_RATIO, (ByTheorem(f"{HERE}/line", at=(("x", "p[k]/q[k]"),)),)),
                        Combine((("q[k]", AT_RATIO),)),
                    )
                ),
            ),
            candidates=(point("m=2 p=[1,1,2] q=[1,1,1] alpha=2 t=1"),),
            mutants=(mutant("half", "half of it", f"{LINEAR} <= {MOMENT}/2", "m=2 p=[1] q=[1] alpha=2 t=1"),),
        ),
        step(
            "fibre",
            "m points go to one: the integrand there is at most the sum of theirs",
            f"({ALL_P})**alpha*({ALL_Q})**(1 - alpha) <= {MOMENT}",
            (POINTS, P, Q, ALPHA),
            kind=ClaimKind.DIVERGENCE,
            argument=(
                Have(AT_BEST, (ByTheorem(f"{HERE}/linear", at=(("t", f"{ALL_P}/{ALL_Q}"),)),)),
                Have(f"0 < {ALL_P}"),
                Have(f"0 < {ALL_Q}"),
                Name("all_p", ALL_P),
                Name("all_q", ALL_Q),
                Name("moment", MOMENT),
                Narrow(),
                Combine(
                    (
                        (
                            "1",
                            "alpha*(all_p/all_q)**(alpha - 1)*all_p - (alpha - 1)*(all_p/all_q)**alpha*all_q <= moment",
                        ),
                    )
                ),
            ),
            candidates=(point("m=2 p=[1,1,2] q=[1,1,1] alpha=2"),),
            mutants=(
                mutant(
                    "half",
                    "half of the right side",
                    f"({ALL_P})**alpha*({ALL_Q})**(1 - alpha) <= {MOMENT}/2",
                    "m=2 p=[1] q=[1] alpha=2",
                ),
            ),
        ),
    ),
)
