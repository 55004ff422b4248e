"""The symbols and terms that several parts use."""

from dpaudit.claims.writing import *

RANGES = {
    "c": ("[1, oo)", "C_ba"),
    "C": ("[1, oo)", "the constant of (30)"),
    "s": ("[1, oo)", "sqrt(C)"),
    "Cp": ("[1, oo)", "C_priv"),
    "C1": ("[1, oo)", "C'"),
    "x": ("(0, oo)", "kappa"),
    "h": ("(0, oo)", "log kappa"),
    "k": ("(0, oo)", "sqrt(K)"),
    "K": ("[1, oo)", "(R/r)^(2/3)"),
    "a": ("[1, oo)", "sqrt(d)"),
    "b": ("(0, oo)", "beta"),
    "N": ("[69/100, oo)", "log n"),
    "l": ("[179/100, oo)", "log(1/delta)"),
    "D": ("[248/100, oo)", "log(n/delta)"),
    "sD": ("[157/100, oo)", "sqrt(log(n/delta))"),
    "sl": ("[133/100, oo)", "sqrt(log(1/delta))"),
    "eps": ("(0, 1)", "eps_dp"),
    "sn": ("(0, oo)", "sqrt(n)"),
    "T": ("(0, oo)", "T_1, T_2 or T_3"),
    "e_opt": ("(0, oo)", "eps_opt"),
    "L": ("(0, oo)", ""),
    "R": ("(0, oo)", ""),
    "p": ("(0, oo)", "kappa sqrt(d)/(sqrt(K) beta)"),
    "q": ("(0, oo)", "kappa^2/K"),
    "q_ls": ("[1, oo)", "log(R kappa/r)"),
    "n": ("[2, oo)", "number of records"),
    "S": ("(0, oo)", "C_sc"),
    "B": ("(0, oo)", "C_ls in s3 and s4, C_bias C_ba in s7"),
    "V": ("(0, oo)", "C_var"),
    "y": ("(0, oo)", "a ratio, see the step"),
    "delta": ("(0, 1/6)", ""),
    "u": ("(0, oo)", "log(1/zeta)"),
    "v": ("(0, oo)", "a logarithm"),
    "r": ("(0, oo)", "ball radius"),
    "m": ("[1, oo)", "log(n/delta)/log kappa at most"),
    "W": ("[0, oo)", "mean error"),
    "e1": ("[0, oo)", "mean error given success"),
    "P": ("[0, 1]", "failure probability"),
    "g": ("[0, oo)", "error on failure"),
    "mu": ("(0, oo)", "a mean count"),
    "z": ("[8, oo)", "a ratio, see the step"),
    "f": ("(-oo, oo)", "ferm at the output"),
    "fs": ("(-oo, oo)", "ferm at x*"),
    "F": ("(-oo, oo)", "smoothed, at the output"),
    "Fs": ("(-oo, oo)", "smoothed, at x*"),
    "bias": ("[0, oo)", "in units of L/lambda"),
    "m2": ("[0, oo)", "its mean square bound"),
    "w": ("[0, oo)", "see the step"),
    "Y": ("[1, oo)", "2^j_max"),
    "T1": ("[1, oo)", ""),
    "T2": ("[1, oo)", ""),
    "T3": ("[1, oo)", ""),
}
INTEGERS = {"J": ("[1, oo)", "j_max"), "d": ("[1, oo)", "dimension")}


def symbols(names):
    """The symbols of a list of names."""
    return tuple(integer(n, *INTEGERS[n]) if n in INTEGERS else real(n, *RANGES[n]) for n in names.split())


SAME = (Identical(),)


def stated(name, words, expression, names, conditions=(), argument=SAME, mutant=None, also=(), **more):
    """A step; mutant: (change, changed expression, point); also: further mutants; origins: of conditions in their
    place, otherwise given, enough and ours follow them as in `step`."""
    kind = ClaimKind.IDENTITY if "==" in expression else ClaimKind.INEQUALITY
    mutants = (Mutant("variant", mutant[0], mutant[1], candidates=mutant[2]),) if mutant else ()
    rest = {"kind": kind, **more, "argument": argument, "mutants": mutants + also}
    if "origins" in rest:
        return Step(name, words, Statement(expression, symbols(names), conditions), **rest)
    return step(name, words, expression, symbols(names), conditions, **rest)


def given(of, *texts):
    """Conditions that are the conclusion of a step of this theorem."""
    return tuple(Condition(text, Origin.GIVEN, f"resque/THM-3/{of}") for text in texts)


def enough(*texts):
    """Conditions that "sufficiently large C" or "large n" hides."""
    return tuple(Condition(text, Origin.ENOUGH) for text in texts)


def ours(*texts):
    """Conditions that the paper does not state."""
    return tuple(Condition(text, Origin.OURS) for text in texts)


def added(*terms):
    return (Combine(terms=terms),)


def wrong(name, words, expression, names, point, finding, repair, conditions=(), **more):
    """A step that is false at `point`; repair: a step of this theorem, or the whole id of another."""
    return stated(
        name,
        words,
        expression,
        names,
        conditions,
        (),
        expects=Outcome.REFUTED,
        candidates=point,
        finding=finding,
        repair=repair if "/" in repair else f"resque/THM-3/{repair}",
        **more,
    )


# The parameters (30) to (34) written out, in C, d, n, eps and l.
LOGN, LOGND = "log(n)", "(log(n) + l)"
X = f"(1/(C*(1/sqrt(n) + sqrt(d)*sqrt(l)*{LOGND}**(3/2)*{LOGN}/(n*eps))))"
ROOT_K = f"((sqrt(C)*sqrt(d)*{X}*{LOGND}**2)**(1/3))"
NOISE = f"(eps/(C*{LOGND}*sqrt(l)))"
H = f"log({X})"
SHORT, LONG = f"({X}*sqrt(d)/({ROOT_K}*{NOISE}))", f"({X}**2/{ROOT_K}**2)"
T_ONE = f"(sqrt(C)*({SHORT}/{H}**2 + {LONG}/({H}**3*{LOGND})))"
T_THREE = f"(sqrt(C)*({SHORT} + {LONG}))"
LARGE = f"exp(1) <= {X}"
SETTING = "C d n eps l"
TWO_LOGS = ("log(2) <= l",)
SETTLED = (
    "{f}*C*Cp*(eps/(C*D*sqrt(l)))**2*D**{e}*l/(n**2*eps)*(x**2*a**2/(k**2*(eps/(C*D*sqrt(l)))**2*h) + x**4/(k**4*h**2))"
)
SQUARED = "C**2*x**2*a**2*l*D**3*N**2 <= n**2*eps**2"
FOURTH = "C**4*x**4 <= n**2"
