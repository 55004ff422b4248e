"""(30) and (31): the parameters, and what they give at once. Steps s1, s2 and s19."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

SIZES = (KAPPA, CONSTANT, DIMENSION, RECORDS, DELTA)
UNITS = {"L": (1, -1), "R": (0, 1), "eps_opt": (1, 0)}
SECOND = f"1/{PRIVACY_TERM}"
LEVELS_SIZE = "j_max <= log(n)/log(2)"
TRUNCATION = "floor(log2(floor(n/C_priv)/T_3))"
"""j_max."""
ROOTS = "sqrt(log_n + log_1_delta)/(sqrt(log_1_delta)*log_n)"
BY_LOGS = "C*kappa*sqrt(d*log_1_delta)*(log(n) + log_1_delta)**(3/2)*log(n) <= n*eps_dp"

PARAMETER_STEPS = (
    Step(
        "units",
        "eps_opt of (30) is a value of the objective: both sides change alike under changes of units",
        homogeneous(f"eps_opt == {EPS_OPT_AT}", (positive("eps_opt"), LIPSCHITZ, RADIUS, *SETTING), UNITS),
        kind=ClaimKind.HOMOGENEITY,
        place="(30)",
        argument=(Identical(),),
    ),
    step(
        "s1",
        "(31), first part: kappa = L R/eps_opt is at most 1/C times the smaller of sqrt(n) and n eps_dp/(sqrt(d "
        "log(1/delta)) log^1.5(n/delta) log n)",
        f"L*R/{EPS_OPT_AT} <= min(sqrt(n), {SECOND})/C",
        (LIPSCHITZ, RADIUS, *SETTING),
        place="(31), first part",
        printed=r"\kappa\leq\frac{1}{C}\min\left(\sqrt{n},\frac{n\epsilon_{\textup{dp}}}{\sqrt{d\log\frac{1}{\delta}}"
        r"\log^{1.5}(\frac{n}{\delta})\log n}\right)",
        argument=(
            *LOGS,
            Have(named(f"0 < {PRIVACY_TERM}")),
            Name("privacy_term", named(PRIVACY_TERM)),
            Scale("C"),
            Rewrite(left="1/(1/sqrt(n) + privacy_term)", right="min(sqrt(n), 1/privacy_term)"),
            Solve(),
        ),
        mutants=(
            mutant(
                "variant",
                "1/C replaced by 2/(5 C)",
                f"L*R/{EPS_OPT_AT} <= 2/5*min(sqrt(n), {SECOND})/C",
                "L=1 R=1 C=1 d=1 n=100000000000000000000 eps_dp=1/2 delta=1/10",
            ),
        ),
    ),
    step(
        "s2",
        "(31), second part: R/r = sqrt(C) sqrt(d) kappa log^2(n/delta) is at most n log^2(log n/delta)",
        f"R/{BALL} <= n*log(log(n)/delta)**2",
        (LIPSCHITZ, RADIUS, positive("kappa", "L R/eps_opt: any positive number"), *SETTING),
        given={f"{THM}/s1": FROM_PRIVACY},
        place="(31), second part",
        printed=r"\frac{R}{r}\leq n\log^{2}\left(\frac{\log n}{\delta}\right)",
        candidates=(point("L=1 R=1 kappa=11/10 C=1 d=1 n=100000 eps_dp=1/2 delta=1/10"),),
        argument=(
            Substitute(
                (real("log_1_delta", "[179/100, oo)", "log(1/delta)"),),
                where("delta=exp(-log_1_delta)"),
                where("log_1_delta=log(1/delta)"),
            ),
            Have("69/100 <= log(n)", (Boxes(),)),
            Have(BY_LOGS, plain(("1", FROM_PRIVACY.replace("delta", "exp(-log_1_delta)")))),
            Rewrite(left="sqrt(C)*sqrt(d)*kappa*(log(n) + log_1_delta)**2", right="n*(log(log(n)) + log_1_delta)**2"),
            Name("log_n", "log(n)"),
            Narrow(),
            Bound(left=f"{ROOTS}/sqrt(C)*n*eps_dp", argument=plain((f"{ROOTS}/sqrt(C)", named(BY_LOGS)))),
            Scale("1/n"),
            Rewrite(left=f"{ROOTS}*(eps_dp/sqrt(C))", right="(log(log_n) + log_1_delta)**2"),
            Bound(left=ROOTS, argument=plain((ROOTS, "eps_dp/sqrt(C) <= 1"))),
            Rewrite(left="sqrt(1/(log_1_delta*log_n) + 1/log_n**2)"),
            Boxes(),
        ),
        mutants=(
            mutant(
                "variant",
                "half the right side",
                f"R/{BALL} <= n*log(log(n)/delta)**2/2",
                "L=1 R=1 kappa=1/2 C=1 d=1 n=2 eps_dp=99/100 delta=100/605",
            ),
        ),
    ),
    step(
        "s19",
        "K >= log(1/delta)",
        f"log(1/delta) <= {K_AT}",
        SIZES,
        place=f"{PROOF}, after the last display of the part on privacy",
        printed=r"K\geq\log\frac{1}{\delta}",
        argument=(
            *LOGS,
            Bound(left="log_n_delta", argument=plain(("1", "log_1_delta <= log_n_delta"))),
            Power("3"),
            Combine(terms=(("log_n_delta**3", "1 <= C*d*kappa**2*log_n_delta"),)),
        ),
        mutants=(
            mutant(
                "variant",
                "log^2(1/delta)",
                f"log(1/delta)**2 <= {K_AT}",
                "kappa=11/10 C=1 d=1 n=2 delta=1/1000",
            ),
        ),
    ),
    step(
        "s19-levels",
        "log kappa <= log n and j_max <= log2 n (log n read as log2 n there), by (31) and 1 <= T_3 <= n/(2 "
        "C_priv): both shares are at most 1",
        f"max(log(kappa)/log(n), {TRUNCATION}*log(2)/log(n)) <= 1",
        (KAPPA, CONSTANT, C_PRIV, real("T_3", "[1, oo)", "steps of a proximal oracle, (34)"), RECORDS),
        given={f"{THM}/s1": FROM_ROOT, f"{THM}/s18-rate~repaired": "0 < floor(n/C_priv)/T_3"},
        reads=Reads.READING,
        place=f"{PROOF}, after the last display of the part on privacy",
        printed=r"\log\kappa,j_{\max}\leq\log n",
        argument=(
            Have("kappa <= sqrt(n)", plain(("1", FROM_ROOT), ("kappa", "1 <= C"))),
            Have("kappa <= n", plain(("1", "kappa <= sqrt(n)"), ("sqrt(n)", "1 <= sqrt(n)"))),
            LOG_N,
            Have(
                "log(kappa)/log(n) <= 1",
                (Scale("log(n)"), *plain(("1", "log(kappa/n) <= kappa/n - 1"), ("1/n", "kappa <= n"))),
            ),
            Have(f"{TRUNCATION} <= log2(floor(n/C_priv)/T_3)"),
            Have("floor(n/C_priv) <= n/C_priv"),
            Have("floor(n/C_priv) <= n", plain(("1", "floor(n/C_priv) <= n/C_priv"), ("n", "1/C_priv <= 1"))),
            Have("floor(n/C_priv)/T_3 <= n", plain(("1", "floor(n/C_priv) <= n"), ("floor(n/C_priv)", "1/T_3 <= 1"))),
            Have(
                f"{TRUNCATION}*log(2)/log(n) <= 1",
                (
                    Scale("log(n)"),
                    *plain(
                        ("log(2)", f"{TRUNCATION} <= log2(floor(n/C_priv)/T_3)"),
                        ("1", "log(floor(n/C_priv)/T_3/n) <= floor(n/C_priv)/T_3/n - 1"),
                        ("1/n", "floor(n/C_priv)/T_3 <= n"),
                    ),
                ),
            ),
            Name("log_share", "log(kappa)/log(n)"),
            Name("level_share", f"{TRUNCATION}*log(2)/log(n)"),
            Solve(),
        ),
        candidates=(point("kappa=2 C=2 C_priv=1 T_3=1 n=16"),),
        mutants=(
            mutant(
                "variant",
                "half of the right side",
                f"max(log(kappa)/log(n), {TRUNCATION}*log(2)/log(n)) <= 1/2",
                "kappa=2 C=2 C_priv=1 T_3=1 n=16",
            ),
        ),
    ),
    step(
        "s19-large",
        "what the displays need: K >= kappa^(2/3) log(n/delta), which the parameters give as well",
        f"kappa**(2/3)*log(n/delta) <= {K_AT}",
        SIZES,
        reads=Reads.OURS,
        argument=(*LOGS, Power("3"), Combine(terms=(("kappa**2*log_n_delta**3", "1 <= C*d*log_n_delta"),))),
        mutants=(
            mutant(
                "square",
                "log^2(n/delta)",
                f"kappa**(2/3)*log(n/delta)**2 <= {K_AT}",
                "kappa=11/10 C=1 d=1 n=2 delta=1/1000",
            ),
        ),
    ),
)
