"""The sensitivity of the gradient of f, in the proof of Theorem 4.1: that of one record's loss, divided by n.

Replacing one record leaves the sum r of the other block gradients as it is; g and h are the block gradients of the old
and the new record, at one point theta. Both suprema are over the same pairs (and, as the steps choose their points,
over theta), so the identity for each pair is that of the suprema (`suprema`). The point has to be the same in both
gradients: the proof of Lemma 3.9 allows two points, which shows more than Delta_U(grad l) asks for, and with a supremum
over two points the identity would be false.

Adding a record instead changes the divisor too, and moves the gradient by at most 2 L_U/(n + 1), n the smaller number
of records (`added`); no such guarantee is claimed.
"""

from dpaudit.claims.writing import *

N = integer("n", "[1, oo)", "number of records")
REST, OLD, NEW = vector("r", "sum over the other records"), vector("g", "old record"), vector("h", "new record")
L, SUM = positive("L", "L_U"), vector("s", "sum over the n records")
OF_F, OF_LOSS = real("Delta_f", "[0, oo)", "Delta_U(grad f)"), real("Delta_l", "[0, oo)", "Delta_U(grad l)")
NEAR_F, NEAR_LOSS = "Delta_f - e <= near_f/n", "Delta_l - e <= near_l"
HERE = "rbcd/CLM-SENS"

CLAIM = Claim(
    id=HERE,
    title="sensitivity of the gradient of f",
    words=(
        "Delta_U(grad f) = Delta_U(grad l)/n, for data sets of n records that differ in one. Encoded: for each pair of "
        "them, with both gradients at one point; the suprema are in the step `suprema`."
    ),
    place="Appendix D.1, proof of Theorem 4.1, last sentence",
    printed=r"\Delta_U(\nabla f)=\frac{\Delta_U(\nabla\ell)}{n}",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement("norm((r + g)/n - (r + h)/n) == norm(g - h)/n", (N, REST, OLD, NEW)),
    argument=(Identical(),),
    mutants=(
        mutant(
            "lost-n",
            "without 1/n",
            "norm((r + g)/n - (r + h)/n) == norm(g - h)",
            "n=2 r=(1,) g=(1,) h=(0,)",
        ),
        mutant(
            "other-rest",
            "the other records change as well",
            "norm((r + g)/n - (2*r + h)/n) == norm(g - h)/n",
            "n=2 r=(1,) g=(1,) h=(0,)",
        ),
    ),
    steps=(
        step(
            "suprema",
            "the suprema: near_f and near_l are |g - h| for a pair that comes within e of Delta_U(grad f) and for one "
            "that comes within e of Delta_U(grad l); both are at most Delta_U(grad l), and their n-th parts at most "
            "Delta_U(grad f). So the two sides are within e of each other, for every e > 0",
            "abs(Delta_f - Delta_l/n) <= e",
            (N, OF_F, OF_LOSS, *(real(f"near_{one}", "[0, oo)") for one in "fl"), positive("e", "slack")),
            (NEAR_F, NEAR_LOSS, "near_f <= Delta_l"),
            given={HERE: "near_l/n <= Delta_f"},
            argument=(
                Cases(
                    (
                        ("Delta_f <= Delta_l/n", (Have("1/n <= 1"), Solve())),
                        ("otherwise", (Solve(),)),
                    )
                ),
            ),
            candidates=(point("n=2 Delta_f=1 Delta_l=2 near_f=2 near_l=2 e=1/10"),),
            mutants=(
                mutant(
                    "lost-n",
                    "without 1/n",
                    "abs(Delta_f - Delta_l) <= e",
                    "n=2 Delta_f=1 Delta_l=2 near_f=2 near_l=2 e=1/10",
                ),
            ),
        ),
        step(
            "added",
            "one record more, n + 1 in place of n: the gradient moves by at most 2 L_U/(n + 1). The mean of n block "
            "gradients has a norm of at most L_U as each of them has",
            "norm(s/n - (s + g)/(n + 1)) <= 2*L/(n + 1)",
            (N, SUM, OLD, L),
            given={"rbcd/LEM-C.1": ("norm(s/n) <= L", "norm(g) <= L")},
            argument=(
                Rewrite(left="norm(s/n - g)/(n + 1)"),
                Scale("n + 1"),
                Combine(
                    terms=(
                        ("1", "norm(s/n - g) <= norm(s/n) + norm(g)"),
                        ("1", "norm(s/n) <= L"),
                        ("1", "norm(g) <= L"),
                    )
                ),
            ),
            candidates=(point("n=1 s=(1,) g=(-1,) L=1"), point("n=2 s=(2,) g=(-1,) L=1")),
            mutants=(
                mutant(
                    "larger-set",
                    "n + 2 in place of n + 1",
                    "norm(s/n - (s + g)/(n + 1)) <= 2*L/(n + 2)",
                    "n=1 s=(1,) g=(-1,) L=1",
                ),
            ),
        ),
    ),
)
