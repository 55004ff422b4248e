"""Lemma 5.6: the binary tree mechanism, with noise calibrated to Gaussian DP and the error of all prefix sums.

The lemma holds with logarithms of base 2, for every T >= 2. The printed set of nodes is a misprint: `j = 1, 3, 5, ...,
T/2^k - 1` leaves out every node that ends in the last 2^k steps, so that Delta_T is in no node (s1); `j <= T/2^k` is
meant, and the example of the proof, s_{7,0}, has it. The base is 2: the example says ceil(log 7) = 3. The count of
nodes of a prefix is then at most ceil(log_2 T) although floor(log_2(T + 1)) is exact (s2). The proof adds up norms of
the nodes' noise; their sum is Gaussian itself, so that log^{3/2}(T) can be log(T) (`sharper`).
"""

from dpaudit.claims.writing import *

from .ours import OUR_STEPS
from .steps import PRINTED_STEPS
from .symbols import *

ERROR = f"nodes*{SIGMA}*sqrt(2*p*{LOG_TAIL})"
CLAIM = Claim(
    id=LEM,
    title="all prefix sums by the binary tree mechanism",
    words=(
        "If one Delta_i changes, by at most C, then for every T >= 2 there is a mu-GDP algorithm whose unbiased "
        "estimates of all prefix sums have errors of at most 4 C log^{3/2}(T) sqrt(p ln(2T/delta))/mu with "
        "probability at least 1 - delta. Encoded: the noise of a prefix, of as many nodes as the tree needs, each of "
        "the norm that s5 allows, at the noise of s4, with log of base 2; the privacy is s4, the probability s5 and "
        "s5-union."
    ),
    place="Lemma 5.6",
    printed=r"\frac{4C\log^{3/2}T\sqrt{p\ln(2T/\delta)}}{\mu}",
    kind=ClaimKind.TAIL,
    statement=Statement(
        f"{ERROR} <= 4*C*log2(T)**(3/2)*sqrt(p*{LOG_TAIL})/mu",
        (STEPS, PREFIX, NODES, DIMENSION, DELTA, SENSITIVITY, MU),
        IN_PREFIX,
    ),
    rests_on=ids(LEM, "s4 s5 s5-small s5-middle s5-line s5-union"),
    argument=(
        Have(f"nodes <= {LEVELS}", (ByTheorem(f"{LEM}/s2"),)),
        Have(f"1 + {LEVELS} <= 2*log2(T)", TWICE),
        Have(f"0 < {LOG_TAIL}", (Rewrite(right="log(2) + log(T) - log(delta)"), Positive())),
        Bound(
            left=f"{LEVELS}*C*sqrt(1 + {LEVELS})/mu*sqrt(2*p*{LOG_TAIL})",
            argument=(Combine(((f"C*sqrt(1 + {LEVELS})/mu*sqrt(2*p*{LOG_TAIL})", f"nodes <= {LEVELS}"),)),),
        ),
        Power("2"),
        Rewrite(
            left=f"2*p*{LOG_TAIL}*C**2/mu**2*({LEVELS}**2*(1 + {LEVELS}))",
            right=f"2*p*{LOG_TAIL}*C**2/mu**2*(8*log2(T)**3)",
        ),
        Scale(f"mu**2/(2*p*{LOG_TAIL}*C**2)"),
        Combine(
            (
                ("4*log2(T)**2", f"1 + {LEVELS} <= 2*log2(T)"),
                (f"(1 + {LEVELS})*(2*log2(T) + {LEVELS})", f"1 + {LEVELS} <= 2*log2(T)"),
                (f"(1 + {LEVELS})*(2*log2(T) + {LEVELS})", "0 <= 1"),
            )
        ),
    ),
    mutants=(
        Mutant(
            "constant",
            "2 in place of 4",
            f"{ERROR} <= 2*C*log2(T)**(3/2)*sqrt(p*{LOG_TAIL})/mu",
            candidates=(point("T=3 t=3 nodes=2 p=1 delta=1/10 C=1 mu=1"),),
        ),
        Mutant(
            "power",
            "log(T) in place of its 3/2 power",
            f"{ERROR} <= 4*C*log2(T)*sqrt(p*{LOG_TAIL})/mu",
            candidates=(point("T=1023 t=1023 nodes=10 p=1 delta=1/10 C=1 mu=1"),),
        ),
    ),
    steps=(*PRINTED_STEPS, *OUR_STEPS),
)
