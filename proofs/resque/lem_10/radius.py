"""The radius that the later levels need, and the rate."""

from dpaudit.claims.writing import *

from .symbols import *

MORE_STEPS = integer("T", "[3, oo)")
NEEDED = "3*log(2**J*T)/delta"
# At J = 1 + ceil(e^(3 c/2)), T = 3, delta = 1/4.
FAR_LEVEL = (
    Have("exp(3*c/2) <= 1 + ceil(exp(3*c/2))"),
    Name("J", "1 + ceil(exp(3*c/2))"),
    Have("0 < J"),
    Have("J < 3*log(2**J*3)/(1/4)", (Combine((("J", "1 < 12*log(2)"), ("12", "0 < log(3)"))),)),
    Name("y", "3*log(2**J*3)/(1/4)"),
    Have("0 < y", (Combine((("1", "J < y"), ("1", "0 < J"))),)),
    Bound(left="3*c/2", argument=(Combine((("c", "log(4*log(3)) <= 3/2"),)),)),
    Combine(
        (
            ("1", "log(exp(3*c/2)/y) <= exp(3*c/2)/y - 1"),
            ("1/y", "exp(3*c/2) <= J"),
            ("1/y", "J < y"),
        )
    ),
)
RADIUS_STEPS = (
    erratum(
        "s4",
        "What the proof needs: the radius: rho/r >= C log^2(log T/delta) is enough for the call with 2^J T "
        "iterations, c a constant that C_priv hides: log(3 log(2^J T)/delta) <= c log(log T/delta)",
        "log(3*log(2**J*T)/delta) <= c*log(log(T)/delta)",
        (constant("c"), J, MORE_STEPS, DELTA),
        reads=Reads.GAP,
        kind=ClaimKind.IMPLICATION,
        place="Lemma 10 and its proof, as Proposition 8 asks for rho/r at 2^J T in the place of T",
        printed=r"\frac{\rho}{r} \geq C_{priv} \log^2\left(\frac{\log T}{\delta}\right)",
        argument=(
            ForEvery(
                where("J=1+ceil(exp(3*c/2)) T=3 delta=1/4"),
                FAR_LEVEL,
                because="the left side is at least log J > 3 c/2, and log(4 log 3) < 3/2",
            ),
        ),
        finding="A gap. The condition on rho/r is printed with log T, but the calls at levels J and J - 1 run 2^J "
        "T iterations, up to n/C_priv. With T and delta fixed the needed log^2(log n/delta) exceeds every "
        "constant times the assumed log^2(log T/delta) (s4-every); for T = 1 the printed condition has the "
        "logarithm of 0. With log n in place of log T the lemma holds. Theorem 3 takes rho/r = sqrt(C) "
        "log^2(n/delta) and is not touched.",
        repair="resque/LEM-10/s4~repaired",
    ),
    step(
        "s4-every",
        "for every constant c, whatever T >= 3 and delta are: the needed logarithm exceeds c times the assumed one "
        "from the level J = (log T/delta)^c on; levels go up to j_max, which grows with n without bound, and the "
        "paper has a universal constant C_priv",
        "c*log(log(T)/delta) < log(3*log(2**J*T)/delta)",
        (J, MORE_STEPS, DELTA, positive("c", "any constant")),
        ours=("(log(T)/delta)**c <= J",),
        kind=ClaimKind.IMPLICATION,
        argument=(
            Have(
                f"J < {NEEDED}",
                (
                    Combine(
                        (
                            ("J/delta", "delta <= 1/2"),
                            ("J/delta", "1/2 < 3*log(2)"),
                            ("3/delta", "0 < log(T)"),
                        )
                    ),
                ),
            ),
            Name("y", NEEDED),
            Have("0 < y", (Combine((("1", "J < y"), ("1", "1 <= J"), ("1", "0 < 1"))),)),
            Combine(
                (
                    ("1", "log((log(T)/delta)**c/y) <= (log(T)/delta)**c/y - 1"),
                    ("1/y", "(log(T)/delta)**c <= J"),
                    ("1/y", "J < y"),
                )
            ),
        ),
        candidates=(point("J=1000 T=3 delta=1/4 c=2"),),
        mutants=(
            Mutant(
                "any-level",
                "at every level",
                conditions=(),
                candidates=(point("J=1 T=3 delta=1/4 c=10"),),
            ),
        ),
    ),
    step(
        "s4~repaired",
        "with rho/r >= C log^2(log n/delta): log(3 z/delta) <= 2.6 log(y/delta) for z = log(2^J T) <= y = log n",
        "3*z/delta <= (y/delta)**2.6",
        (positive("z", "log(2^J T)"), real("y", "[1, oo)", "log n"), DELTA),
        ("z <= y",),
        kind=ClaimKind.IMPLICATION,
        argument=(
            Bound(left="3*y/delta", argument=(Combine(terms=(("3/delta", "z <= y"),)),)),
            Substitute((real("v", "[2, oo)", "y/delta"),), where("y=v*delta"), where("v=y/delta")),
            Rewrite(left="3*v", right="v**2.6"),
            Scale("1/v"),
            Rewrite(left="3", right="v**1.6"),
            Boxes(),
        ),
        mutants=(mutant("power", "power 2.5", "3*z/delta <= (y/delta)**2.5", "z=1 y=1 delta=499/1000"),),
    ),
    step(
        "r-rate",
        "the rate: every level has 2^J T <= Tmax <= n/C_priv, Tmax = floor(n/C_priv)",
        "P <= n/c",
        (
            real("P", "[1, oo)", "2^J T"),
            real("M", "[1, oo)", "Tmax"),
            integer("n", "[1, oo)"),
            real("c", "[1, oo)"),
        ),
        ("P <= M", "M <= n/c"),
        argument=(Combine(terms=(("1", "P <= M"), ("1", "M <= n/c"))),),
        mutants=(mutant("level", "one level more", "2*P <= n/c", "P=2 M=2 n=2 c=1"),),
    ),
)
