"""No constant is enough: the claim on privacy fails at points that are functions of it.

For every C_priv = C: T = 2^(2^k) with k >= 60 and k >= C, delta = 1/(160 C 2^k), theta = C beta^2 log^2(k/delta) =
1/(6 k) and the order alpha = 3 k. A larger C_priv claims less, so that whole numbers C are enough, and n = C T is one.
"""

from dpaudit.claims.writing import *

from .every_terms import *

EVERY_STEPS = (
    step(
        "tail",
        "an upper bound of the normal tail that decays fast enough",
        "1 - 2/3*exp(-x) <= Phi(x)",
        (real("x", "[0, oo)"),),
        argument=(
            Monotone(
                "x",
                "high",
                (
                    Scale("exp(x)"),
                    Shift("2/3"),
                    Rewrite(left="exp(x - x**2/2)/sqrt(2*pi)", right="2/3"),
                    Logarithm(),
                    Rewrite(left="x - x**2/2 - log(2*pi)/2", right="log(2/3)"),
                    Combine((("1/2", "0 <= (x - 1)**2"), ("1", "1/2 - log(2*pi)/2 <= log(2/3)"))),
                ),
            ),
        ),
        mutants=(mutant("constant", "1/3 in place of 2/3", "1 - 1/3*exp(-x) <= Phi(x)", "x=0"),),
    ),
    step(
        "every-log",
        "log(k/delta) <= k",
        f"log(k/{DELTA_K}) <= k",
        (C, K),
        ours=SMALL_C,
        argument=(
            Rewrite(left="log(160) + log(k) + k*log(2) + log(C)"),
            Bound(
                left="log(160) + 2*log(k) + k*log(2)",
                argument=(Combine((("1", "log(C/k) <= C/k - 1"), ("1/k", "C <= k"))),),
            ),
            Monotone("k", "low"),
            Boxes(),
        ),
        mutants=(Mutant("any-C", "C any number", conditions=(), candidates=(point(f"C={10**10} k=60"),)),),
    ),
    step(
        "every-growth",
        "11 k^4 <= 2^(k/2)",
        "11*k**4 <= 2**(k/2)",
        (K,),
        argument=(
            Logarithm(),
            Rewrite(left="log(11) + 4*log(k)", right="k*log(2)/2"),
            Monotone("k", "low"),
            Boxes(),
        ),
        mutants=(mutant("power", "k^5 in place of k^4", "11*k**5 <= 2**(k/2)", "k=60"),),
    ),
    step(
        "every-reach",
        "the threshold is k standard deviations or more below the mean after one hit",
        f"k <= {REACH_K}",
        (C, K),
        ours=SMALL_C,
        argument=(
            Have("11*k**4 <= 2**(k/2)", (ByTheorem("resque/PROP-8/every-growth"),)),
            *ROOTS,
            Rewrite(right="sqrt(5/2)*2**(s**2/2)/(16*s**2*c*l)"),
            Combine(
                (
                    ("sqrt(5/2)/(16*s**2*c*l)", "11*(s**2)**4 <= 2**(s**2/2)"),
                    ("11*sqrt(5/2)*s**2/(16*c*l)", "c*l <= s**4"),
                    ("s**2", "1 <= 11*sqrt(5/2)/16"),
                )
            ),
        ),
        candidates=(point("C=1 k=60"),),
        mutants=(Mutant("any-C", "C any number", conditions=(), candidates=(point(f"C={10**40} k=60"),)),),
    ),
    step(
        "every-end",
        "the ends of the ball are 2 k standard deviations away or more",
        f"2*k <= {END_K}",
        (C, K),
        ours=SMALL_C,
        argument=(
            Have(
                "121*k**8 <= 2**k",
                (
                    Logarithm(),
                    Rewrite(left="log(121) + 8*log(k)", right="k*log(2)"),
                    Monotone("k", "low"),
                    Boxes(),
                ),
            ),
            *ROOTS,
            Rewrite(right="3*2**(s**2)/(8*sqrt(6)*s**3*c*l)"),
            Combine(
                (
                    ("3/(8*sqrt(6)*s**3*c*l)", "121*(s**2)**8 <= 2**(s**2)"),
                    ("363*s**9/(8*sqrt(6)*c*l)", "c*l <= s**4"),
                    ("s**9", "2 <= 363/(8*sqrt(6))"),
                    ("2*s**8 + 2*s**7 + 2*s**6 + 2*s**5 + 2*s**4 + 2*s**3 + 2*s**2", "7 <= s"),
                    ("12*(s**8 + s**7 + s**6 + s**5 + s**4 + s**3 + s**2)", "0 < 1"),
                )
            ),
        ),
        candidates=(point("C=1 k=60"),),
        mutants=(Mutant("any-C", "C any number", conditions=(), candidates=(point(f"C={10**60} k=60"),)),),
    ),
    step(
        "every-budget",
        "the claim at theta = 1/(6 k) and alpha = 3 k, if two events are rare: p, the event without a hit, and e, "
        "noise that crosses the ball; f is the event after a hit",
        "delta + (exp(1/(2*C**2))*(p + e + delta))**(1 - 1/(3*k)) < 20*delta*f - e",
        (C, K, positive("delta"), *(real(name, "[0, oo)") for name in "pef")),
        ours=BUDGET,
        argument=(
            Have(
                "exp(1/(2*C**2)) <= 5/3",
                (Logarithm(), Rewrite(left="1/(2*C**2)"), Monotone("C", "low"), Boxes()),
            ),
            Have(
                "exp(1/(2*C**2))*(p + e + delta) <= 2*delta",
                (
                    Combine(
                        (
                            ("p + e + delta", "exp(1/(2*C**2)) <= 5/3"),
                            ("5/3", "p <= delta/20"),
                            ("5/3", "e <= delta/20"),
                            ("delta", "5/3*11/10 <= 2"),
                        )
                    ),
                ),
            ),
            Have("0 < exp(1/(2*C**2))*(p + e + delta)"),
            Name("B", "exp(1/(2*C**2))*(p + e + delta)"),
            Have(
                "B**(1 - 1/(3*k)) <= 3*delta",
                (
                    Logarithm(),
                    Rewrite(left="(1 - 1/(3*k))*log(B)", right="log(3) + log(delta)"),
                    Combine(
                        (
                            ("1 - 1/(3*k)", "log(B/(2*delta)) <= B/(2*delta) - 1"),
                            ("(1 - 1/(3*k))/(2*delta)", "B <= 2*delta"),
                            ("1/(3*k)", "log(1/(2*delta)) <= k"),
                            ("1", "1/3 <= log(3) - log(2)"),
                        )
                    ),
                ),
            ),
            Combine(
                (
                    ("1", "B**(1 - 1/(3*k)) <= 3*delta"),
                    ("20*delta", "9/10 <= f"),
                    ("1", "e <= delta/20"),
                    ("delta", "0 < 18 - 4 - 1/20"),
                )
            ),
        ),
        candidates=(point("C=1 k=60 delta=1/1000 p=0 e=0 f=1"),),
        mutants=(
            Mutant(
                "any-p", "p any number", conditions=BUDGET[1:], candidates=(point("C=1 k=60 delta=1/1000 p=1 e=0 f=1"),)
            ),
        ),
    ),
    step(
        "every-constant",
        "for every constant C_priv = C: at T = 2^(2^k), k >= 60 and k >= C, delta = 1/(160 C 2^k), theta = 1/(6 k) and "
        "alpha = 3 k the event is likelier than the claim allows; the paper has a universal constant, and every T",
        f"{allowed('C', 'k', DELTA_K, '(1/(6*k))', '(3*k)', BETA_K)} < {attained('C', 'k', BETA_K)}",
        (C, K),
        ours=SMALL_C,
        kind=ClaimKind.PRIVACY,
        argument=(
            Have(f"k <= {REACH_K}", (ByTheorem("resque/PROP-8/every-reach"),)),
            Have(f"2*k <= {END_K}", (ByTheorem("resque/PROP-8/every-end"),)),
            Have(f"log(k/{DELTA_K}) <= k", (ByTheorem("resque/PROP-8/every-log"),)),
            Have("exp(-k) <= 1/100", (Monotone("k", "low"), Boxes())),
            Have(f"exp(-k) <= {SMALL}", (Logarithm(), Combine((("1", f"log(k/{DELTA_K}) <= k"),)))),
            Have(
                f"log(1/(2*{DELTA_K})) <= k",
                (Combine((("1", f"log(k/{DELTA_K}) <= k"), ("1", "0 <= log(k)"), ("1", "0 <= log(2)"))),),
            ),
            Name("a", REACH_K),
            Name("b", END_K),
            Have("exp(-a) <= exp(-k)", (Logarithm(), Combine((("1", "k <= a"),)))),
            Have("exp(-b) <= exp(-2*k)", (Logarithm(), Combine((("1", "2*k <= b"),)))),
            Have("1 - 2/3*exp(-a) <= Phi(a)", (ByTheorem("resque/PROP-8/tail", at=where("x=a")),)),
            Have("Phi(-a) <= 2/3*exp(-a)", (ByTheorem("resque/LEM-4/tail", at=where("x=a")),)),
            Have("Phi(-b) <= 2/3*exp(-b)", (ByTheorem("resque/LEM-4/tail", at=where("x=b")),)),
            Have(
                "9/10 <= Phi(a)",
                (
                    Combine(
                        (
                            ("1", "1 - 2/3*exp(-a) <= Phi(a)"),
                            ("2/3", "exp(-a) <= exp(-k)"),
                            ("2/3", "exp(-k) <= 1/100"),
                            ("1", "0 < 1/10 - 2/300"),
                        )
                    ),
                ),
            ),
            Have(
                f"Phi(-a) <= {DELTA_K}/20",
                (
                    Combine(
                        (
                            ("1", "Phi(-a) <= 2/3*exp(-a)"),
                            ("2/3", "exp(-a) <= exp(-k)"),
                            ("2/3", f"exp(-k) <= {SMALL}"),
                            (f"{DELTA_K}/(90*k)", "60 <= k"),
                            (DELTA_K, "0 < 1/20 - 1/90"),
                        )
                    ),
                ),
            ),
            Have(
                f"2*k*2**k*Phi(-b) <= {DELTA_K}/20",
                (
                    Combine(
                        (
                            ("2*k*2**k", "Phi(-b) <= 2/3*exp(-b)"),
                            ("4/3*k*2**k", "exp(-b) <= exp(-2*k)"),
                            (f"4/3*k*2**k*(exp(-k) + {SMALL})", f"exp(-k) <= {SMALL}"),
                            (f"{DELTA_K}/(120*C)", "1 <= C"),
                            (f"{DELTA_K}/(120*k*C)", "60 <= k"),
                            (f"59*{DELTA_K}/(120*k*C) + {DELTA_K}*(1/20 - 1/120)", "0 < 1"),
                        )
                    ),
                ),
            ),
            ByTheorem(
                "resque/PROP-8/every-budget",
                at=where(f"delta={DELTA_K} p=Phi(-a) e=2*k*2**k*Phi(-b) f=Phi(a)"),
            ),
        ),
        candidates=(point("C=1 k=60"),),
        mutants=(Mutant("any-C", "C any number", conditions=(), candidates=(point(f"C={10**30} k=60"),)),),
    ),
)
