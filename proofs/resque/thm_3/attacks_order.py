"""The order is above the range of Corollary 2 at the first call of Algorithm 5 whatever the constants are: n = root_n^2
and delta = 1/n, where root_n is exp(200 C_up^2) rounded up and C_up is C rounded up."""

from dpaudit.claims.writing import *

from .attacks import GROWTH, KEY, X, records
from .symbols import *

MANY, OF_MANY = records("200*ceil(C)**2")
POINT = (
    *OF_MANY,
    Have("C <= ceil(C)"),
    Name("C_up", "ceil(C)"),
    Have("1 <= C_up", plain(("1", "C <= C_up"), ("1", "1 <= C"))),
    Have("C**2 <= C_up**2", (Power("1/2"), *plain(("1", "C <= C_up")))),
    Have(f"200 <= {X}", plain(("1", f"200*C_up**2 <= {X}"), ("200*(C_up + 1)", "1 <= C_up"))),
    Have(
        f"C <= {X}",
        plain(("1", "C <= C_up"), ("1", f"200*C_up**2 <= {X}"), ("C_up", "1 <= C_up"), ("C_up**2", "0 <= 1")),
    ),
    GROWTH[0],
    Have(KEY, (*GROWTH[1:-1], *GROWTH[-1].argument)),
)
SMALL_FAILURE = (
    *POINT,
    Have(
        "7 <= root_n",
        plain(
            ("root_n**(2/3)", "1 <= root_n**(1/3)"), ("1", KEY), (f"4*{X}**14", f"200 <= {X}"), ("793", f"1 <= {X}**14")
        ),
    ),
    Scale("root_n**2"),
    *plain(("(root_n + 7)/6", "7 <= root_n"), ("1", "0 < 43/6")),
)
N_DELTA, ONE_DELTA = "log(root_n**2/(1/root_n**2))", "log(1/(1/root_n**2))"
LOGARITHMS = (
    Have(f"{N_DELTA} <= 4*{X}", plain(("1", "0 <= 1 - 1"))),
    Have(f"4*{X} <= {N_DELTA}", plain(("1", "0 <= 1 - 1"))),
    Have(f"1 <= {N_DELTA}", plain(("1", f"4*{X} <= {N_DELTA}"), ("4", f"200 <= {X}"), ("1", "0 <= 799"))),
    Name("log_n_delta", N_DELTA),
    Have(f"{ONE_DELTA} <= 2*{X}", plain(("1", "0 <= 1 - 1"))),
    Have(f"2*{X} <= {ONE_DELTA}", plain(("1", "0 <= 1 - 1"))),
    Have(f"1 <= {ONE_DELTA}", plain(("1", f"2*{X} <= {ONE_DELTA}"), ("2", f"200 <= {X}"), ("1", "0 <= 399"))),
    Name("log_1_delta", ONE_DELTA),
)
TERM = "(sqrt(1*log_1_delta)*log_n_delta**(3/2)*log(root_n**2)/(root_n**2*(1/2)))"
KAPPA_HERE = "(1/(C*(1/sqrt(root_n**2) + privacy_term)))"
OF_KAPPA_HERE = (
    *LOGARITHMS,
    Have(
        f"{TERM} <= 1/root_n",
        (
            Have(f"log_n_delta**(3/2) <= (4*{X})**(3/2)", (Power("2/3"), *plain(("1", f"log_n_delta <= 4*{X}")))),
            Have(f"sqrt(log_1_delta) <= (2*{X})**(1/2)", (Power("2"), *plain(("1", f"log_1_delta <= 2*{X}")))),
            *plain(
                (f"4*log_n_delta**(3/2)*{X}/root_n**2", f"sqrt(log_1_delta) <= (2*{X})**(1/2)"),
                (f"4*(2*{X})**(1/2)*{X}/root_n**2", f"log_n_delta**(3/2) <= (4*{X})**(3/2)"),
                (f"{X}**3/root_n**2", "32*2**(1/2) <= 48"),
                (f"4*{X}**3/root_n**2", f"12 <= {X}**12"),
                ("1/root_n**2", KEY),
                ("1/root_n", "1/root_n**(1/3) <= 1"),
            ),
        ),
    ),
    Have(f"0 < {TERM}"),
    Name("privacy_term", TERM),
    Have(
        f"root_n/(2*C) <= {KAPPA_HERE}",
        (Scale("2*C*(1/root_n + privacy_term)"), *plain(("root_n", "privacy_term <= 1/root_n"))),
    ),
    Have(f"{KAPPA_HERE} <= root_n/C", (Scale("C*(1/root_n + privacy_term)"), *plain(("root_n", "0 < privacy_term")))),
    Have(f"0 < {KAPPA_HERE}"),
    Name("kappa", KAPPA_HERE),
)
AT_LEAST_E = plain(
    ("1", "root_n/(2*C) <= kappa"),
    ("root_n**(2/3)/(2*C)", "1 <= root_n**(1/3)"),
    ("1/(2*C)", KEY),
    (f"4*{X}/(2*C)", f"2 <= {X}**14"),
    ("8/(2*C)", f"C <= {X}"),
    ("1", "exp(1) <= 4"),
)
K_HERE = "((sqrt(C)*sqrt(1)*kappa*log_n_delta**2)**(2/3))"
BETA_HERE = "(1/2/(C*log_n_delta*sqrt(log_1_delta)))"
T_2_HERE = f"(sqrt(C)*(kappa*sqrt(1)/(sqrt({K_HERE})*{BETA_HERE}*sqrt(most)) + kappa**2/({K_HERE}*most)))"
STEPS_HERE = (
    Have(
        "log(kappa) <= log_1_delta",
        plain(
            ("1", "log(kappa/root_n) <= kappa/root_n - 1"),
            ("1/root_n", "kappa <= root_n/C"),
            ("1", "1/C <= 1"),
            ("1", f"2*{X} <= log_1_delta"),
            ("1", f"200 <= {X}"),
            ("1", "0 <= 200"),
        ),
    ),
    Name("log_kappa", "log(kappa)"),
    Have(
        "max(1, log_kappa) <= log_1_delta",
        (
            Cases(
                (
                    ("1 <= log_kappa", plain(("1", "log_kappa <= log_1_delta"))),
                    ("otherwise", plain(("1", "1 <= log_1_delta"))),
                )
            ),
        ),
    ),
    Have("1 <= max(1, log_kappa)", plain(("1", "1 <= max(1, log_kappa)"))),
    Name("most", "max(1, log_kappa)"),
    Have(
        f"root_n**(2/3) <= {T_2_HERE}",
        (
            Have("sqrt(most) <= sqrt(log_1_delta)", (Power("2"), *plain(("1", "most <= log_1_delta")))),
            Have("(root_n/(2*C))**(2/3) <= kappa**(2/3)", (Power("3/2"), *plain(("1", "root_n/(2*C) <= kappa")))),
            *plain(
                (f"sqrt(C)*kappa**2/({K_HERE}*most)", "0 <= 1"),
                (
                    "2*C**(4/3)*kappa**(2/3)*log_n_delta**(1/3)/sqrt(most)",
                    "sqrt(most) <= sqrt(log_1_delta)",
                ),
                ("2*C**(4/3)*kappa**(2/3)", "1 <= log_n_delta**(1/3)"),
                ("2*C**(4/3)", "(root_n/(2*C))**(2/3) <= kappa**(2/3)"),
                ("2**(1/3)*root_n**(2/3)", "1 <= C**(2/3)"),
                ("root_n**(2/3)", "1 <= 2**(1/3)"),
            ),
        ),
    ),
    Have(f"0 < {T_2_HERE}", plain(("1", f"root_n**(2/3) <= {T_2_HERE}"), ("1", "0 < root_n**(2/3)"))),
    Name("T_2", T_2_HERE),
)
ABOVE_TWO = plain(
    ("1", "root_n**(2/3) <= T_2"),
    ("1", KEY),
    (f"4*{X}**14", f"200 <= {X}"),
    ("798", f"1 <= {X}**14"),
    ("1", "0 <= 796"),
)
OF_LEVEL = (
    Have("2 <= T_2", ABOVE_TWO),
    Have("T_2 <= max(2, T_2)", plain(("1", "T_2 <= max(2, T_2)"))),
    Have("0 < max(2, T_2)", plain(("1", "T_2 <= max(2, T_2)"), ("1", "0 < T_2"))),
    Name("top", "max(2, T_2)"),
    Have(
        f"2/3*{X}/log(2) <= log2(top)",
        (
            Scale("log(2)"),
            *plain(
                ("1", "log(root_n**(2/3)/top) <= root_n**(2/3)/top - 1"),
                ("1/top", "root_n**(2/3) <= T_2"),
                ("1/top", "T_2 <= top"),
            ),
        ),
    ),
    Have(
        "0 < log2(top)",
        plain(("1", f"2/3*{X}/log(2) <= log2(top)"), ("2/3/log(2)", f"200 <= {X}"), ("1", "0 < 400/(3*log(2))")),
    ),
    Name("doublings", "log2(top)"),
    Have("log2(doublings) <= ceil(log2(doublings))", plain(("1", "log2(doublings) <= ceil(log2(doublings))"))),
    Name("J", "ceil(log2(doublings))"),
    Have("doublings <= 2**J", (Logarithm(), *plain(("log(2)", "log2(doublings) <= J")))),
)
FAILS = ForEvery(
    where(f"d=1 n={MANY}**2 eps_dp=1/2 delta=1/{MANY}**2"),
    conditions=(
        SMALL_FAILURE,
        (*POINT, *OF_KAPPA_HERE, *AT_LEAST_E),
        (*POINT, *OF_KAPPA_HERE, *STEPS_HERE, *ABOVE_TWO),
    ),
    argument=(
        *POINT,
        *OF_KAPPA_HERE,
        *STEPS_HERE,
        *OF_LEVEL,
        Scale("C_priv*2**J*log_1_delta"),
        *plain(
            (f"4*C**2*(log_n_delta + 4*{X})", f"log_n_delta <= 4*{X}"),
            ("8*log(2)*C_priv*2**J*log_1_delta", "0 <= 1"),
            (f"16*{X}*C_priv*2**J", f"2*{X} <= log_1_delta"),
            (f"32*{X}**2*2**J", "1 <= C_priv"),
            (f"32*{X}**2", "doublings <= 2**J"),
            (f"32*{X}**2", f"2/3*{X}/log(2) <= doublings"),
            (f"64/(3*log(2))*{X}**2", f"200*C_up**2 <= {X}"),
            (f"64*{X}**2", "C**2 <= C_up**2"),
            (f"64*{X}**2*C_up**2", "0 <= 200/(3*log(2)) - 1"),
        ),
    ),
)
