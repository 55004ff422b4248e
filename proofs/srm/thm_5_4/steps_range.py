"""What n0 must be: s4 needs n0 >= 1 (s4-exact), (2.6) n0 >= 1/2 (s7-half, s7-exact). Neither is stated, and n0 =
L D_F/G^2 may be small."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_descent import AT_THE_MINIMUM, THIRD, WHERE_N0
from .steps_rule import ABOVE, BELOW, LONG_RULE, ONE_STEP, RATE, SHORT_RULE
from .symbols import *

AT_BEST = "grad_F - (1 - 2*zeta/norm(v_p))*v_p"
"""The worst gradient of the long steps is where this is 0."""

RANGE_STEPS = (
    step(
        "s4-exact",
        "for every n0 < 1 the display of s4 fails where F = L theta^2/2 near theta^t = 0, 0 < |v_p| <= 2 zeta: F "
        "grows by |v_p|^2/(8 n0^2 L), and what is allowed is |v_p|^2/(4 n0 L) - |v_p|^2/(8 n0 L)",
        "norm(v_p)**2/(4*n0*L) - norm(v_p)**2/(8*n0*L) < norm(v_p)**2/(8*n0**2*L)",
        (SMOOTH, real("n0", "(0, 1)", "step-size divisor"), ESTIMATE),
        ("0 < norm(v_p)",),
        reads=Reads.OURS,
        argument=(Combine(terms=(("norm(v_p)**2/(8*n0**2*L)", "n0 < 1"),)),),
        mutants=(
            Mutant(
                "one",
                "n0 = 1 too",
                symbols=(SMOOTH, real("n0", "(0, 1]"), ESTIMATE),
                candidates=(point("L=1 n0=1 v_p=(1,)"),),
            ),
        ),
    ),
    step(
        "s7-exact",
        "for every n0 < 1/2 (2.6) fails there, for |v_p| = 2 zeta: F grows by zeta^2/(2 n0^2 L), and what is allowed "
        "is 4 zeta^2/(4 n0 L) - 2 zeta^2/(4 n0 L) + zeta^2/(2 n0 L)",
        "4*zeta**2/(4*n0*L) - 2*zeta**2/(4*n0*L) + zeta**2/(2*n0*L) < zeta**2/(2*n0**2*L)",
        (SMOOTH, ZETA, real("n0", "(0, 1/2)", "step-size divisor")),
        reads=Reads.OURS,
        argument=(Combine(terms=(("zeta**2/(n0**2*L)", "n0 < 1/2"),)),),
        mutants=(
            Mutant(
                "half",
                "n0 = 1/2 too",
                symbols=(SMOOTH, ZETA, real("n0", "(0, 1/2]")),
                candidates=(point("L=1 zeta=1 n0=1/2"),),
            ),
        ),
    ),
    step(
        "s7-half",
        "(2.6) from the third display, without s4: n0 >= 1/2 is enough",
        ONE_STEP,
        (NOW, NEXT, SMOOTH, ZETA, DIVISOR, GRADIENT, ESTIMATE),
        ("0 < norm(v_p)",),
        given={f"{HERE}/s2": THIRD.replace("eta", RATE)},
        ours=("1/2 <= n0",),
        reads=Reads.OURS,
        place="(2.6)",
        rests_on=(f"{HERE}/s3", f"{HERE}/s3-update"),
        argument=(
            Cases(
                (
                    (
                        BELOW,
                        (
                            SHORT_RULE,
                            Combine(
                                terms=(
                                    ("1", THIRD.replace("eta", RATE)),
                                    ("norm(grad_F)**2/(4*n0*L)", "0 <= 1"),
                                    ("norm(v_p)**2/(4*n0**2*L)", "1/2 <= n0"),
                                    ("zeta/(4*n0*L)", BELOW),
                                )
                            ),
                        ),
                    ),
                    (
                        "otherwise",
                        (
                            LONG_RULE,
                            Combine(
                                terms=(
                                    ("1", THIRD.replace("eta", RATE)),
                                    (
                                        "1/(4*n0*L)",
                                        f"0 <= dot({AT_BEST}, {AT_BEST})",
                                    ),
                                    ("3*zeta/(4*n0*L)", ABOVE),
                                    ("zeta**2/(n0**2*L)", "1/2 <= n0"),
                                )
                            ),
                        ),
                    ),
                )
            ),
        ),
        mutants=(
            Mutant(
                "divisor",
                "n0 >= 49/100",
                conditions=("0 < norm(v_p)", THIRD.replace("eta", RATE), "49/100 <= n0"),
                candidates=(point("L=1 n0=49/100 zeta=1 grad_F=(0,) v_p=(2,) F_now=0 F_next=5000/2401"),),
            ),
        ),
    ),
    erratum(
        "s7-range",
        "(2.6) for n0 = L D_F/G^2, the choice of the theorem, whatever its size",
        ONE_STEP,
        (NOW, NEXT, LIPSCHITZ, SMOOTH, GAP, DIVISOR, ZETA, ETA, GRADIENT, ESTIMATE),
        ("0 < norm(v_p)", RULE, "n0 == L*D_F/G**2"),
        given={f"{HERE}/s2": THIRD},
        reads=Reads.GAP,
        place="(2.6)",
        rests_on=(f"{HERE}/s3", f"{HERE}/s3-update"),
        candidates=(AT_THE_MINIMUM,),
        finding=(
            f"{WHERE_N0}In the example of s4-range F grows by 1/8, and (2.6) allows 1/32. With n0 >= 1/2 (2.6) holds "
            "(s7-half)."
        ),
        repair=f"{HERE}/s7-half",
    ),
)
