"""Theorem 3.1: Noisy-ZOGD with all iterates public, all noise along the directions or all of it isotropic.

With a replaced record one step costs 2 Delta^2/(n^2 sigma^2), times d/K for isotropic noise: four times what the
printed proof has (`s1`), which O hides. The theorem holds with the constant 9/2 while rho <= log(1/delta), that is for
epsilon up to about 3 log(1/delta); for T without bound no constant will do (`large`). It needs clipping alone.
"""

from dpaudit.claims.writing import *

from .directional import DIRECTIONAL
from .isotropic import ISOTROPIC
from .ours import OURS
from .symbols import *

ORDER = f"alpha == 1 + sqrt(l/{RHO})"
EPSILON = "C*sqrt(f*Delta**2*l*T/(n**2*sigma**2)) <= eps"
REGIME = f"{RHO} <= l"
COST = renyi("one", "2*Delta/n*sqrt(f)", "sigma")
CONVERTED = simply_converted("told", "eps", "whole", "alpha")
ROOT = "(sqrt(f*T)*Delta/(n*sigma))"
AT = f"sqrt(l)/(sqrt(2)*{ROOT})*(2*{ROOT}**2*(1 + sqrt(l)/(sqrt(2)*{ROOT})) - 9/2*{ROOT}*sqrt(l))"
PLAIN = point("n=1 T=1 Delta=1 sigma=1 f=1 l=2 alpha=2 one=4 whole=4 eps=7 told=1/25")

CLAIM = Claim(
    id=HERE,
    title="Noisy-ZOGD with public iterates: epsilon is of the printed order while rho <= log(1/delta)",
    words=(
        "T steps of (3) are (eps, delta)-DP with eps = O(sqrt(f Delta^2 log(1/delta) T/(n^2 sigma^2))), f = 1 for "
        "beta_t = 0 and f = d/K for beta_t = 1, for neighbours that replace a record. Encoded: there is C such that "
        "the conversion at alpha = 1 + sqrt(l/rho) gives this eps, and so every larger one, rho = 2 f T Delta^2/(n^2 "
        "sigma^2) from s3~repaired and s5~repaired, l = log(1/delta), while rho <= l, which the paper does not say "
        "(large)."
    ),
    place="Theorem 3.1, (4)",
    printed=r"\varepsilon=O(\sqrt{\frac{\Delta^{2}\log(1/\delta)T}{n^{2}\sigma^{2}}})\;\text{when }\beta_{t}=0,\quad"
    r"\varepsilon=O(\sqrt{\frac{d\Delta^{2}\log(1/\delta)T}{Kn^{2}\sigma^{2}}})\;\text{when }\beta_{t}=1",
    kind=ClaimKind.PRIVACY,
    reads=Reads.READING,
    statement=Statement(
        "told <= exp(-l)",
        (constant("C"), *RUN, FACTOR, LOG, ALPHA, ONE, WHOLE, positive("eps"), TOLD),
        (COST, *composed("whole", "T*one"), *CONVERTED, ORDER, EPSILON, REGIME),
    ),
    origins=(Condition(REGIME, Origin.OURS), Condition(ORDER, Origin.OURS)),
    rests_on=("renyi-composition", "zeroth/FACT-RDP2DP", *ids(HERE, "s3~repaired s5~repaired")),
    argument=(
        Choose(where("C=9/2")),
        Have(f"sqrt(2)*{ROOT} <= sqrt(l)", (Power("2"), Combine((("1", REGIME),)))),
        Have(f"{AT} <= -sqrt(l)**2", (ByTheorem(f"{HERE}/conversion", at=(("r", ROOT), ("w", "sqrt(l)"))),)),
        Have(
            "(alpha - 1)*(whole - eps) <= -l",
            (
                Substitute((), where(ORDER.replace(" == ", "=").replace(" ", "")), ()),
                Combine(
                    (
                        (f"sqrt(l/{RHO})", "whole <= (T*one)"),
                        (f"T*sqrt(l/{RHO})", COST.replace("==", "<=").replace("alpha", f"1 + sqrt(l/{RHO})")),
                        (f"sqrt(l/{RHO})", EPSILON.replace("C", "9/2")),
                        ("1", f"{AT} <= -sqrt(l)**2"),
                    )
                ),
            ),
        ),
        Have(
            "exp((alpha - 1)*(whole - eps)) <= exp(-l)",
            (Logarithm(), Combine((("1", "(alpha - 1)*(whole - eps) <= -l"),))),
        ),
        Combine((("1", CONVERTED[0]), ("1", "exp((alpha - 1)*(whole - eps)) <= exp(-l)"))),
    ),
    candidates=(PLAIN,),
    mutants=(Mutant("square", "delta squared", "told <= exp(-2*l)", candidates=(PLAIN,)),),
    steps=(*DIRECTIONAL, *ISOTROPIC, *OURS),
)
