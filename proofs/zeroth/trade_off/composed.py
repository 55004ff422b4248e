"""What the utility bound gives with a privacy bound that it can be put together with; and no step size that helps."""

from dpaudit.claims.writing import *

from .lower_limit import FACTOR, LOG, LONG_LOG, MANY, MANY_DIRECTIONS
from .symbols import *

LOG_X, GAP_0 = (
    positive("log_X", "logarithm of the number in the clipping threshold"),
    positive("gap", "lbar(w_0) - lbar*"),
)
SQUARE = "(8*T*Delta**2*(log_delta + eps)/(n**2*eps**2))"
RHO = f"2*T*Delta**2/(n**2*{SQUARE})"
TERM = "128*T*K*r*L**2*log_X*(log_delta + eps)/(d*n**2*eps**2)"
BEST = "(d*n*eps*M*gap/(4*sqrt(2)*L*root))"
FIRST, LAST = f"4*d*M*gap/{BEST}", f"128*{BEST}*L**2*(root**2/(M*gap))/(d*n**2*eps**2)"
"""The first and the last term at the best T K, with root^2/(M gap) for r log(X) (log(2/delta) + eps)."""
STEP_SIZE = "4*(2 + r)*M*eta <= d"

COMPOSED = (
    step(
        "any-step",
        "no step size meets both: with c = 1 - eta m/K, as for any eta <= K/M, and eta <= d/(4 (2 + r) M) as (100) "
        "asks, the lower limit of Corollary 3.3 on K is more than K, for any number N in its logarithm. x is eta m/K",
        f"K < {FACTOR}*{LOG}",
        (
            *(RANK, DIMENSION, DIRECTIONS, SMOOTH, ETA, FAILURE),
            real("x", "(0, 1]", "eta m/K"),
            real("m", "(0, oo)", "strong convexity"),
            integer("N", "[1, oo)", "steps that count"),
        ),
        (STEP_SIZE, "d*m <= r*M", "x*K == eta*m"),
        argument=(
            *LONG_LOG,
            *MANY_DIRECTIONS,
            Have(
                "4*eta*m <= 1",
                (
                    Combine(
                        (
                            ("m/((2 + r)*M)", STEP_SIZE),
                            ("1/((2 + r)*M)", "d*m <= r*M"),
                            ("2/(2 + r)", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Have("4*x*K <= 1", (Combine((("1", "4*eta*m <= 1"), ("4", "x*K <= eta*m"))),)),
            Have("K <= 1/(4*x)", (Scale("4*x"), Combine((("1", "4*x*K <= 1"),)))),
            Combine((("1", "K <= 1/(4*x)"), ("1", MANY), (FACTOR, f"1 < {LOG}"))),
        ),
        mutants=(
            mutant(
                "thousandth",
                "a thousandth of it",
                f"K < 1/1000*{FACTOR}*{LOG}",
                "r=100 d=408 K=1 M=1 eta=1 x=25/102 m=25/102 delta=1/2 N=1",
            ),
        ),
    ),
    step(
        "composed-noise",
        "plain composition over T steps, with all noise on the K directions, costs a Renyi divergence of at most alpha "
        "2 T Delta^2/(n^2 sigma^2) for clipped quotients of any losses; sigma^2 = 8 T Delta^2 (log(2/delta) + eps)/"
        "(n^2 eps^2) is enough. Encoded: with rho = 2 T Delta^2/(n^2 sigma^2), rho + 2 sqrt(rho log(2/delta)) <= eps",
        f"{RHO} + 2*sqrt({RHO}*log_delta) <= eps",
        (STEPS, DELTA, RECORDS, EPS, LOG_DELTA),
        rests_on=(
            "zeroth/THM-3.1/s3~repaired",
            "renyi-composition",
            "zeroth/FACT-RDP2DP",
            "zeroth/FACT-RDP2DP/closed-at",
        ),
        argument=(
            Rewrite(left="eps**2/(4*(log_delta + eps)) + 2*sqrt(eps**2/(4*(log_delta + eps))*log_delta)"),
            Have(
                "2*sqrt(eps**2/(4*(log_delta + eps))*log_delta) <= eps*(1 - eps/(2*(log_delta + eps)))",
                (
                    Power("2"),
                    Rewrite(left="eps**2*(1 - eps/(log_delta + eps))"),
                    Combine((("eps**2/4", "0 <= (eps/(log_delta + eps))**2"),)),
                ),
            ),
            Combine(
                (
                    ("1", "2*sqrt(eps**2/(4*(log_delta + eps))*log_delta) <= eps*(1 - eps/(2*(log_delta + eps)))"),
                    ("1/(4*(log_delta + eps))", "0 <= eps**2"),
                )
            ),
        ),
        mutants=(
            mutant(
                "smaller", "3/4 eps", f"{RHO} + 2*sqrt({RHO}*log_delta) <= 3/4*eps", "T=1 Delta=1 n=1 eps=1 log_delta=1"
            ),
        ),
    ),
    step(
        "composed-last",
        "with the sigma^2 of composed-noise, Delta = L sqrt(8 log(X)/d) and eta = K/M the last term of (110) is 128 T "
        "K r L^2 log(X) (log(2/delta) + eps)/(d n^2 eps^2)",
        f"2*(K/M)*r*M*{SQUARE.replace('Delta**2', '(8*L**2*log_X/d)')} == {TERM}",
        (RANK, DIMENSION, RECORDS, STEPS, DIRECTIONS, EPS, LOG_DELTA, LIPSCHITZ, SMOOTH, LOG_X),
        rests_on=ids(HERE, "composed-noise s2~repaired"),
        candidates=(point("r=1 d=2 n=1 T=1 K=1 eps=1 log_delta=1 L=1 M=1 log_X=1"),),
    ),
    step(
        "composed",
        "with plain composition in the place of Corollary 3.3, where K <= d/(4 (2 + r)) is all that is asked of K, the "
        "first and the last term of (110) add up to 32 sqrt(2) L sqrt(r M gap log(X) (log(2/delta) + eps))/"
        "(n eps), of order sqrt(r log d), at the T K that is best for a fixed log(X), taken as a real number. Encoded: "
        "their sum there, with gap for P(Q) E[lbar(w_0) - lbar(w_T) | Q]; that it is best is not encoded",
        f"{FIRST} + {LAST} == 32*sqrt(2)*L*root/(n*eps)",
        (
            *(DIMENSION, RECORDS, EPS, LIPSCHITZ, SMOOTH, GAP_0),
            positive("root", "the square root of r M gap log(X) (log(2/delta) + eps)"),
        ),
        rests_on=ids(HERE, "composed-noise composed-last"),
        candidates=(point("d=2 n=1 eps=1 L=1 M=1 gap=1 root=1"),),
    ),
)
