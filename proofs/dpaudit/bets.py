"""Bets against a claim (`estimators.betting`), and one bet on a difference (`estimators.hockey_stick`).

"For every number of pairs, the test has refuted by then with probability at most alpha" is shown here, by Markov's
inequality on the capital that stands still once it has reached 1/alpha. As these events grow, "ever" is their limit.
"""

from dpaudit.claims.writing import *

HERE, CAPITAL, STICK = "dpaudit/BET", "dpaudit/CAPITAL", "dpaudit/STICK"
STAKE, OTHER = real("l", "[0, oo)", "stake on `score >= a`"), real("k", "[0, oo)", "stake on `score < b`")
SLOPE, COST = real("s", "[1, oo)", "slope of the line"), real("c", "[0, 1]", "its intercept")
SLOPE_2, COST_2 = real("s_2", "[1, oo)", "slope of the line of the other bet"), real("c_2", "[0, 1]", "its intercept")
M = real("m", meaning="what makes both expectations equal")
UP, UP_LOST = real("q1", "[0, 1]", "P(x >= a) on D"), real("p1", "[0, 1]", "P(y >= a) on D'")
DOWN, DOWN_LOST = real("q2", "[0, 1]", "P(y < b) on D'"), real("p2", "[0, 1]", "P(x < b) on D")
U, V = "(1 + l*q1 - s_2*k*p2 - m)", "(1 + k*q2 - s*l*p1 + m - l*c - k*c_2)"
LINES = ("q1 <= s*p1 + c", "q2 <= s_2*p2 + c_2")
EVERY = (STAKE, OTHER, SLOPE, COST, SLOPE_2, COST_2, M, UP, UP_LOST, DOWN, DOWN_LOST)
A_POINT = "l=1/2 k=0 s=1 c=0 s_2=1 c_2=0 m=0 q1=1 p1=1 q2=0 p2=0"
PAIRS, WEALTH = integer("n", "[1, oo)", "pairs"), sequence("e", "[0, oo)", "e[i]: mean of the capital after i pairs")
GAMBLERS = tuple(
    real(name, "[0, oo)", f"mean of the capital of {whose}, {when} a pair")
    for name, whose, when in (
        ("g", "one gambler", "before"), ("g_1", "one gambler", "after"),
        ("h", "the other", "before"), ("h_1", "the other", "after"),
    )
)  # fmt: skip
REACHED, ALPHA = real("r", "[0, 1]", "P(the capital has reached 1/alpha)"), real("alpha", "(0, 1)")
WORST = real("worst", "(0, oo)", "how far below 1 the smallest factor lies")
N, N_2 = integer("n", "[1, oo)", "trials on the side that should pass"), integer("n_2", "[1, oo)", "on the other side")
P, Q, D = real("p", "[0, 1]", "chance to pass"), real("q", "[0, 1]", "on the other side"), real("d", "[0, 1]")
BALANCE, SMALL = real("m", "[0, 1]"), real("l", "[0, 1)", "stake")
FIRST, SECOND = "(1 + l*(p - m))", "(1 + l*n/n_2*(m - d - s*q))"
PRODUCT = f"{FIRST}**n*{SECOND}**n_2"

CLAIMS = (
    Claim(
        id=HERE,
        title="the expected factor of a bet is at most 1, for every stake",
        words=(
            "With u = 1 + l [x >= a] - s' k [x < b] - m and v = 1 + k [y < b] - s l [y >= a] + m - l c - k c': if "
            "P_D(x >= a) <= s P_D'(y >= a) + c and P_D'(y < b) <= s' P_D(x < b) + c', then E u E v <= 1, for all "
            "stakes l, k >= 0 and all m for which u and v are not negative. x and y are independent, so that this is "
            "E u v."
        ),
        place="docs/statistics.md, Bets; dpaudit/estimators/betting.py",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(f"{U}*{V} <= 1", EVERY, (*LINES, f"0 <= {U}", f"0 <= {V}")),
        rests_on=(f"{HERE}/sum", f"{HERE}/means"),
        argument=(
            Have(f"{U} + {V} <= 2", (ByTheorem(f"{HERE}/sum"),)),
            ByTheorem(f"{HERE}/means", at=(("u", U), ("v", V))),
        ),
        candidates=(point(A_POINT),),
        mutants=(
            Mutant(
                "slope",
                "the line allows twice as much",
                conditions=("q1 <= 2*s*p1 + c", LINES[1], f"0 <= {U}", f"0 <= {V}"),
                candidates=(point("l=1/2 k=0 s=1 c=0 s_2=1 c_2=0 m=0 q1=1 p1=1/2 q2=0 p2=0"),),
            ),
            mutant("less", "9/10", f"{U}*{V} <= 9/10", "l=0 k=0 s=1 c=0 s_2=1 c_2=0 m=0 q1=0 p1=0 q2=0 p2=0"),
        ),
        steps=(
            step(
                "sum",
                "E u + E v <= 2, whatever m is",
                f"{U} + {V} <= 2",
                EVERY,
                LINES,
                kind=ClaimKind.TAIL,
                argument=(Combine((("l", LINES[0]), ("k", LINES[1]))),),
                candidates=(point(A_POINT),),
                mutants=(
                    mutant(
                        "less", "19/10", f"{U} + {V} <= 19/10", "l=0 k=0 s=1 c=0 s_2=1 c_2=0 m=0 q1=0 p1=0 q2=0 p2=0"
                    ),
                ),
            ),
            step(
                "means",
                "the geometric mean is at most the arithmetic one",
                "u*v <= 1",
                (real("u", "[0, oo)"), real("v", "[0, oo)")),
                ("u + v <= 2",),
                argument=(Combine((("1/4*(u + v) + 1/2", "u + v <= 2"), ("1/4", "0 <= (u - v)**2"))),),
                candidates=(point("u=1 v=1"),),
                mutants=(mutant("less", "9/10", "u*v <= 9/10", "u=1 v=1"),),
            ),
            step(
                "positive",
                "stakes are made smaller by min(1, (49/50)/worst), so that no factor is below 1/50",
                "1/50 <= 1 - min(1, 49/50/worst)*worst",
                (WORST,),
                argument=(Combine((("worst", "min(1, 49/50/worst) <= 49/50/worst"),)),),
                mutants=(mutant("more", "1/25", "1/25 <= 1 - min(1, 49/50/worst)*worst", "worst=2"),),
            ),
        ),
    ),
    Claim(
        id=CAPITAL,
        title="a claim that holds is refuted within any number of pairs with probability at most alpha",
        words=(
            "The capital starts at 1, stands still once it has reached 1/alpha, and its mean does not grow from one "
            "pair to the next (dpaudit/BET, given the past; of two gamblers, with a half each, dpaudit/CAPITAL/two). "
            "So it has reached 1/alpha within n pairs with "
            "probability at most alpha, for every n, and ever with probability at most alpha: the limit over n, "
            "which is not encoded (Ville 1939). That the test may stop at any time is the same."
        ),
        place="docs/statistics.md, Bets",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(
            "r <= alpha",
            (PAIRS, WEALTH, REACHED, ALPHA),
            ("e[0] == 1", "all(i, 0, n - 1, e[i + 1] <= e[i])", "r/alpha <= e[n]"),
        ),
        rests_on=(f"{CAPITAL}/falls", "markov-inequality"),
        argument=(
            Have("e[n] <= e[0]", (ByTheorem(f"{CAPITAL}/falls"),)),
            Combine((("alpha", "r/alpha <= e[n]"), ("alpha", "e[n] <= e[0]"), ("-alpha", "e[0] == 1"))),
        ),
        candidates=(point("n=1 e=[1,1] r=1/2 alpha=1/2"),),
        mutants=(
            mutant("half", "half of alpha", "r <= alpha/2", "n=1 e=[1,1] r=1/2 alpha=1/2"),
            Mutant(
                "grows",
                "the mean may grow",
                conditions=("e[0] == 1", "r/alpha <= e[n]"),
                candidates=(point("n=1 e=[1,2] r=1 alpha=1/2"),),
            ),
        ),
        steps=(
            step(
                "falls",
                "a mean that does not grow at any pair is at most the first one",
                "e[n] <= e[0]",
                (PAIRS, WEALTH),
                ("all(i, 0, n - 1, e[i + 1] <= e[i])",),
                kind=ClaimKind.TAIL,
                argument=(Induct("n", base=(AtIndex("0"), Combine((("1", "e[0 + 1] <= e[0]"),)))),),
                candidates=(point("n=2 e=[2,1,0]"),),
                mutants=(mutant("half", "half of it", "e[n] <= e[0]/2", "n=1 e=[1,1]"),),
            ),
            step(
                "two",
                "of two gamblers with a half of the capital each, neither of whom grows, the capital does not",
                "g_1/2 + h_1/2 <= g/2 + h/2",
                GAMBLERS,
                ("g_1 <= g", "h_1 <= h"),
                kind=ClaimKind.TAIL,
                argument=(Combine((("1/2", "g_1 <= g"), ("1/2", "h_1 <= h"))),),
                candidates=(point("g=1 g_1=1 h=1 h_1=1"),),
                mutants=(mutant("less", "less", "g_1/2 + h_1/2 <= g/2 + h/3", "g=1 g_1=1 h=1 h_1=1"),),
            ),
        ),
    ),
    Claim(
        id=STICK,
        title="one bet on the difference of two rates: the expected evidence is at most exp(n l (p - s q - d))",
        words=(
            "The evidence multiplies, for each of n trials, 1 + l (1 - m) if it passes and 1 - l m if not, and for "
            "each of n' trials of the other side 1 - l r (s - m + d) and 1 + l r (m - d), r = n/n'. Trials are "
            "independent, so that its mean is (1 + l (p - m))^n (1 + l r (m - d - s q))^n', which is at most exp(n l "
            "(p - s q - d)): at most 1 where p <= s q + d."
        ),
        place="dpaudit/estimators/hockey_stick.py",
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        statement=Statement(
            f"{PRODUCT} <= exp(n*l*(p - s*q - d))",
            (N, N_2, SMALL, BALANCE, SLOPE, D, P, Q),
            (f"0 <= {FIRST}", f"0 <= {SECOND}"),
        ),
        argument=(
            Have(f"{FIRST}**n <= exp(n*l*(p - m))", (Power("1/n"), Combine((("1", f"{FIRST} <= exp(l*(p - m))"),)))),
            Have(
                f"{SECOND}**n_2 <= exp(n*l*(m - d - s*q))",
                (Power("1/n_2"), Combine((("1", f"{SECOND} <= exp(l*n/n_2*(m - d - s*q))"),))),
            ),
            Combine(
                (
                    ("exp(n*l*(m - d - s*q))", f"{FIRST}**n <= exp(n*l*(p - m))"),
                    (f"{FIRST}**n", f"{SECOND}**n_2 <= exp(n*l*(m - d - s*q))"),
                )
            ),
        ),
        candidates=(point("n=1 n_2=1 l=1/2 m=1/2 s=1 d=0 p=1/2 q=1/2"),),
        mutants=(
            mutant(
                "half",
                "half of d counts twice",
                f"{PRODUCT} <= exp(n*l*(p - s*q - 2*d))",
                "n=1 n_2=1 l=1/10 m=1/2 s=1 d=1/2 p=1/2 q=0",
            ),
        ),
        steps=(
            step(
                "mean",
                "the mean of one factor on the side that should pass",
                "p*(1 + l*(1 - m)) + (1 - p)*(1 - l*m) == 1 + l*(p - m)",
                (P, SMALL, BALANCE),
            ),
            step(
                "other-mean",
                "and on the other side",
                "q*(1 - l*r*(s - m + d)) + (1 - q)*(1 + l*r*(m - d)) == 1 + l*r*(m - d - s*q)",
                (Q, SMALL, BALANCE, SLOPE, D, positive("r", "n/n'")),
            ),
        ),
    ),
)
