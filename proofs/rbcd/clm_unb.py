r"""Section 4: the updates are directionally unbiased, E[Gamma C(grad f + eta)] = Gamma grad f.

It holds, coordinate by coordinate, for every law of S (symbols as in Lemma E.2). Each coordinate moves by its own step
size, so that the mean step is Gamma grad f; it is parallel to grad f only where the step sizes are equal, and a
direction of descent always (descent).
"""

from dpaudit.claims.writing import *

SETS, Q, HOLDS = integer("m", "[1, oo)", "number of sets"), sequence("q", "[0, 1]"), sequence("a", "[0, 1]")
SIGMA = sequence("sigma", "[0, oo)", "standard deviation of the noise for each set")
P, GAMMA, G = real("p", "(0, 1]", "p_j"), positive("gamma", "gamma_j"), real("g", meaning="the partial derivative")
SHARE = "sum(u, 1, m, q[u]*a[u]) == p"
UPDATE = "sum(u, 1, m, q[u]*a[u]*(gamma*(g + sigma[u])/p + gamma*(g - sigma[u])/p)/2)"
EXAMPLE = "m=2 q=[0,1/2,1/4] a=[0,1,1] p=3/4 sigma=[0,2,3] gamma=2 g=3"

CLAIM = Claim(
    id="rbcd/CLM-UNB",
    title="the updates are unbiased",
    words=(
        "One reading of 'directionally unbiased', which is not defined: E[Gamma C(grad f(theta) + eta)] = Gamma grad "
        "f(theta). Here one coordinate j: set u has probability q[u] and holds j where a[u] is 1, and the noise is "
        "sigma[u] or -sigma[u] with equal chances, as its mean is all that counts."
    ),
    place="Section 4, before Algorithm 1",
    printed=r"\text{by setting different step sizes } \gamma_i \text{ for each coordinate (encoded in the diagonal "
    r"matrix } \mathbf{\Gamma}\text{), the updates are directionally unbiased}",
    kind=ClaimKind.MOMENT,
    reads=Reads.READING,
    statement=Statement(
        f"{UPDATE} == gamma*g",
        (SETS, Q, HOLDS, P, SIGMA, GAMMA, G),
        (SHARE,),
    ),
    argument=(Combine((("gamma*g/p", SHARE),)),),
    candidates=(point(EXAMPLE),),
    mutants=(mutant("unscaled", "without gamma_j", f"{UPDATE} == g", EXAMPLE),),
    steps=(
        step(
            "descent",
            "the mean step -Gamma grad f is a direction of descent where grad f is not 0: <grad f, Gamma grad f> is at "
            "least the least step size times |grad f|^2",
            "least*sum(j, 1, d, g[j]**2) <= sum(j, 1, d, gamma[j]*g[j]**2)",
            (integer("d", "[1, oo)"), sequence("gamma", "(0, oo)"), sequence("g"), positive("least", "min gamma_j")),
            ("all(j, 1, d, least <= gamma[j])",),
            kind=ClaimKind.INDUCTION,
            argument=(Induct("d"),),
            candidates=(point("d=2 gamma=[1,1,2] g=[0,1,3] least=1"),),
            mutants=(
                mutant(
                    "first",
                    "g in the place of its square",
                    "least*sum(j, 1, d, g[j]**2) <= sum(j, 1, d, gamma[j]*g[j])",
                    "d=1 gamma=[1,1] g=[-1,-1] least=1",
                ),
            ),
        ),
    ),
)
