"""The accuracy of the output."""

from dpaudit.claims.writing import *

from .symbols import *

LINE = (positive("L"), positive("R"), vector("u", "a slope"), vector("x"), vector("y", "x*"))
IN_DOMAIN = ("norm(u) <= 1", "norm(x) <= R", "norm(y) <= R")
ACCURACIES = (
    erratum(
        "s9",
        "on failure of a line search the error of a point of B(R) is at most L R, for f = L <u, .>",
        "L*dot(u, x - y) <= L*R",
        LINE,
        IN_DOMAIN,
        candidates=(point("L=1 R=1 u=(1,) x=(1,) y=(-1,)"),),
        finding=(
            "Two points of the ball B(R) can be 2 R apart, so the error on failure is up to 2 L R, not L R: f = L <u, "
            "x>, x = R u, x* = -R u. The total becomes 3 eps_opt in place of 2 (s9-total~repaired), 4 in place of 3 "
            "after smoothing: a constant, which O() hides."
        ),
        repair="resque/THM-3/s9~repaired",
    ),
    step(
        "s9~repaired",
        "it is at most 2 L R",
        "L*dot(u, x - y) <= 2*L*R",
        LINE,
        IN_DOMAIN,
        argument=added(
            ("L", "dot(u, x - y) <= norm(u)*norm(x - y)"),
            ("L*norm(x - y)", "norm(u) <= 1"),
            ("L", "norm(x - y) <= norm(x) + norm(y)"),
            ("L", "norm(x) <= R"),
            ("L", "norm(y) <= R"),
        ),
        mutants=(mutant("constant", "1.9", "L*dot(u, x - y) <= 1.9*L*R", "L=1 R=1 u=(1,) x=(1,) y=(-1,)"),),
    ),
    stated(
        "s9-total",
        "the mean error is at most 2 eps_opt, from the L R on failure of s9 as printed",
        "W <= 2*e_opt",
        "W e_opt e1 P g L R",
        ("W <= e1 + P*g",),
        given={
            "resque/PROP-1~repaired": "e1 <= e_opt",
            "resque/THM-3/s5": "P*L*R <= e_opt",
            "resque/THM-3/s9": "g <= L*R",
        },
        expects=Outcome.CONSISTENT,
        argument=added(("1", "W <= e1 + P*g"), ("1", "e1 <= e_opt"), ("P", "g <= L*R"), ("1", "P*L*R <= e_opt")),
        mutant=("constant", "W <= 1.9*e_opt", (point("W=2 e_opt=1 e1=1 P=1/2 g=2 L=1 R=2"),)),
    ),
    stated(
        "s9-total~repaired",
        "with the true 2 L R on failure it is at most 3 eps_opt",
        "W <= 3*e_opt",
        "W e_opt e1 P g L R",
        ("W <= e1 + P*g",),
        given={
            "resque/PROP-1~repaired": "e1 <= e_opt",
            "resque/THM-3/s5~repaired": "P*L*R <= e_opt",
            "resque/THM-3/s9~repaired": "g <= 2*L*R",
        },
        argument=added(("1", "W <= e1 + P*g"), ("1", "e1 <= e_opt"), ("P", "g <= 2*L*R"), ("2", "P*L*R <= e_opt")),
        mutant=("constant", "W <= 2.9*e_opt", (point("W=3 e_opt=1 e1=1 P=1/2 g=4 L=1 R=2"),)),
    ),
    stated(
        "s10",
        "smoothing adds rho L sqrt(d) = eps_opt",
        "e_opt/(L*a)*L*a == e_opt",
        "e_opt L a",
        mutant=("twice", "e_opt/(L*a)*L*a == 2*e_opt", (point("e_opt=1 L=1 a=1"),)),
    ),
    stated(
        "s10-total",
        "f <= F and F(x*) <= f(x*) + eps_opt: 2 eps_opt becomes 3 eps_opt",
        "f - fs <= 3*e_opt",
        "e_opt f fs F Fs",
        given={
            "resque/CONV": ("f <= F", "Fs <= fs + e_opt"),
            "resque/THM-3/s9-total": "F - Fs <= 2*e_opt",
        },
        expects=Outcome.CONSISTENT,
        rests_on=("resque/CONV",),
        argument=added(("1", "f <= F"), ("1", "Fs <= fs + e_opt"), ("1", "F - Fs <= 2*e_opt")),
        mutant=("constant", "f - fs <= 2.9*e_opt", (point("e_opt=1 f=3 fs=0 F=3 Fs=1"),)),
    ),
)
