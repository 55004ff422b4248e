"""Fact 3: an alternating sum of exponentials is of order |x - y|^p.

The sum is E|w(x) - w(y)|^p for the density ratio w of Lemma 2 at rho = 1 (LEM-2.2/s1), so that the bound of
Lemma 2, proved there with 0.77 for every real order, gives Fact 3 at once for all even p = 2 k.

The printed proof, s1 to s13, expands to order p in y around x. It is right for every p (odd ones, too), with slips of
the pen: the range "0 <= p <= q" of s6, C(q, p) for C(p, q) in s11, and the fourth derivative,
whose last term is printed as 3 C_q^2 I x I where the tensor is the sum over the three ways to pair the modes. Only
the values on (y - x)^p are used, where the two agree. In s6 the order is p = q + j.
"""

from dpaudit.claims.writing import *

from .derivatives import AT_X, DERIVATIVES
from .remainder import REMAINDER
from .sizes import SIZES

K = integer("k", "[1, oo)", "half of the even order p = 2 k")
X, Y, XI = vector("x"), vector("y"), gaussian("xi", "1", "the draw of Lemma 2 at rho = 1, over which the sum is a mean")
SMALL = ("norm(x) <= 1/(2*k)", "norm(y) <= 1/(2*k)")
FORM = "((2*k - q)**2 - (2*k - q))*dot(x, x) + (q**2 - q)*dot(y, y) + 2*q*(2*k - q)*dot(x, y)"
SUM = f"sum(q, 0, 2*k, (-1)**q*binomial(2*k, q)*exp(({FORM})/2))"
MOMENT = "E(abs(exp((2*dot(x, xi) - dot(x, x))/2) - exp((2*dot(y, xi) - dot(y, y))/2))**(2*k))"
CLOSE = (point("k=1 x=(1/2,) y=(499/1000,)"),)


def power(constant):
    """(constant p |x - y|)^p at p = 2 k."""
    return f"({constant}*(2*k)*norm(x - y))**(2*k)"


def bounded_by(constant):
    """The argument for `SUM <= (constant p |x - y|)^p`."""
    return (
        Rewrite(left=MOMENT, by="resque/LEM-2.2/s1", at=where("rho=1 v=x"), because="the moment of Lemma 2 at rho = 1"),
        Bound(left=power("0.77"), by="resque/LEM-2.2/tight", at=where("p=2*k rho=1 v=x")),
        Combine(terms=((power("1"), f"0.77**(2*k) <= ({constant})**(2*k)"),)),
    )


CLAIM = Claim(
    id="resque/FACT-3",
    title="an alternating sum of exponentials",
    words=(
        "p even, |x|, |y| <= 1/p: the sum over q of (-1)^q C(p,q) exp((1/2)[((p-q)^2 - (p-q))|x|^2 + (q^2 - q)|y|^2 + "
        "2q(p-q)<x,y>]) is at most (12 p|x - y|)^p."
    ),
    place="Fact 3, Appendix A",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{SUM} <= {power('12')}", (K, X, Y, XI), SMALL),
    argument=bounded_by("12"),
    candidates=CLOSE,
    tightness=(
        Tightness(
            "sum",
            printed="12",
            form=f"{SUM} <= {power('{c}')}",
            proved="0.77",
            refuted="0.63",
            argument=bounded_by("0.77"),
            candidates=CLOSE,
        ),
    ),
    mutants=(
        Mutant("unsigned", "the signs dropped", f"{SUM.replace('(-1)**q*', '')} <= {power('12')}", candidates=CLOSE),
        Mutant(
            "no-radius",
            "|x| and |y| up to 1",
            conditions=(),
            candidates=(point("k=5 x=(1,) y=(99/100,)"),),
            own_sentence=True,
        ),
    ),
    steps=(*DERIVATIVES, *AT_X, *SIZES, *REMAINDER),
)
