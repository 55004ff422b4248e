"""The second line of (2.20), and (2.21): steps s27 and s28, with constants that are written out."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *
from .terms import *

LINE_1 = line_1("C_1", "C_2")
S27 = ("4*C_1", "4*C_1", "(C_2 + C_1/2)", "(sqrt(C_2) + sqrt(C_1/2))**2")
BY_26 = f"mean_g <= {LINE_1}"
BY_27 = f"mean_g <= {line_2('C_3', 'C_4', 'C_5', 'C_6')}"
FLOOR_AT = point("G=1 L=1 D_F=1 n=1 d=1 T=1601 zeta=1/200 n0=1/100 eps=1 delta=1/2 C_1=58 C_2=10 mean_g=6400000")

BOUND = (
    step(
        "s27",
        "T = floor(4 n0 L D_F/zeta^2) + 1 put in: the second line of (2.20), for every C_1 and C_2, those of "
        "s26~repaired among them, with C_3 = C_4 = 4 C_1, C_5 = C_2 + C_1/2 and sqrt C_6 = sqrt C_2 + sqrt(C_1/2); "
        "gamma <= 1 is needed, for the 1 in T",
        f"mean_g <= {line_2(*S27)}",
        (
            *(LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, STEPS, ZETA, DIVISOR, EPS, DELTA, MEAN_G),
            *(positive("C_1"), positive("C_2")),
        ),
        (STEPS_OF, NEEDED),
        given={"srm/THM-5.4/s26~repaired": BY_26},
        place="(2.20), second line",
        printed=(
            r"\leq 15\zeta + \frac{C_{3}LD_{F}Gd\log(1/\delta)}{n^{2}\epsilon^{2}\zeta^{2}} + \frac{"
            r"\sqrt{C_{4}GLD_{F}d\log(1/\delta)}}"
            r"{n\epsilon\sqrt{\zeta}} + \frac{C_{5}n_{0}dG^{3}\log(1/\delta)}{n^{2}\epsilon^{2}\zeta^{2}} + "
            r"\frac{\sqrt{C_{6}n_{0}dG^{3}\log(1/\delta)}}{n\epsilon\sqrt{\zeta}}"
        ),
        argument=(
            Bound(left=LINE_1, argument=(Combine((("1", BY_26),)),)),
            Have("T <= 4*n0*L*D_F/zeta**2 + 1"),
            Have("sqrt(T) <= 2*sqrt(n0*L*D_F)/zeta + 1", (Power("2"),)),
            Have("sqrt(2)*zeta <= n0*G"),
            Substitute(
                roots(
                    *(real("t", "[1, oo)", "sqrt(T)"), positive("k", "sqrt(n0)"), positive("l", "sqrt(L D_F)")),
                    *(positive("p", "sqrt(C_1)"), positive("q", "sqrt(C_2)")),
                ),
                where(f"{ROOTS_AT} T=t**2 n0=k**2 L=l**2/D_F C_1=p**2 C_2=q**2"),
                where(f"{ROOTS} t=sqrt(T) k=sqrt(n0) l=sqrt(L*D_F) p=sqrt(C_1) q=sqrt(C_2)"),
            ),
            Have("t**2 <= 4*k**2*l**2/z**4 + 1"),
            Have("t <= 2*k*l/z**2 + 1"),
            Rewrite(
                left=(
                    "15*z**2 + (p*t*e*h*w/(k*n*eps))**2 + p*t*z*e*h*w/(k*n*eps)"
                    " + (q*e*k*h**3*w/(z**2*n*eps))**2 + q*k*e*h**3*w/(z*n*eps)"
                ),
                right=(
                    "15*z**2 + 4*(p*l*h*e*w/(z**2*n*eps))**2 + 2*p*h*l*e*w/(z*n*eps)"
                    " + (q**2 + p**2/2)*(k*e*h**3*w/(z**2*n*eps))**2 + (q + p/sqrt(2))*k*e*h**3*w/(z*n*eps)"
                ),
            ),
            Combine(
                (
                    ("(p*e*h*w/(k*n*eps))**2", "t**2 <= 4*k**2*l**2/z**4 + 1"),
                    ("p*z*e*h*w/(k*n*eps)", "t <= 2*k*l/z**2 + 1"),
                    ("(p*e*h*w/(k*z**2*n*eps))**2/2*(k**2*h**2 + sqrt(2)*z**2)", "sqrt(2)*z**2 <= k**2*h**2"),
                    ("p/sqrt(2)*e*h*w/(z*k*n*eps)", "sqrt(2)*z**2 <= k**2*h**2"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "no-one",
                "C_5 = C_6 = C_2: as if T were at most 4 n0 L D_F/zeta^2",
                f"mean_g <= {line_2('4*C_1', '4*C_1', 'C_2', 'C_2')}",
                candidates=(
                    point("G=1 L=1 D_F=1/100 n=1 d=1 T=1 zeta=7/10 n0=1 eps=1 delta=1/2 C_1=58 C_2=10 mean_g=50"),
                ),
                own_sentence=True,
            ),
            Mutant(
                "four",
                "3.9 C_1",
                f"mean_g <= {line_2('3.9*C_1', '3.9*C_1', *S27[2:])}",
                candidates=(FLOOR_AT,),
                own_sentence=True,
            ),
            Mutant(
                "momentum",
                "gamma = 2 sqrt 2",
                conditions=(STEPS_OF, BY_26),
                candidates=(
                    point("G=1 L=1 D_F=1/1000 n=1 d=1 T=1 zeta=1/50 n0=1/100 eps=1 delta=1/2 C_1=58 C_2=9 mean_g=4000"),
                ),
            ),
        ),
        tightness=(
            Tightness(
                "C_3",
                "an absolute constant",
                f"mean_g <= {line_2('{c}', '{c}', *S27[2:])}",
                S27[0],
                "3.9*C_1",
                candidates=(FLOOR_AT,),
            ),
        ),
    ),
    step(
        "s28",
        "n0 = (L D_F/G^2)(G/zeta)^kappa put in: (2.21), for every C_3 to C_6, with C_7 = C_3 + C_5 and C_8 = sqrt C_4 "
        "+ sqrt C_6. Of G >= 1 and zeta <= 1 only zeta <= G is used, which scaling F turns into both. G^(kappa/2) "
        "stands outside of the radical, as in (2.22)",
        f"mean_g <= {line_3('(C_3 + C_5)', '(sqrt(C_4) + sqrt(C_6))')}",
        (
            MEAN_G,
            LIPSCHITZ,
            SMOOTH,
            GAP,
            RECORDS,
            DIMENSION,
            ZETA,
            KAPPA,
            EPS,
            DELTA,
            *(positive(f"C_{i}") for i in (3, 4, 5, 6)),
        ),
        ("1 <= G", "zeta <= 1"),
        given={"srm/THM-5.4/s27": BY_27.replace("n0", DIVISOR_OF)},
        place="(2.21)",
        printed=(
            r"\mathbb{E}\|\nabla F(\widetilde{\theta})\|_{2} \leq 15\zeta + \frac{C_{7}LD_{F}Gd\log(1/\delta)G^{"
            r"\kappa}}"
            r"{n^{2}\epsilon^{2}\zeta^{2+\kappa}} + \frac{C_{8}\sqrt{GLD_{F}d\log(1/\delta)}G^{\frac{\kappa}{2}}}"
            r"{n\epsilon\zeta^{\frac{1+\kappa}{2}}}"
        ),
        argument=(
            Bound(
                left=line_2("C_3", "C_4", "C_5", "C_6").replace("n0", DIVISOR_OF),
                argument=(Combine((("1", BY_27.replace("n0", DIVISOR_OF)),)),),
            ),
            Have("0 <= log(G/zeta)/2"),
            Substitute(
                (
                    real("e", "[1, oo)", "sqrt(d)"),
                    positive("z", "sqrt(zeta)"),
                    real("y", "[0, oo)", "log(G/zeta)/2"),
                    positive("w", "sqrt(log(1/delta))"),
                    positive("l", "sqrt(L D_F)"),
                    positive("p", "sqrt(C_4)"),
                    positive("q", "sqrt(C_6)"),
                ),
                where("d=e**2 zeta=z**2 G=z**2*exp(2*y) delta=exp(-w**2) L=l**2/D_F C_4=p**2 C_6=q**2"),
                where(
                    "e=sqrt(d) z=sqrt(zeta) y=log(G/zeta)/2 w=sqrt(log(1/delta)) l=sqrt(L*D_F) p=sqrt(C_4) q=sqrt(C_6)"
                ),
            ),
            Rewrite(
                left=(
                    "15*z**2 + C_3*(l*e*w*exp(y)/(z*n*eps))**2 + p*l*e*w*exp(y)/(n*eps) + "
                    "C_5*(l*e*w*exp(y)/(z*n*eps))**2*exp(2*kappa*y) + q*l*e*w*exp(y)/(n*eps)*exp(kappa*y)"
                ),
                right=(
                    "15*z**2 + (C_3 + C_5)*(l*e*w*exp(y)/(z*n*eps))**2*exp(2*kappa*y) + (p + "
                    "q)*l*e*w*exp(y)/(n*eps)*exp(kappa*y)"
                ),
            ),
            Have("1 <= exp(kappa*y)"),
            Have("1 <= exp(2*kappa*y)"),
            Combine(
                (
                    ("C_3*(l*e*w*exp(y)/(z*n*eps))**2", "1 <= exp(2*kappa*y)"),
                    ("p*l*e*w*exp(y)/(n*eps)", "1 <= exp(kappa*y)"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "no-limit",
                "zeta above G",
                conditions=("1 <= G", BY_27.replace("n0", DIVISOR_OF)),
                candidates=(
                    point("G=1 L=1 D_F=1 n=1 d=1 zeta=2 kappa=1 eps=1 delta=1/2 C_3=9 C_4=9 C_5=1/9 C_6=1/9 mean_g=33"),
                ),
            ),
            Mutant(
                "exponent",
                "zeta^(1 + kappa) in the second term",
                "mean_g <= "
                f"{line_3('(C_3 + C_5)', '(sqrt(C_4) + sqrt(C_6))').replace('zeta**(2 + kappa)', 'zeta**(1 + kappa)')}",
                candidates=(
                    point("G=1 L=1 D_F=1 n=1 d=1 zeta=1/10 kappa=0 eps=1 delta=1/2 C_3=9 C_4=9 C_5=9 C_6=9 mean_g=900"),
                ),
            ),
        ),
    ),
)
