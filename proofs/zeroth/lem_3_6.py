"""Lemma 3.6: a generalised Lipschitz map and a shifted Renyi divergence.

Let mu' be no further than z from mu. In a coupling of these two all pairs are at most z apart (or z plus as little as
one likes), so that their images are at most c1 z + c2 apart (`s1`): the image of mu' is one of the laws over which the
shifted divergence on the left is an infimum. By Lemma 2.2 it is no further from that of nu. The map has to have the
constants at all pairs of points that the coupling may hold; a bound for single pairs is not enough.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-3.6"
X, Y = vector("x", "a point of mu"), vector("y", "its partner of mu'")
F, G = vector("f", "phi(x)"), vector("g", "phi(y)")
FIRST, SECOND = real("c1", "[0, oo)"), real("c2", "[0, oo)")
ALLOWED = real("z", "[0, oo)", "shift that is allowed")
BEFORE, IMAGE = real("before", "[0, oo)", "D_alpha(mu' || nu)"), real("image", "[0, oo)", "that of the images")
AFTER = real("after", "[0, oo)", "the shifted divergence of the images")
FAR = real("far", "[0, oo)", "what a greater distance of the images would add")
MAP = "norm(f - g) <= c1*norm(x - y) + c2"
LENGTH = "norm(f - g) - (c1*z + c2)"
INFIMUM = f"after <= image + far*max({LENGTH}, 0)"
"""The image of mu' is one of the laws of the infimum, if no pair of the coupling is further apart than c1 z + c2."""
TOGETHER = point("x=(1,) y=(0,) f=(3,) g=(0,) c1=2 c2=1 z=1 before=1 image=1 after=1 far=1")
APART = point("x=(1,) y=(0,) f=(3,) g=(0,) c1=2 c2=1 z=1/2 before=1 image=1 after=2 far=1")

CLAIM = Claim(
    id=HERE,
    title="a generalised Lipschitz map does not increase a shifted divergence, if the shift grows with it",
    words=(
        "If phi is (c1, c2)-generalised Lipschitz then D_alpha^(c1 z + c2)(phi#mu || phi#nu) <= D_alpha^(z)(mu || nu). "
        "Encoded: for any mu' that z allows, `before` is its divergence from nu and `image` that of the two images; x "
        "and y are the pair of the coupling whose images are furthest apart. If these are no further apart than c1 z "
        "+ c2 (s1) then the image of mu' is a law of the infimum `after`, which is at most `image`; `far` is whatever "
        "would be known otherwise. The infimum over mu' is the lemma."
    ),
    place="Lemma 3.6",
    printed=r"D_{\alpha}^{(c_{1}z+c_{2})}(\phi\sharp\mu||\phi\sharp\nu)\leq D_{\alpha}^{(z)}(\mu||\nu)",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(
        "after <= before",
        (X, Y, F, G, FIRST, SECOND, ALLOWED, BEFORE, IMAGE, AFTER, FAR),
        (MAP, "norm(x - y) <= z", *processed("image", "before"), INFIMUM),
    ),
    rests_on=("post-processing", f"{HERE}/s1"),
    argument=(
        Have("norm(f - g) <= c1*z + c2", (ByTheorem(f"{HERE}/s1"),)),
        Have(f"max({LENGTH}, 0) <= 0", (Name("length", "norm(f - g)"), Solve())),
        Combine((("1", INFIMUM), ("far", f"max({LENGTH}, 0) <= 0"), ("1", "image <= before"))),
    ),
    candidates=(TOGETHER,),
    mutants=(
        Mutant("half", "half of it", "after <= before/2", candidates=(TOGETHER,)),
        Mutant(
            "further",
            "points that are up to 2 z apart",
            conditions=(MAP, "norm(x - y) <= 2*z", *processed("image", "before"), INFIMUM),
            candidates=(APART,),
        ),
    ),
    steps=(
        step(
            "s1",
            "points at most z apart have images at most c1 z + c2 apart. Encoded: for one pair; laws at most z apart "
            "in W_oo have a coupling whose pairs are all so, but for as little as one likes",
            "norm(f - g) <= c1*z + c2",
            (X, Y, F, G, FIRST, SECOND, ALLOWED),
            (MAP, "norm(x - y) <= z"),
            reads=Reads.OURS,
            argument=(Combine((("1", MAP), ("c1", "norm(x - y) <= z"))),),
            candidates=(point("x=(1,) y=(0,) f=(3,) g=(0,) c1=2 c2=1 z=1"),),
            mutants=(
                mutant("less", "without c2", "norm(f - g) <= c1*z + 0*c2", "x=(1,) y=(0,) f=(3,) g=(0,) c1=2 c2=1 z=1"),
            ),
        ),
        step(
            "s2",
            "the images of mu' and nu are no further apart than mu' and nu (Lemma 2.2). Encoded: nothing but that "
            "lemma as an assumed theorem, which is the condition",
            "image <= before",
            (BEFORE, IMAGE),
            processed("image", "before"),
            reads=Reads.OURS,
            kind=ClaimKind.DIVERGENCE,
            rests_on=("post-processing",),
            candidates=(point("before=1 image=1"),),
            mutants=(mutant("half", "half of it", "image <= before/2", "before=1 image=1"),),
        ),
        erratum(
            "one-pair",
            "constants that hold at one pair x, y only: the images of another pair at most z apart",
            "norm(f2 - g2) <= c1*z + c2",
            (X, Y, F, G, *map(vector, ("x2", "y2", "f2", "g2")), FIRST, SECOND, ALLOWED),
            (MAP, "norm(x - y) <= z", "norm(x2 - y2) <= z"),
            reads=Reads.OURS,
            kind=ClaimKind.IMPLICATION,
            place="Section 3.2, proof of Theorem 3.2, step (d), where Lemma 3.6 is applied",
            candidates=(point("x=(1,) y=(0,) f=(0,) g=(0,) x2=(2,) y2=(1,) f2=(1,) g2=(0,) c1=1/2 c2=0 z=1"),),
            finding=(
                "Definition 3.5 asks for all pairs, and then the lemma holds: nothing is wrong with it. The map that "
                "takes 0 and 1 to 0 and 2 to 1 has c1 = 1/2 at the pair 1, 0 and not at 2, 1. Lemmas 3.7 and 3.8 "
                "bound the images of a pair that does not depend on the frame, each outside an event of its own; a "
                "coupling needs all of its pairs at once, for one frame."
            ),
            repair=HERE,
        ),
    ),
)
