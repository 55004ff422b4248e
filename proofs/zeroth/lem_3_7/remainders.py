"""The printed proof of Lemma 3.7, appendix A.6, down to (40): the quotient without clipping, and the remainders. The
remainder Delta(w, u, xi) is that of one record, which (37) and (38) leave out; xi > 0, since they divide by it."""

from dpaudit.claims.writing import *

from .symbols import *

SEGMENT = "integral(z, 0, 1, M*(z*xi)*xi)"
VALUE, SLOPE = real("l", meaning="loss at w"), real("s", meaning="<grad l(w), u>")
AHEAD, BACK = real("up", meaning="remainder along u"), real("down", meaning="remainder along -u")
FOUR = tuple(real(name) for name in ("a", "b", "h", "j"))
BOUNDS = tuple(f"abs({s.name}) <= M*xi**2/2" for s in FOUR)

REMAINDERS = (
    step(
        "s1",
        "Taylor's remainder along a unit vector is at most M xi^2/2 in absolute value (the first display has it "
        "without the bars and for any u; both are made good after (40))",
        "abs(up) <= M*xi**2/2",
        (SMOOTH, XI, AHEAD),
        (f"abs(up) <= {SEGMENT}",),
        place="Appendix A.6, first display, and after (40)",
        printed=r"|\Delta(w,u,\xi)|\leq\frac{1}{2}M\xi^{2}",
        rests_on=("gradient-along-a-segment",),
        argument=(
            Have(f"{SEGMENT} <= M*xi**2/2", (Antiderivative(SEGMENT, "M*z**2*xi**2/2"), Identical())),
            Combine((("1", f"abs(up) <= {SEGMENT}"), ("1", f"{SEGMENT} <= M*xi**2/2"))),
        ),
        candidates=(point("M=1 xi=1 up=1/2"),),
        mutants=(mutant("constant", "1/3 in place of 1/2", "abs(up) <= M*xi**2/3", "M=1 xi=1 up=1/2"),),
    ),
    step(
        "s2",
        "the quotient of a Delta-Lipschitz loss is at most Delta, and clipping leaves it as it is",
        "y/max(1, abs(y)/Delta) == y",
        (CLIP, XI, real("y", meaning="the quotient"), VALUE, real("k", meaning="loss at w - xi u")),
        ("y == (l - k)/(2*xi)", "abs(l - k) <= Delta*(2*xi)"),
        place="Appendix A.6, before (36)",
        printed=r"\text{we can safely remove the clipping}",
        argument=(
            Have(
                "abs(y) <= Delta",
                (
                    Substitute((), where("y=(l-k)/(2*xi)"), ()),
                    Scale("2*xi"),
                    Combine((("1", "abs(l - k) <= Delta*(2*xi)"),)),
                ),
            ),
            Have("max(1, abs(y)/Delta) == 1", (Solve(),)),
            Combine((("y/max(1, abs(y)/Delta)", "max(1, abs(y)/Delta) == 1"),)),
        ),
        candidates=(point("Delta=1 xi=1 y=1 l=2 k=0"),),
        mutants=(
            Mutant(
                "steep",
                "a loss that is 3 Delta-Lipschitz",
                conditions=("y == (l - k)/(2*xi)", "abs(l - k) <= 3*Delta*(2*xi)"),
                candidates=(point("Delta=1 xi=1 y=2 l=4 k=0"),),
            ),
        ),
    ),
    step(
        "s3",
        "(36) to (38): the quotient is the directional derivative and half of the difference of two remainders over "
        "xi. Encoded: for one record and one direction, without the vector u",
        "((l + xi*s + up) - (l - xi*s + down))/(2*xi) == s + (up - down)/(2*xi)",
        (XI, VALUE, SLOPE, AHEAD, BACK),
        place="Appendix A.6, (36) to (38)",
        printed=r"\langle\nabla\ell_{i}(w),u_{t,k}\rangle u_{t,k}+\frac{\Delta(w,u_{t,k},\xi)-\Delta(w,-u_{t,k},\xi)}"
        r"{2\xi}u_{t,k}",
    ),
    step(
        "s4-each",
        "the four remainders of one record and direction, at x and at y, are at most M xi together",
        "abs(((a - b) - (h - j))/(2*xi)) <= M*xi",
        (SMOOTH, XI, *FOUR),
        given={f"{HERE}/s1": BOUNDS},
        reads=Reads.REASON,
        place="Appendix A.6, (40)",
        argument=(
            Rewrite(left="abs((a - b) - (h - j))/(2*xi)"),
            Scale("2*xi"),
            Combine(
                (
                    ("1", "abs((a - b) - (h - j)) <= abs(a - b) + abs(h - j)"),
                    ("1", "abs(a - b) <= abs(a) + abs(b)"),
                    ("1", "abs(h - j) <= abs(h) + abs(j)"),
                    *(("1", bound) for bound in BOUNDS),
                )
            ),
        ),
        candidates=(point("M=1 xi=1 a=1/2 b=-1/2 h=-1/2 j=1/2"),),
        mutants=(
            mutant(
                "half",
                "half of it",
                "abs(((a - b) - (h - j))/(2*xi)) <= M*xi/2",
                "M=1 xi=1 a=1/2 b=-1/2 h=-1/2 j=1/2",
            ),
        ),
    ),
    step(
        "s4-mean",
        "along one direction the mean over the n records of these is at most M xi in absolute value",
        "abs(sum(i, 1, n, b[i])/n) <= M*xi",
        (SMOOTH, XI, integer("n", "[1, oo)", "number of records"), sequence("b", meaning="b[i]: that of record i")),
        given={f"{HERE}/s4-each": "all(i, 1, n, abs(b[i]) <= M*xi)"},
        reads=Reads.REASON,
        place="Appendix A.6, (40)",
        argument=(
            Have(
                "sum(i, 1, n, b[i]) <= sum(i, 1, n, M*xi)",
                (Termwise((AtIndex("i"), Combine((("1", "abs(b[i]) <= M*xi"), ("1", "b[i] <= abs(b[i])"))))),),
            ),
            Have(
                "sum(i, 1, n, -(b[i])) <= sum(i, 1, n, M*xi)",
                (Termwise((AtIndex("i"), Combine((("1", "abs(b[i]) <= M*xi"), ("1", "-b[i] <= abs(b[i])"))))),),
            ),
            Have("sum(i, 1, n, b[i]) <= n*M*xi", (Combine((("1", "sum(i, 1, n, b[i]) <= sum(i, 1, n, M*xi)"),)),)),
            Have("-sum(i, 1, n, b[i]) <= n*M*xi", (Combine((("1", "sum(i, 1, n, -(b[i])) <= sum(i, 1, n, M*xi)"),)),)),
            Rewrite(left="abs(sum(i, 1, n, b[i]))/n"),
            Scale("n"),
            Name("total", "sum(i, 1, n, b[i])"),
            Cases(
                (
                    (
                        "0 <= total",
                        (
                            Have("abs(total) <= total", (Solve(),)),
                            Combine((("1", "abs(total) <= total"), ("1", "total <= n*M*xi"))),
                        ),
                    ),
                    (
                        "otherwise",
                        (
                            Have("abs(total) <= -total", (Solve(),)),
                            Combine((("1", "abs(total) <= -total"), ("1", "-total <= n*M*xi"))),
                        ),
                    ),
                )
            ),
        ),
        candidates=(point("M=1 xi=1 n=2 b=[1]"),),
        mutants=(mutant("half", "half of it", "abs(sum(i, 1, n, b[i])/n) <= M*xi/2", "M=1 xi=1 n=2 b=[1]"),),
    ),
    step(
        "s4-triangle",
        "the length of a sum of K multiples of unit vectors is at most the sum of the sizes of the multiples; T[k] is "
        "the sum to k",
        "norm(T[K]) <= sum(k, 1, K, abs(r[k]))",
        (integer("K", "[0, oo)"), REMAINDER, vector_sequence("u", "the frame"), vector_sequence("T", "partial sums")),
        (
            "all(k, 0, K - 1, norm(T[k + 1]) <= norm(T[k] + r[k + 1]*u[k + 1]))",
            "all(k, 0, K - 1, norm(u[k + 1]) <= 1)",
            "norm(T[0]) <= 0",
        ),
        reads=Reads.REASON,
        place="Appendix A.6, (40)",
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "K",
                step=(
                    Combine(
                        (
                            ("1", "norm(T[K + 1]) <= norm(T[K] + r[K + 1]*u[K + 1])"),
                            ("1", "norm(T[K] + r[K + 1]*u[K + 1]) <= norm(T[K]) + norm(r[K + 1]*u[K + 1])"),
                            ("abs(r[K + 1])", "norm(u[K + 1]) <= 1"),
                        )
                    ),
                ),
            ),
        ),
        candidates=(point("K=2 r=[0,3,4] u=[(0,0),(1,0),(0,1)] T=[(0,0),(3,0),(3,4)]"),),
        mutants=(
            mutant(
                "half",
                "half of it",
                "norm(T[K]) <= sum(k, 1, K, abs(r[k]))/2",
                "K=2 r=[0,3,4] u=[(0,0),(1,0),(0,1)] T=[(0,0),(3,0),(3,4)]",
            ),
        ),
    ),
    step(
        "s4-sum",
        "K directions: eta/K times the sum of the means times their directions has length at most eta M xi",
        "norm(eta/K*s) <= eta*M*xi",
        (ETA, SMOOTH, XI, K, REMAINDER, vector("s", "the sum of the r[k] u_k")),
        given={f"{HERE}/s4-mean": SMALL, f"{HERE}/s4-triangle": "norm(s) <= sum(k, 1, K, abs(r[k]))"},
        reads=Reads.REASON,
        place="Appendix A.6, (40)",
        argument=(
            Have(
                "sum(k, 1, K, abs(r[k])) <= sum(k, 1, K, M*xi)",
                (Termwise((AtIndex("k"), Combine((("1", "abs(r[k]) <= M*xi"),)))),),
            ),
            Combine(
                (
                    ("eta/K", "norm(s) <= sum(k, 1, K, abs(r[k]))"),
                    ("eta/K", "sum(k, 1, K, abs(r[k])) <= sum(k, 1, K, M*xi)"),
                )
            ),
        ),
        candidates=(point("eta=1 M=1 xi=1 K=2 r=[1] s=(1,1)"), point("eta=1 M=1 xi=1 K=1 r=[1] s=(1,)")),
        mutants=(mutant("half", "half of it", "norm(eta/K*s) <= eta*M*xi/2", "eta=1 M=1 xi=1 K=1 r=[1] s=(1,)"),),
    ),
    step(
        "s4",
        "(40)(a): the triangle inequality with the remainders",
        "norm(v - eta/K*w + e) <= norm(v - eta/K*w) + eta*M*xi",
        (V, W, E, ETA, SMOOTH, XI, K),
        given={f"{HERE}/s4-sum": "norm(e) <= eta*M*xi"},
        place="Appendix A.6, (39) and (40)",
        printed=r"\|(x-y)-\eta(\frac{1}{nK}\sum_{i=1}^{n}\sum_{k=1}^{K}\langle\nabla\ell_{i}(x)-\nabla\ell_{i}(y),"
        r"u_{t,k}\rangle u_{t,k})\|+\eta M\xi",
        argument=(
            Combine(
                (
                    ("1", "norm(v - eta/K*w + e) <= norm(v - eta/K*w) + norm(e)"),
                    ("1", "norm(e) <= eta*M*xi"),
                )
            ),
        ),
        candidates=(point("v=(1,) w=(0,) e=(1,) eta=1 M=1 xi=1 K=1"),),
        mutants=(
            mutant(
                "half",
                "half of the remainder",
                "norm(v - eta/K*w + e) <= norm(v - eta/K*w) + eta*M*xi/2",
                "v=(1,) w=(0,) e=(1,) eta=1 M=1 xi=1 K=1",
            ),
        ),
    ),
)
