"""T_3 exceeds n for some C above every bound: C = root_n and n = root_n^4, where root_n is exp(200 ceil(C_0)) rounded
up, at an eps_dp for which kappa is between 3 and 4."""

from dpaudit.claims.writing import *

from .attacks import GROWTH, KEY, X, records
from .notation import *
from .symbols import *

MANY, OF_MANY = records("200*ceil(C_0)")


def privacy(many):
    """The eps_dp of the point."""
    return f"(16*sqrt(log(1/(1/7)))*log({many}**4/(1/7))**(3/2)*log({many})/{many}**3)"


EPS_HERE = "(16*sqrt(log_1_delta)*log_n_delta**(3/2)*log(root_n)/root_n**3)"
KAPPA_HERE = (
    f"(1/(root_n*(1/sqrt(root_n**4) + (sqrt(1*log_1_delta)*log_n_delta**(3/2)*log(root_n**4)/(root_n**4*{EPS_HERE})))))"
)
POINT = (
    *OF_MANY,
    Have("C_0 <= ceil(C_0)"),
    Name("C_up", "ceil(C_0)"),
    Have("1 <= C_up", plain(("1", "C_0 <= C_up"), ("1", "1 <= C_0"))),
    Have(f"200 <= {X}", plain(("1", f"200*C_up <= {X}"), ("200", "1 <= C_up"))),
    *GROWTH,
    Have("200 <= root_n", plain(("1", "exp(200) <= root_n"), ("1", "200 <= exp(200)"))),
)
LOGARITHMS = (
    Have("0 < log(root_n**4/(1/7))"),
    Have(f"log(root_n**4/(1/7)) <= 5*{X}", plain(("1", f"200 <= {X}"), ("1", "log(7) <= 200"))),
    Name("log_n_delta", "log(root_n**4/(1/7))"),
    Have("1 <= log(1/(1/7))"),
    Have("log(1/(1/7)) <= 4"),
    Name("log_1_delta", "log(1/(1/7))"),
)
SMALL_PRIVACY = (
    Have("sqrt(log_1_delta) <= 2", (Power("2"), *plain(("1", "log_1_delta <= 4")))),
    Have(f"log_n_delta**(3/2) <= (5*{X})**(3/2)", (Power("2/3"), *plain(("1", f"log_n_delta <= 5*{X}")))),
    Scale("root_n**3"),
    *plain(
        (f"16*log_n_delta**(3/2)*{X}", "sqrt(log_1_delta) <= 2"),
        (f"32*{X}", f"log_n_delta**(3/2) <= (5*{X})**(3/2)"),
        ("root_n**(7/3)", KEY),
        (f"4*{X}**15", "1 <= root_n**(7/3)"),
        (f"4*{X}**(5/2)", f"100 <= {X}**(25/2)"),
        (f"{X}**(5/2)", "32*5**(3/2) < 400"),
    ),
)
AT_LEAST_3 = Have(
    f"3 <= {KAPPA_HERE}", (Scale("root_n*(1/root_n**2 + 1/(4*root_n))"), *plain(("1/4", "12/root_n <= 1")))
)
TOO_LARGE = (
    Have(f"0 < {KAPPA_HERE}"),
    AT_LEAST_3,
    Name("kappa", KAPPA_HERE),
    Have("1 <= kappa**(2/3)", (Power("3/2"), *plain(("1", "3 <= kappa"), ("1", "0 <= 2")))),
    Have(f"log_n_delta**(7/6) <= (5*{X})**(7/6)", (Power("6/7"), *plain(("1", f"log_n_delta <= 5*{X}")))),
    Have(f"2*{X}**(15/2) <= root_n**(1/3)", (Power("2"), *plain(("1", KEY)))),
    *plain(
        ("root_n**(1/6)*kappa**(4/3)/log_n_delta**(4/3)", "0 <= 1"),
        (f"root_n**(13/3)/(16*log_n_delta**(7/6)*{X})", "1 <= kappa**(2/3)"),
        (
            f"root_n**(13/3)/(16*log_n_delta**(7/6)*{X}*(5*{X})**(7/6))",
            f"log_n_delta**(7/6) <= (5*{X})**(7/6)",
        ),
        (f"root_n**4/(16*5**(7/6)*{X}**(13/6))", f"2*{X}**(15/2) <= root_n**(1/3)"),
        ("root_n**4/(8*5**(7/6))", f"60 <= {X}**(16/3)"),
        ("root_n**4", "1 < 60/(8*5**(7/6))"),
        ("root_n**4", "1/C_priv <= 1"),
    ),
)
FAILS = ForEvery(
    where(f"C={MANY} d=1 n={MANY}**4 eps_dp={privacy(MANY)} delta=1/7"),
    conditions=(
        (*POINT, *LOGARITHMS, *SMALL_PRIVACY),
        (
            *POINT,
            *plain(
                ("1", "C_0 <= C_up"),
                ("199*C_up", "0 <= 1"),
                ("1", f"200*C_up <= {X}"),
                ("1", f"1 + {X} <= exp({X})"),
                ("1", "0 <= 1"),
            ),
        ),
        (*POINT, *LOGARITHMS, AT_LEAST_3, *plain(("1", f"3 <= {KAPPA_HERE}"), ("1", "exp(1) <= 3"))),
    ),
    argument=(*POINT, *LOGARITHMS, *TOO_LARGE),
)
