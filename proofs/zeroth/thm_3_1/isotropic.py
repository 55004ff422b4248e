"""The second case of the proof of Theorem 3.1, isotropic noise."""

from dpaudit.claims.writing import *

from .symbols import *

WHOLE_STEP = (
    r"\|\frac{1}{K}\sum_{k}\hat{g}_{t}(w;u_{t,k})\|^{2}\stackrel{(a)}{=}\frac{1}{K}\|\frac{\Delta}{n}\|^{2}="
    r"\frac{\Delta^{2}}{n^{2}K}"
)
CHANGES, SQUARES = "sum(k, 1, K, ((s[k] - q[k])/(n*K))**2)", "sum(k, 1, K, (s[k] - q[k])**2)"


def place(number):
    """Of a display."""
    return f"Appendix A.4, {number}"


def added_up(limit):
    """That the sum of squared changes is at most K limit^2, if each is at most `limit` apart."""
    return (
        Have(
            f"{SQUARES} <= sum(k, 1, K, ({limit})**2)",
            (
                Termwise(
                    (
                        AtIndex("k"),
                        Have(
                            f"abs(s[k] - q[k]) <= {limit}",
                            (
                                Combine(
                                    (
                                        ("1", "abs(s[k] - q[k]) <= abs(s[k]) + abs(q[k])"),
                                        ("1", "abs(s[k]) <= Delta"),
                                        ("1", "abs(q[k]) <= Delta"),
                                    )
                                ),
                            ),
                        ),
                        Have(
                            f"abs(s[k] - q[k])**2 <= ({limit})**2",
                            (Power("1/2"), Combine((("1", f"abs(s[k] - q[k]) <= {limit}"),))),
                        ),
                        Rewrite(left="abs(s[k] - q[k])**2"),
                        Combine((("1", f"abs(s[k] - q[k])**2 <= ({limit})**2"),)),
                    )
                ),
            ),
        ),
        Rewrite(left=f"1/(n*K)**2*{SQUARES}"),
        Combine((("1/(n*K)**2", f"{SQUARES} <= sum(k, 1, K, ({limit})**2)"),)),
    )


ISOTROPIC = (
    erratum(
        "s4",
        "(11), the squared sensitivity of the whole step where a record is replaced; the K directions are orthonormal",
        f"{CHANGES} <= Delta**2/(n**2*K)",
        (N, K, CLIP, OLDS, NEWS),
        ALL_CLIPPED,
        kind=ClaimKind.SENSITIVITY,
        place=place("(11)"),
        printed=WHOLE_STEP,
        candidates=(point("n=1 K=1 Delta=1 s=[1] q=[-1]"),),
        finding=(
            "The factor 2 of (9), squared; the O of the theorem hides it, and for neighbours that leave a record out "
            "(11) is right as a bound. The power of K, by orthonormality, is right."
        ),
        repair=f"{HERE}/s4~repaired",
    ),
    step(
        "s4~repaired",
        "with 2 Delta, as the remark of Appendix A.9 has it, there with its root, times eta, and for b = n records",
        f"{CHANGES} <= 4*Delta**2/(n**2*K)",
        (N, K, CLIP, OLDS, NEWS),
        ALL_CLIPPED,
        reads=Reads.PRINTED,
        kind=ClaimKind.SENSITIVITY,
        place="Appendix A.9, the remark after the proof of Theorem A.3",
        printed=r"\frac{2\eta\Delta}{b\sqrt{K}}",
        rests_on=("zeroth/LEM-3.7/orthonormal",),
        argument=added_up("2*Delta"),
        candidates=(point("n=1 K=2 Delta=1 s=[1] q=[-1]"),),
        mutants=(
            mutant("power", "K^2", f"{CHANGES} <= 4*Delta**2/(n**2*K**2)", "n=1 K=2 Delta=1 s=[1] q=[-1]"),
            mutant("factor", "3.99", f"{CHANGES} <= 3.99*Delta**2/(n**2*K)", "n=1 K=2 Delta=1 s=[1] q=[-1]"),
        ),
    ),
    step(
        "s5",
        "(12): the divergence of T steps with noise sigma/sqrt(d) in each coordinate, from (11)",
        f"whole <= alpha*(d/K*{PRINTED_RHO})",
        (*RUN, K, D, ALPHA, real("square", "[0, oo)", "squared sensitivity"), ONE, WHOLE),
        (renyi("one", "sqrt(square)", "sigma/sqrt(d)"), *composed("whole", "T*one")),
        given={f"{HERE}/s4": "square <= Delta**2/(n**2*K)"},
        kind=ClaimKind.DIVERGENCE,
        place=place("(12)"),
        printed=r"\frac{\alpha\Delta^{2}/(n^{2}K)}{2\sigma^{2}/d}=\frac{\alpha\Delta^{2}d}{2n^{2}K\sigma^{2}}",
        expects=Outcome.CONSISTENT,
        argument=(
            Combine(
                (
                    ("1", "whole <= (T*one)"),
                    ("T", "one <= alpha*(sqrt(square))**2/(2*(sigma/sqrt(d))**2)"),
                    ("T*alpha*d/(2*sigma**2)", "square <= Delta**2/(n**2*K)"),
                )
            ),
        ),
        candidates=(point("n=1 T=1 Delta=1 sigma=1 K=1 d=1 alpha=2 square=1 one=1 whole=1"),),
        mutants=(
            mutant(
                "dimension",
                "without d",
                f"whole <= alpha*(1/K*{PRINTED_RHO})",
                "n=1 T=1 Delta=1 sigma=1 K=1 d=4 alpha=2 square=1 one=4 whole=4",
            ),
        ),
    ),
    step(
        "s5~repaired",
        "the divergences of (12) with 2 Delta for Delta, added up over T steps: d/K times those for noise along the "
        "directions",
        "T*(alpha*(2*Delta/(n*sqrt(K)))**2/(2*(sigma/sqrt(d))**2)) == alpha*(2*d/K*T*Delta**2/(n**2*sigma**2))",
        (*RUN, K, D, ALPHA),
        place=place("(12)"),
        rests_on=(f"{HERE}/s4~repaired",),
    ),
    step(
        "s6",
        "other unit directions only make the sensitivity worse: with the better sign of each slope, one direction "
        "after the other, K of them give a change whose square is at least the K of orthonormal ones, in units of the "
        "largest change of a slope; P[k] is the change along the first k, at least as long as with either sign of the "
        "last slope",
        "K <= norm(P[K])**2",
        (integer("K", "[0, oo)", "directions"), vector_sequence("u", "unit vectors"), vector_sequence("P")),
        (
            "norm(P[0])**2 == 0",
            "all(k, 0, K - 1, norm(u[k + 1])**2 == 1)",
            *(f"all(k, 0, K - 1, norm(P[k] {sign} u[k + 1])**2 <= norm(P[k + 1])**2)" for sign in "+-"),
        ),
        kind=ClaimKind.INDUCTION,
        place=place("after (11)"),
        printed=r"\text{using a non-orthonormal choice (i.e., i.i.d. directions) only leads to worse sensitivity}",
        argument=(
            Induct(
                "K",
                step=(
                    Combine(
                        (
                            ("1", "K <= norm(P[K])**2"),
                            ("1", "norm(u[K + 1])**2 == 1"),
                            *(("1/2", f"norm(P[K] {sign} u[K + 1])**2 <= norm(P[K + 1])**2") for sign in "+-"),
                        )
                    ),
                ),
            ),
        ),
        candidates=(point("K=2 u=[(0,0),(1,0),(0,1)] P=[(0,0),(1,0),(1,1)]"),),
        mutants=(
            mutant(
                "more", "a tenth more", "11/10*K <= norm(P[K])**2", "K=2 u=[(0,0),(1,0),(0,1)] P=[(0,0),(1,0),(1,1)]"
            ),
        ),
    ),
)
