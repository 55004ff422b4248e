"""The printed proof of Lemma 3.7, appendix A.6. The remainder Delta(w, u, xi) is that of one record, which (37) and
(38) leave out; xi > 0, since they divide by it."""

from dpaudit.claims.writing import *

from .symbols import *

SEGMENT = "integral(z, 0, 1, M*(z*xi)*xi)"
VALUE, SLOPE = real("l", meaning="loss at w"), real("s", meaning="<grad l(w), u>")
AHEAD, BACK = real("up", meaning="remainder along u"), real("down", meaning="remainder along -u")
FOUR = tuple(real(name) for name in ("a", "b", "h", "j"))
BOUNDS = tuple(f"abs({s.name}) <= M*xi**2/2" for s in FOUR)
IMAGE = "(v - eta/K*g)"
LINEAR = (
    ("1", f"dot(q, q) == dot({IMAGE}, q)"),
    ("-2", "dot(p, q) == dot(v, q)"),
    ("2*eta/K", "dot(w, q) == dot(g, q)"),
    ("1", f"dot(p, {IMAGE}) == dot(v, q)"),
    ("-eta/K", f"dot(w, {IMAGE}) == dot(g, q)"),
    ("1", "dot(p, p) == dot(v, p)"),
    ("(eta/K)**2", "dot(w, w) == dot(g, w)"),
    ("eta/K", "dot(p, g) == dot(v, w)"),
    ("-2*eta/K", "dot(p, w) == dot(v, w)"),
)

FIRST = (
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
        "(36) to (38): the quotient is the directional derivative and half of the difference of two remainders over xi",
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
        "s4-sum",
        "K directions: eta/K times the sum of their sizes is at most eta M xi",
        "eta/K*sum(k, 1, K, abs(r[k])) <= eta*M*xi",
        (ETA, SMOOTH, XI, K, REMAINDER),
        given={f"{HERE}/s4-each": SMALL},
        place="Appendix A.6, (40)",
        argument=(
            Rewrite(left="eta/K*sum(k, 1, K, abs(r[k]))", right="eta/K*sum(k, 1, K, M*xi)"),
            Have(
                "sum(k, 1, K, abs(r[k])) <= sum(k, 1, K, M*xi)",
                (Termwise((AtIndex("k"), Combine((("1", "abs(r[k]) <= M*xi"),)))),),
            ),
            Combine((("eta/K", "sum(k, 1, K, abs(r[k])) <= sum(k, 1, K, M*xi)"),)),
        ),
        candidates=(point("eta=1 M=1 xi=1 K=2 r=[1]"),),
        mutants=(
            mutant("root", "eta M xi/2", "eta/K*sum(k, 1, K, abs(r[k])) <= eta*M*xi/2", "eta=1 M=1 xi=1 K=1 r=[1]"),
        ),
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
SECOND = (
    step(
        "s5",
        "(41)(a): what lies across the frame and what lies in its span are orthogonal",
        "norm(v - eta/K*w)**2 == norm(v - p)**2 + norm(p - eta/K*w)**2",
        (V, G, P, W, ETA, K),
        projected_by(("v", "p"), ("g", "w")),
        place="Appendix A.6, (41)(a)",
        printed=r"\|(x-y)-\sum_{k=1}^{K}\langle x-y,u_{t,k}\rangle u_{t,k}\|^{2}+\|\sum_{k=1}^{K}\langle x-y,u_{t,k}"
        r"\rangle u_{t,k}-\tilde{\eta}\sum_{k=1}^{K}\langle\nabla\bar{\ell}(x)-\nabla\bar{\ell}(y),u_{t,k}\rangle "
        r"u_{t,k}\|^{2}",
        argument=(Combine((("-2", "dot(p, p) == dot(v, p)"), ("2*eta/K", "dot(p, w) == dot(v, w)"))),),
        candidates=(point("v=(1,1) g=(1,0) p=(1,0) w=(1,0) eta=1 K=1"),),
        mutants=(
            mutant(
                "factor",
                "twice the second part",
                "norm(v - eta/K*w)**2 == norm(v - p)**2 + 2*norm(p - eta/K*w)**2",
                "v=(1,1) g=(1,0) p=(1,0) w=(1,0) eta=2 K=1",
            ),
        ),
    ),
    step(
        "s6",
        "the line after it: P(x - y) - (eta/K) P g is P(phi(x) - phi(y))",
        "norm(q - (p - eta/K*w))**2 <= 0",
        (V, G, P, Q, W, ETA, K),
        projected_by(("v", "p"), ("g", "w"), ("(v - eta/K*g)", "q")),
        place="Appendix A.6, (41), the line after (a)",
        printed=r"\|\sum_{k=1}^{K}\langle\phi(x)-\phi(y),u_{t,k}\rangle u_{t,k}\|^{2}",
        argument=(Combine(LINEAR),),
        candidates=(point("v=(1,1) g=(1,0) p=(1,0) q=(0,0) w=(1,0) eta=1 K=1"),),
        mutants=(
            mutant(
                "sign",
                "+ eta/K",
                "norm(q - (p + eta/K*w))**2 <= 0",
                "v=(1,1) g=(1,0) p=(1,0) q=(0,0) w=(1,0) eta=1 K=1",
            ),
        ),
    ),
    step(
        "s7",
        "(b): the shares of x - y and of phi(x) - phi(y) in the span are the sums of upsilon_k and of gamma_k",
        "norm(v - p)**2 + norm(q)**2 == (1 - ups)*norm(v)**2 + gam*norm(f)**2",
        (V, F, P, Q, UPSILON, GAMMA),
        (*IN_SPAN, *SHARES),
        place="Appendix A.6, (41)(b)",
        printed=r"(1-\sum_{k=1}^{K}\upsilon_{k})\|x-y\|^{2}+(\sum_{k=1}^{K}\gamma_{k})\|\phi(x)-\phi(y)\|^{2}",
        argument=(Combine((("-1", SHARES[0]), ("1", SHARES[1]), ("2", "dot(p, p) == dot(v, p)"))),),
        candidates=(point("v=(1,1) f=(1,0) p=(1,0) q=(1,0) ups=1/2 gam=1"),),
        mutants=(
            mutant(
                "sign",
                "1 + ups",
                "norm(v - p)**2 + norm(q)**2 == (1 + ups)*norm(v)**2 + gam*norm(f)**2",
                "v=(1,1) f=(1,0) p=(1,0) q=(1,0) ups=1/2 gam=1",
            ),
        ),
    ),
    step(
        "s8",
        "(c): phi is c-Lipschitz",
        "(1 - ups)*norm(v)**2 + gam*norm(f)**2 <= (1 - ups + c**2*gam)*norm(v)**2",
        (V, F, UPSILON, GAMMA, LIPSCHITZ),
        ("norm(f) <= c*norm(v)",),
        place="Appendix A.6, (41)(c)",
        printed=r"(1-\sum_{k=1}^{K}\upsilon_{k}+c^{2}\sum_{k=1}^{K}\gamma_{k})\|x-y\|^{2}",
        argument=(
            Have("norm(f)**2 <= (c*norm(v))**2", (Power("1/2"), Combine((("1", "norm(f) <= c*norm(v)"),)))),
            Combine((("gam", "norm(f)**2 <= (c*norm(v))**2"),)),
        ),
        candidates=(point("v=(2,) f=(1,) ups=1/2 gam=1/2 c=1/2"),),
        mutants=(
            mutant(
                "power",
                "c for its square",
                "(1 - ups)*norm(v)**2 + gam*norm(f)**2 <= (1 - ups + c*gam)*norm(v)**2",
                "v=(1,) f=(2,) ups=0 gam=1 c=2",
            ),
        ),
    ),
)
STEPS = (*FIRST, *SECOND)
