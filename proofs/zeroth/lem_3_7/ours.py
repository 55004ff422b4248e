"""The worst frame of Lemma 3.7, what it means for one constant, and the best constants of its proof."""

from dpaudit.claims.writing import *

from .symbols import *

PLACE = "Section 3.2, proof of Theorem 3.2"
ACROSS = ("dot(v, p) == 0",)
ON_AVERAGE = r"c_{1}=\sqrt{1-\sum_{k=1}^{K}\upsilon_{k}+c^{2}\sum_{k=1}^{K}\gamma_{k}}"

WORST = (
    step(
        "s9",
        "c1 is at most sqrt(1 + c^2), whatever the frame and the pair. Encoded: this; that it is so large for the "
        "shares 0 and 1 is seen by putting them in",
        f"{C1} <= sqrt(1 + c**2)",
        (UPSILON, GAMMA, LIPSCHITZ),
        place=PLACE,
        printed=r"c_{1}=\sqrt{1+c^{2}}",
        argument=(Power("2"), Combine((("1", "0 <= ups"), ("c**2", "gam <= 1")))),
        mutants=(mutant("one", "1", f"{C1} <= sqrt(1 + 0*c**2)", "ups=0 gam=1 c=1"),),
    ),
    erratum(
        "s9-zero",
        "this is greater than 1 even when c = 0",
        "1 < sqrt(1 + c**2)",
        (LIPSCHITZ,),
        reads=Reads.BOUNDARY,
        place=PLACE,
        printed=r"c_{1}=\sqrt{1+c^{2}}\text{ which is greater than }1\text{ even when }c=0",
        kind=ClaimKind.IMPLICATION,
        candidates=(point("c=0"),),
        finding=(
            "A slip: `not less than 1` is meant, and is enough for what follows. At c = 0 it is 1, and 1 is what "
            "Corollary 3.3 takes for c1: there the worst case over all frames is as good as the event of Lemma 3.8, "
            "and needs no part of delta. For c > 0 the sentence is right."
        ),
        repair=f"{HERE}/s9-zero~repaired",
    ),
    step(
        "s9-zero~repaired",
        "sqrt(1 + c^2) is greater than 1 for c > 0",
        "1 < sqrt(1 + c**2)",
        (positive("c", "Lipschitz constant of phi"),),
        place=PLACE,
        argument=(Power("2"), Combine((("c", "0 < c"),))),
        mutants=(mutant("two", "2 in place of 1", "2 < sqrt(1 + c**2)", "c=1"),),
    ),
    step(
        "across",
        "whatever the losses and the frame: a pair that differs across the frame alone is no closer after the step, as "
        "the remainders are multiples of the directions",
        "norm(v)**2 <= norm(v - p + q + e)**2",
        (V, F, P, Q, E),
        (*IN_SPAN, "dot(p, e) == dot(v, e)"),
        ours=ACROSS,
        argument=(
            Combine(
                (
                    ("1", "0 <= norm(q + e)**2"),
                    ("2", "dot(p, e) <= dot(v, e)"),
                    ("2", "dot(p, q) <= dot(v, q)"),
                    ("1", "dot(v, p) <= dot(p, p)"),
                    ("3", "0 <= dot(v, p)"),
                )
            ),
        ),
        candidates=(point("v=(0,1) f=(1,0) p=(0,0) q=(1,0) e=(0,0)"),),
        mutants=(
            mutant(
                "more",
                "twice the square",
                "2*norm(v)**2 <= norm(v - p + q + e)**2",
                "v=(0,1) f=(0,0) p=(0,0) q=(0,0) e=(0,0)",
            ),
            Mutant(
                "any-remainder",
                "remainders that are no multiples of the directions",
                conditions=(*IN_SPAN, *ACROSS),
                candidates=(point("v=(0,1) f=(0,0) p=(0,0) q=(0,0) e=(0,-1)"),),
            ),
        ),
    ),
    step(
        "needed",
        "so a constant for all pairs of the ball is at least 1 - c2/(2 R), by Definition 3.5 for two opposite points "
        "of its boundary that differ across the frame alone",
        "1 - eta*M*xi/(2*R) <= c1",
        (real("c1", "[0, oo)"), ETA, SMOOTH, XI, RADIUS, real("after", "[0, oo)", "their distance after the step")),
        ("after <= c1*(2*R) + eta*M*xi",),
        given={f"{HERE}/across": "2*R <= after"},
        argument=(
            Scale("2*R"),
            Combine((("1", "after <= c1*(2*R) + eta*M*xi"), ("1", "2*R <= after"))),
        ),
        candidates=(point("c1=1 eta=1 M=1 xi=1 R=1 after=2"), point("c1=1/2 eta=1 M=1 xi=1 R=1 after=2")),
        mutants=(mutant("one", "1", "1 - 0*eta*M*xi/(2*R) <= c1", "c1=1/2 eta=1 M=1 xi=1 R=1 after=2"),),
    ),
    step(
        "everywhere",
        "Delta-Lipschitz losses: two gradients differ by at most 2 Delta, so that phi shortens no distance by more "
        "than 2 eta Delta/K, and (1 - c) times any distance is at most that; on all of R^d, where distances are as "
        "large as one likes, c is so at least 1. Encoded: the bound for one pair",
        "(1 - c)*norm(v) <= 2*eta*Delta/K",
        (V, G, ETA, K, CLIP, LIPSCHITZ),
        ("norm(g) <= 2*Delta", "norm(v - eta/K*g) <= c*norm(v)"),
        argument=(
            Combine(
                (
                    ("1", "norm(v) <= norm(v - eta/K*g) + norm(eta/K*g)"),
                    ("1", "norm(v - eta/K*g) <= c*norm(v)"),
                    ("eta/K", "norm(g) <= 2*Delta"),
                )
            ),
        ),
        candidates=(point("v=(2,) g=(2,) eta=1 K=1 Delta=1 c=0"),),
        mutants=(
            mutant("half", "half of it", "(1 - c)*norm(v) <= 2*eta*Delta/(2*K)", "v=(2,) g=(2,) eta=1 K=1 Delta=1 c=0"),
        ),
    ),
    step(
        "all-directions",
        "K = d, which (3) allows: Beta(K/2, 0) is to be read as its limit, the unit mass at 1; both sums are 1, and "
        "c1^2 is c^2",
        "1 - ups + c**2*gam == c**2",
        (UPSILON, GAMMA, LIPSCHITZ),
        ("ups == 1", "gam == 1"),
        argument=(Substitute((), where("ups=1 gam=1"), ()), Identical()),
        candidates=(point("ups=1 gam=1 c=1/2"),),
    ),
)
SHARPER = (
    step(
        "orthonormal",
        "the squared norm of a sum of multiples of orthonormal vectors is the sum of the squares; T[k] is the sum to "
        "k, which is orthogonal to the next vector",
        "norm(T[K])**2 == sum(k, 1, K, r[k]**2)",
        (integer("K", "[0, oo)"), REMAINDER, vector_sequence("u", "the frame"), vector_sequence("T", "partial sums")),
        (
            "all(k, 0, K - 1, norm(T[k + 1])**2 == norm(T[k] + r[k + 1]*u[k + 1])**2)",
            "all(k, 0, K - 1, dot(T[k], u[k + 1]) == 0)",
            "all(k, 0, K - 1, norm(u[k + 1])**2 == 1)",
            "norm(T[0])**2 == 0",
        ),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "K",
                step=(
                    Combine(
                        (
                            ("1", "norm(T[K + 1])**2 == norm(T[K] + r[K + 1]*u[K + 1])**2"),
                            ("2*r[K + 1]", "dot(T[K], u[K + 1]) == 0"),
                            ("r[K + 1]**2", "norm(u[K + 1])**2 == 1"),
                        )
                    ),
                ),
            ),
        ),
        candidates=(point("K=2 r=[0,3,4] u=[(0,0),(1,0),(0,1)] T=[(0,0),(3,0),(3,4)]"),),
        mutants=(
            mutant(
                "power",
                "absolute values",
                "norm(T[K])**2 == sum(k, 1, K, abs(r[k]))",
                "K=2 r=[0,3,4] u=[(0,0),(1,0),(0,1)] T=[(0,0),(3,0),(3,4)]",
            ),
        ),
    ),
    step(
        "c2-sharper",
        "the directions are orthonormal, so that c2 = eta M xi/sqrt(K) is enough. Encoded: the square of the length of "
        "the remainder, (eta/K)^2 times the sum of the squares of the r_k (`orthonormal`), is at most that of this c2",
        "(eta/K)**2*sum(k, 1, K, r[k]**2) <= (eta*M*xi)**2/K",
        (ETA, SMOOTH, XI, K, REMAINDER),
        given={f"{HERE}/s4-mean": SMALL},
        rests_on=(f"{HERE}/orthonormal",),
        argument=(
            Have(
                "sum(k, 1, K, r[k]**2) <= sum(k, 1, K, (M*xi)**2)",
                (
                    Termwise(
                        (
                            AtIndex("k"),
                            Have("abs(r[k])**2 <= (M*xi)**2", (Power("1/2"), Combine((("1", "abs(r[k]) <= M*xi"),)))),
                            Rewrite(left="abs(r[k])**2"),
                            Combine((("1", "abs(r[k])**2 <= (M*xi)**2"),)),
                        )
                    ),
                ),
            ),
            Combine((("(eta/K)**2", "sum(k, 1, K, r[k]**2) <= sum(k, 1, K, (M*xi)**2)"),)),
        ),
        candidates=(point("eta=1 M=1 xi=1 K=2 r=[1]"),),
        mutants=(
            mutant(
                "power",
                "K^2 in place of K",
                "(eta/K)**2*sum(k, 1, K, r[k]**2) <= (eta*M*xi)**2/K**2",
                "eta=1 M=1 xi=1 K=2 r=[1]",
            ),
        ),
    ),
)
OURS = (*WORST, *SHARPER)
