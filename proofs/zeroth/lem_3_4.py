"""Lemma 3.4: shift reduction (Feldman, Mironov, Talwar and Thakurta 2018; Altschuler and Talwar 2022).

Let X ~ mu, and U ~ mu' no further than z + a from X with D_alpha(mu' || nu) close to D_alpha^(z+a)(mu || nu). A part of
U - X of length at most z moves X + noise to a law that W_oo allows, and the rest r, of length at most a (`s1`), is
given to the noise: X + part + noise = U + (noise - r). The pair (U, noise - r) is as far from (Y, noise) as U from Y
and a shifted Gaussian, for each U, from one that is not (`s2`); adding up the two coordinates is a map.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-3.4"
ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
SHIFT, ALLOWED = real("a", "[0, oo)", "shift of the noise"), real("z", "[0, oo)", "shift that is allowed")
S, V, XI = vector("s", "U - X"), vector("v", "the shift"), gaussian("xi", "sigma", "the noise")
LENGTH = real("r", "[0, oo)", "length of the rest")
BEFORE, REST = real("before", "[0, oo)", "D_alpha(mu' || nu)"), real("rest", "[0, oo)", "that of the noise given U")
PAIR, AFTER = real("pair", "[0, oo)", "that of (U, noise)"), real("after", "[0, oo)", "that of the sum")
COST = "alpha*a**2/(2*sigma**2)"
RULES = (
    *gaussian_renyi("rest", "alpha", "r", "sigma"),
    *composed("pair", "before", "rest"),
    *processed("after", "pair"),
)
RATIO = "exp((2*dot(xi, v) - dot(v, v))/(2*sigma**2))"
PLAIN = point("alpha=2 a=1 r=1 sigma=1 before=1 rest=1 pair=2 after=2")

CLAIM = Claim(
    id=HERE,
    title="a shift of length a costs alpha a^2/(2 sigma^2) of Renyi divergence under Gaussian noise",
    words=(
        "For laws mu, nu on R^d, alpha > 1 and a, z >= 0: D_alpha^(z)(mu * N(0, sigma^2 I) || nu * N(0, sigma^2 I)) <= "
        "D_alpha^(z+a)(mu || nu) + alpha a^2/(2 sigma^2). Encoded: `before` is D_alpha(mu' || nu) for any mu' that "
        "z + a allows, and `after` the divergence of a law that z allows; the infimum over mu' is the lemma. The rest "
        "of the shift is r, given U; where it hangs on X as well, its divergence is at most that of the longest."
    ),
    place="Lemma 3.4",
    printed=r"D_{\alpha}^{(z)}(\mu\ast N(0,\sigma^{2}I)||\nu\ast N(0,\sigma^{2}I))\leq D_{\alpha}^{(z+a)}(\mu||\nu)+"
    r"\frac{\alpha a^{2}}{2\sigma^{2}}",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(
        f"after <= before + {COST}",
        (ALPHA, SHIFT, LENGTH, SIGMA, BEFORE, REST, PAIR, AFTER),
        (*RULES, "r <= a"),
    ),
    origins=(Condition("r <= a", Origin.GIVEN, f"{HERE}/s1"),),
    rests_on=("renyi-composition", "renyi-of-mixtures", "post-processing", f"{HERE}/s2"),
    argument=(
        Have("r**2 <= a**2", (Power("1/2"), Combine((("1", "r <= a"),)))),
        Combine(
            (
                ("1", "after <= pair"),
                ("1", "pair <= (before) + (rest)"),
                ("1", RULES[0].replace("==", "<=")),
                ("alpha/(2*sigma**2)", "r**2 <= a**2"),
            )
        ),
    ),
    candidates=(PLAIN,),
    mutants=(
        Mutant("half", "half of the cost", f"after <= before + {COST}/2", candidates=(PLAIN,)),
        Mutant(
            "power",
            "a in place of its square",
            "after <= before + alpha*a/(2*sigma**2)",
            candidates=(point("alpha=2 a=2 r=2 sigma=1 before=1 rest=4 pair=5 after=5"),),
        ),
    ),
    steps=(
        step(
            "s1",
            "a shift s of length at most z + a is no longer than a when its part of length min(|s|, z) is taken off",
            "norm(s) - min(norm(s), z) <= a",
            (S, SHIFT, ALLOWED),
            ("norm(s) <= z + a",),
            reads=Reads.OURS,
            argument=(Name("length", "norm(s)"), Solve()),
            candidates=(point("s=(3,) a=1 z=2"),),
            mutants=(mutant("half", "half of it", "norm(s) - min(norm(s), z) <= a/2", "s=(3,) a=1 z=2"),),
        ),
        step(
            "s2",
            "the divergence of N(v, sigma^2 I) from N(0, sigma^2 I) is alpha |v|^2/(2 sigma^2) in every dimension: the "
            "mean of the power of the ratio of densities under the second",
            f"log(E({RATIO}**alpha))/(alpha - 1) == alpha*dot(v, v)/(2*sigma**2)",
            (ALPHA, SIGMA, V, XI),
            reads=Reads.OURS,
            kind=ClaimKind.MOMENT,
        ),
        step(
            "points",
            "for points at distance x = z + a, a shift of z leaves length a, whose cost is that of the lemma. Encoded: "
            "this cost; that no other law that z allows is closer, so that the lemma is an equality, is not encoded",
            f"alpha*(x - z)**2/(2*sigma**2) == {COST}",
            (ALPHA, SIGMA, SHIFT, ALLOWED, real("x")),
            ("x == z + a",),
            argument=(Substitute((), where("x=z+a"), ()), Identical()),
            rests_on=(f"{HERE}/s2",),
            candidates=(point("alpha=2 sigma=1 a=1 z=1 x=2"),),
        ),
    ),
)
