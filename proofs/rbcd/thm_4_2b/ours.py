"""Can the hypotheses be met at once? And K and T rounded up."""

from dpaudit.claims.writing import *

from .symbols import *

X = real("x", "(1, oo)", "(f(w^0) - f*)/A")
ENTRY = real("t", meaning="a step along one set U of Range")

HYPOTHESES = (
    erratum(
        "hypotheses",
        "read so that it speaks of some loss, with A5 and A7 on all of R^d as printed: some f meets both, so that "
        "there are L_U and mu with (mu/2) t^2 <= f(w* + t v) - f* <= L_U |t| for all t, v a unit vector in the "
        "coordinates of a set U of Range",
        "mu/2*t**2 <= L_U*abs(t)",
        (constant("L_U"), constant("mu"), ENTRY),
        reads=Reads.READING,
        kind=ClaimKind.NON_VACUITY,
        place="Theorem 4.2, strongly convex case, hypotheses",
        argument=(ForEvery(where("t=4*L_U/mu")),),
        finding=(
            "A7 on the whole of R^d makes every l, and so f, grow at most like L_U |t| along the coordinates of "
            "U, and A5 makes f grow like (mu/2) t^2 there; at t = 4 L_U/mu the second is twice the first. A1 "
            "gives a set U that is not empty, so no loss meets the hypotheses of this case, and as stated it says"
            " nothing. The proof uses L_U through the noise of Theorem 4.1 alone, and that needs of A7 only that "
            "gradients of two records differ by at most 2 L_U in U (Lemma 3.9). With this in the place of A7 "
            "every step that is proved here is proved as before (s10 needs its own repair, s10~repaired), and "
            "quadratic losses with the data in the linear term are instances (bounded-differences)."
        ),
        repair=f"{HERE}/bounded-differences",
    ),
    step(
        "bounded-differences",
        "l(w; zeta) = (mu/2)|w|^2 - <zeta, w> with |zeta| <= L, whose gradient is mu w - zeta: the gradients of two "
        "records differ by at most 2 L at every w, which is what the privacy proof uses",
        "norm((mu*w - a) - (mu*w - b)) <= 2*L",
        (positive("mu"), positive("L"), *map(vector, ("w", "a", "b"))),
        ("norm(a) <= L", "norm(b) <= L"),
        kind=ClaimKind.NON_VACUITY,
        argument=(
            Have("norm(b - a) <= norm(b) + norm(a)"),
            Combine(
                (("1", "norm(b - a) <= norm(b) + norm(a)"), ("1", "norm(a) <= L"), ("1", "norm(b) <= L")),
            ),
        ),
        mutants=(
            mutant(
                "one", "L in the place of 2 L", "norm((mu*w - a) - (mu*w - b)) <= 1*L", "mu=1 L=1 w=(0,) a=(1,) b=(-1,)"
            ),
        ),
    ),
    step(
        "bounded-differences-curve",
        "and for f = (mu/2)|w|^2 - <a, w>, a the mean of the zeta, Assumptions 3.5 and 3.6 hold with equality, with mu "
        "and M = mu I",
        "mu/2*norm(w)**2 - dot(a, w) == mu/2*norm(v)**2 - dot(a, v) + dot(mu*v - a, w - v) + mu/2*norm(w - v)**2",
        (positive("mu"), *map(vector, ("w", "v", "a"))),
        candidates=(point("mu=1 w=(2,0) v=(0,1) a=(1,1)"),),
    ),
    step(
        "local",
        "restricted to |w_j - w*_j| <= D along U the two can be met: f = (mu/2) t^2 has A7 with L_U = mu D between any "
        "two points there (exchange s and t for the other sign), so that A7 on a bounded domain is no contradiction "
        "(the algorithm has no projection onto one)",
        "mu/2*t**2 - mu/2*s**2 <= mu*D*abs(t - s)",
        (positive("mu"), positive("D"), ENTRY, real("s", meaning="another")),
        ("abs(t) <= D", "abs(s) <= D"),
        argument=(
            Have("t + s <= 2*D", (Solve(),)),
            Have("-t - s <= 2*D", (Solve(),)),
            Cases(
                (
                    ("s <= t", (Combine((("mu/2*(t - s)", "t + s <= 2*D"), ("mu*D", "t - s <= abs(t - s)"))),)),
                    ("otherwise", (Combine((("mu/2*(s - t)", "-t - s <= 2*D"), ("mu*D", "s - t <= abs(t - s)"))),)),
                )
            ),
        ),
        candidates=(point("mu=1 D=1 t=1 s=1/2"), point("mu=1 D=1 t=1/2 s=-1"), point("mu=1 D=1 t=-1 s=0")),
        mutants=(
            Mutant(
                "far",
                "one of the two anywhere",
                conditions=("abs(s) <= D",),
                candidates=(point("mu=1 D=1 t=4 s=0"),),
            ),
        ),
    ),
)
ROUNDED_UP = "error <= gap_0/2**ceil(log2(x)) + 24*ceil(2*(1 + kappa))*ceil(log2(x))*c*S_sq"
