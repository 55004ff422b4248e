"""Lemma 5.4: from the first to the last line of (22), summand by summand."""

from dpaudit.claims.writing import *

from .symbols import *

BY_STEP_COUNT = "sqrt(M*R) <= sqrt(c_DP*L)"
BY_LOGARITHM = "sqrt(M*R) <= sqrt(ell*L)"
ROOT_FITS = "p**(1/4) <= sqrt(eps)*n**(1/4)*sqrt(m)"
TO_LAST = (
    Have(BY_STEP_COUNT, (Power("2"), Combine((("1", SMOOTH), ("L", "c_M <= c_DP"))))),
    Have(BY_LOGARITHM, (Power("2"), Combine((("1", SMOOTH), ("L", "c_M <= ell"))))),
    Have(ROOT_FITS, (Power("2"), Combine((("1", "sqrt(p) <= eps*sqrt(n)*m"),)))),
    BY_STEPS,
    Have(
        f"{LINE_A[0]} <= {HALF_E}",
        (
            Rewrite(left="sqrt(M*R)*sqrt(L)*R*ell*t**(1/4)*c_DP**(1/4)*n**(-9/16)/m"),
            Combine(
                (
                    ("sqrt(L)*R*ell*t**(1/4)*c_DP**(1/4)*n**(-9/16)/m", BY_STEP_COUNT),
                    ("L*R*ell*c_DP**(3/4)*n**(-9/16)/m", LATEST),
                    ("L*R*ell*c_DP*n**(-1/2)/m", "1 <= m"),
                )
            ),
        ),
    ),
    Have("1 <= sqrt(m)", (Power("2"), Combine((("1", "1 <= m"),)))),
    Have(
        f"{LINE_A[1]} <= {HALF_E}",
        (
            Rewrite(left="sqrt(M*R)*sqrt(L)*R*sqrt(ell)*p**(1/4)*c_DP*n**(-3/4)/(m*sqrt(eps))"),
            Combine(
                (
                    ("sqrt(L)*R*sqrt(ell)*p**(1/4)*c_DP*n**(-3/4)/(m*sqrt(eps))", BY_LOGARITHM),
                    ("L*R*ell*c_DP*n**(-3/4)/(m*sqrt(eps))", ROOT_FITS),
                    ("L*R*ell*c_DP*n**(-1/2)/sqrt(m)", "1 <= sqrt(m)"),
                )
            ),
        ),
    ),
    Have(
        f"{LINE_A[2]} <= {LINE_E[1]}",
        (
            Rewrite(left="sqrt(M*R)*sqrt(L)*R*sqrt(ell)*c_DP**(1/2)*n**(-3/8)/(sqrt(m)*sqrt(t))"),
            Combine(
                (
                    ("sqrt(L)*R*sqrt(ell)*c_DP**(1/2)*n**(-3/8)/(sqrt(m)*sqrt(t))", BY_LOGARITHM),
                    ("L*R*ell*c_DP**(1/2)*n**(-3/8)/(sqrt(m)*sqrt(t))", "1 <= sqrt(m)"),
                )
            ),
        ),
    ),
    Combine(
        (
            ("1", f"{LINE_A[0]} <= {HALF_E}"),
            ("1", f"{LINE_A[1]} <= {HALF_E}"),
            ("1", f"{LINE_A[2]} <= {LINE_E[1]}"),
        )
    ),
)
