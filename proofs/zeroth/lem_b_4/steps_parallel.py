"""The printed steps of Lemma B.4: the decomposition (124), and its part (a) along v."""

from dpaudit.claims.writing import *

from .symbols import *

AT_A = lower("log(1/delta)")

PARALLEL = (
    erratum(
        "s1",
        "(124), with a factor 1/K before the sum on its left side. Encoded: with the sum of the w_k as S v, and q "
        "orthogonal to v",
        "norm(v - (S*v + q)/K)**2 == norm(v - S*v)**2 + norm(q)**2",
        (V, Q, SUM, K),
        ("dot(v, q) == 0",),
        place="(124)",
        printed=r"\left\lVert v-\frac1K\sum_{k=1}^K\langle v,u_k\rangle u_k\right\rVert_2^2=\left\lVert v-\sum_{k=1}^K"
        r"w_k\right\rVert_2^2+\left\lVert\sum_{k=1}^Kw_k^\perp\right\rVert_2^2",
        candidates=(point("v=(1) q=(0) S=2 K=2"),),
        finding=(
            "A misprint: the factor 1/K stands here alone; without it, as in (122), the display is true (s1~repaired)."
        ),
        repair=f"{HERE}/s1~repaired",
    ),
    step(
        "s1~repaired",
        "(124) without the factor, as (122) and (127) have its left side: the w_k are multiples of v, and the w_k^perp "
        "orthogonal to it. Encoded: with the sum of the w_k as S v, and q for that of the w_k^perp",
        "norm(v - (S*v + q))**2 == norm(v - S*v)**2 + norm(q)**2",
        (V, Q, SUM),
        ("dot(v, q) == 0",),
        reads=Reads.READING,
        place="(122), (124)",
        argument=(Combine((("2*(S - 1)", "dot(v, q) == 0"),)),),
        candidates=(point("v=(1,0) q=(0,1) S=2"),),
        mutants=(
            mutant(
                "twice",
                "the second square twice",
                "norm(v - (S*v + q))**2 == norm(v - S*v)**2 + 2*norm(q)**2",
                "v=(1,0) q=(0,1) S=2",
            ),
        ),
    ),
    step(
        "s2",
        "(125), (126): (a) is |v|^2 (1 - sum B_k)^2",
        "norm(v - S*v)**2 == norm(v)**2*(1 - S)**2",
        (V, SUM),
        place="(125), (126)",
        printed=r"R^2\left(1-\sum_{k=1}^KB_k\right)^2",
        candidates=(point("v=(1,2) S=2"),),
    ),
    erratum(
        "s3",
        "(a) is at most |v|^2 (1 - low)^2 with probability 1 - delta_a. Encoded as in the claim: the event that all "
        "B_k are at least b, where (a) is at least |v|^2 (K b - 1)^2",
        f"{REACHED} <= delta",
        (D, K, DELTA, SHARE),
        ("1 <= K*b", f"(1 - {AT_A})**2 < (K*b - 1)**2"),
        kind=ClaimKind.TAIL,
        rests_on=("haar-beta", f"{HERE}/s2"),
        place="bounding (a)",
        printed=r"\leq\left\lVert v\right\rVert_2^2\cdot\left(1-\left(0.15-\frac{\log(1/\delta_a)}{K}\right)_+"
        r"\frac{K}{20\left(d+2+\sqrt{d-1}\right)}\right)^2",
        candidates=(point("d=2 K=5 b=1/2 delta=1/33"),),
        finding=(
            "(1 - S)^2 falls with S up to S = 1 alone: above S = 2 - low it is more than (1 - low)^2. In the plane "
            "with K = 5 all B_k are at least 1/2, and (a) at least 2.25 |v|^2, with probability 1/32, and the printed "
            "bound is |v|^2. For K above 2 d, S is usually more than 2. It needs an upper bound on S too "
            "(s3~repaired)."
        ),
        repair=f"{HERE}/s3~repaired",
    ),
    step(
        "s3~repaired",
        "(1 - S)^2 <= (1 - low)^2 where low <= S <= 2 - low",
        "(1 - S)**2 <= (1 - low)**2",
        (SUM, LOW),
        ("low <= S", "S <= 2 - low"),
        place="bounding (a)",
        argument=(Combine((("2 - low - S", "low <= S"),)),),
        mutants=(
            Mutant("three", "S <= 3 - low", conditions=("low <= S", "S <= 3 - low"), candidates=(point("S=3 low=0"),)),
        ),
    ),
    step(
        "s3-size",
        "Lemma B.4 quotes Lemma B.3 with d + 1 for d in its denominator, which makes the bound smaller",
        "1/(20*(d + 2 + sqrt(d - 1))) <= 1/(20*(d + 1 + sqrt(d - 2)))",
        (D,),
        reads=Reads.OURS,
        place="bounding (a)",
        argument=(
            Have("sqrt(d - 2) <= sqrt(d - 1)", (Power("2"), Positive())),
            Scale("20*(d + 2 + sqrt(d - 1))*(d + 1 + sqrt(d - 2))"),
            Combine((("1", "sqrt(d - 2) <= sqrt(d - 1)"), ("1", "0 <= 1"))),
        ),
        mutants=(mutant("half", "half", "1/(20*(d + 2 + sqrt(d - 1))) <= 1/2*1/(20*(d + 1 + sqrt(d - 2)))", "d=100"),),
    ),
)
