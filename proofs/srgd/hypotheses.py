"""That the hypotheses of Theorems 5.1, 5.8 and 5.12 can be met together, by exact points.

Theorem 5.12: already by n = 4 records, and by n = 10^4 with p = 1000. Theorem 5.8: c_DP <= n^{1/4}, T <= B and the
third term of (25) at most c_DP/2 by n = 10^36; that is what the parameters need, not all that the proof needs (claim
LEM-5.4-5.5 has the size from which on the induction closes). Theorem 5.1: by eta_t = t + 1 and every beta >= M.
"""

from dpaudit.claims.writing import *

N, STEPS, BATCH = integer("n", "[2, oo)", "records"), integer("T", "[2, oo)", "steps"), integer("B", "[1, oo)")
DIMENSION, EPS, DELTA = integer("p", "[1, oo)"), real("eps", "(0, 9/5]"), real("delta", "(0, 1)")
LIPSCHITZ, RADIUS, SMOOTH, C_M = positive("L"), positive("R"), positive("M"), real("c_M", "[1, oo)")
BETA = "((16*c_M + 8)*L*n**(3/2)/(R*B**2))"
LOGARITHMS = "(log2(T)**3*log(2*T/delta)*log(5/(2*delta)))"
RANGE = f"B**2*{BETA}**2*eps**2/(32*M**2*{LOGARITHMS})"
SIZES = ("n == B*T", "B**2 <= n", "M*R <= c_M*L", "p <= eps**2*n**2", "delta <= 1/n")
C_DP = "(4*sqrt(2)*log(n)**(3/2)*sqrt(log(2*n**2))*log(5/2*n))"
THIRD = f"2*{C_DP}*sqrt(6*log(24*n*({C_DP}*n**(1/4))))"

WITHOUT = Claim(
    id="srgd/THM-5.12-HYPOTHESES",
    title="the hypotheses of Theorem 5.12 and of the corollaries that it uses can be met",
    words=(
        "There are n = B T, B <= sqrt(n), p <= eps^2 n^2 and delta <= 1/n with beta >= 2 M T (Lemma 5.9) and p in the "
        "range of Corollary 5.10. Encoded: that range, with the others as conditions."
    ),
    place="Theorem 5.12",
    kind=ClaimKind.NON_VACUITY,
    reads=Reads.OURS,
    statement=Statement(
        f"p <= {RANGE}",
        (N, STEPS, BATCH, DIMENSION, EPS, DELTA, LIPSCHITZ, RADIUS, SMOOTH, C_M),
        (*SIZES, f"2*M*T <= {BETA}"),
        exists=True,
    ),
    argument=(Exhibit(point("n=10000 T=100 B=100 p=1000 eps=1 delta=1/100000000 L=1 R=1 M=1 c_M=1")),),
    mutants=(Mutant("never", "0 for the range", f"p <= 0*{RANGE}"),),
    steps=(
        Step(
            "smallest",
            "also by four records, in two batches of two",
            Statement(
                f"p <= {RANGE}",
                (N, STEPS, BATCH, DIMENSION, EPS, DELTA, LIPSCHITZ, RADIUS, SMOOTH, C_M),
                (*SIZES, f"2*M*T <= {BETA}"),
                exists=True,
            ),
            kind=ClaimKind.NON_VACUITY,
            argument=(Exhibit(point("n=4 T=2 B=2 p=1 eps=1 delta=1/4 L=1 R=1 M=1 c_M=1")),),
            mutants=(Mutant("never", "0 for the range", f"p <= 0*{RANGE}"),),
        ),
    ),
)

WITH = Claim(
    id="srgd/THM-5.8-HYPOTHESES",
    title="the parameters of Theorem 5.8 can be met, with the third term of (25) small",
    words=(
        "For delta = 1/n and gamma = delta/4 there is an n with 2 c_DP^2 sqrt(6 log(6T/gamma))/n^{1/4} <= c_DP/2; then "
        "c_DP <= n^{1/4}, so that b_max <= R and T <= B, for every p <= eps^2 n^2. Natural logarithms."
    ),
    place="Theorem 5.8",
    kind=ClaimKind.NON_VACUITY,
    reads=Reads.OURS,
    statement=Statement(f"2*{THIRD} <= n**(1/4)", (N,), exists=True),
    argument=(Exhibit(point("n=1000000000000000000000000000000000000")),),
    mutants=(Mutant("never", "0 for n^{1/4}", f"2*{THIRD} <= 0*n**(1/4)"),),
    steps=(
        step(
            "steps",
            "c_DP <= n^{1/4} gives T = c_DP n^{1/4} <= B = n^{3/4}/c_DP",
            "c_DP*n**(1/4) <= n**(3/4)/c_DP",
            (real("n", "[1, oo)"), real("c_DP", "[1, oo)")),
            ("c_DP <= n**(1/4)",),
            argument=(Scale("c_DP/n**(1/4)"), Combine((("c_DP + n**(1/4)", "c_DP <= n**(1/4)"),))),
            candidates=(point("n=16 c_DP=2"),),
            mutants=(
                Mutant(
                    "twice", "c_DP <= 2 n^{1/4}", conditions=("c_DP <= 2*n**(1/4)",), candidates=(point("n=16 c_DP=4"),)
                ),
            ),
        ),
    ),
)

ANY = Claim(
    id="srgd/THM-5.1-HYPOTHESES",
    title="the condition of Theorem 5.1 on eta_t can be met",
    words=(
        "eta_t = t + 1, which is non-decreasing, has eta_t^2 <= 4 eta_{0:t} for every t; eta_t^2 <= eta_{0:t} it has "
        "not. The other hypotheses only choose constants: beta = M will do, and Q = (4 T - 2) L, as |Delta_t(d)| <= "
        "(eta_t + eta_(t-1)) L."
    ),
    place="Theorem 5.1",
    kind=ClaimKind.INEQUALITY,
    reads=Reads.OURS,
    statement=Statement("(t + 1)**2 <= 4*((t + 1)*(t + 2)/2)", (integer("t", "[0, oo)"),)),
    mutants=(Mutant("one", "1 in place of 4", "(t + 1)**2 <= 1*((t + 1)*(t + 2)/2)", candidates=(point("t=1"),)),),
)

CLAIMS = (WITHOUT, WITH, ANY)
