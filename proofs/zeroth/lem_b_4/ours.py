"""Lemma B.4 repaired: with an upper bound on the sum of the B_k, and 72 K/d."""

from dpaudit.claims.writing import *

from .symbols import *

UP = "(4*log(3/delta) + 2*log(2)*K)/d"
ACROSS = "72*K/d*log(6*d/delta)"
ALL_THREE = "delta=1/2 fails=1/2 p_a=1/6 p_b=1/6 p_c=1/6"
WORST = f"max(1 - low, {UP} - 1)"

REPAIRED = Claim(
    id=f"{HERE}~repaired",
    title="with an upper bound on the sum of the B_k and 72 K/d for K/(2d + 6) the bound on what is left of a vector "
    "holds. Encoded: where none of three events happens (`union`)",
    words=(
        "With probability 1 - delta: |v - sum <v, u_k> u_k|^2 <= |v|^2 (72 (K/d) log(6d/delta) + max(1 - low, up - "
        "1)^2), low of Lemma B.3 at delta/3 and up = (4 log(3/delta) + 2 log(2) K)/d. Encoded: where none of three "
        "events of probability delta/3 happens (`union`)."
    ),
    place="Lemma B.4",
    kind=ClaimKind.TAIL,
    statement=Statement(
        f"size*(1 - S)**2 + sq <= size*({ACROSS} + {WORST}**2)",
        (D, K, DELTA, SIZE, SUM, LOW, SQUARE),
        ("low <= S", f"S <= {UP}", f"sq <= size*({ACROSS})"),
    ),
    origins=(
        Condition("low <= S", Origin.GIVEN, "zeroth/LEM-B.3"),
        Condition(f"S <= {UP}", Origin.GIVEN, f"{HERE}~repaired/up"),
        Condition(f"sq <= size*({ACROSS})", Origin.GIVEN, f"{HERE}/s6~repaired"),
    ),
    rests_on=(f"{HERE}/s1~repaired", f"{HERE}~repaired/union"),
    argument=(
        Have(f"1 - S <= {WORST}", (Combine((("1", f"1 - low <= {WORST}"), ("1", "low <= S"))),)),
        Have(f"S - 1 <= {WORST}", (Combine((("1", f"{UP} - 1 <= {WORST}"), ("1", f"S <= {UP}"))),)),
        Have(f"0 <= {WORST}", (Combine((("1/2", f"1 - S <= {WORST}"), ("1/2", f"S - 1 <= {WORST}"))),)),
        Have(
            f"(1 - S)**2 <= {WORST}**2",
            (
                Cases(
                    (
                        ("S <= 1", (Power("1/2"), Rewrite(left="1 - S", right=WORST), Solve())),
                        ("otherwise", (Rewrite(left="(S - 1)**2"), Power("1/2"), Solve())),
                    )
                ),
            ),
        ),
        Combine((("size", f"(1 - S)**2 <= {WORST}**2"), ("1", f"sq <= size*({ACROSS})"))),
    ),
    candidates=(point("d=2 K=1 delta=1/2 size=1 S=1/2 low=0 sq=0"),),
    mutants=(
        Mutant(
            "up",
            "without the upper bound on S",
            f"size*(1 - S)**2 + sq <= size*({ACROSS} + (1 - low)**2)",
            candidates=(point("d=2 K=200 delta=1/2 size=1 S=140 low=0 sq=0"),),
        ),
    ),
    steps=(
        step(
            "union",
            "one of three events of probability delta/3 at most happens with probability delta at most",
            "fails <= delta",
            (DELTA, FAILS, *(real(name, "[0, 1]") for name in ("p_a", "p_b", "p_c"))),
            ("p_a <= delta/3", "p_b <= delta/3", "p_c <= delta/3", *any_of("fails", "p_a", "p_b", "p_c")),
            rests_on=("union-bound",),
            candidates=(point(ALL_THREE),),
            mutants=(mutant("half", "delta/2", "fails <= delta/2", ALL_THREE),),
        ),
        step(
            "mgf",
            "E exp(d B/4) <= sqrt(2): the j-th moment of d B is at most that of W_1, as d + 2 i >= d, and E exp(W_1/4) "
            "= sqrt(2). Encoded: a factor of the moments",
            "d*(1 + 2*i)/(d + 2*i) <= 1 + 2*i",
            (D, integer("i", "[0, oo)")),
            kind=ClaimKind.MOMENT,
            rests_on=("noncentral-chi-square", "zeroth/LEM-B.3/s1"),
            argument=(Scale("d + 2*i"), Positive()),
            mutants=(mutant("half", "half of it", "d*(1 + 2*i)/(d + 2*i) <= 1/2*(1 + 2*i)", "d=2 i=0"),),
        ),
        step(
            "up",
            "S is more than (4 log(3/delta) + 2 log(2) K)/d with probability delta/3 at most: Markov's inequality for "
            "exp(d S/4), whose mean is at most 2^(K/2), as the B_k are independent. Encoded: the value of that bound",
            f"sqrt(2)**K*exp(-d/4*({UP})) == delta/3",
            (D, K, DELTA),
            kind=ClaimKind.TAIL,
            rests_on=("markov-inequality", f"{HERE}~repaired/mgf"),
            argument=(
                Rewrite(left="exp(K*log(2)/2 - log(3/delta) - log(2)*K/2)"),
                Rewrite(left="delta/3"),
                Identical(),
            ),
            candidates=(point("d=2 K=1 delta=1/2"),),
        ),
    ),
)
