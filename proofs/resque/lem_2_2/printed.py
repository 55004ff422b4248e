"""The printed steps."""

from dpaudit.claims.writing import *

from .symbols import *

K = integer("k", "[1, oo)", "half of an even order p = 2 k")
EVEN = f"E(abs({weight('v')} - {weight('y')})**(2*k))"

EXPONENT = "((2*k - q)**2 - (2*k - q))*dot(v, v) + (q**2 - q)*dot(y, y) + 2*q*(2*k - q)*dot(v, y)"
PRODUCT = f"E({weight('v')}**(2*k - q)*{weight('y')}**q)"
EXPANSION = f"sum(q, 0, 2*k, (-1)**q*binomial(2*k, q)*exp(({EXPONENT})/(2*rho**2)))"
PAIR = (K, integer("q", "[0, oo)"), RHO, V, Y, XI)
# Lebesgue integrals of h are written as (2 pi rho^2)^(d/2) E[h(xi) exp(|xi|^2/(2 rho^2))].
DIMENSION, MASS, PRINTED_MASS = integer("d", "[1, oo)", "dimension"), "(2*pi*rho**2)**(d/2)", "(2*pi*rho)**(d/2)"
CLOSE_EVEN = ((("k", "1"), *(pair for pair in CLOSE[0] if pair[0] != "p")),)
RISE = "p*12**p*rho**(-p)*(p + s)**(p - 1)*norm(v - y)**p"
SMALL = tuple((("k", k), ("rho", "2"), ("v", "(1, 0)"), ("y", "(1/2, 1/2)")) for k in ("1", "2"))
BALL_EVEN = ("norm(v) <= rho/(2*k)", "norm(y) <= rho/(2*k)")

PRINTED_STEPS = (
    erratum(
        "s1-density",
        "S_q, the integral of the product of powers, is (2 pi rho)^(d/2) times the exponential of the quadratic form",
        f"{MASS}*{PRODUCT} == {PRINTED_MASS}*exp(({EXPONENT})/(2*rho**2))",
        (*PAIR, DIMENSION),
        ("q <= 2*k",),
        candidates=(point("k=1 q=1 rho=1/2 v=(1/4,) y=(0,) d=1"),),
        finding=(
            "The value of the Gaussian integral is printed as (2 pi rho)^(d/2); it is (2 pi rho^2)^(d/2), as in (6). "
            "The factor cancels against the same slip in the density (S_q also prints gamma_r for gamma_rho): the "
            "expansion of E Z^p survives."
        ),
        repair="resque/LEM-2.2/s1",
    ),
    step(
        "s1-term",
        "Not printed: the mean of w^(p-q) w'^q in closed form, p = 2 k",
        f"{PRODUCT} == exp(({EXPONENT})/(2*rho**2))",
        PAIR,
        ("q <= 2*k",),
        reads=Reads.OURS,
    ),
    step(
        "s1",
        "for even p = 2 k, expanding the power: E|w - w'|^p is the alternating sum of these means",
        f"{EVEN} - {EXPANSION} == 0",
        (K, RHO, V, Y, XI),
        argument=(
            Rewrite(
                left=f"sum(q, 0, 2*k, (-1)**q*binomial(2*k, q)*{PRODUCT}) - {EXPANSION}",
                by="binomial-theorem",
                because="under the mean, which is linear",
            ),
            Identical(),
        ),
        candidates=SMALL,
    ),
    step(
        "s2",
        "for even p = 2 k the moment is at most (12 p|x - x'|/rho)^p (printed as a consequence of Fact 3)",
        f"{EVEN} <= (12*(2*k)*norm(v - y)/rho)**(2*k)",
        (K, RHO, V, Y, XI),
        BALL_EVEN,
        rests_on=GROUNDS,
        argument=bounded_by("12", "(2*k)"),
        mutants=(
            Mutant(
                "constant", "0.6 in place of 12", f"{EVEN} <= (0.6*(2*k)*norm(v - y)/rho)**(2*k)", candidates=CLOSE_EVEN
            ),
        ),
    ),
    step(
        "s3",
        "real p between the even q and q + 2: the Hoelder exponents (q+2-p)/2 and (p-q)/2 interpolate the order "
        "p. In part: the exponents; the inequality is Lyapunov's",
        "q*(q + 2 - p)/2 + (q + 2)*(p - q)/2 == p",
        (P, real("q", "[2, oo)")),
        rests_on=("lyapunov",),
    ),
    erratum(
        "s4",
        "What the proof of s4-bound needs: the even-order bound is used at q + 2, so rho/p must not exceed rho/(q + 2)",
        "rho/p <= rho/(2*k + 2)",
        (P, RHO, integer("k", "[1, oo)", "q = 2 k")),
        ("2*k < p", "p < 2*k + 2"),
        reads=Reads.GAP,
        kind=ClaimKind.IMPLICATION,
        candidates=(point("p=3 rho=1 k=1"),),
        finding="A gap; the display itself is right (s4-bound). The inner bound is applied at order q + 2 > p, whose "
        "hypothesis is |x - xbar| <= rho/(q + 2); the lemma gives rho/p only (p = 3: 1/3 > 1/4), so that the "
        "interpolation does not follow for any p that is not even. The lemma is proved by the route r1 to r5, "
        "with 0.77 in place of 24.",
        repair="resque/LEM-2.2/tight",
    ),
    step(
        "s4-bound",
        "what s4 concludes, with the radius rho/p: E Z^p <= (12 (q + 2)|x - x'|/rho)^p for q + 2 = p + s",
        f"{MOMENT} <= (12*(p + s)*norm(v - y)/rho)**p",
        (*SYMBOLS, real("s", "[0, 2)", "q + 2 - p")),
        IN_BALL,
        rests_on=GROUNDS,
        argument=(
            *bounded_by("12")[:1],
            Monotone("s", "low", (Combine(terms=((RISE, "0 <= 1"),)),), because="the right side grows with q"),
            *bounded_by("12")[1:],
        ),
        mutants=(
            Mutant(
                "constant",
                "0.6 in place of 12",
                f"{MOMENT} <= (0.6*(p + s)*norm(v - y)/rho)**p",
                candidates=((*CLOSE[0], ("s", "0")),),
            ),
        ),
    ),
    step(
        "s4-exponents",
        "the exponents used in s4: q(q+2-p) + (q+2)(p-q) = 2p",
        "q*(q + 2 - p) + (q + 2)*(p - q) == 2*p",
        (P, real("q", "[2, oo)")),
    ),
    step(
        "s5",
        "q + 2 <= 2p",
        "q + 2 <= 2*p",
        (P, real("q", "[2, oo)")),
        ("q <= p",),
        argument=(Combine(terms=(("1", "q <= p"), ("1", "2 <= p"))),),
        mutants=(mutant("constant", "q + 3 <= 2p", "q + 3 <= 2*p", "p=2 q=2"),),
    ),
)
