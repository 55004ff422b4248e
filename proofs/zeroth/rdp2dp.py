"""The conversion of Renyi differential privacy that the paper cites and does not print (Mironov 2017, Proposition 3).

On finite spaces: a value x with weights p on one data set and q on the other adds max(p - e^eps q, 0) to delta, and
that is at most p^alpha q^(1 - alpha) e^((1 - alpha) eps) (`value`).
"""

from dpaudit.claims.writing import *

HERE, PLACE = "zeroth/FACT-RDP2DP", "Sections 3 and 3.2, `the standard RDP-to-DP conversion (Mironov, 2017)`"
ALPHA, EPS = real("alpha", "(1, oo)", "order"), real("eps", meaning="epsilon")
POINTS, LOG = integer("m", "[1, oo)", "number of values"), positive("l", "log(1/delta)")
P, Q = sequence("p", "(0, oo)", "p[k]: probability on D"), sequence("q", "(0, oo)", "on D'")
COST, RATE = real("e", "[0, oo)", "the Renyi divergence"), positive("rho", "e(alpha) is rho alpha")
MOMENT = "sum(k, 1, m, p[k]**alpha*q[k]**(1 - alpha))"
STICK = "sum(k, 1, m, max(p[k] - exp(eps)*q[k], 0))"
VALUE = "max(p - y, 0) <= p**alpha*y**(1 - alpha)"
TANGENT = "p*(alpha*y**(alpha - 1)) - (alpha - 1)*y**alpha <= p**alpha"
AT_K = "max(p[k] - exp(eps)*q[k], 0) <= p[k]**alpha*(exp(eps)*q[k])**(1 - alpha)"
FAR = "exp((1 - alpha)*eps)"
BOUNDED, CHOSEN = f"{MOMENT} <= exp((alpha - 1)*e)", "eps == e + l/(alpha - 1)"
TIGHT = "(rho + 2*sqrt(rho*l))"

CLAIM = Claim(
    id=HERE,
    title="on finite spaces with positive probabilities (alpha, e)-RDP is (e + log(1/delta)/(alpha - 1), delta)-DP",
    words=(
        "If a mechanism is (alpha, e)-RDP then it is (e + log(1/delta)/(alpha - 1), delta)-DP for every delta in "
        "(0, 1); l is log(1/delta). In part: for mechanisms with finitely many outputs, each of which has a positive "
        "probability on both data sets. The sum on the left is the largest P(S) - e^eps Q(S) over events S."
    ),
    place=PLACE,
    kind=ClaimKind.PRIVACY,
    reads=Reads.READING,
    statement=Statement(f"{STICK} <= exp(-l)", (POINTS, P, Q, ALPHA, COST, LOG, EPS), (BOUNDED, CHOSEN)),
    rests_on=(f"{HERE}/value",),
    argument=(
        Have(
            f"{STICK} <= {FAR}*{MOMENT}",
            (
                Rewrite(right=f"sum(k, 1, m, p[k]**alpha*q[k]**(1 - alpha)*{FAR})"),
                Termwise(
                    (
                        Have(AT_K, (ByTheorem(f"{HERE}/value", at=(("p", "p[k]"), ("y", "exp(eps)*q[k]"))),)),
                        Combine((("1", AT_K),)),
                    )
                ),
            ),
        ),
        Name("moment", MOMENT),
        Name("stick", STICK),
        Substitute((), where("eps=e+l/(alpha-1)"), ()),
        Combine(
            (
                ("1", "stick <= exp((1 - alpha)*(e + l/(alpha - 1)))*moment"),
                ("exp((1 - alpha)*(e + l/(alpha - 1)))", "moment <= exp((alpha - 1)*e)"),
            )
        ),
    ),
    candidates=(point("m=1 p=[1] q=[1] alpha=2 e=0 l=1 eps=1"),),
    mutants=(
        Mutant(
            "half",
            "half of the added term",
            conditions=(BOUNDED, "eps == e + l/(2*(alpha - 1))"),
            candidates=(point("m=2 p=[1,1/15,14/15] q=[1,1/1500,1499/1500] alpha=2 e=21/10 l=4 eps=41/10"),),
        ),
        Mutant(
            "more",
            "a hundredth of delta",
            f"{STICK} <= exp(-l)/100",
            candidates=(point("m=2 p=[1,1/100,99/100] q=[1,1/100000,99999/100000] alpha=2 e=12/5 l=4 eps=32/5"),),
        ),
    ),
    steps=(
        step(
            "value",
            "what one value adds to delta, y = e^eps q: p^alpha lies above its tangent at y",
            VALUE,
            (positive("p"), positive("y"), ALPHA),
            argument=(
                Cases(
                    (
                        ("p <= y", (Have("max(p - y, 0) <= 0", (Solve(),)), Bound(left="0"), Positive())),
                        (
                            "otherwise",
                            (
                                Have("max(p - y, 0) <= p - y", (Solve(),)),
                                Have(TANGENT, (ByTheorem("zeroth/LEM-2.2/line", at=where("x=p t=y")),)),
                                Combine(
                                    (
                                        ("1", "max(p - y, 0) <= p - y"),
                                        ("y**(1 - alpha)", TANGENT),
                                        ("alpha - 1", "y <= p"),
                                        ("1", "0 <= y"),
                                    )
                                ),
                            ),
                        ),
                    )
                ),
            ),
            mutants=(
                mutant("fifth", "a fifth of it", "max(p - y, 0) <= p**alpha*y**(1 - alpha)/5", "p=2 y=1 alpha=2"),
            ),
        ),
        step(
            "closed",
            "for e(alpha) = rho alpha no order gives less than rho + 2 sqrt(rho l)",
            f"{TIGHT} <= rho*alpha + l/(alpha - 1)",
            (RATE, LOG, ALPHA),
            argument=(Combine((("1", "0 <= (sqrt(rho*(alpha - 1)) - sqrt(l/(alpha - 1)))**2"),)),),
            mutants=(
                mutant(
                    "three", "3 in place of 2", "rho + 3*sqrt(rho*l) <= rho*alpha + l/(alpha - 1)", "rho=1 l=1 alpha=2"
                ),
            ),
        ),
        step(
            "closed-at",
            "for e(alpha) = rho alpha the order 1 + sqrt(l/rho) gives rho + 2 sqrt(rho l), the least by `closed`",
            f"rho*(1 + sqrt(l/rho)) + l/sqrt(l/rho) == {TIGHT}",
            (RATE, LOG),
        ),
        step(
            "gaussian",
            "the Gaussian mechanism, mu^2 = 2 rho, at this epsilon, mu^2/2 + mu w with w^2 = 2 log(1/delta): its exact "
            "delta is at most half of what is promised",
            "Phi(-w) - exp(mu**2/2 + mu*w)*Phi(-w - mu) <= exp(-w**2/2)/2",
            (positive("mu"), positive("w")),
            kind=ClaimKind.PRIVACY,
            rests_on=("normal-tail",),
            argument=(
                Have("Phi(-w) <= exp(-w**2/2)/2", (ByTheorem("normal-tail"),)),
                Combine((("1", "Phi(-w) <= exp(-w**2/2)/2"), ("exp(mu**2/2 + mu*w)", "0 <= Phi(-w - mu)"))),
            ),
            mutants=(
                mutant(
                    "tenth",
                    "a tenth",
                    "Phi(-w) - exp(mu**2/2 + mu*w)*Phi(-w - mu) <= exp(-w**2/2)/10",
                    "mu=4 w=1/2",
                ),
            ),
        ),
    ),
)
