"""The second part of the proof of Lemma 3.8: Theorem A.1 for the law of the sums, (48) to (50), and both events."""

from dpaudit.claims.writing import *

from .symbols import *

ALL = (D, K, SLACK)
FINAL = "Appendix A.7, (50)"
PRINTED_RATE = r"\exp(-\frac{3\epsilon^{2}Kd}{12(d-K)+8(d-2K)\epsilon})"
NEAR_MEAN = tuple((("d", "10"), ("K", k), ("e", "1/1000")) for k in ("1", "2", "5"))
FAR = (point("d=1000 K=1 e=40"),)
PLAIN = (point("d=4 K=1 e=1/2"),)
TAILS = (("s5", UPPER, UPPER_TAIL, "upper"), ("s5-lower", LOWER, LOWER_TAIL, "lower"))
AT = (
    ("v", VARIANCE),
    ("v2", "2*K*(d - K)/d**3"),
    ("w", BERNSTEIN),
    ("w2", "4*(d - 2*K)/d**2"),
    ("x", "e*K/d"),
)
LARGER = (
    f"-(e*K/d)**2/(2*({VARIANCE} + {BERNSTEIN}*(e*K/d)/3))"
    " <= -(e*K/d)**2/(2*(2*K*(d - K)/d**3 + 4*(d - 2*K)/d**2*(e*K/d)/3))"
)


def instance(name, tail, given, which):
    """(49): Theorem A.1 with a = K/2, b = (d - K)/2 and the deviation e K/d."""
    return step(
        name,
        f"(49), {which} tail: Theorem A.1 with the deviation e K/d, its variance and its scale by d and K",
        f"{tail} <= {FINER}",
        ALL,
        HALF,
        given={THEOREM: given},
        kind=ClaimKind.TAIL,
        rests_on=("haar-beta",),
        printed=r"\exp(-\frac{\epsilon^{2}\frac{K^{2}}{d^{2}}}{2(v+\frac{cK}{3d}\epsilon)})",
        place="Appendix A.7, (49)",
        argument=(Combine((("1", given),)),),
        candidates=PLAIN,
        mutants=(Mutant("third", "a third in front", f"{tail} <= {FINER}/3", candidates=NEAR_MEAN),),
    )


def rate(name, tail, finer, which, near):
    """(50): one tail and the rate of the lemma."""
    return step(
        name,
        f"the {which} tail alone is at most the exponential of the lemma",
        f"{tail} <= {RATE}",
        ALL,
        HALF,
        given={f"{HERE}/{finer}": f"{tail} <= {FINER}"},
        kind=ClaimKind.TAIL,
        place=FINAL,
        printed=r"\leq" + PRINTED_RATE,
        rests_on=(f"{HERE}/s8-more",),
        argument=(
            Have(f"{FINER} <= {RATE}", (ByTheorem(f"{HERE}/s8-more"),)),
            Combine((("1", f"{tail} <= {FINER}"), ("1", f"{FINER} <= {RATE}"))),
        ),
        candidates=PLAIN,
        mutants=(Mutant("factor", f"{near} in front", f"{tail} <= {near}*{RATE}", candidates=NEAR_MEAN),),
    )


STEPS = (
    *(instance(*row) for row in TAILS),
    step(
        "s6",
        "the mean of the sum is K/d. Encoded: a/(a + b), the mean of Beta(a, b), at a = K/2 and b = (d - K)/2",
        "(K/2)/(K/2 + (d - K)/2) == K/d",
        (D, K),
        rests_on=("haar-beta",),
        place="Appendix A.7, after Theorem A.1",
        printed=r"\mathbb{E}\sum_{k=1}^{K}\upsilon_{k}=\frac{K}{d}",
    ),
    step(
        "s7",
        "(48), variance: 2K(d-K)/(d^2(d+2)) <= 2K(d-K)/d^3",
        f"{VARIANCE} <= 2*K*(d - K)/d**3",
        (D, K),
        HALF,
        place="Appendix A.7, (48)",
        printed=r"\frac{2K(d-K)}{d^{2}(d+2)}\leq\frac{2K(d-K)}{d^{3}}",
        argument=(Combine(terms=(("2*K*K*2/(d**3*(d + 2))", "0 <= 1"), ("2*K*2/(d**3*(d + 2))", "2*K <= d"))),),
        mutants=(
            mutant("power", "d^2 (d+2) against (d+3) d^2", f"{VARIANCE} <= 2*K*(d - K)/(d**2*(d + 3))", "d=2 K=1"),
        ),
    ),
    step(
        "s7-exact",
        "(48), first part: the variance of Theorem A.1 at K/2 and (d - K)/2",
        f"{V} == {VARIANCE}",
        (D, K),
        place="Appendix A.7, (48)",
        printed=r"v=\frac{\frac{K(d-K)}{4}}{(\frac{d}{2})^{2}(\frac{d}{2}+1)}=\frac{2K(d-K)}{d^{2}(d+2)}",
    ),
    step(
        "s7-scale",
        "(48), scale: 4(d-2K)/(d(d+4)) <= 4(d-2K)/d^2",
        f"{BERNSTEIN} <= 4*(d - 2*K)/d**2",
        (D, K),
        HALF,
        place="Appendix A.7, (48)",
        printed=r"\frac{4(d-2K)}{d(d+4)}\leq\frac{4(d-2K)}{d^{2}}",
        argument=(Combine(terms=(("16/(d**2*(d + 4))", "2*K <= d"),)),),
        mutants=(mutant("power", "(d+5) in place of d", f"{BERNSTEIN} <= 4*(d - 2*K)/(d*(d + 5))", "d=4 K=1"),),
    ),
    step(
        "s7-scale-exact",
        "(48), second part: the scale c of Theorem A.1 at K/2 and (d - K)/2",
        f"{C} == {BERNSTEIN}",
        (D, K),
        place="Appendix A.7, (48)",
        printed=r"c=\frac{d-2K}{\frac{d}{2}(\frac{d}{2}+2)}=\frac{4(d-2K)}{d(d+4)}",
    ),
    step(
        "s8",
        "(49)-(50): with the larger variance and scale the exponent is -3 e^2 K d/(12(d-K) + 8(d-2K)e)",
        "(e*K/d)**2/(2*(2*K*(d - K)/d**3 + 4*(d - 2*K)/d**2*e*K/(3*d))) == 3*e**2*K*d/(12*(d - K) + 8*(d - 2*K)*e)",
        ALL,
        HALF,
        place=FINAL,
        printed=r"\exp\left(-\frac{\epsilon^{2}\frac{K^{2}}{d^{2}}}{2(\frac{2K(d-K)}{d^{3}}+\frac{K}{3d}"
        r"\frac{4(d-2K)}{d^{2}}\epsilon)}\right)=" + PRINTED_RATE,
    ),
    step(
        "larger",
        "the reason of the inequality in (50): a larger variance v and scale w make the exponent -x^2/(2 (v + w x/3)) "
        "larger",
        "-x**2/(2*(v + w*x/3)) <= -x**2/(2*(v2 + w2*x/3))",
        (positive("v"), positive("v2"), *(real(name, "[0, oo)") for name in ("w", "w2", "x"))),
        ("v <= v2", "w <= w2"),
        place=FINAL,
        argument=(
            Scale("2*(v + w*x/3)*(v2 + w2*x/3)"),
            Combine((("x**2", "v <= v2"), ("x**3/3", "w <= w2"))),
        ),
        mutants=(
            mutant(
                "sign", "a smaller one", "-x**2/(2*(v2 + w2*x/3)) <= -x**2/(2*(v + w*x/3))", "v=1 v2=2 w=1 w2=1 x=1"
            ),
        ),
    ),
    step(
        "s8-more",
        "and the exponential with these is the larger one",
        f"{FINER} <= {RATE}",
        ALL,
        HALF,
        place=FINAL,
        rests_on=ids(HERE, "s7 s7-scale s8"),
        argument=(
            Have(f"{VARIANCE} <= 2*K*(d - K)/d**3", (ByTheorem(f"{HERE}/s7"),)),
            Have(f"{BERNSTEIN} <= 4*(d - 2*K)/d**2", (ByTheorem(f"{HERE}/s7-scale"),)),
            Have(LARGER, (ByTheorem(f"{HERE}/larger", at=AT),)),
            Logarithm(),
            Combine((("1", LARGER),)),
        ),
        mutants=(mutant("rate", "4 in place of 3", f"{FINER} <= {RATE.replace('-3*', '-4*')}", "d=4 K=1 e=1/2"),),
    ),
    step(
        "s9",
        "when neither tail occurs, c1^2 <= 1 - (1-e)K/d + c^2 (1+e)K/d = 1 - (1-c^2)K/d + e(1+c^2)K/d",
        "1 - a + c**2*b <= 1 - (1 - c**2)*K/d + e*(1 + c**2)*K/d",
        (D, K, SLACK, LIPSCHITZ, UPSILON, GAMMA),
        ("(1 - e)*K/d <= a", "b <= (1 + e)*K/d"),
        place="Appendix A.7, the last sentence",
        argument=(Combine(terms=(("1", "(1 - e)*K/d <= a"), ("c**2", "b <= (1 + e)*K/d"))),),
        mutants=(
            mutant(
                "sign",
                "1 - e in place of 1 + e for the upper event",
                "1 - a + c**2*b <= 1 - (1 - c**2)*K/d + e*(1 - c**2)*K/d",
                "d=4 K=1 e=1/2 c=1 a=1/8 b=3/8",
            ),
        ),
    ),
    rate("s10", UPPER, "s5", "upper", "0.49"),
    rate("s10-lower", LOWER, "s5-lower", "lower", "0.6"),
)
