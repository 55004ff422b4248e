"""The printed proof, from the sum over the phases to the constant."""

from dpaudit.claims.writing import *

from .symbols import *

RATE = "(sqrt(d)/(beta*T) + 1/sqrt(T))"
STEPS = ("eta*L*sqrt(T) <= r", "eta*L*sqrt(d) <= r*beta", "r/(L*eta) <= sqrt(T) + sqrt(d)/beta")
"""What eta = (r/L) min(1/sqrt T, beta/sqrt d) amounts to (s10-eta)."""
MINIMUM = "min(1/sqrt(T), beta/sqrt(d))"

CHAIN = (
    ("4*r**2/(eta*h*T)", "T <= 2*h"),
    ("8*L*r/T", STEPS[2]),
    ("4*L**2*eta*d/(beta**2*h*T)", "T <= 2*h"),
    ("8*L*sqrt(d)/(beta**2*T)", STEPS[1]),
    ("L/(beta*h**2)", STEPS[1]),
    ("L*r/(h**2*sqrt(T))", "sqrt(T) <= h**2"),
)
"""r^2/(eta That), d/(beta^2 That) and the last noise, as in s10."""
PRINTED_SUM = "8*r**2/(eta*T) + 4*L**2*eta*d/(beta**2*h) + 3*eta*L**2/2 + L**2*eta*sqrt(d)/(beta*h**2)"
PRINTED_LAST = "16*L*r*sqrt(d)/(beta*T) + 8*L*r/sqrt(T) + 3*L*r/(2*sqrt(T)) + L*r/sqrt(T)"
SUM_STEPS = (
    step(
        "s9",
        "with A = 1/2 + ... + 2^-(k-1) <= 1, B = 1/4 + ... + 4^-k <= 1/3 (r7) and sigma_k = L eta/(beta That^2), "
        "the sum of the bounds is at most 8r^2/(eta T) + 4L^2 eta d/(beta^2 That) + 3 eta L^2/2 + L^2 eta "
        "sqrt(d)/(beta That^2)",
        "8*r**2/(eta*T) + 4*d*A*L**2*eta/(beta**2*h) + 3*eta*L**2/2*B + L*(L*eta/(beta*h**2))*sqrt(d) <= "
        + PRINTED_SUM,
        (*SETTING, real("A", "[0, oo)"), real("B", "[0, oo)")),
        ("A <= 1", "B <= 1/3"),
        rests_on=("resque/LEM-4/s8~repaired", "resque/LEM-4~repaired/r7"),
        argument=(
            Combine(
                terms=(("4*L**2*eta*d/(beta**2*h)", "A <= 1"), ("3*eta*L**2/2", "B <= 1/3"), ("eta*L**2", "0 <= 1"))
            ),
        ),
        candidates=(point("L=1 r=1 beta=1 eta=1 d=1 T=1 h=1 A=1 B=1/3"),),
        mutants=(
            Mutant("no-sum", "A up to 2", conditions=("A <= 2", "B <= 1/3"),
                   candidates=(point("L=1 r=1 beta=1 eta=1 d=9 T=1 h=1 A=2 B=0"),)),
        ),
        tightness=(
            Tightness(
                "third-term", "1.5",
                "8*r**2/(eta*T) + 4*d*A*L**2*eta/(beta**2*h) + 3*eta*L**2/2*B + L*(L*eta/(beta*h**2))*sqrt(d) <= "
                "8*r**2/(eta*T) + 4*L**2*eta*d/(beta**2*h) + {c}*eta*L**2 + L**2*eta*sqrt(d)/(beta*h**2)",
                "0.5", "0.49", candidates=(point("L=1 r=1 beta=1 eta=1 d=1 T=1 h=1 A=1 B=1/3"),),
                argument=(
                    Combine(terms=(("4*L**2*eta*d/(beta**2*h)", "A <= 1"), ("3*eta*L**2/2", "B <= 1/3"))),
                ),
            ),
        ),
    ),
    step(
        "s10",
        "which is at most (8Lr/sqrt T + 8Lr sqrt(d)/(beta T)) + 8Lr sqrt(d)/(beta T) + 3Lr/(2 sqrt T) + Lr/sqrt T",
        f"{PRINTED_SUM} <= {PRINTED_LAST}", SETTING, (*STEPS, HALVED, "sqrt(T) <= h**2"),
        rests_on=("resque/LEM-4/s10-eta", "resque/LEM-4/s11"),
        argument=(
            Combine(
                terms=(
                    *CHAIN[1:2], ("4*L**2*eta*d/(beta**2*h*T)", HALVED), ("4*L**2*eta*d/(beta**2*h*T)", "0 <= 1"),
                    *CHAIN[3:], ("3*L/(2*sqrt(T))", STEPS[0]),
                )
            ),
        ),
        candidates=(
            point("L=1 r=1 beta=1/100 eta=1/100 d=1 T=255 h=128"),
            point("L=1 r=1 beta=1000000 eta=1/16 d=1 T=256 h=256"),
        ),
        mutants=(
            Mutant("noise", "4 in place of the second 8",
                   f"{PRINTED_SUM} <= {PRINTED_LAST.replace('16*', '12*')}"),
            Mutant("first", "4 in place of the first 8",
                   f"{PRINTED_SUM} <= {PRINTED_LAST.replace('8*L*r/', '4*L*r/')}"),
        ),
    ),
    step(
        "s10-eta",
        "Not printed: 1/min(1/sqrt T, beta/sqrt d) <= sqrt T + sqrt(d)/beta, in the form that s10 uses (p = sqrt "
        "T, b = sqrt d)",
        "1 <= min(1/p, beta/b)*(p + b/beta)", (BETA, positive("p"), positive("b")),
        reads=Reads.OURS,
        argument=(Solve(),),
        mutants=(
            mutant("one-term", "only sqrt T", "1 <= min(1/p, beta/b)*p", "beta=1 p=1 b=2"),
            mutant("maximum", "max in place of min, half the sum", "1 <= max(1/p, beta/b)*(p + b/beta)/3",
                   "beta=1 p=1 b=1"),
        ),
    ),
    step(
        "s10-eta-steps",
        "Not printed: eta L sqrt T <= r, from eta = (r/L) min(1/sqrt T, beta/sqrt d)",
        f"r/L*{MINIMUM}*L*sqrt(T) <= r", (L, R, BETA, D, T),
        reads=Reads.OURS,
        argument=(Combine(terms=(("r*sqrt(T)", f"{MINIMUM} <= 1/sqrt(T)"),)),),
        mutants=(
            mutant("factor", "0.95 r", f"r/L*{MINIMUM}*L*sqrt(T) <= "
                                       f"0.95*r", "L=1 r=1 beta=9 d=1 T=4"),
        ),
    ),
    step(
        "s10-eta-noise",
        "Not printed: eta L sqrt d <= r beta, likewise",
        f"r/L*{MINIMUM}*L*sqrt(d) <= r*beta", (L, R, BETA, D, T),
        reads=Reads.OURS,
        argument=(Combine(terms=(("r*sqrt(d)", f"{MINIMUM} <= beta/sqrt(d)"),)),),
        mutants=(
            mutant("factor", "0.95 r", f"r/L*{MINIMUM}*L*sqrt(d) <= 0.95*r*beta",
                   "L=1 r=1 beta=1/9 d=1 T=4"),
        ),
    ),
    step(
        "s11",
        "That^2 >= sqrt T for all T, from 2 That >= T + 1",
        "sqrt(T) <= h**2", (T, H), (HALVED,),
        argument=(
            Combine(
                terms=(
                    ("1/(h**2 + sqrt(T))", HALVED),
                    ("1/(h**2 + sqrt(T))", "0 <= (h**2 - 1)**2"),
                    ("2*h/(h**2 + sqrt(T))", "1 <= h"),
                )
            ),
        ),
        candidates=(point("T=1 h=1"), point("T=3 h=2"), point("T=9 h=1")),
        mutants=(
            Mutant("constant", "0.99 That^2", "sqrt(T) <= 0.99*h**2"),
            Mutant("power", "That in place of That^2, without the root", "T <= h", own_sentence=True),
            Mutant("no-rounding", "That any number", conditions=()),
        ),
    ),
    step(
        "s11-half",
        "2 That >= T for That = 2^floor(log2 T)",
        "T <= 2*2**floor(log2(T))", (T,),
        argument=(
            Scale("1/2"),
            Logarithm(),
            Rewrite(left="(log2(T) - 1)*log(2)", right="floor(log2(T))*log(2)"),
            Combine(terms=(("log(2)", "log2(T) < floor(log2(T)) + 1"),)),
        ),
        mutants=(mutant("factor", "1.9 in place of 2", "T <= 1.9*2**floor(log2(T))", "T=255"),),
    ),
    step(
        "s12",
        "so C_cvx = 16 (the paper does not name it)",
        f"{PRINTED_LAST} <= 16*L*r*{RATE}", (L, R, BETA, D, T),
        argument=(Combine(terms=(("11*L*r/(2*sqrt(T))", "0 <= 1"),)),),
        candidates=(point("L=1 r=1 beta=1/1000000 d=1 T=1"),),
        mutants=(Mutant("lost-noise", "1/sqrt T alone", f"{PRINTED_LAST} <= 16*L*r/sqrt(T)"),),
        tightness=(
            Tightness("C_cvx-of-the-display", "16", PRINTED_LAST + " <= {c}*L*r*" + RATE, "16", "15.9",
                      candidates=(point("L=1 r=1 beta=1/1000000 d=1 T=1"),)),
        ),
    ),
    step(
        "s12-one",
        "Not printed: T = 1: no phase is run, xbar is returned, and its gap is at most L r",
        f"L*r <= 16*L*r*{RATE}", (L, R, BETA, D, T), ("T <= 1",),
        reads=Reads.OURS,
        argument=(
            Bound(right="16*L*r/sqrt(T)", argument=(Combine(terms=(("16*L*r*sqrt(d)/(beta*T)", "0 <= 1"),)),)),
            Scale("sqrt(T)/(L*r)"),
            Rewrite(left="sqrt(T)", right="16"),
            Combine(terms=(("1/(1 + sqrt(T))", "T <= 1"), ("15", "0 <= 1"))),
        ),
        candidates=(point("L=1 r=1 beta=1 d=1 T=1"), point("L=1 r=1 beta=9 d=1 T=400")),
        mutants=(Mutant("all-T", "for every T", conditions=()),),
    ),
)  # fmt: skip
