"""Lemma 7: Renyi privacy of the ball solver with subsampled indices. True; one printed step is false, one has a gap.

The display s <= 1 - (1 - 1.1 T/n)/(1 - delta/2) goes the wrong way: dividing by Pr[E] <= 1 makes s smaller, and the
right side is negative for delta well above T/n. The conclusion s <= 1.2 T/n holds, even s <= T/n (Bernoulli). And
Proposition 7 needs one triple of laws P, Q, R with all six divergences at most alpha tau for every alpha; (26) alone
gives each pair surrogates of its own. Coupling the three runs on the same queries and paying for all three
pairs at once is cheap (step `triple`): the surrogates are the laws given one good event, the same for every alpha.

Lemma 5 speaks of two data sets and one index multiset; for the pairs (P, R) and (Q, R) the multisets differ at the
hits. `LEM-5~drift` covers that: at a hit the two functions are any two L-Lipschitz convex functions.

Proposition 7 is quoted for alpha < 3/tau. Lemma 7 only uses alpha tau <= 0.06, where it is proved (`PROP-7~small`).

C_priv = 220000 collects the printed constants with s <= 1.2 T/n (112320 log^2(2/delta) in place of
C log^2(1/delta)); 192400 is enough: 150200 for the level, the rest for alpha tau <= 0.06 (step s5-order).
`LEM-7~sharp` has 4.7 log^2(2/delta), from 2.2 in place of 1500 and b = max(1, 0.35 log(2/delta)) in place of
2 log(2/delta). T = 1 releases xbar; T = 2, 3 are LEM-5/short.
"""

from dpaudit.claims.writing import *

from .main import EVENT_STEPS, PARTS
from .order import AMPLIFIED_STEPS, IN_LOG
from .sharp import SHARP
from .symbols import *

PRIVACY = f"13*{SHARE}**2*alpha*(6000*beta**2*log(2/delta)**2) <= alpha*{{c}}*(beta*log(1/delta)*T/n)**2"
WORST = point("alpha=2 beta=1/1000 delta=1666/10000 T=1024 M=1023 n=10000000 likely=1")  # fmt: skip


def privacy(constant):
    """The level of Proposition 7 with s <= T/n, and log(2/delta) against log(1/delta) >= log 6."""
    return (
        Have(f"{SHARE} <= T/n", (ByTheorem(f"{HERE}/s4~repaired"),)),
        Bound(
            left="13*(T/n)**2*alpha*(6000*beta**2*log(2/delta)**2)",
            argument=(
                Have(f"0 <= {SHARE}", (Combine((("1/likely", "(1 - 1/n)**M <= likely"),)),)),
                Name("s", SHARE),
                Combine((("13*alpha*(6000*beta**2*log(2/delta)**2)*(s + T/n)", "s <= T/n"),)),
            ),
            because="0 <= s <= T/n",
        ),
        Scale("(n/T)**2/(alpha*beta**2)"),
        Rewrite(left="78000*log(2/delta)**2", right=f"({constant})*log(1/delta)**2"),
        IN_LOG,
        Scale("1/g**2"),
        Rewrite(left="78000*(1 + log(2)/g)**2", right=constant),
        Boxes(),
    )


MAIN = Claim(
    id=HERE,
    title="Renyi privacy of the ball solver with subsampled indices",
    words=(
        "There is C_priv >= 1: if T/n <= 1/C, beta^2 log^2(1/delta) <= 1/C, delta in (0, 1/6) and rho/r >= C "
        "log^2(log T/delta), Algorithm 3 is (alpha, alpha C (beta log(1/delta) T/n)^2, delta)-RDP for alpha in "
        "(1, 1/(C beta^2 log^2(1/delta))). Checked with C = 220000: the level 13 s^2 alpha tau of Proposition 7 (here "
        "PROP-7~small) is at most the printed one; its hypotheses are s5-share and s5-order, its laws triple, the "
        "probabilities s1 and s6. The laws themselves are no part of the formula."
    ),
    place="Lemma 7",
    kind=ClaimKind.PRIVACY,
    statement=Statement(PRIVACY.format(c="220000"), (ALPHA, BETA, DELTA, T, M, N, LIKELY), ("M <= T", *PARTS)),
    origins=(Condition(PARTS[0], Origin.GIVEN, "resque/LEM-7/s1"),),
    rests_on=(
        "resque/PROP-7~small",
        *GROUNDS,
        *ids(HERE, "s1 s2 s2-ratio s3 s4~repaired s5 s5-share s5-order s6 triple"),
    ),
    argument=privacy("220000"),
    candidates=(WORST,),
    mutants=(
        Mutant(
            "linear",
            "T/n without the square",
            f"13*{SHARE}**2*alpha*(6000*beta**2*log(2/delta)**2) <= alpha*0.0001*(beta*log(1/delta))**2*T/n",
            candidates=(WORST,),
        ),
    ),
    tightness=(
        Tightness(
            "C_priv",
            printed="not given",
            form=PRIVACY,
            proved="192400",
            refuted="149000",
            argument=privacy("192400"),
            candidates=(WORST,),
        ),
    ),
    steps=(*EVENT_STEPS, *AMPLIFIED_STEPS),
)

CLAIMS = (MAIN, SHARP)
