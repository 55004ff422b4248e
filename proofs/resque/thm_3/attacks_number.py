"""The printed number of draws J = j_max is below one for some C above every bound: C = root_n and n = root_n^4, where
root_n is exp(200 C_up) rounded up and C_up is C_0 + C' + C_priv rounded up."""

from dpaudit.claims.writing import *

from .attacks import GROWTH, KEY, X, records
from .notation import *
from .symbols import *

WHOLE = "ceil(C_0 + C_prime + C_priv)"
MANY, OF_MANY = records(f"200*{WHOLE}")
TERM = "(sqrt(1*log_1_delta)*log_n_delta**(3/2)*log(root_n**4)/(root_n**4*(1/2)))"
KAPPA_HERE = "(1/(root_n*(1/sqrt(root_n**4) + privacy_term)))"
BETA_HERE = "(1/2/(root_n*log_n_delta*sqrt(log_1_delta)))"
K_HERE = "((sqrt(root_n)*sqrt(1)*kappa*log_n_delta**2)**(2/3))"
T_3_HERE = f"(sqrt(root_n)*(kappa*sqrt(1)/(sqrt({K_HERE})*{BETA_HERE}) + kappa**2/{K_HERE}))"
SUM = "C_0 + C_prime + C_priv <= C_up"
POINT = (
    *OF_MANY,
    Have(f"C_0 + C_prime + C_priv <= {WHOLE}"),
    Name("C_up", WHOLE),
    Have("C_0 <= C_up", plain(("1", SUM), ("1", "0 <= C_prime"), ("1", "0 <= C_priv"))),
    Have("C_prime <= C_up", plain(("1", SUM), ("1", "0 <= C_0"), ("1", "0 <= C_priv"))),
    Have("C_priv <= C_up", plain(("1", SUM), ("1", "0 <= C_0"), ("1", "0 <= C_prime"))),
    Have("1 <= C_up", plain(("1", "C_prime <= C_up"), ("1", "1 <= C_prime"))),
    Have(f"200 <= {X}", plain(("1", f"200*C_up <= {X}"), ("200", "1 <= C_up"))),
    Have(f"C_up <= {X}", plain(("1", f"200*C_up <= {X}"), ("199*C_up", "0 <= 1"))),
    *GROWTH,
)
LOGARITHMS = (
    Have("1 <= log(root_n**4/(1/7))", plain(("4", f"200 <= {X}"), ("1", "1 <= 800 + log(7)"))),
    Have(f"log(root_n**4/(1/7)) <= 5*{X}", plain(("1", f"200 <= {X}"), ("1", "log(7) <= 200"))),
    Name("log_n_delta", "log(root_n**4/(1/7))"),
    Have("1 <= log(1/(1/7))"),
    Have("log(1/(1/7)) <= 4"),
    Name("log_1_delta", "log(1/(1/7))"),
    Have("sqrt(log_1_delta) <= 2", (Power("2"), *plain(("1", "log_1_delta <= 4")))),
)
OF_KAPPA_HERE = (
    Have(f"log_n_delta**(3/2) <= (5*{X})**(3/2)", (Power("2/3"), *plain(("1", f"log_n_delta <= 5*{X}")))),
    Have(
        f"{TERM} <= 1/root_n**2",
        plain(
            (f"8*log_n_delta**(3/2)*{X}/root_n**4", "sqrt(log_1_delta) <= 2"),
            (f"16*{X}/root_n**4", f"log_n_delta**(3/2) <= (5*{X})**(3/2)"),
            (f"{X}**(5/2)/root_n**4", "16*5**(3/2) <= 200"),
            (f"{X}**(5/2)/root_n**4", f"200 <= 4*{X}**(25/2)"),
            ("1/root_n**4", KEY),
            ("1/root_n**2", "1/root_n**(4/3) <= 1"),
        ),
    ),
    Have(f"0 < {TERM}"),
    Name("privacy_term", TERM),
    Have(
        f"root_n/2 <= {KAPPA_HERE}",
        (Scale("2*root_n*(1/root_n**2 + privacy_term)"), *plain(("root_n**2", "privacy_term <= 1/root_n**2"))),
    ),
    Have(
        f"{KAPPA_HERE} <= root_n",
        (Scale("root_n*(1/root_n**2 + privacy_term)"), *plain(("root_n**2", "0 < privacy_term"))),
    ),
    Have(f"0 < {KAPPA_HERE}"),
    Name("kappa", KAPPA_HERE),
)
AT_LEAST_E = plain(("1", "root_n/2 <= kappa"), ("1/2", "exp(200) <= root_n"), ("1", "exp(1) <= exp(200)/2"))
BELOW = "log2(root_n**4/(C_priv*T_3)) <= floor(log2(root_n**4/(C_priv*T_3))) + 1"
SIZE = f"(4*5**(5/3)*{X}**(5/3) + 1)"
FEW = (
    Have("exp(1) <= kappa", AT_LEAST_E),
    Have("1 <= log(kappa)", plain(("1", "log(exp(1)/kappa) <= exp(1)/kappa - 1"), ("1/kappa", "exp(1) <= kappa"))),
    Have(f"log(kappa) <= {X}", plain(("1", "log(kappa/root_n) <= kappa/root_n - 1"), ("1/root_n", "kappa <= root_n"))),
    Name("log_kappa", "log(kappa)"),
    Have("kappa**(4/3) <= root_n**(4/3)", (Power("3/4"), *plain(("1", "kappa <= root_n")))),
    Have(f"log_n_delta**(5/3) <= (5*{X})**(5/3)", (Power("3/5"), *plain(("1", f"log_n_delta <= 5*{X}")))),
    Have(
        f"{T_3_HERE}*{K_HERE} <= {SIZE}*root_n**3",
        plain(
            ("2*root_n**(5/3)*log_n_delta**(5/3)*sqrt(log_1_delta)", "kappa**(4/3) <= root_n**(4/3)"),
            ("2*root_n**3*log_n_delta**(5/3)", "sqrt(log_1_delta) <= 2"),
            ("4*root_n**3", f"log_n_delta**(5/3) <= (5*{X})**(5/3)"),
            ("sqrt(root_n)*(kappa + root_n)", "kappa <= root_n"),
            ("root_n**3", "1/sqrt(root_n) <= 1"),
        ),
    ),
    Have(f"0 < {T_3_HERE}"),
    Name("T_3", T_3_HERE),
    Have(f"0 < {K_HERE}"),
    Name("K", K_HERE),
    Have(BELOW, plain(("1", BELOW))),
    Name("level", "floor(log2(root_n**4/(C_priv*T_3)))"),
    Have(
        "2**(-level) <= 2*C_priv*T_3/root_n**4",
        (Logarithm(), *plain(("log(2)", "log2(root_n**4/(C_priv*T_3)) <= level + 1"))),
    ),
    Have(f"C_prime <= {X}", plain(("1", "C_prime <= C_up"), ("1", f"C_up <= {X}"))),
    Have(f"C_priv <= {X}", plain(("1", "C_priv <= C_up"), ("1", f"C_up <= {X}"))),
    *plain(
        ("C_prime*K*log_kappa*log_n_delta", "2**(-level) <= 2*C_priv*T_3/root_n**4"),
        ("2*C_prime*C_priv*log_kappa*log_n_delta/root_n**4", f"T_3*K <= {SIZE}*root_n**3"),
        (f"2*C_prime*C_priv*log_kappa*{SIZE}/root_n", f"log_n_delta <= 5*{X}"),
        (f"10*{X}*C_prime*C_priv*{SIZE}/root_n", f"log_kappa <= {X}"),
        (f"10*{X}**2*C_priv*{SIZE}/root_n", f"C_prime <= {X}"),
        (f"10*{X}**3*{SIZE}/root_n", f"C_priv <= {X}"),
        (f"{X}**(17/3)/root_n", "40*5**(5/3) <= 600"),
        (f"{X}**(17/3)/root_n", f"600 <= {X}**(28/3)"),
        (f"{X}**4/root_n", f"10 <= {X}**11"),
        ("1/(2*root_n)", KEY),
        ("1/2", "1/root_n**(1/3) <= 1"),
        ("1", "1/2 < 1"),
    ),
)
FAILS = ForEvery(
    where(f"C={MANY} d=1 n={MANY}**4 eps_dp=1/2 delta=1/7".replace(" + ", "+")),
    conditions=(
        (
            *POINT,
            *plain(
                ("1", "C_0 <= C_up"),
                ("1", f"C_up <= {X}"),
                (X, f"1 <= 4*{X}**14"),
                ("1", KEY),
                ("root_n**(2/3)", "1 <= root_n**(1/3)"),
            ),
        ),
        (*POINT, *LOGARITHMS, *OF_KAPPA_HERE, *AT_LEAST_E),
    ),
    argument=(*POINT, *LOGARITHMS, *OF_KAPPA_HERE, *FEW),
)
