"""The printed steps on one B: chi-square laws, and the level that B reaches with probability P_e."""

from dpaudit.claims.writing import *

from .symbols import *

CHI = "gamma_tail((d - 1)/2, {x}/2)"
BEYOND_TWO = (Cases((("L <= 30", (Boxes(60_000),)), ("otherwise", (Open("beta below exp(-30)"),)))),)

LAW = (
    step(
        "s1",
        "B has the law of W_1/(W_1 + W_2) for independent chi-squares with 1 and d - 1 degrees of freedom. Encoded: "
        "the moments of both, which fix a law on [0, 1]; from one to the next the mean of W_1^j gains a factor 1 + 2 "
        "j, that of (W_1 + W_2)^j a factor d + 2 j, and the ratio does not depend on W_1 + W_2",
        "(1 + 2*j)/(d + 2*j) == (1/2 + j)/(1/2 + (d - 1)/2 + j)",
        (D, integer("j", "[0, oo)", "order of the moment")),
        kind=ClaimKind.MOMENT,
        rests_on=("haar-beta",),
        place="proof of Lemma B.3",
        printed=r"B\overset{(d)}{=}\frac{W_1}{W_1+W_2}",
        candidates=(point("d=2 j=1"),),
    ),
    step(
        "s2",
        "P(W_1 >= kappa_1) = 2 Q(sqrt(kappa_1)) is at least the printed bound, and at least twice that (s2-twice). "
        "Encoded: with 2 Phi(-root) for the probability",
        f"{LOWER_Q} <= 2*Phi(-root)",
        (ROOT,),
        place="proof of Lemma B.3",
        printed=r"2\cdot Q\left(\sqrt{\kappa_1}\right)\geq\left(\frac{\sqrt{\kappa_1}}{1+\kappa_1}\right)"
        r"\frac{e^{-\kappa_1/2}}{\sqrt{2\pi}}",
        argument=(
            Have(f"2*({LOWER_Q}) <= 2*Phi(-root)", (ByTheorem(f"{HERE}/s2-twice"),)),
            Combine((("1", f"2*({LOWER_Q}) <= 2*Phi(-root)"), (LOWER_Q, "0 <= 1"))),
        ),
        mutants=(mutant("thrice", "three times it", f"3*({LOWER_Q}) <= 2*Phi(-root)", "root=4"),),
    ),
    step(
        "s2-twice",
        "the lower bound on the normal tail, for both tails: it has a factor 2 that the display loses",
        f"2*({LOWER_Q}) <= 2*Phi(-root)",
        (ROOT,),
        reads=Reads.OURS,
        place="proof of Lemma B.3",
        argument=(
            Rewrite(left="2/sqrt(2*pi)*exp(-root**2/2)/(root + 1/root)"),
            Monotone(
                "root",
                "high",
                (Rewrite(left="-4*exp(-root**2/2)/(sqrt(2*pi)*(1 + root**2)**2)"), Positive()),
            ),
        ),
        mutants=(mutant("more", "2.2 of it", f"11/5*({LOWER_Q}) <= 2*Phi(-root)", "root=6"),),
    ),
    step(
        "s3",
        "P{W_2 <= (d - 2) + 2 log(1/beta) + 2 sqrt((d - 2) log(1/beta))} >= 1 - beta for W_2 with d - 1 degrees of "
        "freedom; the bound that is quoted has d - 1 for d - 2",
        f"{CHI.format(x=QUANTILE)} <= exp(-L)",
        (D, real("L", "(0, oo)", "log(1/beta)")),
        kind=ClaimKind.TAIL,
        expects=Outcome.CONSISTENT,
        place="proof of Lemma B.3",
        printed=r"\mathbb{P}\left\{W_2\leq(d-2)+2\log(1/\beta)+2\sqrt{(d-2)\log(1/\beta)}\right\}\geq 1-\beta",
        argument=(
            Cases(
                (
                    ("3 <= d", (Narrow(), Cases((("d <= 16", BEYOND_TWO), ("otherwise", (Open("larger d"),)))))),
                    ("otherwise", (Open("d = 2, which s3-two proves"),)),
                )
            ),
        ),
        mutants=(mutant("half", "half of beta", f"{CHI.format(x=QUANTILE)} <= 1/2*exp(-L)", "d=8 L=1/100"),),
    ),
    step(
        "s3-two",
        "s3 for d = 2, where W_2 has one degree of freedom and P(W_2 > 2 log(1/beta)) = 2 Phi(-sqrt(2 log(1/beta)))",
        "2*Phi(-sqrt(2*L)) <= exp(-L)",
        (L,),
        reads=Reads.OURS,
        kind=ClaimKind.TAIL,
        place="proof of Lemma B.3",
        argument=(Rewrite(right="2*(exp(-sqrt(2*L)**2/2)/2)"), Scale("1/2"), ByTheorem("normal-tail")),
        mutants=(mutant("rate", "exp(-2 L)", "2*Phi(-sqrt(2*L)) <= exp(-2*L)", "L=5"),),
    ),
)
