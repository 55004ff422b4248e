"""Remarks on the approach: Section 1.4."""

from dpaudit.claims.writing import *

from .symbols import *

INVERSE_RADIUS = "sqrt(d)/(1/sqrt(n) + sqrt(d)/(n*eps))"
ROOTS = Substitute((real("u", "[1, oo)"), real("v", "[1, oo)")), where("n=u**2 d=v**2"), where("u=sqrt(n) v=sqrt(d)"))
RMK_6 = Claim(
    id="resque/RMK-6",
    title="the radius of the private algorithm",
    words="r = eps_opt/sqrt(d) with eps_opt = 1/sqrt(n) + sqrt(d)/(n eps) gives 1/r <= min(sqrt(nd), n eps); and at "
    "least half of it.",
    place=PLACE_APPROACH,
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{INVERSE_RADIUS} <= min(sqrt(n*d), n*eps)", (N, D, DP)),
    argument=(ROOTS, Solve()),
    mutants=(
        mutant("constant", "0.95 of it", f"{INVERSE_RADIUS} <= 0.95*min(sqrt(n*d), n*eps)", "n=10000 d=1 eps=100"),
    ),
    steps=(
        step(
            "half",
            "1/r >= min(sqrt(nd), n eps)/2",
            f"min(sqrt(n*d), n*eps)/2 <= {INVERSE_RADIUS}",
            (N, D, DP),
            argument=(ROOTS, Solve()),
            mutants=(
                mutant("constant", "0.55 of it", f"0.55*min(sqrt(n*d), n*eps) <= {INVERSE_RADIUS}", "n=4 d=4 eps=1"),
            ),
        ),
        step(
            "count",
            "K = r^(-2/3) makes n sqrt(K) = n (1/r)^(1/3): n^(4/3) where 1/r = n",
            "n*sqrt(n**(2/3)) == n**(4/3)",
            (N,),
        ),
    ),
)

RMK_7 = Claim(
    id="resque/RMK-7",
    title="fewer gradients in low dimension (footnote)",
    words="With 1/r = sqrt(nd), K = (nd)^(1/3), the total of sqrt(nd)/(eps sqrt(K)) gradients a subproblem is "
    "(nd)^(2/3)/eps.",
    place=f"{PLACE_APPROACH}, footnote 4",
    kind=ClaimKind.IDENTITY,
    statement=Statement("sqrt(n*d)/(eps*sqrt((n*d)**(1/3)))*(n*d)**(1/3) == (n*d)**(2/3)/eps", (N, D, DP)),
    argument=(Identical(),),
    steps=(
        direction(
            "regime",
            "1/r = sqrt(nd) is the smaller bound for d <= n eps^2",
            "sqrt(n*d) <= n*eps",
            (N, D, DP),
            NO_COST,
            (Solve(),),
            ("half of it", "sqrt(n*d) <= n*eps/2"),
        ),
        direction(
            "regime-converse",
            "only then",
            NO_COST,
            (N, D, DP),
            "sqrt(n*d) <= n*eps",
            (Solve(),),
            ("2d <= n eps^2", "2*d <= n*eps**2"),
        ),
        direction(
            "fewer",
            "and there sqrt(nd)/(eps sqrt(K)) <= n/sqrt(K)",
            "sqrt(n*d)/(eps*sqrt(K)) <= n/sqrt(K)",
            (N, D, DP, SHARE),
            NO_COST,
            (Scale("eps*sqrt(K)"), Rewrite(left="sqrt(n*d)", right="n*eps"), Solve()),
            ("half of it", "sqrt(n*d)/(eps*sqrt(K)) <= n/(2*sqrt(K))"),
        ),
    ),
)

RMK_8 = Claim(
    id="resque/RMK-8",
    title="the smoothing radius for error eps",
    words="Smoothing a 1-Lipschitz function with deviation eps/sqrt(d) changes it by at most eps.",
    place=PLACE_APPROACH,
    kind=ClaimKind.IDENTITY,
    statement=Statement("eps/sqrt(d)*sqrt(d) == eps", (OPT, D)),
    argument=(Identical(),),
    mutants=(Mutant("radius", "radius eps", "eps*sqrt(d) == eps"),),
    rests_on=("resque/CONV",),
)

SGD = "1/(2*eta*T) + eta/2"
RMK_9 = Claim(
    id="resque/RMK-9",
    title="gradient descent needs eps^-2 queries",
    words="With L = R = 1 and eta = 1/sqrt(T) the error bound 1/(2 eta T) + eta/2 of T steps is at most eps for T >= "
    "eps^-2.",
    place="Section 1",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        SGD.replace("eta", "(1/sqrt(T))") + " <= eps", (real("T", "[1, oo)", "steps"), OPT), ("1/eps**2 <= T",)
    ),
    argument=(Solve(),),
    mutants=(
        Mutant("queries", "T >= eps^-2/2", conditions=("1/(2*eps**2) <= T",), candidates=(point("T=2 eps=1/2"),)),
    ),
    steps=(
        step(
            "best",
            "no step size makes the bound smaller than 1/sqrt(T)",
            f"1/sqrt(T) <= {SGD}",
            (real("T", "[1, oo)"), positive("eta")),
            argument=(
                Scale("2*eta*T"),
                Rewrite(left="2*eta*sqrt(T)", right="1 + (eta*sqrt(T))**2"),
                Combine(terms=(("1", "0 <= (1 - eta*sqrt(T))**2"),)),
            ),
            mutants=(Mutant("constant", "1.1/sqrt(T)", f"1.1/sqrt(T) <= {SGD}"),),
        ),
    ),
)

THETA = real("theta", "(0, 1)", "r/|x - x*|")
LEVEL = "lam*dot(x - xn, xs - xn) <= F_star - F_new"
RMK_10 = Claim(
    id="resque/RMK-10",
    title="plain ball iteration against ball acceleration",
    words="Minimising over balls of radius r again and again, from distance R, reduces the gap by a factor kappa in "
    "(R/r) log(kappa) "
    "calls: keep^N <= 1/kappa for N >= log(kappa)/(1 - keep), keep = 1 - r/R. (That (R/r)^(2/3) is optimal is quoted.)",
    place=PLACE_APPROACH,
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        "keep**N <= 1/kappa",
        (real("keep", "(0, 1]", "1 - r/R"), positive("N"), real("kappa", "[1, oo)")),
        ("log(kappa) <= N*(1 - keep)",),
    ),
    argument=(
        Logarithm(),
        Rewrite(left="N*log(keep)", right="-log(kappa)"),
        Bound(
            left="N*(keep - 1)",
            argument=(Scale("1/N"), Rewrite(left="log(keep)", right="keep - 1"), Tangent("keep", "1")),
        ),
        Combine(terms=(("1", "log(kappa) <= N*(1 - keep)"),)),
    ),
    rests_on=("resque/RMK-10/gap", "resque/RMK-10/distance"),
    candidates=(point("keep=1/2 N=2 kappa=2"),),
    mutants=(
        Mutant(
            "calls",
            "half as many calls",
            conditions=("log(kappa)/2 <= N*(1 - keep)",),
            candidates=(point("keep=99/100 N=60 kappa=3"),),
        ),
    ),
    steps=(
        step(
            "gap",
            "one call: F(x') - F* <= (1 - theta)(F(x) - F*), as x + theta (x* - x) is in the ball and F is convex",
            "F_new - F_star <= (1 - theta)*(F - F_star)",
            (THETA, *(real(n) for n in ("F", "F_new", "F_star", "F_point"))),
            ("F_new <= F_point", "F_point <= (1 - theta)*F + theta*F_star"),
            argument=(Combine(terms=(("1", "F_new <= F_point"), ("1", "F_point <= (1 - theta)*F + theta*F_star"))),),
            kind=ClaimKind.IMPLICATION,
            candidates=(point("theta=1/2 F=2 F_new=1 F_star=0 F_point=1"),),
            mutants=(Mutant("factor", "the square of the factor", "F_new - F_star <= (1 - theta)**2*(F - F_star)"),),
        ),
        step(
            "distance",
            "and the distance to x* does not grow: lambda (x - x') is a subgradient at x' for some lambda > 0",
            "dot(xn - xs, xn - xs) <= dot(x - xs, x - xs) - dot(x - xn, x - xn)",
            (positive("lam"), real("F_new"), real("F_star"), vector("x"), vector("xn"), vector("xs")),
            (LEVEL, "F_star <= F_new"),
            argument=(Combine(terms=(("2/lam", LEVEL), ("2/lam", "F_star <= F_new"))),),
            kind=ClaimKind.IMPLICATION,
            rests_on=("first-order-optimality",),
            candidates=(
                point("lam=1 F_new=1 F_star=0 x=(2,) xn=(1,) xs=(0,)"),
                point("lam=1 F_new=1 F_star=0 x=(102,) xn=(101,) xs=(100,)"),
                point("lam=1 F_new=0 F_star=0 x=(2,) xn=(0,) xs=(0,)"),
            ),
            mutants=(
                Mutant(
                    "twice",
                    "twice the squared movement",
                    "dot(xn - xs, xn - xs) <= dot(x - xs, x - xs) - 2*dot(x - xn, x - xn)",
                ),
            ),
        ),
        step(
            "fewer",
            "(R/r)^(2/3) <= R/r",
            "q**(2/3) <= q",
            (real("q", "[1, oo)", "R/r"),),
            argument=(Substitute((real("u", "[1, oo)"),), where("q=u**3"), where("u=q**(1/3)")), Solve()),
            mutants=(Mutant("power", "q^(1/2) on the right", "q**(2/3) <= q**(1/2)"),),
        ),
    ),
)
