"""The printed proof of Corollary 5.7."""

from dpaudit.claims.writing import *

from .notation import LEVELS, LEVELS_FIT, LN, through_tail, told_apart
from .symbols import *
from .transfer import TRANSFER_STEPS

PRINTED_STEPS = (
    erratum(
        "s1",
        "clipped to c_DP L the algorithm is eps/sqrt(2 ln(2.5/delta))-GDP, by Lemma 5.6. Encoded: what that lemma is "
        "about, that the mu of all nodes together, by the nodes that the first difference is in, is at most that",
        f"c_DP*L/(B*beta)*sqrt({ALL_NODES})/{SIGMA} <= eps/sqrt(2*{LN})",
        (STEPS, EPS, DELTA, *SCALES),
        kind=ClaimKind.PRIVACY,
        reads=Reads.REASON,
        printed=r"\text{Algorithm 1 satisfies }\varepsilon/\sqrt{2\ln(2.5/\delta)}\text{-GDP}",
        candidates=(point("T=1024 eps=1 delta=1/1000000 c_DP=1 L=1 B=1 beta=1"),),
        finding=(
            "sigma has log T where Lemma 5.6 has 2 (1 + ceil(log T)); for the release it is too small at every T "
            "(`always`). Whoever sees y_T alone learns less."
        ),
        repair=f"{COR}/s1~repaired",
    ),
    step(
        "always",
        "whatever T is, and for the nodes that the first difference is in, not the bound on their number: the mu of "
        "the release is more than sqrt(2) times the one that is claimed",
        f"2*(eps/sqrt(2*{LN}))**2 < (c_DP*L/(B*beta)*sqrt({ALL_NODES})/{SIGMA})**2",
        (STEPS, EPS, DELTA, *SCALES),
        argument=(
            Have("0 < log2(T)", (Rewrite(right="log(T)/log(2)"), Positive())),
            Have(f"0 < {LN}", (Rewrite(right="log(5/2) - log(delta)"), Positive())),
            Rewrite(left=f"eps**2/{LN}", right=f"eps**2/{LN}*({ALL_NODES}/log2(T))"),
            Scale(f"{LN}*log2(T)/eps**2"),
            Combine((("1", "log2(T) < floor(log2(T)) + 1"),)),
        ),
        mutants=(
            mutant(
                "factor",
                "6 in place of 2",
                f"6*(eps/sqrt(2*{LN}))**2 < (c_DP*L/(B*beta)*sqrt({ALL_NODES})/{SIGMA})**2",
                "T=2 eps=1 delta=1/1000 c_DP=1 L=1 B=1 beta=1",
            ),
        ),
    ),
    step(
        "s1~repaired",
        "twice the printed sigma is at least that of Lemma 5.6 for C = c_DP L/(B beta) and mu = eps/sqrt(2 "
        "ln(2.5/delta)), with log_2(T) in both",
        f"c_DP*L/(B*beta)*sqrt(1 + {LEVELS})/(eps/sqrt(2*{LN})) <= 2*{SIGMA}",
        (STEPS, EPS, DELTA, *SCALES),
        argument=(
            *LEVELS_FIT,
            Have(f"0 < {LN}", (Rewrite(right="log(5/2) - log(delta)"), Positive())),
            Power("2"),
            Scale(f"(eps*B*beta)**2/(2*(c_DP*L)**2*{LN})"),
            Combine((("1", f"1 + {LEVELS} <= 2*log2(T)"),)),
        ),
        mutants=(
            mutant(
                "factor",
                "3/2 in place of 2",
                f"c_DP*L/(B*beta)*sqrt(1 + {LEVELS})/(eps/sqrt(2*{LN})) <= 3/2*{SIGMA}",
                "T=2 eps=1 delta=1/1000 c_DP=1 L=1 B=1 beta=1",
            ),
        ),
    ),
    erratum(
        "s2",
        "eps/sqrt(2 ln(2.5/delta))-GDP implies (eps, delta/2)-DP [21]; there is no bound on eps in the paper",
        f"{told_apart('(1/2)')} <= delta/2",
        (EPS, DELTA),
        kind=ClaimKind.PRIVACY,
        reads=Reads.BOUNDARY,
        printed=r"\text{which implies it satisfies }(\varepsilon,\delta/2)\text{-DP [21]}",
        candidates=(point("eps=10 delta=1/100000"),),
        finding=(
            "It is the classical calibration, for eps up to about 1; at eps = 10 and delta = 10^-5 the exact delta is "
            "more than delta/2. It holds up to eps = 9/5 for every delta."
        ),
        repair=f"{COR}/s2~repaired",
    ),
    step(
        "s2~repaired",
        "for eps up to 9/5 it does",
        f"{told_apart('(1/2)')} <= delta/2",
        (USUAL, DELTA),
        kind=ClaimKind.PRIVACY,
        argument=through_tail("(1/2)", "(1/2)", (("1/2", "eps <= 9/5"), ("1/100", "0 <= 1"))),
        candidates=(point("eps=1 delta=1/1000"),),
        mutants=(mutant("share", "delta/200", f"{told_apart('(1/2)')} <= delta/200", "eps=1 delta=1/1000"),),
    ),
    *TRANSFER_STEPS,
    step(
        "s4",
        "the bound on |b_t| is that of Lemma 5.6, whose sigma is larger. Encoded: it is at most the printed one, 4 "
        "sqrt(2) log^{3/2}(T) sqrt(ln(2T/delta) ln(2.5/delta)) <= c_DP, for T <= n, delta <= 1/n and base 2 for the "
        "log of T and of n",
        f"4*sqrt(2)*log2(T)**(3/2)*sqrt(log(2*T/delta)*{LN}) <= {C_DP}",
        (STEPS, RECORDS, DELTA),
        ("T <= n", "delta <= 1/n"),
        printed=r"\max_t\|\mathbf b_t\|_2\le c_{DP}^2L\sqrt p/\varepsilon B\beta",
        kind=ClaimKind.TAIL,
        argument=(
            Have("0 < log2(T)", (Rewrite(right="log(T)/log(2)"), Positive())),
            Have("log(T) <= log(n)", (Combine((("1", "log(T/n) <= T/n - 1"), ("1/n", "T <= n"))),)),
            Have(
                "log2(T) <= log2(n)",
                (
                    Rewrite(left="log(T)/log(2)", right="log(n)/log(2)"),
                    Scale("log(2)"),
                    Combine((("1", "log(T) <= log(n)"),)),
                ),
            ),
            Have("log2(T)**3 <= log2(n)**3", (Power("1/3"), Combine((("1", "log2(T) <= log2(n)"),)))),
            Have("0 < log(2*T/delta)", (Rewrite(right="log(2) + log(T) - log(delta)"), Positive())),
            Have(
                "log(2*T/delta) <= log(2*n/delta)",
                (
                    Rewrite(left="log(2) + log(T) - log(delta)", right="log(2) + log(n) - log(delta)"),
                    Combine((("1", "log(T) <= log(n)"),)),
                ),
            ),
            Have(
                f"1 <= {LN}",
                (
                    Rewrite(right="log(5/2) - log(delta)"),
                    Have("91/100 <= log(5/2)", (Boxes(),)),
                    Combine(
                        (
                            ("1", "91/100 <= log(5/2)"),
                            ("1", "log(delta) <= delta - 1"),
                            ("1", "delta <= 1/n"),
                            ("1/(2*n)", "2 <= n"),
                            ("41/100", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Power("2"),
            Rewrite(left=f"32*(log2(T)**3*log(2*T/delta)*{LN})", right=f"32*(log2(n)**3*log(2*n/delta)*{LN}**2)"),
            Scale("1/32"),
            Combine(
                (
                    (f"log2(n)**3*log(2*n/delta)*{LN}", f"1 <= {LN}"),
                    (f"log2(n)**3*{LN}", "log(2*T/delta) <= log(2*n/delta)"),
                    (f"log(2*T/delta)*{LN}", "log2(T)**3 <= log2(n)**3"),
                )
            ),
        ),
        candidates=(point("T=2 n=2 delta=1/2"),),
        mutants=(
            Mutant(
                "steps",
                "without T <= n",
                conditions=("delta <= 1/n",),
                candidates=(point("T=1000000000 n=2 delta=1/2"),),
            ),
        ),
    ),
)
