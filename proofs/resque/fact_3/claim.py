"""Fact 3: an alternating sum of exponentials is of order |x - y|^p.

The sum is E|w(x) - w(y)|^p for the density ratio w of Lemma 2 at rho = 1 (LEM-2.2/s1), so that the bound of
Lemma 2, proved there with 0.77 for every real order, gives Fact 3 at once for all even p = 2 k. Vectors
enter through a = |x|, b = |y| and the cosine c of their angle: |x - y|^2 = (a - b c)^2 + b^2 (1 - c^2).

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
A, B, C = real("a", "[0, 1]", "|x|"), real("b", "[0, 1]", "|y|"), real("c", "[-1, 1]", "cosine of the angle of x and y")
SMALL = ("a <= 1/(2*k)", "b <= 1/(2*k)")
FORM = "((2*k - q)**2 - (2*k - q))*a**2 + (q**2 - q)*b**2 + 2*q*(2*k - q)*a*b*c"
SUM = f"sum(q, 0, 2*k, (-1)**q*binomial(2*k, q)*exp(({FORM})/2))"
APART = "sqrt((a - b*c)**2 + b**2*(1 - c**2))"
CLOSE = (point("k=1 a=1/2 b=499/1000 c=1"),)


def power(constant):
    """(constant p |x - y|)^p at p = 2 k."""
    return f"({constant}*(2*k)*{APART})**(2*k)"


def bounded_by(constant):
    """The argument for `SUM <= (constant p |x - y|)^p`."""
    return (
        Bound(
            left=power("0.77"),
            by="resque/LEM-2.2/tight",
            because="the sum is the moment of Lemma 2 at rho = 1, by LEM-2.2/s1",
        ),
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
    statement=Statement(f"{SUM} <= {power('12')}", (K, A, B, C), SMALL),
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
            candidates=(point("k=5 a=1 b=99/100 c=1"),),
            own_sentence=True,
        ),
    ),
    steps=(*DERIVATIVES, *AT_X, *SIZES, *REMAINDER),
)
