"""Lemma 5.9: the sensitivity without the assumption that the minimiser lies in the set.

The first bound, 2 (M b_max + 2 M R + L), holds for every data set, every order of its records and every noise of norm
at most b_max. R is the diameter of C: the proof uses |z - x| <= R for points of C. The second bound, 2 M b_max + (2
c_M + 1) L, has lost a factor of 2: 4 M R + 2 L is at most (4 c_M + 2) L. It is false
itself, not by its derivation alone: a run of four steps has a difference above it (s8-run). Corollary 5.10 uses
(4 c_M + 2) L.

Two more misprints: (26) has the gradient at x_t in the last term, which belongs to x_(t-1) (Section 4.2 has it right),
and the noise of y_t is b_(t-1)/eta_(t-1) with the other sign. Neither matters.
"""

from dpaudit.claims.writing import *

from .steps import PRINTED_STEPS
from .symbols import *

CLAIM = Claim(
    id=LEM,
    title="bounded differences for beta >= 2 M T",
    words=(
        "If |b_t| <= b_max for all t, eta_t = t + 1 and beta >= 2 M T then |Delta_t(d)| <= 2 (M b_max + 2 M R + L) for "
        "every d and t < T. Encoded: most[t] is the largest |Delta_i(d)| over i <= t and d, and (28) is what the proof "
        "has for it. (The second bound of the display is s8.)"
    ),
    place="Lemma 5.9",
    printed=r"\|\eta_t\nabla f(\mathbf x_t,d)-\eta_{t-1}\nabla f(\mathbf x_{t-1},d)\|_2\le 2(Mb_{\max}+2MR+L)",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement(
        f"most[T] <= 2*{ADDED}",
        (integer("T", "[0, oo)", "the last step"), MOST, *CONSTANTS),
        ("most[0] <= L", f"all(t, 0, T - 1, most[t + 1] <= max(most[t], most[t]/2 + {ADDED}))"),
    ),
    origins=(
        Condition("most[0] <= L", Origin.GIVEN, f"{LEM}/s1"),
        Condition(f"all(t, 0, T - 1, most[t + 1] <= max(most[t], most[t]/2 + {ADDED}))", Origin.GIVEN, f"{LEM}/s7"),
    ),
    argument=(
        Induct(
            "T",
            base=(Combine((("1", "most[0] <= L"), ("2*M*b + 4*M*R + L", "0 <= 1"))),),
            step=(
                Bound(left=f"max(most[T], most[T]/2 + {ADDED})"),
                Cases(
                    (
                        (f"most[T] <= most[T]/2 + {ADDED}", ()),
                        ("otherwise", ()),
                    )
                ),
            ),
        ),
    ),
    candidates=(point("T=1 most=[1,1] M=1 b=0 R=1 L=1"),),
    mutants=(
        Mutant(
            "factor",
            "1 in place of 2",
            f"most[T] <= {ADDED}",
            candidates=(point("T=3 most=[1,3/2,7/4,15/8] M=1/100 b=0 R=1/100 L=1"),),
        ),
    ),
    steps=PRINTED_STEPS,
)
