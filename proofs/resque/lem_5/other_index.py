"""s1 to s6: the drift at an index that is not replaced."""

from dpaudit.claims.writing import *

from .symbols import *

SHIFT = "y - eta*w*g - (y2 - eta*w2*g) - (x - x2)"

OTHER_INDEX = (
    step(
        "s1",
        "(15): at an index other than 1, Phi_j <= Phi_(j-1) + A_j + B_j: both steps use the gradient g, with weights w "
        "and w', and x, x' are their projections",
        "dot(x - x2, x - x2) <= dot(y - y2, y - y2) - 2*eta*(w - w2)*dot(g, y - y2) + eta**2*(w - w2)**2*dot(g, g)",
        (
            ETA,
            real("w", "[0, oo)", "weight"),
            real("w2", "[0, oo)", "weight"),
            vector("y"),
            vector("y2"),
            vector("g"),
            vector("x"),
            vector("x2"),
        ),
        ("dot(y - eta*w*g - x, x2 - x) <= 0", "dot(y2 - eta*w2*g - x2, x - x2) <= 0"),
        rests_on=("projection-onto-a-convex-set",),
        argument=(
            Combine(
                terms=(
                    ("2", "dot(y - eta*w*g - x, x2 - x) <= 0"),
                    ("2", "dot(y2 - eta*w2*g - x2, x - x2) <= 0"),
                    ("1", f"0 <= dot({SHIFT}, {SHIFT})"),
                )
            ),
        ),
        mutants=(
            mutant(
                "half",
                "half the first-order term",
                "dot(x - x2, x - x2) <= dot(y - y2, y - y2) - eta*(w - w2)*dot(g, y - y2)"
                " + eta**2*(w - w2)**2*dot(g, g)",
                "eta=1 w=0 w2=1 y=(1,) y2=(0,) g=(1,) x=(1,) x2=(-1,)",
            ),
        ),
    ),
    step(
        "s2",
        "E Z^q <= (24 q sqrt(Phi)/rho)^q for q in [2, p] is Lemma 2, within the radius of s2-distance~repaired; "
        "in part: the range of orders is not empty, p = ceil(5 log(log T/delta)) >= 2, for T >= 4",
        "2 <= ceil(5*log(log(T)/delta))",
        (LONG, DELTA),
        kind=ClaimKind.IMPLICATION,
        rests_on=("resque/LEM-2.2",),
        argument=(Boxes(),),
        mutants=(
            mutant("three", "p >= 3", "3 <= ceil(5*log(log(T)/delta))", "T=4 delta=99/100"),
            Mutant("shorter", "T >= 2", symbols=(T, DELTA), candidates=(point("T=2 delta=2/3"),)),
        ),
    ),
    erratum(
        "s2-distance",
        "sqrt(Phi_(j-1)) <= r, as both iterates lie in the ball",
        "norm(v - y) <= r",
        (RADIUS, vector("v"), vector("y")),
        ("norm(v) <= r", "norm(y) <= r"),
        candidates=(point("r=1 v=(1,) y=(-1,)"),),
        finding=(
            "A slip: two points of a ball of radius r can be 2r apart; and what Lemma 2 asks for is not a small "
            "distance but that both points lie within rho/q of xbar, for the orders q up to 2p of (16). The condition "
            "on rho/r gives that with room to spare."
        ),
        repair=f"{HERE}/s2-distance~repaired",
    ),
    step(
        "s2-distance~repaired",
        "the ball of radius r lies within rho/(2p) of xbar, as Lemma 2 needs for E Z^q and E Z^(2q), q <= p",
        "norm(v) <= rho/(2*p)",
        (L_ANY, P, RADIUS, RHO, vector("v", "y - xbar")),
        ("norm(v) <= r", "1728*l**2*r <= rho", *CEIL),
        kind=ClaimKind.IMPLICATION,
        argument=(
            Bound(left="r", argument=(Combine(terms=(("1", "norm(v) <= r"),)),)),
            Scale("2*p"),
            Rewrite(left="2*p*r", right="rho"),
            Solve(),
        ),
        mutants=(
            mutant("order", "order 100 p in place of 2p", "norm(v) <= rho/(100*p)", "l=2/5 p=3 r=1 rho=277 v=(1,)"),
        ),
    ),
    step(
        "s3",
        "(16): E|A_j|^q <= (48 eta L q Phi/rho)^q from |A_j| <= 2 eta L |Z| sqrt(Phi), D = sqrt(Phi), M = E|Z|^q",
        "(2*eta*L*D)**q*M <= (48*eta*L*q*D**2/rho)**q",
        (ETA, SLOPE, RHO, real("q", "[2, oo)"), positive("D"), real("M", "[0, oo)")),
        given={"resque/LEM-5/s2": "M <= (24*q*D/rho)**q"},
        rests_on=("resque/LEM-2.2",),
        argument=(Combine(terms=(("(2*eta*L*D)**q", "M <= (24*q*D/rho)**q"),)),),
        mutants=(
            mutant(
                "factor",
                "24 in place of 48",
                "(2*eta*L*D)**q*M <= (24*eta*L*q*D**2/rho)**q",
                "eta=1 L=1 rho=1 q=2 D=1 M=2000",
            ),
        ),
    ),
    step(
        "s3-square",
        "(16): E B_j^q <= (48 eta L q/rho)^(2q) Phi^q from B_j <= (eta L Z)^2, M = E Z^(2q)",
        "(eta*L)**(2*q)*M <= (48*eta*L*q/rho)**(2*q)*D**(2*q)",
        (ETA, SLOPE, RHO, real("q", "[1, oo)"), positive("D"), real("M", "[0, oo)")),
        given={"resque/LEM-5/s2": "M <= (24*(2*q)*D/rho)**(2*q)"},
        rests_on=("resque/LEM-2.2",),
        argument=(Combine(terms=(("(eta*L)**(2*q)", "M <= (24*(2*q)*D/rho)**(2*q)"),)),),
        mutants=(
            mutant(
                "factor",
                "24 in place of 48",
                "(eta*L)**(2*q)*M <= (24*eta*L*q/rho)**(2*q)*D**(2*q)",
                "eta=1 L=1 rho=1 q=1 D=1 M=2000",
            ),
        ),
    ),
    step(
        "s4",
        "(17), Taylor with integral remainder, term by term: p(p-1) C(p-2, q) times the integral of (1 - t) t^q "
        "is C(p, q + 2). In part: the coefficients; the mean is taken of these terms",
        "p*(p - 1)*binomial(p - 2, q)*(1/(q + 1) - 1/(q + 2)) == binomial(p, q + 2)",
        (P, Q),
        ("q <= p - 2",),
        rests_on=("binomial-theorem",),
    ),
    step(
        "s5",
        "(18): E A_j <= 0, by Lemma 1 and the monotonicity of the gradients g, g' of the smoothed function F at y, y'",
        "-2*eta*dot(g - g2, y - y2) <= 0",
        (ETA, real("F"), real("F2"), vector("g"), vector("g2"), vector("y"), vector("y2")),
        ("F + dot(g, y2 - y) <= F2", "F2 + dot(g2, y - y2) <= F"),
        rests_on=("resque/LEM-1.1",),
        argument=(Combine(terms=(("2*eta", "F + dot(g, y2 - y) <= F2"), ("2*eta", "F2 + dot(g2, y - y2) <= F"))),),
        mutants=(
            Mutant(
                "one-sided",
                "convexity at one of the points",
                conditions=("F + dot(g, y2 - y) <= F2",),
                candidates=(point("eta=1 F=0 F2=9 g=(0,) g2=(1,) y=(1,) y2=(0,)"),),
            ),
        ),
    ),
    step(
        "s6",
        "(19): p Phi^(p-1) E B_j <= p (48 eta L/rho)^2 Phi^p, M = E B_j",
        "p*Pot**(p - 1)*M <= p*(48*eta*L/rho)**2*Pot**p",
        (P, PHI, ETA, SLOPE, RHO, real("M", "[0, oo)")),
        given={"resque/LEM-5/s3-square": "M <= (48*eta*L/rho)**2*Pot"},
        rests_on=(f"{HERE}/s3-square",),
        argument=(Combine(terms=(("p*Pot**(p - 1)", "M <= (48*eta*L/rho)**2*Pot"),)),),
        mutants=(
            mutant(
                "exponent",
                "Phi^(p-1) on the right",
                "p*Pot**(p - 1)*M <= p*(48*eta*L/rho)**2*Pot**(p - 1)",
                "p=2 Pot=4 eta=1 L=1 rho=48 M=4",
            ),
        ),
    ),
)
