"""The number of gradients with all line searches. All of this is ours."""

from dpaudit.claims.writing import *

from .notation import *
from .ours_search import T_1_REPAIRED
from .ours_sizes import LINE, P, Q
from .steps_count import BRACKET, COUNT, LEAST_FAILURE, LEVELS, LOG_FAILURE
from .steps_parameters import LEVELS_SIZE
from .symbols import *

LOG_RATIO = "log(K**(3/2)*kappa)"
"""log(R kappa/r), by K^1.5 = R/r."""
LOG_OF_RATIO = f"{LOG_RATIO} <= 4*log(n)"
ALL_GRADIENTS = f"C_ba*K*log(kappa)*(C_ba*{LOG_RATIO}*(20*log(1/zeta) + 1)*T_1 + T_2 + {LEVELS})"
ALL_PARTS = f"C_ba*{T_1_REPAIRED}*log(n)*{LOG_RATIO} + {T_2_AT} + {T_3_AT}*log(n)*log(n/delta)"

COUNT_OURS = (
    step(
        "s20-whole",
        "the display with all line searches, C_ba log(R kappa/r) an iteration at 20 log(1/zeta) + 1 copies of T_1 "
        "gradients: the printed right side as it stands, for C' >= 3 C_ba and kappa <= sqrt(n). For all positive T_2 "
        "and T_3, and T_1 <= T_3",
        f"{ALL_GRADIENTS} <= 36*C_ba*C_prime*K*log(n)*{BRACKET}",
        COUNT,
        given={
            f"{THM}/s19-levels": LEVELS_SIZE,
            f"{THM}/s1": "kappa <= sqrt(n)",
            f"{THM}/s14-log": LOG_OF_RATIO,
            f"{THM}/s18-steps": "T_1 <= T_3",
            f"{THM}/s20-zeta": LEAST_FAILURE,
        },
        enough=("3*C_ba <= C_prime",),
        reads=Reads.OURS,
        kind=ClaimKind.COST,
        argument=(
            LOG_FAILURE,
            Have("0 <= log(1/zeta)"),
            Have(
                "log(kappa) <= log(n)/2",
                plain(("1", "log(kappa/sqrt(n)) <= kappa/sqrt(n) - 1"), ("1/sqrt(n)", "kappa <= sqrt(n)")),
            ),
            *LOGS,
            *OF_KAPPA,
            Have(f"0 < {LOG_RATIO}"),
            Name("log_ratio", LOG_RATIO),
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
            Have(
                "20*log_zeta + 1 <= 42*log_n",
                plain(("20", "log_zeta <= 2*log_n"), ("100/69", "69/100 <= log_n"), ("log_n", "0 <= 2 - 100/69")),
            ),
            *added(
                ("C_ba*K*log(kappa)*C_ba*log_ratio*T_1", "20*log_zeta + 1 <= 42*log_n"),
                ("42*C_ba**2*K*log(kappa)*log(n)*T_1", "log_ratio <= 4*log_n"),
                ("168*C_ba**2*K*log(n)**2*T_1", "log(kappa) <= log(n)/2"),
                ("84*C_ba**2*K*log(n)**3", "T_1 <= T_3"),
                ("84*C_ba**2*K*log(n)**2*T_3", "log(n) <= log(n/delta)"),
                ("28*C_ba*K*log(n)**2*log(n/delta)*T_3", "3*C_ba <= C_prime"),
                ("C_ba*K*T_2 + 2*C_ba*K*C_prime*log(n/delta)*T_3*(j_max + 1)", "log(kappa) <= log(n)/2"),
                ("C_ba*K*log(n)*C_prime*log(n/delta)*T_3", "j_max + 1 <= 3*log_n"),
                ("36*C_ba*K*log(n)*T_2", "1 <= C_prime"),
                ("35.5*C_ba*K*log(n)*T_2 + 36*C_ba*C_prime*K*log(n)**2*T_1", "0 <= 1"),
                ("5*C_ba*C_prime*K*log(n)**2*log(n/delta)*T_3", "0 <= 1"),
            ),
        ),
        mutants=(
            mutant(
                "variant",
                "1 in place of 36",
                f"{ALL_GRADIENTS} <= 1*C_ba*C_prime*K*log(n)*{BRACKET}",
                "C_ba=1 C_prime=3 K=60 kappa=10 T_1=1000 T_2=1 T_3=1000 zeta=1/10000 j_max=1 n=100 delta=1/10",
            ),
        ),
    ),
    step(
        "s20-parts~repaired",
        "with all line searches and the T_1 of s4~repaired the bracket is at most (4 C_ba + 2) T_3 log n log(n/delta), "
        "for log kappa >= 1. For every K >= 1 and beta > 0",
        f"{ALL_PARTS} <= (4*C_ba + 2)*{T_3_AT}*log(n)*log(n/delta)",
        (C_BA, *LINE, RECORDS, DELTA),
        given={f"{THM}/s14-log": LOG_OF_RATIO},
        ours=(E_AT_LEAST,),
        kind=ClaimKind.COST,
        argument=(
            *LOGS,
            Have(f"0 < {LOG_RATIO}"),
            Name("log_ratio", LOG_RATIO),
            *OF_KAPPA,
            *added(
                (f"C_ba*({P}/log(kappa)**2 + {Q}/log(kappa)**4)*log(n)", "log_ratio <= 4*log(n)"),
                (f"4*C_ba*{P}*log(n)**2", "1/log(kappa)**2 <= 1"),
                (f"4*C_ba*{Q}*log(n)**2", "1/log(kappa)**4 <= 1"),
                (f"4*C_ba*({P} + {Q})*log(n)", "log(n) <= log(n/delta)"),
                (P, "1/sqrt(log(kappa)) <= 1"),
                (Q, "1/log(kappa) <= 1"),
                (f"({P} + {Q})*log(n)", "248/100 <= log(n/delta)"),
                (f"({P} + {Q})*248/100", "69/100 <= log(n)"),
                (f"{P} + {Q}", "0 <= 248/100*69/100 - 1"),
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "(3 C_ba/2 + 2)",
                f"{ALL_PARTS} <= (3/2*C_ba + 2)*{T_3_AT}*log(n)*log(n/delta)",
                "C_ba=100 C=1 kappa=272/100 K=500000 beta=1/1000000 d=1 n=200 delta=1/7",
            ),
        ),
    ),
)
