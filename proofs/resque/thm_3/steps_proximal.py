"""The proximal oracle: bias and variance by the choice of T_3 in (34). Steps s7 and s8."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

PLACE = f"{PROOF}, oracle correctness"
BIAS_GROWS = "2*C_bias*C_ba <= sqrt(log(n/delta))*log(n)"
WANTED = f"(C_ba**2*lam**2*R**2/({EPS_OPT}**2*K))"
FIRST, SECOND = "C_var*C_ba**2*(kappa**2*d/beta**2)/K", "C_var*C_ba**2*kappa**2/K"
LINE = (C_VAR, C_BA, CONSTANT, KAPPA, K, BETA, DIMENSION)

PROXIMAL_STEPS = (
    step(
        "s7",
        "proximal oracle, bias as printed (`clear`). C cancels in the first term, which needs sqrt(log(n/delta)) log n "
        ">= 2 C_bias C_ba (s7-large)",
        f"C_bias*(L/lam*(sqrt(d)/({BETA_AT}*n) + 1/sqrt(n))) <= {EPS_OPT}/(C_ba*lam*R)",
        (C_BIAS, C_BA, LIPSCHITZ, RADIUS, LAMBDA, KAPPA, *SETTING),
        given={f"{THM}/s1": (FROM_PRIVACY, FROM_ROOT), f"{THM}/s7-large": BIAS_GROWS},
        enough=("2*C_bias*C_ba <= C",),
        place=f"{PLACE}, fifth display, line 1",
        printed=r"C_{\textup{bias}}\left(\frac{L}{\lambda}\cdot\left(\frac{\sqrt{d}}{\beta n}+\frac{1}{\sqrt{n}}"
        r"\right)\right)\leq\frac{\epsilon_{\textup{opt}}}{C_{\textup{ba}}\lambda R}",
        argument=(
            *LOGS,
            Scale("C_ba*lam*kappa/L"),
            *added(
                ("C_bias*C_ba/(eps_dp*n*sqrt(log(n/delta))*log(n))", FROM_PRIVACY),
                ("1/(2*sqrt(log(n/delta))*log(n))", BIAS_GROWS),
                ("C_bias*C_ba/(C*sqrt(n))", FROM_ROOT),
                ("1/(2*C)", "2*C_bias*C_ba <= C"),
            ),
        ),
        candidates=(point("C_bias=1/2 C_ba=1 L=1 R=1 lam=1 kappa=11/10 C=1 d=1 n=1000 eps_dp=9/10 delta=1/10"),),
        mutants=(
            Mutant(
                "variant",
                "without C >= 2 C_bias C_ba",
                conditions=(FROM_PRIVACY, FROM_ROOT, BIAS_GROWS),
                candidates=(point("C_bias=1 C_ba=1 L=1 R=1 lam=1 kappa=9999 C=1 d=1 n=1e8 eps_dp=9/10 delta=1/10"),),
            ),
        ),
    ),
    step(
        "s8-bound",
        "proximal oracle, variance, first term: eps_opt = L R/kappa. For every positive beta and T_3",
        f"C_var*L**2/lam**2*(d/(beta**2*T_3**2))*{WANTED} == {FIRST}/T_3**2",
        (C_VAR, C_BA, LIPSCHITZ, RADIUS, LAMBDA, DIMENSION, BETA, T_3, K, KAPPA),
        place=f"{PLACE}, last display, line 1, equality",
        printed=r"\frac{C_{\textup{var}}L^{2}}{\lambda^{2}}\cdot\frac{d}{\beta^{2}T_{3}^{2}}\cdot"
        r"\frac{C_{\textup{ba}}^{2}\lambda^{2}R^{2}}{\epsilon_{\textup{opt}}^{2}K}=C_{\textup{var}}"
        r"C_{\textup{ba}}^{2}\cdot\frac{\kappa^{2}d}{\beta^{2}}\cdot\frac{1}{K}\cdot\frac{1}{T_{3}^{2}}",
    ),
    step(
        "s8",
        "variance, first term: at most 1/2 for the T_3 of (34). For every kappa > 1, and every K >= 1 and beta > 0",
        f"{FIRST}/{T_3_AT}**2 <= 1/2",
        LINE,
        enough=("2*C_var*C_ba**2 <= C",),
        place=f"{PLACE}, last display, line 1, inequality",
        printed=r"C_{\textup{var}}C_{\textup{ba}}^{2}\cdot\frac{\kappa^{2}d}{\beta^{2}}\cdot\frac{1}{K}\cdot"
        r"\frac{1}{T_{3}^{2}}\leq\frac{1}{2}",
        argument=(
            Scale(f"2*{T_3_AT}**2"),
            *plain(
                ("kappa**2*d/(beta**2*K)", "2*C_var*C_ba**2 <= C"),
                ("2*C*kappa**3*sqrt(d)/(sqrt(K)*beta*K) + C*kappa**4/K**2", "0 <= 1"),
            ),
        ),
        candidates=(point("C_var=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1/1000000 d=1"),),
        mutants=(
            mutant(
                "variant",
                "0.49 in place of 1/2",
                f"{FIRST}/{T_3_AT}**2 <= 0.49",
                "C_var=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1/1000000 d=1",
            ),
        ),
    ),
    step(
        "s8-second-bound",
        "variance, second term: in the same way. For every positive T_3",
        f"C_var*L**2/lam**2*(1/T_3)*{WANTED} == {SECOND}/T_3",
        (C_VAR, C_BA, LIPSCHITZ, RADIUS, LAMBDA, T_3, K, KAPPA),
        place=f"{PLACE}, last display, line 2, equality",
        printed=r"\frac{C_{\textup{var}}L^{2}}{\lambda^{2}}\cdot\frac{1}{T_{3}}\cdot\frac{C_{\textup{ba}}^{2}"
        r"\lambda^{2}R^{2}}{\epsilon_{\textup{opt}}^{2}K}=C_{\textup{var}}C_{\textup{ba}}^{2}\cdot\kappa^{2}\cdot"
        r"\frac{1}{K}\cdot\frac{1}{T_{3}}",
    ),
    step(
        "s8-second",
        "variance, second term: at most 1/2 for the T_3 of (34). For every kappa > 1, and every K >= 1 and beta > 0",
        f"{SECOND}/{T_3_AT} <= 1/2",
        LINE,
        enough=("2*C_var*C_ba**2 <= sqrt(C)",),
        place=f"{PLACE}, last display, line 2, inequality",
        printed=r"C_{\textup{var}}C_{\textup{ba}}^{2}\cdot\kappa^{2}\cdot\frac{1}{K}\cdot\frac{1}{T_{3}}\leq"
        r"\frac{1}{2}",
        argument=(
            Scale(f"2*{T_3_AT}"),
            *plain(
                ("kappa**2/K", "2*C_var*C_ba**2 <= sqrt(C)"),
                ("2*sqrt(C)*kappa*sqrt(d)/(sqrt(K)*beta)", "0 <= 1/2"),
            ),
        ),
        candidates=(point("C_var=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1000000 d=1"),),
        mutants=(
            mutant(
                "variant",
                "0.49 in place of 1/2",
                f"{SECOND}/{T_3_AT} <= 0.49",
                "C_var=1/2 C_ba=1 C=1 kappa=3 K=1 beta=1000000 d=1",
            ),
        ),
    ),
)
