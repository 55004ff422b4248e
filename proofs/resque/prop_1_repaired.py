"""Proposition 1, repaired: the iterations and the error of ball acceleration with explicit constants.

With lk = max(1, log kappa) in lamstar = eps K^2 lk^2/R^2 and in phi = lambda r^2/(43 lk^3), delta = eps/(43 R) and
sigma = eps sqrt(K)/(43 R), the run from A = R/L until A >= 3R^2/eps makes at most 24 K lk iterations on average. The
potential A (F(x) - F(xstar)) + |v - xstar|^2 starts at 2R^2 or less (r1), decreases by s3 of PROP-1, and its errors add
up to R^2 (r2 to r7), which gives the error (r8). An iteration has lambda = lamstar (case 2, counted by the growth of
sqrt(A), r12) or moves by (11/16) r or more (case 1, PROP-1/s4). In an epoch, in which A grows by 4, the iterations of
case 1 are counted by a weighted mean of lambda, which the decrease bounds, and of lambda^(-1/2), which the growth
bounds (r9, r10): linear in both, so that the count holds for means where the oracles are random.
"""

import numpy as np

from dpaudit.algorithms.resque import ball_acceleration
from dpaudit.algorithms.resque.ball_acceleration import Objective, Shape
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials

L, R = positive("L", "Lipschitz constant"), positive("R", "radius of the domain")
RADIUS, EPS = positive("r", "radius of the oracles"), positive("eps", "target error eps_opt")
K = "((R/r)**(2/3))"
OLD, STEP = real("A", "[0, oo)", "weight before the iteration"), positive("a", "its increment")
LAMBDA = positive("lam", "regularisation strength")
LK = real("lk", "[1, oo)", "max(1, log kappa)")
# The repaired proposition: lk = max(1, log kappa) in lamstar and phi, C = 43, stopped when A >= 3R^2/eps.
# A step of case 2 has lambda = lamstar, a step of case 1 moves by (11/16) r or more (PROP-1/s4).
GROWTH, KAPPA_SYMBOL = real("K", "[1, oo)", "(R/r)^(2/3)"), real("kappa", "[1, oo)", "L R/eps")
EPOCH = "(36864/121)**(1/3)"
EPOCH_X = "X*s**2*(121/256*r**2)/12 <= 3*R**2"
GROUNDS = (*(f"resque/PROP-1~repaired/r{i}" for i in range(1, 13)), "resque/PROP-1/s2", "resque/PROP-1/s3")


def iterations(constant):
    """The sum of the iterations of r10 in every epoch of r11 and of r12 is at most constant K lk."""
    return f"({EPOCH}*K + 1)*(log(3*kappa)/log(4) + 1) + 2*sqrt(3)*K*lk + 1 <= {constant}*K*lk"


def accelerated(stream, trials, shape, ratio, kappa, constant, error):
    """Runs with L = R = 1, r = 1/ratio, eps = 1/kappa in d = 4 from minimisers at distance 1: settings, runs, gaps."""
    centres = stream.part("centres").normals(np.arange(trials), 0, 4)
    centres /= np.linalg.norm(centres, axis=1)[:, None]
    objective = Objective(shape, centres, 1.0, 0.1, np.eye(4)[0] if shape is Shape.RIDGE else None)
    params = ball_acceleration.Params(
        1.0, 1 / ratio, 1.0, 1 / kappa, acceleration_constant=constant, oracle_error=error, stop_constant=3.0
    )
    found = ball_acceleration.runs(ball_acceleration.cpu(params, objective, Trials(stream, np.arange(trials))))
    return params, found, objective.value(found.points)


def repaired_bounds(stream, trials):
    """Iterations over 24 K lk, gap over eps, lambda over max(2 lamstar, 2L/r), with the largest errors allowed."""
    ratios = []
    for shape in Shape:
        for ratio, kappa in ((2.0, 1.05), (10.0, 3.0), (100.0, 100.0), (1000.0, 3.0)):
            params, found, gap = accelerated(
                stream.part(f"{shape}{ratio}"), trials // 48, shape, ratio, kappa, 43.0, 1.0
            )
            ratios += [found.iterations / (24 * params.balls * params.log_kappa), gap / params.accuracy]
            ratios.append(found.highest / params.largest_strength)
    return np.concatenate(ratios)


def iterations_by_radius(stream, trials):
    """Iterations for R/r = 8, 32, 128, 512 at kappa = 10^4, erring oracles."""
    sizes = np.array([8.0, 32.0, 128.0, 512.0])
    runs = [accelerated(stream.part(str(s)), trials, Shape.HUBER, s, 1e4, 43.0, 1.0)[1].iterations for s in sizes]
    return sizes, np.stack(runs, axis=1).astype(float)


CLAIM = Claim(
    id="resque/PROP-1~repaired",
    title="ball acceleration: number of iterations and error, with explicit constants",
    words="With lk = max(1, log kappa), lamstar = eps K^2 lk^2/R^2, oracle errors phi = lambda r^2/(43 lk^3), "
    "delta = eps/(43 R), sigma = eps sqrt(K)/(43 R), a search tolerance r/17 and lambda in [lamstar, max(lamstar, "
    "2L/r)], "
    "BallAccel started from A = R/L and stopped when A >= 3R^2/eps makes at most 24 K lk iterations on average and "
    "returns "
    "x with E F(x) <= F(xstar) + eps. The statement adds up the iterations of r10, r11 and r12.",
    place="Proposition 1; Appendix B",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(iterations("24"), (GROWTH, KAPPA_SYMBOL, LK), ("log(kappa) <= lk",)),
    rests_on=(*GROUNDS, "stopped-supermartingale"),
    argument=(
        Bound(
            left=f"({EPOCH}*K + 1)*((log(3) + lk)/log(4) + 1) + 2*sqrt(3)*K*lk + 1",
            argument=(Combine(terms=((f"({EPOCH}*K + 1)/log(4)", "log(kappa) <= lk"),)),),
        ),
        Positive(),
    ),
    empirical=(
        Search("repaired_bounds", near_miss=0.5, trials=960),
        Slope("iterations_by_radius", 2 / 3, 0.05, 0.6, trials=60),
    ),
    candidates=(point("K=1 kappa=2 lk=1"),),
    mutants=(Mutant("constant", "20 in place of 24", iterations("20")),),
    steps=(
        step(
            "r1",
            "the potential starts at 2R^2 or less: F(0) - F(xstar) <= LR and |0 - xstar| <= R",
            "R/L*gap + dist**2 <= 2*R**2",
            (L, R, real("gap", meaning="F(0) - F(xstar)"), real("dist", "[0, oo)", "|xstar|")),
            ("gap <= L*R", "dist <= R"),
            argument=(Combine(terms=(("R/L", "gap <= L*R"), ("R + dist", "dist <= R"))),),
            candidates=(point("L=1 R=1 gap=1 dist=1"),),
            mutants=(Mutant("constant", "R^2 in place of 2R^2", "R/L*gap + dist**2 <= R**2"),),
        ),
        step(
            "r2",
            "A' <= 6R^2/eps in the last iteration as well: A <= 3R^2/eps, lambda a^2 = A + a, lambda >= lamstar >= "
            "eps/R^2",
            "A + a <= 6*R**2/eps",
            (OLD, STEP, LAMBDA, R, EPS),
            ("lam*a**2 == A + a", "A <= 3*R**2/eps", "eps/R**2 <= lam"),
            argument=(Solve(),),
            candidates=(point("A=2 a=2 lam=1 R=1 eps=1"),),
            mutants=(
                mutant("constant", "5 in place of 6", "A + a <= 5*R**2/eps", "A=299/100 a=23/10 lam=1 R=1 eps=1"),
            ),
        ),
        step(
            "r3",
            "in case 1 the error A' phi takes half of the decrease of s3: phi <= lambda w^2/12",
            "lam*r**2/(43*lk**3) <= lam*w**2/12",
            (LAMBDA, RADIUS, LK, real("w", "[0, oo)", "|xhat - y|")),
            ("11/16*r <= w",),
            argument=(
                Bound(left="lam*r**2/43", argument=(Scale("43*lk**3/(lam*r**2)"), Positive())),
                Combine(terms=(("lam*(w + 11/16*r)/12", "11/16*r <= w"), ("lam*(121/3072 - 1/43)*r", "0 <= r"))),
            ),
            candidates=(point("lam=1 r=16 lk=1 w=11"),),
            mutants=(Mutant("constant", "C = 25 in place of 43", "lam*r**2/(25*lk**3) <= lam*w**2/12"),),
        ),
        step(
            "r4",
            "in case 2, n <= 5 K lk times (r12), the errors A' phi add up to (30/43) R^2 or less",
            f"n*(6*R**2/eps)*(eps*{K}**2*lk**2/R**2)*r**2/(43*lk**3) <= 30/43*R**2",
            (R, RADIUS, EPS, LK, real("n", "[0, oo)", "iterations of case 2")),
            (f"n <= 5*{K}*lk",),
            argument=(Combine(terms=((f"6*{K}**2*r**2/(43*lk)", f"n <= 5*{K}*lk"),)),),
            candidates=(point("R=1 r=1 eps=1 lk=1 n=5"),),
            mutants=(
                mutant(
                    "power",
                    "phi with lk^2 in place of lk^3",
                    f"n*(6*R**2/eps)*(eps*{K}**2*lk**2/R**2)*r**2/(43*lk**2) <= 30/43*R**2",
                    "R=1 r=1 eps=1 lk=2 n=10",
                ),
            ),
        ),
        step(
            "r5",
            "the bias terms 2 R a delta add up to (12/43) R^2 or less, as the increments a add up to A' <= 6R^2/eps",
            "2*R*weight*(eps/(43*R)) <= 12/43*R**2",
            (R, EPS, real("weight", "[0, oo)", "the sum of all a")),
            ("weight <= 6*R**2/eps",),
            argument=(Combine(terms=(("2*eps/43", "weight <= 6*R**2/eps"),)),),
            candidates=(point("R=1 eps=1 weight=6"),),
            mutants=(Mutant("constant", "11 in place of 12", "2*R*weight*(eps/(43*R)) <= 11/43*R**2"),),
        ),
        step(
            "r6",
            "a sigma^2 <= sqrt(6) eps/43^2: lambda a^2 = A' <= 6R^2/eps and lambda >= lamstar >= eps K^2/R^2",
            "a*(eps**2*K/(43*R)**2) <= sqrt(6)*eps/43**2",
            (STEP, R, EPS, GROWTH, LAMBDA),
            ("lam*a**2 <= 6*R**2/eps", "eps*K**2/R**2 <= lam"),
            argument=(Scale("43**2/eps"), Rewrite(left="a*eps*K/R**2", right="sqrt(6)"), Solve()),
            candidates=(point("a=2 R=1 eps=1 K=1 lam=1"),),
            mutants=(Mutant("constant", "sqrt(3) in place of sqrt(6)", "a*(eps**2*K/(43*R)**2) <= sqrt(3)*eps/43**2"),),
        ),
        step(
            "r7",
            "all errors together add up to R^2 or less, so that E[A gap] + E sum (1/12) lambda A' w^2 <= 3R^2 (case 1)",
            "30/43*R**2 + 12/43*R**2 + sqrt(6)*eps/43**2*(6*R**2/eps) <= R**2",
            (R, EPS),
            argument=(Scale("1/R**2"), Rewrite(left="42/43 + 6*sqrt(6)/43**2", right="1"), Boxes()),
            mutants=(
                Mutant(
                    "constant",
                    "C = 42 in place of 43",
                    "30/42*R**2 + 12/42*R**2 + sqrt(6)*eps/42**2*(6*R**2/eps) <= R**2",
                    own_sentence=True,
                ),
            ),
        ),
        step(
            "r8",
            "the final error: 3R^2/A <= eps once A >= 3R^2/eps",
            "3*R**2/A_end <= eps",
            (R, EPS, positive("A_end")),
            ("3*R**2/eps <= A_end",),
            argument=(
                Scale("A_end/eps"),
                Rewrite(left="3*R**2/eps", right="A_end"),
                Combine(terms=(("1", "3*R**2/eps <= A_end"),)),
            ),
            candidates=(point("R=1 eps=1 A_end=3"),),
            mutants=(Mutant("constant", "half the error", "3*R**2/A_end <= eps/2"),),
        ),
        step(
            "r9",
            "one iteration counts as 1 <= t^2 lambda/3 + 2/(3 t sqrt(lambda)), whatever t > 0 is (weighted means)",
            "1 <= t**2*root**2/3 + 2/(3*t*root)",
            (positive("t"), positive("root", "sqrt(lambda)")),
            argument=(
                Scale("3*t*root"),
                Rewrite(left="3*t*root", right="(t*root)**3 + 2"),
                Combine(terms=(("t*root + 2", "0 <= (t*root - 1)**2"),)),
            ),
            mutants=(Mutant("constant", "1/4 in place of 1/3", "1 <= t**2*root**2/4 + 2/(3*t*root)"),),
        ),
        step(
            "r10",
            "an epoch in which A grows from s^2 to at most 4 s^2 has at most (36864/121)^(1/3) K iterations of case "
            "1: with "
            "X = sum of lambda and Y = sum of lambda^(-1/2), the decrease (r7) bounds X, the growth (s2) bounds Y by "
            "2s, and "
            "r9 is summed at t = s/(q K), q = (36864/121)^(1/3)/2",
            f"(s/({EPOCH}/2*{K}))**2*X/3 + 2*Y/(3*(s/({EPOCH}/2*{K}))) <= {EPOCH}*{K}",
            (R, RADIUS, positive("s"), real("X", "[0, oo)"), real("Y", "[0, oo)")),
            (EPOCH_X, "Y <= 2*s"),
            argument=(
                Combine(
                    terms=(
                        (f"12*256/121/(3*({EPOCH}/2)**2*{K}**2*r**2)", EPOCH_X),
                        (f"2/(3*(s/({EPOCH}/2*{K})))", "Y <= 2*s"),
                    )
                ),
            ),
            candidates=(point("R=1 r=1 s=1 X=76 Y=2"),),
            mutants=(
                Mutant(
                    "constant",
                    "95 percent of it",
                    f"(s/({EPOCH}/2*{K}))**2*X/3 + 2*Y/(3*(s/({EPOCH}/2*{K}))) <= 0.95*{EPOCH}*{K}",
                ),
            ),
        ),
        step(
            "r11",
            "A grows by the factor (3R^2/eps)/(R/L) = 3 kappa, in at most log(3 kappa)/log(4) + 1 epochs of a factor "
            "4; one "
            "further iteration of case 1 may cross the end of each",
            "(3*R**2/eps)/(R/L) == 3*(L*R/eps)",
            (L, R, EPS),
        ),
        step(
            "r12",
            "case 2: each iteration but the last adds 1/(2 sqrt(lamstar)) or more to sqrt(A) < sqrt(3R^2/eps): "
            "at most 2 sqrt(3) K lk + 1 of them, and 2 sqrt(3) K lk + 1 <= 5 K lk",
            "sqrt(3*R**2/eps)*2*sqrt(eps*K**2*lk**2/R**2) + 1 <= 5*K*lk",
            (R, EPS, GROWTH, LK),
            argument=(Rewrite(left="2*sqrt(3)*K*lk + 1"), Positive()),
            mutants=(
                Mutant("constant", "4 in place of 5", "sqrt(3*R**2/eps)*2*sqrt(eps*K**2*lk**2/R**2) + 1 <= 4*K*lk"),
            ),
        ),
    ),
)
