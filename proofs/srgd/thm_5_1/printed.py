"""The printed steps of Theorem 5.1."""

from dpaudit.claims.writing import *

from .symbols import *

PHI, ERRORS = sequence("potential", meaning="the potential"), sequence("R", "[0, oo)", "bound on its growth")
GROWS = "all(t, 0, T - 1, potential[t + 1] - potential[t] <= R[t])"
LAM, X_T = "lam", "((1 - eta/eta_sum)*y + eta/eta_sum*z)"
POTENTIAL_AFTER = f"eta_sum*lam/2*(1 - lam/beta)**2*{X_T}**2 + 2*beta*(z - eta/beta*lam*{X_T})**2"
POTENTIAL_BEFORE = "(eta_sum - eta)*lam/2*y**2 + 2*beta*z**2"
BEFORE, AFTER = positive("eta_before", "eta_{0:T-1}"), positive("eta_total", "eta_{0:T}")
FAR_0, FAR_T = real("far_0", "[0, oo)", "|z_0 - x*|^2"), real("far_T", "[0, oo)", "|z_T - x*|^2")
GAP_T, SUM = real("gap", "[0, oo)", "F(y_T) - F(x*)"), real("errors", "[0, oo)", "the sum over t of the errors")
THREE = "eta_before*gap + 2*beta*far_T - 2*beta*far_0 <= errors"
AT = "eta_before=1 eta_total=3 beta=1 norm_C=1 far_0=1 far_T=0 gap=2 errors=0"
CONVERTED = (BEFORE, AFTER, BETA, SIZE, FAR_0, FAR_T, GAP_T, SUM)

PRINTED = (
    Step(
        "s1",
        "the potential: its terms have the unit of F, for eta_t without a unit",
        homogeneous(
            "phi == eta_before*gap + 2*beta*distance**2",
            (*map(positive, ("phi", "eta_before", "gap", "distance")), BETA),
            {"phi": (1, 0), "gap": (1, 0), "beta": (1, -2), "distance": (0, 1)},
        ),
        reads=Reads.OURS,
        kind=ClaimKind.HOMOGENEITY,
        place="(1)",
        printed=r"\Phi_t = \eta_{0:t-1}\left(F(\mathbf{y}_t)-F(\mathbf{x}^*)\right) + "
        r"2\beta\|\mathbf{z}_t-\mathbf{x}^*\|_2^2",
        argument=(Identical(),),
    ),
    erratum(
        "s2",
        "without noise and error the potential does not grow; here for F = lam x^2/2 on the line, x* = 0, by "
        "the updates of Algorithm 1 with no projection",
        f"{POTENTIAL_AFTER} <= {POTENTIAL_BEFORE}",
        (ETA, ETA_SUM, BETA, positive("lam", "curvature"), real("y"), real("z")),
        (FOUR, PART, "lam <= beta"),
        place="after (1)",
        candidates=(point("eta=3 eta_sum=6 beta=1 lam=1/2 y=1/4 z=0"),),
        finding=(
            "The third step of Algorithm 1 with eta_t = t + 1, beta = 1 and F = x^2/4 from x_0 = z_0 = 1 has "
            "y_2 = 1/4, z_2 = 0, x_2 = 1/8: the potential goes from 3/64 to 78/1024. With (beta/2)|z_t - x*|^2 "
            "and eta_t^2 <= eta_{0:t}, or with a shorter step of z, the remark holds (Lemma 5.2, repaired)."
        ),
        repair="srgd/LEM-5.2~repaired",
    ),
    step(
        "s3",
        "(2), (3): the growths add up",
        "potential[T] - potential[0] <= sum(t, 0, T - 1, R[t])",
        (STEPS, PHI, ERRORS),
        given={"srgd/LEM-5.2": GROWS},
        kind=ClaimKind.INDUCTION,
        expects=Outcome.CONSISTENT,
        place="(2), (3)",
        argument=(Induct("T"),),
        candidates=(point("T=2 potential=[0,1,3] R=[1,2,0]"),),
        mutants=(
            mutant(
                "last",
                "without the last step",
                "potential[T] - potential[0] <= sum(t, 0, T - 2, R[t])",
                "T=2 potential=[0,1,3] R=[1,2,0]",
            ),
        ),
    ),
    step(
        "s3-union",
        "and Lemma 5.2 fails with probability gamma/T in each of T steps, so with gamma in one of them",
        "fails <= gamma",
        (STEPS, GAMMA, real("fails", "[0, 1]", "probability that |q_t| exceeds its bound for some t")),
        any_of_many("fails", "T", "gamma/T"),
        place="before (2)",
        candidates=(point("T=2 gamma=1/2 fails=1/2"),),
        mutants=(mutant("half", "gamma/2", "fails <= gamma/2", "T=2 gamma=1/2 fails=1/2"),),
    ),
    erratum(
        "s4",
        "(3) and the definition of Phi give the theorem",
        "gap <= errors/eta_total + beta/eta_total*norm_C**2",
        CONVERTED,
        ("eta_before <= eta_total", "far_0 <= norm_C**2"),
        given={f"{HERE}/s3": THREE},
        reads=Reads.REASON,
        place="end of the proof",
        candidates=(point(AT),),
        finding=(
            "Phi_T has eta_{0:T-1} (F(y_T) - F(x*)) and Phi_0 is 2 beta |z_0 - x*|^2: (3) gives (sum + 2 beta "
            "|C|_2^2)/eta_{0:T-1} (s4~repaired), where the theorem has eta_{0:T} and beta. With eta_{0:T} "
            "the theorem is false."
        ),
        repair=f"{HERE}/s4~repaired",
    ),
    step(
        "s4~repaired",
        "what (3) gives, if it holds",
        "gap <= (errors + 2*beta*norm_C**2)/eta_before",
        CONVERTED,
        ("far_0 <= norm_C**2",),
        ours=(THREE,),
        argument=(
            Combine(
                (
                    ("1/eta_before", THREE),
                    ("2*beta/eta_before", "far_0 <= norm_C**2"),
                    ("2*beta/eta_before", "0 <= far_T"),
                )
            ),
        ),
        candidates=(point(AT),),
        mutants=(mutant("half", "beta", "gap <= (errors + 1*beta*norm_C**2)/eta_before", AT),),
    ),
)
