"""The variant with projected starts."""

from dpaudit.claims.writing import *

from .symbols import *

SHARP_LEVEL = "13*(T/n)**2*alpha*(2.2*beta**2*b**2) <= {c}*alpha*(beta*log(2/delta)*T/n)**2"
SHARP = Claim(
    id="resque/LEM-7~sharp",
    title="Lemma 7 with the constants of the sharper Lemma 5",
    words=(
        "With b = max(1, 0.35 log(2/delta)) ones allowed (s1), the level 2.2 alpha beta^2 b^2 for b hits (LEM-5) and "
        "s <= T/n, Algorithm 3 is (alpha, 4.7 alpha (beta log(2/delta) T/n)^2, delta)-RDP, in place of 112320, if "
        "tau = 2.2 beta^2 b^2 has alpha tau <= 0.06 (PROP-7~small). Checked: that level; the laws are its step triple."
    ),
    place="Lemma 7",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        SHARP_LEVEL.format(c="4.7"),
        (ALPHA, BETA, DELTA, T, N, real("b", "[1, oo)", "most ones")),
        ("60*T <= n", "b <= max(1, 0.35*log(2/delta))"),
    ),
    rests_on=(
        "resque/PROP-7~small",
        *GROUNDS,
        *ids(HERE, "s3 s4~repaired s5-share s6"),
        *("resque/LEM-7~sharp/ones", "resque/LEM-7~sharp/triple"),
    ),
    argument=(
        Bound(
            left="13*(T/n)**2*alpha*(2.2*beta**2*(0.403*log(2/delta))**2)",
            argument=(
                Scale("(n/T)**2/(28.6*alpha*beta**2)"),
                Rewrite(left="b**2", right="(0.403*log(2/delta))**2"),
                Substitute(
                    (real("g", "[2484/1000, oo)", "log(2/delta)"),), where("delta=2*exp(-g)"), where("g=log(2/delta)")
                ),
                Rewrite(right="(0.403*g)**2"),
                Solve(),
            ),
        ),
        Scale("(n/T)**2/(alpha*beta**2*log(2/delta)**2)"),
        Rewrite(left="28.6*0.403**2", right="4.7"),
        Boxes(),
    ),
    candidates=(point("alpha=2 beta=1 delta=1666/10000 T=1 n=60 b=1"),),
    mutants=(Mutant("constant", "4.6 in place of 4.7", SHARP_LEVEL.format(c="4.6")),),
    steps=(
        Step(
            "ones",
            "at most 0.35 log(2/delta) ones, hence at most b, with probability at least 1 - delta/2",
            Statement(TAIL.format(c="0.35"), (DELTA, M, N), ("60*M <= n",)),
            kind=ClaimKind.TAIL,
            argument=tail("0.35"),
            mutants=(mutant("fewer", "0.24", TAIL.format(c="0.24"), "delta=33/1000 M=1 n=60"),),
        ),
        triple("triple", "2.2", "LEM-7/triple at the level 2.2: no pair drifts by more than sqrt(4.4) b_i eta_i L"),
    ),
)
