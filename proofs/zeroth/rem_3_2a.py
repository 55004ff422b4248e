"""The text after Theorem 3.2: any choice of tau, beta_t and a_t that the constraints allow gives a valid bound."""

from dpaudit.claims.writing import *

TOLD, LEAST = real("told", "[0, oo)", "the divergence"), real("least", "[0, oo)", "the minimum of the theorem")
VALUE = sequence("value", "[0, oo)", "value[i]: the sum for the i-th allowed choice")
CHOICES, CHOSEN = integer("m", "[1, oo)", "number of choices"), integer("i", "[1, oo)", "one of them")
BEST = "all(j, 1, m, least <= value[j])"

CLAIM = Claim(
    id="zeroth/REM-3.2a",
    title="what is at most the minimum is at most every value",
    words=(
        "Any suboptimal choice that the constraints of Theorem 3.2 allow still gives a valid bound. Encoded: what is "
        "at most the minimum, as the theorem has it, is at most the value of each choice, for finitely many. "
        "THM-3.2~repaired is proved for each choice and needs no minimum. The probability of the event is that of the "
        "tau and e that are chosen, not that of the best."
    ),
    place="the text after Theorem 3.2",
    printed=r"\text{any suboptimal feasible solution still yields a valid privacy guarantee}",
    kind=ClaimKind.IMPLICATION,
    statement=Statement("told <= value[i]", (CHOICES, CHOSEN, VALUE, LEAST, TOLD), ("i <= m", BEST, "told <= least")),
    argument=(AtIndex("i"), Combine((("1", "told <= least"), ("1", "least <= value[i]")))),
    candidates=(point("m=1 i=1 value=[0,1] least=1 told=1"),),
    mutants=(mutant("half", "half of it", "told <= 1/2*value[i]", "m=1 i=1 value=[0,1] least=1 told=1"),),
)
