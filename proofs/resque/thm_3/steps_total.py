"""All oracles together, Corollary 1, and the privacy that the theorem states. Step s17."""

from dpaudit.claims.writing import *

from .notation import *
from .ours_search import WEIGHTS
from .symbols import *

PLACE = f"{PROOF}, privacy, last sentence"
PRINTED = r"\left(\alpha,\frac{\epsilon_{\textup{dp}}}{2},\frac{\delta}{6}\right)\text{-RDP}"
CONVERSION = f"log(4/delta)/({ORDER} - 1)"
"""What Corollary 1 adds to the loss at delta' = delta/4 and the alpha of (30)."""
OF_ORDER = (
    Have("eps_dp/2 <= log(1/delta)", plain(("1/2", "eps_dp <= 1"), *AT_A_SIXTH, ("1", "1/2 <= log(6)"))),
    Have(
        "0 < 4*log(2/delta) - eps_dp",
        plain(
            ("1", "eps_dp/2 <= log(1/delta)"),
            ("1/2", "eps_dp <= 1"),
            ("3", "0 <= log(1/delta)"),
            ("1", "1/2 < 4*log(2)"),
        ),
    ),
    Have("log(4/delta) <= 2*log(2/delta) - eps_dp/2", plain(("1", "eps_dp/2 <= log(1/delta)"))),
    Name("log_4_delta", "log(4/delta)"),
    Name("log_2_delta", "log(2/delta)"),
    Scale("(4*log_2_delta - eps_dp)/eps_dp"),
    *plain(("1", "log_4_delta <= 2*log_2_delta - eps_dp/2")),
)
"""The argument for eps/2 and this to be at most eps."""
GROWN = f"exp(loss + {CONVERSION})"
EVENT = real("P", "[0, 1]", "probability of an event on a data set"), real("Q", "[0, 1]", "on a neighbour")
SPENT = tuple(
    real(name, "[0, oo)", meaning)
    for name, meaning in (
        ("loss", "second parameter of the whole algorithm at the alpha of (30)"),
        ("loss_calls", "of all O_ls and O_bo"),
        ("loss_draws", "of all O_sp"),
        ("failure", "third parameter of the whole algorithm"),
        ("failure_calls", "of all O_ls and O_bo"),
        ("failure_draws", "of all O_sp"),
    )
)
CONVERTED = f"P <= {GROWN}*Q + delta/4 + (1 + {GROWN})*failure"

TOTAL_STEPS = (
    step(
        "s17-total",
        "eps/3 + eps/6 = eps/2 and delta/9 + delta/18 = delta/6: both parameters, as the coefficients of any real a "
        "and b",
        "a*(eps_dp/3 + eps_dp/6) + b*(delta/9 + delta/18) == a*eps_dp/2 + b*delta/6",
        (EPS, DELTA, *WEIGHTS),
        given={f"{THM}/s14-sum": "", f"{THM}/s16-total": ""},
        rests_on=("resque/LEM-3",),
        expects=Outcome.CONSISTENT,
        place=PLACE,
        printed=PRINTED,
    ),
    step(
        "s17",
        "Corollary 1 at delta' = delta/4, even with the event counted apart, n >= 100 (the choice delta/2, which alpha "
        "= 4 log(2/delta)/eps suggests, fails for eps > log 2)",
        "(1 + exp(eps_dp))*(delta/6 + delta/n) + delta/4 <= delta",
        (EPS, DELTA, RECORDS),
        given={f"{THM}/s17-total": ""},
        enough=("100 <= n",),
        expects=Outcome.CONSISTENT,
        rests_on=("resque/COR-1",),
        kind=ClaimKind.PRIVACY,
        reads=Reads.READING,
        place=f"{PLACE}: `applying Corollary 1`, without the delta'",
        printed=r"\text{applying Corollary 1}",
        argument=(Scale("1/delta"), Rewrite(left="(1 + exp(eps_dp))*(1/6 + 1/n) + 1/4", right="1"), Boxes()),
        mutants=(
            mutant(
                "variant",
                "delta' = delta/2",
                "(1 + exp(eps_dp))*(delta/6 + delta/n) + delta/2 <= delta",
                "eps_dp=9/10 delta=1/10 n=1000000",
            ),
        ),
    ),
    step(
        "s17-order",
        "and eps/2 + log(4/delta)/(alpha - 1) <= eps for the alpha of (30)",
        f"eps_dp/2 + {CONVERSION} <= eps_dp",
        (EPS, DELTA),
        given={f"{THM}/s17-total": ""},
        expects=Outcome.CONSISTENT,
        kind=ClaimKind.PRIVACY,
        reads=Reads.READING,
        place=f"{PLACE}: `applying Corollary 1`, without the delta'",
        printed=r"\text{applying Corollary 1}",
        argument=OF_ORDER,
        mutants=(
            mutant(
                "variant",
                "half the order",
                f"eps_dp/2 + log(4/delta)/({ORDER}/2 - 1) <= eps_dp",
                "eps_dp=9/10 delta=1/10",
            ),
        ),
    ),
    step(
        "privacy",
        "(eps, delta)-DP, put together, in part: for kappa >= 64 C_priv^3 C (s18-radius), on the condition of "
        "s15-draws, for constants above thresholds, and with s11-log and zeta >= n^-2 (s20-zeta) taken at the "
        "repaired budgets too. The numbers of calls are taken as sure bounds (Proposition 1 has the iterations on"
        " average). P <= exp(eps) Q + delta for the probabilities of each event on neighbours, by Corollary 1 at "
        "delta' = delta/4, from eps/3 and delta/9 for O_ls and O_bo at the repaired budgets (s14~repaired; "
        "s14-room has the display for them) and eps/6 and delta/18 for O_sp (s16-total). The losses of one call "
        "are those of Proposition 8 with one beta (PROP-8~repaired/r9; as printed it is refuted), of Proposition "
        "10 and of Lemma 10, which are proved in part",
        "P <= exp(eps_dp)*Q + delta",
        (*EVENT, *SPENT, EPS, DELTA),
        given={
            "resque/COR-1": CONVERTED,
            "resque/LEM-3": ("loss <= loss_calls + loss_draws", "failure <= failure_calls + failure_draws"),
            f"{THM}/s14~repaired": ("loss_calls <= eps_dp/3", "failure_calls <= delta/9"),
            f"{THM}/s16-total": ("loss_draws <= eps_dp/6", "failure_draws <= delta/18"),
            "resque/PROP-8~repaired/r9": "",
            "resque/PROP-10": "",
            "resque/LEM-10": "",
        },
        rests_on=ids(
            THM,
            "s11 s11-log s11-ball s12~repaired s13 s13-second s14-room s15-draws s15-outside s18 s18-ball s18-radius "
            "s18-radius-ball",
        ),
        kind=ClaimKind.PRIVACY,
        reads=Reads.READING,
        place="Theorem 3, second sentence",
        printed=r"\text{There is an }(\epsilon_{\textup{dp}},\delta)\text{-DP algorithm which takes as input }"
        r"\mathcal{D}\text{ and outputs }\widehat{x}\in\mathbb{R}^{d}",
        argument=(
            Have(f"eps_dp/2 + {CONVERSION} <= eps_dp", OF_ORDER),
            Have(
                f"loss + {CONVERSION} <= eps_dp",
                plain(
                    ("1", "loss <= loss_calls + loss_draws"),
                    ("1", "loss_calls <= eps_dp/3"),
                    ("1", "loss_draws <= eps_dp/6"),
                    ("1", f"eps_dp/2 + {CONVERSION} <= eps_dp"),
                ),
            ),
            Have(f"{GROWN} <= exp(eps_dp)", (Logarithm(), *plain(("1", f"loss + {CONVERSION} <= eps_dp")))),
            Have(f"0 <= {GROWN}"),
            Name("grown", GROWN),
            Have("exp(eps_dp) <= 3", (Logarithm(), *plain(("1", "eps_dp <= 1"), ("1", "1 <= log(3)")))),
            *plain(
                ("1", "P <= grown*Q + delta/4 + (1 + grown)*failure"),
                ("Q + failure", "grown <= exp(eps_dp)"),
                ("1 + exp(eps_dp)", "failure <= failure_calls + failure_draws"),
                ("1 + exp(eps_dp)", "failure_calls <= delta/9"),
                ("1 + exp(eps_dp)", "failure_draws <= delta/18"),
                ("delta/6", "exp(eps_dp) <= 3"),
                ("delta", "0 <= 1 - 1/4 - 4/6"),
            ),
        ),
        mutants=(
            mutant(
                "variant",
                "delta/5 in place of delta",
                "P <= exp(eps_dp)*Q + delta/5",
                "P=24/1000 Q=0 loss=0 loss_calls=0 loss_draws=0 failure=0 failure_calls=0 failure_draws=0 eps_dp=1/2 "
                "delta=1/10",
            ),
        ),
    ),
)
