"""The repaired proof: short phases, starts, the sum over the phases, and a bound on the constant from below."""

from dpaudit.claims.writing import *

from .symbols import *

OURS = "4*r**2/(eta*h) + 4*L**2*eta*d/(beta**2*h) + 11/15*eta*L**2 + L**2*eta*sqrt(d)/(beta*h**2)"
REPAIRED_SUM_STEPS = (
    step(
        "r5-one",
        "the printed bound for the ReSQue oracle, started in the ball, T_i = 1: E|G| <= L (a weight has mean 1, "
        "LEM-1.1), so that f_1 <= f_0 + eta L^2, and f_0 <= L m with m = E|y_0 - u|",
        "f1 <= a0/(2*eta) + 3/2*eta*L**2", (L, ETA, A0, F0, real("f1"), M),
        ("f1 <= f0 + eta*L**2", "f0 <= L*m", "m**2 <= a0"),
        rests_on=("jensen", "projection-onto-a-convex-set", "resque/LEM-1.1"),
        argument=(
            Combine(
                terms=(
                    ("1", "f1 <= f0 + eta*L**2"), ("1", "f0 <= L*m"), ("1/(2*eta)", "m**2 <= a0"),
                    ("1/(2*eta)", "0 <= (m - eta*L)**2"),
                )
            ),
        ),
        candidates=(point("L=1 eta=1 a0=1 f0=1 f1=2 m=1"), point("L=1 eta=1 a0=1 f0=1 f1=9 m=1")),
        mutants=(
            Mutant("constant", "1.4 in place of 3/2", "f1 <= a0/(2*eta) + 1.4*eta*L**2"),
            Mutant("any-oracle", "nothing known of E|G|", conditions=("f0 <= L*m", "m**2 <= a0")),
        ),
    ),
    step(
        "r5-two",
        "the same for T_i = 2, with E|G|^2 <= e^(|y-xbar|^2/rho^2) L^2 <= 2.72 L^2",
        "(f1 + f2)/2 <= a0/(4*eta) + 3/2*eta*L**2",
        (L, ETA, A0, real("a1", "[0, oo)"), real("a2", "[0, oo)"), F0, real("f1"), real("f2"), M),
        ("0 <= f0", "f1 <= f0 + eta*L**2", "a1 <= a0 - 2*eta*f0 + 2.72*eta**2*L**2",
         "a2 <= a1 - 2*eta*f1 + 2.72*eta**2*L**2", "f2 <= L*m", "m**2 <= a2"),
        rests_on=(
            "jensen", "resque/LEM-1.1", "resque/LEM-1.2/s1~repaired", "resque/LEM-1.2/s4~repaired",
            *(f"resque/LEM-4~repaired/{name}" for name in ("r1", "r3", "r6")),
        ),
        argument=(
            Combine(
                terms=(
                    ("1/2", "f2 <= L*m"), ("1/(7.4*eta)", "m**2 <= a2"),
                    ("1/(7.4*eta)", "0 <= (m - 1.85*eta*L)**2"),
                    ("1/(7.4*eta)", "a2 <= a1 - 2*eta*f1 + 2.72*eta**2*L**2"),
                    ("1/(7.4*eta)", "a1 <= a0 - 2*eta*f0 + 2.72*eta**2*L**2"),
                    ("1/2 - 1/3.7", "f1 <= f0 + eta*L**2"), ("2/3.7 - 1/2", "0 <= f0"),
                    ("(1/4 - 1/7.4)/eta", "0 <= a0"),
                    ("(1 + 1/3.7 - 1.85/4 - 2.72/3.7)*eta*L**2", "0 <= 1"),
                )
            ),
        ),
        candidates=(
            point("L=1 eta=1 a0=0 a1=68/25 a2=86/25 f0=0 f1=1 f2=9/5 m=9/5"),
            point("L=1 eta=1 a0=0 a1=68/25 a2=86/25 f0=0 f1=1 f2=9 m=9"),
            point("L=1 eta=1 a0=0 a1=68/25 a2=16 f0=0 f1=1 f2=4 m=4"),
        ),
        mutants=(
            Mutant("constant", "1.35 in place of 3/2", "(f1 + f2)/2 <= a0/(4*eta) + 1.35*eta*L**2"),
            Mutant("no-step", "nothing known of the second step",
                   conditions=("0 <= f0", "f1 <= f0 + eta*L**2", "a1 <= a0 - 2*eta*f0 + 2.72*eta**2*L**2",
                               "f2 <= L*m", "m**2 <= a2")),
        ),
    ),
    step(
        "r5-many",
        "the same for T_i >= 4, from r4 with 2.72 in place of 3 and nothing extra in the first step",
        "(S - f0 + fn)/n <= a0/(2*eta*n) + 3/2*eta*L**2",
        (L, ETA, integer("n", "[4, oo)", "T_i"), A0, AN, SUM, F0, FN, M),
        ("2*eta*S + an <= a0 + 2.72*eta**2*L**2*n", *PHASE[1:]),
        rests_on=(
            "jensen", "resque/LEM-1.2/s1~repaired", "resque/LEM-1.2/s4~repaired",
            *(f"resque/LEM-4~repaired/{name}" for name in ("r1", "r3", "r4", "r6")),
        ),
        argument=(
            Combine(
                terms=(
                    ("1/(2*eta*n)", "2*eta*S + an <= a0 + 2.72*eta**2*L**2*n"), ("1/n", PHASE[1]),
                    ("1/(2*eta*n)", PHASE[2]), ("1/n", PHASE[3]), ("1/(2*eta*n)", "0 <= (m - eta*L)**2"),
                    ("eta*L**2/(8*n)", "4 <= n"), ("3/200*eta*L**2", "0 <= 1"),
                )
            ),
        ),
        candidates=(
            point("L=1 eta=1 n=4 a0=0 an=1 S=247/50 f0=0 fn=1 m=1"),
            point("L=1 eta=1 n=4 a0=0 an=1 S=4 f0=-9 fn=1 m=1"),
        ),
        mutants=(
            Mutant("constant", "1.45 in place of 3/2", "(S - f0 + fn)/n <= a0/(2*eta*n) + 1.45*eta*L**2"),
            Mutant("downhill", "the start may be better than u",
                   conditions=("2*eta*S + an <= a0 + 2.72*eta**2*L**2*n", *PHASE[1:3])),
        ),
    ),
    step(
        "r6",
        "the start of a phase is no better than its comparator, f_0 >= 0: in the first xs is optimal; later the "
        "start is u + zeta and zeta is as likely as -zeta: (F(u + zeta) + F(u - zeta))/2 >= F(u)",
        "F <= (Fplus + Fminus)/2",
        (*(real(name) for name in ("F", "Fplus", "Fminus")), vector("g", "a subgradient at u"),
         vector("z", "zeta")),
        ("F + dot(g, z) <= Fplus", "F - dot(g, z) <= Fminus"),
        argument=(Combine(terms=(("1/2", "F + dot(g, z) <= Fplus"), ("1/2", "F - dot(g, z) <= Fminus"))),),
        candidates=(point("F=0 Fplus=1 Fminus=-1 g=(1,) z=(1,)"), point("F=0 Fplus=1 Fminus=-9 g=(1,) z=(1,)"),
                    point("F=0 Fplus=-9 Fminus=1 g=(-1,) z=(1,)")),
        mutants=(
            Mutant("one-sided", "F(u + zeta) alone", "F <= Fminus"),
            Mutant("not-convex", "no subgradient on one side", conditions=("F + dot(g, z) <= Fplus",)),
        ),
    ),
    step(
        "r7",
        "1/4 + ... + 4^-k = (1 - 4^-k)/3",
        "sum(i, 1, k, 4**(-i)) == (1 - 4**(-k))/3", (K,),
        argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "r7-halves",
        "1/2 + ... + 2^-k = 1 - 2^-k",
        "sum(i, 1, k, 2**(-i)) == 1 - 2**(-k)", (K,),
        argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "r8",
        "the phases together, with A = 1 - 2^-(k-1) and B = (1 - 4^-k)/3 of r7, s7 and s8~repaired: the first "
        "phase starts at distance at most r, phase i + 1 at mean square distance sigma_i^2 d",
        f"r**2/(2*(eta/4)*(h/2)) + 4*d*A*L**2*eta/(beta**2*h) + 11/5*eta*L**2*B + "
        f"L*(L*eta/(beta*h**2))*sqrt(d) <= {OURS}",
        (*SETTING, real("A", "[0, oo)"), real("B", "[0, oo)")), ("A <= 1", "B <= 1/3"),
        rests_on=(
            "resque/LEM-4/s7", "resque/LEM-4/s8~repaired",
            *(f"resque/LEM-4~repaired/{name}" for name in ("r5", "r7", "r7-halves")),
        ),
        argument=(
            Combine(terms=(("4*L**2*eta*d/(beta**2*h)", "A <= 1"), ("11*eta*L**2/5", "B <= 1/3"))),
        ),
        candidates=(point("L=1 r=1 beta=1 eta=1 d=1 T=1 h=1 A=1 B=1/3"),),
        mutants=(
            Mutant("first-phase", "T_1 = That/4",
                   "r**2/(2*(eta/4)*(h/4)) + 4*d*A*L**2*eta/(beta**2*h) + 11/5*eta*L**2*B + "
                   f"L*(L*eta/(beta*h**2))*sqrt(d) <= {OURS}"),
            Mutant("noise", "5 in place of 4",
                   "r**2/(2*(eta/4)*(h/2)) + 5*d*A*L**2*eta/(beta**2*h) + 11/5*eta*L**2*B + "
                   f"L*(L*eta/(beta*h**2))*sqrt(d) <= {OURS}"),
        ),
    ),
    Step(
        "lower",
        "a constant below 6.6 is too small: on the line, F(x) = L x, r = 1, T = 255 (That = 128, k = 7) and beta = "
        "10^6 the mean of x_k is at least -e (That (1 - 8^-k)/7 + (1 - 4^-k)/3)/2 - e/(3 beta) for e = eta L/r = "
        "1/sqrt T: a step moves the mean by at most eta_i L (E w = 1), step j of T_i counts (T_i - j + 1)/T_i, a "
        "projection takes at most the noise",
        Statement(
            "6.6*(1/(beta*T) + 1/sqrt(T)) <= 1 - (h*(1 - 8**(-k))/7 + (1 - 4**(-k))/3)/(2*sqrt(T)) - "
            "1/(3*beta*sqrt(T))",
            (BETA, T, H, K), ("h <= T", "T + 1 <= 2*h", "2**k <= h", "h <= 2**k", "1 <= beta*sqrt(T)"), exists=True,
        ),
        kind=ClaimKind.NON_VACUITY,
        argument=(Exhibit(point("beta=1000000 T=255 h=128 k=7")),),
        mutants=(
            Mutant("constant", "6.7",
                   "6.7*(1/(beta*T) + 1/sqrt(T)) <= 1 - (h*(1 - 8**(-k))/7 + (1 - 4**(-k))/3)/(2*sqrt(T)) - "
                   "1/(3*beta*sqrt(T))"),
        ),
    ),
)  # fmt: skip
