"""The symbols and terms that several parts use."""

from dpaudit.claims.writing import *

P, RHO = real("p", "[2, oo)", "order of the moment"), positive("rho", "smoothing radius")
V, Y, U = vector("v", "x - xbar"), vector("y", "x' - xbar"), vector("u", "a point between v and y")
XI = gaussian("xi", "rho", "the draw")


def weight(at):
    """The density ratio at displacement `at`."""
    return f"exp((2*dot({at}, xi) - dot({at}, {at}))/(2*rho**2))"


MOMENT = f"E(abs({weight('v')} - {weight('y')})**p)"
SYMBOLS = (P, RHO, V, Y, XI)
IN_BALL = ("norm(v) <= rho/p", "norm(y) <= rho/p")
# At p = 2, v near y on the boundary, the best constant is sqrt(5 e^(1/4)/16) = 0.6334...
CLOSE = (point("p=2 rho=1 v=(1/2,) y=(499/1000,)"),)
GROUNDS = tuple(f"resque/LEM-2.2/{name}" for name in ("r1", "r2", "r3", "slope"))


def bounded_by(constant, order="p"):
    """The argument for `E|w - w'|^p <= (constant p |v - y|/rho)^p`."""
    return (
        Bound(
            left=f"(0.77*{order}*norm(v - y)/rho)**{order}",
            by="segment-jensen",
            because="the step `slope` bounds the moment of the slope at every point of the segment, n = |v - y|",
        ),
        Combine(terms=((f"{order}**{order}*(norm(v - y)/rho)**{order}", f"0.77**{order} <= ({constant})**{order}"),)),
    )
