"""The privacy conditions of Theorem 5.1 for the parameters of Theorem 5.4: where they fail, and what repairs them.

`fails`: with the zeta of (2.22), kappa = 0, the order condition fails for every beta once n eps is large, whatever C_9
and C_12 are; large is n eps >= (C_9^5/14)^3 (L D_F/G^2)^8 d^5/log(1/delta).

The repair: both conditions hold, at beta = 1/2, for every zeta that is not too small, zeta^5 >= 6720 e G^7
log^2(1/delta)/(L D_F (n eps)^3), and not too large (`conditions~repaired`). For the zeta of (2.22) that is a window of
n. It is empty where C_9^3 (L D_F/G^2)^2 d is at most 32.9 log(1/delta)/sqrt(eps) (`nowhere`), and not where that is
large: for C_9 = 1 it has the point `window-point`. With the larger of this least zeta and that of (2.22) the
conditions hold for all large n, and the bound (2.21) is C_10 zeta (`rate~repaired`): the rate is (n eps)^(-3/5) in the
place of (n eps)^(-2/3). Whether Theorem 5.4 is private at its own rate by another accountant than Lemma 3.7 is not
decided here.
"""

from dpaudit.claims.writing import *

from .growth import FROM_BELOW, GROWN, GROWTH, chosen
from .notation import *
from .nowhere import NOWHERE
from .repaired_rate import REPAIRED_RATE
from .sizes import SIZES
from .steps_conditions import CHOSEN, RATE_OF
from .terms import *
from .window import WINDOW

VARIANCE_OF = f"({FIRST_BATCH_OF}**2*sigma0**2/(4*G**2))"
"""sigma'^2."""
NOISE_0 = f"14*{STEPS_0}*G**2*{LAM}/(n**2*eps**2) <= sigma0**2"
LARGE = f"(C_9**5/14)**3*(L*D_F/G**2)**8*d**5/{LAM} <= n*eps"
CUBED = f"(14/C_9**5)**3*G**16*{LAM}*n*eps/((L*D_F)**8*d**5)"


TRUE_VARIANCE = f"(7/2*{FIRST_BATCH_OF}**2*{STEPS_0}*{ORDER}/(beta*n**2*eps))"
"""sigma'^2 from (2.2) and (2.3), and from (2.4) and (2.5)."""
ORDER_CONDITION = chosen(f"{ORDER} - 1 <= 2*{TRUE_VARIANCE}*log(1/({RATE_OF}*{ORDER}*(1 + {TRUE_VARIANCE})))/3")
OPPOSITE = chosen(f"2*{VARIANCE_OF}*log(1/({RATE_OF}*{ORDER}*(1 + {VARIANCE_OF})))/3 < {ORDER} - 1")
MANY = point("G=1 L=1 D_F=1 n=10000000 d=1 beta=1/2 eps=1 delta=1/3 C_9=1")

FAILS = (
    step(
        "fails",
        "for n eps >= (C_9^5/14)^3 (L D_F/G^2)^8 d^5/log(1/delta) the order condition fails, for every beta: tau "
        "alpha (1 + sigma'^2) > 1, so that the logarithm is not positive. The noise is that of (2.19) or of Theorem "
        "5.1 (s25-least). So for every C_12 it fails for all n >= C_12 G^8 log^2(1/delta)/((L D_F d)^4 eps) from some "
        "n on",
        OPPOSITE,
        (*CHOSEN, FIRST_SIGMA),
        given={"srm/THM-5.4/s25-least": chosen(NOISE_0)},
        ours=(LARGE,),
        argument=(
            Have(
                chosen(f"{FROM_BELOW} <= {RATE_OF}*{ORDER}*{VARIANCE_OF}"),
                (ByTheorem("srm/THM-5.4/s37~repaired", at=(("zeta", ACCURACY_0),)),),
            ),
            Have(f"{GROWTH} <= {chosen(FROM_BELOW)}", (ByTheorem("srm/THM-5.4/growth"),)),
            Have(f"1 <= {CUBED}", (Combine(((f"(14/C_9**5)**3*G**16*{LAM}/((L*D_F)**8*d**5)", LARGE),)),)),
            Have(
                f"1 <= {GROWTH}",
                (
                    Power("3"),
                    Combine(
                        (
                            ("1/(1 - beta)**3", f"1 <= {CUBED}"),
                            ("beta*((1 - beta)**2 + (1 - beta) + 1)/(1 - beta)**3", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Have(
                chosen(f"1 <= {RATE_OF}*{ORDER}*{VARIANCE_OF}"),
                (
                    Combine(
                        (
                            ("1", chosen(f"{FROM_BELOW} <= {RATE_OF}*{ORDER}*{VARIANCE_OF}")),
                            ("1", f"{GROWTH} <= {chosen(FROM_BELOW)}"),
                            ("1", f"1 <= {GROWTH}"),
                        )
                    ),
                ),
            ),
            Have(chosen(f"0 < {RATE_OF}")),
            Have(chosen(f"0 < {FIRST_BATCH_OF}")),
            Have(f"1 < {ORDER}"),
            Name("tau", chosen(RATE_OF)),
            Name("b0", chosen(FIRST_BATCH_OF)),
            Have("0 < b0**2*sigma0**2/(4*G**2)"),
            Name("variance", "b0**2*sigma0**2/(4*G**2)"),
            Name("alpha", ORDER),
            Have(
                "0 <= log(tau*alpha*(1 + variance))",
                (
                    Combine(
                        (
                            ("1", "log(1/(tau*alpha*(1 + variance))) <= 1/(tau*alpha*(1 + variance)) - 1"),
                            ("1/(tau*alpha*(1 + variance))", "1 <= tau*alpha*variance"),
                            ("1/(1 + variance)", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Combine((("2/3*variance", "0 <= log(tau*alpha*(1 + variance))"), ("1", "1 < alpha"))),
        ),
        mutants=(
            Mutant(
                "any-n",
                "for every n",
                conditions=(chosen(NOISE_0),),
                candidates=(
                    point("G=1 L=1 D_F=1 n=64000000000 d=100000 beta=1/2 eps=1 delta=1/100000 C_9=1 sigma0=1/8081"),
                ),
            ),
        ),
    ),
    erratum(
        "s41-large-n",
        "the order condition is satisfied given large enough n: for n >= C_12 G^8 log^2(1/delta)/((L D_F d)^4 eps), "
        "some beta, and sigma'^2 from T, b0 and (2.3) of the paper, 3.5 b0^2 T alpha/(beta n^2 eps)",
        ORDER_CONDITION,
        (*CHOSEN, positive("C_12")),
        (SMALL_EPS, f"C_12*G**8*{LAM}**2/((L*D_F*d)**4*eps) <= n"),
        place='after (2.25): "can be satisfied under our choice of parameters given large enough n"',
        printed=(
            r"\alpha - 1 = \log(1/\delta)/((1-\beta)\epsilon) \le 2\sigma'^2 \log(1/(\tau\alpha(1+\sigma'^2)))/3 "
            r"\Leftarrow n \ge C_{12}"
            r" \frac{G^8 \log^2(1/\delta)}{(LD_F d)^4 \epsilon}"
        ),
        candidates=((*MANY, ("C_12", "1000000")),),
        finding=(
            "False for every C_12, and for every beta: as n grows, tau alpha sigma'^2 grows like (n eps)^(1/3) "
            "(growth), so the logarithm becomes negative (fails). What holds is a window of n, which is empty for "
            "C_9^3 (L D_F/G^2)^2 d <= 32.9 log(1/delta)/sqrt(eps) (nowhere) and not for much larger values "
            "(window-low, window-high, window-point). So Theorem 5.4 has no privacy by Theorem 5.1 for large n. With "
            "a larger zeta the conditions hold for all large n, at the rate (n eps)^(-3/5) (conditions~repaired, "
            "rate~repaired, large-n)."
        ),
        repair="srm/THM-5.4/conditions~repaired",
    ),
)

OURS = (*GROWN, *FAILS, *NOWHERE, *WINDOW, *REPAIRED_RATE, *SIZES)
