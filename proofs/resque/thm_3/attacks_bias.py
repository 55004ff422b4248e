"""The bias of the proximal oracle is too large whatever the constants are: n = d = root_n^2, where root_n is exp(200
C_up) rounded up and C_up is C + 1/C_bias rounded up."""

from dpaudit.claims.writing import *

from .attacks import GROWTH, KEY, X, far
from .notation import *
from .symbols import *

WHOLE, MANY, POINT = far("C_bias")
TERM = "(sqrt(root_n**2*log_1_delta)*log_n_delta**(3/2)*log(root_n**2)/(root_n**2*(1/2)))"
"""The privacy term of (30) at the point."""
KAPPA_HERE = "(1/(C*(1/sqrt(root_n**2) + privacy_term)))"
SMALL_TERM = (
    Have("log(root_n**2/(1/7)) <= 3*log(root_n)", plain(("1", f"200 <= {X}"), ("1", "log(7) <= 200"))),
    Have("0 < log(root_n**2/(1/7))"),
    Have("1 <= log(root_n**2/(1/7))", plain(("2", f"200 <= {X}"), ("1", "1 <= 400 + log(7)"))),
    Name("log_n_delta", "log(root_n**2/(1/7))"),
    Have("1 <= log(1/(1/7))"),
    Have("log(1/(1/7)) <= 4"),
    Name("log_1_delta", "log(1/(1/7))"),
    Have("sqrt(log_1_delta) <= 2", (Power("2"), *plain(("1", "log_1_delta <= 4")))),
    Have("log_n_delta**(3/2) <= (3*log(root_n))**(3/2)", (Power("2/3"), *plain(("1", "log_n_delta <= 3*log(root_n)")))),
    Have(f"3**(3/2)*8 <= {X}", plain(("1", f"200 <= {X}"), ("1", "3**(3/2)*8 <= 200"))),
    Have(
        f"{TERM} <= {X}**4/root_n",
        plain(
            (f"4*log_n_delta**(3/2)*{X}/root_n", "sqrt(log_1_delta) <= 2"),
            (f"8*{X}/root_n", "log_n_delta**(3/2) <= (3*log(root_n))**(3/2)"),
            (f"{X}**(5/2)/root_n", f"3**(3/2)*8 <= {X}"),
            (f"{X}**(7/2)/root_n", f"1 <= sqrt({X})"),
        ),
    ),
    Have(f"0 < {TERM}"),
    Name("privacy_term", TERM),
    Have(
        f"root_n/(2*C*{X}**4) <= {KAPPA_HERE}",
        (
            Scale(f"2*C*{X}**4*(1/root_n + privacy_term)"),
            *plain(("root_n", f"privacy_term <= {X}**4/root_n"), ("1", f"1 <= {X}**4")),
        ),
    ),
    Have(f"0 < {KAPPA_HERE}"),
    Name("kappa", KAPPA_HERE),
    Have(
        "exp(1) <= kappa",
        plain(
            ("1", f"root_n/(2*C*{X}**4) <= kappa"),
            (f"root_n**(1/3)/(2*C*{X}**4)", KEY),
            (f"2*{X}**11/C", "1 <= root_n**(1/3)"),
            (f"2*{X}**10/C", f"C <= {X}"),
            ("2", f"2 <= {X}**10"),
            ("1", "exp(1) <= 4"),
        ),
    ),
)
K_HERE = "((sqrt(C)*root_n*kappa*log_n_delta**2)**(2/3))"
BETA_HERE = "(1/2/(C*log_n_delta*sqrt(log_1_delta)))"
T_3_HERE = T_3_AT.replace("sqrt(d)", "root_n").replace("K", K_HERE).replace("beta", BETA_HERE)
FIRST, LEFT = "2**(1/3)", "(2**(1/3) + 1/4)/4"
TOO_LARGE = (
    Have(
        f"(root_n/(2*C*{X}**4))**(4/3) <= kappa**(4/3)",
        (Power("3/4"), *plain(("1", f"root_n/(2*C*{X}**4) <= kappa"))),
    ),
    Have("1 <= kappa", plain(("1", "exp(1) <= kappa"), ("1", "1 <= exp(1)"))),
    Have("1 <= kappa**(2/3)", (Power("3/2"), *plain(("1", "1 <= kappa")))),
    Have(f"C**(2/3) <= {X}**(2/3)", (Power("3/2"), *plain(("1", f"C <= {X}")))),
    Power("2"),
    Scale(f"{BETA_HERE}**2*{T_3_HERE}/kappa**2"),
    *plain(
        (
            f"{FIRST}*C**(2/3)*{X}**(16/3)*root_n**(-2/3)/(log_n_delta**(5/3)*sqrt(log_1_delta)*kappa**(4/3))",
            f"(root_n/(2*C*{X}**4))**(4/3) <= kappa**(4/3)",
        ),
        (f"{FIRST}*C**(2/3)*{X}**(16/3)*root_n**(-2/3)/sqrt(log_1_delta)", "1/log_n_delta**(5/3) <= 1"),
        (f"{FIRST}*C**(2/3)*{X}**(16/3)*root_n**(-2/3)", "1/sqrt(log_1_delta) <= 1"),
        (f"{FIRST}*{X}**(16/3)*root_n**(-2/3)", f"C**(2/3) <= {X}**(2/3)"),
        (
            "1/4*root_n**(-2/3)/(C**(11/6)*log_n_delta**(10/3)*log_1_delta*kappa**(2/3))",
            "1 <= kappa**(2/3)",
        ),
        ("1/4*root_n**(-2/3)/(log_n_delta**(10/3)*log_1_delta)", "1/C**(11/6) <= 1"),
        ("1/4*root_n**(-2/3)/log_1_delta", "1/log_n_delta**(10/3) <= 1"),
        ("1/4*root_n**(-2/3)", "1/log_1_delta <= 1"),
        (f"({FIRST}*{X}**6 + 1/4)/(4*{X}**15)*root_n**(-2/3)", KEY),
        (f"{FIRST}/(4*{X}**2)", f"1/{X}**7 <= 1"),
        (f"1/(16*{X}**2)", f"1/{X}**13 <= 1"),
        (f"{LEFT}*(C_up + {X})/(C_up*{X})**2", f"C_up <= {X}"),
        (f"{LEFT}*C_bias*(C_bias*C_up + 1)/C_up**2", "1/C_bias <= C_up"),
        ("C_bias**2", "1 <= C_ba**2"),
        ("C_bias**2", f"{LEFT} < 1"),
    ),
)
FAILS = ForEvery(
    where(f"d={MANY}**2 n={MANY}**2 eps_dp=1/2 delta=1/7".replace("C + 1/C_bias", "C+1/C_bias")),
    conditions=((*POINT, *GROWTH, *SMALL_TERM),),
    argument=(*POINT, *GROWTH, *SMALL_TERM, *TOO_LARGE),
)
