"""The privacy of line searches and ball oracles, each."""

from dpaudit.claims.writing import *

from .symbols import *

P_Q = "(p**2/h + q**2/h**2)"
ORACLE_STEPS = (
    stated(
        "s11",
        (
            "Proposition 10 at T_1: C_priv u (beta v T/n)^2 alpha with u = log(1/zeta), v the other logarithm, both "
            "at most 2 log(n/delta)"
        ),
        "Cp*w*u*(b*v*T/n)**2 <= 8*w*Cp*b**2*T**2*D**3/n**2",
        "Cp w u v b T n D",
        ("u <= 2*D",),
        given={"resque/THM-3/s11-log": "v <= 2*D"},
        argument=added(("4*D**2*w*Cp*b**2*T**2/n**2", "u <= 2*D"), ("u*(2*D + v)*w*Cp*b**2*T**2/n**2", "v <= 2*D")),
        kind=ClaimKind.PRIVACY,
        mutant=(
            "constant",
            "Cp*w*u*(b*v*T/n)**2 <= 7.9*w*Cp*b**2*T**2*D**3/n**2",
            (point("Cp=1 w=1 u=5 v=5 b=1 T=1 n=2 D=5/2"),),
        ),
    ),
    stated(
        "s11-log",
        "log((18 C_ba K log kappa/delta) log(T/zeta)) <= 2 log(n/delta), by K <= 3 n^(2/3), log kappa <= log n/2, "
        "log(T/zeta) <= 4 log n, C_ba <= C <= sqrt(n), from log n = 12 on",
        "18*c*(3*exp(2*N/3))*(N/2)*(4*N) <= exp(2*N)",
        "c N",
        enough=("c <= exp(N/2)", "12 <= N"),
        argument=(
            Bound(left="108*exp(7*N/6)*N**2", argument=added(("108*exp(2*N/3)*N**2", "c <= exp(N/2)"))),
            Logarithm(),
            Rewrite(left="log(108) + 7*N/6 + 2*log(N)", right="2*N"),
            Bound(
                left="log(108) + 7*N/6 + 2*(N/12 + log(12) - 1)",
                argument=(
                    Shift("-log(108) - 7*N/6"),
                    Rewrite(left="2*log(N)", right="2*(N/12 + log(12) - 1)"),
                    Tangent("N", "12"),
                ),
            ),
            Combine(terms=(("2/3", "12 <= N"), ("1", "log(108) + 2*log(12) - 2 <= 8"))),
        ),
        mutant=("constant", "180*c*(3*exp(2*N/3))*(N/2)*(4*N) <= exp(2*N)", (point("c=400 N=12"),)),
    ),
    stated(
        "s12",
        "line search display, first inequality at the printed T_1, for log kappa >= 1: p = kappa sqrt(d)/(sqrt(K) "
        "beta), q = kappa^2/K",
        f"8*(4*(l + log(2))/eps)*(sqrt(C)*(p/h**2 + q/(h**3*D)))**2 <= 128*C*l/eps*{P_Q}",
        "C l eps p q h D",
        ("1 <= h", *TWO_LOGS),
        origins=ours("1 <= h"),
        argument=added(
            (f"64*C/eps*{P_Q}", "log(2) <= l"),
            ("32*C/eps*(l + log(2))", "0 <= (p/h**2 - q/(h**3*D))**2"),
            ("64*C/eps*(l + log(2))*p**2/h**4", "1 <= h**3"),
            ("64*C/eps*(l + log(2))*q**2/h**6", "1 <= h**4"),
            ("64*C/eps*(l + log(2))*q**2/h**6", "1/D**2 <= 1"),
        ),
        kind=ClaimKind.PRIVACY,
        mutant=(
            "constant",
            f"8*(4*(l + log(2))/eps)*(sqrt(C)*(p/h**2 + q/(h**3*D)))**2 <= 40*C*l/eps*{P_Q}",
            (point("C=1 l=9/5 eps=1/2 p=1 q=0.001 h=1 D=5/2"),),
        ),
    ),
    wrong(
        "r12",
        "At the end of the range, kappa near 1: the same for every kappa > 1, with (30) and (32) written out",
        f"8*(4*(l + log(2))/eps)*{T_ONE}**2 <= 128*C*l/eps*({SHORT}**2/{H} + {LONG}**2/{H}**2)",
        SETTING,
        (point(f"C={10**30} d=1 n={10**70} eps={f'1/{10**34}'} l=3"),),
        "A boundary case. The proof is for log kappa >= 1, a condition that it does not state: T_1 divides by "
        "log^2 kappa and log^3 kappa, the display by log kappa, so that it is false for log kappa below about "
        "0.7; as kappa -> 1 the number of iterations C_ba K log kappa goes to 0 while T_1 has no bound. Harmless: "
        "for kappa < e the error bound is above L R/e and any point of the ball is good enough.",
        "s12",
        (f"1 < {X}",),
        reads=Reads.BOUNDARY,
    ),
    stated(
        "s12~repaired",
        "the same at the repaired T_1 of s4~repaired",
        f"8*(4*(l + log(2))/eps)*(sqrt(C)*(p/h**2 + q/h**4))**2 <= 128*C*l/eps*{P_Q}",
        "C l eps p q h",
        ("1 <= h", *TWO_LOGS),
        origins=ours("1 <= h"),
        argument=added(
            (f"64*C/eps*{P_Q}", "log(2) <= l"),
            ("32*C/eps*(l + log(2))", "0 <= (p/h**2 - q/h**4)**2"),
            ("64*C/eps*(l + log(2))*p**2/h**4", "1 <= h**3"),
            ("64*C/eps*(l + log(2))*q**2/h**8", "1 <= h**6"),
        ),
        kind=ClaimKind.PRIVACY,
        mutant=(
            "constant",
            f"8*(4*(l + log(2))/eps)*(sqrt(C)*(p/h**2 + q/h**4))**2 <= 80*C*l/eps*{P_Q}",
            (point("C=1 l=9/5 eps=1/2 p=1 q=1 h=1"),),
        ),
    ),
    stated(
        "s12-second",
        (
            "line search display, second inequality by (31), for log kappa >= 1, C >= 3000 C_ba C_priv, and "
            "log(n/delta) <= K (s19)"
        ),
        SETTLED.format(f=128, e=3) + " <= eps/(6*c*k**2*h)",
        "C Cp c x a k h D l N n eps",
        (SQUARED, FOURTH, "D <= k**2", "1 <= h", "3000*c*Cp <= C"),
        origins=(
            *given("s1", SQUARED, FOURTH),
            *given("s19", "D <= k**2"),
            *ours("1 <= h"),
            *enough("3000*c*Cp <= C"),
        ),
        argument=(
            Rewrite(left="128*C*Cp*D**3*l*x**2*a**2/(n**2*eps*k**2*h) + 128*Cp*eps*D*x**4/(C*n**2*k**4*h**2)"),
            Combine(
                terms=(
                    ("128*Cp/(C*N**2*n**2*eps*k**2*h)", SQUARED),
                    ("128*Cp*eps*D/(C**5*n**2*k**4*h**2)", FOURTH),
                    ("128*Cp*eps/(C**5*k**4*h**2)", "D <= k**2"),
                    ("128*Cp*eps/(C**5*k**2*h**2)", "1 <= h"),
                    ("128*Cp*eps/(C*k**2*h)", "1/N**2 <= 2.11"),
                    ("128*Cp*eps/(C*k**2*h)", "1/C**4 <= 1"),
                    ("eps/(6*c*C*k**2*h)", "3000*c*Cp <= C"),
                    ("Cp*eps/(C*k**2*h)", "0 <= 500 - 128*3.11"),
                )
            ),
        ),
        kind=ClaimKind.PRIVACY,
        mutant=(
            "constant",
            SETTLED.format(f=128000, e=3) + " <= eps/(6*c*k**2*h)",
            (point("C=3000 Cp=1 c=1 x=1/100 a=1 k=2 h=1 D=5/2 l=9/5 N=7/10 n=1000 eps=1/5"),),
        ),
    ),
    stated(
        "s13",
        "ball oracle display, first inequality: alpha T_2^2 <= (16 C log(1/delta)/eps)(...)",
        f"4*(l + log(2))/eps*(sqrt(C)*(p/sqrt(h) + q/h))**2 <= 16*C*l/eps*{P_Q}",
        "C l eps p q h",
        TWO_LOGS,
        argument=added((f"8*C/eps*{P_Q}", "log(2) <= l"), ("4*C/eps*(l + log(2))", "0 <= (p/sqrt(h) - q/h)**2")),
        kind=ClaimKind.PRIVACY,
        mutant=(
            "constant",
            f"4*(l + log(2))/eps*(sqrt(C)*(p/sqrt(h) + q/h))**2 <= 10*C*l/eps*{P_Q}",
            (point("C=1 l=9/5 eps=1/2 p=1 q=1 h=1"),),
        ),
    ),
    stated(
        "s13-second",
        "ball oracle display, second inequality by (31), for log kappa >= 1",
        SETTLED.format(f=16, e=2) + " <= eps/(6*c*k**2*h)",
        "C Cp c x a k h D l N n eps",
        (SQUARED, FOURTH, "1 <= k", "1 <= h", "3000*c*Cp <= C"),
        origins=(*given("s1", SQUARED, FOURTH), *ours("1 <= h"), *enough("3000*c*Cp <= C")),
        argument=(
            Rewrite(left="16*C*Cp*D**2*l*x**2*a**2/(n**2*eps*k**2*h) + 16*Cp*eps*x**4/(C*n**2*k**4*h**2)"),
            Combine(
                terms=(
                    ("16*Cp/(C*D*N**2*n**2*eps*k**2*h)", SQUARED),
                    ("16*Cp*eps/(C**5*n**2*k**4*h**2)", FOURTH),
                    ("16*Cp*eps/(C**5*k**4*h**2)*(k + 1)", "1 <= k"),
                    ("16*Cp*eps/(C**5*k**2*h**2)", "1 <= h"),
                    ("16*Cp*eps/(C*k**2*h)", "1/(D*N**2) <= 1"),
                    ("16*Cp*eps/(C*k**2*h)", "1/C**4 <= 1"),
                    ("eps/(6*c*C*k**2*h)", "3000*c*Cp <= C"),
                    ("Cp*eps/(C*k**2*h)", "0 <= 500 - 32"),
                )
            ),
        ),
        kind=ClaimKind.PRIVACY,
        mutant=(
            "constant",
            SETTLED.format(f=160000, e=2) + " <= eps/(6*c*k**2*h)",
            (point("C=3000 Cp=1 c=1 x=1/100 a=1 k=2 h=1 D=5/2 l=9/5 N=7/10 n=1000 eps=1/5"),),
        ),
    ),
)
