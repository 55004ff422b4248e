"""Preconditions that the proof does not check: the event of the draws, the first call of Algorithm 5, the rate T_3/n.
All of this is ours."""

from dpaudit.claims.writing import *

from .attacks_order import FAILS as FAILS_FIRST
from .attacks_rate import FAILS
from .notation import *
from .steps_privacy import with_beta
from .symbols import *

RATE = "4*C_priv*sqrt(C) <= sqrt(log(n/delta))*log(n)*sqrt(K)"
FIRST_STEPS = settled(from_e(T_2_AT))
"""T_2 of (33)."""

TOTAL_OURS = (
    step(
        "s17-event",
        "the event of s15 fits into the delta/18 of the proximal oracle, a matter that the paper leaves out: its calls "
        "at delta/36 in all, and delta/n for the event, n >= 36",
        "delta/36 + delta/n <= delta/18",
        (DELTA, RECORDS),
        enough=("36 <= n",),
        reads=Reads.OURS,
        kind=ClaimKind.PRIVACY,
        argument=plain(("delta/(36*n)", "36 <= n")),
        mutants=(mutant("variant", "1.1 times delta/n", "delta/36 + 1.1*delta/n <= delta/18", "delta=1/10 n=36"),),
    ),
    erratum(
        "r18-first",
        "What the proof of Proposition 8 needs and does not show: at (30), (33) the order is in the range of "
        "Corollary 2 for the first call of Algorithm 5, whose beta_0^2 is 2^J beta^2 with J = ceil(log2 log2 T_2): "
        "alpha < 1/(C_priv beta_0^2 log^2(1/delta)), for kappa >= e and T_2 >= 2, and for some C and C_priv (at "
        "delta, where the call has a part of it and the range is smaller). (log kappa is written max(1, log kappa) "
        "and T_2 in the logarithm max(2, T_2), which is the same)",
        f"{ORDER} < 1/(C_priv*2**ceil(log2(log2(max(2, {FIRST_STEPS}))))*{BETA_AT}**2*log(1/delta)**2)",
        (
            constant("C", "[1, oo)", "of (30)"),
            constant("C_priv", "[1, oo)", "of Lemma 7"),
            DIMENSION,
            RECORDS,
            EPS,
            positive("delta"),
        ),
        ("delta < 1/6",),
        ours=(settled("exp(1) <= kappa"), f"2 <= {FIRST_STEPS}"),
        reads=Reads.GAP,
        place="Proposition 8, privacy, at (30), (33): the first call of Algorithm 4",
        argument=(FAILS_FIRST,),
        finding=(
            "Theorem 3 cites Proposition 8 as it is printed, and by that its alpha is acceptable (s18-ball). Behind it "
            "is the gap of PROP-8/s9: Algorithm 5 calls Algorithm 4 first with beta_0 = 2^(J/2) beta, where 2^J is "
            "between log2 T_2 and twice that, and by Corollary 2 that call is private up to the order 1/(C_priv "
            "beta_0^2 log^2(1/delta)) only. At d = 1 and delta = 1/n that is at most a multiple of C^2/eps^2, and "
            "alpha is of the order log(n)/eps: it leaves the range as n grows, whatever C and C_priv are. With one "
            "beta in all calls (PROP-8~repaired) the step is s18; a constant changes."
        ),
        repair="resque/PROP-8~repaired/r9",
    ),
    erratum(
        "s18-rate",
        "A boundary case: the rate T_3 <= n/C_priv, weaker than the n/(2 C_priv) that Algorithm 6 asks for, for kappa "
        ">= e, some C_priv and every C from some C_0 on; for one moderate C it may hold",
        settled(f"{T_3_AT} <= n/C_priv"),
        (
            constant("C_0", "[1, oo)", "above it C is large enough"),
            constant("C_priv", "[1, oo)", "of Lemma 7"),
            CONSTANT,
            DIMENSION,
            RECORDS,
            positive("eps_dp"),
            DELTA,
        ),
        ("eps_dp < 1",),
        enough=("C_0 <= C",),
        ours=(settled("exp(1) <= kappa"),),
        reads=Reads.BOUNDARY,
        place="Algorithm 6, line 1 (its input), at the T_3 of (34)",
        argument=(FAILS,),
        finding=(
            "A gap in small cases: the paper does not check this precondition. Where the privacy term dominates (30), "
            "T_3/n is about C^(1/3)/(kappa^(1/3) log^(7/6)(n/delta) log n): a larger C makes it worse, and above "
            "every bound there is one for which it exceeds 1, at n = C^4 for example. It holds for larger n, and for "
            "kappa >= 64 C_priv^3 C (s18-rate~repaired); below that the error bound of the theorem is L R over a "
            "constant and no algorithm is needed. So only small cases are lost, and they are trivial."
        ),
        repair=f"{THM}/s18-rate~repaired",
    ),
    step(
        "s18-k",
        "for kappa >= 64 C_priv^3 C: 4 C_priv sqrt(C) <= sqrt(log(n/delta)) log n sqrt(K)",
        RATE.replace("K", K_AT),
        (C_PRIV, KAPPA, CONSTANT, DIMENSION, RECORDS, DELTA),
        ours=("64*C_priv**3*C <= kappa",),
        reads=Reads.OURS,
        argument=(
            *LOGS,
            Power("3"),
            *added(
                ("sqrt(C)", "64*C_priv**3*C <= kappa"),
                ("sqrt(C)*kappa", "1 <= log(n/delta)**(7/2)*log(n)**3"),
                ("sqrt(C)*kappa*log(n/delta)**(7/2)*log(n)**3", "1 <= sqrt(d)"),
            ),
        ),
        candidates=(point("C_priv=1 kappa=100 C=1 d=1 n=10 delta=1/7"),),
        mutants=(
            Mutant(
                "variant",
                "without kappa >= 64 C_priv^3 C",
                conditions=(),
                candidates=(point("C_priv=10 kappa=2 C=1 d=1 n=2 delta=1/7"),),
            ),
        ),
    ),
    step(
        "s18-rate~repaired",
        "then T_3 <= n/(2 C_priv), with the beta of (30)",
        f"{with_beta(T_3_AT)} <= n/(2*C_priv)",
        (C_PRIV, KAPPA, K, *SETTING),
        given={f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT), f"{THM}/s18-k": RATE},
        enough=("4*C_priv <= C**(3/2)",),
        argument=(
            Have("C**2*kappa**2 <= n", (Power("1/2"), *plain(("1", FROM_ROOT)))),
            *LOGS,
            *added(
                ("sqrt(C)/(sqrt(log(n/delta))*log(n)*eps_dp*sqrt(K))", FROM_PRIVACY),
                ("n/(4*C_priv*sqrt(log(n/delta))*log(n)*sqrt(K))", RATE),
                ("1/(C**(3/2)*K)", "C**2*kappa**2 <= n"),
                ("n/(4*C_priv*C**(3/2)*K)", "4*C_priv <= C**(3/2)"),
                ("n/(4*C_priv)", "1/K <= 1"),
            ),
        ),
        candidates=(point(f"C_priv=1 kappa=300 K=10000 C=4 d=1 n={10**12} eps_dp=1/2 delta=1/10"),),
        mutants=(
            Mutant(
                "variant",
                "without the bound of s18-k",
                conditions=(FROM_PRIVACY, FROM_ROOT, "4*C_priv <= C**(3/2)"),
                candidates=(point("C_priv=100 kappa=5 K=1 C=55 d=1 n=1000000 eps_dp=1/2 delta=1/10"),),
            ),
        ),
    ),
)
