"""The statement that holds."""

from dpaudit.claims.writing import *

from .symbols import *

TRUE_RATE = "(sqrt(d)/(beta*sqrt(T*n)) + 1/sqrt(n))"


def over_true(stream, trials):
    """The bias over sqrt(d)/(beta sqrt(T n)) + 1/sqrt(n) = 1 + 1/2^(J/2), T = 1, by 2^(J/2)."""
    return LEVELS, biases(stream, trials) / (1 + 1 / LEVELS)


LAST_CORNER = (point("b=1 v=1 C=1 c=1 L=1 lam=1 beta=1000000 d=1 n=4 T=1 J=1"),)
REPAIRED = Claim(
    id="resque/PROP-9~repaired",
    title="bias of the multilevel stochastic proximal estimator, at its true rate",
    words=(
        "|E xhat - x*| <= 2 sqrt(C_sc C_priv) (L/lambda)(sqrt(d)/(beta sqrt(T n)) + 1/sqrt(n)), given the mean square "
        "distance 2 C_sc (L/lambda)^2 (...) of Proposition 8 at the last level and T 2^(j_max) >= n/(2 C_priv)."
    ),
    place="Proposition 9, first display, repaired",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"b <= 2*sqrt(C*c)*L/lam*{TRUE_RATE}",
        (BIAS, real("v", "[0, oo)", "E|x_J - x*|^2"), CSC, PRIV, LIP, LAM, BETA, D, N, T, LEVEL),
        ("b**2 <= v", f"v <= 2*C*(L/lam)**2*{ERROR}", "n/(2*c) <= T*2**J"),
    ),
    origins=(
        Condition(f"v <= 2*C*(L/lam)**2*{ERROR}", Origin.GIVEN, "resque/PROP-8/s7"),
        Condition("n/(2*c) <= T*2**J", Origin.GIVEN, "resque/PROP-9/s2-floor~repaired"),
    ),
    rests_on=("jensen",),
    empirical=(Slope("over_true", claimed=0.0, slack=0.25, near_miss=-0.25, trials=60),),
    argument=(
        Substitute(
            (
                positive("a", "sqrt(d)/beta"),
                positive("t", "sqrt(T)"),
                positive("s", "sqrt(n)"),
                positive("y", "2^(J/2)"),
                positive("g", "sqrt(C c) L/lam"),
                real("sc", "[1, oo)", "sqrt(c)"),
            ),
            where("d=(a*beta)**2 T=t**2 n=s**2 J=2*log(y)/log(2) C=(g*lam/(sc*L))**2 c=sc**2"),
            where("a=sqrt(d)/beta t=sqrt(T) s=sqrt(n) y=2**(J/2) g=sqrt(C*c)*L/lam sc=sqrt(c)"),
        ),
        Solve(),
    ),
    mutants=(
        Mutant(
            "printed",
            "the printed rate",
            f"b <= 2*sqrt(C*c)*L/lam*{PRINTED}",
            candidates=((("b", "1/2"), ("v", "1"), ("C", "1"), ("L", "1"), ("lam", "1"), *FAR),),
        ),
        Mutant("constant", "1.9 in place of 2", f"b <= 1.9*sqrt(C*c)*L/lam*{TRUE_RATE}", candidates=LAST_CORNER),
    ),
    tightness=(
        Tightness("constant", "2", f"b <= {{c}}*sqrt(C*c)*L/lam*{TRUE_RATE}", "2", "1.9", candidates=LAST_CORNER),
    ),
)
