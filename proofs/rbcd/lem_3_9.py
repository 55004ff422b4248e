"""Lemma 3.9: replacing one record changes a block gradient by at most 2 L_U.

g is the block gradient at w for zeta, h that at w' for zeta'. The definition of Delta_U needs w = w'; the printed s1
allows two points and so shows a little more than is used. Opposite linear records attain the bound.
"""

from dpaudit.algorithms.rbcd.dp_skgd import coupled
from dpaudit.claims.writing import *

L, G, H = positive("L", "L_U"), vector("g", "I_U grad l(w; zeta)"), vector("h", "I_U grad l(w'; zeta')")
SYMBOLS, BOUNDED = (L, G, H), ("norm(g) <= L", "norm(h) <= L")
SUP, SLACK = real("Delta", "[0, oo)", "Delta_U(grad l)"), positive("e", "slack")
NEAR = "Delta - e <= norm(g - h)"
OPPOSITE = (point("L=1 g=(1,) h=(-1,)"),)


def coupled_runs(stream, trials):
    """Neighbouring runs of the shipped DP-SkGD on shared sets and noise: change of the
    pre-noise block gradient against 2 L_U/n, step by step; opposite records attain it."""

    return coupled.coupled_sensitivity(stream, trials)


CLAIM = Claim(
    id="rbcd/LEM-3.9",
    title="sensitivity of a block gradient",
    words=(
        "Under A3, A4, A7 the sensitivity of grad l on the coordinates of U to replacing one record is at most 2 L_U. "
        "Encoded: for a pair that comes within e of the supremum, for any e > 0."
    ),
    place="Lemma 3.9",
    printed=r"\Delta_U\left(\nabla\ell\right)\leq 2L_U",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement("Delta <= 2*L + e", (*SYMBOLS, SUP, SLACK), (*BOUNDED, NEAR)),
    origins=tuple(Condition(text, Origin.GIVEN, "rbcd/LEM-C.1") for text in BOUNDED),
    rests_on=("rbcd/LEM-3.9/s2",),
    argument=(
        Combine(
            terms=(("1", NEAR), ("1", "norm(g - h) <= norm(g) + norm(h)"), *(("1", text) for text in BOUNDED)),
        ),
    ),
    candidates=(point("L=1 g=(1,) h=(-1,) Delta=2 e=1/1000"),),
    empirical=(Search("coupled_runs", near_miss=0.99, trials=2_000),),
    mutants=(
        Mutant("factor", "1.9 in place of 2", "Delta <= 1.9*L + e"),
        Mutant(
            "one-bound",
            "one record unbounded",
            conditions=("norm(g) <= L", NEAR),
            candidates=(point("L=1 g=(1,) h=(-2,) Delta=3 e=1/2"),),
        ),
    ),
    tightness=(Tightness("factor", "2", "Delta <= {c}*L + e", "2", "199/100"),),
    steps=(
        step(
            "s1",
            "triangle inequality, at two points and for two records",
            "norm(g - h) <= norm(g) + norm(h)",
            SYMBOLS[1:],
            printed=r"\left\|\mathbf{I}_U\left(\nabla\ell(w;\zeta)-\nabla\ell(w';\zeta')\right)\right\|\leq\left\|"
            r"\mathbf{I}_U\nabla\ell(w;\zeta)\right\|+\left\|\mathbf{I}_U\nabla\ell(w';\zeta')\right\|",
            argument=(Combine(terms=(("1", "norm(g - h) <= norm(g) + norm(h)"),)),),
            candidates=(point("g=(1,) h=(-1,)"),),
            mutants=(Mutant("minus", "difference of the norms", "norm(g - h) <= norm(g) - norm(h)"),),
        ),
        step(
            "s2",
            "both norms are at most L_U (Lemma C.1)",
            "norm(g) + norm(h) <= 2*L",
            SYMBOLS,
            given={"rbcd/LEM-C.1": BOUNDED},
            printed=r"\left\|\mathbf{I}_U\nabla\ell(w;\zeta)\right\|+\left\|\mathbf{I}_U\nabla\ell(w';\zeta')\right\|"
            r"\leq 2L_U",
            argument=(Combine(terms=(("1", "norm(g) <= L"), ("1", "norm(h) <= L"))),),
            candidates=OPPOSITE,
            mutants=(Mutant("factor", "1.9 in place of 2", "norm(g) + norm(h) <= 1.9*L"),),
        ),
        step(
            "s3",
            "the supremum over neighbours of what is at most 2 L_U is at most 2 L_U",
            "Delta <= 2*L + e",
            (*SYMBOLS, SUP, SLACK),
            (NEAR,),
            given={
                "rbcd/LEM-3.9/s1": "norm(g - h) <= norm(g) + norm(h)",
                "rbcd/LEM-3.9/s2": "norm(g) + norm(h) <= 2*L",
            },
            printed=r"\Delta_U(h):=\sup_{D\sim D'}\left\|\mathbf{I}_U\left(h(D)-h(D')\right)\right\|_2",
            argument=(
                Combine(
                    terms=(
                        ("1", NEAR),
                        ("1", "norm(g - h) <= norm(g) + norm(h)"),
                        ("1", "norm(g) + norm(h) <= 2*L"),
                    )
                ),
            ),
            candidates=(point("L=1 g=(1,) h=(-1,) Delta=2 e=1/1000"),),
            mutants=(Mutant("factor", "1.9 in place of 2", "Delta <= 1.9*L + e"),),
        ),
        Step(
            "attained",
            "two block gradients of norm at most L_U can be 2 L_U apart: those of <zeta, w> and of -<zeta, w>",
            Statement("norm(g - h) == 2*L", SYMBOLS, BOUNDED, exists=True),
            (Exhibit(OPPOSITE[0]),),
            kind=ClaimKind.NON_VACUITY,
            mutants=(Mutant("more", "more than 2 L_U", "norm(g - h) == -2*L"),),
        ),
    ),
)
