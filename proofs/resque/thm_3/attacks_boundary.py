"""The first inequality of the line search display fails near kappa = 1 whatever the constants are: n = root_n^4, where
root_n is exp(200 C_up) rounded up and C_up is C rounded up, at an eps_dp for which kappa is between 6/5 and 5/4."""

from dpaudit.claims.writing import *

from .attacks import GROWTH, KEY, X, records
from .notation import *
from .symbols import *

MANY, OF_MANY = records("200*ceil(C)")


def privacy(many):
    """The eps_dp of the point."""
    return f"(5*C*sqrt(log(1/(1/7)))*log({many}**4/(1/7))**(3/2)*log({many})/{many}**4)"


EPS_HERE = "(5*C*sqrt(log_1_delta)*log_n_delta**(3/2)*log(root_n)/root_n**4)"
KAPPA_HERE = (
    f"(1/(C*(1/sqrt(root_n**4) + (sqrt(1*log_1_delta)*log_n_delta**(3/2)*log(root_n**4)/(root_n**4*{EPS_HERE})))))"
)
BETA_HERE = f"({EPS_HERE}/(C*log_n_delta*sqrt(log_1_delta)))"
K_HERE = "((sqrt(C)*sqrt(1)*kappa*log_n_delta**2)**(2/3))"
POINT = (
    *OF_MANY,
    Have("C <= ceil(C)"),
    Name("C_up", "ceil(C)"),
    Have("1 <= C_up", plain(("1", "C <= C_up"), ("1", "1 <= C"))),
    Have(f"200 <= {X}", plain(("1", f"200*C_up <= {X}"), ("200", "1 <= C_up"))),
    Have(f"C <= {X}", plain(("1", "C <= C_up"), ("1", f"200*C_up <= {X}"), ("199*C_up", "0 <= 1"))),
    *GROWTH,
    Have("1 <= log(root_n**4/(1/7))", plain(("4", f"200 <= {X}"), ("1", "1 <= 800 + log(7)"))),
    Have(f"log(root_n**4/(1/7)) <= 5*{X}", plain(("1", f"200 <= {X}"), ("1", "log(7) <= 200"))),
    Name("log_n_delta", "log(root_n**4/(1/7))"),
    Have("log(1/(1/7)) <= log(2/(1/7))", plain(("1", "0 <= log(2)"))),
    Have("1 <= log(1/(1/7))"),
    Have("log(1/(1/7)) <= 4"),
    Name("log_1_delta", "log(1/(1/7))"),
)
SMALL_PRIVACY = (
    Have("sqrt(log_1_delta) <= 2", (Power("2"), *plain(("1", "log_1_delta <= 4")))),
    Have(f"log_n_delta**(3/2) <= (5*{X})**(3/2)", (Power("2/3"), *plain(("1", f"log_n_delta <= 5*{X}")))),
    Scale("root_n**4"),
    *plain(
        (f"5*sqrt(log_1_delta)*log_n_delta**(3/2)*{X}", f"C <= {X}"),
        (f"5*log_n_delta**(3/2)*{X}**2", "sqrt(log_1_delta) <= 2"),
        (f"10*{X}**2", f"log_n_delta**(3/2) <= (5*{X})**(3/2)"),
        ("root_n**(10/3)", KEY),
        (f"4*{X}**15", "1 <= root_n**(10/3)"),
        (f"4*{X}**(7/2)", f"100 <= {X}**(23/2)"),
        (f"{X}**(7/2)", "10*5**(3/2) < 400"),
    ),
)
OF_KAPPA_HERE = (
    Have(
        "30*C <= root_n**2",
        plain(
            ("30", f"C <= {X}"),
            (f"30*{X}", f"1 <= 4*{X}**14/30"),
            ("1", KEY),
            ("root_n**(2/3)", "1 <= root_n**(4/3)"),
        ),
    ),
    Have(
        f"6/5 <= {KAPPA_HERE}",
        (Scale("C*(1/root_n**2 + 4/(5*C))"), *plain(("1/(25*root_n**2)", "30*C <= root_n**2"))),
    ),
    Have(
        f"{KAPPA_HERE} <= 5/4",
        (Scale("C*(1/root_n**2 + 4/(5*C))"), *plain(("5*C/(4*root_n**2)", "0 <= 1"))),
    ),
)
FEW_STEPS = (
    Name("kappa", KAPPA_HERE),
    Have("log(kappa) <= 1/4", plain(("1", "log(kappa) <= kappa - 1"), ("1", "kappa <= 5/4"))),
    Have("1/6 <= log(kappa)", plain(("1", "log(1/kappa) <= 1/kappa - 1"), ("5/(6*kappa)", "6/5 <= kappa"))),
    Name("log_kappa", "log(kappa)"),
    Name("log_2_delta", "log(2/(1/7))"),
    Have(
        f"{BETA_HERE} <= 1/2",
        (
            Have(f"sqrt(log_n_delta) <= (5*{X})**(1/2)", (Power("2"), *plain(("1", f"log_n_delta <= 5*{X}")))),
            Scale("root_n**4"),
            *plain(
                (f"5*{X}", f"sqrt(log_n_delta) <= (5*{X})**(1/2)"),
                ("root_n**(10/3)/2", KEY),
                (f"2*{X}**15", "1 <= root_n**(10/3)"),
                (f"2*{X}**(3/2)", f"100 <= {X}**(27/2)"),
                (f"{X}**(3/2)", "5*5**(1/2) <= 200"),
            ),
        ),
    ),
    Have(f"0 < {BETA_HERE}"),
    Name("beta", BETA_HERE),
    Have(f"0 < {EPS_HERE}"),
    Name("epsilon", EPS_HERE),
    Have(
        f"1 <= {K_HERE}",
        (Power("3/2"), *plain(("1", "6/5 <= kappa"), ("1/5", "0 <= 1"), ("kappa", "1 <= sqrt(C)*log_n_delta**2"))),
    ),
    Name("K", K_HERE),
    Have(
        "kappa*beta <= sqrt(K)",
        (
            Power("2"),
            *plain(
                ("kappa**2*(beta + 1/2)", "beta <= 1/2"),
                ("(kappa + 5/4)/4", "kappa <= 5/4"),
                ("1", "1 <= K"),
                ("1", "0 <= 1 - 25/64"),
            ),
        ),
    ),
    Have("kappa**2/K <= kappa/(sqrt(K)*beta)", (Scale("K*beta/kappa"), *plain(("1", "kappa*beta <= sqrt(K)")))),
    Scale("root_n**8*epsilon/(32*C*C_priv*beta**2*log_n_delta**3)"),
    *plain(
        ("(kappa/(sqrt(K)*beta)*log_kappa + kappa**2/(K*log_n_delta))**2", "log_1_delta <= log_2_delta"),
        (
            "log_1_delta*(2*kappa**3/(K**(3/2)*beta)*log_kappa/log_n_delta + kappa**4/(K*log_n_delta)**2)",
            "0 <= 1",
        ),
        ("4*log_1_delta*log_kappa**4*(kappa/(sqrt(K)*beta) + kappa**2/K)", "kappa**2/K <= kappa/(sqrt(K)*beta)"),
        (
            "4*log_1_delta*kappa**2/(K*beta**2)*log_kappa**2*(log_kappa**2 + log_kappa/4 + 1/16)",
            "log_kappa <= 1/4",
        ),
        ("4*log_1_delta*kappa**2/(K*beta**2)*log_kappa**2*(log_kappa + 1/4)", "log_kappa <= 1/4"),
        ("log_1_delta*kappa**2/(K*beta**2)*log_kappa**2", "0 < 11/16"),
    ),
)
FAILS = ForEvery(
    where(f"d=1 n={MANY}**4 eps_dp={privacy(MANY)} delta=1/7"),
    conditions=(
        (*POINT, *SMALL_PRIVACY),
        (*POINT, *OF_KAPPA_HERE, *plain(("1", f"6/5 <= {KAPPA_HERE}"), ("1", "1 < 6/5"))),
    ),
    argument=(*POINT, *OF_KAPPA_HERE, *FEW_STEPS),
)
