"""Section 3.1 and the introduction on privacy: the two kinds of noise, the headline, and how the cost hangs on K."""

from dpaudit.claims.writing import *

ALPHA, LOG = real("alpha", "(1, oo)", "Renyi order"), positive("l", "log(1/delta)")
CLIP, SIGMA = positive("Delta", "clipping threshold"), positive("sigma", "noise scale")
D, K = integer("d", "[1, oo)", "dimension"), integer("K", "[1, oo)", "directions")
N, T = integer("n", "[1, oo)", "records"), integer("T", "[1, oo)", "steps")
RADIUS, SMOOTH = positive("R", "radius"), positive("M", "smoothness")
SHARE = real("beta", "[0, 1]", "share of the isotropic noise, beta_t of (3)")
SLACK, LIPSCHITZ = real("e", "[0, oo)", "epsilon of Lemma 3.8"), real("c", "[0, oo)", "Lipschitz constant of phi")
SPLIT, HEADLINE, ADAPT = "zeroth/REM-3.1a", "zeroth/REM-3.1c", "zeroth/REM-ADAPT"
DIRECTIONAL, ISOTROPIC = "sqrt(Delta**2*l*T/(n**2*sigma**2))", "sqrt(d*Delta**2*l*T/(K*n**2*sigma**2))"
STEPS = positive("t", "a number of steps")
UNITS = {"R": (0, 1), "Delta": (1, -1), "M": (1, -2)}
WITHOUT = homogeneous("t == R*n*sqrt(d)/(K*Delta)", (STEPS, RADIUS, CLIP, N, D, K), UNITS)
WITH = homogeneous("t == M*R*n*sqrt(d)/(K*Delta)", (STEPS, SMOOTH, RADIUS, CLIP, N, D, K), UNITS)
SQUARE = "(2*Delta/n)**2/(2*sigma**2)"
IN_SPAN = "(1 - {0} + {0}*K/d)"
STEP_COST = f"2*alpha*Delta**2/(n**2*sigma**2*{IN_SPAN})"
IN_SPAN_IS_POSITIVE = {
    name: (Scale("d"), Combine(((f"1 - {name}", "1 <= d"), (name, "1 <= K"), ("1", "0 < 1"))))
    for name in ("beta", "more")
}
C1_SQUARE = "1 - (1 - c**2)*K/d + e*(1 + c**2)*K/d"

ISOTROPIC_IS_WORSE = Claim(
    id=SPLIT,
    title="with public iterates isotropic noise never has the better bound of the two in (4)",
    words=(
        "Since K <= d, beta_t = 1 always leads to a worse privacy bound than beta_t = 0 for the same utility. Encoded: "
        "the two expressions of (4). At K = d they are equal (`equal`), and in between the cost does not fall as "
        "beta_t grows (`between`)."
    ),
    place="Section 3.1, after Theorem 3.1",
    printed=r"\text{since }K\leq d\text{, setting }\beta_{t}=1\text{ always leads to a worse privacy bound}",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{DIRECTIONAL} <= {ISOTROPIC}", (N, T, D, K, CLIP, SIGMA, LOG), ("K <= d",)),
    argument=(Power("2"), Combine((("Delta**2*l*T/(K*n**2*sigma**2)", "K <= d"),))),
    mutants=(Mutant("condition", "K > d", conditions=(), candidates=(point("n=1 T=1 d=1 K=2 Delta=1 sigma=1 l=1"),)),),
    steps=(
        step(
            "equal",
            "at K = d both are the same",
            f"{DIRECTIONAL} == {ISOTROPIC.replace('d*', 'K*')}",
            (N, T, K, CLIP, SIGMA, LOG),
        ),
        step(
            "between",
            "the cost of one step in the span of the directions, that of THM-3.1/split, does not fall as the share "
            "beta of isotropic noise grows",
            f"{STEP_COST.format('beta')} <= {STEP_COST.format('more')}",
            (ALPHA, N, D, K, CLIP, SIGMA, SHARE, real("more", "[0, 1]", "a larger share")),
            ("K <= d", "beta <= more"),
            rests_on=("zeroth/THM-3.1/split",),
            argument=(
                Have(f"0 < {IN_SPAN.format('beta')}", IN_SPAN_IS_POSITIVE["beta"]),
                Have(f"0 < {IN_SPAN.format('more')}", IN_SPAN_IS_POSITIVE["more"]),
                Scale(f"n**2*sigma**2*{IN_SPAN.format('beta')}*{IN_SPAN.format('more')}/(2*alpha*Delta**2)"),
                Combine((("(more - beta)/d", "K <= d"),)),
            ),
            candidates=(point("alpha=2 n=1 d=1 K=1 Delta=1 sigma=1 beta=0 more=1"),),
            mutants=(
                mutant(
                    "twice",
                    "twice as much",
                    f"2*{STEP_COST.format('beta')} <= {STEP_COST.format('more')}",
                    "alpha=2 n=1 d=1 K=1 Delta=1 sigma=1 beta=0 more=1",
                ),
            ),
        ),
        step(
            "s2",
            "the bound by composition for beta_t = 0, (33), accumulates linearly, as Renyi divergence: that of T + t "
            "steps is the sum of those of T and of t steps",
            f"alpha*(T + t)*{SQUARE} == alpha*T*{SQUARE} + alpha*t*{SQUARE}",
            (ALPHA, N, T, CLIP, SIGMA, integer("t", "[1, oo)", "further steps")),
            place="Section 3.1, after Theorem 3.1",
            printed=r"\text{the total privacy cost accumulates linearly over iterations, growing unboundedly as }T"
            r"\text{ increases}",
            rests_on=("zeroth/THM-3.1/s3~repaired",),
        ),
    ),
)
LOST = Claim(
    id=HEADLINE,
    title="the headline leaves out M: its number of steps changes with the units of loss and length",
    words=(
        "For smooth (strongly) convex problems w_T is (O(sqrt(Delta^2 log(1/delta)/(n^2 sigma^2) min(T, R n sqrt(d)/(K "
        "Delta)))), delta)-DP. Encoded: R n sqrt(d)/(K Delta), which is compared with T, does not change when loss and "
        "length are measured in other units."
    ),
    place="Section 3.1, last paragraph",
    printed=r"(O(\sqrt{\frac{\Delta^{2}\log(1/\delta)}{n^{2}\sigma^{2}}\min(T,\frac{Rn\sqrt{d}}{K\Delta})}),\delta)",
    kind=ClaimKind.HOMOGENEITY,
    reads=Reads.READING,
    statement=WITHOUT,
    expects=Outcome.REFUTED,
    candidates=(point("t=1 R=1 Delta=1 n=1 d=1 K=1 value_unit=2 length_unit=1"),),
    finding=(
        "Corollary 3.3 has M R n sqrt(d)/(K Delta), for eta = K/M. A misprint, if the constant of O is to be one for "
        "all M; with a constant that may hang on M, or with M = 1 as in Figure 1, the headline is Corollary 3.3. What "
        "that says is judged there."
    ),
    repair=f"{HEADLINE}/smoothness",
    steps=(
        Step(
            "smoothness",
            "with M, M R n sqrt(d)/(K Delta) does not change with the units of loss and length",
            WITH,
            (Identical(),),
            kind=ClaimKind.HOMOGENEITY,
            mutants=(
                Mutant(
                    "power",
                    "M squared",
                    homogeneous(
                        "t == M**2*R*n*sqrt(d)/(K*Delta)", (STEPS, SMOOTH, RADIUS, CLIP, N, D, K), UNITS
                    ).expression,
                    candidates=(point("t=1 M=1 R=1 Delta=1 n=1 d=1 K=1 value_unit=2 length_unit=1"),),
                    own_sentence=True,
                ),
            ),
        ),
        erratum(
            "convex",
            "losses that are convex and not strongly convex, c = 1: with c1 <= 1, as the proof of Corollary 3.3 has "
            "it, Theorem 3.2 leaves a failure probability of less than 1",
            "2*T*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K))) < 1",
            (integer("d", "[2, oo)", "dimension"), K, T, SLACK, LIPSCHITZ),
            ("2*K <= d", "c == 1", f"{C1_SQUARE} <= 1"),
            reads=Reads.GAP,
            kind=ClaimKind.IMPLICATION,
            place="Section 3.1, last paragraph, `smooth (strongly) convex problems`",
            printed=r"\text{for smooth (strongly) convex problems}",
            candidates=(point("d=2 K=1 T=1 e=0 c=1"),),
            finding=(
                "For c = 1 the threshold of Lemma 3.8 is sqrt(1 + 2 e K/d), at most 1 for e = 0 alone, and there the "
                "lemma says nothing. Corollary 3.3 asks for strong convexity. That the headline fails for convex "
                "losses is not shown; where d is so large that c1 stays near 1 over all steps Theorem 3.2 gives it "
                "with e > 0."
            ),
            repair=f"{HEADLINE}/strongly",
        ),
        step(
            "strongly",
            "the threshold is 1 at the e of (14), (1 - c^2)/(1 + c^2), which is positive where c < 1. Encoded: that it "
            "is 1",
            C1_SQUARE.replace("e*", "(1 - c**2)/(1 + c**2)*") + " == 1",
            (D, K, LIPSCHITZ),
            place="Appendix A.5, (14)",
        ),
    ),
)
ALONG = Claim(
    id=ADAPT,
    title="with noise of a fixed scale per direction, K directions cost sqrt(K) in epsilon, where epsilon is small. "
    "Encoded: in the root of the Renyi cost over the order",
    words=(
        "Prior work: K directions, each with the noise sigma, cost K times the Renyi divergence of one, that is "
        "sqrt(K) in epsilon where it is small. (3) scales drift and noise, so that the cost does not hang on K (`s1`), "
        "and the bound of Corollary 3.3 falls with K (`s2`), unless sigma falls as the last term of (109) "
        "allows (`s2-fixed`). That composition does not gain from K is said of the "
        "analysis for clipped slopes of any losses, and is right; for smooth Delta-Lipschitz losses composition gains "
        "too (THM-3.1/smooth). That orthogonality plays no part there is right of noise along the directions; for "
        "isotropic noise it does (THM-3.1/s6)."
    ),
    place="Section 1, the paragraph on the role of K",
    printed=r"\tilde{O}(\sqrt{K})\text{ increase in privacy cost under standard composition}",
    kind=ClaimKind.PRIVACY,
    reads=Reads.READING,
    statement=Statement(f"sqrt(sum(k, 1, K, {SQUARE})) == sqrt(K)*sqrt({SQUARE})", (N, K, CLIP, SIGMA)),
    argument=(Rewrite(left=f"sqrt(K*({SQUARE}))"), Identical()),
    rests_on=("renyi-composition",),
    steps=(
        step(
            "s1",
            "under (3) with beta_t = 0 the cost of one step by composition over the directions, over the order, is "
            "that for K = 1, whatever K is",
            f"sum(k, 1, K, (2*Delta/(n*K))**2/(2*(sigma**2/K))) == {SQUARE}",
            (N, K, CLIP, SIGMA),
            place="Section 1, and after Corollary 3.3",
            printed=r"\text{treating the privacy loss as independent of }K",
            rests_on=("renyi-composition",),
        ),
        step(
            "s2",
            "the bound of Corollary 3.3 for large T, without its constant, falls as K grows. Encoded: for a fixed "
            "sigma; the paper also says it for a fixed utility, for which see `s2-fixed`",
            "sqrt(Delta**2*l/(n**2*sigma**2)*(M*R*n*sqrt(d)/(k*Delta)))"
            " < sqrt(Delta**2*l/(n**2*sigma**2)*(M*R*n*sqrt(d)/(K*Delta)))",
            (N, D, K, integer("k", "[1, oo)", "more directions"), CLIP, SIGMA, RADIUS, SMOOTH, LOG),
            ("K + 1 <= k",),
            place="Section 1, contributions, with Corollary 3.3",
            printed=r"\text{the privacy loss decays with the update dimension }K\text{ under hidden-state analysis}",
            argument=(
                Power("2"),
                Scale("k*K*n*sigma**2/(Delta*l*M*R*sqrt(d))"),
                Combine((("1", "K + 1 <= k"), ("1", "0 < 1"))),
            ),
            candidates=(point("n=1 d=1 K=1 k=2 Delta=1 sigma=1 R=1 M=1 l=1"),),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    "sqrt(Delta**2*l/(n**2*sigma**2)*(M*R*n*sqrt(d)/(k*Delta)))"
                    " < sqrt(Delta**2*l/(n**2*sigma**2)*(M*R*n*sqrt(d)/(K*Delta)))/2",
                    "n=1 d=1 K=1 k=2 Delta=1 sigma=1 R=1 M=1 l=1",
                ),
            ),
        ),
        step(
            "s2-fixed",
            "with the last term u = 2 K r sigma^2 of (109) held fixed in the place of sigma, the same bound does not "
            "depend on K",
            "Delta**2*l/(n**2*(u/(2*K*r)))*(M*R*n*sqrt(d)/(K*Delta)) == 2*r*Delta*l*M*R*sqrt(d)/(n*u)",
            (N, D, K, CLIP, RADIUS, SMOOTH, LOG, positive("u", "the last term of (109)"), positive("r", "the rank")),
            place="Section 1, with Corollary 3.3 and (109)",
            reads=Reads.OURS,
            rests_on=("zeroth/PROP-A.10/s20",),
            mutants=(
                mutant(
                    "falls",
                    "it falls with K",
                    "Delta**2*l/(n**2*(u/(2*K*r)))*(M*R*n*sqrt(d)/(K*Delta)) == 2*r*Delta*l*M*R*sqrt(d)/(K*n*u)",
                    "n=1 d=1 K=2 Delta=1 R=1 M=1 l=1 u=1 r=1",
                ),
            ),
        ),
    ),
)
CLAIMS = (ISOTROPIC_IS_WORSE, LOST, ALONG)
