"""Table 1, its own rows; and the summary in Theorem 4.2.

Algorithm 1 takes 2 n - B gradients, as the first batch has one a record: "2n" is right as a bound. The numbers of
steps are those of the theorems: sqrt(n) where the minimiser over R^p need not lie in C, with batches of sqrt(n) (s2).
Two remarks: c_DP, and so T, has powers of log(1/delta), not of log(n) alone; and the batch size that Theorem 5.12
singles out takes sqrt(n) polylog steps if p is near eps^2 n^2. The rows of [23], [50], [51] and [26] are quoted from
other papers.
"""

from dpaudit.claims.writing import *

RECORDS, BATCH = integer("n", "[1, oo)", "records"), integer("B", "[1, oo)", "batch size")
STEPS = integer("T", "[1, oo)", "steps")
GRADIENTS = "(B + (T - 1)*2*B)"
FIRST_DISPLAY = "M*R**2*B**2/n**2 + (L + M*R)*R/sqrt(n) + (L + M*R/sqrt(B))*R*sqrt(p)/(eps*n)*q"
"""Of Theorem 5.12, with q for the polylog."""
OF_RATE, ROW = "(1 + 2*c_M)*L*R*(1/sqrt(n) + sqrt(p)/(eps*n)*q)", "n=4 B=2 p=1 eps=1 L=1 R=1 M=1 c_M=1 q=1"

TABLE = Claim(
    id="srgd/TBL-1",
    title="Algorithm 1 takes at most 2 n gradients",
    words="Rows of Algorithm 1, first column: 2 n. Encoded: B gradients in the first step, 2 B in each other, n = B T.",
    place="Table 1",
    printed=r"2n",
    kind=ClaimKind.COST,
    statement=Statement(f"{GRADIENTS} <= 2*n", (RECORDS, BATCH, STEPS), ("n == B*T",)),
    argument=(Combine((("2", "n == B*T"), ("B", "0 <= 1"))),),
    candidates=(point("n=4 B=2 T=2"),),
    mutants=(Mutant("less", "19/10 n", f"{GRADIENTS} <= 19/10*n", candidates=(point("n=100 B=1 T=100"),)),),
    steps=(
        erratum(
            "s1",
            "exactly two gradients per training example",
            f"{GRADIENTS} == 2*n",
            (RECORDS, BATCH, STEPS),
            ("n == B*T",),
            reads=Reads.BOUNDARY,
            argument=(),
            place="Section 1, our result",
            printed=r"\text{using exactly two gradients per training example}",
            candidates=(point("n=4 B=2 T=2"),),
            finding="The examples of the first batch take one gradient each, so that there are 2 n - B in all.",
            repair="srgd/TBL-1/count",
        ),
        step(
            "count",
            "it is 2 n - B",
            f"{GRADIENTS} == 2*(B*T) - B",
            (BATCH, STEPS),
            kind=ClaimKind.COST,
            mutants=(mutant("two", "2 n", f"{GRADIENTS} == 2*(B*T)", "B=1 T=1"),),
        ),
        step(
            "s2",
            "row 2, batch steps: sqrt(n), without a tilde. Encoded: at B = sqrt(n), and so T = sqrt(n), the first "
            "display of Theorem 5.12 is of the rate; q is its polylog",
            f"{FIRST_DISPLAY} <= {OF_RATE}",
            (
                real("n", "[1, oo)"),
                real("B", "[1, oo)"),
                *map(positive, ("p", "eps", "L", "R", "M", "c_M")),
                real("q", "[1, oo)"),
            ),
            ("B == sqrt(n)", "M*R <= c_M*L"),
            printed=r"\sqrt n",
            kind=ClaimKind.COST,
            argument=(
                Substitute((), where("B=sqrt(n)"), ()),
                Have("1 <= sqrt(n)", (Power("2"), Combine((("1", "1 <= n"),)))),
                Have("1 <= n**(1/4)", (Power("4"), Combine((("1", "1 <= n"),)))),
                Combine(
                    (
                        ("2*R/sqrt(n) + R*sqrt(p)*q/(eps*n)", "M*R <= c_M*L"),
                        ("M*R**2/n", "1 <= sqrt(n)"),
                        ("M*R**2*n**(-1/4)*sqrt(p)*q/(eps*n)", "1 <= n**(1/4)"),
                        ("c_M*L*R*sqrt(p)*q/(eps*n)", "0 <= 1"),
                    )
                ),
            ),
            candidates=(point(ROW),),
            mutants=(mutant("third", "a third of it", f"{FIRST_DISPLAY} <= 1/3*{OF_RATE}", ROW),),
        ),
        step(
            "other-batch",
            "the steps at the batch size that Theorem 5.12 names, sqrt(p) q/(M eps sqrt(n)) at M = 1 where that is "
            "more than sqrt(n), are at most sqrt(n) q",
            "sqrt(p)*q/(eps*sqrt(n)) <= sqrt(n)*q",
            (real("n", "[1, oo)"), *map(positive, ("p", "eps")), real("q", "[1, oo)")),
            ("p <= eps**2*n**2",),
            argument=(
                Have("sqrt(p) <= eps*n", (Power("2"), Combine((("1", "p <= eps**2*n**2"),)))),
                Combine((("q/(eps*sqrt(n))", "sqrt(p) <= eps*n"),)),
            ),
            candidates=(point("n=1 p=1 eps=1 q=1"),),
            mutants=(mutant("half", "half of it", "sqrt(p)*q/(eps*sqrt(n)) <= 1/2*sqrt(n)*q", "n=1 p=1 eps=1 q=1"),),
        ),
        step(
            "s3",
            "2 n is at most the n^{9/8} of [26], from n = 256 on",
            "2*n <= n**(9/8)",
            (real("n", "[256, oo)"),),
            reads=Reads.OURS,
            argument=(
                Have("2 <= n**(1/8)", (Power("8"), Combine((("1", "256 <= n"),)))),
                Combine((("n", "2 <= n**(1/8)"),)),
            ),
            mutants=(
                Mutant("start", "from n = 128 on", symbols=(real("n", "[128, oo)"),), candidates=(point("n=128"),)),
            ),
        ),
    ),
)

SUMMARY = Claim(
    id="srgd/THM-4.2",
    title="the two regimes in one theorem",
    words=(
        "Simplified from Theorems 5.8 and 5.12: with the minimiser over R^p in C about n^{1/4} steps, otherwise any "
        "T >= sqrt(n), B T = n. "
        "Encoded: T >= sqrt(n) is B <= sqrt(n), the condition of Theorem 5.12; the rates and the privacy are those "
        "theorems, and their proofs. (They bound the mean of F(y_T), which is meant.)"
    ),
    place="Theorem 4.2",
    printed=r"F(\mathbf y_T)-F(\mathbf x^*)=O\left(LR\cdot\text{polylog}(n,1/\delta)\cdot\left(\frac1{\sqrt n}"
    r"+\frac{\sqrt p}{\varepsilon n}\right)\right)",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        "B <= sqrt(n)", (real("n", "[1, oo)"), real("B", "[1, oo)"), positive("T")), ("B*T == n", "sqrt(n) <= T")
    ),
    rests_on=("srgd/THM-5.8", "srgd/THM-5.12"),
    expects=Outcome.CONSISTENT,
    argument=(Scale("sqrt(n)"), Combine((("B", "sqrt(n) <= T"), ("1", "B*T == n")))),
    candidates=(point("n=4 B=2 T=2"),),
    mutants=(
        Mutant(
            "steps", "T >= sqrt(n)/2", conditions=("B*T == n", "1/2*sqrt(n) <= T"), candidates=(point("n=4 B=4 T=1"),)
        ),
    ),
    steps=(
        step(
            "s1",
            "with the minimiser over R^p in C: T about n^{1/4} and B T = n. Encoded: the second, for T = c_DP n^{1/4} "
            "and B = n^{3/4}/c_DP of (19)",
            "n**(3/4)/c_DP*(c_DP*n**(1/4)) == n",
            (real("n", "[1, oo)"), real("c_DP", "[1, oo)")),
        ),
    ),
)

CLAIMS = (TABLE, SUMMARY)
