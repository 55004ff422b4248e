"""s11 to s15: the growth in a step."""

from dpaudit.claims.writing import *

from .symbols import *

LENGTHS = (T, integer("n", "[1, oo)", "T_i"))
GROWTH = "(16*p/rho**2)*(48*p)**2*(r**2/(16*T)) <= 1/n"
SHORT = "Only T = 2 and 3 with delta above 1/2 are concerned, where the lemma is trivial (step short)."
GROWTH_STEPS = (
    step(
        "s11",
        "(20), line 5: (1 + 96 eta L p/rho)^(p-2) <= 2; from eta L <= r/4 and rho/r >= 1728 l^2 themselves, which give "
        "x = 48 eta L p/rho <= 12 p/(1728 l^2)",
        "(1 + 2*x)**(p - 2) <= 2",
        (P, L_ANY, real("x", "[0, oo)")),
        ("x <= 12*p/(1728*l**2)", *CEIL),
        argument=(
            Logarithm(),
            Rewrite(left="(p - 2)*log(1 + 2*x)"),
            Bound(left="(p - 2)*(2*x)", argument=(Tangent("x", "0"),)),
            Combine(
                terms=(
                    ("2*(p - 2)", "x <= 12*p/(1728*l**2)"),
                    ("(5*l + p - 1)/(72*l**2)", "p <= 5*l + 1"),
                    ("1/(72*l**2)", "0 <= 1"),
                    ("1", "25/72 <= log(2)"),
                )
            ),
        ),
        mutants=(mutant("constant", "1.3 in place of 2", "(1 + 2*x)**(p - 2) <= 1.3", "p=100 l=20 x=1200/691200"),),
    ),
    erratum(
        "s11-reason",
        "The reason given: the display that is cited for line 5 (s12, so that x <= 1/(2p)) is enough for it",
        "(1 + 2*x)**(p - 2) <= 2",
        (P, real("x", "[0, oo)")),
        given={f"{HERE}/s12": "x <= 1/(2*p)"},
        reads=Reads.REASON,
        candidates=(point("p=8 x=1/16"),),
        finding=(
            "Without effect: line 5 is true (s11). Only the reason cited for it is too weak, as x <= 1/(2p) gives "
            "(1 + 1/p)^(p-2), which exceeds 2 from p = 8 on and tends to e. The assumed rho/r gives 2x (p - 2) <= "
            "25/72."
        ),
        repair=f"{HERE}/s11",
    ),
    step(
        "s12",
        "used for s10, s11: 48 eta L(2+q)/rho <= 1/(2p) for the steps h = eta_i L <= r/(4 sqrt T) of the algorithm, T "
        ">= 2, and rho/r >= 1728 l^2; largest at q + 2 = p. (From h <= r/4 alone it fails at p = 2, l < 0.2357)",
        "48*h*p/rho <= 1/(2*p)",
        (L_ANY, P, H, RADIUS, RHO),
        ("5.656*h <= r", "1728*l**2*r <= rho", *CEIL),
        argument=(
            Scale("2*p*rho"),
            Rewrite(left="96*p**2*h", right="rho"),
            Bound(left="96*p**2*r/5.656", argument=(Combine(terms=(("96*p**2/5.656", "5.656*h <= r"),)),)),
            Bound(right="1728*l**2*r", argument=(Combine(terms=(("1", "1728*l**2*r <= rho"),)),)),
            Scale("1/r"),
            Rewrite(left="96*p**2/5.656", right="1728*l**2"),
            Solve(),
        ),
        mutants=(
            mutant("half", "1/(4p)", "48*h*p/rho <= 1/(4*p)", "l=41/100 p=3 h=176/1000 r=1 rho=291"),
            Mutant(
                "longer",
                "steps up to r/4",
                conditions=("4*h <= r", "1728*l**2*r <= rho", *CEIL),
                candidates=(point("l=21/100 p=2 h=1/4 r=1 rho=77"),),
            ),
        ),
    ),
    step(
        "s13",
        "(18), (19), (20) in (17): the growth is at most 16 p^2 (48 eta L p/rho)^2; the integral of 1 - t is 1/2",
        "p*u**2 + p*(p - 1)/2*16*(u*p)**2 <= 16*p**2*(u*p)**2",
        (P, U),
        rests_on=ids(HERE, "s4 s5 s6 s7~repaired s8 s9 s9-second s10 s10-sum s11 s12"),
        argument=(Positive(),),
        tightness=(
            Tightness(
                "growth",
                printed="16",
                form="p*u**2 + p*(p - 1)/2*16*(u*p)**2 <= {c}*p**2*(u*p)**2",
                proved="8",
                refuted="7.9",
                candidates=(point("p=1000 u=1"),),
            ),
        ),
        mutants=(
            mutant("no-half", "2 in place of 16", "p*u**2 + p*(p - 1)/2*16*(u*p)**2 <= 2*p**2*(u*p)**2", "p=3 u=1"),
        ),
    ),
    step(
        "s13-bernoulli",
        "1 + 16 p^2 y <= (1 + 16 p y)^p, by Bernoulli's inequality with x = 16 p y",
        "1 + p*x <= (1 + x)**p",
        (integer("p", "[1, oo)"), real("x", "[0, oo)")),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "p",
                base=(Identical(),),
                step=(Combine(terms=(("1 + x", "1 + p*x <= (1 + x)**p"), ("p*x**2", "0 <= 1"))),),
            ),
        ),
        mutants=(mutant("slope", "1.1 p", "1 + 1.1*p*x <= (1 + x)**p", "p=1 x=1"),),
    ),
    Step(
        "s14",
        "(16p/rho^2)(48 eta L p)^2 <= 1/T_i, from (eta L)^2 <= r^2/(16 T), T_i <= T/2 and rho/r >= 1728 l^2",
        Statement(GROWTH, (L_ANY, P, RADIUS, RHO, *LENGTHS), ("1728*l**2*r <= rho", "2*n <= T", *CEIL)),
        reads=Reads.BOUNDARY,
        expects=Outcome.REFUTED,
        candidates=(point("l=21/100 p=2 r=1 rho=77 T=2 n=1"),),
        finding="A boundary case, without effect. Needs 1152 p^3 <= (1728 l^2)^2; fails for p = 2 and l < 0.2357. "
        "Only T = 2 and 3 with delta above 1/2 are concerned, where the lemma is trivial (step short). For "
        "large l the condition is wasteful: l^(3/2) would do for this step, and l in LEM-5~sharp.",
        repair=f"{HERE}/s14~repaired",
    ),
    Step(
        "s14~repaired",
        "it holds for T >= 4 and every delta < 1",
        Statement(GROWTH, (L_LONG, P, RADIUS, RHO, *LENGTHS), ("1728*l**2*r <= rho", "2*n <= T", *CEIL)),
        argument=(
            Scale("n"),
            Rewrite(left="2304*p**3*r**2/rho**2*(n/T)", right="1"),
            Bound(left="1152*p**3*r**2/rho**2", argument=(Combine(terms=(("1152*p**3*r**2/rho**2/T", "2*n <= T"),)),)),
            Scale("rho**2"),
            Rewrite(left="1152*p**3*r**2", right="rho**2"),
            Bound(right="(1728*l**2*r)**2", argument=(Combine(terms=(("rho + 1728*l**2*r", "1728*l**2*r <= rho"),)),)),
            Scale("1/r**2"),
            Rewrite(left="1152*p**3", right="(1728*l**2)**2"),
            Solve(),
        ),
        mutants=(mutant("tenth", "1/(10 T_i)", GROWTH.replace("1/n", "1/(10*n)"), "l=41/100 p=3 r=1 rho=291 T=4 n=2"),),
    ),
    step(
        "s14-constant",
        "Not printed: the constant of rho/r >= 1728 l^2 that s14 needs for T >= 4: 1152 p^3 <= (1728 l^2)^2",
        "1152*p**3 <= (1728*l**2)**2",
        (L_LONG, P),
        CEIL,
        reads=Reads.OURS,
        argument=(Solve(),),
        tightness=(
            Tightness(
                "condition",
                printed="1728",
                form="1152*p**3 <= ({c}*l**2)**2",
                proved="1400",
                refuted="1100",
                candidates=(point("l=4001/10000 p=3"),),
            ),
        ),
    ),
    step(
        "s15",
        "(21): E Phi_j^p <= E Phi_(j-1)^p (1 + 1/T_i)^p, x = 16 p (48 eta L p/rho)^2",
        "Pot*(1 + x)**p <= Pot*(1 + 1/n)**p",
        (P, positive("Pot", "E Phi_(j-1)^p"), real("x", "[0, oo)"), integer("n", "[1, oo)", "T_i")),
        given={f"{HERE}/s14~repaired": "x <= 1/n"},
        rests_on=ids(HERE, "s13 s13-bernoulli"),
        argument=(
            Scale("1/(Pot*(1 + 1/n)**p)"),
            Rewrite(left="((1 + x)/(1 + 1/n))**p", right="1"),
            Substitute((real("y", "(0, 1]"),), (("x", "y*(1 + 1/n) - 1"),), (("y", "(1 + x)/(1 + 1/n)"),)),
            Rewrite(left="y**p"),
            Boxes(),
        ),
        mutants=(mutant("power", "without the power p", "Pot*(1 + x)**p <= Pot*(1 + 1/n)", "p=2 Pot=1 x=1 n=1"),),
    ),
)
