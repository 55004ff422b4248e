"""What follows for the moments."""

from dpaudit.claims.writing import *

from .pointwise import SHARE, TAU

HERE = "resque/PROP-7~small"
ALPHA, M = real("alpha", "[3, oo)", "order"), real("M", "[1, oo)", "exp((alpha - 1) D)")
SQUARE, TILTED = real("W", "[0, oo)", "E_R(p - q)^2"), real("Wx", "[0, oo)", "E_R(p - q)^2 x^(alpha - 2)")
SIZE = "(alpha*(alpha - 1)*s**2*tau)"
SECOND = "W <= 8.25*tau"
THREE = ("M <= 1 + s**2/(1 - s)*(2*W + Wx)", SECOND, "Wx <= 27.4*tau*exp(51.6*s**2*tau)")
BOUND = "1 + X*(2.83 + 4.69*exp(8.6*X))"

# At lam = sqrt(2/tau), w = sqrt(2 tau): lam^2 tau = 2, lam tau = w, and (1/2) (4/lam)^4 e^(-4) = 32 tau^2 e^(-4).
W = "sqrt(2*tau)"
ORDERS = f"(exp(2 - {W}) + exp(2 + {W}) + exp(2 + 7*{W} + 12*tau) + exp(2 - 7*{W} + 12*tau))"
N = positive("n", "4 (alpha - 2)")
ROOM = "(0.88 + (6/25 - n*tau)/2)"  # 1 - n tau/2, written so that it is seen to be positive
UPPER, LOWER = f"(-log{ROOM}/2 + tau*(n*s - 1/2)**2/{ROOM})", "n*s*(n*s + 1)*tau"
REST = f"-log{ROOM}/2 + tau*(n**2*s**2 + 1/4)/{ROOM} + n**2*s**2*tau"
X = real("X", "[0, oo)", "alpha (alpha - 1) s^2 tau")
FINAL = (
    Monotone(
        "X",
        "low",
        (
            Scale("exp(-8.6*X)"),
            Rewrite(left="0", right="13*exp(4.4*X) - 2.83*exp(-8.6*X) - 4.69*(1 + 8.6*X)"),
            Monotone("X", "low", (Rewrite(right="57.2*exp(4.4*X) + 24.338*exp(-8.6*X) - 40.334"), Boxes())),
            Boxes(),
        ),
    ),
    Identical(),
)
MOMENTS = (
    step(
        "fourth",
        "E_R(p - 1)^4 <= 45 tau^2: the mean of y^4 (1 + e^(4y))/2 by `tail` at lam = sqrt(2/tau), that is at the "
        "orders lam, -lam, 4 + lam and 4 - lam < 0",
        f"32*tau**2*exp(-4)*{ORDERS} <= 45*tau**2",
        (TAU,),
        rests_on=("monotone-mean", *(f"{HERE}/{name}" for name in ("halves", "power", "tail"))),
        argument=(Scale("1/tau**2"), Rewrite(left=f"32*exp(-4)*{ORDERS}", right="45"), Boxes()),
        mutants=(mutant("constant", "43 in place of 45", f"32*tau**2*exp(-4)*{ORDERS} <= 43*tau**2", "tau=3/100"),),
    ),
    step(
        "growth",
        "log (E U^n E V^(-n))^(1/4) <= log 1.02 + 0.5345 n^2 s^2 tau for n tau <= 0.24: by `hoeffding` and `linear` "
        "E U^n is at most the mean of E p^a <= exp(tau (a - 1/2)^2) over a = n s + sqrt(n) z/2, and by `means` "
        "E V^(-n) is at most E q^(-n s)",
        f"({UPPER} + {LOWER})/4 <= log(1.02) + 0.5345*n**2*s**2*tau",
        (N, TAU, SHARE),
        ("n*tau <= 6/25", "n*s*tau <= 6/1000"),
        rests_on=(
            "noncentral-chi-square",
            "monotone-mean",
            *(f"{HERE}/{name}" for name in ("hoeffding", "means", "orders", "linear")),
        ),
        argument=(
            Bound(
                left=f"({REST} + 6/1000)/4",
                argument=(Combine(terms=(("1/4", "n*s*tau <= 6/1000"), (f"tau*n*s/(4*{ROOM})", "0 <= 1"))),),
            ),
            Substitute(
                (real("v", "(0, 6/25]", "n tau"), real("Q", "[0, oo)", "n^2 s^2 tau")),
                where("n=v/tau s=sqrt(Q*tau)/v"),
                where("v=n*tau Q=n**2*s**2*tau"),
            ),
            Rewrite(left="(-log(1 - v/2)/2 + (Q + tau/4)/(1 - v/2) + Q + 6/1000)/4", right="log(1.02) + 0.5345*Q"),
            Monotone("Q", "low", (Boxes(),)),
            Boxes(),
        ),
        candidates=(point("n=8 tau=3/100 s=1/50"), point("n=100 tau=24/10000 s=1/41")),
        mutants=(
            Mutant("constant", "1.01 in place of 1.02", f"({UPPER} + {LOWER})/4 <= log(1.01) + 0.5345*n**2*s**2*tau"),
        ),
    ),
    step(
        "twist",
        "Hoelder: E_R(p - q)^2 x^k <= (E_R(p - q)^4)^(1/2) (E U^n E V^(-n))^(1/4), n = 4 k, which is at most "
        "27.4 tau exp(8.6 alpha (alpha-1) s^2 tau), for n tau <= 0.24 as `growth` asks: so at every order from 3 "
        "to 0.06/tau, and at order 3 for every tau <= 0.03 (which `three` uses)",
        f"sqrt(16*45)*tau*1.02*exp(0.5345*(4*(alpha - 2))**2*s**2*tau) <= 27.4*tau*exp(8.6*{SIZE})",
        (ALPHA, TAU, SHARE),
        ("4*(alpha - 2)*tau <= 6/25",),
        rests_on=("hoelder", f"{HERE}/fourth", f"{HERE}/growth"),
        argument=(
            Logarithm(),
            Rewrite(
                left="log(sqrt(720)*1.02) + log(tau) + 8.552*(alpha - 2)**2*s**2*tau",
                right=f"log(27.4) + log(tau) + 8.6*{SIZE}",
            ),
            Combine(
                terms=(
                    ("1", "log(sqrt(720)*1.02) <= log(27.4)"),
                    ("s**2*tau*(0.048*alpha*(alpha - 1) + 8.552*(3*alpha - 4))", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "27.3 in place of 27.4 at tau = 0",
                f"sqrt(16*45)*tau*1.02*exp(0.5345*(4*(alpha - 2))**2*s**2*tau) <= 27.3*tau*exp(8.6*{SIZE})",
                "alpha=3 tau=1/100 s=1/1000",
            ),
        ),
    ),
    step(
        "final",
        "1 + X (2.83 + 4.69 e^(8.6 X)) <= e^(13 X) for X >= 0",
        f"{BOUND} <= exp(13*X)",
        (X,),
        argument=FINAL,
        mutants=(mutant("constant", "7 in place of 13", f"{BOUND} <= exp(7*X)", "X=1/100"),),
    ),
    step(
        "three",
        "orders from 2 to 3: D_alpha <= D_3 (x^(alpha-1) as the power (alpha-1)/2 of x^2), and D_3 = log(M)/2 is "
        "at most 26 s^2 tau <= 13 s^2 alpha tau",
        "log(M) <= 52*s**2*tau",
        (TAU, SHARE, M, SQUARE, TILTED),
        THREE,
        rests_on=("resque/PROP-7~two/order", f"{HERE}/convex", f"{HERE}/square", f"{HERE}/twist"),
        argument=(
            Bound(left="M - 1", argument=(Tangent("M", "1"),)),
            Bound(left="s**2/(1 - s)*(2*W + Wx)", argument=(Combine(terms=(("1", THREE[0]),)),)),
            Bound(left="s**2/(1 - s)*(16.5*tau + Wx)", argument=(Combine(terms=(("2*s**2/(1 - s)", THREE[1]),)),)),
            Bound(
                left="s**2/(1 - s)*(16.5*tau + 27.4*tau*exp(51.6*s**2*tau))",
                argument=(Combine(terms=(("s**2/(1 - s)", THREE[2]),)),),
            ),
            Scale("1/(s**2*tau)"),
            Rewrite(left="(16.5 + 27.4*exp(51.6*s**2*tau))/(1 - s)", right="52"),
            Boxes(),
        ),
        mutants=(
            mutant(
                "constant",
                "26 in place of 52",
                "log(M) <= 26*s**2*tau",
                "tau=3/100 s=1/50 M=100048/100000 W=1/5 Wx=8/10",
            ),
        ),
    ),
)
