"""(2.7) and (2.14) together: (2.15) and (2.16) (s19 to s22). The printed combination loses a factor 2 of the term in
gamma G^2; its display holds all the same for n0 >= 1, by the slack of s6, s10 and s16 (s19-display), so that nothing
after it has to change."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_recursion import PARAMETERS, SUMMED
from .symbols import *

DESCENT = "zeta/(4*n0*L)*sum_v <= D_F + sum_e/(4*n0*L) + T*zeta**2/(2*n0*L)"
COMBINED = (
    "zeta/(4*n0*L)*sum_v <= D_F + T*(1 - gamma)**2*zeta**2/(2*n0**3*L*gamma*b) + T*gamma*G**2/(4*L*n0*b)"
    " + (T*d*sigma**2 + d*sigma0**2)/(4*n0*L*gamma) + G**2/(4*L*gamma*n0*b0) + T*zeta**2/(2*n0*L)"
)
TWICE = COMBINED.replace("T*gamma*G**2/(4*L*n0*b)", "T*gamma*G**2/(2*L*n0*b)")


def rest(gamma="gamma", b="b", b0="b0"):
    """What (2.15) has beside multiples of zeta, for these values of gamma, b and b0."""
    return (
        f"2*zeta/(n0**2*{gamma}*{b}) + {gamma}*G**2/(zeta*{b}) + (d*sigma**2 + d*sigma0**2/T)/(zeta*{gamma})"
        f" + G**2/(T*zeta*{gamma}*{b0})"
    )


def roots(gamma="gamma", b="b", b0="b0"):
    """The right side of (2.16)."""
    return (
        f"sqrt(2)*zeta/(n0*sqrt({gamma}*{b})) + sqrt(2*{gamma})*G/sqrt({b})"
        f" + (sqrt(d)*sigma + sqrt(d)*sigma0/sqrt(T))/sqrt({gamma}) + G/sqrt(T*{gamma}*{b0})"
    )


REST, ROOTS = rest(), roots()
FIRST_LINE = f"mean_v <= 4*n0*L/(T*zeta)*D_F + {REST} + 2*zeta"
SECOND_LINE = f"mean_v <= 6*zeta + {REST}"
DISPLAY = (
    r"\frac{\zeta}{4n_0L} \sum_{t=0}^{T-1} \mathbb{E} \left\| \mathbf{v}_p^t \right\|_2 \leq "
    r"F(\boldsymbol{\theta}^0) - F(\boldsymbol{\theta}^*) + \frac{T(1-\gamma)^2\zeta^2}{2n_0^3L\gamma b} + "
    r"\frac{T\gamma G^2}{4Ln_0b} + \frac{Td\sigma^2 + d\sigma_0^2}{4n_0L\gamma} + \frac{G^2}{4L\gamma n_0b_0} + "
    r"\frac{T\zeta^2}{2n_0L}"
)
"""The display before (2.15), from end to end."""
LAST_STEP = "T == floor(4*n0*L*D_F/zeta**2) + 1"
EVERYTHING = (*PARAMETERS, SMOOTH, GAP)
ALL_ONE = point("T=1 gamma=1 zeta=1 n0=1 G=1 d=1 sigma=1 sigma0=1 b=1 b0=1 L=1 D_F=1 sum_v=11 sum_e=5")
CROSS = (
    "2*(sqrt(2)*zeta/(n0*sqrt(gamma*b)))*(sqrt(2*gamma)*G/sqrt(b))"
    " + 2*(sqrt(2)*zeta/(n0*sqrt(gamma*b)) + sqrt(2*gamma)*G/sqrt(b))"
    "*((sqrt(d)*sigma + sqrt(d)*sigma0/sqrt(T))/sqrt(gamma) + G/sqrt(T*gamma*b0))"
    " + 2*(sqrt(d)*sigma + sqrt(d)*sigma0/sqrt(T))/sqrt(gamma)*G/sqrt(T*gamma*b0)"
    " + 2*sqrt(d)*sigma*sqrt(d)*sigma0/sqrt(T)/gamma"
)

COMBINATION_STEPS = (
    erratum(
        "s19",
        "combining (2.7) and (2.14): (zeta/(4 n0 L)) times the sum of E|v_p^t| is at most D_F + T (1 - gamma)^2 "
        "zeta^2/(2 n0^3 L gamma b) + T gamma G^2/(4 L n0 b) + (T d sigma^2 + d sigma0^2)/(4 n0 L gamma) + G^2/(4 L "
        "gamma n0 b0) + T zeta^2/(2 n0 L)",
        COMBINED,
        (*EVERYTHING, SUM_V, SUM_E),
        given={f"{HERE}/s8-minimum": DESCENT, f"{HERE}/s18": SUMMED},
        reads=Reads.REASON,
        printed=DISPLAY,
        place="display before (2.15)",
        candidates=(ALL_ONE,),
        finding=(
            "1/(4 n0 L) times the term 2 T gamma G^2/b of (2.14) is T gamma G^2/(2 L n0 b): a factor 2 is lost here, "
            "and the term gamma G^2/(zeta b) of (2.15), (2.17) inherits it. No harm: the display itself holds for n0 "
            ">= 1, since s6, s10 and s16 give more than they say (s19-display); and with the factor (s19-combined) the "
            "constant of (2.18) is 13.72 in place of 12.30, still below 15 (s24-combined)."
        ),
        repair=f"{HERE}/s19-combined",
    ),
    step(
        "s19-combined",
        "what (2.7) and (2.14) give: T gamma G^2/(2 L n0 b) in place of T gamma G^2/(4 L n0 b)",
        TWICE,
        (*EVERYTHING, SUM_V, SUM_E),
        given={f"{HERE}/s8-minimum": DESCENT, f"{HERE}/s18": SUMMED},
        reads=Reads.OURS,
        place="display before (2.15)",
        argument=(Combine(terms=(("1", DESCENT), ("1/(4*n0*L)", SUMMED))),),
        mutants=(Mutant("printed", "the printed coefficient", COMBINED, candidates=(ALL_ONE,)),),
        tightness=(
            Tightness(
                "gradients",
                "1",
                COMBINED.replace("T*gamma*G**2/(4*L*n0*b)", "{c}*T*gamma*G**2/(4*L*n0*b)"),
                "2",
                "199/100",
                candidates=(ALL_ONE,),
            ),
        ),
    ),
    step(
        "s20",
        "(2.15), first line: times 4 n0 L/(T zeta), with (1 - gamma)^2 <= 1",
        FIRST_LINE,
        (*EVERYTHING, SUM_V, MEAN_V),
        ("mean_v == sum_v/T",),
        given={f"{HERE}/s19-display": COMBINED},
        printed=r"\frac{1}{T} \sum_{t=0}^{T-1} \mathbb{E} \left\| \mathbf{v}_p^t \right\|_2 \leq \frac{4n_0 L}{T\zeta} "
        r"\left(F(\boldsymbol{\theta}^0) - F(\boldsymbol{\theta}^*) \right) + \frac{2\zeta}{n_0^2 \gamma b} + "
        r"\frac{\gamma G^2}{\zeta b} + \frac{d\sigma^2 + d\sigma_0^2/T}{\zeta \gamma} + \frac{G^2}{T\zeta \gamma "
        r"b_0} + 2\zeta",
        place="(2.15), first line",
        argument=(
            Combine(
                terms=(
                    ("1", "mean_v <= sum_v/T"),
                    ("4*n0*L/(T*zeta)", COMBINED),
                    ("2*zeta/(n0**2*b)*(2 - gamma)", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "half",
                "zeta in place of 2 zeta",
                f"mean_v <= 4*n0*L/(T*zeta)*D_F + {REST} + zeta",
                "T=1 gamma=1/2 zeta=1 n0=1 G=1 d=1 sigma=1 sigma0=1 b=100 b0=1 L=1 D_F=1 sum_v=12 mean_v=12",
            ),
        ),
    ),
    step(
        "s21",
        "(2.15), second line: 4 n0 L D_F/(T zeta) <= zeta by T = floor(4 n0 L D_F/zeta^2) + 1, so that 3 zeta is "
        "enough (the text gives this reason for the first line)",
        SECOND_LINE,
        (*EVERYTHING, MEAN_V),
        (LAST_STEP,),
        given={f"{HERE}/s20": FIRST_LINE},
        printed=r"\frac{4n_0 L}{T\zeta} \left(F(\boldsymbol{\theta}^0) - F(\boldsymbol{\theta}^*) \right) + "
        r"\frac{2\zeta}{n_0^2 \gamma b} + \frac{\gamma G^2}{\zeta b} + \frac{d\sigma^2 + d\sigma_0^2/T}{\zeta \gamma} "
        r"+ \frac{G^2}{T\zeta \gamma b_0} + 2\zeta \leq 6\zeta + \frac{2\zeta}{n_0^2 \gamma b} + \frac{\gamma "
        r"G^2}{\zeta b} + \frac{d\sigma^2 + d\sigma_0^2/T}{\zeta \gamma} + \frac{G^2}{T\zeta \gamma b_0}",
        place="(2.15), second line",
        argument=(
            Combine(
                terms=(
                    ("1", FIRST_LINE),
                    ("zeta/T", "4*n0*L*D_F/zeta**2 < floor(4*n0*L*D_F/zeta**2) + 1"),
                    ("zeta/T", "floor(4*n0*L*D_F/zeta**2) + 1 <= T"),
                    ("3*zeta", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "constant",
                "5/2 in place of 6",
                f"mean_v <= 5/2*zeta + {REST}",
                "T=1000 gamma=1 zeta=1 n0=1 G=1 d=1 sigma=1 sigma0=1 b=1 b0=1 L=1 D_F=1999/8 mean_v=7",
            ),
        ),
        tightness=(
            Tightness(
                "constant",
                "6",
                f"mean_v <= {{c}}*zeta + {REST}",
                "3",
                "299/100",
                argument=(
                    Combine(
                        terms=(
                            ("1", FIRST_LINE),
                            ("zeta/T", "4*n0*L*D_F/zeta**2 < floor(4*n0*L*D_F/zeta**2) + 1"),
                            ("zeta/T", "floor(4*n0*L*D_F/zeta**2) + 1 <= T"),
                        )
                    ),
                ),
                candidates=(
                    point("T=1000 gamma=1 zeta=1 n0=1 G=1 d=1 sigma=1 sigma0=1 b=1 b0=1 L=1 D_F=1999/8 mean_v=7"),
                ),
            ),
        ),
    ),
    step(
        "s22-mean",
        "the square of the mean of E|grad F(theta^t) - v_p^t| is at most the mean of the mean square errors, by "
        "induction over T: S is the sum of the first T means, u the next one, u^2 <= e by Jensen's inequality",
        "(S + u)**2 <= (T + 1)*(sum_e + e)",
        (
            STEPS,
            SUM_E,
            real("S", "[0, oo)", "sum of E|grad F(theta^t) - v_p^t| over t < T"),
            real("u", "[0, oo)", "E|grad F(theta^T) - v_p^T|"),
            real("e", "[0, oo)", "E|grad F(theta^T) - v_p^T|^2"),
        ),
        ("S**2 <= T*sum_e", "u**2 <= e"),
        kind=ClaimKind.INDUCTION,
        reads=Reads.REASON,
        place="(2.16), the reason given for it",
        printed=r"\text{according to (2.14) and Jensen's inequality}",
        rests_on=("jensen",),
        argument=(
            Combine(terms=(("1 + 1/T", "S**2 <= T*sum_e"), ("T + 1", "u**2 <= e"), ("1/T", "0 <= (S - T*u)**2"))),
        ),
        mutants=(mutant("count", "T in place of T + 1", "(S + u)**2 <= T*(sum_e + e)", "T=1 sum_e=1 S=1 u=1 e=1"),),
    ),
    step(
        "s22",
        "(2.16): by Jensen's inequality, twice, the mean of E|grad F(theta^t) - v_p^t| is at most the root of (2.14) "
        "over T, and the root of a sum at most the sum of the roots (read sqrt(d) sigma and sqrt(2 gamma) G)",
        f"mean_e <= {ROOTS}",
        (*PARAMETERS, SUM_E, MEAN_E),
        given={f"{HERE}/s18": SUMMED, f"{HERE}/s22-mean": "mean_e**2 <= sum_e/T"},
        printed=r"\frac{1}{T}\sum_{t=0}^{T-1} \mathbb{E} \left\|\nabla F(\boldsymbol{\theta}^t) - "
        r"\mathbf{v}_p^t\right\|_2 \le \frac{\sqrt{2}\zeta}{n_0\sqrt{\gamma b}} + \frac{\sqrt{2\gamma}G}{\sqrt{b}} + "
        r"\frac{\sqrt{d}\sigma + \sqrt{d}\sigma_0/\sqrt{T}}{\sqrt{\gamma}} + \frac{G}{\sqrt{T\gamma b_0}}",
        place="(2.16)",
        argument=(
            Power("2"),
            Combine(
                terms=(
                    ("1", "mean_e**2 <= sum_e/T"),
                    ("1/T", SUMMED),
                    ("2*zeta**2*(2 - gamma)/(n0**2*b)", "0 <= 1"),
                    (CROSS, "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "root",
                "1 in place of the root of 2 in the second term",
                f"mean_e <= {ROOTS.replace('sqrt(2*gamma)', 'sqrt(gamma)/4')}",
                "T=1 gamma=1 zeta=1/100 n0=1 G=1 d=1 sigma=1/100 sigma0=1/100 b=1 b0=10000 sum_e=2 mean_e=7/5",
            ),
        ),
    ),
)
