"""The noise in the bound, (2.19) to (2.21), steps s25 to s28. Here the first line of (2.20), s26.

It follows with constants that are written out here, with (2.19) as printed (s26) and with the true noise
(s26~repaired).
"""

from dpaudit.claims.writing import *

from .notation import *
from .steps_bound import BOUND
from .steps_divisor import DIVISOR_SIZE
from .steps_lost import LOST_NOISE
from .symbols import *
from .terms import *

# s26: d = e^2, T = t^2, zeta = z^2, G = h^2, gamma = g^2, log(1/delta) = w^2.
PARTS = (
    f"d*sigma**2/(zeta*{MOMENTUM}) + sqrt(d)*sigma/sqrt({MOMENTUM})"
    f" + d*sigma0**2/(T*zeta*{MOMENTUM}) + sqrt(d)*sigma0/sqrt(T*{MOMENTUM})"
)
BY_24 = f"mean_g <= 15*zeta + {PARTS}"
"""(2.18)."""
LATER_ROOT, FIRST_ROOT = "t*w*g**2*h**2*(1 - g**2 + sqrt(2))/(sqrt(2)*n*eps)", "t*w*h**2/(n*eps)"


def first_line(name, words, factor, sources, sizes, **rest):
    """(2.18) with a noise of at most `factor` times (2.19): the first line of (2.20), its constants times `factor`."""
    c_1, c_2, c = (text.replace("14", f"{14 * factor}", 1) for text in (C_1, C_2, "14"))
    root = f"sqrt({c})"
    worst = point(f"G=1 n=1 d=1 T=1000000000000 zeta=1/1000 n0=1 eps=1 delta=1/2 {sizes}")
    later, first = (text.replace("14", f"{14 * factor}", 1) for text in (NOISE_219, FIRST_NOISE_219))
    bounds = (f"sigma**2 <= {later}", f"sigma0**2 <= {first}")
    noise = dict(zip(sources, bounds, strict=True)) if len(sources) == 2 else {sources[0]: bounds}
    return step(
        name,
        words,
        f"mean_g <= {line_1(c_1, c_2)}",
        (LIPSCHITZ, RECORDS, DIMENSION, STEPS, ZETA, DIVISOR, SIGMA, FIRST_SIGMA, EPS, DELTA, MEAN_G),
        (NEEDED,),
        given={"srm/THM-5.4/s24": BY_24, **noise},
        place="(2.20), first line",
        argument=(
            Bound(left=f"15*zeta + {PARTS}", argument=(Combine((("1", BY_24),)),)),
            Have("sqrt(sqrt(2)*zeta/(n0*G)) <= 1", (Power("2"),)),
            Substitute(
                roots(real("g", "(0, 1]", "sqrt(gamma)"), real("t", "[1, oo)", "sqrt(T)")),
                where(f"{ROOTS_AT} T=t**2 n0=sqrt(2)*z**2/(g**2*h**2)"),
                where(f"{ROOTS} g=sqrt(sqrt(2)*zeta/(n0*G)) t=sqrt(T)"),
            ),
            Have(f"sigma**2 <= {c}*({LATER_ROOT})**2"),
            Have(f"sigma0**2 <= {c}*({FIRST_ROOT})**2"),
            Have(f"sigma <= {root}*{LATER_ROOT}", (Power("2"),)),
            Have(f"sigma0 <= {root}*{FIRST_ROOT}", (Power("2"),)),
            Rewrite(
                left=(
                    "15*z**2 + e**2*sigma**2/(z**2*g**2) + e*sigma/g + e**2*sigma0**2/(t**2*z**2*g**2) + e*sigma0/(t*g)"
                ),
                right=(
                    f"15*z**2 + {c}*(e*t*w*g*h**2*(1 + sqrt(2)))**2/(2*z**2*n**2*eps**2)"
                    f" + {root}*e*t*w*g*h**2*(1 + sqrt(2))/(sqrt(2)*n*eps)"
                    f" + {c}*(e*w*h**2/(z*g*n*eps))**2 + {root}*e*w*h**2/(g*n*eps)"
                ),
            ),
            Combine(
                (
                    ("e**2/(z**2*g**2)", f"sigma**2 <= {c}*({LATER_ROOT})**2"),
                    ("e/g", f"sigma <= {root}*{LATER_ROOT}"),
                    ("e**2/(t**2*z**2*g**2)", f"sigma0**2 <= {c}*({FIRST_ROOT})**2"),
                    ("e/(t*g)", f"sigma0 <= {root}*{FIRST_ROOT}"),
                    (f"{c}*(e*t*w*g**2*h**2/(z*n*eps))**2/2*(1 + 2*sqrt(2))", "0 <= 1"),
                    (f"{root}*e*t*w*g**3*h**2/(sqrt(2)*n*eps)", "0 <= 1"),
                    (f"{c}*(e*t*w*g**2*h**2/(z*n*eps))**2/2*(1 + g)", "g <= 1"),
                ),
                because="(1 - gamma) + sqrt(2) <= 1 + sqrt(2)",
            ),
        ),
        mutants=(
            Mutant(
                "first",
                "C_1 smaller by 1 in 100",
                f"mean_g <= {line_1(f'99/100*{c_1}', c_2)}",
                candidates=(worst,),
                own_sentence=True,
            ),
        ),
        tightness=(
            Tightness(
                "C_1",
                "an absolute constant",
                f"mean_g <= {line_1('{c}', c_2)}",
                c_1,
                f"99/100*{c_1}",
                candidates=(worst,),
            ),
        ),
        **rest,
    )


NOISE = (
    *LOST_NOISE,
    first_line(
        "s26",
        "(2.19), or less noise, put into (2.18): the first line of (2.20), with C_1 = 14 (1 + sqrt "
        "2)^2/sqrt 2 and C_2 = 14/sqrt 2; the radical of the third term covers T zeta d G log(1/delta)",
        1,
        ("srm/THM-5.4/s25", "srm/THM-5.4/s25-first"),
        "sigma=7516 sigma0=3115134 mean_g=39900000000000",
        expects=Outcome.CONSISTENT,
        printed=(
            r"\mathbb{E} \|\nabla F(\widetilde{\theta})\|_{2} \leq 15\zeta + \frac{C_{1}TdG\log(1/"
            r"\delta)}{n_{0}n^{2}\epsilon^{2}} + "
            r"\frac{\sqrt{C_{1}T\zeta dG\log(1/\delta)}}{n\epsilon\sqrt{n_{0}}} + \frac{C_{2}dn_{0}G^{3}\log(1/\delta)}"
            r"{n^{2}\epsilon^{2}\zeta^{2}} + \frac{\sqrt{C_{2}n_{0}dG^{3}\log(1/\delta)}}{n\epsilon\sqrt{\zeta}}"
        ),
    ),
    first_line(
        "s26~repaired",
        "the noise (2.3), (2.5) at beta = 1/2 put into (2.18), eps <= log(1/delta): the same with C_1 and C_2 six "
        "times as large",
        6,
        ("srm/THM-5.4/s25~repaired",),
        "sigma=18410 sigma0=7630489 mean_g=239000000000000",
    ),
    *BOUND,
    *DIVISOR_SIZE,
)
