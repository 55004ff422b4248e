"""No constant is enough: the solver stays at the centre of a ball that is much larger than rho.

The line, F(x) = L x, xbar = 0, beta sqrt T >= 1, rho = q r: a = eta_1 L/2 = r/(8 sqrt T), s = a/rho. Every step goes to
the left, the first one, of weight 1, to -2a. As long as |y| >= a a weight is at most e^(-s^2/4) unless its normal draw
exceeds s/4 (`stuck-weight`; at most T draws), and |zeta_i| <= a/2^i unless a normal number exceeds beta/4
(`stuck-noise`; at most T phases, two sides); so |y| >= a holds all along (`stuck-place`), and x_k >= -3a - T eta_1 L
e^(-s^2/4). The average ybar_k is in the ball in any case, so that nothing is lost elsewhere but the mean of the last
noise, sigma_k <= sigma_1 (`stuck-gap`).
"""

from dpaudit.claims.writing import *

from .symbols import *


def near(steps, root, far):
    """How far from the end of the ball the solver stays, over r: T, sqrt(T) and s = 1/(8 q sqrt(T))."""
    return f"1 - 3/(8*{root}) - {steps}*exp(-{far}**2/4)/(4*{root})"


def often(steps, beta, far):
    """How likely that is."""
    return f"1 - {steps}*Phi(-{far}/4) - 2*{steps}*Phi(-{beta}/4)"


def stuck(steps, root, beta, far):
    """The gap of the claim from below, over L r."""
    return f"(max(0, {near(steps, root, far)})*max(0, {often(steps, beta, far)}) - 1/(4*{beta}*{root}))"


ROOT = real("t", "[16, oo)", "sqrt(T)")
NEAR, OFTEN = near("t**2", "t", "(4*t)"), often("t**2", "(4*t)", "(4*t)")
AT_T = stuck("t**2", "t", "(4*t)", "(4*t)")
TAIL = "Phi(-t) <= 2/3*exp(-t)"
A, DRIFT = positive("a", "r/(8 sqrt(T))"), real("w", "[0, oo)", "later steps of small weights, together")
STUCK_STEPS = (
    step(
        "stuck-weight",
        "at |y| = u rho >= a = s rho a weight, e^(u g - u^2/2) for a normal g, is at most e^(-s^2/4) unless g > s/4",
        "exp(u*g - u**2/2) <= exp(-s**2/4)",
        (positive("s", "a/rho"), positive("u", "|y|/rho"), real("g")),
        ours=("s <= u", "g <= s/4"),
        argument=(
            Logarithm(),
            Rewrite(left="u*g - u**2/2", right="-s**2/4"),
            Combine((("u", "g <= s/4"), ("u/2 + s/4", "s <= u"))),
        ),
        candidates=(point("s=4 u=4 g=1"),),
        mutants=(
            Mutant("half", "unless g > s/2", conditions=("s <= u", "g <= s/2"), candidates=(point("s=4 u=4 g=2"),)),
        ),
    ),
    step(
        "stuck-noise",
        "sigma_i = L eta_i/beta = 8 a 4^(-i)/beta: the noise is at most a/2^i unless a normal number exceeds beta/4",
        "8*a*4**(-i)/beta*g <= a*2**(-i)",
        (A, BETA, PHASE_I, real("g", "[0, oo)")),
        ours=("g <= beta/4",),
        argument=(
            Substitute((real("v", "(0, 1/2]", "2^(-i)"),), where("i=-log(v)/log(2)"), where("v=2**(-i)")),
            Combine((("8*a*v**2/beta", "g <= beta/4"), ("2*a*v", "v <= 1/2"))),
        ),
        mutants=(
            Mutant(
                "half",
                "unless it exceeds beta/3",
                conditions=("g <= beta/3",),
                candidates=(point("a=1 beta=3 i=1 g=1"),),
            ),
        ),
    ),
    step(
        "stuck-place",
        "so after k phases the place is -2 a less the drift w, moved by the noises, which add up to at most a (1 - "
        "2^(-k)): |y| stays at least a",
        "a <= 2*a + w - (1 - 2**(-k))*a",
        (A, DRIFT, K),
        argument=(Combine((("a*2**(-k)", "0 < 1"), ("w", "0 < 1"))),),
        mutants=(mutant("half", "3/2 a in place of 2 a", "a <= 3/2*a + w - (1 - 2**(-k))*a", "a=1 w=0 k=2"),),
    ),
    step(
        "stuck-gap",
        "the mean gap over L: on an event of probability p the point ybar_k = x_k - zeta_k is at least -3 a - w - "
        "zeta_k, elsewhere it is in the ball; m = E (ybar_k + r), and the mean of zeta_k on the event is at most "
        "sigma_1 = r/(4 beta sqrt(T))",
        "p*max(0, r - 3*a - w) - r/(4*beta*sqrt(T)) <= m",
        (
            R,
            A,
            DRIFT,
            BETA,
            T,
            real("p", "[0, 1]"),
            real("z", "(-oo, oo)", "mean of zeta_k on the event"),
            real("m", "[0, oo)"),
        ),
        ours=("p*(r - 3*a - w) - z <= m", "z <= r/(4*beta*sqrt(T))"),
        argument=(
            Cases(
                (
                    (
                        "0 <= r - 3*a - w",
                        (
                            Rewrite(left="p*(r - 3*a - w) - r/(4*beta*sqrt(T))"),
                            Combine((("1", "p*(r - 3*a - w) - z <= m"), ("1", "z <= r/(4*beta*sqrt(T))"))),
                        ),
                    ),
                    (
                        "otherwise",
                        (
                            Rewrite(left="-r/(4*beta*sqrt(T))"),
                            Combine((("r/(4*beta*sqrt(T))", "0 < 1"), ("1", "0 <= m"))),
                        ),
                    ),
                )
            ),
        ),
        candidates=(point("r=1 a=1/8 w=1/8 beta=1 T=1 p=1 z=1/4 m=1/4"),),
        mutants=(
            Mutant(
                "any-noise",
                "any noise",
                conditions=("p*(r - 3*a - w) - z <= m",),
                candidates=(point("r=1 a=1/8 w=1/8 beta=1 T=1 p=1 z=1/2 m=0"),),
            ),
        ),
    ),
    step(
        "tail",
        "an upper bound of the normal tail that decays fast enough",
        "Phi(-x) <= 2/3*exp(-x)",
        (real("x", "[0, oo)"),),
        argument=(
            Monotone(
                "x",
                "high",
                (
                    Scale("exp(x)"),
                    Shift("2/3"),
                    Rewrite(left="exp(x - x**2/2)/sqrt(2*pi)", right="2/3"),
                    Logarithm(),
                    Rewrite(left="x - x**2/2 - log(2*pi)/2", right="log(2/3)"),
                    Combine((("1/2", "0 <= (x - 1)**2"), ("1", "1/2 - log(2*pi)/2 <= log(2/3)"))),
                ),
            ),
        ),
        mutants=(mutant("constant", "1/3 in place of 2/3", "Phi(-x) <= 1/3*exp(-x)", "x=0"),),
    ),
    step(
        "every-constant",
        "for every constant C: for T = t^2, beta = 4 t and rho = r/(32 T), so that s = 4 t, the gap of the claim "
        "exceeds C L r (1/(beta T) + 1/sqrt(T)) from t = 4 C on, t >= 16; the paper has a universal constant, and no "
        "bound on r/rho",
        f"C*L*r*(1/(4*t*t**2) + 1/t) < L*r*{AT_T}",
        (L, R, ROOT, positive("C", "any constant")),
        ours=("4*C <= t",),
        kind=ClaimKind.CONVERGENCE,
        argument=(
            Have(TAIL, (ByTheorem("resque/LEM-4/tail", at=where("x=t")),)),
            Have("t**2*exp(-t) <= 1/1000", (Monotone("t", "low"), Boxes())),
            Have("t*exp(-4*t**2) <= 1/1000", (Monotone("t", "low"), Boxes())),
            Have(
                f"97/100 <= max(0, {NEAR})",
                (
                    Combine(
                        (
                            ("1", f"{NEAR} <= max(0, {NEAR})"),
                            ("3/(128*t)", "16 <= t"),
                            ("1/4", "t*exp(-4*t**2) <= 1/1000"),
                            ("1", "0 < 3/100 - 3/128 - 1/4000"),
                        )
                    ),
                ),
            ),
            Have(
                f"99/100 <= max(0, {OFTEN})",
                (
                    Combine(
                        (
                            ("1", f"{OFTEN} <= max(0, {OFTEN})"),
                            ("3*t**2", TAIL),
                            ("2", "t**2*exp(-t) <= 1/1000"),
                            ("1", "0 < 1/100 - 2/1000"),
                        )
                    ),
                ),
            ),
            Name("a", f"max(0, {NEAR})"),
            Name("b", f"max(0, {OFTEN})"),
            Scale("1/(L*r)"),
            Rewrite(left="C*(1/(4*t**3) + 1/t)", right="a*b - 1/(16*t**2)"),
            Combine(
                (
                    ("1/(16*t**3) + 1/(4*t)", "4*C <= t"),
                    ("b", "97/100 <= a"),
                    ("97/100", "99/100 <= b"),
                    ("(t + 16)/(2048*t**2)", "16 <= t"),
                    ("1", "0 < 9603/10000 - 1/4 - 1/2048"),
                )
            ),
        ),
        mutants=(
            Mutant("smaller", "from t = C/4 on", conditions=("C/4 <= t",), candidates=(point("L=1 r=1 t=16 C=64"),)),
        ),
    ),
)
