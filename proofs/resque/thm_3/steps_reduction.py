"""The number of gradients is at most the bound of the theorem, for the parameters (30) to (34). Step s20, last part."""

from dpaudit.claims.writing import *

from .notation import *
from .ours_reduction import BIG, CORNERS, FIRST, LAST
from .steps_count import BRACKET
from .steps_privacy import with_beta
from .symbols import *

BOUND = "C**(1/3)*log(n/delta)**6*(min(n, n**2*eps_dp**2/d) + min((n*d)**(2/3)/eps_dp, n**(4/3)*eps_dp**(1/3)))"
"""The bound of the theorem, with C^(1/3)."""
PRINTED = (
    r"O\left(\log^{6}\left(\frac{n}{\delta}\right)\left(\min\left(n,\frac{n^{2}\epsilon_{\textup{dp}}^{2}}{d}\right)"
    r"+\min\left(\frac{(nd)^{\frac{2}{3}}}{\epsilon_{\textup{dp}}},n^{\frac{4}{3}}\epsilon_{\textup{dp}}^{\frac{1}{3}}"
    r"\right)\right)\right)\text{ gradients}"
)
AMOUNT = with_beta(f"K*{T_3_AT}*log(n)**2*log(n/delta)").replace("K", K_AT)
WHOLE, USED = f"108*C_ba*C_prime*({BOUND})", f"36*C_ba*C_prime*K*log(n)*{BRACKET}"
GIVEN = tuple(f"{one} <= {corner}" for one, corner in zip((FIRST, FIRST, LAST, LAST), CORNERS, strict=True))

SUMMED = "K*T_3*log(n)**2*log(n/delta)"
SHARE = "C**(1/3)*log_n_delta**6"


def smaller(*last):
    """The argument where the smaller of the first pair is known, by the smaller of the other."""
    return (
        Cases(
            (
                ("linear_part <= other_part", plain(("1", f"first_term <= {SHARE}*linear_part"), *last)),
                ("otherwise", plain(("1", f"first_term <= {SHARE}*other_part"), *last)),
            )
        ),
    )


LINEAR_LAST = smaller(("1", "last_term <= log_n_delta**6*n"), ("log_n_delta**6*n", "1 <= C**(1/3)"))
SQUARE_LAST = smaller(("1", "last_term <= log_n_delta**6*square_part"), ("log_n_delta**6*square_part", "1 <= C**(1/3)"))

REDUCTION_STEPS = (
    step(
        "s20-count",
        "K T_3 log^2 n log(n/delta), with K and T_3 by (30) and (34), is at most C^(1/3) times the bound of the "
        "theorem. With s20-whole, s18-steps~repaired and s18-steps-ball that is the number of gradients up to a "
        "constant (the step gradients)",
        f"{AMOUNT} <= {BOUND}",
        (KAPPA, *SETTING),
        given={
            f"{THM}/s20-short": GIVEN[0],
            f"{THM}/s20-short-other": GIVEN[1],
            f"{THM}/s20-long": GIVEN[2],
            f"{THM}/s20-long-other": GIVEN[3],
        },
        kind=ClaimKind.COST,
        reads=Reads.READING,
        place="Theorem 3, second display; the proof: `plugging in our parameter choices`",
        printed=PRINTED,
        argument=(
            *LOGS,
            Rewrite(left=named(f"{FIRST} + {LAST}")),
            Name("linear_part", "(n*d)**(2/3)/eps_dp"),
            Name("other_part", "n**(4/3)*eps_dp**(1/3)"),
            Have("0 < n**2*eps_dp**2/d"),
            Name("square_part", "n**2*eps_dp**2/d"),
            Name("first_term", named(FIRST)),
            Name("last_term", named(LAST)),
            Cases((("n <= square_part", LINEAR_LAST), ("otherwise", SQUARE_LAST))),
        ),
        candidates=(BIG,),
        mutants=(
            mutant(
                "variant",
                "C^(1/3)/10000 in place of C^(1/3)",
                f"{AMOUNT} <= {BOUND}/10000",
                "kappa=2 C=1 d=1 n=100 eps_dp=1/2 delta=1/7",
            ),
        ),
    ),
    step(
        "gradients",
        "the third sentence of the theorem, put together: outside of the event that the draws exceed their numbers, "
        "which has probability at most delta/n (s15-draws, on its condition), the number of gradients of all oracles "
        "(s20-whole, with T_1 and T_2 at most T_3) is at most 108 C_ba C' C^(1/3) times the bound of the theorem: "
        "both shares are at most 1",
        f"max(exceeding/delta, gradients/({WHOLE})) <= 1",
        (
            real("exceeding", "[0, 1]", "the probability that the draws exceed their numbers"),
            positive("gradients", "all gradients where they do not"),
            C_BA,
            C_PRIME,
            K,
            T_1,
            T_2,
            T_3,
            *SETTING,
        ),
        given={
            f"{THM}/s15-draws": "exceeding <= delta/n",
            f"{THM}/s20-whole": f"gradients <= {USED}",
            f"{THM}/s18-steps~repaired": "T_1 <= T_3",
            f"{THM}/s18-steps-ball": "T_2 <= T_3",
            f"{THM}/s20-count": f"{SUMMED} <= {BOUND}",
        },
        kind=ClaimKind.COST,
        reads=Reads.READING,
        place="Theorem 3, third sentence",
        printed=r"\text{with probability at least }1-\delta\text{, the algorithm queries at most }" + PRINTED,
        argument=(
            Have("exceeding/delta <= 1", plain(("1/delta", "exceeding <= delta/n"), ("1", "1/n <= 1"))),
            Have(f"0 < {BOUND}", plain(("1", f"{SUMMED} <= {BOUND}"), ("1", f"0 < {SUMMED}"))),
            Name("bound", BOUND),
            *LOGS,
            Have(
                "gradients <= 108*C_ba*C_prime*bound",
                plain(
                    ("1", named(f"gradients <= {USED}")),
                    ("36*C_ba*C_prime*K*log_n**2", "T_1 <= T_3"),
                    ("36*C_ba*C_prime*K*log_n", "T_2 <= T_3"),
                    ("36*C_ba*C_prime*K*T_3*log_n**2", "1 <= log_n_delta"),
                    ("36*C_ba*C_prime*K*T_3*log_n", "1 <= log_n*log_n_delta"),
                    ("108*C_ba*C_prime", "K*T_3*log_n**2*log_n_delta <= bound"),
                ),
            ),
            Have(
                "gradients/(108*C_ba*C_prime*bound) <= 1",
                (Scale("108*C_ba*C_prime*bound"), *plain(("1", "gradients <= 108*C_ba*C_prime*bound"))),
            ),
            Name("exceeding_share", "exceeding/delta"),
            Name("gradient_share", "gradients/(108*C_ba*C_prime*bound)"),
            Solve(),
        ),
        candidates=(
            point("exceeding=0 gradients=1 C_ba=1 C_prime=1 K=1 T_1=1 T_2=1 T_3=1 C=1 d=1 n=100 eps_dp=1/2 delta=1/7"),
        ),
        mutants=(
            mutant(
                "variant",
                "delta/200 in place of delta",
                f"max(exceeding/(delta/200), gradients/({WHOLE})) <= 1",
                "exceeding=1/710 gradients=1 C_ba=1 C_prime=1 K=1 T_1=1 T_2=1 T_3=1 C=1 d=1 n=100 eps_dp=1/2 delta=1/7",
            ),
        ),
    ),
)
