"""Lemma 2.1 (Mironov 2017): Renyi DP of a composition, whose later mechanisms may look at earlier outputs.

e^((alpha - 1) D_alpha) of a pair of laws is the mean of (ratio of densities)^alpha, its moment. The moment of the
composition is the integral of a product (step `product`): the moment of the first k - 1 mechanisms, weighted by the
moments of the k-th given their outputs, each of which is at most B (step `mean`, for two outputs of a finite space;
sums over more outputs and integrals keep the inequality). So one more mechanism multiplies the moment by at most B
and adds at most rho_k: the statement, and by induction over k the lemma.
"""

import numpy as np

from dpaudit.claims.writing import *

ALPHA = real("alpha", "(1, oo)", "order")
FIRST, NEXT = (
    positive("A", "moment of the first k - 1 mechanisms"),
    positive("B", "largest moment of the k-th, over what was put out before"),
)
SUM, RHO = real("R", "[0, oo)", "rho_1 + ... + rho_(k-1)"), real("rho", "[0, oo)", "rho_k")
GIVEN = ("log(A)/(alpha - 1) <= R", "log(B)/(alpha - 1) <= rho", "1 < alpha")


def adaptive_chains(stream, trials):
    """Random chains of three mechanisms on three outputs, laws for every past: the divergence of the joint law over
    the sum of the largest divergences, at orders from 1.1 to 12."""
    rng = np.random.default_rng(stream.seeds(np.array([0])))

    def moment(p, q, alpha):
        return (p**alpha * q ** (1 - alpha)).sum(axis=-1)

    ratios = []
    for case in range(trials):
        alpha, cost, joint = rng.uniform(1.1, 12), 0.0, np.ones((2, 1))
        for k in range(3):
            laws = rng.dirichlet(np.ones(3), size=(2, 3**k))
            if case % 2:  # the same pair of laws whatever the past: the sum is attained
                laws = np.repeat(laws[:, :1], 3**k, axis=1)
            cost += float(np.log(moment(laws[0], laws[1], alpha).max())) / (alpha - 1)
            joint = (joint[:, :, None] * laws).reshape(2, -1)
        ratios.append(float(np.log(moment(joint[0], joint[1], alpha))) / (alpha - 1) / cost)
    return np.array(ratios)


CLAIM = Claim(
    id="srm/LEM-2.1",
    title="composition of Renyi DP",
    words=(
        "If M_1, ..., M_k are (alpha, rho_i)-RDP, each with an input that may depend on earlier outputs, their "
        "composition is (alpha, rho_1 + ... + rho_k)-RDP. Encoded: one mechanism more, R the bound on the first k - "
        "1."
    ),
    place="Lemma 2.1",
    printed=r"(\mathcal{M}_1(S), \ldots, \mathcal{M}_k(S)) \text{ satisfies } (\alpha, \sum_{i=1}^k \rho_i)\text{-RDP}",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement("log(A*B)/(alpha - 1) <= R + rho", (ALPHA, FIRST, NEXT, SUM, RHO), GIVEN),
    rests_on=("monotone-mean", "srm/LEM-2.1/product", "srm/LEM-2.1/mean"),
    argument=(
        Rewrite(left="log(A)/(alpha - 1) + log(B)/(alpha - 1)"),
        Combine(terms=tuple(("1", text) for text in GIVEN[:2])),
    ),
    empirical=(Search("adaptive_chains", near_miss=0.99, trials=400, rounding=1e-9),),
    mutants=(
        mutant("largest", "the larger of the two", "log(A*B)/(alpha - 1) <= max(R, rho)", "alpha=2 A=2 B=2 R=1 rho=1"),
    ),
    steps=(
        step(
            "product",
            "the integrand of the composition is a product: densities p1, q1 of the first outputs, p2, q2 of the "
            "next one given them",
            "(p1*p2)**alpha*(q1*q2)**(1 - alpha) == p1**alpha*q1**(1 - alpha)*(p2**alpha*q2**(1 - alpha))",
            (ALPHA, *(positive(name, "a density") for name in ("p1", "p2", "q1", "q2"))),
        ),
        step(
            "mean",
            "moments B1, B2 of the next mechanism given the first output, weighted by the integrand w1, w2 of the "
            "first: at most the larger moment times the sum of the weights. Sums over more outputs, and integrals, "
            "keep the inequality",
            "w1*B1 + w2*B2 <= B*(w1 + w2)",
            (NEXT, *(real(name, "[0, oo)") for name in ("w1", "w2", "B1", "B2"))),
            ("B1 <= B", "B2 <= B"),
            argument=(Combine(terms=(("w1", "B1 <= B"), ("w2", "B2 <= B"))),),
            mutants=(
                Mutant(
                    "one-past",
                    "bounded for one output only",
                    conditions=("B1 <= B",),
                    candidates=(point("B=1 w1=1 w2=1 B1=1 B2=2"),),
                ),
            ),
        ),
        step(
            "equal",
            "k mechanisms with the same bound rho cost k rho",
            "log(B**k)/(alpha - 1) <= k*rho",
            (ALPHA, integer("k", "[1, oo)", "number of mechanisms"), NEXT, RHO),
            GIVEN[1:],
            argument=(Rewrite(left="k*(log(B)/(alpha - 1))"), Combine(terms=(("k", GIVEN[1]),))),
            mutants=(mutant("less", "(k - 1) rho", "log(B**k)/(alpha - 1) <= (k - 1)*rho", "alpha=2 k=1 B=2 rho=1"),),
        ),
    ),
)
