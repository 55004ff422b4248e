"""Lemma 5.5: (23), small t, and the move from x_(t-1) to x_t. Steps s1 to s10."""

from dpaudit.claims.writing import *

from .notation import BY_SPLIT, MISSPLIT, MISSPLIT_PRINTED, MOVED, ONE_STEP_LESS, SMALL_DIFFERENCE, SMALL_GIVEN
from .symbols import *

G, H = vector("g", "the gradient of f(., d) at x_t"), vector("h", "and at x_(t-1)")
BETA_ANY, EXCESS = positive("beta"), real("X", "[0, oo)", "L R ell/sqrt(B (t + 1))")
SHORT = (C_DP, LIPSCHITZ, RADIUS, SMOOTH, C_M)
UPDATE = projected_at(("x - grad/beta + noise/t", "y"), members=("x",))


def later(name, power, exponent):
    """t/(t + 2) t^(-k) <= (t + 1)^(-k), for one k."""
    return step(
        name,
        f"(*1): the bound of Lemma 5.4 has t + 1 where x_(t-1) gives t; the factor t/(t + 2) makes up for it, at the "
        f"power {power}",
        f"t/(t + 2)*t**(-{power}) <= (t + 1)**(-{power})",
        (TIME,),
        reads=Reads.GAP,
        argument=(Power(exponent), Positive()),
        mutants=(mutant("no-factor", "without t/(t + 2)", f"t**(-{power}) <= (t + 1)**(-{power})", "t=1"),),
    )


START_STEPS = (
    erratum(
        "s1",
        "(23), first line. Encoded as in Lemma 5.9: the norm of what is left is 0",
        MISSPLIT,
        (TIME, G, H),
        place="Lemma 5.5, (23)",
        printed=MISSPLIT_PRINTED,
        candidates=(point("t=1 g=(1) h=(0)"),),
        finding="A misprint: the last gradient is at x_(t-1), as in Section 4.2. The second line of (23) holds.",
        repair=f"{LEM}/s2",
    ),
    step(
        "s2",
        "(23), second line: |Delta_t(d)| <= eta_t M |x_t - x_(t-1)| + |eta_t - eta_(t-1)| L",
        SMALL_DIFFERENCE,
        (TIME, G, H, real("dist", "[0, oo)", "|x_t - x_(t-1)|"), SMOOTH, LIPSCHITZ),
        SMALL_GIVEN,
        place="Lemma 5.5, (23)",
        argument=(BY_SPLIT,),
        candidates=(point("t=1 g=(1) h=(0) dist=1 M=1 L=1"),),
        mutants=(ONE_STEP_LESS,),
    ),
    erratum(
        "s3",
        "for t <= 1 + (c_DP - 1)/c_M: eta_t M R + L <= c_DP L",
        "(t + 1)*M*R + L <= c_DP*L",
        (TIME, *SHORT),
        (SCALED, "t <= 1 + (c_DP - 1)/c_M"),
        place="Lemma 5.5, after (23)",
        printed=r"\text{For }t\le 1+(c_{DP}-1)/c_M",
        reads=Reads.BOUNDARY,
        candidates=(point("t=2 c_DP=2 L=1 R=1 M=1 c_M=1"),),
        finding=(
            "eta_t is t + 1, so that it fails for the last two t of the range at most, those above (c_DP - 1)/c_M - 1; "
            "the induction has room for them."
        ),
        repair=f"{LEM}/s3~repaired",
    ),
    step(
        "s3~repaired",
        "the last line, c_DP L, for t <= (c_DP - 1)/c_M - 1, which is the printed range but for its end",
        "(t + 1)*M*R + L <= c_DP*L",
        (TIME, *SHORT),
        (SCALED, "t <= (c_DP - 1)/c_M - 1"),
        reads=Reads.OURS,
        place="Lemma 5.5, after (23)",
        printed=r"\le c_{DP}L",
        argument=(Combine((("t + 1", SCALED), ("c_M*L", "t <= (c_DP - 1)/c_M - 1"))),),
        candidates=(point("t=1 c_DP=4 L=1 R=1 M=1 c_M=1"),),
        mutants=(
            Mutant(
                "later",
                "t <= (c_DP - 1)/c_M",
                conditions=(SCALED, "t <= (c_DP - 1)/c_M"),
                candidates=(point("t=1 c_DP=2 L=1 R=1 M=1 c_M=1"),),
            ),
        ),
    ),
    Step(
        "s3-units",
        "eta_t M R + L <= (eta_t c_M + 1) + L: both sides have one unit",
        homogeneous(
            "(t + 1)*M*R + L <= ((t + 1)*c_M + 1) + L",
            (TIME, *SHORT),
            {"L": (1, -1), "M": (1, -2), "R": (0, 1)},
        ),
        expects=Outcome.REFUTED,
        kind=ClaimKind.HOMOGENEITY,
        place="Lemma 5.5, after (23)",
        printed=r"(\eta_t\cdot c_M+1)+L",
        candidates=(point("t=1 c_DP=1 L=1 R=1 M=1 c_M=1 value_unit=2 length_unit=1"),),
        finding="A misprint for (eta_t c_M + 1) L, which the next line, c_DP L, goes on with.",
        repair=f"{LEM}/s3~repaired",
    ),
    erratum(
        "s6",
        "|y_t - x_(t-1)| <= |nabla_(t-1)/beta + b_(t-1)/eta_t|",
        "norm(y - x) <= norm(grad/beta + noise/(t + 1))",
        (TIME, BETA_ANY, *map(vector, ("x", "grad", "noise", "y"))),
        UPDATE,
        printed=r"\eta_{0:t-1}\left\|\frac{\nabla_{t-1}}{\beta}+\frac{\mathbf b_{t-1}}{\eta_t}\right\|_2",
        candidates=(point("t=1 beta=1 x=(0) grad=(0) noise=(1) y=(1)"),),
        finding="A misprint, as in Lemma 5.9: the index and the sign of the noise. The next line holds.",
        repair=f"{LEM}/s7",
    ),
    step(
        "s7",
        "|x_t - x_(t-1)| <= (|grad F(x_(t-1))| + |nabla_(t-1) - grad F(x_(t-1))|)/beta + b_max/(t + 1) + 2 R/(t + 2). "
        "Encoded: with the right index of the noise, as in Lemma 5.9, and the factor t/(t + 2) before the first norm",
        f"{MOVED} <= t/(t + 2)*norm(slope)/beta + norm(grad - slope)/beta + b/(t + 1) + 2/(t + 2)*R",
        (
            *(TIME, BETA_ANY, NOISE, RADIUS, vector("slope", "grad F(x_(t-1))")),
            *map(vector, ("x", "y", "z", "grad", "noise")),
        ),
        ("norm(z - x) <= R", "norm(noise) <= b"),
        given={
            "srgd/LEM-5.9/s3": f"{MOVED} <= t/(t + 2)*norm(y - x) + 2/(t + 2)*norm(z - x)",
            "srgd/LEM-5.9/s3-noise~repaired": "norm(y - x) <= norm(grad/beta - noise/t)",
        },
        argument=(
            Combine(
                (
                    ("1", f"{MOVED} <= t/(t + 2)*norm(y - x) + 2/(t + 2)*norm(z - x)"),
                    ("t/(t + 2)", "norm(y - x) <= norm(grad/beta - noise/t)"),
                    ("t/(t + 2)", "norm(grad/beta - noise/t) <= norm(grad/beta) + norm(noise/t)"),
                    ("t/((t + 2)*beta)", "norm(slope + (grad - slope)) <= norm(slope) + norm(grad - slope)"),
                    ("1/(t + 2)", "norm(noise) <= b"),
                    ("2/(t + 2)", "norm(z - x) <= R"),
                    ("2/((t + 2)*beta)", "0 <= norm(grad - slope)"),
                    ("b/((t + 1)*(t + 2))", "0 <= 1"),
                )
            ),
        ),
        candidates=(point("t=1 y=(0) z=(0) x=(0) grad=(0) slope=(0) noise=(0) beta=1 b=0 R=1"),),
        mutants=(
            mutant(
                "noise",
                "b_max/(t + 3)",
                f"{MOVED} <= t/(t + 2)*norm(slope)/beta + norm(grad - slope)/beta + b/(t + 3) + 2/(t + 2)*R",
                "t=1 y=(1) z=(0) x=(0) grad=(0) slope=(0) noise=(1) beta=1 b=1 R=1/1000",
            ),
        ),
    ),
    later("s8-quarter", "(1/4)", "4"),
    later("s8-half", "(1/2)", "2"),
    later("s8-one", "1", "1"),
    erratum(
        "s9",
        "the first term, by beta >= c_DP M: sqrt(M) sqrt(c_DP X)/beta <= sqrt(X)/sqrt(beta c_DP)",
        f"sqrt(M)*sqrt(c_DP*X)/{BETA} <= sqrt(X)/sqrt({BETA}*c_DP)",
        (*SHORT, WORST, EXCESS),
        (SCALED,),
        enough=("c_M <= c_DP",),
        printed=r"\frac{c_1\sqrt{LR\log(T/\gamma)}}{\sqrt{\beta c_{DP}}(B(t+1))^{1/4}}",
        candidates=(point("c_DP=4 L=1 R=1 M=4 c_M=4 m=1 X=1"),),
        finding=(
            "It needs beta >= c_DP^2 M; beta >= c_DP^2 M/c_M is what there is. So a factor sqrt(c_M) is missing where "
            "c_M > 1 (s9~repaired); s11 has a factor sqrt(c_DP) to spare, so that its last line holds as printed."
        ),
        repair=f"{LEM}/s11-end",
    ),
    step(
        "s9~repaired",
        "with a factor sqrt(c_M) it holds",
        f"sqrt(M)*sqrt(c_DP*X)/{BETA} <= sqrt(c_M)*sqrt(X)/sqrt({BETA}*c_DP)",
        (*SHORT, WORST, EXCESS),
        (SCALED,),
        argument=(
            Power("2"),
            Rewrite(
                left="M*R*X*R/(c_DP**3*L**2*m**2)",
                right="c_M*L*m*X*R/(c_DP**3*L**2*m**2)",
            ),
            Combine((("X*R/(c_DP**3*L**2*m**2)", SCALED), ("c_M*L*X*R/(c_DP**3*L**2*m**2)", "1 <= m"))),
        ),
        candidates=(point("c_DP=4 L=1 R=1 M=4 c_M=4 m=1 X=1"),),
        mutants=(
            mutant(
                "half",
                "half of it",
                f"sqrt(M)*sqrt(c_DP*X)/{BETA} <= 1/2*sqrt(c_M)*sqrt(X)/sqrt({BETA}*c_DP)",
                "c_DP=4 L=1 R=1 M=4 c_M=4 m=1 X=1",
            ),
        ),
    ),
    step(
        "s9-second",
        "the second term, by beta >= c_DP M",
        "sqrt(M)*sqrt(beta*b*R/(t + 1))/beta <= sqrt(b*R)/sqrt(c_DP*(t + 1))",
        (TIME, C_DP, RADIUS, SMOOTH, BETA_ANY, NOISE),
        ("c_DP*M <= beta",),
        reads=Reads.PRINTED,
        argument=(
            Power("2"),
            Rewrite(left="M*b*R/((t + 1)*beta)", right="b*R/(c_DP*(t + 1))"),
            Scale("c_DP*beta*(t + 1)"),
            Combine((("b*R", "c_DP*M <= beta"),)),
        ),
        candidates=(point("t=1 c_DP=1 R=1 M=1 beta=1 b=1"),),
        mutants=(
            Mutant(
                "beta",
                "beta >= M",
                conditions=("M <= beta",),
                candidates=(point("t=1 c_DP=4 R=1 M=1 beta=1 b=1"),),
            ),
        ),
    ),
    step(
        "s10",
        "(24): eta_t M |x_t - x_(t-1)|, with P and Q for what stands beside the powers of t + 1 in the first two terms "
        "(s9, s9-second), and err for |nabla_(t-1) - grad F(x_(t-1))|",
        "(t + 1)*M*(c_1*P/(t + 1)**(1/4) + c_1*Q/sqrt(t + 1) + 2*c_1*R/(t + 1) + err/beta + b/(t + 1) + 2/(t + 2)*R)"
        " <= c_1*M*P*(t + 1)**(3/4) + c_1*M*Q*sqrt(t + 1) + (t + 1)*err + M*b + (2*c_1 + 2)*M*R",
        (TIME, C_1, RADIUS, SMOOTH, BETA_ANY, NOISE, *(real(name, "[0, oo)") for name in ("P", "Q", "err"))),
        given={"srgd/LEM-5.4/s3": "M <= beta"},
        place="Lemma 5.5, (24)",
        argument=(
            Have("M/beta <= 1", (Scale("beta"), Combine((("1", "M <= beta"),)))),
            Combine((("(t + 1)*err", "M/beta <= 1"), ("2*M*R/(t + 2)", "0 <= 1"))),
        ),
        candidates=(point("t=1 c_1=1 R=1 M=1 beta=1 b=1 P=1 Q=1 err=1"),),
        mutants=(
            mutant(
                "one",
                "2 c_1 + 1",
                "(t + 1)*M*(c_1*P/(t + 1)**(1/4) + c_1*Q/sqrt(t + 1) + 2*c_1*R/(t + 1)"
                " + err/beta + b/(t + 1) + 2/(t + 2)*R) <= c_1*M*P*(t + 1)**(3/4)"
                " + c_1*M*Q*sqrt(t + 1) + (t + 1)*err + M*b + (2*c_1 + 1)*M*R",
                "t=10 c_1=1 R=1 M=1 beta=1 b=1 P=1 Q=1 err=1",
            ),
        ),
    ),
)
