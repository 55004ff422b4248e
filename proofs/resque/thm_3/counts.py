"""Powers and logarithms of the number of gradients."""

from dpaudit.claims.writing import *

from .symbols import *

# The reduction of the count, in logarithms: Lx = log kappa, LC = log C, La = log sqrt(d), Ln = log n,
# Le = log(1/eps), LD = log log(n/delta), Ll = log log(1/delta), LN = log log n.
NAMES = "Lx LC La Ln Le LD Ll LN"
LOGS = tuple(real(n, "(-oo, oo)" if n in ("Lx", "LN") else "[0, oo)") for n in NAMES.split())
KNOWN = ("LC + Lx <= Ln/2", "LC + Lx + La + Ll/2 + 3/2*LD + LN <= Ln - Le", "LN <= LD", "Ll <= LD")
ORIGIN = dict.fromkeys(NAMES.split(), 0)


def reduction(name, words, left, right, terms, mutant):
    return Step(
        name,
        words,
        Statement(f"{left} <= {right}", LOGS, KNOWN),
        origins=given("s1", *KNOWN[:2]),
        kind=ClaimKind.COST,
        argument=added(*terms),
        mutants=(
            Mutant(
                "power",
                mutant[0],
                mutant[1],
                candidates=(tuple((n, str(v)) for n, v in {**ORIGIN, **mutant[2]}.items()),),
            ),
        ),
    )


SHORT_COUNT = "7/6*LC + LC/2 + 4/3*Lx + 4/3*La + 5/3*LD + Ll/2 + Le + 2*LN + LD"
LONG_COUNT = "LC/2 + 2*Lx + 2*LN + LD"
SMALL_DELTA = (
    step(
        "r4-size",
        "where the first term of T_1 alone is too small for s4, kappa^(2/3) >= d^(2/3)/eps up to constants above 1, "
        "kappa is at least n^(3/5) over the logarithms P of (30): so r4 covers delta >= n^(-m)",
        "Ln - P <= 5/3*Lx",
        (*(s for s in LOGS if s.name in ("Lx", "La", "Ln", "Le")), real("P", "(-oo, oo)", "logarithms and log C")),
        ("4/3*La + Le <= 2/3*Lx", "Ln - Le - La - P <= Lx"),
        argument=added(("1", "4/3*La + Le <= 2/3*Lx"), ("1", "Ln - Le - La - P <= Lx"), ("1/3", "0 <= La")),
        mutants=(mutant("power", "n^(2/3)", "Ln - P <= 3/2*Lx", "Ln=5 P=0 Lx=3 La=0 Le=2"),),
    ),
)
COUNTS = (
    reduction(
        "s20-short",
        "K T_3 log^2 n log(n/delta), first term, against log^6(n/delta) (nd)^(2/3)/eps, up to C^(1/3)",
        SHORT_COUNT,
        "LC/3 + 6*LD + 2/3*(Ln + 2*La) + Le",
        (("4/3", KNOWN[0]), ("2", KNOWN[2]), ("1/2", KNOWN[3]), ("5/6", "0 <= LD")),
        (
            "log^4",
            f"{SHORT_COUNT} <= LC/3 + 4*LD + 2/3*(Ln + 2*La) + Le",
            {"Ln": 20, "Lx": 10, "LD": 1, "Ll": 1, "LN": 1},
        ),
    ),
    reduction(
        "s20-short-other",
        "the same against log^6(n/delta) n^(4/3) eps^(1/3)",
        SHORT_COUNT,
        "LC/3 + 6*LD + 4/3*Ln - Le/3",
        (("4/3", KNOWN[1]), ("2/3", KNOWN[2]), ("14/3", "0 <= LD"), ("1/6", "0 <= Ll")),
        (
            "n^1.2",
            f"{SHORT_COUNT} <= LC/3 + 6*LD + 1.2*Ln - Le/3",
            {"Ln": 400, "La": 200, "Lx": 194, "LD": 1, "Ll": 1, "LN": 1},
        ),
    ),
    reduction(
        "s20-long",
        "K T_3 log^2 n log(n/delta), second term, against log^6(n/delta) n",
        LONG_COUNT,
        "6*LD + Ln",
        (("2", KNOWN[0]), ("2", KNOWN[2]), ("3", "0 <= LD"), ("3/2", "0 <= LC")),
        ("sqrt", f"{LONG_COUNT} <= 6*LD + Ln/2", {"Ln": 20, "Lx": 10}),
    ),
    reduction(
        "s20-long-other",
        "the same against log^6(n/delta) n^2 eps^2/d",
        LONG_COUNT,
        "6*LD + 2*Ln - 2*Le - 2*La",
        (("2", KNOWN[1]), ("8", "0 <= LD"), ("1", "0 <= Ll"), ("3/2", "0 <= LC")),
        ("n", f"{LONG_COUNT} <= 6*LD + Ln - 2*Le - 2*La", {"Ln": 20, "Lx": 5, "La": 15}),
    ),
)
