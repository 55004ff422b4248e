"""The privacy of each call of a line search and of a ball oracle. Steps s12 and s13."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

PLACE = f"{PROOF}, privacy"
SHAPE = "(kappa**2*d/(K*beta**2*log(kappa)) + kappa**4/(K**2*log(kappa)**2))"
BUDGET = "eps_dp/(6*C_ba*K*log(kappa))"
CALL = (C_PRIV, BETA, CONSTANT, KAPPA, K, DIMENSION, RECORDS, DELTA, EPS)
SETTLED_CALL = (C_PRIV, C_BA, KAPPA, K, *SETTING)
FROM_PRIVACY_SQUARED = "C**2*kappa**2*d*log(1/delta)*log(n/delta)**3*log(n)**2 <= n**2*eps_dp**2"
FROM_ROOT_FOURTH = "C**4*kappa**4 <= n**2"
SQUARES = (
    Have(FROM_PRIVACY_SQUARED, (*LOGS, Power("1/2"), *added(("1", FROM_PRIVACY)))),
    Have(FROM_ROOT_FOURTH, (Power("1/4"), *plain(("1", FROM_ROOT)))),
)
"""The squares of (31)."""
LARGE_K = "kappa**(2/3)*log(n/delta) <= K"
P, Q = "kappa*sqrt(d)/(sqrt(K)*beta)", "kappa**2/K"
"""The two summands of T_1, T_2, T_3 but for logarithms."""


def spent(factor, power):
    """The middle of the displays: factor C C_priv beta^2 log^power(n/delta) log(1/delta)/(n^2 eps_dp) times `SHAPE`."""
    return f"{factor}*C*C_priv*beta**2*log(n/delta)**{power}*log(1/delta)/(n**2*eps_dp)*{SHAPE}"


def with_beta(text):
    """`text` with the beta of (30)."""
    return text.replace("beta", BETA_AT)


PRIVACY_STEPS = (
    step(
        "s12",
        "line search display, first inequality, for log kappa >= 1. For every K >= 1 and beta > 0",
        f"8*{ORDER}*C_priv*beta**2*{T_1_AT}**2*log(n/delta)**3/n**2 <= {spent(128, 3)}",
        CALL,
        ours=(E_AT_LEAST,),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, second display, first inequality",
        printed=r"\frac{8\alpha C_{\textup{priv}}\beta^{2}T_{1}^{2}\log^{3}\left(\frac{n}{\delta}\right)}{n^{2}}\leq"
        r"\frac{128CC_{\textup{priv}}\beta^{2}\log^{3}(\frac{n}{\delta})\log\frac{1}{\delta}}"
        r"{n^{2}\epsilon_{\textup{dp}}}\cdot\left(\frac{\kappa^{2}d}{K\beta^{2}\log\kappa}+"
        r"\frac{\kappa^{4}}{K^{2}\log^{2}\kappa}\right)",
        argument=(
            *TWICE,
            *LOGS,
            *OF_KAPPA,
            *scaled("n**2*eps_dp/(32*C*C_priv*beta**2*log(n/delta)**3)"),
            *added(
                (f"({P}/log(kappa)**2 + {Q}/(log(kappa)**3*log(n/delta)))**2", "log(2/delta) <= 2*log(1/delta)"),
                ("2*log(1/delta)", f"0 <= ({P}/log(kappa)**2 - {Q}/(log(kappa)**3*log(n/delta)))**2"),
                (f"4*log(1/delta)*({P})**2/log(kappa)**4", "1 <= log(kappa)**3"),
                (f"4*log(1/delta)*({Q})**2/log(kappa)**6", "1 <= log(kappa)**4"),
                (f"4*log(1/delta)*({Q})**2/log(kappa)**6", "1/log(n/delta)**2 <= 1"),
            ),
        ),
        mutants=(
            mutant(
                "variant",
                "40 in place of 128",
                f"8*{ORDER}*C_priv*beta**2*{T_1_AT}**2*log(n/delta)**3/n**2 <= {spent(40, 3)}",
                "C_priv=1 beta=1/10000 C=1 kappa=272/100 K=1 d=1 n=2 delta=10/61 eps_dp=1/2",
            ),
        ),
    ),
    step(
        "s12-second",
        "line search display, second inequality by (31), for log kappa >= 1 and C >= 3000 C_ba C_priv, with the beta "
        "of (30). It uses K >= log(n/delta) as well (s19-large)",
        with_beta(f"{spent(128, 3)} <= {BUDGET}"),
        SETTLED_CALL,
        given={f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT), f"{THM}/s19-large": LARGE_K},
        enough=("3000*C_ba*C_priv <= C",),
        ours=(E_AT_LEAST,),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, second display, second inequality",
        printed=r"\frac{128CC_{\textup{priv}}\beta^{2}\log^{3}(\frac{n}{\delta})\log\frac{1}{\delta}}"
        r"{n^{2}\epsilon_{\textup{dp}}}\cdot\left(\frac{\kappa^{2}d}{K\beta^{2}\log\kappa}+"
        r"\frac{\kappa^{4}}{K^{2}\log^{2}\kappa}\right)\leq\frac{\epsilon_{\textup{dp}}}{6C_{\textup{ba}}K\log\kappa}",
        argument=(
            *SQUARES,
            *LOGS,
            *OF_KAPPA,
            Have("log_n_delta <= K", plain(("1", named(LARGE_K)), ("log_n_delta", "1 <= kappa**(2/3)"))),
            *added(
                ("128*C_priv/(C*log(n)**2*n**2*eps_dp*K*log(kappa))", FROM_PRIVACY_SQUARED),
                ("128*C_priv*eps_dp*log(n/delta)/(C**5*n**2*K**2*log(kappa)**2)", FROM_ROOT_FOURTH),
                ("128*C_priv*eps_dp/(C**5*K**2*log(kappa)**2)", "log(n/delta) <= K"),
                ("128*C_priv*eps_dp/(C**5*K*log(kappa)**2)", E_AT_LEAST),
                ("128*C_priv*eps_dp/(C*K*log(kappa))", "1/log(n)**2 <= 2.11"),
                ("128*C_priv*eps_dp/(C*K*log(kappa))", "1/C**4 <= 1"),
                ("eps_dp/(6*C_ba*C*K*log(kappa))", "3000*C_ba*C_priv <= C"),
                ("C_priv*eps_dp/(C*K*log(kappa))", "0 <= 500 - 128*3.11"),
            ),
        ),
        candidates=(point(f"C_priv=1 C_ba=1 kappa=3 K=60 C=3000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),),
        mutants=(
            Mutant(
                "variant",
                "without C >= 3000 C_ba C_priv",
                conditions=(FROM_PRIVACY, FROM_ROOT, LARGE_K, E_AT_LEAST),
                candidates=(point(f"C_priv=1000000 C_ba=1 kappa=3 K=60 C=3000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),),
            ),
        ),
    ),
    step(
        "s13",
        "ball oracle display, first inequality. For every kappa > 1, K >= 1 and beta > 0",
        f"{ORDER}*C_priv*beta**2*{T_2_AT}**2*log(n/delta)**2/n**2 <= {spent(16, 2)}",
        CALL,
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, third display, first inequality",
        printed=r"\frac{\alpha C_{\textup{priv}}\beta^{2}T_{2}^{2}\log^{2}(\frac{n}{\delta})}{n^{2}}\leq"
        r"\frac{16CC_{\textup{priv}}\beta^{2}\log^{2}(\frac{n}{\delta})\log\frac{1}{\delta}}"
        r"{n^{2}\epsilon_{\textup{dp}}}\cdot\left(\frac{\kappa^{2}d}{K\beta^{2}\log\kappa}+"
        r"\frac{\kappa^{4}}{K^{2}\log^{2}\kappa}\right)",
        argument=(
            *TWICE,
            *LOGS,
            *OF_KAPPA,
            *scaled("n**2*eps_dp/(4*C*C_priv*beta**2*log(n/delta)**2)"),
            *added(
                (f"({P}/sqrt(log(kappa)) + {Q}/log(kappa))**2", "log(2/delta) <= 2*log(1/delta)"),
                ("2*log(1/delta)", f"0 <= ({P}/sqrt(log(kappa)) - {Q}/log(kappa))**2"),
            ),
        ),
        mutants=(
            mutant(
                "variant",
                "10 in place of 16",
                f"{ORDER}*C_priv*beta**2*{T_2_AT}**2*log(n/delta)**2/n**2 <= {spent(10, 2)}",
                "C_priv=1 beta=1/3 C=1 kappa=3 K=1 d=1 n=2 delta=10/61 eps_dp=1/2",
            ),
        ),
    ),
    step(
        "s13-second",
        "ball oracle display, second inequality by (31), for log kappa >= 1 and C >= 3000 C_ba C_priv, with the beta "
        "of (30)",
        with_beta(f"{spent(16, 2)} <= {BUDGET}"),
        SETTLED_CALL,
        given={f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT)},
        enough=("3000*C_ba*C_priv <= C",),
        ours=(E_AT_LEAST,),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, third display, second inequality",
        printed=r"\frac{16CC_{\textup{priv}}\beta^{2}\log^{2}(\frac{n}{\delta})\log\frac{1}{\delta}}"
        r"{n^{2}\epsilon_{\textup{dp}}}\cdot\left(\frac{\kappa^{2}d}{K\beta^{2}\log\kappa}+"
        r"\frac{\kappa^{4}}{K^{2}\log^{2}\kappa}\right)\leq\frac{\epsilon_{\textup{dp}}}{6C_{\textup{ba}}K\log\kappa}",
        argument=(
            *SQUARES,
            *LOGS,
            *OF_KAPPA,
            *added(
                ("16*C_priv/(C*log(n/delta)*log(n)**2*n**2*eps_dp*K*log(kappa))", FROM_PRIVACY_SQUARED),
                ("16*C_priv*eps_dp/(C**5*n**2*K**2*log(kappa)**2)", FROM_ROOT_FOURTH),
                ("16*C_priv*eps_dp/(C**5*K**2*log(kappa)**2)", "1 <= K"),
                ("16*C_priv*eps_dp/(C**5*K*log(kappa)**2)", E_AT_LEAST),
                ("16*C_priv*eps_dp/(C*K*log(kappa))", "1/(log(n/delta)*log(n)**2) <= 1"),
                ("16*C_priv*eps_dp/(C*K*log(kappa))", "1/C**4 <= 1"),
                ("eps_dp/(6*C_ba*C*K*log(kappa))", "3000*C_ba*C_priv <= C"),
                ("C_priv*eps_dp/(C*K*log(kappa))", "0 <= 500 - 32"),
            ),
        ),
        candidates=(point(f"C_priv=1 C_ba=1 kappa=3 K=60 C=3000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),),
        mutants=(
            Mutant(
                "variant",
                "without C >= 3000 C_ba C_priv",
                conditions=(FROM_PRIVACY, FROM_ROOT, E_AT_LEAST),
                candidates=(
                    point(f"C_priv=1000000000 C_ba=1 kappa=3 K=60 C=3000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),
                ),
            ),
        ),
    ),
)
