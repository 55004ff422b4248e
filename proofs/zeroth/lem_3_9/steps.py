"""The printed proof of Lemma 3.9, appendix A.8, and the change that one record makes."""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-3.9"
ETA, CLIP, RADIUS = positive("eta", "step size"), positive("Delta", "clipping threshold"), positive("R", "radius")
K, N, T = integer("K", "[1, oo)", "directions"), integer("n", "[1, oo)", "records"), integer("t", "[0, oo)", "steps")
DISTANCE = sequence("D", "[0, oo)", "D[t]: the largest distance of the coupled runs after t steps")
FIRST, SECOND = (
    sequence("s", meaning="s[k]: mean clipped slope of the first run"),
    sequence("q", meaning="of the second"),
)
W, X = vector("w", "iterate of the first run"), vector("x", "of the second")
G, H, NOISE = vector("g", "drift of the first run"), vector("h", "of the second"), vector("z", "the noise of both")
Y, P = (vector("y", "before the projection"), vector("p", "after it"))
Y2, P2 = vector("y2", "of the second run"), vector("p2", "of the second run")
PER_STEP = "2*eta*Delta/sqrt(K)"
STEPWISE = f"all(j, 0, t - 1, D[j + 1] <= D[j] + {PER_STEP})"
CLIPPED = ("all(k, 1, K, abs(s[k]) <= Delta)", "all(k, 1, K, abs(q[k]) <= Delta)")
SQUARES = "(eta/K)**2*sum(k, 1, K, (s[k] - q[k])**2)"
BEFORE, MOVED = "norm(w - x)", "norm(g - h)"
UNPROJECTED = "norm((w - g + z) - (x - h + z))"
AT_EDGE = "eta=1 Delta=1 K=1 w=(0,) x=(0,) g=(-1,) h=(1,) z=(0,) p=(1,) p2=(-1,)"
NUMBERS = (ETA, CLIP, RADIUS, K)


def printed_at(number):
    """The place of a display."""
    return f"Appendix A.8, {number}"


TRIANGLE = (
    Combine(
        (
            ("1", "abs(s[k] - q[k]) <= abs(s[k]) + abs(q[k])"),
            ("1", "abs(s[k]) <= Delta"),
            ("1", "abs(q[k]) <= Delta"),
        )
    ),
)


def at_most(change):
    """That the sum of squared changes is at most K (2 Delta)^2, where each is at most 2 Delta."""
    square = f"abs({change})**2 <= (2*Delta)**2"
    return (
        Have(f"abs({change}) <= 2*Delta", TRIANGLE if "q" in change else ()),
        Have(square, (Power("1/2"), Combine((("1", f"abs({change}) <= 2*Delta"),)))),
        Rewrite(left=f"abs({change})**2"),
        Combine((("1", square),)),
    )


STEPS = (
    step(
        "s1",
        "(53): the infimum over couplings is at most the value for one of them. Encoded: for two couplings",
        "least <= one",
        (
            real("least", "[0, oo)", "W_oo"),
            real("one", "[0, oo)", "this coupling"),
            real("other", "[0, oo)", "another"),
        ),
        ("least <= min(one, other)",),
        place=printed_at("(52) and (53)"),
        argument=(Combine((("1", "least <= min(one, other)"), ("1", "min(one, other) <= one"))),),
        candidates=(point("least=1 one=1 other=2"),),
        mutants=(mutant("two", "half of it", "least <= one/2", "least=1 one=1 other=2"),),
    ),
    step(
        "s2",
        "(54): the projection onto the ball does not increase the distance; that equal noise cancels is in s3",
        "norm(p - p2)**2 <= norm(y - y2)**2",
        (Y, Y2, P, P2),
        projected_at(("y", "p"), ("y2", "p2")),
        place=printed_at("(54)"),
        printed=r"\|w_{t-1}-\frac{\eta}{K}\sum_{k=1}^{K}\hat{g}_{t}(w_{t-1};u_{t,k})-w_{t-1}^{\prime}+\frac{\eta}{K}"
        r"\sum_{k=1}^{K}\hat{g}_{t}(w_{t-1}^{\prime};u_{t,k})\|",
        candidates=(point("y=(2,) y2=(0,) p=(1,) p2=(0,)"),),
        mutants=(
            mutant("half", "half of it", "norm(p - p2)**2 <= norm(y - y2)**2/2", "y=(1,) y2=(0,) p=(1,) p2=(0,)"),
        ),
    ),
    step(
        "s3",
        "(55): the triangle inequality, with the noise z of both runs. Encoded: at one draw; the suprema follow",
        "norm((w - g + z) - (x - h + z)) <= norm(w - x) + norm(g - h)",
        (W, X, G, H, NOISE),
        place=printed_at("(55)"),
        argument=(
            Rewrite(left="norm((w - x) - (g - h))"),
            Combine((("1", "norm((w - x) - (g - h)) <= norm(w - x) + norm(g - h)"),)),
        ),
        mutants=(
            mutant(
                "square",
                "without the drifts",
                "norm((w - g + z) - (x - h + z)) <= norm(w - x) + 0*norm(g - h)",
                "w=(0,) x=(0,) g=(1,) h=(0,) z=(0,)",
            ),
        ),
    ),
    step(
        "s4",
        "(57) to (59): the squares along orthonormal directions add up (LEM-3.7/orthonormal), and each mean clipped "
        "slope lies between -Delta and Delta",
        f"{SQUARES} <= eta**2*(2*Delta)**2/K",
        (ETA, CLIP, K, FIRST, SECOND),
        CLIPPED,
        kind=ClaimKind.SENSITIVITY,
        place=printed_at("(57) to (59)"),
        printed=r"\leq(\frac{\eta}{K})^{2}\sum_{k=1}^{K}(2\Delta)^{2}=\frac{\eta^{2}(2\Delta)^{2}}{K}",
        rests_on=("zeroth/LEM-3.7/orthonormal",),
        argument=(
            Have(
                "sum(k, 1, K, (s[k] - q[k])**2) <= sum(k, 1, K, (2*Delta)**2)",
                (
                    Termwise(
                        (AtIndex("k"), *at_most("s[k] - q[k]")),
                    ),
                ),
            ),
            Combine((("(eta/K)**2", "sum(k, 1, K, (s[k] - q[k])**2) <= sum(k, 1, K, (2*Delta)**2)"),)),
        ),
        candidates=(point("eta=1 Delta=1 K=2 s=[1] q=[-1]"),),
        tightness=(
            Tightness(
                "factor",
                "2",
                f"{SQUARES} <= eta**2*({{c}}*Delta)**2/K",
                "2",
                "199/100",
                candidates=(point("eta=1 Delta=1 K=2 s=[1] q=[-1]"),),
            ),
        ),
        mutants=(
            mutant(
                "power", "K^2 in place of K", f"{SQUARES} <= eta**2*(2*Delta)**2/K**2", "eta=1 Delta=1 K=2 s=[1] q=[-1]"
            ),
        ),
    ),
    step(
        "s4-root",
        "(56) to (59), the root: the drifts of one step are at most 2 eta Delta/sqrt(K) apart",
        f"norm(g - h) <= {PER_STEP}",
        (ETA, CLIP, K, G, H),
        given={f"{HERE}/s4": "norm(g - h)**2 <= eta**2*(2*Delta)**2/K"},
        place=printed_at("(56) to (59)"),
        argument=(Power("2"), Combine((("1", "norm(g - h)**2 <= eta**2*(2*Delta)**2/K"),))),
        candidates=(point("eta=1 Delta=1 K=1 g=(1,) h=(-1,)"),),
        mutants=(mutant("root", "K for its root", "norm(g - h) <= 2*eta*Delta/K", "eta=1 Delta=1 K=4 g=(1,) h=(0,)"),),
    ),
    step(
        "s4-step",
        "(61): one step adds at most 2 eta Delta/sqrt(K) to the distance. Encoded: at one draw; the essential suprema "
        "follow",
        f"norm(p - p2) <= norm(w - x) + {PER_STEP}",
        (ETA, CLIP, K, W, X, G, H, NOISE, P, P2),
        given={
            f"{HERE}/s2": f"norm(p - p2)**2 <= {UNPROJECTED}**2",
            f"{HERE}/s3": f"{UNPROJECTED} <= norm(w - x) + norm(g - h)",
            f"{HERE}/s4-root": f"norm(g - h) <= {PER_STEP}",
        },
        kind=ClaimKind.SENSITIVITY,
        place=printed_at("(61)"),
        printed=r"\leq\operatorname*{ess\,sup}\|w_{t-1}-w_{t-1}^{\prime}\|+\frac{2\eta\Delta}{\sqrt{K}}",
        argument=(
            Have(
                f"norm(p - p2) <= {UNPROJECTED}",
                (Power("2"), Combine((("1", f"norm(p - p2)**2 <= {UNPROJECTED}**2"),))),
            ),
            Combine(
                (
                    ("1", f"norm(p - p2) <= {UNPROJECTED}"),
                    ("1", f"{UNPROJECTED} <= norm(w - x) + norm(g - h)"),
                    ("1", f"norm(g - h) <= {PER_STEP}"),
                )
            ),
        ),
        candidates=(point(AT_EDGE),),
        mutants=(mutant("half", "half of what is added", f"norm(p - p2) <= norm(w - x) + {PER_STEP}/2", AT_EDGE),),
    ),
    step(
        "s5",
        "(60) to (62): from equal starts t steps add up to at most 2 eta Delta t/sqrt(K). Encoded: with D[t] for the "
        "essential supremum of the distance",
        "D[t] <= 2*eta*Delta*t/sqrt(K)",
        (ETA, CLIP, K, T, DISTANCE),
        ("D[0] == 0",),
        given={f"{HERE}/s4-step": STEPWISE},
        kind=ClaimKind.INDUCTION,
        place=printed_at("(60) to (62)"),
        printed=r"\cdots\leq\operatorname*{ess\,sup}\|w_{0}-w_{0}^{\prime}\|+\frac{2\eta\Delta t}{\sqrt{K}}"
        r"=\frac{2\eta\Delta t}{\sqrt{K}}",
        argument=(Induct("t"),),
        candidates=(point("eta=1 Delta=1 K=1 t=2 D=[0,2,4]"),),
        mutants=(
            mutant(
                "less", "t - 1 in place of t", "D[t] <= 2*eta*Delta*(t - 1)/sqrt(K)", "eta=1 Delta=1 K=1 t=1 D=[0,2]"
            ),
        ),
    ),
    step(
        "s6",
        "(51), the bound 2 R: two points of the ball are at most 2 R apart",
        "norm(w - x) <= 2*R",
        (W, X, RADIUS),
        ("norm(w) <= R", "norm(x) <= R"),
        place="Lemma 3.9, (51)",
        argument=(Combine((("1", "norm(w - x) <= norm(w) + norm(x)"), ("1", "norm(w) <= R"), ("1", "norm(x) <= R"))),),
        candidates=(point("w=(1,) x=(-1,) R=1"),),
        mutants=(mutant("radius", "the radius", "norm(w - x) <= 1*R", "w=(1,) x=(-1,) R=1"),),
    ),
    step(
        "one-record",
        "at one point, where the data sets differ in one record, the drifts are at most 2 eta Delta/(n sqrt(K)) apart: "
        "its square, r[k] the change of one clipped slope",
        "(eta/(n*K))**2*sum(k, 1, K, r[k]**2) <= (2*eta*Delta/(n*sqrt(K)))**2",
        (ETA, CLIP, K, N, sequence("r")),
        ("all(k, 1, K, abs(r[k]) <= 2*Delta)",),
        kind=ClaimKind.SENSITIVITY,
        rests_on=("zeroth/LEM-3.7/orthonormal",),
        argument=(
            Have(
                "sum(k, 1, K, r[k]**2) <= sum(k, 1, K, (2*Delta)**2)",
                (
                    Termwise(
                        (AtIndex("k"), *at_most("r[k]")),
                    ),
                ),
            ),
            Combine((("(eta/(n*K))**2", "sum(k, 1, K, r[k]**2) <= sum(k, 1, K, (2*Delta)**2)"),)),
        ),
        candidates=(point("eta=1 Delta=1 K=1 n=1 r=[2]"),),
        mutants=(
            mutant(
                "half",
                "Delta in place of 2 Delta",
                "(eta/(n*K))**2*sum(k, 1, K, r[k]**2) <= (1*eta*Delta/(n*sqrt(K)))**2",
                "eta=1 Delta=1 K=1 n=1 r=[2]",
            ),
        ),
    ),
)
