"""The T_1 of (32) is too small whatever the constants are: n = root_n^2 and delta = root_n^(-16 C_up^3), where root_n
is exp(200 C_up) rounded up and C_up is C + 1/C_ls rounded up."""

from dpaudit.claims.writing import *

from .attacks import GROWTH, KEY, X, far
from .notation import *
from .symbols import *

WHOLE, MANY, POINT = far("C_ls")


def small_delta(many, whole):
    """The delta of the point."""
    return f"exp(-16*{whole}**3*log({many}))"


SMALL = small_delta("root_n", "C_up")
LOG_DELTA, LOG_N_DELTA = f"log(1/{SMALL})", f"log(root_n**2/{SMALL})"
TERM = "(sqrt(1*log_1_delta)*log_n_delta**(3/2)*log(root_n**2)/(root_n**2*(1/2)))"
"""The privacy term of (30) at the point."""
LOGARITHMS = (
    Have(f"C_up**3 <= ({X}/200)**3", (Power("1/3"), *plain(("1/200", f"200*C_up <= {X}")))),
    Have(f"200**3 <= {X}**3", (Power("1/3"), *plain(("1", f"200 <= {X}")))),
    Have(
        f"{LOG_N_DELTA} <= {X}**4",
        plain(
            (f"16*{X}", f"C_up**3 <= ({X}/200)**3"),
            (f"(1 - 16/200**3)*{X}", f"200**3 <= {X}**3"),
            (X, "0 <= 200**3 - 18"),
        ),
    ),
    Have(f"{LOG_DELTA} <= {X}**4", plain(("1", f"{LOG_N_DELTA} <= {X}**4"), (X, "0 <= 2"))),
    Have(f"0 < {LOG_DELTA}"),
    Have(f"0 < {LOG_N_DELTA}"),
    Have(f"16*C_up**3*{X} <= {LOG_N_DELTA}", plain((X, "0 <= 2"))),
    Name("log_n_delta", LOG_N_DELTA),
    Name("log_1_delta", LOG_DELTA),
    Have(f"sqrt(log_1_delta) <= {X}**2", (Power("2"), *plain(("1", f"log_1_delta <= {X}**4")))),
)
SMALL_TERM = (
    Have(f"log_n_delta**(3/2) <= {X}**6", (Power("2/3"), *plain(("1", f"log_n_delta <= {X}**4")))),
    Have(
        f"{TERM} <= 1/root_n",
        plain(
            (f"4*log_n_delta**(3/2)*{X}/root_n**2", f"sqrt(log_1_delta) <= {X}**2"),
            (f"4*{X}**3/root_n**2", f"log_n_delta**(3/2) <= {X}**6"),
            (f"1/(root_n**2*{X}**6)", KEY),
            (f"1/(root_n*{X}**6)", "1/root_n**(1/3) <= 1"),
            ("1/root_n", f"1/{X}**6 <= 1"),
        ),
    ),
    Have(f"0 < {TERM}"),
    Name("privacy_term", TERM),
)
KAPPA_HERE = "(1/(C*(1/sqrt(root_n**2) + privacy_term)))"
KAPPA_SIZE = (
    Have(f"{KAPPA_HERE} <= root_n/C", (Scale("C*(1/root_n + privacy_term)"), *plain(("root_n", "0 < privacy_term")))),
    Have(
        f"root_n/(2*C) <= {KAPPA_HERE}",
        (Scale("2*C*(1/root_n + privacy_term)"), *plain(("root_n", "privacy_term <= 1/root_n"))),
    ),
    Have(f"0 < {KAPPA_HERE}"),
    Name("kappa", KAPPA_HERE),
    Have(
        "exp(1) <= kappa",
        plain(
            ("1", "root_n/(2*C) <= kappa"),
            ("root_n**(1/3)/(2*C)", KEY),
            (f"2*{X}**15/C", "1 <= root_n**(1/3)"),
            (f"2*{X}**14/C", f"C <= {X}"),
            ("2", f"2 <= {X}**14"),
            ("1", "exp(1) <= 4"),
        ),
    ),
)
KAPPA_LOGARITHM = (
    Have("1 <= log(kappa)", plain(("1", "log(exp(1)/kappa) <= exp(1)/kappa - 1"), ("1/kappa", "exp(1) <= kappa"))),
    Have(
        f"log(kappa) <= {X}",
        plain(("1", "log(kappa/root_n) <= kappa/root_n - 1"), ("1/root_n", "kappa <= root_n/C"), ("1", "1/C <= 1")),
    ),
    Have(f"max(1, log(kappa)) <= {X}", (Cases((("1 <= log(kappa)", ()), ("otherwise", ()))),)),
    Have("1 <= max(1, log(kappa))"),
    Name("log_kappa", "max(1, log(kappa))"),
)
K_HERE = "((sqrt(C)*kappa*log_n_delta**2)**(2/3))"
T_1_HERE = (
    T_1_AT.replace("sqrt(d)", "1")
    .replace("K", K_HERE)
    .replace("beta", "(1/2/(C*log_n_delta*sqrt(log_1_delta)))")
    .replace("log(n/delta)", "log_n_delta")
    .replace("log(kappa)", "log_kappa")
)
FIRST = "2*2**(2/3)"
ROOT = "root_n**(-2/3)"
LEAST = "C_ls*(C_ls*C_up + 1)/C_up**2"
"""C_ls^2 - 1/C_up^2 is this times C_up - 1/C_ls."""
TOO_SMALL = (
    Have("(root_n/(2*C))**(2/3) <= kappa**(2/3)", (Power("3/2"), *plain(("1", "root_n/(2*C) <= kappa")))),
    Have(f"log_n_delta**(5/3) <= {X}**(20/3)", (Power("3/5"), *plain(("1", f"log_n_delta <= {X}**4")))),
    Have(f"C**(7/3) <= {X}**(7/3)", (Power("3/7"), *plain(("1", f"C <= {X}")))),
    Have("sqrt(C) <= C", (Power("2"), *plain(("C", "1 <= C")))),
    Power("2"),
    Scale(f"4*log_kappa**4*{K_HERE}/kappa**2*{T_1_HERE}"),
    *plain(
        (
            f"2*C**(5/3)*log_n_delta**(5/3)*sqrt(log_1_delta)*log_kappa**2*kappa**(-2/3)*(2*C)**(2/3)*{ROOT}",
            "(root_n/(2*C))**(2/3) <= kappa**(2/3)",
        ),
        (f"{FIRST}*log_n_delta**(5/3)*sqrt(log_1_delta)*log_kappa**2*{ROOT}", f"C**(7/3) <= {X}**(7/3)"),
        (f"{FIRST}*{X}**(7/3)*sqrt(log_1_delta)*log_kappa**2*{ROOT}", f"log_n_delta**(5/3) <= {X}**(20/3)"),
        (f"{FIRST}*{X}**9*log_kappa**2*{ROOT}", f"sqrt(log_1_delta) <= {X}**2"),
        (f"{FIRST}*{X}**11*(log_kappa + {X})*{ROOT}", f"log_kappa <= {X}"),
        (f"{FIRST}/(4*{X}**2)*{ROOT}", KEY),
        (f"{FIRST}/4*(C_up + {X})/(C_up*{X})**2", f"C_up <= {X}"),
        ("sqrt(C)/log_n_delta", f"log_kappa <= {X}"),
        ("sqrt(C)/(16*C_up**3*log_n_delta)", f"16*C_up**3*{X} <= log_n_delta"),
        ("1/(16*C_up**3)", "sqrt(C) <= C"),
        ("1/(16*C_up**3)", "C <= C_up"),
        (f"({FIRST}/4 + 1/16)*{LEAST}", "1/C_ls <= C_up"),
        ("4*C_ls**2", "1 <= C_ba**4"),
        ("C_ls**2", f"{FIRST}/4 + 1/16 < 4"),
    ),
)
FAILS = ForEvery(
    where(f"d=1 n={MANY}**2 eps_dp=1/2 delta={small_delta(MANY, WHOLE)}".replace("C + 1/C_ls", "C+1/C_ls")),
    conditions=((*POINT, *GROWTH, *LOGARITHMS, *SMALL_TERM, *KAPPA_SIZE),),
    argument=(*POINT, *GROWTH, *LOGARITHMS, *SMALL_TERM, *KAPPA_SIZE, *KAPPA_LOGARITHM, *TOO_SMALL),
)
