"""The true order of tau alpha sigma'^2 for the zeta of (2.22), kappa = 0: (n eps)^(1/3), from below and from above."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_conditions import CHOSEN, PRINTED_37, RATE_OF, TRUE_37
from .terms import *
from .window import STEPS_FROM

GROWTH = f"14*G**(16/3)*{LAM}**(1/3)*(n*eps)**(1/3)/((1 - beta)*C_9**5*(L*D_F)**(8/3)*d**(5/3))"
FROM_BELOW = f"{FIRST_BATCH_OF}*{PRINTED_37}"
PRODUCT = f"{RATE_OF}*{HALVES}*(7*{FIRST_BATCH_OF}**2*{STEPS_0}*{HALVES}/(n**2*eps))"
"""tau alpha sigma'^2 at beta = 1/2, from (2.2) and (2.3)."""

ROOT_OF_MANY = "ceil(1+2*C_9+1/C_9+C_11*C_9**5)"
"""N: the display fails for n = N^3, where G, L, D_F, d, eps and log(1/delta) are 1."""


def chosen(text):
    """With zeta of (2.22), kappa = 0."""
    return text.replace("zeta", ACCURACY_0)


LAWFUL = tuple(chosen(text) for text in ("sqrt(2)*G*zeta <= L*D_F", f"1 <= {FIRST_BATCH_OF}", f"{FIRST_BATCH_OF} <= n"))
"""gamma <= 1, which the paper asks for, and 1 <= b0 <= n."""

GROWN = (
    step(
        "growth",
        "with zeta of (2.22) the lower bound of s37~repaired on tau alpha sigma'^2 grows like (n eps)^(1/3)",
        f"{GROWTH} <= {chosen(FROM_BELOW)}",
        CHOSEN,
        argument=(
            Substitute((positive("w", f"sqrt({LAM})"),), where("delta=exp(-w**2)"), where(f"w=sqrt({LAM})")),
            Substitute(
                (positive("a"),),
                where("L=(a**3*n*eps)**2/(G*D_F*d*w**2)"),
                where("a=(sqrt(G*L*D_F*d*w**2)/(n*eps))**(1/3)"),
            ),
        ),
        mutants=(
            Mutant(
                "power",
                "d^(4/3) in place of d^(5/3)",
                f"{GROWTH.replace('d**(5/3)', 'd**(4/3)')} <= {chosen(FROM_BELOW)}",
                candidates=(point("G=1 L=1 D_F=1 n=1 d=8 beta=1/2 eps=1/100 delta=1/2 C_9=1"),),
            ),
        ),
    ),
    step(
        "growth-above",
        "and that is its true order: at beta = 1/2, with sigma'^2 = 7 b0^2 T alpha/(n^2 eps), tau alpha sigma'^2 is "
        "at most 504 G^(16/3) log^(1/3)(1/delta) (n eps)^(1/3)/(C_9^5 (L D_F)^(8/3) d^(5/3))",
        chosen(PRODUCT) + f" <= 504*G**(16/3)*{LAM}**(1/3)*(n*eps)**(1/3)/(C_9**5*(L*D_F)**(8/3)*d**(5/3))",
        (LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, EPS, DELTA, ANY_9),
        (SMALL_EPS, chosen("G*zeta <= 2*L*D_F")),
        argument=(
            Bound(
                left=chosen(f"504*G**7*{LAM}**2/(L*D_F*(n*eps)**3*zeta**5)"),
                by="srm/THM-5.4/product-any-zeta",
                at=(("zeta", ACCURACY_0),),
            ),
            *CUBE_ROOT,
        ),
        mutants=(
            Mutant(
                "constant",
                "50 in the place of 504",
                chosen(PRODUCT) + f" <= 50*G**(16/3)*{LAM}**(1/3)*(n*eps)**(1/3)/(C_9**5*(L*D_F)**(8/3)*d**(5/3))",
                candidates=(point("G=1 L=1 D_F=1 n=1000000 d=1 eps=69/100 delta=1/2 C_9=1"),),
            ),
        ),
    ),
    step(
        "product-any-zeta",
        "the same for any zeta: at most 504 G^7 log^2(1/delta)/(L D_F (n eps)^3 zeta^5)",
        f"{PRODUCT} <= 504*G**7*{LAM}**2/(L*D_F*(n*eps)**3*zeta**5)",
        (LIPSCHITZ, SMOOTH, GAP, RECORDS, ZETA, EPS, DELTA),
        (SMALL_EPS, "G*zeta <= 2*L*D_F"),
        argument=(
            Have(f"{STEPS_0} <= {STEPS_FROM} + 1"),
            Have(f"1 <= {STEPS_FROM}", (Combine((("(2*L*D_F + G*zeta)/(G*zeta)**2", "G*zeta <= 2*L*D_F"),)),)),
            Have(f"{HALVES} <= 3*{LAM}/eps", (Combine((("1/eps", SMALL_EPS),)),)),
            Have(f"0 < {LAM}"),
            Name("lam", LAM),
            Name("T", STEPS_0),
            Have(
                "(2*lam/eps + 1)**2 <= 9*lam**2/eps**2", (Combine((("5*lam/eps + 1", "2*lam/eps + 1 <= 3*lam/eps"),)),)
            ),
            Combine(
                (
                    ("7*G**9*(2*lam/eps + 1)**2/((zeta*L*D_F)**3*n**3*eps)", f"T <= {STEPS_FROM} + 1"),
                    ("7*G**9*(2*lam/eps + 1)**2/((zeta*L*D_F)**3*n**3*eps)", f"1 <= {STEPS_FROM}"),
                    ("56*G**7/(L*D_F*zeta**5*n**3*eps)", "(2*lam/eps + 1)**2 <= 9*lam**2/eps**2"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "constant",
                "200 in the place of 504",
                f"{PRODUCT} <= 200*G**7*{LAM}**2/(L*D_F*(n*eps)**3*zeta**5)",
                candidates=(point("G=1 L=1 D_F=1 n=1 zeta=1/10 eps=69/100 delta=1/2"),),
            ),
        ),
    ),
    erratum(
        "s39-bound",
        "the display as a whole: there are beta, C_9 and C_11 with tau alpha sigma'^2 <= C_11 G^(8/3) "
        "log^(2/3)(1/delta)/((n eps)^(1/3) (L D_F d)^(4/3)), where gamma <= 1 and 1 <= b0 <= n; sigma'^2 as in s37",
        chosen(TRUE_37) + f" <= C_11*G**(8/3)*{LAM}**(2/3)/((n*eps)**(1/3)*(L*D_F*d)**(4/3))",
        (
            *(LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, constant("beta", "(0, 1)"), EPS, DELTA),
            *(constant("C_9"), constant("C_11")),
        ),
        (SMALL_EPS, *LAWFUL),
        place="after (2.25), first display, from end to end",
        printed=(
            r"\tau \alpha \sigma'^2 \leq C_{11} \frac{G^{8/3} \log^{2/3}(1/\delta)}{(n\epsilon)^{1/3} (LD_F d)^{4/3}}"
        ),
        argument=(
            ForEvery(
                where(f"G=1 L=1 D_F=1 n={ROOT_OF_MANY}**3 d=1 eps=1 delta=exp(-1)"),
                (
                    Have(f"1 <= {ROOT_OF_MANY}"),
                    Have(f"C_11*C_9**5 <= {ROOT_OF_MANY}"),
                    Name("N", ROOT_OF_MANY),
                    Have("4*N**4/C_9**2 <= floor(4*N**4/C_9**2) + 1"),
                    Combine(
                        (
                            ("7/2*(1/(1 - beta) + 1)/(N**3*C_9**3)", "4*N**4/C_9**2 <= floor(4*N**4/C_9**2) + 1"),
                            ("1/(N*C_9**5)", "C_11*C_9**5 <= N"),
                            ("1/C_9**5", "1 <= N"),
                            ("(13 + 14/(1 - beta))*N/C_9**5", "0 < 1"),
                        )
                    ),
                ),
                because="the left side is at least 28 N/C_9^5 for n = N^3, the right side C_11/N",
            ),
        ),
        finding=(
            "The exponent of n eps has the wrong sign, since s37 is false: tau alpha sigma'^2 is of the order (n "
            "eps)^(1/3) (growth, growth-above). For every C_11 and C_9 the bound fails once n eps is large "
            "(s39-every). The order condition, which needs this quantity below 1, falls with it (s41-large-n)."
        ),
        repair="srm/THM-5.4/growth-above",
    ),
    step(
        "s39-every",
        "for every C_11 and C_9 the bound of the display is below the lower bound of growth once (n eps)^(2/3) is "
        "large",
        f"C_11*G**(8/3)*{LAM}**(2/3)/((n*eps)**(1/3)*(L*D_F*d)**(4/3)) < {GROWTH}",
        (*CHOSEN, positive("C_11", "any constant")),
        ours=(f"C_11*C_9**5*(L*D_F)**(4/3)*d**(1/3)*{LAM}**(1/3)/(14*G**(8/3)) < (n*eps)**(2/3)",),
        reads=Reads.OURS,
        argument=(
            Substitute((positive("w", LAM),), where("delta=exp(-w)"), where(f"w={LAM}")),
            Combine(
                (
                    (
                        "14*G**(16/3)*w**(1/3)/((n*eps)**(1/3)*C_9**5*(L*D_F)**(8/3)*d**(5/3))",
                        "C_11*C_9**5*(L*D_F)**(4/3)*d**(1/3)*w**(1/3)/(14*G**(8/3)) < (n*eps)**(2/3)",
                    ),
                    ("beta/(1 - beta)*14*G**(16/3)*w**(1/3)*(n*eps)**(1/3)/(C_9**5*(L*D_F)**(8/3)*d**(5/3))", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "any-n",
                "for every n",
                conditions=(),
                candidates=(point("G=1 L=1 D_F=1 n=1 d=1 beta=1/2 eps=1 delta=1/2 C_9=1 C_11=100"),),
            ),
        ),
    ),
)
