"""The privacy of the draws of the proximal oracle. Steps s15 and s16."""

from dpaudit.claims.writing import *

from .attacks_draws import QUOTED, QUOTED_FAILS
from .notation import *
from .steps_parameters import LEVELS_SIZE
from .steps_privacy import FROM_PRIVACY_SQUARED, SQUARES, with_beta
from .symbols import *

PLACE = f"{PROOF}, privacy"
DRAWS = "C_ba*K*log(kappa)*j_max"
ONE_LEVEL = f"(2**j*({ORDER}*C_priv*beta**2*log(n/delta)**2*{T_3_AT}**2/n**2))"
"""The loss of Lemma 10 at J = j."""
NUMBER = "(2**(-j)*C_prime*K*log(kappa)*log(n/delta))"
"""The number of draws J = j."""
TOTAL = "16*C*C_prime*C_priv*K*beta**2*log(n/delta)**3*log(1/delta)*log(kappa)/(n**2*eps_dp)"
SHAPE = "(kappa**2*d/(K*beta**2) + kappa**4/K**2)"
DRAWS_SIZE = "log(n)**2*log(n/delta)*kappa**4 <= 5*n**2*K"
LINE = (LEVEL, C_PRIV, C_PRIME, KAPPA, K, *SETTING)
P, Q = "kappa*sqrt(d)/(sqrt(K)*beta)", "kappa**2/K"
WORST = "8*(j_max + 1)*C*C_prime*C_priv*K*beta**2*log(n/delta)**3*log(kappa)/(n**2*eps_dp)"
UNIT = "C_prime*C_priv*eps_dp/(C*log(n)**2)"

DRAW_STEPS = (
    erratum(
        "s15",
        "the mean number of draws J = j is 2^(-j_max) C_ba kappa log kappa j_max, at j = j_max and with kappa read as "
        "the kappa of (30)",
        f"2**(-j_max)*({DRAWS}) == 2**(-j_max)*C_ba*kappa*log(kappa)*j_max",
        (LEVEL, C_BA, K, KAPPA),
        reads=Reads.READING,
        place=f"{PLACE}, sixth display, left side",
        printed=r"2^{-j_{\max}}C_{\textup{ba}}\kappa\log\kappa\cdot j_{\max}",
        candidates=(point("j_max=1 C_ba=1 K=1000 kappa=2"),),
        finding=(
            "A misprint: the number of draws is C_ba K log kappa j_max, as the paper says two lines above; kappa is "
            "printed where K is meant, which the right side of the same display has; and for j < j_max the mean is "
            "2^(-j) times the number of draws, so that `for all j` needs 2^(-j) or `at least`. Nothing rests on it."
        ),
        repair=f"{THM}/s15-omega",
    ),
    step(
        "s15-omega",
        "that, with K for the kappa that is printed (s15), is at least C_priv T_3/n times the number of draws, as T_3 "
        "2^(j_max) <= n/C_priv. For every positive T_3",
        f"C_priv*T_3/n*({DRAWS}) <= 2**(-j_max)*({DRAWS})",
        (LEVEL, C_BA, K, KAPPA, C_PRIV, T_3, RECORDS),
        ("T_3*2**j_max <= n/C_priv",),
        place=f"{PLACE}, sixth display",
        printed=r"2^{-j_{\max}}C_{\textup{ba}}\kappa\log\kappa\cdot j_{\max}=\Omega\left(\frac{T_{3}}{n}\cdot K"
        r"\log\kappa\cdot j_{\max}\right)",
        reads=Reads.READING,
        argument=plain((f"C_priv/n*2**(-j_max)*({DRAWS})", "T_3*2**j_max <= n/C_priv")),
        mutants=(
            mutant(
                "variant",
                "1.1 times the left side",
                f"1.1*C_priv*T_3/n*({DRAWS}) <= 2**(-j_max)*({DRAWS})",
                "j_max=1 C_ba=1 K=4 kappa=2 C_priv=1 T_3=1 n=2",
            ),
        ),
    ),
    step(
        "s16-sum",
        "the levels: sum over j = 0..j_max of 2^j 2^(-j) is j_max + 1",
        "sum(j, 0, j_max, 2**j*2**(-j)) == j_max + 1",
        (LEVEL,),
        kind=ClaimKind.INDUCTION,
        reads=Reads.OURS,
        place=f"{PLACE}, last display, first inequality",
        argument=(Induct("j_max", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "s16",
        "proximal display, first inequality. For every kappa > 1, K >= 1 and beta > 0",
        f"sum(j, 0, j_max, {ONE_LEVEL}*{NUMBER}) <= (j_max + 1)*{TOTAL}*{SHAPE}",
        (*LINE, BETA),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, last display, first inequality",
        printed=r"\sum_{0\leq j\leq j_{\max}}\left(2^{j}\cdot\frac{\alpha C_{\textup{priv}}\beta^{2}"
        r"\log^{2}(\frac{n}{\delta})T_{3}^{2}}{n^{2}}\right)\cdot\left(2^{-j}C^{\prime}K\log\kappa"
        r"\log\frac{n}{\delta}\right)\leq(j_{\max}+1)\cdot\frac{16CC^{\prime}C_{\textup{priv}}K\beta^{2}"
        r"\log^{3}(\frac{n}{\delta})\log\frac{1}{\delta}\log\kappa}{n^{2}\epsilon_{\textup{dp}}}\cdot"
        r"\left(\frac{\kappa^{2}d}{K\beta^{2}}+\frac{\kappa^{4}}{K^{2}}\right)",
        argument=(
            *TWICE,
            *LOGS,
            *OF_KAPPA,
            *added(
                (f"{WORST}/2*({P} + {Q})**2", "log(2/delta) <= 2*log(1/delta)"),
                (f"{WORST}*log(1/delta)", f"0 <= ({P} - {Q})**2"),
            ),
        ),
        mutants=(
            mutant(
                "variant",
                "10 in place of 16",
                f"sum(j, 0, j_max, {ONE_LEVEL}*{NUMBER}) <= (j_max + 1)*{TOTAL.replace('16', '10')}*{SHAPE}",
                "j_max=1 C_priv=1 C_prime=1 kappa=3 K=1 C=1 d=1 n=2 eps_dp=1/2 delta=10/61 beta=1/3",
            ),
        ),
    ),
    step(
        "s16-second",
        "proximal display, second inequality by (31), log kappa <= log n, j_max <= log2 n, for C >= 2000 C' C_priv and "
        "log^2 n log(n/delta) kappa^4 <= 5 n^2 K, which K >= kappa^(2/3) log(n/delta) gives (s19-large, s16-size); the "
        "paper quotes K >= log(1/delta), which alone is not enough (s16-quoted). With the beta of (30)",
        with_beta(f"(j_max + 1)*{TOTAL}*{SHAPE} <= eps_dp/6"),
        LINE,
        given={
            f"{THM}/s19-levels": ("log(kappa) <= log(n)", LEVELS_SIZE),
            f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT),
            f"{THM}/s16-size": DRAWS_SIZE,
        },
        enough=("2000*C_prime*C_priv <= C",),
        kind=ClaimKind.PRIVACY,
        place=f"{PLACE}, last display, second inequality",
        printed=r"(j_{\max}+1)\cdot\frac{16CC^{\prime}C_{\textup{priv}}K\beta^{2}\log^{3}(\frac{n}{\delta})"
        r"\log\frac{1}{\delta}\log\kappa}{n^{2}\epsilon_{\textup{dp}}}\cdot\left(\frac{\kappa^{2}d}{K\beta^{2}}+"
        r"\frac{\kappa^{4}}{K^{2}}\right)\leq\frac{\epsilon_{\textup{dp}}}{6}",
        argument=(
            *SQUARES,
            *LOGS,
            *OF_KAPPA,
            Have(
                "j_max + 1 <= 3*log_n",
                plain(
                    ("1", "j_max <= log_n/log(2)"),
                    ("log_n", "1/log(2) <= 1.45"),
                    ("1.55", "69/100 <= log_n"),
                    ("1", "0 <= 1.55*69/100 - 1"),
                ),
            ),
            *added(
                ("(j_max + 1)*log(kappa)*16*C_prime*C_priv/(C*log(n)**2*n**2*eps_dp)", FROM_PRIVACY_SQUARED),
                (f"(j_max + 1)*log(kappa)*16*{UNIT}/(n**2*K)", DRAWS_SIZE),
                (f"log(kappa)*96*{UNIT}", "j_max + 1 <= 3*log_n"),
                (f"288*{UNIT}*log(n)", "log(kappa) <= log(n)"),
                ("eps_dp/(6*C)", "2000*C_prime*C_priv <= C"),
                (f"{UNIT}*log(n)**2", "0 <= 2000/6 - 288"),
            ),
        ),
        candidates=(point(f"j_max=1 C_priv=1 C_prime=1 kappa=3 K=60 C=2000 d=1 n={10**9} eps_dp=1/2 delta=1/10"),),
        mutants=(
            Mutant(
                "variant",
                "without C >= 2000 C' C_priv",
                conditions=("log(kappa) <= log(n)", LEVELS_SIZE, FROM_PRIVACY, FROM_ROOT, DRAWS_SIZE),
                candidates=(
                    point(
                        f"j_max=1 C_priv={10**6} C_prime={10**6} kappa=3 K=60 C=2000 d=1 n={10**9} eps_dp=1/2 "
                        "delta=1/10"
                    ),
                ),
            ),
        ),
    ),
    erratum(
        "s16-quoted",
        "The reason given: the same by (31), log kappa, j_max <= log n and K >= log(1/delta) alone",
        with_beta(f"(j_max + 1)*{TOTAL}*{SHAPE} <= eps_dp/6"),
        (*QUOTED, LEVEL, positive("kappa"), K, DIMENSION, RECORDS, EPS, DELTA),
        ("1 < kappa",),
        given={
            f"{THM}/s19-levels": ("log(kappa) <= log(n)", LEVELS_SIZE),
            f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT),
            f"{THM}/s19": "log(1/delta) <= K",
        },
        reads=Reads.REASON,
        place=f"{PLACE}, after the last display",
        printed=r"\log\kappa,j_{\max}\leq\log n,\text{ and }K\geq\log\frac{1}{\delta}",
        argument=(QUOTED_FAILS,),
        finding=(
            "The display holds (s16-second), by K >= kappa^(2/3) log(n/delta), which the parameters give. From what "
            "the paper quotes it does not follow, for any C: at kappa = sqrt(n)/C and j_max = 1 the second summand is "
            "about log^2 n/(C^5 K), which grows with n where K is a constant."
        ),
        repair=f"{THM}/s16-second",
    ),
    step(
        "s16-size",
        "log^2 n log(n/delta) kappa^4 <= 5 n^2 K",
        DRAWS_SIZE,
        (K, KAPPA, RECORDS, DELTA),
        given={f"{THM}/s1": "kappa <= sqrt(n)", f"{THM}/s19-large": "kappa**(2/3)*log(n/delta) <= K"},
        reads=Reads.OURS,
        argument=(
            Have("log(n) <= 6*n**(1/6)/exp(1)", plain(("6", "log(n**(1/6)/exp(1)) <= n**(1/6)/exp(1) - 1"))),
            Have("kappa**(10/3) <= n**(5/3)", (Power("3/10"), *plain(("1", "kappa <= sqrt(n)")))),
            *LOGS,
            *added(
                ("log(n)**2*kappa**(10/3)", "kappa**(2/3)*log(n/delta) <= K"),
                ("log(n)**2*K", "kappa**(10/3) <= n**(5/3)"),
                ("n**(5/3)*K*(log(n) + 6*n**(1/6)/exp(1))", "log(n) <= 6*n**(1/6)/exp(1)"),
                ("n**2*K", "36/exp(2) <= 5"),
            ),
        ),
        candidates=(point(f"K=100 kappa=3 n={10**6} delta=1/10"),),
        mutants=(
            mutant("variant", "4 in place of 5", DRAWS_SIZE.replace("5*", "4*"), "K=293/5 kappa=20 n=400 delta=1/7"),
            Mutant(
                "small-K",
                "without K >= kappa^(2/3) log(n/delta)",
                conditions=("kappa <= sqrt(n)",),
                candidates=(point(f"K=1 kappa={10**3} n={10**6} delta=1/10"),),
            ),
        ),
    ),
)
