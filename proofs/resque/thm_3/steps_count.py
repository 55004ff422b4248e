"""The number of gradients. Step s20."""

from dpaudit.claims.writing import *

from .attacks import many_calls
from .notation import *
from .steps_parameters import LEVELS_SIZE
from .symbols import *

PLACE = f"{PROOF}, gradient complexity"
LEVELS = "sum(j, 0, j_max, (2**(-j)*C_prime*log(n/delta))*(2**(j + 1)*T_3))"
BRACKET = "(T_1*log(n) + T_2 + T_3*log(n)*log(n/delta))"
SEARCHES = "C_ba*K*log(kappa)*(C_ba*log(K**(3/2)*kappa))"
"""All line searches: iterations times calls, with K^1.5 = R/r."""
LEAST_FAILURE = "1/n**2 <= zeta"
COUNT = (C_BA, C_PRIME, K, KAPPA, T_1, T_2, T_3, FAILURE, LEVEL, RECORDS, DELTA)
LOG_FAILURE = Have(
    "log(1/zeta) <= 2*log(n)", plain(("1", "log(1/(n**2*zeta)) <= 1/(n**2*zeta) - 1"), ("1/zeta", LEAST_FAILURE))
)
COUNT_STEPS = (
    step(
        "s20-zeta",
        "the zeta of (32) is at least n^(-2), for C >= C_ba, by (31) and K <= 3 n^(2/3)",
        f"1/n**2 <= {FAILURE_AT}",
        (C_BA, K, KAPPA, CONSTANT, RECORDS),
        given={f"{THM}/s1": FROM_ROOT, f"{THM}/s11-size": "K <= 3*n**(2/3)"},
        enough=("C_ba <= C",),
        place=f"{PLACE}, after the display",
        printed=r"\zeta\geq n^{-2}",
        argument=(
            Have("kappa <= sqrt(n)", plain(("1", FROM_ROOT), ("kappa", "1 <= C"))),
            Have(
                "log(kappa) <= log(n)/2",
                plain(("1", "log(kappa/sqrt(n)) <= kappa/sqrt(n) - 1"), ("1/sqrt(n)", "kappa <= sqrt(n)")),
            ),
            Have("log(n) <= 6/5*n**(5/6)/exp(1)", plain(("6/5", "log(n**(5/6)/exp(1)) <= n**(5/6)/exp(1) - 1"))),
            *OF_KAPPA,
            Scale("n**2*kappa*C_ba*K*log_kappa"),
            *plain(
                ("kappa*K*log_kappa", "C_ba <= C"),
                ("K*log_kappa", FROM_ROOT),
                ("sqrt(n)*log_kappa", "K <= 3*n**(2/3)"),
                ("3*n**(7/6)", "log_kappa <= log(n)/2"),
                ("3/2*n**(7/6)", "log(n) <= 6/5*n**(5/6)/exp(1)"),
                ("n**2", "9/5/exp(1) <= 1"),
            ),
        ),
        candidates=(point("C_ba=1 K=100 kappa=10 C=1 n=1000000"),),
        mutants=(mutant("power", "1/n", f"1/n <= {FAILURE_AT}", "C_ba=1 K=10000 kappa=100 C=1 n=1000000"),),
    ),
    step(
        "s20",
        "the inequality of the display, one line search an iteration, with zeta >= n^(-2), j_max <= log2 n (log n read "
        "as log2 n) and kappa <= n. For all positive T_1, T_2, T_3",
        f"C_ba*K*log(kappa)*(18*T_1*log(1/zeta) + T_2 + {LEVELS}) <= 36*C_ba*C_prime*K*log(n)*{BRACKET}",
        COUNT,
        given={f"{THM}/s19-levels": LEVELS_SIZE, f"{THM}/s1": "kappa <= n", f"{THM}/s20-zeta": LEAST_FAILURE},
        kind=ClaimKind.COST,
        place=f"{PLACE}, display",
        printed=r"C_{\textup{ba}}K\log\kappa\cdot\left(18T_{1}\log\frac{1}{\zeta}+T_{2}+\sum_{0\leq j\leq j_{\max}}"
        r"\left(2^{-j}C^{\prime}\log\frac{n}{\delta}\right)\left(2^{j+1}T_{3}\right)\right)\leq 36C_{\textup{ba}}"
        r"C^{\prime}K\log n\left(T_{1}\log n+T_{2}+T_{3}\log n\log\frac{n}{\delta}\right)",
        argument=(
            LOG_FAILURE,
            Have("0 <= log(1/zeta)"),
            Have("log(kappa) <= log(n)", plain(("1", "log(kappa/n) <= kappa/n - 1"), ("1/n", "kappa <= n"))),
            *LOGS,
            *OF_KAPPA,
            Name("log_zeta", "log(1/zeta)"),
            Have(
                "j_max + 1 <= 3*log_n",
                plain(
                    ("1", "j_max <= log_n/log(2)"),
                    ("log_n", "1/log(2) <= 1.45"),
                    ("1.55", "69/100 <= log_n"),
                    ("1", "0 <= 1.55*69/100 - 1"),
                ),
            ),
            *added(
                (f"36*C_prime*C_ba*K*{BRACKET}", "log(kappa) <= log(n)"),
                ("18*C_ba*K*log(kappa)*T_1", "log_zeta <= 2*log_n"),
                ("36*C_ba*K*log(kappa)*(T_1*log(n) + T_2)", "1 <= C_prime"),
                ("35*C_ba*K*log(kappa)*T_2", "0 <= 1"),
                ("2*C_prime*log(n/delta)*T_3*C_ba*K*log(kappa)", "j_max + 1 <= 3*log_n"),
                ("30*C_prime*log(n/delta)*T_3*C_ba*K*log(kappa)*log(n)", "0 <= 1"),
            ),
        ),
        mutants=(
            mutant(
                "variant",
                "9 in place of 36",
                f"C_ba*K*log(kappa)*(18*T_1*log(1/zeta) + T_2 + {LEVELS}) <= 9*C_ba*C_prime*K*log(n)*{BRACKET}",
                "C_ba=1 C_prime=1 K=1 kappa=100 T_1=1000 T_2=1 T_3=1 zeta=1/10000 j_max=1 n=100 delta=1/10",
            ),
        ),
    ),
    erratum(
        "s20-calls",
        "The reason given: one line search an iteration at 18 T_1 log(1/zeta) gradients are all of them: C_ba "
        "log(R kappa/r) searches an iteration at as many each are no more, for some C_ba > 0",
        f"{SEARCHES}*(18*T_1*log(1/zeta)) <= C_ba*K*log(kappa)*(18*T_1*log(1/zeta))",
        (constant("C_ba", "(0, oo)", "of Proposition 1"), K, KAPPA, T_1, FAILURE),
        reads=Reads.REASON,
        place=f"{PLACE}, display, the first summand",
        printed=r"C_{\textup{ba}}K\log\kappa\cdot 18T_{1}\log\frac{1}{\zeta}",
        argument=(many_calls("C_ba*root_n*log(10)*(18*log(10000))", "T_1=1 zeta=1/10000"),),
        finding=(
            "The slip of s5 again, which harms nothing: the count takes one line search an iteration and 18 T_1 "
            "log(1/zeta) gradients each; it is up to C_ba log(R kappa/r) of them, at 20 log(1/zeta) + 1 copies each "
            "(PROP-10/s5). The right side of the display holds with the right count for C' >= 3 C_ba (s20-whole), "
            "since T_1 is below T_3 and the summand of T_3 has the logarithm that is missing."
        ),
        repair=f"{THM}/s20-whole",
    ),
    step(
        "s20-calls~repaired",
        "with the factor C_ba log(R kappa/r), 20 log(1/zeta) + 1 copies and 42 in place of 36. For every positive T_1",
        f"{SEARCHES}*((20*log(1/zeta) + 1)*T_1) <= 42*C_ba**2*K*log(n)*T_1*log(n)*log(K**(3/2)*kappa)",
        (C_BA, K, KAPPA, T_1, FAILURE, RECORDS),
        given={f"{THM}/s1": "kappa <= n", f"{THM}/s20-zeta": LEAST_FAILURE},
        kind=ClaimKind.COST,
        argument=(
            LOG_FAILURE,
            Have("0 <= log(1/zeta)"),
            Have("log(kappa) <= log(n)", plain(("1", "log(kappa/n) <= kappa/n - 1"), ("1/n", "kappa <= n"))),
            Have("0 < log(K**(3/2)*kappa)"),
            Name("log_ratio", "log(K**(3/2)*kappa)"),
            Name("log_zeta", "log(1/zeta)"),
            LOG_N,
            *plain(
                ("42*C_ba**2*K*log(n)*T_1*log_ratio", "log(kappa) <= log(n)"),
                ("20*C_ba**2*K*log(kappa)*log_ratio*T_1", "log_zeta <= 2*log(n)"),
                ("2*C_ba**2*K*log(kappa)*log_ratio*T_1", "69/100 <= log(n)"),
                ("C_ba**2*K*log(kappa)*log_ratio*T_1", "1 <= 138/100"),
            ),
        ),
        mutants=(
            mutant(
                "variant",
                "40 in place of 42",
                f"{SEARCHES}*((20*log(1/zeta) + 1)*T_1) <= 40*C_ba**2*K*log(n)*T_1*log(n)*log(K**(3/2)*kappa)",
                "C_ba=1 K=1 kappa=100 T_1=1 zeta=1/10000 n=100",
            ),
        ),
    ),
)
