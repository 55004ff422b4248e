"""The number of draws J = j where n is large, and the privacy of the proximal oracle as a whole. Steps s15 and s16."""

from dpaudit.claims.writing import *

from .notation import *
from .ours_search import WEIGHTS
from .steps_draws import DRAWS, NUMBER, ONE_LEVEL, SHAPE, TOTAL
from .steps_parameters import LEVELS_SIZE
from .steps_privacy import with_beta
from .symbols import *

PLACE = f"{PROOF}, privacy"
LARGE = "4*2**j_max <= C_prime*K*log(kappa)"
PRINTED_NUMBER = f"({NUMBER})"
CHERNOFF = f"(8*(2**(-j)*{DRAWS}) + 2*log(n/delta))"
"""Of s15-threshold~repaired, at the mean number of draws J = j."""
OUTSIDE = f"8*(2**(-j_max)*{DRAWS}) + 2*log(n/delta)"
MISSED = "(j_max + 1)*(delta/n)**2/(delta/n)"
LINE = (LEVEL, C_BA, C_PRIME, K, KAPPA, RECORDS, DELTA)
OF_LEVELS = (
    ("12*{0}*C_ba*K*log(kappa)", "log(n) <= log(n/delta)"),
    ("{0}*C_ba*K*log(kappa)*log(n)", "8/log(2) <= 12"),
    ("8*{0}*C_ba*K*log(kappa)", LEVELS_SIZE),
)
"""8 C_ba K log kappa j_max is at most 12 C_ba K log kappa log(n/delta), each times the factor that is filled in."""


def of_levels(factor):
    """These for a factor."""
    return tuple((text.format(factor), fact) for text, fact in OF_LEVELS)


PARTS = (
    with_beta(f"sum(j, 0, j_max, {ONE_LEVEL}*{NUMBER}) <= (j_max + 1)*{TOTAL}*{SHAPE}"),
    with_beta(f"(j_max + 1)*{TOTAL}*{SHAPE} <= eps_dp/6"),
    "delta/36 + delta/n <= delta/18",
)

NUMBER_STEPS = (
    step(
        "s15-draws",
        "in part, where C' K log kappa >= 4 2^(j_max), as it is from some n on where 1/sqrt(n) is the larger term of "
        "(30) (else see s15-threshold), and for C' >= 24 C_ba: the number of Chernoff's bound, which the draws J = j "
        "exceed with probability at most (delta/n)^2, is at most the printed one for each j in [j_max], and j_max + 1 "
        "such probabilities add up to at most delta/n: both shares are at most 1",
        f"max({CHERNOFF}/{PRINTED_NUMBER}, {MISSED}) <= 1",
        (integer("j", "[1, oo)", "a level"), *LINE),
        ("j <= j_max",),
        given={f"{THM}/s15-threshold~repaired": "", f"{THM}/s19-levels": LEVELS_SIZE},
        enough=("24*C_ba <= C_prime",),
        ours=(LARGE,),
        kind=ClaimKind.TAIL,
        place=f"{PLACE}, seventh display, with the sentence before it",
        printed=r"\text{By Chernoff and a union bound, with probability }\geq 1-\frac{\delta}{n}\text{, there is a "
        r"constant }C^{\prime}\text{ such that for all }j\in[j_{\max}]\text{, the number of times we draw }J=j"
        r"\text{ is bounded by }2^{-j}C^{\prime}K\log\kappa\log\frac{n}{\delta}",
        argument=(
            Have("log(n) <= n - 1"),
            *LOGS,
            Have("0 < log(kappa)"),
            Have("2**j <= 2**j_max", (Logarithm(), *plain(("log(2)", "j <= j_max")))),
            Have(
                named(f"{CHERNOFF}/{PRINTED_NUMBER} <= 1").replace("log_kappa", "log(kappa)"),
                (
                    Scale("2**(-j)*C_prime*K*log(kappa)*log_n_delta"),
                    *plain(
                        *((named(a).replace("log_kappa", "log(kappa)"), named(b)) for a, b in of_levels("2**(-j)")),
                        ("2**(-j)*K*log(kappa)*log_n_delta/2", "24*C_ba <= C_prime"),
                        ("2**(-j)*log_n_delta/2", LARGE),
                        ("2*2**(-j)*log_n_delta", "2**j <= 2**j_max"),
                    ),
                ),
            ),
            Have(
                f"{MISSED} <= 1",
                (
                    Scale("n"),
                    *plain(
                        ("j_max + 1", "delta <= 1/6"),
                        ("1/6", named(LEVELS_SIZE)),
                        ("log_n/6", "1/log(2) <= 3/2"),
                        ("1/4", "log_n <= n - 1"),
                        ("3/4*n + 1/12", "0 <= 1"),
                    ),
                ),
            ),
            Name("number_share", named(f"{CHERNOFF}/{PRINTED_NUMBER}").replace("log_kappa", "log(kappa)")),
            Name("missed_share", MISSED),
            Solve(),
        ),
        candidates=(point("j=1 j_max=1 C_ba=1 C_prime=24 K=4 kappa=3 n=4 delta=1/7"),),
        mutants=(
            mutant(
                "variant",
                "a tenth of the right side",
                f"max({CHERNOFF}/{PRINTED_NUMBER}, {MISSED}) <= 1/10",
                "j=1 j_max=1 C_ba=1 C_prime=24 K=4 kappa=3 n=4 delta=1/7",
            ),
        ),
    ),
    step(
        "s15-outside",
        "and for the draws J > j_max, whose mean number is 2^(-j_max) times that of all draws, for log kappa >= 1 and "
        "C' >= 24 C_ba",
        f"{OUTSIDE} <= C_prime*K*log(kappa)*log(n/delta)",
        LINE,
        given={f"{THM}/s15-threshold~repaired": "", f"{THM}/s19-levels": LEVELS_SIZE},
        enough=("24*C_ba <= C_prime",),
        ours=(E_AT_LEAST,),
        kind=ClaimKind.TAIL,
        place=f"{PLACE}, after the seventh display",
        printed=r"\text{Similarly, the number of times we draw }J\not\in[j_{\max}]\text{ is bounded by }"
        r"C^{\prime}K\log\kappa\log\frac{n}{\delta}",
        argument=(
            *LOGS,
            *OF_KAPPA,
            *added(
                *of_levels("2**(-j_max)"),
                ("12*C_ba*K*log(kappa)*log(n/delta)", "2**(-j_max) <= 1"),
                ("K*log(kappa)*log(n/delta)", "24*C_ba <= C_prime"),
                ("2*log(n/delta)", E_AT_LEAST),
                ("2*log(n/delta)*log(kappa)", "1 <= K"),
                ("12*K*log(kappa)*log(n/delta)", "1 <= C_ba"),
                ("10*K*log(kappa)*log(n/delta)", "0 <= 1"),
            ),
        ),
        candidates=(point("j_max=1 C_ba=1 C_prime=24 K=1 kappa=3 n=4 delta=1/7"),),
        mutants=(
            mutant(
                "variant",
                "0.1 of the right side",
                f"{OUTSIDE} <= 0.1*C_prime*K*log(kappa)*log(n/delta)",
                "j_max=1 C_ba=1 C_prime=24 K=1 kappa=3 n=4 delta=1/7",
            ),
        ),
    ),
    step(
        "s16-total",
        "in part: given of Lemma 10 the loss of one loop and of Lemma 3 its composition, for log kappa >= 1, n >="
        " 36, with log(n/delta) for its logarithm, and on the condition of s15-draws, all calls to O_sp have "
        "eps/6 and delta/18: the losses of s16 and s16-second, and delta/36 for the calls with delta/n for the "
        "event of the draws (s17-event), for the number of draws of s15-draws and s15-outside; each times any "
        "weight a or b. With the beta of (30); that delta/18 is delta/36 and delta/n is ours",
        with_beta(f"a*sum(j, 0, j_max, {ONE_LEVEL}*{NUMBER}) + b*(delta/36 + delta/n) <= a*eps_dp/6 + b*delta/18"),
        (*(real(s.name, "[0, oo)", s.meaning) for s in WEIGHTS), LEVEL, C_PRIV, C_PRIME, KAPPA, K, *SETTING),
        given={
            f"{THM}/s16": PARTS[0],
            f"{THM}/s16-second": PARTS[1],
            f"{THM}/s17-event": PARTS[2],
            f"{THM}/s15-draws": "",
            f"{THM}/s15-outside": "",
            "resque/LEM-10": "",
        },
        rests_on=("resque/LEM-3",),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, after the seventh display",
        printed=r"\left(\alpha,\frac{\epsilon_{\textup{dp}}}{6},\frac{\delta}{18}\right)\text{-RDP}",
        argument=plain(("a", PARTS[0]), ("a", PARTS[1]), ("b", PARTS[2])),
        candidates=(
            point(f"a=0 b=1 j_max=1 C_priv=1 C_prime=1 kappa=3 K=60 C=2000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),
        ),
        mutants=(
            mutant(
                "variant",
                "delta/40 in place of delta/18",
                with_beta(
                    f"a*sum(j, 0, j_max, {ONE_LEVEL}*{NUMBER}) + b*(delta/36 + delta/n) <= a*eps_dp/6 + b*delta/40"
                ),
                f"a=0 b=1 j_max=1 C_priv=1 C_prime=1 kappa=3 K=60 C=2000 d=1 n={10**9} eps_dp=1/2 delta=1/10",
            ),
        ),
    ),
)
