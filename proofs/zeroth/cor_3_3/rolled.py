"""The proof of Corollary 3.3 down to (25): c_1 = 1, the recursion rolled out, the best a_t for beta_t = 1/2."""

from dpaudit.claims.writing import *

from .symbols import *

SQUARE = "(1 - (1 - c**2)*K/d + e*(1 + c**2)*K/d)"
FREE = real("c", "[0, oo)", "Lipschitz constant of the first-order map")
TOTAL, WEIGHT, WORTH = "sum(t, 0, N - 1, a[t])", "sum(t, 0, N - 1, rest[t])", "sum(t, 0, N - 1, a[t]**2/rest[t])"
NEEDED = real("Z", "[0, oo)", "min(2R, 2 C tau/sqrt(K))")
ROLLED_OUT = "sum(t, 0, N - 1, a[t] - c_2)"
PRIMED = real("a_new", "[0, oo)", "a'_t")
STEP_25 = "alpha/(2*(1/2)*sigma**2)*(2*Delta/n)**2 + 2*alpha*((Z/N)**2 + c_2**2)*d/(2*eta**2*(1 - 1/2)*sigma**2)"
VALUE_25 = "N*(alpha/sigma**2*(2*Delta/n)**2 + 2*alpha*c_2**2*d/(eta**2*sigma**2))"

EXPONENT, EXPONENT_MORE = (f"3*{e}**2*d*K/(12*(d - K) + 8*{e}*(d - 2*K))" for e in ("e", "more"))
POSITIVE, POSITIVE_MORE = (
    (Combine((("12", "2*K <= d"), (f"8*{e}", "2*K <= d"), ("12", "1 <= K"), ("12", "0 < 1"))),) for e in ("e", "more")
)

ROLLED = (
    step(
        "s1",
        "(14): c_1 = 1 for e = (1 - c^2)/(1 + c^2)",
        f"{SQUARE} == 1",
        (DIRECTIONS, DIMENSION, CONTRACTION, SLACK),
        (SLACK_IS,),
        place="(14)",
        printed=r"1-(1-c^2)\frac Kd+\epsilon(1+c^2)\frac Kd=1\Leftrightarrow0\leq\epsilon=\frac{1-c^2}{1+c^2}",
        argument=(Substitute((), where("e=(1-c**2)/(1+c**2)"), ()), Identical()),
        candidates=(point("K=1 d=2 c=1/2 e=3/5"),),
    ),
    step(
        "s1-only",
        "(14), the other way: for no other e",
        "e == (1 - c**2)/(1 + c**2)",
        (DIRECTIONS, DIMENSION, CONTRACTION, SLACK),
        (f"{SQUARE} == 1",),
        reads=Reads.PRINTED,
        place="(14)",
        argument=(Combine((("d/(K*(1 + c**2))", f"{SQUARE} == 1"),)),),
        candidates=(point("K=1 d=2 c=1/2 e=3/5"),),
    ),
    step(
        "s1-largest",
        "it is the largest e with c_1 <= 1, not the smallest, as the text before (31) says. Encoded: that it is the "
        "largest; that the bound on the probability of failure is then the smallest is s1-failure",
        "e <= (1 - c**2)/(1 + c**2)",
        (DIRECTIONS, DIMENSION, CONTRACTION, SLACK),
        (f"{SQUARE} <= 1",),
        reads=Reads.OURS,
        place="the text before (31)",
        argument=(Scale("(1 + c**2)*K/d"), Combine((("1", f"{SQUARE} <= 1"),))),
        candidates=(point("K=1 d=2 c=1/2 e=3/5"),),
        mutants=(mutant("half", "half of it", "e <= 1/2*(1 - c**2)/(1 + c**2)"),),
    ),
    step(
        "s1-failure",
        "a larger e makes the bound of Lemma 3.8 on the probability of failure smaller. Encoded: its exponent grows",
        f"{EXPONENT} <= {EXPONENT_MORE}",
        (DIRECTIONS, DIMENSION, SLACK, real("more", "(0, oo)", "a larger slack")),
        ("2*K <= d", "e <= more"),
        reads=Reads.OURS,
        place="the text before (31)",
        argument=(
            Have("0 < 12*(d - K) + 8*e*(d - 2*K)", POSITIVE),
            Have("0 < 12*(d - K) + 8*more*(d - 2*K)", POSITIVE_MORE),
            Scale("(12*(d - K) + 8*e*(d - 2*K))*(12*(d - K) + 8*more*(d - 2*K))/(3*d*K)"),
            Combine((("12*(d - K)*(e + more) + 8*e*more*(d - 2*K)", "e <= more"),)),
        ),
        candidates=(point("K=1 d=4 e=1/2 more=1"), point("K=1 d=4 e=1 more=1")),
        mutants=(mutant("twice", "twice the first", f"2*{EXPONENT} <= {EXPONENT_MORE}", "K=1 d=4 e=1 more=1"),),
    ),
    step(
        "s2",
        "(19): with c_1 = 1 the recursion, with the index of the proof of Theorem 3.2, adds up to z_tau = z_T + sum "
        "(a_t - c_2) over t = tau, ..., T - 1, where z_T = 0; C is eta Delta, by Lemma 3.9 (the paper does not say "
        "so). Encoded: this sum; a_t >= c_2, which is enough for z_t >= 0, is not",
        f"z[0] == z[N] + {ROLLED_OUT}",
        (C_2, WINDOW, SHIFTS, DISTANCES),
        ("all(t, 0, N - 1, z[t] == z[t + 1] + a[t] - c_2)",),
        kind=ClaimKind.INDUCTION,
        place="(18) and (19)",
        printed=r"a_t\geq c_2\ \forall t\geq\tau,\ \sum_{t=\tau}^{T-1}(a_t-c_2)\geq\min\left(2R,\frac{2C\tau}{\sqrt K}"
        r"\right)",
        argument=(Induct("N"),),
        candidates=(point("c_2=0 N=1 a=[1] z=[1,0]"),),
        mutants=(mutant("less", "c_2 once more", f"z[0] == z[N] + {ROLLED_OUT} - c_2", "c_2=1 N=1 a=[2] z=[1,0]"),),
    ),
    erratum(
        "s2-index",
        "(19) from (16) as printed, z_{t-1} = z_t + a_t - c_2. Encoded for T - tau = 1: z_tau = z_{T-1} is a_{T-1} - "
        "c_2",
        "z_before == a[0] - c_2",
        (C_2, SHIFTS, real("z_T", "[0, 0]"), real("z_before", "[0, oo)", "z_{T-1}")),
        ("z_before == z_T + a[1] - c_2",),
        place="(16)",
        printed=r"z_{t-1}=z_t+a_t-c_2,\ z_T=0",
        candidates=(point("c_2=0 a=[0,1] z_T=0 z_before=1"),),
        finding=(
            "A misprint, the index of Theorem 3.2 again: by (16) the sum runs over t = tau + 1, ..., T. (19) has the "
            "right sum, that of the recursion in the proof of the theorem."
        ),
        repair=f"{HERE}/s2",
    ),
    erratum(
        "s3",
        "(20): with a'_t = a_t - c_2 the square a_t^2 is (a'_t - c_2)^2",
        "a**2 == (a_new - c_2)**2",
        (C_2, real("a", "[0, oo)", "a_t"), PRIMED),
        ("a_new == a - c_2",),
        place="(20)",
        printed=r"\sum_{t=\tau}^{T-1}\frac{\alpha(a_t'-c_2)^2d}{2\eta^2(1-\beta_t)\sigma^2}",
        candidates=(point("c_2=1 a=1 a_new=0"), point("c_2=1 a=2 a_new=1")),
        finding="A misprint of the sign: a_t = a'_t + c_2. (22), right for either sign, is what is used.",
        repair=f"{HERE}/s4-plus",
    ),
    step(
        "s3~repaired",
        "(20) with the other sign: with a'_t = a_t - c_2 the square a_t^2 is (a'_t + c_2)^2",
        "a**2 == (a_new + c_2)**2",
        (C_2, real("a", "[0, oo)", "a_t"), PRIMED),
        ("a_new == a - c_2",),
        place="(20)",
        argument=(Substitute((), where("a_new=a-c_2"), ()), Identical()),
        candidates=(point("c_2=1 a=1 a_new=0"),),
    ),
    step(
        "s4",
        "(22): (a'_t - c_2)^2 <= 2 a'_t^2 + 2 c_2^2",
        "(a_new - c_2)**2 <= 2*a_new**2 + 2*c_2**2",
        (C_2, PRIMED),
        place="the text before (22)",
        printed=r"(a_t'-c_2)^2\leq2(a_t')^2+2c_2^2",
        argument=(Combine((("1", "0 <= (a_new + c_2)**2"),)),),
        mutants=(mutant("less", "1/2 in place of 2", "(a_new - c_2)**2 <= 1/2*a_new**2 + 2*c_2**2", "c_2=0 a_new=1"),),
    ),
    step(
        "s4-plus",
        "(22) is right for a_t = a'_t + c_2 too, which is what is meant. Encoded: the square of one a_t, without the "
        "factor alpha d/(2 eta^2 (1 - beta_t) sigma^2)",
        "(a_new + c_2)**2 <= 2*a_new**2 + 2*c_2**2",
        (C_2, PRIMED),
        reads=Reads.PRINTED,
        place="(22)",
        printed=r"\sum_{t=\tau}^{T-1}\frac{2\alpha((a_t')^2+c_2^2)d}{2\eta^2(1-\beta_t)\sigma^2}",
        argument=(Combine((("1", "0 <= (a_new - c_2)**2"),)),),
        mutants=(mutant("less", "1/2 in place of 2", "(a_new + c_2)**2 <= 1/2*a_new**2 + 2*c_2**2", "c_2=0 a_new=1"),),
        tightness=(
            Tightness(
                "factor",
                "2",
                "(a_new + c_2)**2 <= {c}*a_new**2 + 2*c_2**2",
                "2",
                "19/10",
                candidates=(point("a_new=21 c_2=20"),),
            ),
        ),
    ),
    step(
        "s5",
        "(24), the first inequality: Cauchy-Schwarz for a'_t/sqrt(1 - beta_t) and sqrt(1 - beta_t)",
        f"S**2 <= ({WORTH})*W",
        (WINDOW, SHIFTS, RESTS, real("S", meaning="sum of the a'_t"), positive("W", "sum of the 1 - beta_t")),
        (f"S == {TOTAL}", f"W == {WEIGHT}"),
        place="(24)",
        printed=r"\left(\sum_{t=\tau}^{T-1}\frac{(a_t')^2}{1-\beta_t}\right)\left(\sum_{t=\tau}^{T-1}(1-\beta_t)\right)"
        r"\geq\left(\sum_{t=\tau}^{T-1}a_t'\right)^2",
        argument=(
            Have(
                f"sum(t, 0, N - 1, 2*(S/W)*a[t] - (S/W)**2*rest[t]) <= {WORTH}",
                (Termwise((Scale("rest[t]"), Combine((("1", "0 <= (a[t] - (S/W)*rest[t])**2"),)))),),
            ),
            Combine(
                (
                    ("W", f"sum(t, 0, N - 1, 2*(S/W)*a[t] - (S/W)**2*rest[t]) <= {WORTH}"),
                    ("2*S", f"S == {TOTAL}"),
                    ("-(S**2)/W", f"W == {WEIGHT}"),
                )
            ),
        ),
        candidates=(point("N=2 a=[1,1] rest=[1/2,1/2] S=2 W=1"),),
        mutants=(mutant("less", "9/10 of it", f"S**2 <= 9/10*({WORTH})*W", "N=1 a=[1] rest=[1/2] S=1 W=1/2"),),
    ),
    step(
        "s5-attained",
        "the first of the two equalities of (24), for a'_t = q (1 - beta_t); the second, sum a'_t = min(2R, 2 C tau/"
        "sqrt(K)), fixes q. Encoded: the first",
        "(sum(t, 0, N - 1, q*rest[t]))**2 == (sum(t, 0, N - 1, (q*rest[t])**2/rest[t]))*sum(t, 0, N - 1, rest[t])",
        (WINDOW, RESTS, positive("q", "the proportion")),
        reads=Reads.PRINTED,
        place="the text after (24)",
        printed=r"\text{both of the equalities are attainable for some }a_t'\geq0",
        candidates=(point("q=1 N=2 rest=[1/2,1/2]"),),
    ),
    step(
        "s6",
        "(25): with beta_t = 1/2 and a'_t = Z/N the sum (22) of N steps is at most what is printed",
        f"N*({STEP_25}) <= {VALUE_25} + 4*alpha*Z**2*d/(N*eta**2*sigma**2)",
        (*SCALES, C_2, WINDOW, NEEDED),
        place="(25)",
        printed=r"(T-\tau)\left(\frac{\alpha}{\sigma^2}\left(\frac{2\Delta}n\right)^2+\frac{2\alpha "
        r"c_2^2d}{\eta^2\sigma^2}\right)+\frac{4\alpha\left(\min(2R,\frac{2C\tau}{\sqrt "
        r"K})\right)^2d}{(T-\tau)\eta^2\sigma^2}",
        argument=(Combine((("2*alpha*Z**2*d/(N*eta**2*sigma**2)", "0 <= 1"),)),),
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 c_2=0 N=1 Z=1"),),
        tightness=(
            Tightness(
                "last",
                "4",
                f"N*({STEP_25}) <= {VALUE_25} + {{c}}*alpha*Z**2*d/(N*eta**2*sigma**2)",
                "2",
                "19/10",
                argument=(Identical(),),
            ),
        ),
        mutants=(
            mutant("one", "1 in place of 4", f"N*({STEP_25}) <= {VALUE_25} + 1*alpha*Z**2*d/(N*eta**2*sigma**2)"),
        ),
    ),
)
