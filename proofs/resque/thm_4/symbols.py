"""The symbols and terms that several parts use."""

from dpaudit.claims.writing import *

A, B = positive("A", "n"), positive("B", "n^2 eps^2/d")
P, Q = positive("P", "(nd)^(2/3)/eps"), positive("Q", "n^(4/3) eps^(1/3)")
Y = real("y", "(0, 1]", "2^(-i/3)")
PHASE_COST = "min(y**3*A, y**6*B) + min(y**2*P, y**4*Q)"
WHOLE = "(min(A, B) + min(P, Q))"
ONES = tuple((s, "1") for s in ("A", "B", "P", "Q"))


def second_term(n, d, eps):
    return f"min((({n})*({d}))**(2/3)/({eps}), ({n})**(4/3)*({eps})**(1/3))"


def stated(n, d, eps):
    return f"(min({n}, ({n})**2*({eps})**2/({d})) + {second_term(n, d, eps)})"


def late(i, n, d, eps):
    """The second term of phase i, with n/2^i records and budget eps/2^i."""
    return second_term(f"2**(-{i})*{n}", d, f"2**(-{i})*{eps}")


LATE, STATED = late("i", "n", "d", "eps"), stated("n", "d", "eps")
POWERS = ("2**(18*m)", "2**(9*m)", "1/2")
"""n, d, eps of s1-every."""


EXPONENTS = "5/6*(2/3 + 2/3*e) + 1/6*(4/3) <= max(1, 2/3 + 2/3*e) + {c}"
ROOT = real("e", "[0, 1]", "d = n^e")
SMALL = {
    "radius": 0.5,
    "lipschitz": 1.0,
    "epsilon": 0.9,
    "delta": 0.1,
    "acceleration_constant": 0.7,
    "solver_constant": 0.3,
    "error_constant": 0.05,
    "privacy_constant": 2.0,
    "steps": (8, 8, 2),
    "privacy": 4.0,
    "failure": 0.75,
    "most": 2,
    "ball_share": 0.3,
    "smoothing_share": 0.9,
    "accuracy_share": 0.4,
    "least_records": 8,
}
"""Constants of practical size; with those of the proofs kappa < 1 for every n that can be run."""
SIZES = tuple(2**k for k in range(40, 101, 20))
