"""Section 3.1 on the noise of (3) and of the two mechanisms of (2).

In (3) beta_t is the share of the isotropic noise; Theorem 3.2, Corollary 3.3 and the appendices on them write beta_t
for the share along the directions.
"""

from dpaudit.claims.writing import *

ETA, SIGMA = positive("eta", "step size"), positive("sigma", "noise scale")
D, K = integer("d", "[1, oo)", "dimension"), integer("K", "[1, oo)", "directions")
SHARE = real("beta", "[0, 1]", "share of the isotropic noise, beta_t of (3)")
HERE, MECHANISMS = "zeroth/REM-NOISE", "zeroth/REM-AB"
ENERGY = "sum(k, 1, K, eta**2/K*((1 - beta)*sigma**2)) + sum(j, 1, d, eta**2/d*(beta*sigma**2))"
U, V = vector("u", "a direction"), vector("v", "another")
G, H = vector("g", "noise along u"), vector("h", "noise along v")
XI = gaussian("xi", "sigma", "isotropic noise")
TWO = integer("d", "[2, oo)", "dimension")

NOISE = Claim(
    id=HERE,
    title="the noise of (3) has the same mean square for every split, K and d",
    words=(
        "The mean square of (eta/sqrt(K)) sum G1_k u_k + (eta/sqrt(d)) G2 is eta^2 sigma^2 for all beta_t and K. "
        "Encoded: the variances along the K orthonormal directions and in the d coordinates, added up; the rest has "
        "mean 0 (`uncorrelated`)."
    ),
    place="Section 3.1, after (3)",
    printed=r"\text{ensures equivalent total noise variance across all }\beta_{t}\in[0,1]\text{ and }K\geq 1",
    kind=ClaimKind.MOMENT,
    statement=Statement(f"{ENERGY} == eta**2*sigma**2", (ETA, K, D, SIGMA, SHARE)),
    rests_on=(f"{HERE}/uncorrelated",),
    argument=(Identical(),),
    mutants=(
        Mutant(
            "root",
            "K in place of its root in the noise along the directions",
            ENERGY.replace("eta**2/K", "eta**2/K**2") + " == eta**2*sigma**2",
            candidates=(point("eta=1 K=2 d=2 sigma=1 beta=0"),),
        ),
    ),
    steps=(
        step(
            "uncorrelated",
            "noises of mean 0 that are independent, along two directions or along one and isotropic: their mean "
            "squares add up; norm(.)^2 is a mean square here",
            "norm(g + h)**2 == norm(g)**2 + norm(h)**2",
            (G, H),
            uncorrelated("g", "h"),
            argument=(Combine((("2", "dot(h, g) == 0"),)),),
            candidates=(point("g=(1,0) h=(0,1)"),),
            mutants=(
                mutant("sign", "twice the one", "norm(g + h)**2 == norm(g)**2 + 2*norm(h)**2", "g=(1,0) h=(0,1)"),
            ),
        ),
        step(
            "recovers-b",
            "(3) with K = 1 and beta_t = 1 is mechanism (b) with sigma_2 = sigma/sqrt(d), that is with the utility of "
            "(a) and not with the privacy of (a), sigma_1 = sigma_2, for which the section before compares the two: "
            "the variances in a coordinate",
            "eta**2/d*sigma**2 == eta**2*(sigma/sqrt(d))**2",
            (ETA, D, SIGMA),
            kind=ClaimKind.REDUCTION,
            reads=Reads.PRINTED,
            place="Section 3.1, after (3)",
        ),
        step(
            "recovers-a",
            "(3) with K = 1 and beta_t = 0 is mechanism (a) with sigma_1 = sigma: the variances along the direction",
            "eta**2/1*((1 - 0)*sigma**2) + eta**2/d*(0*sigma**2) == eta**2*sigma**2",
            (ETA, D, SIGMA),
            kind=ClaimKind.REDUCTION,
            reads=Reads.PRINTED,
            place="Section 3.1, after (3)",
            printed=r"\text{setting }K=1\text{ with }\beta_t=0\text{ and }\beta_t=1\text{ recovers mechanisms (a) and "
            r"(b), respectively}",
        ),
    ),
)
AB = Claim(
    id=MECHANISMS,
    title="with equal noise scales mechanism (b) has d times the mean squared noise of (a)",
    words=(
        "For (2) with sigma_1 = sigma_2 = sigma the noise eta G2 of (b) has the mean square d eta^2 sigma^2, that of "
        "(a), eta G1 u, has eta^2 sigma^2. Along the direction both have the law N(0, eta^2 sigma^2) (`along`), and "
        "what lies across it tells nothing (`across`), so that the privacy is the same."
    ),
    place="Section 3, (2), and the paragraph after it",
    kind=ClaimKind.MOMENT,
    reads=Reads.READING,
    statement=Statement("sum(j, 1, d, eta**2*sigma**2) == d*(eta**2*sigma**2)", (ETA, D, SIGMA)),
    argument=(Identical(),),
    steps=(
        step(
            "along",
            "the noise of (b) along a unit vector u has the law of that of (a), N(0, eta^2 sigma^2): the logarithm of "
            "its moment generating function",
            "log(E(exp(t*eta*dot(xi, u)))) == t**2*(eta**2*sigma**2)*dot(u, u)/2",
            (ETA, SIGMA, U, XI, real("t")),
            kind=ClaimKind.MOMENT,
        ),
        step(
            "across",
            "noise orthogonal to the update does not hide anything where the direction is known: the log-likelihood "
            "ratio of (b) for two slopes s and q along the unit vector u does not change with what lies across, w",
            "(norm((a - s)*u + w)**2 - norm((a - q)*u + w)**2)/(2*sigma**2) == ((a - s)**2 - (a - q)**2)/(2*sigma**2)",
            (SIGMA, U, vector("w", "across"), real("a", meaning="along"), real("s"), real("q")),
            ("dot(u, u) == 1", "dot(u, w) == 0"),
            reads=Reads.PRINTED,
            kind=ClaimKind.DIVERGENCE,
            place="Section 3, the paragraph after (2)",
            printed=r"\text{noise injected orthogonally to }u_{t}\text{ does not contribute to privacy}",
            argument=(
                Combine(
                    (
                        ("((a - s)**2 - (a - q)**2)/(2*sigma**2)", "dot(u, u) == 1"),
                        ("(q - s)/sigma**2", "dot(u, w) == 0"),
                    )
                ),
            ),
            candidates=(point("sigma=1 u=(1,0) w=(0,1) a=1 s=0 q=1"),),
        ),
    ),
)
CLAIMS = (NOISE, AB)
