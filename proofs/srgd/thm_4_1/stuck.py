"""Theorem 4.1: a run that does not move, and how large eta_t can be."""

from dpaudit.claims.writing import *

from .symbols import *

ROOTS = sequence("s", "[0, oo)", "sqrt(eta_{0:t})")
RISE = "all(t, 0, T - 1, s[t + 1] <= s[t] + 2)"
STUCK = (
    step(
        "stuck",
        "from z_t = 0, with b_t = -b_max, nabla_t = -L and eta_t L <= beta b_max, the point that is projected to "
        "z_(t+1), (eta_t/beta) L - b_max, is not positive, so that z_(t+1) = 0; so is y_(t+1) (stuck-y), and x_(t+1) "
        "between them",
        "eta/beta*L - b_max <= 0",
        (ETA, *SIZES, positive("eta_max", "the largest eta_t")),
        ("eta <= eta_max", "eta_max*L <= beta*b_max"),
        argument=(Combine((("1/beta", "eta_max*L <= beta*b_max"), ("L/beta", "eta <= eta_max"))),),
        candidates=(point("eta=1 L=1 R=1 beta=1 b_max=1 eta_max=1"),),
        mutants=(
            mutant("half", "half of the noise", "eta/beta*L - b_max/2 <= 0", "eta=1 L=1 R=1 beta=1 b_max=1 eta_max=1"),
        ),
    ),
    step(
        "stuck-y",
        "L/beta - b_max/eta_t is not positive, so that y_(t+1) = 0",
        "L/beta - b_max/eta <= 0",
        (ETA, *SIZES, positive("eta_max", "the largest eta_t")),
        ("eta <= eta_max", "eta_max*L <= beta*b_max"),
        argument=(Combine((("1/(beta*eta)", "eta_max*L <= beta*b_max"), ("L/(beta*eta)", "eta <= eta_max"))),),
        candidates=(point("eta=1 L=1 R=1 beta=1 b_max=1 eta_max=1"),),
        mutants=(
            mutant("half", "half of the noise", "L/beta - b_max/2/eta <= 0", "eta=1 L=1 R=1 beta=1 b_max=1 eta_max=1"),
        ),
    ),
    step(
        "largest",
        "eta_t^2 <= 4 eta_{0:t} gives s_t <= s_(t-1) + 2 for s_t = sqrt(eta_{0:t}): s_t^2 - s_(t-1)^2 = eta_t <= 2 s_t",
        "s_now <= s_before + 2",
        (positive("s_now", "s_t"), real("s_before", "[0, oo)", "s_(t-1)")),
        ("s_now**2 - s_before**2 <= 2*s_now",),
        argument=(
            Scale("s_now + s_before"),
            Combine((("1", "s_now**2 - s_before**2 <= 2*s_now"), ("2", "0 <= s_before"))),
        ),
        candidates=(point("s_now=2 s_before=0"),),
        mutants=(mutant("one", "1 in the place of 2", "s_now <= s_before + 1", "s_now=2 s_before=0"),),
    ),
    step(
        "largest-all",
        "so that s_T <= 2 (T + 1) from s_0 <= 2, and eta_t <= 2 s_t <= 4 (t + 1) <= 4 T in the steps t < T. Encoded: "
        "the first",
        "s[T] <= 2*(T + 1)",
        (STEPS, ROOTS),
        ("s[0] <= 2",),
        given={f"{HERE}/largest": RISE},
        kind=ClaimKind.INDUCTION,
        argument=(Induct("T"),),
        candidates=(point("T=1 s=[2,4]"),),
        mutants=(mutant("one", "2 T", "s[T] <= 2*(T + 0)", "T=1 s=[2,4]"),),
    ),
)
