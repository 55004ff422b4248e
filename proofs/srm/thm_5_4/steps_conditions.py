"""The order condition of Theorem 5.1, "for large enough n": steps s36 to s41, at kappa = 0.

The proof needs tau alpha sigma'^2 to be small. It takes for sigma'^2 what the chain before (2.24) had left of it, a
lower bound that is smaller by a factor b0 (s37). With sigma'^2 itself tau alpha sigma'^2 grows like (n eps)^(1/3),
where the paper has it fall like (n eps)^(-1/3), and the condition fails for all large n: see `ours_conditions`.
"""

from dpaudit.claims.writing import *

from .notation import *
from .steps_solved import SOLVED, VARIANCE_SYMBOL
from .terms import *

INNER = "tau*alpha*(1 + variance)"
SYMBOLS_36 = (TAU, ALPHA, VARIANCE_SYMBOL)
RATE_OF = "(G**3/(n*zeta*L*D_F))"
"""tau = b0/n."""
PRINTED_37 = f"{RATE_OF}*(({LAM} + (1 - beta)*eps)/((1 - beta)*eps))*(14*G*L*D_F*{LAM}/(zeta**3*n**2*eps**2))"
LINE_38 = f"28*G**4*{LAM}**2/((1 - beta)*n**3*eps**3*zeta**4)"
LINE_39 = f"(G**4*{LAM}**2/(n*eps)**3*(n*eps)**(8/3)/(G*L*D_F*d*{LAM})**(4/3))"
TRUE_37 = f"{RATE_OF}*{ORDER}*(14*{FIRST_BATCH_OF}**2*{STEPS_0}*{LAM}/(4*n**2*eps**2))"
"""tau alpha sigma'^2 with the noise of (2.19)."""
SYMBOLS = (LIPSCHITZ, SMOOTH, GAP, RECORDS, ZETA, BETA, EPS, DELTA)
CHOSEN = (LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, BETA, EPS, DELTA, ANY_9)
CONDITIONS = (
    step(
        "s36",
        "sigma'^2 >= 0.7 gives (2/3) sigma'^2 log(1/(tau alpha (1 + sigma'^2))) >= 0.4 log(1/(tau alpha (1 + "
        "sigma'^2))). Read as it is used: the requirement alpha - 1 <= (2/3) sigma'^2 log(.) holds where alpha - 1 <= "
        "0.4 log(.) does, and there the logarithm is positive",
        f"alpha - 1 <= 2*variance*log(1/({INNER}))/3",
        SYMBOLS_36,
        (f"alpha - 1 <= 0.4*log(1/({INNER}))",),
        reads=Reads.READING,
        place="after (2.25), first inequality",
        printed=(
            r"2\sigma'^2 \log(1/(\tau\alpha(1+\sigma'^2)))/3 \ge 0.4 \log(1/(\tau\alpha(1+\sigma'^2))) \ge 0.4 "
            r"\log(1/(3\tau\alpha\sigma'^2))"
        ),
        argument=(
            Have("1 < alpha"),
            Have(
                f"0 <= log(1/({INNER}))",
                (Combine((("5/2", f"alpha - 1 <= 0.4*log(1/({INNER}))"), ("5/2", "1 < alpha"))),),
            ),
            Combine(
                (
                    ("1", f"alpha - 1 <= 0.4*log(1/({INNER}))"),
                    ("2/3*variance - 2/5", f"0 <= log(1/({INNER}))"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "condition",
                "without the inequality for 0.4 log(.)",
                conditions=(),
                candidates=(point("tau=1 alpha=2 variance=2"),),
            ),
            Mutant(
                "constant",
                "0.5 in place of 0.4",
                conditions=(f"alpha - 1 <= 0.5*log(1/({INNER}))",),
                candidates=(point("tau=1/25 alpha=2 variance=7/10"),),
            ),
        ),
    ),
    step(
        "s36-second",
        "and 0.4 log(1/(tau alpha (1 + sigma'^2))) >= 0.4 log(1/(3 tau alpha sigma'^2))",
        f"0.4*log(1/(3*tau*alpha*variance)) <= 0.4*log(1/({INNER}))",
        SYMBOLS_36,
        place="after (2.25), second inequality",
        printed=r"0.4 \log(1/(\tau\alpha(1+\sigma'^2))) \ge 0.4 \log(1/(3\tau\alpha\sigma'^2))",
        argument=(
            Have(
                "log((1 + variance)/(3*variance)) <= 0",
                (
                    Combine(
                        (
                            ("1", "log((1 + variance)/(3*variance)) <= (1 + variance)/(3*variance) - 1"),
                            ("2/(3*variance)", "7/10 <= variance"),
                            ("2/15/variance", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Combine((("2/5", "log((1 + variance)/(3*variance)) <= 0"),)),
        ),
        mutants=(
            mutant(
                "constant",
                "2 in place of 3",
                f"0.4*log(1/(2*tau*alpha*variance)) <= 0.4*log(1/({INNER}))",
                "tau=1/100 alpha=2 variance=7/10",
            ),
        ),
    ),
    erratum(
        "s37",
        "tau alpha sigma'^2 = (G^3/(n zeta L D_F)) ((log(1/delta) + (1-beta) eps)/((1-beta) eps)) 14 G L D_F "
        "log(1/delta)/(zeta^3 n^2 eps^2). Left: tau = b0/n, alpha of Theorem 5.1, and sigma'^2 = b0^2 sigma_0^2/(4 "
        "G^2) with (2.19), b0 and T of the paper",
        f"{TRUE_37} == {PRINTED_37}",
        SYMBOLS,
        place="after (2.25), first line of the display",
        printed=(
            r"\tau \alpha \sigma'^2 = \frac{G^3}{n\zeta LD_F} \cdot \frac{\log(1/\delta) + (1-\beta)\epsilon}{(1-"
            r"\beta)\epsilon} \cdot "
            r"\frac{14GLD_F \log(1/\delta)}{\zeta^3 n^2 \epsilon^2}"
        ),
        candidates=(point("G=1 L=1 D_F=1 n=100 zeta=1/10 beta=1/2 eps=1 delta=1/3"),),
        finding=(
            "An upper bound on tau alpha sigma'^2 is needed; what stands for sigma'^2 is the last line of the chain "
            "before (2.24), a lower bound that b0^2 >= b0 has made smaller by b0 = G^3/(zeta L D_F), which grows like "
            "n^(2/3). The left side is larger by b0 or more (s37~repaired). For d > 20/C_9^3 it is also at odds with "
            "sigma'^2 >= 0.7, which the line before uses: with (2.22) this sigma'^2 is 14/(C_9^3 d) (s33-choice). The "
            "conclusion falls with it: tau alpha sigma'^2 grows like (n eps)^(1/3) (growth), and for every C_12 the "
            "condition on alpha fails for all large n (every-constant)."
        ),
        repair="srm/THM-5.4/s37~repaired",
    ),
    step(
        "s37~repaired",
        "tau alpha sigma'^2 is at least b0 = G^3/(zeta L D_F) times what is printed, for every beta, with the noise "
        "of (2.19) or of Theorem 5.1, which is larger (s25-least)",
        f"{FIRST_BATCH_OF}*{PRINTED_37} <= {RATE_OF}*{ORDER}*({FIRST_BATCH_OF}**2*sigma0**2/(4*G**2))",
        (LIPSCHITZ, SMOOTH, GAP, RECORDS, ZETA, BETA, EPS, DELTA, FIRST_SIGMA),
        given={"srm/THM-5.4/s25-least": f"14*{STEPS_0}*G**2*{LAM}/(n**2*eps**2) <= sigma0**2"},
        argument=(
            Have(f"4*L**2*D_F**2/(G**2*zeta**2) <= {STEPS_0}"),
            Combine(
                (
                    (
                        f"{RATE_OF}*{ORDER}*{FIRST_BATCH_OF}**2/(4*G**2)",
                        f"14*{STEPS_0}*G**2*{LAM}/(n**2*eps**2) <= sigma0**2",
                    ),
                    (
                        f"{RATE_OF}*{ORDER}*{FIRST_BATCH_OF}**2*14*{LAM}/(4*n**2*eps**2)",
                        f"4*L**2*D_F**2/(G**2*zeta**2) <= {STEPS_0}",
                    ),
                )
            ),
        ),
        mutants=(
            Mutant(
                "half",
                "the noise halved",
                conditions=(f"14*{STEPS_0}*G**2*{LAM}/(4*n**2*eps**2) <= sigma0**2",),
                candidates=(point("G=1 L=1 D_F=1 n=1 zeta=1/10 beta=1/2 eps=1 delta=1/2 sigma0=32"),),
            ),
        ),
    ),
    step(
        "s38",
        "for eps <= log(1/delta) the line of s37 is at most 28 G^4 log^2(1/delta)/((1-beta) n^3 eps^3 zeta^4)",
        f"{PRINTED_37} <= {LINE_38}",
        SYMBOLS,
        (SMALL_EPS,),
        place="after (2.25), second line of the display",
        printed=r"\leq \frac{28G^4 \log^2(1/\delta)}{(1-\beta)n^3 \epsilon^3 \zeta^4}",
        argument=(
            Have(f"(1 - beta)*eps <= {LAM}", (Combine((("1", SMALL_EPS), ("beta*eps", "0 <= 1"))),)),
            Combine(((f"14*G**4*{LAM}/((1 - beta)*n**3*eps**3*zeta**4)", f"(1 - beta)*eps <= {LAM}"),)),
        ),
        mutants=(
            Mutant(
                "range",
                "eps <= 9 log(1/delta)",
                conditions=(f"eps <= 9*{LAM}",),
                candidates=(point("G=1 L=1 D_F=1 n=1 zeta=1 beta=1/2 eps=6 delta=1/2"),),
            ),
        ),
        tightness=(
            Tightness(
                "factor",
                "28",
                f"{PRINTED_37} <= {LINE_38.replace('28', '{c}')}",
                "28",
                "27",
                candidates=(point("G=1 L=1 D_F=1 n=1 zeta=1 beta=1/1000 eps=69/100 delta=1/2"),),
            ),
        ),
    ),
    step(
        "s39",
        "with zeta of (2.22), kappa = 0, that is at most C_11 (G^4 log^2(1/delta)/(n eps)^3) (n eps)^(8/3)/(G L D_F d "
        "log(1/delta))^(4/3), for C_11 >= 28/((1 - beta) C_9^4)",
        f"{LINE_38.replace('zeta', ACCURACY_0)} <= C_11*{LINE_39}",
        (*CHOSEN, positive("C_11")),
        enough=("28/((1 - beta)*C_9**4) <= C_11",),
        place="after (2.25), third line of the display",
        printed=(
            r"\frac{28G^4 \log^2(1/\delta)}{(1-\beta)n^3 \epsilon^3 \zeta^4} \leq C_{11} \frac{G^4 "
            r"\log^2(1/\delta)}{(n\epsilon)^3} \cdot \frac{(n\epsilon)^{8/3}}{(GLD_F d \log(1/\delta))^{4/3}}"
        ),
        argument=(
            Bound(
                right=f"28/((1 - beta)*C_9**4)*{LINE_39}",
                argument=(Combine(((LINE_39, "28/((1 - beta)*C_9**4) <= C_11"),)),),
            ),
            Substitute((positive("w", f"sqrt({LAM})"),), where("delta=exp(-w**2)"), where(f"w=sqrt({LAM})")),
            Identical(),
        ),
        mutants=(
            Mutant(
                "constant",
                "27 in place of 28",
                conditions=("27/((1 - beta)*C_9**4) <= C_11",),
                candidates=(point("G=1 L=1 D_F=1 n=1 d=1 beta=1/2 eps=1 delta=1/2 C_9=1 C_11=54"),),
            ),
        ),
    ),
    step(
        "s39-last",
        "and the third line is C_11 G^(8/3) log^(2/3)(1/delta)/((n eps)^(1/3) (L D_F d)^(4/3))",
        f"C_11*{LINE_39} == C_11*G**(8/3)*{LAM}**(2/3)/((n*eps)**(1/3)*(L*D_F*d)**(4/3))",
        (LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, EPS, DELTA, positive("C_11")),
        place="after (2.25), fourth line of the display",
        printed=(
            r"C_{11} \frac{G^4 \log^2(1/\delta)}{(n\epsilon)^3} \cdot \frac{(n\epsilon)^{8/3}}{(GLD_F d "
            r"\log(1/\delta))^{4/3}} = C_{11} \frac{G^{8/3} \log^{2/3}(1/\delta)}{(n\epsilon)^{1/3} (LD_F d)^{4/3}}"
        ),
        argument=(
            Substitute((positive("w", LAM),), where("delta=exp(-w)"), where(f"w={LAM}")),
            Identical(),
        ),
    ),
    *SOLVED,
)
