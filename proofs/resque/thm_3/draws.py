"""The privacy of the draws of the proximal oracle."""

from dpaudit.claims.writing import *

from .symbols import *

DRAWS = (
    wrong(
        "s15",
        "the mean number of draws J = j_max is 2^(-j_max) C_ba kappa log kappa j_max",
        "2**(-J)*(c*K*h*J) == 2**(-J)*c*x*h*J",
        "J c K h x",
        (point("J=1 c=1 K=4 h=1 x=2"),),
        "A misprint: the number of draws is C_ba K log kappa j_max, as the paper says two lines above, so K stands in "
        "place of kappa, as on the right side of the same display. Nothing rests on it.",
        "s15-omega",
    ),
    stated(
        "s15~repaired",
        "it is the probability 2^(-j_max) times the number of draws",
        "2**(-J)*(c*K*h*J) == 2**(-J)*c*K*h*J",
        "J c K h",
    ),
    stated(
        "s15-omega",
        "2^(-j_max) >= C_priv T_3/n, as T_3 2^(j_max) <= n/C_priv",
        "Cp*T/n <= 2**(-J)",
        "Cp T n J",
        ("T*2**J <= n/Cp",),
        argument=added(("Cp/n*2**(-J)", "T*2**J <= n/Cp")),
        mutant=("constant", "1.1*Cp*T/n <= 2**(-J)", (point("Cp=1 T=1 n=2 J=1"),)),
    ),
    wrong(
        "s15-threshold",
        "For n that is not large against C: the printed number 2^(-j) C' K log kappa log(n/delta) of draws J = j "
        "is at least one at j = j_max (else it says that there is none, but one has probability at least "
        "2^(-j_max) >= T_3/n > delta/n), for C >= 1000 C'",
        f"1 <= 2**(-floor(log2(n/(Cp*{T_THREE}))))*C1*{ROOT_K}**2*{H}*{LOGND}",
        f"{SETTING} Cp C1",
        (point(f"C={10**10} d=1 n={10**40} eps=9/10 l=3 Cp=1 C1=10"),),
        "A boundary case. K T_3 is about n/C^(3/2) where 1/sqrt(n) dominates (30), so the printed bound at the "
        "last levels is of the order C' C^(-3/2) log^2 n: `superconstant` as n grows, but below one draw unless n "
        "is exponentially large in a power of C or C' grows with C, and C is chosen after C' (s16). So the step "
        "is right for n above a constant, where the theorem for smaller n is a matter of a huge constant in O(). "
        "With an additive log(n/delta) the count holds for every n, and s16 and s20 keep their form, as 2^(j_max) "
        "T_3 <= n/C_priv.",
        "s15-threshold~repaired",
        (LARGE, "1000*C1 <= C", "Cp <= C1"),
        origins=(*ours(LARGE, "Cp <= C1"), *enough("1000*C1 <= C")),
        reads=Reads.BOUNDARY,
    ),
    stated(
        "s15-threshold~repaired",
        "at most 8 mu + 2 log(n/delta) draws J = j with probability at least 1 - (delta/n)^2, mu the mean number",
        "(exp(1)*mu/(8*mu + 2*D))**(8*mu + 2*D) <= exp(-2*D)",
        "mu D",
        rests_on=("binomial-upper-chernoff",),
        kind=ClaimKind.TAIL,
        argument=(
            Substitute((real("z", "[8, oo)", "threshold/mu"),), (("D", "mu*(z - 8)/2"),), (("z", "(8*mu + 2*D)/mu"),)),
            Rewrite(left="(exp(1)/z)**(z*mu)", right="exp(-(z - 8)*mu)"),
            Logarithm(),
            Rewrite(left="z*mu*(1 - log(z))", right="(8 - z)*mu"),
            Scale("1/mu"),
            Rewrite(left="z*(1 - log(z))", right="8 - z"),
            Shift("z"),
            Rewrite(left="z*(2 - log(z))", right="8"),
            Boxes(),
        ),
        also=(
            mutant(
                "variant",
                "2 mu + D in place of 8 mu + 2 D",
                "(exp(1)*mu/(2*mu + D))**(2*mu + D) <= exp(-2*D)",
                "mu=100 D=5/2",
                own_sentence=True,
            ),
        ),
    ),
    stated(
        "s16-sum",
        "the levels: sum over j = 0..j_max of 2^j 2^(-j) is j_max + 1",
        "sum(j, 0, J, 2**j*2**(-j)) == J + 1",
        "J",
        kind=ClaimKind.INDUCTION,
        argument=(Induct("J", base=(Identical(),), step=(Identical(),)),),
    ),
    stated(
        "s16",
        (
            "proximal display, first inequality: alpha T_3^2 <= (16 C log(1/delta)/eps)(kappa^2 d/(K beta^2) + "
            "kappa^4/K^2)"
        ),
        "4*(l + log(2))/eps*(sqrt(C)*(p + q))**2 <= 16*C*l/eps*(p**2 + q**2)",
        "C l eps p q",
        TWO_LOGS,
        argument=added(("8*C/eps*(p**2 + q**2)", "log(2) <= l"), ("4*C/eps*(l + log(2))", "0 <= (p - q)**2")),
        kind=ClaimKind.PRIVACY,
        mutant=(
            "constant",
            "4*(l + log(2))/eps*(sqrt(C)*(p + q))**2 <= 10*C*l/eps*(p**2 + q**2)",
            (point("C=1 l=9/5 eps=1/2 p=1 q=1"),),
        ),
    ),
    stated(
        "s16-second",
        "proximal display, second inequality by (31), log kappa <= log n, j_max + 1 <= 3 log n, C >= 2000 C' C_priv "
        "and N^2 log(n/delta) kappa^4 <= 5 n^2 K, which K >= kappa^(2/3) log(n/delta) gives (s19, s16-size); the "
        "paper quotes K >= log(1/delta), which alone is not enough (mutant quoted)",
        (
            "(J + "
            "1)*16*C*C1*Cp*k**2*(eps/(C*D*sqrt(l)))**2*D**3*l*h/(n**2*eps)*(x**2*a**2/(k**2*(eps/(C*D*sqrt(l)))**2) + "
            "x**4/k**4) <= eps/6"
        ),
        "J C C1 Cp k eps l D N n x a h",
        (SQUARED, "N**2*D*x**4 <= 5*n**2*k**2", "J + 1 <= 3*N", "h <= N", "2000*C1*Cp <= C"),
        origins=(
            *given("s1", SQUARED),
            *given("s16-size", "N**2*D*x**4 <= 5*n**2*k**2"),
            *enough("2000*C1*Cp <= C"),
        ),
        argument=(
            Rewrite(left="(J + 1)*h*16*C1*Cp*(C*D**3*l*x**2*a**2/(n**2*eps) + eps*D*x**4/(C*n**2*k**2))"),
            Combine(
                terms=(
                    ("(J + 1)*h*16*C1*Cp/(C*N**2*n**2*eps)", SQUARED),
                    ("(J + 1)*h*16*C1*Cp*eps/(C*N**2*n**2*k**2)", "N**2*D*x**4 <= 5*n**2*k**2"),
                    ("h*96*C1*Cp*eps/(C*N**2)", "J + 1 <= 3*N"),
                    ("288*C1*Cp*eps/(C*N)", "h <= N"),
                    ("eps/(6*C)", "2000*C1*Cp <= C"),
                    ("C1*Cp*eps/C", "0 <= 2000/6 - 288"),
                )
            ),
        ),
        kind=ClaimKind.PRIVACY,
        mutant=(
            "constant",
            (
                "1000*(J + "
                "1)*16*C*C1*Cp*k**2*(eps/(C*D*sqrt(l)))**2*D**3*l*h/(n**2*eps)*(x**2*a**2/(k**2*(eps/(C*D*"
                "sqrt(l)))**2) + x**4/k**4) <= eps/6"
            ),
            (point("J=1 C=2000 C1=1 Cp=1 k=2 eps=1/5 l=9/5 D=5/2 N=1 n=1000 x=1/100 a=1 h=1"),),
        ),
        also=(
            Mutant(
                "quoted",
                "K >= log(1/delta) and kappa <= sqrt(n)/C only",
                conditions=(SQUARED, FOURTH, "l <= k**2", "D <= N + l", "J + 1 <= 3*N", "h <= N", "2000*C1*Cp <= C"),
                candidates=(
                    point(
                        f"J=29999999 C=2000 C1=1 Cp=1 k=7/5 eps=1/2 l=9/5 D=10000001 N={10**7} "
                        f"n={10**400} x={5 * 10**196} a=1 h={10**7}"
                    ),
                ),
                own_sentence=True,
            ),
        ),
    ),
    stated(
        "s16-size",
        "Not printed: log^2 n kappa^(10/3) <= 5 n^2: log kappa = N/2 - w",
        "N**2*exp(10/3*(N/2 - w)) <= 5*exp(2*N)",
        "N w",
        reads=Reads.OURS,
        argument=(
            Logarithm(),
            Rewrite(left="2*log(N) + 5*N/3 - 10*w/3", right="log(5) + 2*N"),
            Bound(
                left="2*(N/6 + log(6) - 1) + 5*N/3 - 10*w/3",
                argument=(
                    Shift("-5*N/3 + 10*w/3"),
                    Rewrite(left="2*log(N)", right="2*(N/6 + log(6) - 1)"),
                    Tangent("N", "6"),
                ),
            ),
            Combine(terms=(("1", "2*log(6) - 2 <= log(5)"), ("10/3", "0 <= w"))),
        ),
        mutant=("constant", "N**2*exp(10/3*(N/2 - w)) <= 4*exp(2*N)", (point("N=6 w=0"),)),
    ),
)
