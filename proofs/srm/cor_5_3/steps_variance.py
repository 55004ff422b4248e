"""The variance, and tau alpha (1 + sigma'^2) against 1/3. Steps s1 to s5."""

from dpaudit.claims.writing import *

from .notation import LIPSCHITZ, RECORDS
from .symbols import *

NOISE = "(14*T*alpha*G**2/(1/2*n**2*eps))"
"""sigma_0^2 of (2.3) with beta = 1/2."""
SLIP = (
    "From (2.3) and Delta_0 = 2 G/b0 sigma'^2 = 3.5 T alpha b^2/(beta n^2 eps), which is 7 alpha here: the slip of "
    "Theorem 5.1's proof (7 for 3.5) comes back. The corollary survives: s2 has 8 in place of 15, and the last line "
    "14 alpha/3 in place of 28 alpha/3, which is still above alpha - 1."
)

BY_14 = Bound(
    left=SIMPLE,
    argument=(Combine(terms=((f"sqrt(eps/T)*{ORDER}", AT_MOST_14), (f"sqrt(eps/T)*{ORDER}*2*Lam/eps", "0 <= 1"))),),
)
"""(i) and (ii) of the display: at most 15 tau alpha^2, where sigma'^2 <= 14 alpha."""

VARIANCE_STEPS = (
    erratum(
        "s1",
        "sigma'^2 = 7 T alpha b^2/(beta n^2 eps) = 14 alpha, with beta = 1/2 and b^2 = n^2 eps/T. Encoded: "
        "sigma_0^2/Delta_0^2 with the noise of (2.3) and Delta_0 = 2 G/b, b = n sqrt(eps/T)",
        f"{NOISE}/(2*G/(n*sqrt(eps/T)))**2 == 14*alpha",
        (ALPHA, RECORDS, STEPS, EPS, LIPSCHITZ),
        place="Section 2.2, first paragraph",
        printed=r"\sigma'^2 = 7T\alpha b^2/(\beta n^2\epsilon) = 14\alpha",
        candidates=(point("alpha=2 n=1 T=1 eps=1 G=1"),),
        finding=SLIP,
        repair=f"{COR}/s1~repaired",
    ),
    step(
        "s1~repaired",
        "sigma'^2 = sigma_0^2/Delta_0^2 = 7 alpha",
        f"{NOISE}/(2*G/(n*sqrt(eps/T)))**2 == 7*alpha",
        (ALPHA, RECORDS, STEPS, EPS, LIPSCHITZ),
    ),
    step(
        "s2",
        "tau alpha (1 + sigma'^2) <= 15 tau alpha^2 for sigma'^2 = 14 alpha",
        f"{crowding('14*alpha')} <= 15*tau*alpha**2",
        (ALPHA, TAU),
        given={f"{COR}/s1": ""},
        expects=Outcome.CONSISTENT,
        place="the display of Section 2.2, (i)",
        printed=r"\tau\alpha(1+\sigma'^2) \stackrel{(i)}{\le} 15\tau\alpha^2",
        argument=(Combine(terms=(("tau*alpha", "1 < alpha"),)),),
        mutants=(mutant("constant", "14", f"{crowding('14*alpha')} <= 14*tau*alpha**2", "alpha=2 tau=1"),),
    ),
    step(
        "s2~repaired",
        "tau alpha (1 + sigma'^2) <= 8 tau alpha^2 for sigma'^2 = 7 alpha, so that 15 is more than enough",
        f"{crowding('7*alpha')} <= 8*tau*alpha**2",
        (ALPHA, TAU),
        argument=(Combine(terms=(("tau*alpha", "1 < alpha"),)),),
        mutants=(mutant("constant", "7", f"{crowding('7*alpha')} <= 7*tau*alpha**2", "alpha=2 tau=1"),),
    ),
    step(
        "s3",
        "15 tau alpha^2 = 15 (2 log(1/delta)/eps + 1)^2 sqrt(eps/T), by tau = b/n = sqrt(eps/T) and eps = 2 "
        "log(1/delta)/(alpha - 1)",
        "15*sqrt(eps/T)*alpha**2 == 15*(2*(eps*(alpha - 1)/2)/eps + 1)**2*sqrt(eps/T)",
        (ALPHA, EPS, STEPS),
        place="the display of Section 2.2, (ii)",
        printed=r"15\tau\alpha^2 \stackrel{(ii)}{=} 15 \left(2\log(1/\delta)/\epsilon + 1\right)^2 \sqrt{\epsilon/T}",
    ),
    step(
        "s4",
        "for eps <= 2 log(1/delta) tau alpha (1 + sigma'^2) <= 1/3 if T is larger than C log^4(1/delta)/eps^3: C = "
        "720^2 is enough, as alpha <= 4 log(1/delta)/eps. Encoded: for any sigma'^2 of at most 14 alpha, the printed "
        "value; it is 7 alpha (s1~repaired)",
        f"{CROWDED} <= 1/3",
        (EPS, LOG, STEPS, VARIANCE),
        (SMALL_EPS,),
        given={f"{COR}/s1~repaired": AT_MOST_14},
        enough=(FIRST_T,),
        place="Section 2.2, after the display",
        printed=r"\tau\alpha(1+\sigma'^2) \le 1/3 \text{ if } T \text{ is larger than } O(\log^4(1/\delta)/\epsilon^3)",
        candidates=(point("eps=1 Lam=1 T=1000000 sigma2=42"),),
        argument=(
            BY_14,
            Power("2"),
            Rewrite(left=f"225*{ORDER}**4*eps/T", right="1/9"),
            Have(f"{ORDER} <= 4*Lam/eps", (Scale("eps"), Combine(terms=(("1", SMALL_EPS),)))),
            Have(
                f"{ORDER}**4 <= (4*Lam/eps)**4",
                (Power("1/4"), Combine(terms=(("1", f"{ORDER} <= 4*Lam/eps"),))),
            ),
            Scale("9*T"),
            Combine(terms=(("2025*eps", f"{ORDER}**4 <= (4*Lam/eps)**4"), ("1", FIRST_T))),
        ),
        mutants=(
            Mutant(
                "constant",
                "690^2",
                conditions=(SMALL_EPS, AT_MOST_14, "690**2*Lam**4/eps**3 <= T"),
                candidates=(point("eps=2 Lam=1 T=119025/2 sigma2=28"),),
            ),
            Mutant(
                "power",
                "log^2(1/delta)/eps",
                conditions=(SMALL_EPS, AT_MOST_14, "720**2*Lam**2/eps <= T"),
                candidates=(point("eps=1/100 Lam=1 T=51840000 sigma2=2814"),),
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s5",
        "for eps > 2 log(1/delta) it is at most 1/3 if T is larger than C eps: C = 180^2 is enough, as alpha < 2. "
        "Encoded: as s4",
        f"{CROWDED} <= 1/3",
        (EPS, LOG, STEPS, VARIANCE),
        (LARGE_EPS,),
        given={f"{COR}/s1~repaired": AT_MOST_14},
        enough=(SECOND_T,),
        place="Section 2.2, after the display",
        printed=r"\tau\alpha(1+\sigma'^2) \le 1/3 \text{ if } T \text{ is larger than } O(\epsilon)",
        candidates=(point("eps=2 Lam=1/2 T=100000 sigma2=21"),),
        argument=(
            BY_14,
            Power("2"),
            Rewrite(left=f"225*{ORDER}**4*eps/T", right="1/9"),
            Have(f"{ORDER} <= 2", (Scale("eps"), Combine(terms=(("1", LARGE_EPS),)))),
            Have(f"{ORDER}**4 <= 16", (Power("1/4"), Combine(terms=(("1", f"{ORDER} <= 2"),)))),
            Scale("9*T"),
            Combine(terms=(("2025*eps", f"{ORDER}**4 <= 16"), ("1", SECOND_T))),
        ),
        mutants=(
            Mutant(
                "constant",
                "170^2",
                conditions=(LARGE_EPS, AT_MOST_14, "170**2*eps <= T"),
                candidates=(point("eps=2 Lam=9999/10000 T=57800 sigma2=279/10"),),
            ),
        ),
    ),
)
