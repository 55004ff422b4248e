"""The number of draws J = j: for n that is not large, and with an additive logarithm. All of this is ours."""

from dpaudit.claims.writing import *

from .attacks_number import FAILS
from .notation import *
from .ours_bias import tail
from .symbols import *

THRESHOLD = "(8*mean + 2*log(n/delta))"

SMALLER = "(2*mean + log(n/delta))"

DRAWS_OURS = (
    erratum(
        "s15-threshold",
        "For n that is not large against C: the printed number 2^(-j) C' K log kappa log(n/delta) of draws J = j "
        "is at least one at j = j_max (else it says that there is none, but one has probability at least "
        "2^(-j_max) >= T_3/n > delta/n), for some C', C_priv and every C from some C_0 on, with kappa >= e",
        settled(f"1 <= 2**(-floor(log2(n/(C_priv*{T_3_AT}))))*C_prime*K*log(kappa)*log(n/delta)"),
        (
            constant("C_0", "[1, oo)", "above it C is large enough"),
            constant("C_prime", "[1, oo)", "C'"),
            constant("C_priv", "[1, oo)", "of Lemma 7"),
            CONSTANT,
            DIMENSION,
            RECORDS,
            EPS,
            DELTA,
        ),
        enough=("C_0 <= C",),
        ours=(settled("exp(1) <= kappa"),),
        reads=Reads.BOUNDARY,
        place=f"{PROOF}, privacy, seventh display; j_max without its inner floor",
        printed=r"2^{-j}C^{\prime}K\log\kappa\log\frac{n}{\delta}",
        argument=(FAILS,),
        finding=(
            "A boundary case. K T_3 is about n/C^(3/2) where 1/sqrt(n) dominates (30), so the printed bound at the "
            "last levels is of the order C' C^(-3/2) log^2 n: `superconstant` as n grows, but below one draw unless n "
            "is exponentially large in a power of C or C' grows with C, and C is chosen after C' (s16). So there the "
            "step is right for n above a constant (s15-draws), where the theorem for smaller n is a matter of a huge "
            "constant in O(); where the privacy term dominates (30) it asks for kappa above a power of log n too. With "
            "an additive log(n/delta) the count holds for every n, and s16 and s20 keep their form, as 2^(j_max) T_3 "
            "<= n/C_priv."
        ),
        repair=f"{THM}/s15-threshold~repaired",
    ),
    step(
        "s15-threshold~repaired",
        "Chernoff's bound (e m/t)^t on the probability of t draws J = j, m their mean number, is at most (delta/n)^2 "
        "at t = 8 m + 2 log(n/delta)",
        f"(exp(1)*mean/{THRESHOLD})**{THRESHOLD} <= (delta/n)**2",
        (positive("mean", "mean number of draws J = j"), RECORDS, DELTA),
        rests_on=("binomial-upper-chernoff",),
        kind=ClaimKind.TAIL,
        argument=(
            Have("1 <= log(n/delta)", (Boxes(),)),
            Rewrite(right="exp(-2*log(n/delta))"),
            Name("log_n_delta", "log(n/delta)"),
            *tail("mean", "log_n_delta"),
        ),
        mutants=(
            mutant(
                "power",
                "(delta/n)^7",
                f"(exp(1)*mean/{THRESHOLD})**{THRESHOLD} <= (delta/n)**7",
                "mean=7/20 n=2 delta=1/10",
            ),
            mutant(
                "variant",
                "2 m + log(n/delta) in place of 8 m + 2 log(n/delta)",
                f"(exp(1)*mean/{SMALLER})**{SMALLER} <= (delta/n)**2",
                "mean=100 n=2 delta=1/7",
                own_sentence=True,
            ),
        ),
    ),
)
