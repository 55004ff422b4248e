"""The printed steps from one B to the sum: P_e, Hoeffding's inequality, the choice of tau, beta, kappa_1."""

from dpaudit.claims.writing import *

from .symbols import *

CHANCE, MEAN = real("P_e", "[0, 1]"), real("mean", "[0, 1]", "E G_1")
W_1, W_2, Q = positive("W_1"), positive("W_2"), positive("q", "the quantile of W_2")
KAPPA, BETA, TAU = positive("kappa_1"), real("beta", "(0, 1)"), real("tau", "[0, oo)")
PRINTED_CHANCE = "(1 - exp(-1))*(1/2)*exp(-1/2)/sqrt(2*pi)"
HOEFFDING = "exp(-2*K*(P_e - tau/K)**2)"
CANTELLI = "2*(d - 1)/(2*(d - 1) + (1 + 2*sqrt(d - 2))**2)"
CHI = f"gamma_tail((d - 1)/2, {AT_ONE}/2)"
FEW = "tau <= K*P_e"

TAIL = (
    step(
        "s3-used",
        "at beta = 1/e, the one value that is used, s3 holds in every dimension, by Markov's inequality for the square "
        "of W_2 - (d - 1) + c, with c = 2 (d - 1)/(1 + 2 sqrt(d - 2)), as W_2 has mean d - 1 and variance 2 (d - 1)",
        f"{CHI} <= exp(-1)",
        (D,),
        kind=ClaimKind.TAIL,
        reads=Reads.OURS,
        place="proof of Lemma B.3",
        rests_on=("noncentral-chi-square",),
        argument=(
            Cases(
                (
                    (
                        "3 <= d",
                        (
                            Have("1 <= sqrt(d - 2)", (Power("2"), Combine((("1", "3 <= d"),)))),
                            Have(f"{CHI} <= {CANTELLI}", (ByTheorem("markov-inequality"),)),
                            Have("9/25 <= exp(-1)", (Boxes(),)),
                            Have(
                                f"{CANTELLI} <= 9/25",
                                (
                                    Scale("25*(2*(d - 1) + (1 + 2*sqrt(d - 2))**2)"),
                                    Combine(
                                        (
                                            ("4*sqrt(d - 2)", "1 <= sqrt(d - 2)"),
                                            ("40", "1 <= sqrt(d - 2)"),
                                            ("0", "0 <= 1"),
                                        )
                                    ),
                                ),
                            ),
                            Combine(
                                (
                                    ("1", f"{CHI} <= {CANTELLI}"),
                                    ("1", f"{CANTELLI} <= 9/25"),
                                    ("1", "9/25 <= exp(-1)"),
                                )
                            ),
                        ),
                    ),
                    ("otherwise", (Narrow(), Boxes())),
                )
            ),
        ),
        mutants=(mutant("tenth", "1/10 of it", f"{CHI} <= 1/10*exp(-1)", "d=3"),),
    ),
    step(
        "s4",
        "(120) to (121), first half: where W_1 >= kappa_1 and W_2 <= q, W_1/(W_1 + W_2) is at least "
        "kappa_1/(kappa_1 + q)",
        "kappa_1/(kappa_1 + q) <= W_1/(W_1 + W_2)",
        (KAPPA, Q, W_1, W_2),
        ("kappa_1 <= W_1", "W_2 <= q"),
        place="(120), (121)",
        printed=r"\mathbb{P}\left\{\frac{W_1}{W_1+W_2}\geq\frac{\kappa_1}{\kappa_1+(d-2)+2\log(1/\beta)+2\sqrt{(d-2)"
        r"\log(1/\beta)}}\right\}",
        argument=(
            Scale("(kappa_1 + q)*(W_1 + W_2)"),
            Combine((("q", "kappa_1 <= W_1"), ("kappa_1", "W_2 <= q"))),
        ),
        mutants=(
            mutant(
                "square",
                "without kappa_1 below",
                "kappa_1/q <= W_1/(W_1 + W_2)",
                "kappa_1=1 q=1 W_1=1 W_2=1",
            ),
        ),
    ),
    step(
        "s4-chance",
        "(120) to (121), second half: W_1 and W_2 are independent, so that W_1 >= kappa_1 and W_2 <= q happen both "
        "with probability at least (1 - beta) times the bound of s2. Encoded: with the product of both probabilities",
        "(1 - beta)*bound <= one*two",
        (
            *(BETA, real("bound", "[0, 1]", "the bound of s2")),
            *(real("one", "[0, 1]", "P(W_1 >= kappa_1)"), real("two", "[0, 1]", "P(W_2 <= q)")),
        ),
        (),
        given={f"{HERE}/s2": "bound <= one", f"{HERE}/s3": "1 - beta <= two"},
        place="(121)",
        printed=r"(1-\beta)\cdot\left(\frac{\sqrt{\kappa_1}}{1+\kappa_1}\right)\frac{e^{-\kappa_1/2}}{\sqrt{2\pi}}"
        r"\triangleq P_e",
        argument=(Combine((("one", "1 - beta <= two"), ("1 - beta", "bound <= one"))),),
        candidates=(point("beta=1/2 bound=1/2 one=1/2 two=1/2"),),
        mutants=(mutant("beta", "1 for 1 - beta", "bound <= one*two", "beta=1/2 bound=1/2 one=1/2 two=1/2"),),
    ),
    step(
        "s5",
        "less than tau of the G_k are 1 with probability at most exp(-2 K (P_e - tau/K)^2), by Hoeffding's inequality "
        "and E G_1 >= P_e, for tau <= K P_e, as tau is chosen",
        f"fails <= {HOEFFDING}",
        (K, CHANCE, MEAN, TAU, FAILS),
        (FEW, *martingale_tail("fails", "K*mean - tau", "K/4")),
        given={f"{HERE}/s4-chance": "P_e <= mean", f"{HERE}/s4": ""},
        kind=ClaimKind.TAIL,
        place="after (121)",
        printed=r"1-\mathbb{P}\left\{\sum_kG_k<\tau\right\}\geq 1-e^{-2K\left(P_e-\tau/K\right)^2}",
        argument=(
            Have("0 <= K*mean + K*P_e - 2*tau", (Combine((("2", FEW), ("K", "P_e <= mean"))),)),
            Have(
                f"exp(-(K*mean - tau)**2/(2*(K/4))) <= {HOEFFDING}",
                (
                    Logarithm(),
                    Rewrite(left="-2*(K*mean - tau)**2/K", right="-2*(K*P_e - tau)**2/K"),
                    Combine((("2*(K*mean + K*P_e - 2*tau)", "P_e <= mean"),)),
                ),
            ),
            Combine(
                (
                    ("1", f"exp(-(K*mean - tau)**2/(2*(K/4))) <= {HOEFFDING}"),
                    ("1", "fails <= exp(-(K*mean - tau)**2/(2*(K/4)))"),
                )
            ),
        ),
        candidates=(point("K=4 P_e=1/2 mean=1/2 tau=1 fails=0"),),
        mutants=(
            mutant("four", "4 K", "fails <= exp(-4*K*(P_e - tau/K)**2)", "K=4 P_e=1/2 mean=1/2 tau=1 fails=6/10"),
        ),
    ),
    erratum(
        "s6",
        "with tau = K (P_e - log(1/delta)/(2 K))_+ the bound of s5 is delta. Encoded where tau > 0",
        "exp(-2*K*(P_e - (K*(P_e - L/(2*K)))/K)**2) <= exp(-L)",
        (K, CHANCE, positive("L", "log(1/delta)")),
        ("L < 2*K*P_e",),
        reads=Reads.REASON,
        place="end of the proof of Lemma B.3",
        printed=r"\tau=K\cdot\left(P_e-\frac{\log(1/\delta)}{2K}\right)_+",
        candidates=(point("K=100 P_e=7/100 L=1"),),
        finding=(
            "The bound is exp(-log(1/delta)^2/(2 K)), more than delta wherever tau > 0, as then log(1/delta) < 2 K P_e "
            "< 2 K: at K = 100 and delta = 1/e it is 0.995. A square root is lost: tau = K (P_e - sqrt(log(1/delta)/(2 "
            "K)))_+ makes it delta (s6~repaired), and Lemma B.3 would have sqrt(log(1/delta)/(2 K)) for "
            "log(1/delta)/K. By its factor 20 the lemma holds as printed, by Chernoff's bound in the place of "
            "Hoeffding's."
        ),
        repair=f"{HERE}/s6~repaired",
    ),
    step(
        "s6~repaired",
        "with tau = K (P_e - sqrt(log(1/delta)/(2 K))) the bound of s5 is delta",
        "exp(-2*K*(P_e - (K*(P_e - sqrt(L/(2*K))))/K)**2) == exp(-L)",
        (K, CHANCE, L),
        place="end of the proof of Lemma B.3",
        argument=(Rewrite(left="exp(-L)"), Identical()),
        candidates=(point("K=4 P_e=1/2 L=1"),),
    ),
    erratum(
        "s6-number",
        "with beta = 1/e and kappa_1 = 1, P_e of (121) is at least 0.15.",
        f"15/100 <= {PRINTED_CHANCE}",
        (),
        place="end of the proof of Lemma B.3",
        printed=r"\beta=1/e,\ \kappa_1=1",
        candidates=((),),
        finding=(
            "P_e of (121) is 0.0765 there. The lower bound on the normal tail has a factor 2 (s2-twice), which the "
            "display of 2 Q(sqrt(kappa_1)) loses; with it P_e is 0.1530 (s6-number~repaired), and 0.15 is right. A "
            "misprint."
        ),
        repair=f"{HERE}/s6-number~repaired",
    ),
    step(
        "s6-number~repaired",
        "with the factor 2 of s2-twice, P_e is at least 0.15",
        f"15/100 <= 2*{PRINTED_CHANCE}",
        (),
        place="end of the proof of Lemma B.3",
        rests_on=(f"{HERE}/s2-twice",),
        argument=(Boxes(),),
        mutants=(mutant("more", "0.16", f"16/100 <= 2*{PRINTED_CHANCE}", ""),),
    ),
    step(
        "s6-fraction",
        "with beta = 1/e and kappa_1 = 1 the level is 1/(d + 1 + 2 sqrt(d - 2)), which is more than the printed 1/(20 "
        "(d + 1 + sqrt(d - 2)))",
        f"{LEVEL} <= 1/(1 + {AT_ONE})",
        (D,),
        place="end of the proof of Lemma B.3",
        printed=r"\frac{K}{20\left(d+1+\sqrt{d-2}\right)}",
        argument=(
            Scale(f"20*(d + 1 + sqrt(d - 2))*(1 + {AT_ONE})"),
            Combine((("18", "0 <= sqrt(d - 2)"), ("19*(d + 1)", "0 <= 1"))),
        ),
        tightness=(
            Tightness(
                "factor",
                "20",
                f"1/({{c}}*(d + 1 + sqrt(d - 2))) <= 1/(1 + {AT_ONE})",
                "5/4",
                "6/5",
                argument=(
                    Scale(f"5/4*(d + 1 + sqrt(d - 2))*(1 + {AT_ONE})"),
                    Combine((("1/4", "0 <= (sqrt(d - 2) - 3/2)**2"), ("3/16", "0 <= 1"))),
                ),
                candidates=(point("d=5"),),
            ),
        ),
        mutants=(mutant("one", "1 in the place of 20", f"1/(d + 1 + sqrt(d - 2)) <= 1/(1 + {AT_ONE})", "d=3"),),
    ),
)
