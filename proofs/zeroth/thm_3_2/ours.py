"""The repaired proof of Theorem 3.2, and what the theorem says in small cases."""

from dpaudit.claims.writing import *

from .symbols import *

IMAGE, PIMAGE = vector("f", "phi(x) - phi(y)"), vector("Pf", "its projection")
REST = vector("r", "the rest of the Taylor terms, in the span")
KEPT, TURNED = "(1 - e)*K/d*norm(x)**2 <= norm(Px)**2", "norm(Pf)**2 <= (1 + e)*K/d*norm(f)**2"
SQUARE = "(1 - (1 - c**2)*K/d + e*(1 + c**2)*K/d)"
PROJECTIONS = projected_by(("x", "Px"), ("f", "Pf"))
BACK, AFTER = vector("h", "the shift of a step"), vector("s", "its part that undoes the change of the data")
PART, PPART = vector("g", "its part that shortens the distance"), vector("Pg", "the projection of that part")
BOTH = positive("along", "sigma_{1,t}^2"), positive("across", "sigma_{2,t}^2")
DIST = sequence("dist", "[0, oo)", "|X_t - Y_t|")

OURS = (
    step(
        "pair",
        "one pair of points on the event whose failure Lemma 3.8 bounds, x - y and phi(x) - phi(y) in the place of A "
        "and B, phi c-Lipschitz: I - P of the first and P of the second, which is what psi makes of it but for the "
        "rest of the Taylor terms, are at most c_1 |x - y|",
        "norm(x - Px + Pf) <= c_1*norm(x)",
        (DIRECTIONS, DIMENSION, CONTRACTION, SLACK, C_1, X, PX, IMAGE, PIMAGE),
        (f"c_1**2 == {SQUARE}", *PROJECTIONS, "norm(f)**2 <= c**2*norm(x)**2"),
        ours=(KEPT, TURNED),
        rests_on=("zeroth/LEM-3.8",),
        kind=ClaimKind.INEQUALITY,
        argument=(
            Power("2"),
            Rewrite(left="norm(x)**2 - 2*dot(x, Px) + norm(Px)**2 + norm(Pf)**2 + 2*dot(x, Pf) - 2*dot(Px, Pf)"),
            Combine(
                (
                    ("norm(x)**2", f"c_1**2 == {SQUARE}"),
                    ("1", KEPT),
                    ("1", TURNED),
                    ("(1 + e)*K/d", "norm(f)**2 <= c**2*norm(x)**2"),
                    ("2", "dot(Px, Px) == dot(x, Px)"),
                    ("2", "dot(Px, Pf) == dot(x, Pf)"),
                )
            ),
        ),
        candidates=tuple(
            point(f"K=1 d=2 c=1 e=0 c_1=1 {text}")
            for text in (
                "x=(1,1) Px=(1,0) f=(1,1) Pf=(1,0)",
                "x=(1,0) Px=(-1,0) f=(0,0) Pf=(0,0)",
                "x=(1,1) Px=(1,0) f=(1,1) Pf=(0,1)",
                "x=(1,1) Px=(1,0) f=(7/5,0) Pf=(7/5,0)",
            )
        ),
        mutants=(
            mutant(
                "small",
                "9/10 of it",
                "norm(x - Px + Pf) <= 9/10*c_1*norm(x)",
                "K=1 d=2 c=1 e=0 c_1=1 x=(1,1) Px=(1,0) f=(1,1) Pf=(1,0)",
            ),
        ),
    ),
    step(
        "shrink",
        "a coupled step: of the length |psi(X_t) - psi(Y_t)|, at most c_1 |X_t - Y_t| + c_2, the part of the shift "
        "along it takes a_t or all of it, and the projection onto the ball adds nothing, so that at most "
        "max(c_1 |X_t - Y_t| + c_2 - a_t, 0) is left",
        "left <= max(c_1*before + c_2 - a, 0)",
        (
            *(C_1, C_2, real("a", "[0, oo)", "a_t")),
            real("before", "[0, oo)", "|X_t - Y_t|"),
            real("linear", "[0, oo)", "the same without the rest of the Taylor terms"),
            real("length", "[0, oo)", "|psi(X_t) - psi(Y_t)|"),
            real("left", "[0, oo)", "|X_(t+1) - Y_(t+1)|"),
        ),
        ours=("left <= length - min(a, length)",),
        given={f"{HERE}/pair": "linear <= c_1*before", "zeroth/LEM-3.7/s4": "length <= linear + c_2"},
        argument=(
            Cases(
                (
                    (
                        "a <= length",
                        (
                            Have("a <= min(a, length)", (Solve(),)),
                            Combine(
                                (
                                    ("1", "left <= length - min(a, length)"),
                                    ("1", "a <= min(a, length)"),
                                    ("1", "length <= linear + c_2"),
                                    ("1", "linear <= c_1*before"),
                                    ("1", "c_1*before + c_2 - a <= max(c_1*before + c_2 - a, 0)"),
                                )
                            ),
                        ),
                    ),
                    (
                        "otherwise",
                        (
                            Have("length <= min(a, length)", (Solve(),)),
                            Combine(
                                (
                                    ("1", "left <= length - min(a, length)"),
                                    ("1", "length <= min(a, length)"),
                                    ("1", "0 <= max(c_1*before + c_2 - a, 0)"),
                                )
                            ),
                        ),
                    ),
                )
            ),
        ),
        candidates=(point("c_1=1 c_2=0 a=1 before=2 linear=2 length=2 left=1"),),
        mutants=(Mutant("twice", "2 a in place of a", "left <= max(c_1*before + c_2 - 2*a, 0)"),),
    ),
    step(
        "meet",
        "with the recursion of the proof the two runs stay within z_t of each other, if they are so at tau; at T they "
        "are equal, since z_T = 0",
        "dist[N] <= z[N]",
        (WINDOW, C_1, C_2, SHIFTS, DISTANCES, DIST),
        ("dist[0] <= z[0]", PROOF_RECURSION),
        given={f"{HERE}/shrink": SHORTER},
        kind=ClaimKind.INDUCTION,
        argument=(Induct("N"),),
        candidates=(point("N=1 c_1=1 c_2=0 a=[1] z=[2,1] dist=[2,1]"),),
        mutants=(
            mutant("half", "half of it", "dist[N] <= z[N]/2", "N=1 c_1=1 c_2=0 a=[1] z=[2,1] dist=[2,1]"),
            Mutant(
                "display",
                "the recursion of the display",
                conditions=(
                    "dist[0] <= z[0]",
                    "all(t, 1, N, c_1*z[t - 1] == z[t] + a[t] - c_2)",
                    SHORTER,
                ),
                candidates=(point("N=1 c_1=1 c_2=0 a=[0,2] z=[2,0] dist=[2,2]"),),
                own_sentence=True,
            ),
        ),
    ),
    step(
        "noise",
        "what the shift h = s + g of a step costs: with s and the part Pg of g in the span, where the noise has the "
        "variance sigma_1^2 + sigma_2^2, and g - Pg across it, where it has sigma_2^2, at most alpha/2 times "
        "|s|^2/sigma_1^2 + |g|^2/sigma_2^2",
        "norm(s + Pg)**2/(along + across) + norm(g - Pg)**2/across <= norm(s)**2/along + norm(g)**2/across",
        (*BOTH, AFTER, PART, PPART),
        projected_by(("g", "Pg")),
        kind=ClaimKind.DIVERGENCE,
        argument=(
            Scale("along*across*(along + across)"),
            Rewrite(
                left="along*across*norm(s + Pg)**2 + along*(along + across)*(norm(g)**2 - 2*dot(g, Pg) + norm(Pg)**2)"
            ),
            Combine(
                (
                    ("1", "0 <= norm(across*s - along*Pg)**2"),
                    ("2*along*(along + across)", "dot(Pg, Pg) == dot(g, Pg)"),
                )
            ),
        ),
        candidates=(point("along=1 across=1 s=(1,0) g=(1,0) Pg=(1,0)"),),
        mutants=(
            mutant(
                "part",
                "9/10 of it",
                "norm(s + Pg)**2/(along + across) + norm(g - Pg)**2/across <= 9/10*(norm(s)**2/along + "
                "norm(g)**2/across)",
                "along=1 across=1 s=(1,0) g=(1,0) Pg=(1,0)",
            ),
        ),
    ),
    step(
        "data",
        "the part that undoes the change of the data: K directions, each moved by at most 2 Delta eta/(n K), that is a "
        "vector of length at most 2 Delta eta/(n sqrt(K))",
        "sum(k, 1, K, m[k]**2) <= (2*Delta*eta/n)**2/K",
        (ETA, CLIP, RECORDS, DIRECTIONS, sequence("m", meaning="m[k]: how far direction k moves")),
        given={f"{HERE}/s4": "all(k, 1, K, m[k]**2 <= (2*Delta*eta/(n*K))**2)"},
        rests_on=("zeroth/LEM-3.7/orthonormal",),
        kind=ClaimKind.SENSITIVITY,
        argument=(
            Have(
                "sum(k, 1, K, m[k]**2) <= sum(k, 1, K, (2*Delta*eta/(n*K))**2)",
                (Termwise((AtIndex("k"), Combine((("1", "m[k]**2 <= (2*Delta*eta/(n*K))**2"),)))),),
            ),
            Combine((("1", "sum(k, 1, K, m[k]**2) <= sum(k, 1, K, (2*Delta*eta/(n*K))**2)"),)),
        ),
        candidates=(point("eta=1 Delta=1 n=1 K=2 m=[0,1,1]"),),
        mutants=(mutant("half", "half of it", "sum(k, 1, K, m[k]**2) <= (2*Delta*eta/n)**2/(2*K)"),),
    ),
)
