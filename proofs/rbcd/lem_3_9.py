"""Lemma 3.9: replacing one record changes a block gradient by at most 2 L_U.

The printed s1 compares two points w and w'; the definition needs one, so it proves a little
more than is used. The bound is attained by opposite linear records.
"""

from dpaudit.algorithms.rbcd.dp_skgd import coupled
from dpaudit.claims.writing import *

SYMBOLS = (positive("L", "L_U"), vector("g", "block gradient of zeta"), vector("h", "block gradient of zeta'"))
BOUNDED = ("norm(g) <= L", "norm(h) <= L")
GRID = tuple(integer(name, "[-1, 1]") for name in "abcd")
OPPOSITE = (point("L=1 g=(1,) h=(-1,)"),)


def coupled_runs(stream, trials):
    """Neighbouring runs of the shipped DP-SkGD on shared sets and noise: change of the
    pre-noise block gradient against 2 L_U/n, step by step; opposite records attain it."""

    return coupled.coupled_sensitivity(stream, trials)


CLAIM = Claim(
    id="rbcd/LEM-3.9",
    title="sensitivity of a block gradient",
    words="Under A3, A4, A7: the sensitivity of I_U grad l to replacing one record is at most 2 L_U.",
    place="Lemma 3.9",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement("norm(g - h) <= 2*L", SYMBOLS, BOUNDED),
    rests_on=("rbcd/LEM-C.1",),
    argument=(
        Combine(terms=(("1", "norm(g - h) <= norm(g) + norm(h)"), ("1", "norm(g) <= L"), ("1", "norm(h) <= L"))),
    ),
    empirical=(Search("coupled_runs", near_miss=0.99, trials=2_000),),
    mutants=(
        Mutant("factor", "1.9 in place of 2", "norm(g - h) <= 1.9*L", candidates=OPPOSITE),
        Mutant(
            "one-bound", "one record unbounded", conditions=("norm(g) <= L",), candidates=(point("L=1 g=(1,) h=(-2,)"),)
        ),
    ),
    steps=(
        step(
            "s1",
            "triangle inequality",
            "norm(g - h) <= norm(g) + norm(h)",
            SYMBOLS,
            argument=(Combine(terms=(("1", "norm(g - h) <= norm(g) + norm(h)"),)),),
            mutants=(
                Mutant("minus", "difference of the norms", "norm(g - h) <= norm(g) - norm(h)", candidates=OPPOSITE),
            ),
        ),
        step(
            "s2",
            "both norms are at most L_U (Lemma C.1)",
            "norm(g) + norm(h) <= 2*L",
            SYMBOLS,
            BOUNDED,
            rests_on=("rbcd/LEM-C.1",),
            argument=(Combine(terms=(("1", "norm(g) <= L"), ("1", "norm(h) <= L"))),),
            mutants=(
                Mutant("factor", "1.9 in place of 2", "norm(g) + norm(h) <= 1.9*L", BOUNDED, candidates=OPPOSITE),
            ),
        ),
        step(
            "grid",
            "the lemma squared for L = 1 and every pair of gradients on the grid {-1, 0, 1}^2; the bound is attained",
            "(a - c)**2 + (b - d)**2 <= 4",
            GRID,
            ("a**2 + b**2 <= 1", "c**2 + d**2 <= 1"),
            argument=(Enumerate(),),
            mutants=(mutant("constant", "3 in place of 4", "(a - c)**2 + (b - d)**2 <= 3", "a=1 b=0 c=-1 d=0"),),
        ),
    ),
)
