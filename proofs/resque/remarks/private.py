"""Remarks on the private results: Section 1.2 and Table 2."""

from dpaudit.claims.writing import *

from .symbols import *

CUBES = Substitute(
    (real("u", "[1, oo)"), real("v", "[1, oo)"), positive("w")),
    where("n=u**3 d=v**3 eps=w**3"),
    where("u=n**(1/3) v=d**(1/3) w=eps**(1/3)"),
)
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
