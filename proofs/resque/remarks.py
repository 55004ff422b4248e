"""The quantitative remarks of the introduction, RMK-1 to RMK-10: regimes and exponents.

Constants and logarithms are 1, as in the paper. A regime is an equivalence, so that both directions are proved: where a
power of n, d and eps is compared a substitution such as n = u^3 makes it polynomial. For RMK-3 the exponents of n are
compared with d = n^a. All ten hold as printed.

Two remarks on the words. "Near-linear for n >= d^2 eps^-3" (RMK-2) is sufficient, not necessary: the second bound of
the minimum, n^(4/3) eps^(1/3), is at most n for eps <= 1/n. And min(n^(4/3), (nd)^(2/3)), to which the overview equates
n sqrt(K), is n sqrt(K) only for d >= n (RMK-6); below, the cheaper subproblems of footnote 4 give (nd)^(2/3) (RMK-7).
"""

from dpaudit.claims.writing import *

N, D = real("n", "[1, oo)", "samples"), real("d", "[1, oo)", "dimension")
DP, OPT = positive("eps", "eps_dp"), real("eps", "(0, 1]", "eps_opt, L = R = 1")
SHARE = real("K", "[1, oo)", "number of subproblems")


def direction(name, words, expression, symbols, condition, argument, mutant, candidates=()):
    """One direction of an equivalence."""
    return Step(
        name,
        words,
        Statement(expression, symbols, (condition,)),
        argument=argument,
        kind=ClaimKind.IMPLICATION,
        candidates=candidates,
        mutants=(Mutant("regime", *mutant),),
    )


CUBES = Substitute(
    (real("u", "[1, oo)"), real("v", "[1, oo)"), positive("w")),
    where("n=u**3 d=v**3 eps=w**3"),
    where("u=n**(1/3) v=d**(1/3) w=eps**(1/3)"),
)
TWELFTHS = Substitute(
    (real("u", "[1, oo)"), real("w", "(0, 1]")), where("d=u**12 eps=w**3"), where("u=d**(1/12) w=eps**(1/3)")
)
PLACE_PARALLEL, PLACE_PRIVATE, PLACE_APPROACH = "Section 1.1 and Table 1", "Section 1.2 and Table 2", "Section 1.4"

PRIVACY_COST, NO_COST = "sqrt(d)/(n*eps) <= 1/sqrt(n)", "d <= n*eps**2"
RMK_1 = Claim(
    id="resque/RMK-1",
    title="the cost of privacy in the optimal error (1)",
    words="For n >= d/eps^2 the privacy term sqrt(d)/(n eps) is at most 1/sqrt(n); and only then.",
    place=PLACE_PRIVATE,
    kind=ClaimKind.IMPLICATION,
    statement=Statement(PRIVACY_COST, (N, D, DP), (NO_COST,)),
    argument=(Solve(),),
    mutants=(Mutant("regime", "n >= d/eps", conditions=("d <= n*eps",)),),
    steps=(
        direction(
            "converse", "only then", NO_COST, (N, D, DP), PRIVACY_COST, (Solve(),), ("2d <= n eps^2", "2*d <= n*eps**2")
        ),
    ),
)

LINEAR, SUFFICIENT = "(n*d)**(2/3)/eps <= n", "d**2/eps**3 <= n"
RMK_2 = Claim(
    id="resque/RMK-2",
    title="near-linear number of gradients",
    words="For n >= d^2 eps^-3 the term (nd)^(2/3)/eps is at most n; and only then.",
    place=PLACE_PRIVATE,
    kind=ClaimKind.IMPLICATION,
    statement=Statement(LINEAR, (N, D, DP), (SUFFICIENT,)),
    argument=(CUBES, Solve()),
    mutants=(
        Mutant("regime", "n >= d^2 eps^-2", conditions=("d**2/eps**2 <= n",), candidates=(point("n=4 d=1 eps=1/2"),)),
    ),
    steps=(
        direction(
            "converse",
            "only then",
            SUFFICIENT,
            (N, D, DP),
            LINEAR,
            (CUBES, Solve()),
            ("2 d^2 eps^-3 <= n", "2*d**2/eps**3 <= n"),
        ),
        direction(
            "total",
            "then the number of gradients of Theorem 4 is at most 2n",
            "min(n, n**2*eps**2/d) + min((n*d)**(2/3)/eps, n**(4/3)*eps**(1/3)) <= 2*n",
            (N, D, DP),
            LINEAR,
            (
                Combine(
                    terms=(
                        ("1", "min(n, n**2*eps**2/d) <= n"),
                        ("1", "min((n*d)**(2/3)/eps, n**(4/3)*eps**(1/3)) <= (n*d)**(2/3)/eps"),
                        ("1", LINEAR),
                    )
                ),
            ),
            ("n/2 in place of 2n", "min(n, n**2*eps**2/d) + min((n*d)**(2/3)/eps, n**(4/3)*eps**(1/3)) <= n/2"),
        ),
        direction(
            "elsewhere",
            "it is also near-linear for eps <= 1/n, where n^(4/3) eps^(1/3) <= n",
            "n**(4/3)*eps**(1/3) <= n",
            (N, DP),
            "eps <= 1/n",
            (
                Substitute(
                    (real("u", "[1, oo)"), positive("w")), where("n=u**3 eps=w**3"), where("u=n**(1/3) w=eps**(1/3)")
                ),
                Solve(),
            ),
            ("half of n", "n**(4/3)*eps**(1/3) <= n/2"),
            (point("n=8 eps=1/8"),),
        ),
    ),
)

EXPONENT = real("a", "[0, 2]", "log(d)/log(n)")
OURS = "max(min(1, 2 - a), min(2/3*(1 + a), 4/3))"
BEFORE = "min(min(3/2, 2 - a/2), min(5/4 + a/8, 3/2 - a/8))"
RMK_3 = Claim(
    id="resque/RMK-3",
    title="fewer gradients than before for d below n^(4/3)",
    words="With eps = 1 and d = n^a, a <= 2, the exponent of n in the number of gradients of Theorem 4 is below "
    "those of AFKT21 and "
    "KLL21 if a < 4/3; and only then.",
    place=f"{PLACE_PRIVATE}; Figure 1",
    kind=ClaimKind.IMPLICATION,
    statement=Statement(f"{OURS} < {BEFORE}", (EXPONENT,), ("a < 4/3",)),
    argument=(Solve(),),
    mutants=(Mutant("regime", "a < 3/2", conditions=("a < 3/2",), candidates=(point("a=7/5"),)),),
    steps=(
        direction(
            "converse",
            "only then",
            "a < 4/3",
            (EXPONENT,),
            f"{OURS} < {BEFORE}",
            (Solve(),),
            ("a < 1", "a < 1"),
            (point("a=5/4"),),
        ),
    ),
)

DEPTH, SMOOTHED, LOW = "d**(1/3)*eps**(-2/3)", "d**(1/4)/eps", "eps <= d**(-1/4)"
RMK_4 = Claim(
    id="resque/RMK-4",
    title="the regime of the parallel algorithms",
    words="For eps <= d^(-1/4) the depth d^(1/3) eps^(-2/3) is at most the d^(1/4)/eps of DBW12; and only then. The "
    "same holds for the "
    "eps^-2 of gradient descent (queries, queries-converse), and cutting planes, d, are deeper for eps >= 1/d.",
    place=PLACE_PARALLEL,
    kind=ClaimKind.IMPLICATION,
    statement=Statement(f"{DEPTH} <= {SMOOTHED}", (D, OPT), (LOW,)),
    argument=(TWELFTHS, Solve()),
    mutants=(
        Mutant("regime", "eps <= 2 d^(-1/4)", conditions=("eps <= 2*d**(-1/4)",), candidates=(point("d=16 eps=3/4"),)),
    ),
    steps=(
        direction(
            "converse",
            "only then",
            LOW,
            (D, OPT),
            f"{DEPTH} <= {SMOOTHED}",
            (TWELFTHS, Solve()),
            ("eps <= d^(-1/4)/2", "eps <= d**(-1/4)/2"),
            (point("d=16 eps=2/5"),),
        ),
        direction(
            "queries",
            "d^(1/3) eps^(-2/3) <= eps^-2 in the same regime",
            f"{DEPTH} <= eps**(-2)",
            (D, OPT),
            LOW,
            (TWELFTHS, Solve()),
            ("eps^-1 in place of eps^-2", f"{DEPTH} <= eps**(-1)"),
            (point("d=16 eps=2/5"),),
        ),
        direction(
            "queries-converse",
            "only then",
            LOW,
            (D, OPT),
            f"{DEPTH} <= eps**(-2)",
            (TWELFTHS, Solve()),
            ("eps <= d^(-1/4)/2", "eps <= d**(-1/4)/2"),
            (point("d=16 eps=2/5"),),
        ),
        direction(
            "cutting-planes",
            "d^(1/3) eps^(-2/3) <= d for eps >= 1/d",
            f"{DEPTH} <= d",
            (D, OPT),
            "1/d <= eps",
            (TWELFTHS, Solve()),
            ("half of d", f"{DEPTH} <= d/2"),
            (point("d=16 eps=1/16"),),
        ),
        direction(
            "cutting-planes-converse",
            "only then",
            "1/d <= eps",
            (D, OPT),
            f"{DEPTH} <= d",
            (TWELFTHS, Solve()),
            ("2/d <= eps", "2/d <= eps"),
            (point("d=16 eps=1/10"),),
        ),
        step(
            "regime",
            "the regime [1/d, d^(-1/4)] is not empty",
            "1/d <= d**(-1/4)",
            (D,),
            argument=(Substitute((real("u", "[1, oo)"),), where("d=u**4"), where("u=d**(1/4)")), Solve()),
            kind=ClaimKind.NON_VACUITY,
            mutants=(Mutant("half", "2/d", "2/d <= d**(-1/4)"),),
        ),
    ),
)

RMK_5 = Claim(
    id="resque/RMK-5",
    title="budget of the private algorithm (3)",
    words="n/sqrt(K) gradients for each of K subproblems are n sqrt(K).",
    place=PLACE_APPROACH,
    kind=ClaimKind.IDENTITY,
    statement=Statement("n/sqrt(K)*K == n*sqrt(K)", (N, SHARE)),
    argument=(Identical(),),
    mutants=(Mutant("share", "n/K gradients for each", "n/K*K == n*sqrt(K)"),),
    steps=(
        step(
            "privacy",
            "a budget of eps, amplified by 1/sqrt(K) and composed to sqrt(K) of it, is eps",
            "eps*(1/sqrt(K))*sqrt(K) == eps",
            (DP, SHARE),
        ),
    ),
)

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
CLAIMS = (RMK_1, RMK_2, RMK_3, RMK_4, RMK_5, RMK_6, RMK_7, RMK_8, RMK_9, RMK_10)
