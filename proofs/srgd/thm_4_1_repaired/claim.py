r"""Theorem 4.1, repaired: what Theorem 5.1, repaired, gives with eta_t = t + 1, S = Q/sqrt(B), |nabla F| <= L, |b_t| <=
b_max.

w is sqrt(T), s is sqrt(t + 1) and u is sqrt(3 log(6 T/gamma)), at least 1; the bound on |q_t| is S u/s.
"""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/THM-4.1~repaired"
R, B_MAX = positive("R", "bound on |C|_2"), real("b_max", "[0, oo)", "bound on |b_t|")
S, ROOT = real("S", "[0, oo)", "Q/sqrt(B)"), real("s", "[1, oo)", "sqrt(t + 1)")
WIDE, LOGS = real("w", "[1, oo)", "sqrt(T)"), real("u", "[1, oo)", "sqrt(3 log(6 T/gamma))")
SIZES = (LIPSCHITZ, R, BETA, B_MAX, S)
ALL = (
    "s**2*(s**2 + 1)/2*(2*(S*u/s)*(L + S*u/s)/beta + 3*(S*u/s)*b_max/s**2 + beta*b_max**2/s**4)"
    " + S*u/s*R*s**2 + 3*beta*b_max*R"
)
"""eta_{0:t} times the printed errors of step t: eta_t = s^2, eta_{0:t} = s^2 (s^2 + 1)/2."""
EACH = "u**2*(2*S*L*w**3/beta + 2*S**2*w**2/beta + 3*S*b_max*w + S*R*w + 3*beta*b_max*R + beta*b_max**2)"
RATE = "S*L*w/beta + S**2/beta + S*b_max/w + S*R/w + beta*b_max*R/w**2 + beta*b_max**2/w**2 + beta*R**2/w**4"
SUMMED = f"gap <= (w**2*{EACH} + beta*R**2)/(w**2*(w**2 + 1)/2)"
ONES = "L=1 R=1 beta=1 b_max=1 S=1"

CLAIM = Claim(
    id=HERE,
    title="excess population risk, simplified and repaired",
    words=(
        "With the steps matched at kappa = 2, eta_t = t + 1, beta >= M, |b_t| <= b_max and S = Q/sqrt(B), with "
        "probability 1 - gamma: F(y_T) - F(x*) <= 6 u^2 (S L sqrt(T)/beta + S^2/beta + S b_max/sqrt(T) + S R/sqrt(T) + "
        "beta b_max R/T + beta b_max^2/T + beta R^2/T^2), u^2 = 3 log(6 T/gamma). Encoded: from the repaired Theorem "
        "5.1, where the errors of each of the T steps are replaced by their bound (`term`), by |nabla F(x_t)| <= L and "
        "|C|_2 <= R."
    ),
    place="Theorem 4.1",
    reads=Reads.OURS,
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"gap <= 6*u**2*({RATE})", (*SIZES, WIDE, LOGS, real("gap", meaning="F(y_T) - F(x*)")), (SUMMED,)
    ),
    origins=(Condition(SUMMED, Origin.GIVEN, "srgd/THM-5.1~repaired"),),
    rests_on=(f"{HERE}/term",),
    argument=(
        Bound(left=f"(w**2*{EACH} + beta*R**2)/(w**2*(w**2 + 1)/2)", argument=(Combine((("1", SUMMED),)),)),
        Bound(
            left=f"2*({EACH})/w**2 + 2*beta*R**2/w**4",
            argument=(
                Scale("w**4*(w**2 + 1)"),
                Combine(
                    (
                        *(
                            (f"2*u**2*w**2*({term})", "0 <= 1")
                            for term in (
                                *("2*S*L*w**3/beta", "2*S**2*w**2/beta", "3*S*b_max*w", "S*R*w", "3*beta*b_max*R"),
                                "beta*b_max**2",
                            )
                        ),
                        ("2*beta*R**2", "0 <= 1"),
                    )
                ),
            ),
        ),
        Combine(
            (
                *(
                    (f"u**2*{term}", "0 <= 1")
                    for term in ("2*S*L*w/beta", "2*S**2/beta", "4*S*R/w", "4*beta*b_max**2/w**2", "4*beta*R**2/w**4")
                ),
                ("2*beta*R**2/w**4*(u + 1)", "1 <= u"),
            )
        ),
    ),
    candidates=(point(f"{ONES} w=1 u=1 gap=13"),),
    mutants=(
        mutant("two", "2 in the place of 6", f"gap <= 2*u**2*({RATE})", "L=1 R=1 beta=1 b_max=1 S=1 w=100 u=1 gap=400"),
    ),
    steps=(
        step(
            "term",
            "the errors of one step, for every t < T",
            f"{ALL} <= {EACH}",
            (*SIZES, ROOT, WIDE, LOGS),
            ("s <= w",),
            argument=(
                Have("s**2 <= w**2", (Combine((("s + w", "s <= w"),)),)),
                Have("s**3 <= w**3", (Combine((("s**2 + s*w + w**2", "s <= w"),)),)),
                Combine(
                    (
                        ("2*S*L*u**2/beta", "s**3 <= w**3"),
                        ("2*S**2*u**2/beta", "s**2 <= w**2"),
                        ("3*S*b_max*u**2", "s <= w"),
                        ("S*R*u**2", "s <= w"),
                        ("(2*S*L*s**3/beta + 3*S*b_max*s + S*R*s)*u", "1 <= u"),
                        ("(3*beta*b_max*R + beta*b_max**2)*(u + 1)", "1 <= u"),
                        (
                            "(S*L*u*s/beta + S**2*u**2/beta + 3/2*S*b_max*u/s + beta*b_max**2/(2*s**2))*(s + 1)",
                            "1 <= s",
                        ),
                    )
                ),
            ),
            candidates=(point(f"{ONES} s=1 w=1 u=1"),),
            mutants=(
                mutant(
                    "two",
                    "1 in the place of the first 2",
                    f"{ALL} <= {EACH.replace('2*S*L', '1*S*L')}",
                    "L=100 R=1 beta=1 b_max=0 S=1 s=1 w=1 u=1",
                ),
            ),
        ),
    ),
)
