"""Remarks on sensitivity, related work and noise: REM-4, REM-5, REM-7, REM-9.

The bounds of the introduction on "the sensitivity of Delta_t" are those of the estimate nabla_t = g_t/eta_t, which is
t times smaller (REM-4). The gradient complexity "improved O~(sqrt(n))" is the number of batch steps; Table 1 has 2 n.
What is quoted from [14] is true as an upper bound, and as a condition that is enough, but larger and narrower than what
[14] states: an exponent 2/3 and a sqrt(n) are lost (REM-5).
"""

from dpaudit.claims.writing import *

TIME, BATCH = real("t", "[1, oo)", "step"), real("B", "[1, oo)", "batch size")
LIPSCHITZ, CAP = positive("L"), positive("K", "a bound on |Delta_t(d)|")
RECORDS, DIMENSION, EPS = real("n", "[1, oo)"), real("p", "[1, oo)"), positive("eps")
ENTRIES = tuple(real(name) for name in ("a", "b", "c", "d"))

SENSITIVITY = Claim(
    id="srgd/REM-4",
    title="the estimate at time t is t times less sensitive than a gradient of the batch",
    words=(
        "Recursive gradients allow that the sensitivity of the estimate at time t is a factor 1/t lower than that "
        "of the direct minibatch gradient. Read up to the factor K/L. Encoded: a Delta_t(d) of norm at most K moves "
        "nabla_i, i >= t, by at most K/(B (t + 1)) at given points x, where a batch gradient is moved by L/B; K is a "
        "constant times L by Lemma 5.9, and c_DP L in Lemma 5.5."
    ),
    place="Section 3",
    reads=Reads.READING,
    kind=ClaimKind.SENSITIVITY,
    statement=Statement(
        "norm(v)/B/(i + 1) <= K/L*(L/B)/(t + 1)",
        (TIME, BATCH, LIPSCHITZ, CAP, vector("v", "Delta_t(d)"), real("i", "[1, oo)", "a later step")),
        ("norm(v) <= K", "t <= i"),
    ),
    argument=(
        Have("1/(i + 1) <= 1/(t + 1)", (Scale("(i + 1)*(t + 1)"), Combine((("1", "t <= i"),)))),
        Combine((("1/(B*(i + 1))", "norm(v) <= K"), ("K/B", "1/(i + 1) <= 1/(t + 1)"))),
    ),
    candidates=(point("t=1 B=1 L=1 K=1 v=(1) i=1"),),
    mutants=(
        Mutant(
            "square",
            "1/(t + 1)^2",
            "norm(v)/B/(i + 1) <= K/L*(L/B)/(t + 1)**2",
            candidates=(point("t=1 B=1 L=1 K=1 v=(1) i=1"),),
        ),
    ),
    steps=(
        erratum(
            "s1",
            "the sensitivity of Delta_t is to be brought to O(1/(B t)). Encoded: for a linear loss with slope L, whose "
            "Delta_t(d) is L for every t",
            "L/B <= C*L/(B*t)",
            (constant("C"), TIME, BATCH, LIPSCHITZ),
            place="Section 1, our analysis",
            printed=r"\text{bounding the }\ell_2\text{-sensitivity of the gradient difference }\Delta_t"
            r"\text{ to }O(\frac1{B\cdot t})",
            argument=(ForEvery(where("t=C+1 B=1 L=1"), argument=(Scale("C + 1"), Positive())),),
            finding="It is O(1/B), by Lemmas 5.5 and 5.9, and cannot be less; nabla_t, Delta_t over t + 1, is meant.",
            repair="srgd/REM-4",
        ),
        Step(
            "s2",
            "the sensitivity of Delta_t is reduced to O(M/(B beta) + L): one unit",
            homogeneous(
                "S <= M/(B*beta) + L",
                (positive("S", "sensitivity"), positive("M"), BATCH, positive("beta"), LIPSCHITZ),
                {"S": (1, -1), "M": (1, -2), "beta": (1, -2), "L": (1, -1)},
            ),
            expects=Outcome.REFUTED,
            kind=ClaimKind.HOMOGENEITY,
            reads=Reads.READING,
            place="Section 1, our analysis",
            printed=r"O\left(\frac M{B\beta}+L\right)",
            candidates=(point("S=1 M=1 B=1 beta=1 L=1 value_unit=2 length_unit=1"),),
            finding=(
                "M/beta has no unit and L has one, and L is not divided by B. At L = R = 1, as in footnote 4, it is "
                "a valid bound; (M/beta + 1) L/B has the right unit."
            ),
            repair="srgd/REM-4/s2~repaired",
        ),
        Step(
            "s2~repaired",
            "(M/beta + 1) L/B has the unit of a gradient",
            homogeneous(
                "S <= (M/beta + 1)*L/B",
                (positive("S", "sensitivity"), positive("M"), BATCH, positive("beta"), LIPSCHITZ),
                {"S": (1, -1), "M": (1, -2), "beta": (1, -2), "L": (1, -1)},
            ),
            argument=(Identical(),),
            kind=ClaimKind.HOMOGENEITY,
            place="Section 1, our analysis",
        ),
    ),
)

RELATED = Claim(
    id="srgd/REM-5",
    title="our overall gradient oracle complexity is O~(sqrt(n))",
    words=(
        "Our overall gradient oracle complexity is an improved O~(sqrt(n)). Read as the number of gradients, as the "
        "sentence before says it of [14]. Encoded: the 2 n - B gradients of Table 1, at B <= sqrt(n), are at most C "
        "n^{3/4}, which is more than sqrt(n) times any polylog."
    ),
    place="Section 1, other related work",
    printed=r"\text{our overall gradient oracle complexity is an improved }\widetilde O\left(\sqrt n\right)",
    kind=ClaimKind.COST,
    reads=Reads.READING,
    statement=Statement("2*n - B <= C*n**(3/4)", (constant("C"), RECORDS, BATCH), ("B <= sqrt(n)",)),
    argument=(
        ForEvery(
            where("n=16*(C+1)**4 B=1"),
            argument=(Rewrite(left="8*C*(C + 1)**3", right="32*(C + 1)**4 - 1"), Positive()),
            conditions=((Rewrite(right="4*(C + 1)**2"), Positive()),),
        ),
    ),
    expects=Outcome.REFUTED,
    finding=(
        "Every record takes two gradients: 2 n, as Table 1 says. A slip of a word: read as the number of batch steps, "
        "which is meant, it is true."
    ),
    repair="srgd/TBL-1",
    steps=(
        erratum(
            "s1",
            "the second minimum in the complexity of [14] is over n p^2/eps; [14], Theorem 4, has (n p)^{2/3}/eps. "
            "Read as the bound of [14], up to constants. Encoded: the first is at most a constant times the second",
            "n*p**2/eps <= C*(n*p)**(2/3)/eps",
            (constant("C"), RECORDS, DIMENSION, EPS),
            reads=Reads.READING,
            printed=r"\min\left\{\frac{np^2}\varepsilon,n^{4/3}\varepsilon^{1/3}\right\}",
            argument=(
                ForEvery(
                    where("n=(C+1)**3 p=1 eps=1"),
                    argument=(Rewrite(left="C*(C + 1)**2", right="(C + 1)**3"), Positive()),
                ),
            ),
            finding=(
                "An exponent is lost, (np)^{2/3}, and eps^2 in the first minimum. As O~ of it the printed sentence is "
                "true for eps <= 1, and the comparison for p up to n^2 is not changed."
            ),
            repair="srgd/REM-5/s1~repaired",
        ),
        step(
            "s1~repaired",
            "with (n p)^{2/3}/eps it is at most n where n >= p^2/eps^3, the range in which [14] is near linear",
            "(n*p)**(2/3)/eps <= n",
            (RECORDS, DIMENSION, EPS),
            ("p**2/eps**3 <= n",),
            argument=(
                Scale("eps"),
                Power("3"),
                Rewrite(left="n**2*p**2", right="n**3*eps**3"),
                Combine((("n**2*eps**3", "p**2/eps**3 <= n"),)),
            ),
            candidates=(point("n=4 p=2 eps=1"),),
            mutants=(mutant("half", "half of it", "(n*p)**(2/3)/eps <= 1/2*n", "n=4 p=2 eps=1"),),
        ),
        erratum(
            "s2",
            "[14] uses O(1) epochs if p <= eps^{3/2}; [14] has n >= p^2/eps^3. Read as the range of [14]. Encoded: the "
            "first from the second",
            "p <= eps**(3/2)",
            (RECORDS, DIMENSION, EPS),
            ("p**2/eps**3 <= n",),
            reads=Reads.READING,
            place="Section 1, our result",
            printed=r"[14]\text{ uses }O(1)\text{ epochs if }p\le\varepsilon^{3/2}",
            candidates=(point("n=4 p=2 eps=1"),),
            finding=(
                "A factor sqrt(n) is lost. As a condition that is enough the printed one is true; for eps < 1 no "
                "dimension meets it."
            ),
            repair="srgd/REM-5/s2~repaired",
        ),
        step(
            "s2~repaired",
            "with a factor sqrt(n), p <= sqrt(n) eps^{3/2}, it follows",
            "p <= sqrt(n)*eps**(3/2)",
            (RECORDS, DIMENSION, EPS),
            ("p**2/eps**3 <= n",),
            place="Section 1, our result",
            argument=(Power("2"), Combine((("eps**3", "p**2/eps**3 <= n"),))),
            candidates=(point("n=4 p=2 eps=1"),),
            mutants=(mutant("half", "half of it", "p <= 1/2*sqrt(n)*eps**(3/2)", "n=4 p=2 eps=1"),),
        ),
    ),
)

COVARIANCE = Claim(
    id="srgd/REM-7",
    title="the covariance of the noise of DP-FTRL",
    words=(
        "The noise has the law N(0, (C^T C)^{-1}); it is b = C^{-1} xi for standard normal xi. Encoded for two rounds: "
        "C^{-1} C^{-T} times C^T C is the identity, by its first entry; `off-diagonal` is the one beside it, and the "
        "other two are these with the columns of C exchanged."
    ),
    place="Section 2.2",
    printed=r"(\mathbf b_1,\ldots,\mathbf b_T)\sim\mathcal N(0,(\mathbf C^\top\mathbf C)^{-1})",
    kind=ClaimKind.IDENTITY,
    statement=Statement("(d**2 + b**2)*(a**2 + c**2) - (a*b + c*d)**2 == (a*d - b*c)**2", ENTRIES),
    argument=(Identical(),),
    steps=(
        step(
            "off-diagonal",
            "and the entry beside it is 0",
            "(d**2 + b**2)*(a*b + c*d) - (a*b + c*d)*(b**2 + d**2) == 0",
            ENTRIES,
        ),
    ),
)

STEPS, PREFIX = integer("T", "[2, oo)", "steps"), integer("t", "[1, oo)", "length of a prefix")
NODES, HELD = integer("nodes", "[1, oo)", "of the prefix"), integer("held", "[1, oo)", "that hold one difference")
GROWTH = Claim(
    id="srgd/REM-9",
    title="the noise of the tree grows with the logarithm of T",
    words=(
        "The standard deviation of the noise grows only polylogarithmically in T, against sqrt(T) by composition. "
        "Encoded: the first; at mu = 1 and C = 1 the variance of a prefix is nodes times held, at most (1 + log_2 T)^2."
        " (With each Delta_t noised by itself it is T, a sum of T variances.)"
    ),
    place="Section 3",
    kind=ClaimKind.TAIL,
    statement=Statement(
        "nodes*held <= (1 + log2(T))**2",
        (STEPS, PREFIX, NODES, HELD),
        ("t <= T", *prefix_nodes("nodes", "t"), *nodes_of_step("held", "T")),
    ),
    argument=(
        Have(
            "log2(t + 1) <= log2(T) + 1",
            (
                Rewrite(left="log(t + 1)/log(2)", right="log(2*T)/log(2)"),
                Scale("log(2)"),
                Combine(
                    (
                        ("1", "log((t + 1)/(2*T)) <= (t + 1)/(2*T) - 1"),
                        ("1/(2*T)", "t <= T"),
                        ("1/(2*T)", "2 <= T"),
                        ("1/(2*T)", "0 <= 1"),
                    )
                ),
            ),
        ),
        Have(
            "nodes <= 1 + log2(T)",
            (
                Combine(
                    (
                        ("1", "nodes <= floor(log2((t) + 1))"),
                        ("1", "floor(log2(t + 1)) <= log2(t + 1)"),
                        ("1", "log2(t + 1) <= log2(T) + 1"),
                    )
                ),
            ),
        ),
        Have(
            "held <= 1 + log2(T)", (Combine((("1", "held <= floor(log2(T)) + 1"), ("1", "floor(log2(T)) <= log2(T)"))),)
        ),
        Combine((("held", "nodes <= 1 + log2(T)"), ("1 + log2(T)", "held <= 1 + log2(T)"))),
    ),
    candidates=(point("T=7 t=7 nodes=3 held=3"),),
    mutants=(
        Mutant(
            "power",
            "1 + log_2 T without the square",
            "nodes*held <= 1 + log2(T)",
            candidates=(point("T=7 t=7 nodes=3 held=3"),),
        ),
    ),
)

CLAIMS = (SENSITIVITY, RELATED, COVARIANCE, GROWTH)
