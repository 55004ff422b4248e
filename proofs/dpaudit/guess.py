"""Guesses of the side of a trial: one guess, and guesses that are pooled (`estimators.pooled_guesses`)."""

from dpaudit.claims.writing import *

HERE, POOLED = "dpaudit/GUESS", "dpaudit/POOLED"
EPS, DELTA = real("eps", "[0, oo)"), real("delta", "[0, 1)")
P, Q = real("p", "[0, 1]", "probability of what is seen on D"), real("q", "(0, 1]", "on D'")
F, T = real("f", "[0, 1]", "false positive rate"), real("t", "[0, 1]", "true positive rate")
RIGHT_1, WRONG_1 = real("q1", "[0, 1]", "says D on D"), real("p1", "[0, 1]", "says D on D'")
RIGHT_2, WRONG_2 = real("q2", "[0, 1]", "says D' on D'"), real("p2", "[0, 1]", "says D' on D")
SUMS = (RIGHT_1, WRONG_1, RIGHT_2, WRONG_2)
KEPT = ("q1 <= exp(eps)*p1 + delta", "q2 <= exp(eps)*p2 + delta")
SOME = "0 < p1 + p2 + q1 + q2"
W, G = "((p1 + p2)/(p1 + p2 + q1 + q2))", "((p1 + p2 + q1 + q2)/2)"
RATE, LARGER = real("w", "[0, 1]", "chance that a guess is wrong"), real("w_up", "[0, 1]", "its upper bound")
MADE, FEWER = positive("g", "chance that a trial is guessed"), positive("g_low", "its lower bound")
COST = real("cost", "[0, 2]", "k delta, for k tails that guess")
SPENT, ALPHA = real("share", "[0, 1]"), real("alpha", "[0, 1]")
FAILS = tuple(real(name, "[0, 1]") for name in ("either", "first", "second"))
TRIALS, MANY = integer("T", "[0, oo)", "trials"), integer("N", "[0, oo)", "guesses")
BAD = integer("k", "[0, oo)", "wrong ones")
GUESSED, MISTAKEN = real("g", "(0, 1)", "chance that a trial is guessed"), real("w", "(0, 1)", "that a guess is wrong")

CLAIMS = (
    Claim(
        id=HERE,
        title="a guess of a fair side is right with probability at most e^eps/(1 + e^eps)",
        words=(
            "D or D' by a fair coin, and one value of the release is seen, which has probabilities p and q there, p <= "
            "e^eps q: given the value the side is D with probability at most e^eps/(1 + e^eps). With p and q exchanged "
            "it is the same for D'. For densities the same holds at each point."
        ),
        place="dpaudit/estimators/nested_guesses.py and one_run.py",
        kind=ClaimKind.PRIVACY,
        reads=Reads.OURS,
        statement=Statement("p/(p + q) <= exp(eps)/(1 + exp(eps))", (EPS, P, Q), ("p <= exp(eps)*q",)),
        argument=(Scale("(p + q)*(1 + exp(eps))"), Combine((("1", "p <= exp(eps)*q"),))),
        mutants=(
            mutant("less", "9/10 of it", "p/(p + q) <= 9/10*(exp(eps)/(1 + exp(eps)))", "eps=0 p=1 q=1"),
            Mutant("twice", "2 q", conditions=("p <= 2*exp(eps)*q",), candidates=(point("eps=0 p=1 q=1/2"),)),
        ),
        steps=(
            step(
                "delta",
                "with delta: a test of rates f and t is right with probability (t + 1 - f)/2 on a fair side, at most "
                "(e^eps + delta)/(1 + e^eps)",
                "(t + 1 - f)/2 <= (exp(eps) + delta)/(1 + exp(eps))",
                (EPS, DELTA, F, T),
                ("t <= exp(eps)*f + delta", "1 - f <= exp(eps)*(1 - t) + delta"),
                kind=ClaimKind.PRIVACY,
                argument=(
                    Scale("2*(1 + exp(eps))"),
                    Combine((("1", "t <= exp(eps)*f + delta"), ("1", "1 - f <= exp(eps)*(1 - t) + delta"))),
                ),
                mutants=(
                    mutant(
                        "half",
                        "half of delta",
                        "(t + 1 - f)/2 <= (exp(eps) + delta/2)/(1 + exp(eps))",
                        "eps=0 delta=1/2 f=1/4 t=3/4",
                    ),
                ),
            ),
            step(
                "attained",
                "the law of Kairouz, Oh and Viswanath attains it: right with probability 1 where it tells the data "
                "set, else e^eps/(1 + e^eps)",
                "delta + (1 - delta)*exp(eps)/(1 + exp(eps)) == (exp(eps) + delta)/(1 + exp(eps))",
                (EPS, DELTA),
            ),
        ),
    ),
    Claim(
        id=POOLED,
        title="guesses of both tails, pooled: 1 - w <= e^eps w + delta/g",
        words=(
            "The distinguisher says D with probabilities q1 on D and p1 on D', says D' with q2 on D' and p2 on D, "
            "and passes otherwise; q1 <= e^eps p1 + delta and q2 <= e^eps p2 + delta. A trial on a fair side is "
            "guessed with probability g = (p1 + p2 + q1 + q2)/2, a guess is wrong with probability w = (p1 + p2)/(2 "
            "g), and 1 - w <= e^eps w + 2 delta/(2 g)."
        ),
        place="dpaudit/estimators/pooled_guesses.py",
        kind=ClaimKind.PRIVACY,
        reads=Reads.OURS,
        statement=Statement(f"1 - {W} <= exp(eps)*{W} + 2*delta/(2*{G})", (EPS, DELTA, *SUMS), (*KEPT, SOME)),
        argument=(Scale("p1 + p2 + q1 + q2"), Combine(tuple(("1", one) for one in KEPT))),
        candidates=(point("eps=0 delta=0 q1=1 p1=1 q2=0 p2=0"),),
        mutants=(
            mutant(
                "half",
                "half of delta",
                f"1 - {W} <= exp(eps)*{W} + delta/(2*{G})",
                "eps=0 delta=1/2 q1=1/2 p1=0 q2=1/2 p2=0",
            ),
        ),
        steps=(
            step(
                "tail",
                "a tail that never guesses, here q2 = p2 = 0, needs no delta",
                "1 - p1/(p1 + q1) <= exp(eps)*(p1/(p1 + q1)) + delta/(2*((p1 + q1)/2))",
                (EPS, DELTA, RIGHT_1, WRONG_1),
                (KEPT[0], "0 < p1 + q1"),
                kind=ClaimKind.PRIVACY,
                argument=(Scale("p1 + q1"), Combine((("1", KEPT[0]),))),
                candidates=(point("eps=0 delta=0 q1=1 p1=1"),),
                mutants=(
                    mutant(
                        "half",
                        "half of delta",
                        "1 - p1/(p1 + q1) <= exp(eps)*(p1/(p1 + q1)) + delta/2/(2*((p1 + q1)/2))",
                        "eps=0 delta=1/2 q1=1/2 p1=0",
                    ),
                ),
            ),
            step(
                "bounds",
                "and so it holds with an upper bound on w and a lower one on g: the printed epsilon is the least one "
                "that they leave",
                "1 - w_up <= exp(eps)*w_up + cost/(2*g_low)",
                (EPS, RATE, LARGER, MADE, FEWER, COST),
                ("1 - w <= exp(eps)*w + cost/(2*g)", "w <= w_up", "g_low <= g"),
                kind=ClaimKind.PRIVACY,
                argument=(
                    Combine(
                        (
                            ("1", "1 - w <= exp(eps)*w + cost/(2*g)"),
                            ("1 + exp(eps)", "w <= w_up"),
                            ("cost/(2*g*g_low)", "g_low <= g"),
                        )
                    ),
                ),
                candidates=(point("eps=0 w=1/2 w_up=1/2 g=1 g_low=1 cost=0"),),
                mutants=(
                    mutant(
                        "half",
                        "half of delta",
                        "1 - w_up <= exp(eps)*w_up + cost/(4*g_low)",
                        "eps=0 w=0 w_up=0 g=1 g_low=1 cost=2",
                    ),
                ),
            ),
            step(
                "spent",
                "the two bounds fail with probability alpha (1 - share) and alpha share at most, so one of them with "
                "alpha, however they depend on each other",
                "either <= alpha",
                (*FAILS, ALPHA, SPENT),
                (*any_of("either", "first", "second"), "first <= alpha*(1 - share)", "second <= alpha*share"),
                kind=ClaimKind.TAIL,
                candidates=(point("either=0 first=0 second=0 alpha=1/20 share=1/50"),),
                mutants=(
                    mutant(
                        "less",
                        "9/10 of alpha",
                        "either <= 9/10*alpha",
                        "either=1/20 first=1/25 second=1/100 alpha=1/20 share=1/5",
                    ),
                ),
            ),
            step(
                "thinned",
                "of T trials N are guessed and k of these wrongly, each trial with chances g w, g (1 - w), 1 - g: "
                "the multinomial probability is that of N guesses, Binomial(T, g), times that of k wrong ones, "
                "Binomial(N, w)",
                "factorial(T)/(factorial(k)*factorial(N - k)*factorial(T - N))*(g*w)**k*(g*(1 - w))**(N - k)*(1 - "
                "g)**(T - N) == binomial(T, N)*g**N*(1 - g)**(T - N)*(binomial(N, k)*w**k*(1 - w)**(N - k))",
                (TRIALS, MANY, BAD, GUESSED, MISTAKEN),
                ("N <= T", "k <= N"),
                candidates=(point("T=5 N=3 k=1 g=1/3 w=1/5"),),
            ),
        ),
    ),
)
