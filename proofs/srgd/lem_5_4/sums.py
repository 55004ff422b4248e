"""Lemma 5.4, (21) and (22): the sum with the bound of the induction put in. Steps s8 to s15."""

from dpaudit.claims.writing import *

from .last import TO_LAST
from .symbols import *

LENGTH, POWER = integer("t", "[1, oo)", "step"), positive("k")
BERNOULLI = "1 + (k + 1)*(1/t) <= (1 + 1/t)**(k + 1)"
SCALED = "(t + 1)**(k + 1) == t**(k + 1)*(1 + 1/t)**(k + 1)"
EQUAL = (
    "M=1 n=10000000000000000000000000000 p=10000000000000000000000000000 eps=1 c_DP=4000000 L=1 R=1 m=1 ell=100 t=100"
)


def power_sum(name, term, simple, power, bound, root):
    """A sum of (21), by term <= simple = i^power."""
    return step(
        name,
        f"(21), one of the three sums: {term} summed up is at most {bound}",
        f"sum(i, 0, t - 1, {term}) <= {bound}",
        (LENGTH,),
        argument=(
            Bound(left=f"sum(i, 0, t - 1, {simple})", argument=(Termwise(root),)),
            ByTheorem(f"{LEM}/s8", at=(("k", power),)),
        ),
        place="Lemma 5.4, (21)",
        mutants=(mutant("tenth", "a tenth of it", f"sum(i, 0, t - 1, {term}) <= 1/10*({bound})", "t=40"),),
    )


SUM_STEPS = (
    step(
        "bernoulli",
        "1 + (k + 1) u <= (1 + u)^(k + 1)",
        "1 + (k + 1)*u <= (1 + u)**(k + 1)",
        (POWER, real("u", "[0, 1]")),
        argument=(Tangent("u", "0"),),
        mutants=(mutant("more", "k + 2", "1 + (k + 2)*u <= (1 + u)**(k + 1)", "k=1 u=1/2"),),
    ),
    step(
        "s8",
        "sum over i < t of i^k <= t^(k + 1)/(k + 1) for k > 0",
        "sum(i, 0, t - 1, i**k) <= t**(k + 1)/(k + 1)",
        (LENGTH, POWER),
        argument=(
            Induct(
                "t",
                step=(
                    Have(BERNOULLI, (ByTheorem(f"{LEM}/bernoulli", at=(("u", "1/t"),)),)),
                    Have(SCALED, (Rewrite(left="(t*(1 + 1/t))**(k + 1)"), Identical())),
                    Combine(
                        (
                            ("1", "sum_1 <= t**(k + 1)/(k + 1)"),
                            ("1/(k + 1)", SCALED),
                            ("t**(k + 1)/(k + 1)", BERNOULLI),
                        )
                    ),
                ),
            ),
        ),
        printed=r"\sum_{i=0}^{t-1}i^k\le\int_0^tx^kdx=\frac{t^{k+1}}{k+1}",
        mutants=(mutant("half", "half of it", "sum(i, 0, t - 1, i**k) <= 1/2*t**(k + 1)/(k + 1)", "t=10 k=1"),),
    ),
    power_sum(
        "s9-quarter",
        "i**(3/2)/(i + 1)**(1/4)",
        "i**(5/4)",
        "5/4",
        "4/9*t**(9/4)",
        (
            Have("i**(1/4) <= (i + 1)**(1/4)", (Power("4"), Positive())),
            Combine((("i**(5/4)/(i + 1)**(1/4)", "i**(1/4) <= (i + 1)**(1/4)"),)),
        ),
    ),
    power_sum(
        "s9-half",
        "i**(3/2)/(i + 1)**(1/2)",
        "i**1",
        "1",
        "1/2*t**2",
        (
            Have("i**(1/2) <= (i + 1)**(1/2)", (Power("2"), Positive())),
            Combine((("i/(i + 1)**(1/2)", "i**(1/2) <= (i + 1)**(1/2)"),)),
        ),
    ),
    power_sum(
        "s9-one",
        "i**(3/2)/(i + 1)",
        "i**(1/2)",
        "1/2",
        "2/3*t**(3/2)",
        (Combine((("i**(1/2)/(i + 1)", "0 <= 1"),)),),
    ),
    step(
        "s9",
        "(21), second line to third line: 4/9, 1/2 and 4/3 are at most 4/3, and the powers are the same. Encoded: "
        "without the factor c_1, which both have",
        "c_DP*L*sqrt(M*ell)/(sqrt(B)*beta)*(4/9*t**(1/4)*sqrt(c_DP*L*R*ell/sqrt(B)) + sqrt(beta*b*R)/2"
        " + 4*sqrt(beta)*R/(3*sqrt(t))) <= 4*sqrt(M)/3*((c_DP*L)**(3/2)*sqrt(R)*ell*t**(1/4)/(B**(3/4)*beta)"
        " + c_DP*L*sqrt(ell*b*R)/sqrt(B*beta) + c_DP*L*R*sqrt(ell)/sqrt(B*beta*t))",
        (C_DP, *SIZES, ELL, TIME, positive("B"), positive("beta"), positive("b", "b_max")),
        place="Lemma 5.4, (21)",
        argument=(Positive(),),
        candidates=(point("c_DP=1 L=1 R=1 M=1 ell=1 t=1 B=1 beta=1 b=1"),),
        mutants=(
            mutant(
                "weight",
                "1/4 in place of 4",
                "c_DP*L*sqrt(M*ell)/(sqrt(B)*beta)*(4/9*t**(1/4)*sqrt(c_DP*L*R*ell/sqrt(B)) + sqrt(beta*b*R)/2"
                " + 4*sqrt(beta)*R/(3*sqrt(t))) <= 1/4*sqrt(M)/3*((c_DP*L)**(3/2)*sqrt(R)*ell*t**(1/4)/(B**(3/4)*beta)"
                " + c_DP*L*sqrt(ell*b*R)/sqrt(B*beta) + c_DP*L*R*sqrt(ell)/sqrt(B*beta*t))",
                "c_DP=1 L=1 R=1 M=1 ell=1 t=1 B=1 beta=1 b=1",
            ),
        ),
    ),
    step(
        "s10",
        "(22), first line to second line. Encoded: without the common factor 4 c_1/3, with (19) put in",
        f"{added(LINE_A)} <= {added(LINE_B)}",
        SYMBOLS,
        (IS_WORST,),
        place="Lemma 5.4, (22)",
        argument=(*DIMENSION_FITS, *by_term(LINE_A, LINE_B)),
        candidates=(point(EQUAL),),
        mutants=(mutant("hundredth", "a hundredth of it", f"{added(LINE_A)} <= 1/100*({added(LINE_B)})", EQUAL),),
    ),
    erratum(
        "s11",
        "(22), second line to third line",
        f"{added(LINE_B)} <= {added(LINE_C)}",
        (*SYMBOLS, C_M),
        (IS_WORST, SMOOTH, IN_STEPS),
        enough=ENOUGH,
        place="Lemma 5.4, (22)",
        printed=r"\frac{p^{1/4}\sqrt{c_{DP}Lc_{DP}}}{B\beta\sqrt{\varepsilon R}}\ldots\le"
        r"\frac{p^{1/4}\sqrt M}{B\max\{\sqrt\varepsilon,p^{1/4}/n^{1/4}\}\sqrt{\beta c_{DP}}}",
        candidates=(point(f"{EQUAL} c_M=1"),),
        finding=(
            "The second summand of the third line is c_DP times smaller than that of the second, always (`factor`); "
            "the first one has m = max{1, sqrt(p)/(eps sqrt(n))} where its root belongs. The fifth line holds: s14."
        ),
        repair=f"{LEM}/s14",
    ),
    step(
        "factor",
        "the second summand of the second line is c_DP times that of the third one, where max{sqrt(eps), "
        "p^{1/4}/n^{1/4}} is sqrt(eps m)",
        f"{LINE_B[1]} == c_DP*({LINE_C[1].replace(MAXIMUM, '(sqrt(eps)*sqrt(m))')})",
        SYMBOLS,
    ),
    step(
        "s12",
        "(22), third line to fourth line. Encoded: without the common factor 4 c_1/3, with (19) put in",
        f"{added(LINE_C)} <= {added(LINE_D)}",
        (*SYMBOLS, C_M),
        (IS_WORST, SMOOTH, IN_STEPS),
        enough=("c_M <= c_DP",),
        place="Lemma 5.4, (22)",
        argument=(
            Have(f"M <= {BETA}", (ByTheorem(f"{LEM}/s3"),)),
            Have(f"sqrt(M) <= sqrt({BETA})", (Power("2"), Combine((("1", f"M <= {BETA}"),)))),
            BY_STEPS,
            Have(
                f"{LINE_C[0]} <= {LINE_D[0]}",
                (
                    Combine(
                        (
                            ("c_DP**(1/4)*n**(-9/16)*L*R*ell/m", LATEST),
                            ("c_DP**(1/2)*n**(-1/2)*L*R*ell/m", "1 <= m"),
                        )
                    ),
                ),
            ),
            Have(
                f"{LINE_C[1]} <= {LINE_D[1]}",
                (
                    Combine(
                        (
                            (f"L*R*ell*n**(1/4)/({BATCH}*{MAXIMUM})", f"p**(1/4)/n**(1/4) <= {MAXIMUM}"),
                            (f"L*R*ell*p**(1/4)/({BATCH}*{MAXIMUM}*sqrt({BETA}))", f"sqrt(M) <= sqrt({BETA})"),
                        )
                    ),
                ),
            ),
            Combine((("1", f"{LINE_C[0]} <= {LINE_D[0]}"), ("1", f"{LINE_C[1]} <= {LINE_D[1]}"))),
        ),
        candidates=(point(f"{EQUAL} c_M=1"),),
        mutants=(
            mutant("hundredth", "a hundredth of it", f"{added(LINE_C)} <= 1/100*({added(LINE_D)})", f"{EQUAL} c_M=1"),
        ),
    ),
    step(
        "s13",
        "(22), fourth line to fifth line, which is the last one too. Encoded: without the common factor 4 c_1/3, with "
        "(19) put in",
        f"{added(LINE_D)} <= {added(LINE_E)}",
        SYMBOLS,
        place="Lemma 5.4, (22)",
        mutants=(
            mutant(
                "hundredth",
                "a hundredth of it",
                f"{added(LINE_D)} <= 1/100*({added(LINE_E)})",
                "M=1 n=1 p=1 eps=1 c_DP=1 L=1 R=1 m=1 ell=1 t=1",
            ),
        ),
    ),
    step(
        "s14",
        "(22), first line to last line, which is what the proof goes on with",
        f"{added(LINE_A)} <= {added(LINE_E)}",
        (*SYMBOLS, C_M),
        (IS_WORST, SMOOTH, IN_STEPS),
        enough=ENOUGH,
        place="Lemma 5.4, (22)",
        printed=r"\le\frac{4c_1\sqrt{c_{DP}}LR\log(T/\gamma)}3\left(\frac{2\sqrt{c_{DP}}}{n^{1/2}}"
        r"+\frac1{\sqrt{c_{DP}Bt}}\right)",
        argument=(*DIMENSION_FITS, *TO_LAST),
        candidates=(point(f"{EQUAL} c_M=1"),),
        mutants=(
            mutant("hundredth", "a hundredth of it", f"{added(LINE_A)} <= 1/100*({added(LINE_E)})", f"{EQUAL} c_M=1"),
        ),
    ),
    step(
        "s15",
        "B (t + 1) <= B T = n, so that 1/sqrt(n) <= 1/sqrt(B (t + 1))",
        f"1/sqrt(n) <= 1/sqrt({BATCH}*(t + 1))",
        (RECORDS, C_DP, TIME),
        ("t + 1 <= c_DP*n**(1/4)",),
        reads=Reads.OURS,
        argument=(
            Have(f"{BATCH}*(t + 1) <= n", (Combine(((BATCH, "t + 1 <= c_DP*n**(1/4)"),)),)),
            Power("2"),
            Scale(f"n*{BATCH}*(t + 1)"),
            Combine((("1", f"{BATCH}*(t + 1) <= n"),)),
        ),
        candidates=(point("n=16 c_DP=2 t=1"),),
        mutants=(
            Mutant(
                "later", "t up to 2 T", conditions=("t + 1 <= 2*c_DP*n**(1/4)",), candidates=(point("n=16 c_DP=2 t=6"),)
            ),
        ),
    ),
)
