"""(111): the noise that the privacy bound asks for, put into the last term of the utility bound."""

from dpaudit.claims.writing import *

from .symbols import *

SQUARE = "(32*R*sqrt(d)*Delta*log_delta/(eta*n*eps**2))"
"""sigma^2 of (111): the last term of (110) is 2 eta r M sigma^2."""
RHO = f"8*Delta*R*sqrt(2*d)/(eta*n*{SQUARE})"
ALL = (RADIUS, DELTA, DIMENSION, RECORDS, EPS, ETA, LOG_DELTA)
ONES = "R=1 Delta=1 d=2 n=1 eps=1 eta=1 log_delta=1"
VALUE = real("v", "(0, oo)", "8 in (29)")
ENOUGH = "(4*v*R*sqrt(2*d)*Delta*(log_delta + eps)/(eta*n*eps**2))"
LESS = f"v*Delta*R*sqrt(2*d)/(eta*n*{ENOUGH})"
SHORT = "eps**2/(4*(log_delta + eps))"
ROOT = f"2*sqrt({SHORT}*log_delta)"
TANGENT = "eps*(1 - eps/(2*(log_delta + eps)))"

NOISE = (
    step(
        "s1-term",
        "the sigma^2 that (111) has put in: with it the last term of (110) is the last term of (111)",
        f"2*eta*r*M*{SQUARE} == {THIRD}",
        (*ALL, RANK, SMOOTH),
        reads=Reads.OURS,
        place="(111)",
        candidates=(point(f"{ONES} r=1 M=2"),),
    ),
    erratum(
        "s1",
        "(111): with sigma^2 from the privacy bound the last term is 64 r M R sqrt(d) Delta log(2/delta)/(n eps^2). "
        "Encoded: with this sigma^2 the bound (29), changed to (eps, delta/2), is at most eps",
        f"{RHO} + 2*sqrt({RHO}*log_delta) <= eps",
        ALL,
        reads=Reads.READING,
        place="(111)",
        printed=r"2\eta rM\sigma^2=\frac{64rMR\sqrt{d}\Delta\log(2/\delta)}{n\varepsilon^2}",
        candidates=(point(ONES),),
        finding=(
            "(29) over alpha is then rho = sqrt(2) eps^2/(4 log(2/delta)), and rho + 2 sqrt(rho log(2/delta)) is more "
            "than 1.18 eps, whatever the parameters (s1-always). A sqrt(2) of (29) is lost, and rho beside the root. "
            "64 sqrt(2) (log(2/delta) + eps) in the place of 64 log(2/delta) is enough for (29) (s1~repaired); the "
            "minimum of (27) is twice (29), and asks for twice that. The orders of (114) to (117) do not change for "
            "eps of order log(2/delta)."
        ),
        repair=f"{HERE}/s1~repaired",
    ),
    step(
        "s1-always",
        "with the printed noise (29), changed to (eps, delta/2), is more than eps for every choice of the parameters",
        f"eps < {RHO} + 2*sqrt({RHO}*log_delta)",
        ALL,
        reads=Reads.OURS,
        place="(111)",
        argument=(
            Rewrite(right="sqrt(2)*eps**2/(4*log_delta) + sqrt(sqrt(2))*eps"),
            Combine((("sqrt(2)/(4*log_delta)", "0 < eps**2"), ("eps", "1 <= sqrt(sqrt(2))"))),
        ),
        mutants=(
            mutant(
                "larger",
                "5/4 eps",
                f"5/4*eps < {RHO} + 2*sqrt({RHO}*log_delta)",
                "R=1 Delta=1 d=2 n=1 eps=1 eta=1 log_delta=100",
            ),
        ),
    ),
    step(
        "s1~repaired",
        "with a bound v Delta R sqrt(2 d)/(eta n sigma^2) on the Renyi divergence over alpha, v = 8 in (29), it is "
        "enough that sigma^2 = 4 v R sqrt(2d) Delta (log(2/delta) + eps)/(eta n eps^2), so that the last term of (110) "
        "is 8 sqrt(2) v r M R sqrt(d) Delta (log(2/delta) + eps)/(n eps^2). Encoded: that it is enough, in the closed "
        "form of the conversion",
        f"{LESS} + 2*sqrt({LESS}*log_delta) <= eps",
        (*ALL, VALUE),
        place="(111)",
        rests_on=("zeroth/FACT-RDP2DP", "zeroth/FACT-RDP2DP/closed-at"),
        argument=(
            Rewrite(left=f"{SHORT} + {ROOT}"),
            Have(
                f"{ROOT} <= {TANGENT}",
                (
                    Power("2"),
                    Rewrite(left="eps**2*(1 - eps/(log_delta + eps))"),
                    Combine((("eps**2/4", "0 <= (eps/(log_delta + eps))**2"),)),
                ),
            ),
            Combine((("1", f"{ROOT} <= {TANGENT}"), ("1/(4*(log_delta + eps))", "0 <= eps**2"))),
        ),
        mutants=(
            mutant(
                "smaller",
                "3/4 eps",
                f"{LESS} + 2*sqrt({LESS}*log_delta) <= 3/4*eps",
                f"{ONES} v=8",
            ),
        ),
    ),
)
