"""Points at which a display fails whatever the constants are: terms in the constants, with their arguments."""

from dpaudit.claims.writing import *

from .symbols import *


def records(exponent):
    """A whole number above exp(exponent), which is at least 1; what is shown of it, and its name root_n."""
    many = f"ceil(exp({exponent}))"
    return many, (
        Have(f"exp({exponent}) <= {many}"),
        Have(f"0 < exp({exponent})"),
        Have(f"0 < {many}", plain(("1", f"exp({exponent}) <= {many}"), ("1", f"0 < exp({exponent})"))),
        Have(
            f"{exponent} <= log({many})",
            plain(
                ("1", f"log(exp({exponent})/{many}) <= exp({exponent})/{many} - 1"),
                (f"1/{many}", f"exp({exponent}) <= {many}"),
            ),
        ),
        Name("root_n", many),
    )


X = "log(root_n)"


def far(other):
    """C + 1/other rounded up, root_n at the point, and what is shown of them: for a constant `other` above 0."""
    whole = f"ceil(C + 1/{other})"
    many, of_many = records(f"200*{whole}")
    return (
        whole,
        many,
        (
            *of_many,
            Have(f"C + 1/{other} <= {whole}"),
            Name("C_up", whole),
            Have("C <= C_up", plain(("1", f"C + 1/{other} <= C_up"), (f"1/{other}", "0 <= 1"))),
            Have(f"1/{other} <= C_up", plain(("1", f"C + 1/{other} <= C_up"), ("C", "0 <= 1"))),
            Have("1 <= C_up", plain(("1", "C <= C_up"), ("1", "1 <= C"))),
            Have(f"200 <= {X}", plain(("1", f"200*C_up <= {X}"), ("200", "1 <= C_up"))),
            Have(f"C_up <= {X}", plain(("1", f"200*C_up <= {X}"), ("199*C_up", "0 <= 1"))),
            Have(f"C <= {X}", plain(("1", "C <= C_up"), ("1", f"C_up <= {X}"))),
        ),
    )


KEY = f"4*{X}**15 <= root_n**(2/3)"
GROWTH = (
    Have(
        "exp(200) <= root_n",
        plain(("exp(200)", f"1 + ({X} - 200) <= exp({X} - 200)"), ("exp(200)", f"200 <= {X}")),
    ),
    Have(f"{X} <= 45*root_n**(1/45)/exp(1)", plain(("45", "log(root_n**(1/45)/exp(1)) <= root_n**(1/45)/exp(1) - 1"))),
    Have(
        f"{X}**15 <= (45*root_n**(1/45)/exp(1))**15",
        (Power("1/15"), *plain(("1", f"{X} <= 45*root_n**(1/45)/exp(1)"))),
    ),
    Have(
        "4*(45/exp(1))**15 <= root_n**(1/3)",
        (Power("3"), *plain(("1", "exp(200) <= root_n"), ("1", "(4*(45/exp(1))**15)**3 <= exp(200)"))),
    ),
    Have(
        KEY,
        plain(
            ("4", f"{X}**15 <= (45*root_n**(1/45)/exp(1))**15"),
            ("root_n**(1/3)", "4*(45/exp(1))**15 <= root_n**(1/3)"),
        ),
    ),
)
"""root_n is above every power of its logarithm that occurs."""


def many_calls(one, at=""):
    """C_ba log(K^1.5 kappa) is above 1 whatever C_ba is, at kappa = 10 and K = exp(2/C_ba), rounded up; `one` is what
    the opposite of the goal has for this 1, `at` the values of further symbols."""
    many, of_many = records("2/C_ba")
    return ForEvery(
        where(f"K={many} kappa=10 {at}"),
        argument=(
            *of_many,
            Have("0 < log(10)"),
            *plain(
                (f"3/2*C_ba*({one})", f"2/C_ba <= {X}"), (f"C_ba*log(10)*({one})", "0 <= 1"), (f"2*({one})", "0 < 1")
            ),
        ),
    )
