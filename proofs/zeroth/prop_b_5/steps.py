"""The printed steps of (129) and (130)."""

from dpaudit.claims.writing import *

from .symbols import *

V, U, G = vector("v", "x - y"), vector("u", "a direction"), vector("g", "the difference of the gradients")
LEFT_OVER = vector("v", "(x - y) - sum <x - y, u_k> u_k")
INSIDE = vector("w", "sum <x - y, u_k> u_k - eta~ sum <g, u_k> u_k")
A, ACROSS_A = vector("a", "phi(x) - phi(y)"), vector("q", "the sum of the w_k^perp")
SUM, SIZE = real("S", "[0, oo)", "the sum of the B_k"), real("size", "[0, oo)", "|a|^2")
MEANS = sequence("m", meaning="m[k]: E <a, u_k>^2")
UP = "(4*log(3/delta) + 2*log(2)*K)/d"
ACROSS = "72*K/d*log(6*d/delta)"
ALIGNED = "log(4*d/delta)/(2*d + 6) + max(3/20 - log(2/delta), 0)*(1 - 1/(20*(d + 2 + sqrt(d - 1))))**2"

STEPS = (
    step(
        "s1",
        "(a): the triangle inequality, for x - y less its part in the directions, and this part less the drift",
        "norm(v + w)**2 <= (norm(v) + norm(w))**2",
        (LEFT_OVER, INSIDE),
        place="(129), (a)",
        printed=r"\leq\left(\left\lVert(x-y)-\sum_{k=1}^K\left\langle x-y,u_{t,k}\right\rangle u_{t,k}\right"
        r"\rVert_2+\left\lVert\sum_{k=1}^K\left\langle x-y,u_{t,k}\right\rangle u_{t,k}-\tilde\eta\sum_{k=1}^K\left"
        r"\langle\nabla\bar\ell(x)-\nabla\bar\ell(y),u_{t,k}\right\rangle u_{t,k}\right\rVert_2\right)^2",
        argument=(Combine((("2", "dot(v, w) <= norm(v)*norm(w)"),)),),
        mutants=(mutant("sum", "the sum of the squares", "norm(v + w)**2 <= norm(v)**2 + norm(w)**2", "v=(1) w=(1)"),),
    ),
    step(
        "s1-phi",
        "(130): x - y less eta~ times the difference of the gradients is phi(x) - phi(y), direction by direction",
        "dot(v, u) - eta*dot(g, u) == dot(v - eta*g, u)",
        (V, G, U, positive("eta", "eta~")),
        place="(130)",
        printed=r"\left\lVert\sum_{k=1}^K\left\langle\phi(x)-\phi(y),u_{t,k}\right\rangle u_{t,k}\right\rVert_2",
        candidates=(point("v=(1) g=(2) u=(1) eta=1/2"),),
    ),
    erratum(
        "s2",
        "(b), first part: Lemma B.4, printed with (.)_+ before (1 - K/(20 (d + 2 + sqrt(d - 1))))^2. Encoded for K = 1 "
        "and the event B <= b, where |v - <v, u> u|^2 is at least (1 - b) |v|^2",
        f"1 - {REACHED} <= delta",
        (D, DELTA, SHARE),
        (f"{ALIGNED} < 1 - b",),
        kind=ClaimKind.TAIL,
        rests_on=("haar-beta",),
        place="(130), (b)",
        printed=r"\left(\frac{K}{2d+6}\log\left(\frac{4d}\delta\right)+\left(0.15-\frac{\log(2/\delta)}K\right)_+"
        r"\cdot\left(1-"
        r"\frac{K}{20\left(d+2+\sqrt{d-1}\right)}\right)^2\right)^{1/2}",
        candidates=(point("d=100 delta=1/10 b=1/2"),),
        finding=(
            "A misprint: a bracket is misplaced, and the outer square of the line before is lost. At d = 100, K = 1 "
            "and delta = 0.1 the printed factor is 0.2, and |v - <v, u> u| is almost |v|. The next line has the "
            "bracket where Lemma B.4 has it; that lemma is false for other reasons, and holds repaired."
        ),
        repair="zeroth/LEM-B.4~repaired",
    ),
    erratum(
        "s3",
        "(b), second part: |sum <a, u_k> u_k| <= |a| sqrt(K/(2d + 6) log(4d/delta)) for a = phi(x) - phi(y). Encoded "
        "for K = 1, where it is the root of B, and the event B >= b",
        f"{REACHED} <= delta",
        (D, DELTA, SHARE),
        ("log(4*d/delta)/(2*d + 6) < b",),
        kind=ClaimKind.TAIL,
        rests_on=("haar-beta",),
        place="(130), (b)",
        printed=r"\left\lVert\phi(x)-\phi(y)\right\rVert_2\left(\frac{K}{2d+6}\log\left(\frac{4d}\delta\right)"
        r"\right)^{1/2}",
        candidates=(point("d=100 delta=1/100 b=52/1000"), point("d=2 delta=1/2 b=3/10")),
        finding=(
            "At d = 100, K = 1 and delta = 0.01 it fails with probability 0.022, at d = 2 and delta = 1/2 with "
            "probability 0.63. The constant of Lemma B.2 is too small, and <a, u> u is not of mean 0, as its "
            "definition of norm-sub-Gaussian for the sum needs: the mean of the sum is (K/d) a (s3-mean). With the "
            "part along a kept apart it holds (s3~repaired)."
        ),
        repair=f"{HERE}/s3~repaired",
    ),
    step(
        "s3-mean",
        "the K means E <a, u_k>^2 = |a|^2/d add up to (K/d) |a|^2: the mean of sum <a, u_k> u_k has the part (K/d) a "
        "along a, and is not 0",
        "sum(k, 1, K, m[k]) == K/d*size",
        (D, K, SIZE, MEANS),
        given={"zeroth/LEM-C1/ii": "all(k, 1, K, m[k] == size/d)"},
        reads=Reads.OURS,
        rests_on=("zeroth/LEM-C1/ii",),
        argument=(Induct("K"),),
        candidates=(point("d=2 K=1 size=1 m=[0,1/2]"),),
        mutants=(mutant("more", "d + 1", "sum(k, 1, K, m[k]) == K/(d + 1)*size", "d=2 K=1 size=1 m=[0,1/2]"),),
    ),
    step(
        "s3~repaired",
        "|sum <a, u_k> u_k|^2 = |S a + sum of w_k^perp|^2 <= |a|^2 (up^2 + 72 (K/d) log(6d/delta)), up = (4 "
        "log(3/delta) + 2 log(2) K)/d, with probability 1 - delta. Encoded where neither of two events of probability "
        "delta/3 happens, those of LEM-B.4~repaired/up and LEM-B.4/s6~repaired",
        f"norm(S*a + q)**2 <= norm(a)**2*(({UP})**2 + {ACROSS})",
        (D, K, DELTA, SUM, A, ACROSS_A),
        ("dot(a, q) == 0",),
        given={"zeroth/LEM-B.4/s6~repaired": f"norm(q)**2 <= norm(a)**2*({ACROSS})"},
        ours=(f"S <= {UP}",),
        kind=ClaimKind.TAIL,
        place="(130), (b)",
        rests_on=("zeroth/LEM-B.4~repaired/up",),
        argument=(
            Have(f"S**2 <= ({UP})**2", (Power("1/2"), Rewrite(left="S"), Solve())),
            Combine(
                (
                    ("norm(a)**2", f"S**2 <= ({UP})**2"),
                    ("1", f"norm(q)**2 <= norm(a)**2*({ACROSS})"),
                    ("2*S", "dot(a, q) <= 0"),
                )
            ),
        ),
        candidates=(point("d=2 K=1 delta=1/2 S=1/2 a=(1,0) q=(0,0)"),),
        mutants=(
            mutant(
                "mean",
                "without the part along a",
                f"norm(S*a + q)**2 <= norm(a)**2*({ACROSS})",
                "d=2 K=20000 delta=1/2 S=13000 a=(1,0) q=(0,141)",
            ),
        ),
    ),
    erratum(
        "s4",
        "(c): as phi is c-Lipschitz, |phi(x) - phi(y)| is at most c^2 |x - y|",
        "far <= c**2*R",
        (positive("R", "|x - y|"), real("c", "[0, oo)", "Lipschitz constant of phi"), FAR),
        ("far <= c*R",),
        place="(130), (c)",
        printed=r"c^2\left(\frac{K}{2d+6}\log\left(\frac{4d}\delta\right)\right)^{1/2}",
        candidates=(point("R=1 c=1/2 far=1/2"),),
        finding=(
            "It is at most c |x - y|. For c < 1, the case of interest, c^2 is less than what the Lipschitz constant "
            "gives; for c > 1 it is more than needed. A misprint, from the square of (41), where c^2 is right."
        ),
        repair=f"{HERE}/s4~repaired",
    ),
    step(
        "s4~repaired",
        "with c in the place of c^2 in (c)",
        "far*sqrt(second) <= c*R*sqrt(second)",
        (positive("R"), real("c", "[0, oo)"), FAR, real("second", "[0, oo)")),
        ("far <= c*R",),
        place="(130), (c)",
        argument=(Combine((("sqrt(second)", "far <= c*R"),)),),
        mutants=(mutant("square", "c^2", "far*sqrt(second) <= c**2*R*sqrt(second)", "R=1 c=1/2 far=1/2 second=1"),),
    ),
)
