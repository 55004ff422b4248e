"""42 small true lemmas of papers on private optimisation, each with a short argument.

NAMED are those that a review of the engine listed by name; MADE are examples of what it described in words.
"""

from __future__ import annotations

from typing import NamedTuple

from dpaudit.records.claim import (
    Bound,
    Boxes,
    Cases,
    Combine,
    Identical,
    Induct,
    Logarithm,
    Monotone,
    Move,
    Positive,
    Power,
    Rewrite,
    Scale,
    Statement,
    Symbol,
    Tangent,
    Taylor,
    Termwise,
    gaussian,
    integer,
    real,
    vector,
)


class Lemma(NamedTuple):
    """A true statement and an argument for it."""

    name: str
    statement: Statement
    argument: tuple[Move, ...]


U, V, W, G, K = (vector(name) for name in "uvwgk")
R, X, Y, L, A, B, H = (real(name, "(0, oo)") for name in "rxylabh")
ANY, OTHER = real("x"), real("y")
N, XI, S = integer("n", "[1, oo)"), gaussian("xi", "s"), real("s", "(0, oo)")
P, Q, D, E = real("p", "(0, 1)"), real("q", "(0, 1)"), real("d", "(0, 1]"), real("e", "(0, 1]")


def lemma(name: str, text: str, symbols: tuple[Symbol, ...], conditions: tuple[str, ...], *argument: Move) -> Lemma:
    """A lemma with its statement written in place."""
    return Lemma(name, Statement(text, symbols, conditions), argument)


ROOTS = (
    Combine(
        (("1", "sum_1 <= 2*sqrt(n)"), ("1/sqrt(n + 1)", "0 <= (sqrt(n + 1) - sqrt(n))**2")),
        because="sqrt(n) sqrt(n + 1) is at most the mean of n and n + 1",
    ),
)
SQUARES = (Combine((("1", "sum_1 <= 2 - 1/n"),)),)
NAMED = (
    lemma(
        "descent step",
        "new <= old - dot(g, g)/(2*l)",
        (G, L, real("old"), real("new")),
        ("new <= old + dot(g, -g/l) + l/2*dot(g/l, g/l)",),
        Combine((("1", "new <= old + dot(g, -g/l) + l/2*dot(g/l, g/l)"),)),
    ),
    lemma("Young", "dot(u, v) <= dot(u, u)/2 + dot(v, v)/2", (U, V), (), Combine((("1/2", "0 <= dot(u - v, u - v)"),))),
    lemma(
        "Peter and Paul",
        "dot(u + v, u + v) <= (1 + a)*dot(u, u) + (1 + 1/a)*dot(v, v)",
        (U, V, A),
        (),
        Combine((("1/a", "0 <= dot(a*u - v, a*u - v)"),)),
    ),
    lemma(
        "three points",
        "2*dot(u - v, u - w) == dot(u - v, u - v) + dot(u - w, u - w) - dot(v - w, v - w)",
        (U, V, W),
        (),
        Identical(),
    ),
    lemma(
        "SGD step",
        "dot(u - h*g - v, u - h*g - v) <= dot(u - v, u - v) - 2*h*gap + h**2*l**2",
        (U, V, G, H, L, real("gap")),
        ("gap <= dot(g, u - v)", "norm(g) <= l"),
        Combine((("2*h", "gap <= dot(g, u - v)"), ("h**2*(norm(g) + l)", "norm(g) <= l"))),
    ),
    lemma(
        "contraction",
        "dot(u - h*g, u - h*g) <= (1 - 2*h*a*l/(a + l))*dot(u, u)",
        (U, G, H, A, L),
        ("a*l/(a + l)*dot(u, u) + dot(g, g)/(a + l) <= dot(g, u)", "h <= 2/(a + l)"),
        Combine(
            (
                ("2*h", "a*l/(a + l)*dot(u, u) + dot(g, g)/(a + l) <= dot(g, u)"),
                ("h*dot(g, g)", "h <= 2/(a + l)"),
            )
        ),
    ),
    lemma("sum of inverse roots", "sum(k, 1, n, 1/sqrt(k)) <= 2*sqrt(n)", (N,), (), Induct("n", (Positive(),), ROOTS)),
    lemma("sum of inverse squares", "sum(k, 1, n, 1/k**2) <= 2 - 1/n", (N,), (), Induct("n", (Positive(),), SQUARES)),
    lemma(
        "geometric sum",
        "sum(k, 0, n, q**k) == (1 - q**(n + 1))/(1 - q)",
        (N, Q),
        (),
        Induct("n", (Identical(),), (Identical(),)),
    ),
    lemma(
        "telescoping sum",
        "sum(k, 1, n, 1/(k*(k + 1))) == 1 - 1/(n + 1)",
        (N,),
        (),
        Induct("n", (Identical(),), (Identical(),)),
    ),
    lemma(
        "RDP to DP",
        "exp((a - 1)*(r - e)) <= d",
        (real("a", "(1, oo)"), R, D, real("e", "[0, oo)")),
        ("r + log(1/d)/(a - 1) <= e",),
        Logarithm(),
        Combine((("a - 1", "r + log(1/d)/(a - 1) <= e"),)),
    ),
    lemma(
        "zCDP optimum",
        "r + 2*sqrt(r*log(1/d)) <= r*a + log(1/d)/(a - 1)",
        (real("a", "(1, oo)"), R, D),
        (),
        Combine((("1/(a - 1)", "0 <= (sqrt(r)*(a - 1) - sqrt(log(1/d)))**2"),)),
    ),
    lemma(
        "Bernoulli",
        "1 + n*x <= (1 + x)**n",
        (N, real("x", "[-1, oo)")),
        (),
        Induct("n", (Identical(),), (Combine((("1 + x", "1 + n*x <= (1 + x)**n"), ("n", "0 <= x**2"))),)),
    ),
    lemma(
        "Renyi divergence of Gaussians",
        "E(exp(a*(dot(xi, v)/s**2 - dot(v, v)/(2*s**2)))) == exp((a**2 - a)*dot(v, v)/(2*s**2))",
        (A, S, V, XI),
        (),
        Identical(),
    ),
    lemma(
        "clipping",
        "norm(min(1, l/norm(g))*g) <= l",
        (G, L),
        ("0 < norm(g)",),
        Rewrite(left="min(1, l/norm(g))*norm(g)"),
        Combine((("norm(g)", "min(1, l/norm(g)) <= l/norm(g)"),)),
    ),
    lemma(
        "cocoercive step",
        "dot(u - h*g, u - h*g) <= dot(u, u)",
        (U, G, H, L),
        ("dot(g, g)/l <= dot(g, u)", "h <= 2/l"),
        Combine((("2*h", "dot(g, g)/l <= dot(g, u)"), ("h*dot(g, g)", "h <= 2/l"))),
    ),
    lemma(
        "regret step",
        "dot(g, u - v) <= (dot(u - v, u - v) - dot(u - h*g - v, u - h*g - v))/(2*h) + h/2*l**2",
        (U, V, G, H, L),
        ("norm(g) <= l",),
        Combine((("h/2*(norm(g) + l)", "norm(g) <= l"),)),
    ),
    lemma(
        "harmonic sum",
        "sum(k, 1, n, 1/k) <= 1 + log(n)",
        (N,),
        (),
        Induct(
            "n",
            (Identical(),),
            (Combine((("1", "sum_1 <= 1 + log(n)"), ("1", "log(n/(n + 1)) <= n/(n + 1) - 1"))),),
        ),
    ),
    lemma(
        "power below 1/e",
        "(1 - 1/n)**n <= 1/exp(1)",
        (N,),
        (),
        Power("1/n"),
        Rewrite(left="1 - 1/n", right="exp(-1/n)"),
        Combine((("1", "1 + -1/n <= exp(-1/n)"),)),
    ),
    lemma(
        "Bernstein",
        "exp(x) - 1 - x <= x**2/(2*(1 - x/3))",
        (real("x", "[0, 3)"),),
        (),
        Scale("1 - x/3"),
        Taylor("x", "0", 3, argument=(Positive(),)),
    ),
    lemma(
        "binary Pinsker",
        "2*(p - q)**2 <= p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))",
        (P, Q),
        (),
        Tangent("p", "q"),
    ),
    lemma(
        "amplification by sampling",
        "log(1 + q*(exp(e) - 1)) <= 2*q*e",
        (real("q", "[0, 1]"), E),
        (),
        Bound(
            left="q*(exp(e) - 1)",
            argument=(Combine((("1", "log(1 + q*(exp(e) - 1)) <= 1 + q*(exp(e) - 1) - 1"),)),),
        ),
        Rewrite(left="q*e*exprel(e)"),
        Combine((("q*e", "exprel(e) <= 2"),)),
    ),
    lemma(
        "Gaussian tail",
        "Phi(-x) <= exp(-x**2/2)/2",
        (real("x", "[0, oo)"),),
        (),
        Cases(
            (
                ("x <= 79/100", (Monotone("x", "low"),)),
                ("4/5 <= x", (Monotone("x", "high"),)),
                ("otherwise", (Boxes(),)),
            )
        ),
    ),
    lemma(
        "binomial coefficient",
        "binomial(n, k) <= n**k/factorial(k)",
        (N, integer("k", "[0, oo)")),
        ("k <= n",),
        Induct("k", (Identical(),), (Combine((("(n - k)/(k + 1)", "binomial(n, k) <= n**k/factorial(k)"),)),)),
    ),
    lemma(
        "logarithm below the root",
        "log(x) <= sqrt(x)",
        (X,),
        (),
        Combine((("2", "log(sqrt(x)/2) <= sqrt(x)/2 - 1"),)),
    ),
    lemma(
        "x >= 2 a log a",
        "a*log(x) <= x",
        (A, X),
        ("2*a*log(a) <= x",),
        Combine((("a", "log(x/(2*a)) <= x/(2*a) - 1"), ("1/2", "2*a*log(a) <= x"))),
    ),
    lemma("floor", "floor(y) <= y", (OTHER,), (), Combine((("1", "floor(y) <= y"),))),
    lemma("second moment along a vector", "E(dot(xi, v)**2) == s**2*dot(v, v)", (S, V, XI), (), Identical()),
    lemma(
        "second moment of a shift", "E(dot(xi + v, xi + v)) == E(dot(xi, xi)) + dot(v, v)", (S, V, XI), (), Identical()
    ),
    lemma("far end: 1 - q", "0 < 1 - q", (Q,), (), Positive()),
    lemma("far end: 1/q - 1", "0 < 1/q - 1", (Q,), (), Positive()),
    lemma("far end: q <= 1/3", "q <= 1/3", (real("q", "[0, 1/3]"),), (), Positive()),
)
MADE = (
    lemma(
        "mean of a sum",
        "E(a*norm(xi + u) + b*norm(xi)) == a*E(norm(xi + u)) + b*E(norm(xi))",
        (A, B, S, U, XI),
        (),
        Identical(),
    ),
    lemma(
        "mean of a larger term",
        "E(norm(xi + v)) <= E(norm(xi)) + norm(v)",
        (S, V, XI),
        (),
        Rewrite(right="E(norm(xi) + norm(v))"),
        Termwise((Combine((("1", "norm(xi + v) <= norm(xi) + norm(v)"),)),)),
    ),
    lemma("logarithm of odds", "log((1 - p)/p) == log(1 - p) - log(p)", (P,), (), Identical()),
    lemma("logarithm of 1/b + 1", "log(1/b + 1) == log(1 + b) - log(b)", (B,), (), Identical()),
    lemma(
        "logarithm of a power", "log((1 - q)**(1/q)) <= -1", (Q,), (), Combine((("1/q", "log(1 - q) <= 1 - q - 1"),))
    ),
    lemma("logarithm below its tangent", "log(x) <= x - 1", (X,), (), Combine((("1", "log(x) <= x - 1"),))),
    lemma(
        "positive parts",
        "abs(max(x, 0) - max(y, 0)) <= abs(x - y)",
        (ANY, OTHER),
        (),
        Cases((("x <= y", ()), ("otherwise", ()))),
    ),
    lemma(
        "two monotone pieces",
        "x - x**2 <= log(1 + x)",
        (real("x", "[-1/2, oo)"),),
        (),
        Cases(
            (
                ("x <= 0", (Monotone("x", "high"),)),
                ("otherwise", (Monotone("x", "low"),)),
            )
        ),
    ),
    lemma(
        "third order at an end",
        "log(1 + x) <= x - x**2/2 + x**3/3",
        (real("x", "[0, oo)"),),
        (),
        Taylor("x", "0", 3, argument=(Positive(),)),
    ),
    lemma(
        "limit at infinity",
        "1/(x + 1/2) <= log(1 + 1/x)",
        (X,),
        (),
        Monotone("x", "high", (Positive(),)),
        Identical(),
    ),
)
LEMMAS = NAMED + MADE
FALSE = {
    "descent step": "new <= old - dot(g, g)/l",
    "Young": "dot(u, v) <= dot(u, u)/2 + dot(v, v)/3",
    "Peter and Paul": "dot(u + v, u + v) <= (1 + a)*dot(u, u) + (1 + 1/(2*a))*dot(v, v)",
    "SGD step": "dot(u - h*g - v, u - h*g - v) <= dot(u - v, u - v) - 3*h*gap + h**2*l**2",
    "contraction": "dot(u - h*g, u - h*g) <= (1 - 3*h*a*l/(a + l))*dot(u, u)",
    "sum of inverse roots": "sum(k, 1, n, 1/sqrt(k)) <= 2*sqrt(n) - 1 - 1/100",
    "sum of inverse squares": "sum(k, 1, n, 1/k**2) <= 2 - 2/n",
    "geometric sum": "sum(k, 0, n, q**k) == (1 - q**n)/(1 - q)",
    "RDP to DP": "exp((a - 1)*(r - e)) <= d/2",
    "zCDP optimum": "r + 3*sqrt(r*log(1/d)) <= r*a + log(1/d)/(a - 1)",
    "Bernoulli": "1 + n*x + x**2 <= (1 + x)**n",
    "clipping": "norm(min(1, l/norm(g))*g) <= l/2",
    "harmonic sum": "sum(k, 1, n, 1/k) <= 1/2 + log(n)",
    "power below 1/e": "(1 - 1/n)**n <= 1/exp(3/2)",
    "Bernstein": "exp(x) - 1 - x <= x**2/(2*(1 - x/4))",
    "binary Pinsker": "9/4*(p - q)**2 <= p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))",
    "amplification by sampling": "log(1 + q*(exp(e) - 1)) <= 99/100*q*e",
    "Gaussian tail": "Phi(-x) <= exp(-x**2/2)/2 - 1/1000",
    "binomial coefficient": "binomial(n, k) <= n**k/factorial(k)/2",
    "logarithm below the root": "log(x) <= sqrt(x)/2",
    "x >= 2 a log a": "a*log(x) <= x/2",
    "far end: 1/q - 1": "0 < 1/q - 1001/1000",
    "mean of a larger term": "E(norm(xi + v)) <= E(norm(xi)) + norm(v)/2",
    "logarithm below its tangent": "log(x) <= x - 1001/1000",
    "positive parts": "abs(max(x, 0) - max(y, 0)) <= abs(x - y)/2",
    "two monotone pieces": "x - x**2/3 <= log(1 + x)",
    "third order at an end": "log(1 + x) <= x - x**2/2 + x**3/4 - x**4/100",
    "limit at infinity": "1/(x + 1/3) <= log(1 + 1/x)",
}
"""False statements that differ from those lemmas in one number."""
