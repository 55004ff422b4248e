"""The law of the sum of squared projections for directions that are not orthonormal (Section 3.2 and Appendix B)."""

from dpaudit.claims.writing import *

D, K = integer("d", "[2, oo)", "dimension"), integer("K", "[2, oo)", "directions")
ORTHONORMAL, INDEPENDENT = "2*K*(d - K)/(d**2*(d + 2))", "2*K*(d - 1)/(d**2*(d + 2))"
ONE = "(1/2*((d - 1)/2)/((1/2 + (d - 1)/2)**2*(1/2 + (d - 1)/2 + 1)))"
HERE = "zeroth/REM-3.8a"

CLAIM = Claim(
    id=HERE,
    title="K independent directions give the sum the mean of K orthonormal ones (`mean`) and a larger variance, so "
    "another law. Encoded: the variances",
    words=(
        "For directions that are drawn independently the sum of <A,u_k>^2 does not follow Beta(K/2, (d-K)/2). Encoded: "
        "its variance, K times that of Beta(1/2, (d-1)/2), is larger than that of Beta(K/2, (d-K)/2), for 2 <= K < d."
    ),
    place="Section 3.2, Further Remarks, second, and Appendix B",
    printed=r"\text{Our use of orthonormal directions enables the application of tight quantile bounds from the beta "
    r"distribution}",
    kind=ClaimKind.MOMENT,
    reads=Reads.READING,
    statement=Statement(f"{ORTHONORMAL} < {INDEPENDENT}", (D, K), ("K <= d - 1",)),
    rests_on=("haar-beta", *ids(HERE, "variance mean"), *ids("zeroth/LEM-3.8", "s6 s7-exact")),
    argument=(
        Scale("d**2*(d + 2)/(2*K)"),
        Combine((("1", "2 <= K"),)),
    ),
    candidates=(point("d=3 K=2"),),
    mutants=(Mutant("order", "the other order", f"{INDEPENDENT} < {ORTHONORMAL}", candidates=(point("d=3 K=2"),)),),
    steps=(
        step(
            "variance",
            "the variance of the sum for K independent directions: K times that of Beta(1/2, (d - 1)/2)",
            f"K*{ONE} == {INDEPENDENT}",
            (D, K),
            rests_on=("haar-beta",),
        ),
        step("mean", "the means are equal: K times 1/d", "K*(1/2/(1/2 + (d - 1)/2)) == K/d", (D, K)),
    ),
)
