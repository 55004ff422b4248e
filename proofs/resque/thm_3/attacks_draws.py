"""What the paper quotes for the last display of the privacy part does not give it whatever the constants are: n =
root_n^2 and kappa = root_n/C, where root_n is exp(100 C_up^3) rounded up and C_up is C rounded up, at K = 2 and j_max
= 1."""

from dpaudit.claims.writing import *

from .attacks import records
from .symbols import *

WHOLE = (
    Have("C <= ceil(C)"),
    Have("1 <= ceil(C)", plain(("1", "C <= ceil(C)"), ("1", "1 <= C"))),
    Name("C_up", "ceil(C)"),
)
"""C_up is C rounded up."""

QUOTED = (constant("C", "[1, oo)", "of (30)"), constant("C_priv", "[1, oo)"), constant("C_prime", "[1, oo)", "C'"))
MANY, OF_MANY = records("100*ceil(C)**3")
SQUARE = (
    *OF_MANY,
    *WHOLE,
    Have("100 <= log(root_n)", plain(("1", "100*C_up**3 <= log(root_n)"), ("100*(C_up**2 + C_up + 1)", "1 <= C_up"))),
    Have("C_up <= C_up**3", plain(("C_up*(C_up + 1)", "1 <= C_up"))),
)
X_SMALL = Have(
    "log(root_n) <= 3*root_n**(1/3)/exp(1)", plain(("3", "log(root_n**(1/3)/exp(1)) <= root_n**(1/3)/exp(1) - 1"))
)
QUOTED_FAILS = ForEvery(
    where(f"j_max=1 kappa={MANY}/C K=2 d=1 n={MANY}**2 eps_dp=1/2 delta=1/7"),
    conditions=(
        (
            *SQUARE,
            Have("1 + log(root_n) <= root_n", plain(("1", "1 + log(root_n) <= exp(log(root_n))"))),
            Scale("C"),
            *plain(
                ("1", "1 + log(root_n) <= root_n"),
                ("1", "100*C_up**3 <= log(root_n)"),
                ("1", "C <= C_up"),
                ("1", "C_up <= C_up**3"),
                ("99*C_up**3", "0 <= 1"),
                ("1", "0 < 1"),
            ),
        ),
        (*SQUARE, *plain(("1", "0 <= log(C)"), ("1", "0 <= log(root_n)"))),
        (*SQUARE, *plain(("2/log(2)", "100 <= log(root_n)"), ("1", "1 <= 200/log(2)"))),
        (
            *SQUARE,
            X_SMALL,
            Have("2*log(root_n) + log(7) <= 3*log(root_n)", plain(("1", "100 <= log(root_n)"), ("1", "log(7) <= 100"))),
            Have(
                "(2*log(root_n) + log(7))**(3/2) <= (3*log(root_n))**(3/2)",
                (Power("2/3"), *plain(("1", "2*log(root_n) + log(7) <= 3*log(root_n)"))),
            ),
            Have(
                "log(root_n)**(5/2) <= (3*root_n**(1/3)/exp(1))**(5/2)",
                (Power("2/5"), *plain(("1", "log(root_n) <= 3*root_n**(1/3)/exp(1)"))),
            ),
            Have(
                "100/12 <= root_n**(1/12)",
                plain(
                    ("1", "1 + log(root_n)/12 <= exp(log(root_n)/12)"), ("1/12", "100 <= log(root_n)"), ("1", "0 <= 1")
                ),
            ),
            *plain(
                (
                    "2*root_n*sqrt(log(7))*log(root_n)",
                    "(2*log(root_n) + log(7))**(3/2) <= (3*log(root_n))**(3/2)",
                ),
                (
                    "2*root_n*sqrt(log(7))*3**(3/2)",
                    "log(root_n)**(5/2) <= (3*root_n**(1/3)/exp(1))**(5/2)",
                ),
                ("root_n**(11/6)", "2*sqrt(log(7))*3**(3/2)*(3/exp(1))**(5/2) <= (100/12)**2/2"),
                ("root_n**(11/6)/2*(root_n**(1/12) + 100/12)", "100/12 <= root_n**(1/12)"),
            ),
        ),
        (),
        (),
    ),
    argument=(
        *SQUARE,
        Have("0 < log(root_n**2/(1/7))"),
        Have("200*C_up**3 <= log(root_n**2/(1/7))", plain(("2", "100*C_up**3 <= log(root_n)"), ("1", "0 <= log(7)"))),
        Name("log_n_delta", "log(root_n**2/(1/7))"),
        Have(
            "C_up**2 <= log(root_n/C)",
            plain(
                ("1", "100*C_up**3 <= log(root_n)"),
                ("1", "log(C) <= C - 1"),
                ("1", "C <= C_up"),
                ("1", "C_up <= C_up**3"),
                ("C_up**2", "1 <= C_up"),
                ("98*C_up**3 + 1", "0 <= 1"),
            ),
        ),
        Name("log_kappa", "log(root_n/C)"),
        Have("1 <= log(1/(1/7))"),
        Name("log_7", "log(1/(1/7))"),
        Have("1 <= log_kappa", plain(("1", "C_up**2 <= log_kappa"), ("C_up + 1", "1 <= C_up"))),
        Have("C**5 <= C_up**5", (Power("1/5"), *plain(("1", "C <= C_up")))),
        *plain(
            ("64*C_prime*C_priv*log_n_delta**3*log_7*log_kappa/(C*root_n**2)", "0 <= 1"),
            ("8*log_kappa*C_prime*C_priv/C**5", "200*C_up**3 <= log_n_delta"),
            ("1600*C_up**3*C_prime*C_priv/C**5", "C_up**2 <= log_kappa"),
            ("1600*C_prime*C_priv/C**5", "C**5 <= C_up**5"),
            ("1600*C_priv", "1 <= C_prime"),
            ("1600", "1 <= C_priv"),
            ("1", "1/12 < 1600"),
        ),
    ),
)
