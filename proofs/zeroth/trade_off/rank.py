"""How large the effective rank is where Corollary 3.3 applies."""

from dpaudit.claims.writing import *

from .lower_limit import FACTOR, LOG, LONG_LOG, MANY_DIRECTIONS
from .symbols import *

TIMES = integer("N", "[1, oo)", "steps that count")
SYMBOLS = (RANK, DIMENSION, DIRECTIONS, CONTRAST, FAILURE, TIMES)
HALF = "2*K <= d"
ENOUGH = f"{FACTOR}*{LOG} <= K"
LARGE = "64/(15*x**2) <= " + FACTOR
PLENTY = "r=100001 d=1000000 K=20000 x=1/10 delta=1/1000000 N=10000"
SQUARED = f"128/15*d*{LOG} <= r**2"
MEET = (
    *LONG_LOG,
    *MANY_DIRECTIONS[:2],
    Have(
        LARGE,
        (
            Rewrite(right="20*(2 - 2*x + x**2)**2/(3*x**2*(2 - x)**2)"),
            Combine((("20/(3*x**2*(2 - x)**2)", "16/25*(2 - x)**2 <= (2 - 2*x + x**2)**2"),)),
        ),
    ),
    Have(f"64/15*{LOG} <= x**2*K", (Combine(((f"x**2*{LOG}", LARGE), ("x**2", ENOUGH))),)),
    Have("x**2*d**2 <= r**2", (Combine((("d*x + r", "d*x <= r"),)),)),
)
RANK_BOUND = Combine(
    (
        ("2*d", f"64/15*{LOG} <= x**2*K"),
        ("x**2*d", HALF),
        ("1", "x**2*d**2 <= r**2"),
    )
)

RANKS = (
    Step(
        "conditions",
        "with 4 (K + 1 + r) <= d for the condition of (100), as orthonormal directions allow (PROP-A.10/frame), this "
        "and the limits of Corollary 3.3 on K can be met: by Hess = H = diag(M, m, ..., m), of effective rank 1 + (d - "
        "1) m/M; x is m/M",
        Statement(ENOUGH, SYMBOLS, ("4*(K + 1 + r) <= d", HALF, "1 + (d - 1)*x <= r"), exists=True),
        kind=ClaimKind.NON_VACUITY,
        rests_on=("zeroth/PROP-A.10/frame",),
        argument=(Exhibit(point(PLENTY)),),
        mutants=(Mutant("twice", "2 K (at this point)", f"{FACTOR}*{LOG} <= 1/2*K"),),
    ),
    step(
        "rank",
        "where K is within the limits of Corollary 3.3, d/2 the upper one, and d m/M <= r, r^2 is at least (128/15) d "
        "log(4 N/delta), whatever the utility bound asks of K",
        SQUARED,
        SYMBOLS,
        (HALF, ENOUGH, "d*x <= r"),
        argument=(*MEET, RANK_BOUND),
        candidates=(point(PLENTY),),
        mutants=(
            mutant(
                "hundred",
                "a hundred times it",
                SQUARED.replace("128/15", "12800/15"),
                "r=9000 d=90000 K=40000 x=1/10 delta=1/2 N=1",
            ),
        ),
    ),
    Step(
        "s5-met",
        "the condition r = o(sqrt(log d)) can be met where Corollary 3.3 applies. Encoded: r <= sqrt(log d)",
        Statement("r**2 <= log(d)", SYMBOLS, (HALF, ENOUGH, "d*x <= r"), exists=True),
        kind=ClaimKind.NON_VACUITY,
        expects=Outcome.REFUTED,
        reads=Reads.GAP,
        place="after (117)",
        argument=(
            Nowhere(
                (
                    *MEET,
                    Have(SQUARED, (RANK_BOUND,)),
                    Combine(
                        (
                            ("1", SQUARED),
                            ("128/15*d", f"1 < {LOG}"),
                            ("1", "log(d) <= d - 1"),
                            ("113/15*d", "0 <= 1"),
                        )
                    ),
                )
            ),
        ),
        finding=(
            "r is at least sqrt(8.5 d log(4/delta)) there (rank), and r sqrt(log d) is never less than sqrt(r) log(d): "
            "the rate of (117) does not beat the quoted one of DPZero for any losses to which the privacy bound "
            "applies."
        ),
        repair=f"{HERE}/rank",
    ),
)
