"""The printed proof: bias and variance of the multilevel estimator."""

from dpaudit.claims.writing import *

from .symbols import *

LAST = ("T*2**J <= floor(n/c)", "floor(n/c) < 2*T*2**J")
FUNCTION_GAP = {"resque/PROP-8/s4": "lam/2*m0 <= gap", "resque/PROP-8/s7": "gap <= C*lam*Q"}
LOST = (
    "Level j_max has beta_j T_j = 2^(j/2) beta T, about beta sqrt(T n), not beta n. On linear losses the bias of the "
    "printed algorithm is at least 0.3 (L/lambda) sqrt(d)/(beta sqrt(T n)), which exceeds every constant times the "
    "printed bound as n/T and sqrt(d)/(beta sqrt(T)) grow. The variance bound holds (s8~repaired). Theorem 3 uses the "
    "printed bias for its proximal oracle; with the true one it is not small enough once the gradient count exceeds a "
    "constant times n. Theorem 3 survives with the truncation level about log2 K in place of log2(n/(C_priv T)), see "
    "THM-3/r7."
)

BIAS_STEPS = (
    step(
        "s1",
        (
            "telescoping, one level: the mean after level j is E x_0 + (E x_(j-1) - E x_0) + 2^(-j) 2^j (E x_j - "
            "E x_(j-1))"
        ),
        "norm(m + (a - m) + 2**(-j)*2**j*(b - a) - b) == 0",
        (INDEX, vector("m", "E x_0"), vector("a", "E x_(j-1)"), vector("b", "E x_j")),
        mutants=(
            mutant(
                "weight",
                "2^(-j) 2^(j+1)",
                "norm(m + (a - m) + 2**(-j)*2**(j + 1)*(b - a) - b) == 0",
                "j=1 m=(0,) a=(0,) b=(1,)",
            ),
        ),
    ),
    erratum(
        "s1-law",
        "Pr[J = j] = 2^(-j) for j <= j_max, and 0 otherwise",
        "sum(j, 1, J, 2**(-j)) == 1",
        (LEVEL,),
        candidates=(point("J=1"),),
        finding=(
            "The printed law has total mass 1 - 2^(-j_max). A draw of Geom(1/2) exceeds j_max with probability "
            "2^(-j_max), and the algorithm has a branch for it. A misprint: nothing in the proof uses it."
        ),
        repair="resque/PROP-9/s1",
    ),
    step(
        "s1-law~repaired",
        "the probabilities up to j_max add up to 1 - 2^(-j_max)",
        "sum(j, 1, J, 2**(-j)) == 1 - 2**(-J)",
        (LEVEL,),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("J", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "s2",
        "T 2^(j_max) >= Tmax/2 for j_max = floor(log2(Tmax/T))",
        "M/2 <= T*2**floor(log2(M/T))",
        (integer("M", "[1, oo)", "Tmax"), T),
        argument=(
            Scale("1/T"),
            Rewrite(left="M/(2*T)"),
            Logarithm(),
            Rewrite(left="(log2(M/T) - 1)*log(2)", right="floor(log2(M/T))*log(2)"),
            Combine(terms=(("log(2)", "log2(M/T) < floor(log2(M/T)) + 1"),)),
        ),
        mutants=(mutant("half", "without the half", "M <= T*2**floor(log2(M/T))", "M=3 T=1"),),
    ),
    erratum(
        "s2-floor",
        "Tmax/2 >= n/(2 C_priv), Tmax = floor(n/C_priv)",
        "n/(2*c) <= floor(n/c)/2",
        (N, PRIV),
        ("2 <= n/c",),
        candidates=(point("n=7 c=2"),),
        finding=(
            "Rounding down goes the other way: floor(7/2)/2 < 7/4. What is needed, T 2^(j_max) >= n/(2 C_priv), "
            "is true all the same, because both sides of T 2^(j_max) > Tmax/2 are multiples of 1/2."
        ),
        repair="resque/PROP-9/s2-floor~repaired",
    ),
    implication(
        "s2-floor~repaired",
        "T 2^(j_max) >= n/(2 C_priv): n/C_priv < Tmax + 1 and Tmax + 1 <= 2 T 2^(j_max), whole numbers with Tmax "
        "< 2 T 2^(j_max)",
        "n/(2*c) <= T*2**J",
        (integer("M", "[1, oo)", "Tmax"), N, T, LEVEL, PRIV),
        ("n/c <= M + 1", "M + 1 <= 2*T*2**J"),
        (("1/2", "n/c <= M + 1"), ("1/2", "M + 1 <= 2*T*2**J")),
        (mutant("half", "n/C_priv", "n/c <= T*2**J", "M=3 n=7 T=1 J=1 c=2"),),
    ),
    implication(
        "r-jmax",
        "T <= floor(n/(2 C_priv)) gives 2 T <= Tmax, so j_max >= 1: 2 T < Tmax + 1, both whole numbers",
        "2*T <= M + 1",
        (integer("M", "[0, oo)", "Tmax"), N, T, PRIV),
        ("T <= n/(2*c)", "n/c <= M + 1"),
        (("2", "T <= n/(2*c)"), ("1", "n/c <= M + 1")),
        (
            Mutant(
                "no-half",
                "T <= n/C_priv",
                conditions=("T <= n/c", "n/c <= M + 1"),
                candidates=(point("M=1 n=2 T=2 c=1"),),
            ),
        ),
    ),
    erratum(
        "s3",
        "Proposition 8 at level j_max is at most A times the printed form, A a universal constant",
        f"sqrt({ERROR}) <= A*{PRINTED}",
        (ANY, BETA, D, N, T, LEVEL, PRIV),
        LAST,
        kind=ClaimKind.CONVERGENCE,
        candidates=((("A", "1000"), *FAR),),
        finding=LOST,
        repair="resque/PROP-9~repaired",
    ),
    step(
        "s3-levels",
        "Not printed: the error of Proposition 8 at level J is 2^(-J) times that at level 0",
        f"{ERROR} == 2**(-J)*(d/(beta**2*T**2) + 1/T)",
        (BETA, D, T, LEVEL),
        reads=Reads.OURS,
    ),
    erratum(
        "s4",
        "E|x_0 - x*|^2 <= C_sc Q from the function gap C_sc lambda Q and strong convexity",
        "m0 <= C*Q",
        (FIRST, real("gap", "[0, oo)"), CSC, LAM, Q),
        given=FUNCTION_GAP,
        kind=ClaimKind.MOMENT,
        candidates=(point("m0=2 gap=1 C=1 lam=1 Q=1"),),
        finding=(
            "(lambda/2)|x - x*|^2 <= gap gives 2 C_sc, as the paper itself writes in s3 and in Proposition 10. "
            "With it 6 becomes 12 in s6 and 14 becomes 28 in s7: only C_var changes."
        ),
        repair="resque/PROP-9/s4~repaired",
    ),
    implication(
        "s4~repaired",
        "with the factor 2 of strong convexity",
        "m0 <= 2*C*Q",
        (FIRST, real("gap", "[0, oo)"), CSC, LAM, Q),
        (),
        (("2/lam", "lam/2*m0 <= gap"), ("2/lam", "gap <= C*lam*Q")),
        (mutant("constant", "1.9", "m0 <= 1.9*C*Q", "m0=2 gap=1 C=1 lam=1 Q=1"),),
        given=FUNCTION_GAP,
        rests_on=("strong-convexity-growth",),
    ),
)
