"""Corollary 5.7: from the clipped algorithm to the one without clipping. Step s3."""

from dpaudit.claims.writing import *

from .symbols import *

ONE, OTHER = real("P", "[0, 1]", "of an event, on one data set"), real("Q", "[0, 1]", "and on its neighbour")
CLIPPED = (real("P_clip", "[0, 1]", "the same with clipping"), real("Q_clip", "[0, 1]"))
DISTANCE = real("tv", "[0, 1]", "total variation distance of the clipped and the unclipped algorithm")
CLOSE = ("abs(P - P_clip) <= tv", "abs(Q - Q_clip) <= tv")
PRIVATE = tuple(
    f"{a} <= exp(eps)*({b}) + delta/2"
    for a, b in (
        ("P_clip", "Q_clip"),
        ("Q_clip", "P_clip"),
        ("1 - P_clip", "1 - Q_clip"),
        ("1 - Q_clip", "1 - P_clip"),
    )
)
PAIR = (ONE, OTHER, *CLIPPED, DISTANCE, EPS, DELTA)
FAILS, OFTEN = real("fails", "[0, 1]", "probability of failure on one data set"), real("q", "(0, 1]", "its weight")
INSIDE = (real("P_in", "[0, 1]", "P of the event and no failure"), real("Q_in", "[0, 1]", "Q of it"))
SHOWN = ("P <= P_in + fails", "Q_in <= Q", "P_in <= exp(eps)*Q_in + delta/2")
GAMMA = real("gamma", "(0, 1)")

TRANSFER_STEPS = (
    erratum(
        "s3",
        "(eps, delta/2)-DP with clipping, and a total variation distance of delta/2 from it without: (eps, delta)-DP",
        "P <= exp(eps)*Q + delta",
        PAIR,
        (*PRIVATE, *CLOSE, "tv == delta/2"),
        kind=ClaimKind.PRIVACY,
        reads=Reads.REASON,
        printed=r"\text{within total variation distance }\delta/2\ldots\text{ i.e. satisfies }(\varepsilon,\delta)",
        candidates=(point("P=37/100 Q=1/20 P_clip=8/25 Q_clip=1/10 tv=1/20 eps=1 delta=1/10"),),
        finding=(
            "The distance enters on both data sets, and that of the neighbour is multiplied by e^eps: no more than "
            "delta (1 + e^eps/2) follows from it, which laws on two points attain. The conclusion holds, by another "
            "argument: the iterates, and so whether some difference is too large, can be told from the release, and "
            "where none is the two algorithms agree. This event costs delta/2 once."
        ),
        repair=f"{COR}/s3~repaired",
    ),
    step(
        "s3~repaired",
        "by the event E, seen in the release, that no d has a difference above c_DP L, on which clipping does "
        "nothing: P_in and Q_in are of S and E, and so the same with clipping, and E fails with probability at most "
        "delta/2 on one data set",
        "P <= exp(eps)*Q + delta",
        (ONE, OTHER, *INSIDE, FAILS, EPS, DELTA),
        (*SHOWN, "fails <= delta/2"),
        kind=ClaimKind.PRIVACY,
        argument=(Combine((("1", SHOWN[0]), ("exp(eps)", SHOWN[1]), ("1", SHOWN[2]), ("1", "fails <= delta/2"))),),
        candidates=(point("P=1/10 Q=1/10 P_in=1/10 Q_in=1/10 fails=0 eps=1 delta=1/10"),),
        mutants=(
            Mutant(
                "twice",
                "E fails with probability delta",
                conditions=(*SHOWN, "fails <= delta"),
                candidates=(point("P=3/20 Q=0 P_in=1/20 Q_in=0 fails=1/10 eps=1 delta=1/10"),),
            ),
        ),
    ),
    step(
        "distance",
        "by the distance alone, delta/(2 (1 + e^eps)) is enough",
        "P <= exp(eps)*Q + delta",
        PAIR,
        (*PRIVATE, *CLOSE, "tv*(1 + exp(eps)) <= delta/2"),
        kind=ClaimKind.PRIVACY,
        argument=(
            Combine(
                (
                    ("1", PRIVATE[0]),
                    ("1", CLOSE[0]),
                    ("exp(eps)", CLOSE[1]),
                    ("1", "P - P_clip <= abs(P - P_clip)"),
                    ("exp(eps)", "-(Q - Q_clip) <= abs(Q - Q_clip)"),
                    ("1", "tv*(1 + exp(eps)) <= delta/2"),
                )
            ),
        ),
        candidates=(point("P=1/10 Q=1/10 P_clip=1/10 Q_clip=1/10 tv=0 eps=1 delta=1/10"),),
        mutants=(
            Mutant(
                "twice",
                "twice the distance",
                conditions=(*PRIVATE, *CLOSE, "tv*(1 + exp(eps)) <= delta"),
                candidates=(
                    point("P=89/250 Q=16/250 P_clip=83/250 Q_clip=22/250 tv=6/250 eps=1 delta=1/10"),
                    point("P=37/100 Q=9/125 P_clip=345/1000 Q_clip=97/1000 tv=1/40 eps=1 delta=1/10"),
                ),
            ),
        ),
    ),
    erratum(
        "s3-fixed",
        "the distance delta/2 is by Lemmas 5.4 and 5.5, which bound the probability of failure over the data as well, "
        "that is the mean over data sets; privacy needs it for each of them. Encoded: a mean of at most delta/2 is at "
        "most delta/2 on a data set of weight q",
        "fails <= delta/2",
        (FAILS, OFTEN, DELTA),
        ("q*fails <= delta/2",),
        reads=Reads.GAP,
        candidates=(point("fails=1 q=1/100 delta=1/50"),),
        finding=(
            "A data set that is less likely than delta/2 may always fail. So without clipping nothing is shown for a "
            "given data set; with clipping there is no need for it. Section 5.4 does not have this gap, as "
            "Lemma 5.9 holds for every data set."
        ),
        repair=f"{COR}~repaired",
    ),
    erratum(
        "s3-events",
        "the failures add up to delta/2: 2 gamma = delta/2 for Lemma 5.5 at gamma = delta/4, and the noise that Lemma "
        "5.4 takes as bounded, which fails with probability up to delta/2 in the proof of Lemma 5.6",
        "2*gamma + fails <= delta/2",
        (FAILS, GAMMA, DELTA),
        ("gamma == delta/4",),
        given={"srgd/LEM-5.6/s5-union": "fails <= delta/2"},
        reads=Reads.GAP,
        candidates=(point("fails=1/20 gamma=1/40 delta=1/10"),),
        finding=(
            "The event of Lemma 5.6 is left out; with it the total is delta. A smaller gamma repairs it, and noise "
            "that is bounded with probability 1 - delta/4."
        ),
        repair=f"{COR}/s3-events~repaired",
    ),
    step(
        "s3-events~repaired",
        "with gamma = delta/8, and noise that fails with probability delta/4",
        "2*gamma + fails <= delta/2",
        (FAILS, GAMMA, DELTA),
        ("gamma == delta/8", "fails <= delta/4"),
        argument=(Combine((("2", "gamma == delta/8"), ("1", "fails <= delta/4"))),),
        candidates=(point("fails=1/40 gamma=1/80 delta=1/10"),),
        mutants=(mutant("quarter", "delta/4", "2*gamma + fails <= delta/4", "fails=1/40 gamma=1/80 delta=1/10"),),
    ),
)
