"""Lemma 3.9 (Mironov 2017): from Renyi DP to (eps, delta)-DP, for one event; and how much it gives away for Gaussians.

The lemma stands in the main paper; its statement is read off from the proof of Theorem 5.1. With P = P(M(S) in O) and
Q = P(M(S') in O) the divergence bounds P^alpha Q^(1 - alpha) by e^((alpha - 1) rho) (step `event`). If P <= delta
there is nothing to show; else P^(alpha - 1) >= delta^(alpha - 1). Events of probability 0 are left out: P = 0 is
trivial, and Q = 0 < P has infinite divergence.
"""

from dpaudit.claims.writing import *

ALPHA, RHO = real("alpha", "(1, oo)", "order"), real("rho", "[0, oo)", "bound on the divergence")
ABOVE_ONE = "1 < alpha"
DELTA = real("delta", "(0, 1)")
P, Q = real("P", "(0, 1]", "probability of the event on S"), real("Q", "(0, 1]", "probability on S'")
ON_EVENT = "(alpha*log(P) - (alpha - 1)*log(Q))/(alpha - 1) <= rho"
FACTOR = "exp(rho + log(1/delta)/(alpha - 1))"
MU = positive("mu", "shift of the Gaussian pair, in standard deviations")

CLAIM = Claim(
    id="srm/LEM-3.9",
    title="from Renyi DP to (eps, delta)-DP",
    words=(
        "Statement rebuilt from its use. "
        "If M is (alpha, rho)-RDP it is (rho + log(1/delta)/(alpha - 1), delta)-DP for every delta in (0, 1). "
        "Encoded: for one event, of probability P on S and Q on S', both positive: P = 0 is trivial, and Q = 0 < P has "
        "infinite divergence."
    ),
    place="Lemma 3.9 (main paper), as used in Section 2.1",
    kind=ClaimKind.PRIVACY,
    statement=Statement(f"P <= {FACTOR}*Q + delta", (ALPHA, RHO, DELTA, P, Q), (ON_EVENT, ABOVE_ONE)),
    reads=Reads.READING,
    origins=(Condition(ON_EVENT, Origin.GIVEN, "srm/LEM-3.9/event"),),
    argument=(ByTheorem("resque/PROP-5", at=(("eps", "rho"),)),),
    candidates=(point("alpha=2 rho=161/100 delta=9/20 P=1/2 Q=1/20"),),
    mutants=(
        mutant(
            "exponent",
            "log(1/delta)/alpha",
            "P <= exp(rho + log(1/delta)/alpha)*Q + delta",
            "alpha=3/2 rho=66/100 delta=1/1000 P=577/10000 Q=1/10000",
        ),
        Mutant("no-delta", "delta not added", f"P <= {FACTOR}*Q"),
    ),
    steps=(
        step(
            "event",
            "the event O tells the laws apart no better than the outputs in it do: P^alpha Q^(1 - alpha) is at most "
            "the integral I of p^alpha q^(1 - alpha) over O. The tangent plane at the ratio P/Q, below the integrand "
            "at every output, is integrated over O (the mean keeps the inequality)",
            "P**alpha*Q**(1 - alpha) <= I",
            (ALPHA, P, Q, real("I", "[0, oo)", "integral over the event")),
            given={"resque/QCX/plane": "alpha*(P/Q)**(alpha - 1)*P - (alpha - 1)*(P/Q)**alpha*Q <= I"},
            rests_on=("monotone-mean",),
            argument=(Combine(terms=(("1", "alpha*(P/Q)**(alpha - 1)*P - (alpha - 1)*(P/Q)**alpha*Q <= I"),)),),
            candidates=(point("alpha=2 P=1/2 Q=1/4 I=1"),),
            mutants=(mutant("exponent", "Q^(-alpha)", "P**alpha*Q**(-alpha) <= I", "alpha=2 P=1/2 Q=1/4 I=1"),),
        ),
        step(
            "gaussian-shift",
            "Gaussian pairs: the epsilon of the lemma lies at least sqrt(2 log(1/delta)) standard deviations above "
            "the mean of the privacy loss: (eps/mu - mu/2)^2 >= 2 log(1/delta)",
            "2*l <= ((alpha*mu**2/2 + l/(alpha - 1))/mu - mu/2)**2",
            (ALPHA, MU, positive("l", "log(1/delta)")),
            argument=(Combine(terms=(("1", "0 <= ((alpha - 1)*mu/2 - l/((alpha - 1)*mu))**2"),)),),
            mutants=(
                mutant(
                    "factor",
                    "3 log(1/delta)",
                    "3*l <= ((alpha*mu**2/2 + l/(alpha - 1))/mu - mu/2)**2",
                    "alpha=2 mu=1 l=1/2",
                ),
            ),
        ),
        step(
            "gaussian",
            "so for Gaussian pairs the exact delta at that epsilon is at most delta/2: the lemma gives away at "
            "least a factor of 2 there (x is eps/mu - mu/2, positive, and delta = e^(-l))",
            "Phi(-x) - exp(eps)*Phi(-x - mu) <= exp(-l)/2",
            (MU, positive("x", "eps/mu - mu/2"), positive("eps"), positive("l", "log(1/delta)")),
            given={"srm/LEM-3.9/gaussian-shift": "2*l <= x**2"},
            kind=ClaimKind.PRIVACY,
            argument=(
                Bound(left="Phi(-x)", argument=(Combine(terms=(("exp(eps)", "0 <= Phi(-x - mu)"),)),)),
                Bound(left="exp(-x**2/2)/2", by="normal-tail"),
                Scale("2"),
                Logarithm(),
                Combine(terms=(("1/2", "2*l <= x**2"),)),
            ),
            mutants=(
                mutant(
                    "factor",
                    "a thousandth of delta",
                    "Phi(-x) - exp(eps)*Phi(-x - mu) <= exp(-l)/1000",
                    "mu=5 x=1 eps=1/100 l=1/2",
                ),
            ),
        ),
    ),
)
