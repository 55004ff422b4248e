"""The line search with log^4 kappa in T_1, or with a C that grows with log(n/delta)/log(kappa); the union bound over
all calls. All of this is ours."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_search import SECOND
from .symbols import *

T_1_REPAIRED = "(sqrt(C)*(kappa*sqrt(d)/(sqrt(K)*beta*log(kappa)**2) + kappa**2/(K*log(kappa)**4)))"
DROPPED = ("sqrt(C)*kappa*sqrt(d)/(sqrt(K)*beta*log_kappa**2)", "0 <= 1")
"""The first summand of T_1."""
WEIGHTS = (real("a", "(-oo, oo)", "a weight"), real("b", "(-oo, oo)", "a weight"))
"""Of the second and the third parameter of a privacy statement: equal for all weights, both are equal."""
ITERATIONS, CALLS = "C_ba*K*log(kappa)", "C_ba*log(K**(3/2)*kappa)"
LINE = (KAPPA, K, BETA, DIMENSION, CONSTANT, C_LS, C_BA)

OUR_SEARCH_STEPS = (
    step(
        "s4~repaired",
        "with kappa^2/(K log^4 kappa) in T_1 the second term is at most 1/2. For every kappa > 1, K >= 1 and beta > 0",
        f"{SECOND}/sqrt({T_1_REPAIRED}) <= 1/2",
        LINE,
        enough=("4*C_ls**2*C_ba**4 <= sqrt(C)",),
        argument=(
            *OF_KAPPA,
            Power("2"),
            Scale(named(f"4*{T_1_REPAIRED}")),
            *plain(("kappa**2/(K*log_kappa**4)", "4*C_ls**2*C_ba**4 <= sqrt(C)"), DROPPED),
        ),
        candidates=(point("C_ls=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1000000 d=1"),),
        mutants=(
            mutant(
                "variant",
                "0.49 in place of 1/2",
                f"{SECOND}/sqrt({T_1_REPAIRED}) <= 0.49",
                "C_ls=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1000000 d=1",
            ),
        ),
    ),
    step(
        "r4",
        "the T_1 of (32) is enough where log(n/delta) <= m log(kappa), with sqrt(C) >= 4 m C_ls^2 C_ba^4. For every "
        "kappa > 1, K >= 1 and beta > 0",
        f"{SECOND}/sqrt({T_1_AT}) <= 1/2",
        (*LINE, RECORDS, DELTA, real("m", "[1, oo)", "log(n/delta)/log(kappa) at most")),
        enough=("4*m*C_ls**2*C_ba**4 <= sqrt(C)",),
        ours=("log(n/delta) <= m*log(kappa)",),
        argument=(
            *LOGS,
            *OF_KAPPA,
            Power("2"),
            Scale(named(f"4*{T_1_AT}")),
            *added(
                ("kappa**2/(K*log(kappa)**4*m)", "4*m*C_ls**2*C_ba**4 <= sqrt(C)"),
                ("sqrt(C)*kappa**2/(K*log(kappa)**4*m*log(n/delta))", "log(n/delta) <= m*log(kappa)"),
                DROPPED,
            ),
        ),
        candidates=(point("C_ls=1/4 C_ba=1 C=1 kappa=3 K=1 beta=1000000 d=1 n=2 delta=1/7 m=3"),),
        mutants=(
            mutant(
                "variant",
                "0.49 in place of 1/2",
                f"{SECOND}/sqrt({T_1_AT}) <= 0.49",
                "C_ls=1/2 C_ba=1 C=6 kappa=3 K=1 beta=1000000 d=1 n=2 delta=1/7 m=241/100",
            ),
        ),
    ),
    step(
        "r4-size",
        "where the first term of T_1 alone is too small for s4, kappa^(2/3) >= d^(2/3)/eps_dp up to constants above "
        "1, kappa is at least n^(3/5) over a power of the logarithms P of (30), where the privacy term is the larger "
        "in (30); where 1/sqrt(n) is, kappa >= sqrt(n)/(2C) at once. So r4 covers delta >= n^(-m)",
        "n/P <= kappa**(5/3)",
        (KAPPA, DIMENSION, RECORDS, EPS, positive("P", "logarithms of (30), and C")),
        ours=("d**(2/3)/eps_dp <= kappa**(2/3)", "n*eps_dp/(sqrt(d)*P) <= kappa"),
        argument=(
            Have("sqrt(d) <= d**(2/3)", (Power("6"), *plain(("d**3", "1 <= d")))),
            *plain(
                ("sqrt(d)/eps_dp", "n*eps_dp/(sqrt(d)*P) <= kappa"),
                ("kappa/eps_dp", "sqrt(d) <= d**(2/3)"),
                ("kappa", "d**(2/3)/eps_dp <= kappa**(2/3)"),
            ),
        ),
        candidates=(point("kappa=8 d=1 n=32 eps_dp=1/4 P=1"),),
        mutants=(
            mutant("power", "n^(2/3) in place of n^(3/5)", "n/P <= kappa**(3/2)", "kappa=8 d=1 n=32 eps_dp=1/4 P=1"),
        ),
    ),
    step(
        "s5~repaired",
        "by the choice of zeta, divided by the number C_ba log(R kappa/r) of calls an iteration",
        f"({ITERATIONS})*({CALLS})*(1/(kappa*{ITERATIONS}*({CALLS}))) == 1/kappa",
        (C_BA, K, KAPPA),
    ),
)
