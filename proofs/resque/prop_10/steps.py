"""The printed proof: distance, Markov, Chernoff, aggregation."""

from dpaudit.claims.writing import *

ZETA, COPIES = real("zeta", "(0, 1)", "failure probability"), integer("k", "[1, oo)", "number of copies")
SUCCESS = real("p", "[2/3, 1]", "probability that one copy is good")
TOO_FEW = "binomial_cdf(ceil(51*k/100) - 1, k, {p})"
BASE = "(13/25)**(-51/100)*(1 - {p} + 13*{p}/25)"
D, T = integer("d", "[1, oo)"), integer("T", "[1, oo)")
BETA, LAM, LIP = positive("beta"), positive("lam"), positive("L")
CSC = positive("C", "C_sc")
Q = positive("Q", "d/(beta^2 T^2) + 1/T")


def chernoff(rate, p="p"):
    """The argument for P(Bin(k, p) < 0.51 k) <= exp(-k/rate)."""
    base, start = (
        BASE.format(p=p),
        (Bound(left=f"({BASE.format(p=p)})**k", by="binomial-chernoff", because="at s = 13/25"),),
    )
    if p == "p":
        base = "(13/25)**(-51/100)*v"
        start += (
            Substitute(
                (real("v", "[1/2, 681/1000]", "1 - p + s p, at most 17/25"),),
                (("p", "25*(1 - v)/12"),),
                (("v", "1 - 12*p/25"),),
            ),
        )
    return (
        *start,
        Logarithm(),
        Rewrite(left=f"k*log({base})", right=f"-k/({rate})"),
        Scale("1/k"),
        Rewrite(left=f"log({base})", right=f"-1/({rate})"),
        Boxes(),
    )


GOOD_MAJORITY = Statement(f"{TOO_FEW.format(p='p')} <= zeta", (ZETA, COPIES, SUCCESS), ("20*log(1/zeta) <= k",))
ENOUGH_COPIES = (Logarithm(), Rewrite(left="-k/20"), Combine(terms=(("1/20", "20*log(1/zeta) <= k"),)))
FEW = (point("zeta=1/50 k=10 p=2/3"),)

AGGREGATED_STEPS = (
    step(
        "s1",
        "E|x_i - x*| <= sqrt(2 C_sc) (L/lambda) (d/(beta^2 T^2) + 1/T)^(1/2): m is the mean distance, v the mean "
        "square distance, gap the mean function gap",
        "m <= sqrt(2*C)*L/lam*sqrt(Q)",
        (real("m", "[0, oo)"), real("v", "[0, oo)"), real("gap", "[0, oo)"), CSC, LIP, LAM, Q),
        ("m**2 <= v",),
        given={"resque/PROP-8/s4": "lam/2*v <= gap", "resque/PROP-8/s7": "gap <= C*L**2/lam*Q"},
        rests_on=("jensen", "strong-convexity-growth"),
        kind=ClaimKind.MOMENT,
        argument=(Solve(),),
        mutants=(
            mutant("constant", "sqrt(1.9 C_sc)", "m <= sqrt(19/10*C)*L/lam*sqrt(Q)", "C=1 lam=1 L=1 m=2 v=4 gap=2 Q=2"),
        ),
        tightness=(
            Tightness(
                "constant",
                "2",
                "m <= sqrt({c}*C)*L/lam*sqrt(Q)",
                "2",
                "1.99",
                candidates=(point("C=1 lam=1 L=1 m=2 v=4 gap=2 Q=2"),),
            ),
        ),
    ),
    erratum(
        "s1-outside",
        "the growth (lambda/2)|x - x*|^2 <= F(x) - F(x*) is used at outputs with Gaussian noise, on the line: F = "
        "-g x + (lambda/2) x^2 over [-r, r], minimiser r as g >= lambda r, at any x",
        "lam/2*(x - r)**2 <= -g*(x - r) + lam/2*(x**2 - r**2)",
        (LAM, positive("r"), positive("g"), real("x", "(-oo, oo)")),
        ("lam*r <= g",),
        reads=Reads.REASON,
        candidates=(point("lam=1 r=1 g=2 x=2"),),
        finding="A gap in the reason (strong convexity), as in PROP-8/s4-outside: Algorithms 3 to 5 return the "
        "average plus Gaussian noise, so that an output may lie outside the ball, where F can be below F(x*): "
        "F(2) - F(1) = -1/2 with g = 2, lambda = r = 1. The printed inequality, in the mean, is right (s1), "
        "as the noise has mean 0 and is independent of the average (PROP-8/s4).",
        repair="resque/PROP-10/s1",
    ),
    step(
        "s1-outside~repaired",
        "the same at x in the ball",
        "lam/2*(x - r)**2 <= -g*(x - r) + lam/2*(x**2 - r**2)",
        (LAM, positive("r"), positive("g"), real("x", "(-oo, oo)")),
        ("lam*r <= g", "x <= r"),
        argument=(Combine(terms=(("r - x", "lam*r <= g"),)),),
        mutants=(
            mutant(
                "twice",
                "lambda in place of lambda/2",
                "lam*(x - r)**2 <= -g*(x - r) + lam/2*(x**2 - r**2)",
                "lam=1 r=1 g=1 x=0",
            ),
        ),
    ),
    step(
        "s2",
        "Markov at three times the bound mu on the mean: P(|x_i - x*| >= 3 mu) <= 1/3. In part: Markov's "
        "inequality is the first condition",
        "P <= 1/3",
        (real("P", "[0, 1]"), real("m", "[0, oo)", "E|x_i - x*|"), positive("mu")),
        ("3*mu*P <= m",),
        given={"resque/PROP-10/s1": "m <= mu"},
        rests_on=("markov-inequality",),
        kind=ClaimKind.TAIL,
        argument=(Combine(terms=(("1/(3*mu)", "3*mu*P <= m"), ("1/(3*mu)", "m <= mu"))),),
        tightness=(Tightness("failure", "1/3", "P <= {c}", "1/3", "0.33", candidates=(point("P=1/3 m=1 mu=1"),)),),
        mutants=(
            Mutant(
                "twice", "Markov at 2 mu", conditions=("2*mu*P <= m", "m <= mu"), candidates=(point("P=1/2 m=1 mu=1"),)
            ),
        ),
    ),
    Step(
        "s3",
        "Chernoff: with k = 20 log(1/zeta) copies (rounded up), P(Bin(k, p) < 0.51 k) <= zeta for every p >= 2/3",
        GOOD_MAJORITY,
        origins=(Condition("", Origin.GIVEN, "resque/PROP-10/s2"),),
        kind=ClaimKind.TAIL,
        argument=(Bound(left="exp(-k/20)", argument=chernoff("20")), *ENOUGH_COPIES),
        mutants=(Mutant("copies", "2 log(1/zeta) copies", conditions=("2*log(1/zeta) <= k",), candidates=FEW),),
    ),
    step(
        "s3-rate",
        "Not printed: the exponent of s3: P(Bin(k, 2/3) < 0.51 k) <= exp(-k/20), uniformly in k",
        f"{TOO_FEW.format(p='2/3')} <= exp(-k/20)",
        (COPIES,),
        reads=Reads.OURS,
        kind=ClaimKind.TAIL,
        argument=chernoff("20", "2/3"),
        mutants=(mutant("rate", "exp(-k/12)", f"{TOO_FEW.format(p='2/3')} <= exp(-k/12)", "k=900"),),
        tightness=(
            Tightness(
                "copies",
                "20",
                f"{TOO_FEW.format(p='2/3')} <= exp(-k/{{c}})",
                "19.18",
                "18.8",
                argument=chernoff("19.18", "2/3"),
                candidates=(point("k=3751"),),
            ),
        ),
    ),
    step(
        "s3-down",
        "Not printed: k = 20 log(1/zeta) rounded down is enough too, from one copy on: 20 log(1/zeta) < k + 1",
        f"{TOO_FEW.format(p='2/3')} <= exp(-(k + 1)/20)",
        (COPIES,),
        reads=Reads.OURS,
        kind=ClaimKind.TAIL,
        argument=(
            Cases(
                (
                    ("k <= 40", (Boxes(),)),
                    (
                        "otherwise",
                        (
                            Bound(left=f"({BASE.format(p='2/3')})**k", by="binomial-chernoff", because="at s = 13/25"),
                            Logarithm(),
                            Rewrite(left=f"k*log({BASE.format(p='2/3')})", right="-k/20 - 1/20"),
                            Combine(
                                terms=(("k", f"log({BASE.format(p='2/3')}) <= -1/20 - 1/800"), ("1/800", "40 <= k"))
                            ),
                        ),
                    ),
                )
            ),
        ),
        mutants=(mutant("rate", "exp(-(k + 12)/20)", f"{TOO_FEW.format(p='2/3')} <= exp(-(k + 12)/20)", "k=2"),),
    ),
    step(
        "s4",
        "Aggregate with Delta = 9 sqrt(2 C_sc) (L/lambda) (...)^(1/2) = 3 times the radius of s2, and (a^2 + "
        "b^2)^(1/2) <= a + b with a = sqrt(d)/(beta T), b = 1/sqrt(T): C_ls = 9 sqrt(2 C_sc)",
        ("3*(3*sqrt(2*C)*L/lam*sqrt(d/(beta**2*T**2) + 1/T)) <= 9*sqrt(2*C)*L/lam*(sqrt(d)/(beta*T) + 1/sqrt(T))"),
        (CSC, LIP, LAM, BETA, D, T),
        given={"resque/LEM-11": "", "resque/PROP-10/s3": ""},
        rests_on=("resque/LEM-11",),
        argument=(
            Rewrite(left="9*sqrt(2*C)*L/lam*sqrt(d/(beta**2*T**2) + 1/T)"),
            Scale("lam/(9*sqrt(2*C)*L)"),
            Rewrite(left="sqrt(d/(beta**2*T**2) + 1/T)", right="sqrt(d)/(beta*T) + 1/sqrt(T)"),
            Substitute(
                (positive("a"), positive("b")),
                where("d=a**2/(b**4)*beta**2 T=1/b**2"),
                where("a=sqrt(d)/(beta*T) b=1/sqrt(T)"),
            ),
            Rewrite(left="sqrt(a**2 + b**2)", right="a + b"),
            Solve(),
        ),
        mutants=(
            mutant(
                "constant",
                "8.9 on the right",
                (
                    "3*(3*sqrt(2*C)*L/lam*sqrt(d/(beta**2*T**2) + 1/T)) <= 8.9*sqrt(2*C)*L/lam*(sqrt(d)/(beta*T) "
                    "+ 1/sqrt(T))"
                ),
                "C=2 L=1 lam=1 beta=1/1000000 d=1 T=1",
            ),
        ),
    ),
)
