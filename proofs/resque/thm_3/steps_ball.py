"""The ball oracle: it is accurate enough by the choice of T_2 in (33). Step s6."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

PLACE = f"{PROOF}, oracle correctness, fourth display"
FIRST = "C_sc*C_ba**3*(kappa**2*d/(beta**2*log(kappa)))/K"
SECOND = "C_sc*C_ba**3*(kappa**2/log(kappa))/K"
WANTED = f"(C_ba*log(kappa)**3/(lam*{BALL_OF_K}**2))"
LEAST = LEAST_LAMBDA.removesuffix(" <= lam")
ABOVE = f"C_sc*L**2*C_ba*log(kappa)**3*K**3/R**2*(lam + {LEAST})/(({LEAST})**2*lam**2)"
"""1/lam^2 is below 1/lam'^2 by (lam - lam')(lam + lam')/(lam lam')^2, lam' its least value."""

BALL_STEPS = (
    step(
        "s6-bound",
        "ball oracle, first term: lambda is at least eps_opt K^2 log^2(kappa)/(R^2 C_ba) (cited from Proposition 1 as "
        "printed; this lower end of its range is in PROP-1~repaired) and r = R/K^1.5. For every positive beta and T_2",
        f"C_sc*L**2/lam*(d/(beta**2*T_2**2))*{WANTED} <= {FIRST}/T_2**2",
        (C_SC, C_BA, LIPSCHITZ, RADIUS, LAMBDA, DIMENSION, BETA, T_2, K, KAPPA),
        given={"resque/PROP-1~repaired": LEAST_LAMBDA},
        place=f"{PLACE}, line 1, first inequality",
        printed=r"\frac{C_{\textup{sc}}L^{2}}{\lambda}\cdot\frac{d}{\beta^{2}T_{2}^{2}}\cdot"
        r"\frac{C_{\textup{ba}}\log^{3}\kappa}{\lambda r^{2}}\leq C_{\textup{sc}}C_{\textup{ba}}^{3}\cdot"
        r"\frac{\kappa^{2}d}{\beta^{2}\log\kappa}\cdot\frac{1}{K}\cdot\frac{1}{T_{2}^{2}}",
        argument=plain((f"{ABOVE}*d/(beta**2*T_2**2)", LEAST_LAMBDA)),
        mutants=(
            mutant(
                "constant",
                "C_ba^2 in place of C_ba^3",
                f"C_sc*L**2/lam*(d/(beta**2*T_2**2))*{WANTED} <= {FIRST}/C_ba/T_2**2",
                "C_sc=1 C_ba=100 L=1 R=1 lam=1/200 d=1 beta=1 T_2=1 K=1 kappa=3",
            ),
        ),
    ),
    step(
        "s6",
        "ball oracle, first term: at most 1/2 for the T_2 of (33). For every kappa > 1, and every K >= 1 and beta > 0",
        f"{FIRST}/{T_2_AT}**2 <= 1/2",
        (C_SC, C_BA, CONSTANT, KAPPA, K, BETA, DIMENSION),
        enough=("2*C_sc*C_ba**3 <= C",),
        place=f"{PLACE}, line 1, last inequality",
        printed=r"C_{\textup{sc}}C_{\textup{ba}}^{3}\cdot\frac{\kappa^{2}d}{\beta^{2}\log\kappa}\cdot\frac{1}{K}\cdot"
        r"\frac{1}{T_{2}^{2}}\leq\frac{1}{2}",
        argument=(
            *OF_KAPPA,
            *scaled(f"2*{T_2_AT}**2"),
            *added(
                ("kappa**2*d/(beta**2*log(kappa)*K)", "2*C_sc*C_ba**3 <= C"),
                ("C*kappa**4/(K**2*log(kappa)**2)", "0 <= 1"),
                ("2*C*kappa**3*sqrt(d)/(sqrt(K)*beta*log(kappa)**(3/2)*K)", "0 <= 1"),
            ),
        ),
        candidates=(point("C_sc=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1/1000000 d=1"),),
        mutants=(
            mutant(
                "variant",
                "0.49 in place of 1/2",
                f"{FIRST}/{T_2_AT}**2 <= 0.49",
                "C_sc=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1/1000000 d=1",
            ),
        ),
    ),
    step(
        "s6-second-bound",
        "ball oracle, second term: in the same way, by the lower end of the range of lambda. For every positive T_2",
        f"C_sc*L**2/lam*(1/T_2)*{WANTED} <= {SECOND}/T_2",
        (C_SC, C_BA, LIPSCHITZ, RADIUS, LAMBDA, T_2, K, KAPPA),
        given={"resque/PROP-1~repaired": LEAST_LAMBDA},
        place=f"{PLACE}, line 2, first inequality",
        printed=r"\frac{C_{\textup{sc}}L^{2}}{\lambda}\cdot\frac{1}{T_{2}}\cdot\frac{C_{\textup{ba}}\log^{3}\kappa}"
        r"{\lambda r^{2}}\leq C_{\textup{sc}}C_{\textup{ba}}^{3}\cdot\frac{\kappa^{2}}{\log\kappa}\cdot\frac{1}{K}"
        r"\cdot\frac{1}{T_{2}}",
        argument=plain((f"{ABOVE}/T_2", LEAST_LAMBDA)),
        mutants=(
            mutant(
                "constant",
                "C_ba^2 in place of C_ba^3",
                f"C_sc*L**2/lam*(1/T_2)*{WANTED} <= {SECOND}/C_ba/T_2",
                "C_sc=1 C_ba=100 L=1 R=1 lam=1/200 T_2=1 K=1 kappa=3",
            ),
        ),
    ),
    step(
        "s6-second",
        "ball oracle, second term: at most 1/2 for the T_2 of (33). For every kappa > 1, and every K >= 1 and beta > 0",
        f"{SECOND}/{T_2_AT} <= 1/2",
        (C_SC, C_BA, CONSTANT, KAPPA, K, BETA, DIMENSION),
        enough=("2*C_sc*C_ba**3 <= sqrt(C)",),
        place=f"{PLACE}, line 2, last inequality",
        printed=r"C_{\textup{sc}}C_{\textup{ba}}^{3}\cdot\frac{\kappa^{2}}{\log\kappa}\cdot\frac{1}{K}\cdot"
        r"\frac{1}{T_{2}}\leq\frac{1}{2}",
        argument=(
            *OF_KAPPA,
            *scaled(f"2*{T_2_AT}"),
            *added(
                ("kappa**2/(K*log(kappa))", "2*C_sc*C_ba**3 <= sqrt(C)"),
                ("sqrt(C)*kappa*sqrt(d)/(sqrt(K)*beta*sqrt(log(kappa)))", "0 <= 1"),
            ),
        ),
        candidates=(point("C_sc=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1000000 d=1"),),
        mutants=(
            mutant(
                "variant",
                "0.49 in place of 1/2",
                f"{SECOND}/{T_2_AT} <= 0.49",
                "C_sc=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1000000 d=1",
            ),
        ),
    ),
)
