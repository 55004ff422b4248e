"""Theorem 5.1 without noise where no projection acts and nabla F(x*) = 0: Algorithm 1 itself, by the potential of an
optimised gradient method (Kim and Fessler 2016), which has F(x_t) - |nabla F(x_t)|^2/(2 beta) in the place of F(y_t).

F is convex and beta-smooth on R^p. A run of which no point is projected while x* is at the edge of C, as for a linear
loss, is not covered."""

from dpaudit.claims.writing import *

from .symbols import *

LAST_X, LAST_GRAD, NOW = (
    vector("x_prev", "x_(t-1)"),
    vector("grad_prev", "nabla F(x_(t-1))"),
    vector("grad", "nabla F(x_t)"),
)
LAST_F = real("F_prev", meaning="F(x_(t-1))")
X_NOW = "((1 - eta/eta_sum)*(x_prev - grad_prev/beta) + eta/eta_sum*z)"
TWO = "eta**2 <= 2*eta_sum"
CLASS = smooth_convex_at("beta", (X_NOW, "grad", "F_x"), ("x_prev", "grad_prev", "F_prev"), ("x_star", "", "F_star"))
AFTER = "eta_sum*(F_x - F_star - norm(grad)**2/(2*beta)) + beta/2*norm(z - eta/beta*grad - x_star)**2"
BEFORE = "(eta_sum - eta)*(F_prev - F_star - norm(grad_prev)**2/(2*beta)) + beta/2*norm(z - x_star)**2"
W, A = sequence("P", meaning="the potential before step t"), positive("eta_before", "eta_{0:T-1}")
FALL = "all(t, 0, T - 1, P[t + 1] <= P[t])"
SMALL = "eta=1 eta_sum=1 beta=1 x_prev=(1) z=(1) grad_prev=(1) grad=(1) x_star=(0) F_prev=1/2 F_x=1/2 F_star=0"

FREE = (
    step(
        "free",
        "without noise, examples alike, where no projection acts and x* is the minimiser over R^p, eta_{0:t} (F(x_t) - "
        "F(x*) - |nabla F(x_t)|^2/(2 beta)) + (beta/2)|z_(t+1) - x*|^2 does not grow, for eta_t^2 <= 2 eta_{0:t}",
        f"{AFTER} <= {BEFORE}",
        (ETA, ETA_SUM, BETA, LAST_X, Z, LAST_GRAD, NOW, BEST, LAST_F, F_X, F_STAR),
        (TWO, PART, *CLASS),
        argument=(
            Combine(
                (
                    ("eta_sum - eta", CLASS[2]),
                    ("eta", CLASS[4]),
                    ("norm(grad)**2/(2*beta)", TWO),
                )
            ),
        ),
        candidates=(point(SMALL),),
        mutants=(
            Mutant(
                "condition",
                "eta_t^2 <= 4 eta_{0:t}",
                conditions=("eta**2 <= 4*eta_sum", PART, *CLASS),
                candidates=(point(SMALL.replace("eta=1 eta_sum=1", "eta=4 eta_sum=4")),),
            ),
        ),
    ),
    step(
        "free-fall",
        "hence it is at the end at most what it is at the start, which is (beta/2)|x_0 - x*|^2. Encoded: the first",
        "P[T] <= P[0]",
        (STEPS, W),
        given={f"{HERE}/free": FALL},
        kind=ClaimKind.INDUCTION,
        argument=(Induct("T"),),
        candidates=(point("T=1 P=[1/2,1/2]"),),
        mutants=(mutant("half", "half of it", "P[T] <= P[0]/2", "T=1 P=[1/2,1/2]"),),
    ),
    step(
        "free-end",
        "so that F(y_T) - F(x*) <= beta |x_0 - x*|^2/(2 eta_{0:T-1}), with F(y_T) <= F(x_(T-1)) - |nabla "
        "F(x_(T-1))|^2/(2 beta), which is `descent` at y_T = x_(T-1) - nabla F(x_(T-1))/beta, for M <= beta",
        "gap <= beta*far_0/(2*eta_before)",
        (
            *(STEPS, BETA, A, W),
            real("gap", meaning="F(y_T) - F(x*)"),
            real("far_0", "[0, oo)", "|x_0 - x*|^2"),
            real("reached", meaning="F(x_(T-1)) - F(x*) - |nabla F(x_(T-1))|^2/(2 beta)"),
            real("far_T", "[0, oo)", "|z_T - x*|^2"),
        ),
        ("eta_before*reached + beta/2*far_T <= P[T]", "P[0] <= beta/2*far_0"),
        given={f"{HERE}/free-fall": "P[T] <= P[0]", "srgd/LEM-5.3/descent": "gap <= reached"},
        argument=(
            Combine(
                (
                    ("1", "gap <= reached"),
                    ("1/eta_before", "eta_before*reached + beta/2*far_T <= P[T]"),
                    ("1/eta_before", "P[T] <= P[0]"),
                    ("1/eta_before", "P[0] <= beta/2*far_0"),
                    ("beta/(2*eta_before)", "0 <= far_T"),
                )
            ),
        ),
        candidates=(point("T=1 beta=1 eta_before=1 P=[1/2,1/2] gap=1/2 far_0=1 reached=1/2 far_T=0"),),
        mutants=(
            mutant(
                "third",
                "a third",
                "gap <= beta*far_0/(3*eta_before)",
                "T=1 beta=1 eta_before=1 P=[1/2,1/2] gap=1/2 far_0=1 reached=1/2 far_T=0",
            ),
        ),
    ),
    step(
        "free-default",
        "which for eta_t = t + 1 and T >= 2 is no more than the printed beta |C|_2^2/eta_{0:T}",
        "beta*D/(2*(T*(T + 1)/2)) <= beta/((T + 1)*(T + 2)/2)*D",
        (BETA, integer("T", "[2, oo)"), positive("D", "|C|_2^2")),
        argument=(Combine((("beta*D/(T*(T + 1)*(T + 2))", "2 <= T"),)),),
        mutants=(
            mutant("two", "2/3 of it", "beta*D/(2*(T*(T + 1)/2)) <= 2/3*beta/((T + 1)*(T + 2)/2)*D", "beta=1 T=2 D=1"),
        ),
    ),
)
