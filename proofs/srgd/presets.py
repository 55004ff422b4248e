"""The parameters of Section 5.2 (P1), of Theorem 5.12 (P2) and of the introduction (P3).

P1 asks for B = n^{3/4}/c_DP >= 1 and for c_DP <= n^{1/4}, which the proofs use. At delta = 1/n there is an n with both,
10^26, with either base of log(n), but none with the second one up to e^55, more than 10^23, and none with B >= 1 up to
10^5, even with natural logarithms. So the theorem speaks of n beyond practice, and no n of practice has c_DP L as a
useful bound. T and B are no whole numbers; rounding loses fewer than T records.
"""

from dpaudit.claims.writing import *

C_DP = "4*sqrt(2)*log(n)**(3/2)*sqrt(log(2*n**2))*log(5/2*n)"
BINARY = C_DP.replace("log(n)**", "log2(n)**")
IN_LOG = "4*sqrt(2)*x**(3/2)*sqrt(log(2) + 2*x)*(log(5/2) + x)"
C_M, SCALES = real("c_M", "[0, oo)"), tuple(map(positive, ("L", "R", "eps", "B", "beta", "l", "ln")))

FIRST = Claim(
    id="srgd/P1",
    title="the parameters of Section 5.2 exist for some n",
    words=(
        "For delta = 1/n there is an n with c_DP <= n^{1/4}, and then B = n^{3/4}/c_DP >= 1. The logarithm of n has "
        "base 2; with the natural one c_DP is smaller. This is about what Section 5.2 prints, and not printed there."
    ),
    place="Section 5.2, (19)",
    printed=r"c_{DP}=4\sqrt2\log^{3/2}(n)\sqrt{\ln(2n/\delta)}\ln(2.5/\delta),\ T=c_{DP}\cdot n^{1/4},"
    r"\ B=n^{3/4}/c_{DP}",
    kind=ClaimKind.NON_VACUITY,
    reads=Reads.OURS,
    statement=Statement(f"{BINARY} <= n**(1/4)", (integer("n", "[2, oo)", "records"),), exists=True),
    argument=(Exhibit(point("n=100000000000000000000000000")),),
    mutants=(Mutant("never", "0 in place of n^{1/4}", f"{BINARY} <= 0*n**(1/4)"),),
    steps=(
        step(
            "small-noise",
            "not up to e^55: c_DP > n^{1/4} for delta = 1/n and 2 <= n <= e^55, x = ln(n), with natural logarithms",
            f"exp(x/4) < {IN_LOG}",
            (real("x", "[69/100, 55]", "log n"),),
            argument=(Boxes(),),
            mutants=(mutant("far", "a tenth of c_DP", f"exp(x/4) < 1/10*({IN_LOG})", "x=55"),),
        ),
        step(
            "batch",
            "and B < 1 for delta = 1/n and 2 <= n <= 10^5: c_DP > n^{3/4}, with natural logarithms",
            f"n**(3/4) < {C_DP}",
            (real("n", "[2, 100000]"),),
            argument=(Boxes(),),
            mutants=(mutant("far", "a tenth of c_DP", f"n**(3/4) < 1/10*({C_DP})", "n=100000"),),
        ),
        step(
            "whole",
            "with T steps and batches of floor(n/T) records fewer than T records are left out",
            "n - T*floor(n/T) < T",
            (integer("n", "[1, oo)", "records"), integer("T", "[1, oo)", "steps")),
            argument=(Combine((("T", "n/T < floor(n/T) + 1"),)),),
            mutants=(mutant("half", "T/2", "n - T*floor(n/T) < T/2", "n=7 T=8"),),
        ),
    ),
)

SECOND = Claim(
    id="srgd/P2",
    title="the noise of Theorem 5.12 in terms of C",
    words=(
        "sigma of Theorem 5.12 is 2 sqrt(2) C sqrt(log(T) ln(2.5/delta))/eps with C = (8 c_M + 4) L/(B beta): another "
        "form of what is printed."
    ),
    reads=Reads.OURS,
    place="Theorem 5.12",
    printed=r"\sigma=\frac{((16\sqrt2c_M+8\sqrt2)L)\sqrt{\log(T)\ln(2.5/\delta)}}{\varepsilon B\beta}",
    kind=ClaimKind.IDENTITY,
    statement=Statement(
        "(16*sqrt(2)*c_M + 8*sqrt(2))*L*sqrt(l*ln)/(eps*B*beta) == 2*sqrt(2)*((8*c_M + 4)*L/(B*beta))*sqrt(l*ln)/eps",
        (C_M, *SCALES),
    ),
    argument=(Identical(),),
)

THIRD = Claim(
    id="srgd/P3",
    title="the scaling of the introduction agrees with that of Theorem 5.12",
    words=(
        "M max{n^{3/2}/B^2, n/B}, which Section 1 has without x-dagger in C, is M n^{3/2}/B^2 for B <= sqrt(n), the "
        "beta of Theorem 5.12 but for constants, with M for c_M L/R. Encoded: it is at most that."
    ),
    reads=Reads.OURS,
    place="Section 1, our algorithm",
    printed=r"\beta\approx M\cdot\max\left\{\frac{n^{3/2}}{B^2},\frac nB\right\}",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        "M*max(n**(3/2)/B**2, n/B) <= M*n**(3/2)/B**2",
        (positive("M"), real("n", "[1, oo)"), real("B", "[1, oo)")),
        ("B <= sqrt(n)",),
    ),
    argument=(
        Have("n/B <= n**(3/2)/B**2", (Scale("B**2/n"), Combine((("1", "B <= sqrt(n)"),)))),
        Cases((("n**(3/2)/B**2 <= n/B", (Combine((("M", "n/B <= n**(3/2)/B**2"),)),)), ("otherwise", ()))),
    ),
    mutants=(Mutant("batch", "B up to n", conditions=("B <= n",), candidates=(point("M=1 n=4 B=4"),)),),
)

CLAIMS = (FIRST, SECOND, THIRD)
