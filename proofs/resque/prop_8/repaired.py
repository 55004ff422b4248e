"""The proof that holds."""

from dpaudit.claims.writing import *

from .printed import BETA, DELTA, LAM, RATE, RATES, C, D, K, L, T

OURS = f"(2*32**2*L**2/lam*{RATE}**2)"
REAL_T, H = real("T", "[1, oo)", "T_i"), real("h", "[1, oo)", "That of the call")
RATIO = positive("R", "D_i/E_i")
ROOT = positive("p", "sqrt(D_i)")
RADIUS = ("r <= p*sqrt(2/lam)", "2*p <= h**4*(32*L*s*sqrt(2/lam))")

REPAIRED_STEPS = (
    step(
        "r1",
        "with one beta, E_i <= 4 E_{i+1}: T_{i+1} = 2 T_i, u = sqrt(d)/(beta T_i), w = 1/sqrt(T_i)",
        "(u + w)**2 <= 4*(u/2 + w/sqrt(2))**2", (real("u", "[0, oo)"), real("w", "[0, oo)")),
        argument=(Positive(),),
        candidates=(point("u=1 w=0"),),
        mutants=(Mutant("factor", "3.9 in place of 4", "(u + w)**2 <= 3.9*(u/2 + w/sqrt(2))**2"),),
        tightness=(Tightness("loss-per-call", "2", "(u + w)**2 <= {c}*(u/2 + w/sqrt(2))**2", "4", "3.99",
                             candidates=(point("u=1 w=0"),)),),
    ),
    step(
        "r2",
        "one call: by COR-2~repaired its gap is at most 16 L r_i s + (lambda/2) r_i^2/That^4, s = sqrt d/(beta "
        "T_i) + 1/sqrt T_i, and that is at most sqrt(D_i E_i) = p e, sqrt(E_i) = e = 32 L s sqrt(2/lambda), if 2 "
        "sqrt(D_i/E_i) <= That^4 (r4)",
        "16*L*r*s + lam/2*r**2/h**4 <= p*(32*L*s*sqrt(2/lam))",
        (L, LAM, ROOT, H, positive("r", "r_i"), positive("s")), RADIUS,
        rests_on=("resque/COR-2~repaired", "resque/COR-2~repaired/r8", "resque/COR-2~repaired/r8-rate",
                  *(f"resque/PROP-8~repaired/{name}" for name in ("r4", "r4-first", "r8"))),
        argument=(
            Combine(
                terms=(
                    ("16*L*s", RADIUS[0]), ("lam/(2*h**4)*(p*sqrt(2/lam) + "
                                            "r)", RADIUS[0]), ("p/(2*h**4)", RADIUS[1]),
                )
            ),
        ),
        candidates=tuple(point(f"L=1 lam=2 s=1 h=1 {more}") for more in ("p=16 r=16", "p=16 r=99", "p=99 r=99")),
        mutants=(
            Mutant("factor", "31 in place of 32", "16*L*r*s + lam/2*r**2/h**4 <= p*(31*L*s*sqrt(2/lam))"),
            Mutant("any-radius", "r_i any number", conditions=RADIUS[1:]),
            Mutant("few-steps", "no condition on That", conditions=RADIUS[:1]),
        ),
    ),
    step(
        "r3",
        "the ratio R_i = D_i/E_i: R_{i+1} = sqrt(D_i E_i)/E_{i+1} = sqrt(R_i) E_i/E_{i+1} <= 4 sqrt(R_i), and so "
        "R_i <= 16 q implies R_{i+1} <= 16 sqrt q",
        "sqrt(R)*Ei/En <= 16*sqrt(q)",
        (RATIO, positive("Ei", "E_i"), positive("En", "E_{i+1}"), positive("q")),
        ("Ei <= 4*En", "R <= 16*q"),
        rests_on=("resque/PROP-8~repaired/r1",),
        argument=(
            Combine(terms=(("sqrt(R)/En", "Ei <= 4*En"), ("4/(sqrt(R) + 4*sqrt(q))", "R <= 16*q"))),
        ),
        candidates=(point("R=16 Ei=4 En=1 q=1"), point("R=16 Ei=9 En=1 q=1"), point("R=99 Ei=4 En=1 q=1")),
        mutants=(
            Mutant("factor", "15 in place of 16", "sqrt(R)*Ei/En <= 15*sqrt(q)"),
            Mutant("no-r1", "E_i any number", conditions=("R <= 16*q",)),
        ),
    ),
    step(
        "r4",
        "calls i >= 1 (T_i >= 2, so That >= 2): 4 R_i <= That^8, with R_i <= 16 + R_0 by r3 and R_0 <= T_0/1024 "
        "(r4-start), T_0 <= 2 That",
        "4*R <= h**8", (RATIO, real("t0", "[1, oo)", "T_0"), real("h", "[2, oo)", "That")),
        ("R <= 16 + t0/1024", "t0 <= 2*h"),
        rests_on=("resque/PROP-8~repaired/r3", "resque/PROP-8~repaired/r4-start"),
        argument=(
            Bound(
                left="64 + h/128",
                argument=(Combine(terms=(("4", "R <= 16 + t0/1024"), ("1/256", "t0 <= 2*h"))),),
            ),
            Positive(),
        ),
        candidates=(point("R=16 t0=1 h=2"), point("R=99 t0=1 h=2"), point("R=66 t0=51200 h=2")),
        mutants=(
            Mutant("power", "That^6", "4*R - 1/100 <= h**6 - 1", own_sentence=True),
            Mutant("any-ratio", "R_i any number", conditions=("t0 <= 2*h",)),
            Mutant("long-first-call", "T_0 any number", conditions=("R <= 16 + t0/1024",)),
        ),
    ),
    step(
        "r4-first",
        "call 0: 4 R_0 <= That^8, with R_0 <= T_0/1024 and T_0 <= 2 That, That >= 1",
        "4*R <= h**8", (RATIO, real("t0", "[1, oo)", "T_0"), H), ("R <= t0/1024", "t0 <= 2*h"),
        rests_on=("resque/PROP-8~repaired/r4-start",),
        argument=(
            Bound(
                left="h/128", argument=(Combine(terms=(("4", "R <= t0/1024"), ("1/256", "t0 <= 2*h"))),),
            ),
            Positive(),
        ),
        candidates=(point("R=1/512 t0=2 h=1"), point("R=9 t0=2 h=1"), point("R=9 t0=9999 h=1")),
        mutants=(
            Mutant("any-ratio", "R_0 any number", conditions=("t0 <= 2*h",)),
            Mutant("long-first-call", "T_0 any number", conditions=("R <= t0/1024",)),
        ),
    ),
    step(
        "r4-start",
        "R_0 = D_0/E_0 = (2 L^2/lambda)/((2048 L^2/lambda) s_0^2) <= T_0/1024, since s_0 >= 1/sqrt T_0",
        "2*L**2/lam <= t0/1024*(2*32**2*L**2/lam*(sqrt(d)/(beta*t0) + 1/sqrt(t0))**2)",
        (L, LAM, BETA, D, positive("t0", "T_0")),
        argument=(
            Combine(
                terms=(
                    ("2*L**2*t0/lam", "0 <= (sqrt(d)/(beta*t0))**2"),
                    ("4*L**2*sqrt(t0)/lam", "0 <= sqrt(d)/(beta*t0)"),
                )
            ),
        ),
        candidates=(point("L=1 lam=1 beta=1000 d=1 t0=1"),),
        mutants=(
            Mutant("constant", "T_0/1100", "2*L**2/lam <= t0/1100*(2*32**2*L**2/lam*(sqrt(d)/(beta*t0) + "
                                           "1/sqrt(t0))**2)"),
        ),
    ),
    step(
        "r5",
        "after k calls R_k <= 16 q^(2^-k) with q = max(1, R_0/16) <= T <= 2^(2^k), so R_k <= 32 (p = log2 q, g = "
        "2^k)",
        "16*2**(p/g) <= 32", (real("p", "[0, oo)"), real("g", "[1, oo)")), ("p <= g",),
        rests_on=("resque/PROP-8~repaired/r3", "resque/PROP-8~repaired/r4-start"),
        argument=(
            Scale("1/16"),
            Rewrite(left="2**(p/g)", right="2"),
            Logarithm(),
            Rewrite(left="log(2)*p/g", right="log(2)"),
            Combine(terms=(("log(2)/g", "p <= g"),)),
        ),
        candidates=(point("p=4 g=4"), point("p=9 g=4")),
        mutants=(
            Mutant("constant", "31", "16*2**(p/g) <= 31"),
            Mutant("few-calls", "g any number", conditions=()),
        ),
    ),
    step(
        "r6",
        "32 E_k <= (131072 L^2/lambda)(d/(beta^2 T^2) + 1/T), 131072 = 128 * 32^2",
        f"32*{OURS} <= 128*32**2*L**2/lam*{RATES}", (L, LAM, BETA, D, T),
        argument=(Combine(terms=(("65536*L**2/lam", "0 <= (sqrt(d)/(beta*T) - 1/sqrt(T))**2"),)),),
        candidates=(point("L=1 lam=1 beta=1 d=1 T=1"),),
        mutants=(Mutant("constant", "127", f"32*{OURS} <= 127*32**2*L**2/lam*{RATES}"),),
    ),
    step(
        "r7",
        "T_0 = T/2^k is at least 1 for T >= 3, as COR-2~repaired asks: 2^k < 2 log2 T <= T for T >= 4, and T_0 = "
        "3/2 for T = 3",
        "2*log(T) <= T*log(2)", (real("T", "[4, oo)"),),
        argument=(
            Monotone("T", "low", (Rewrite(right="log(2) - 2/T"), Bound(right="log(2) - 1/2", argument=(
                Combine(terms=(("1/(2*T)", "4 <= T"),)),)), Boxes())),
            Identical(),
        ),
        mutants=(
            mutant("factor", "2.1 in place of 2", "2.1*log(T) <= T*log(2)", "T=4"),
            Mutant("small-T", "T from 3 on", symbols=(real("T", "[3, oo)"),), candidates=(point("T=3"),)),
        ),
    ),
    step(
        "r8",
        "a projected start p is within 2 r of xs (both in the ball; v = p - xbar, w = xs - xbar), and no further "
        "from xs than x_i was (COR-2~repaired/r9), so that r_i = min(2 r, sqrt(2 D_i/lambda)) bounds its distance",
        "norm(v - w) <= 2*r", (positive("r", "radius"), vector("v"), vector("w")),
        ("norm(v) <= r", "norm(w) <= r"),
        rests_on=("resque/PROP-8/s4", "resque/COR-2~repaired/r9", "projection-onto-a-convex-set"),
        argument=(
            Combine(
                terms=(
                    ("1", "norm(v - w) <= norm(v) + norm(w)"), ("1", "norm(v) <= r"), ("1", "norm(w) <= r"),
                )
            ),
        ),
        candidates=(point("r=1 v=(1,) w=(-1,)"), point("r=1 v=(9,) w=(-1,)"), point("r=1 v=(1,) w=(-9,)")),
        mutants=(
            Mutant("factor", "1.9 r", "norm(v - w) <= 1.9*r"),
            Mutant("outside", "p outside of the ball", conditions=("norm(w) <= r",)),
        ),
    ),
    step(
        "r9",
        "privacy: every call has the same beta and at most T/2 gradients, at delta/k (and delta/k < 1/6): its "
        "hypothesis is beta^2 log^2(k/delta) <= 1/C and its order range alpha < 1/(C beta^2 log^2(k/delta)), those "
        "of the repaired claim (rho/r: s9-radius); the costs alpha C (beta log(1/(delta/k)) T_i/n)^2 add up to a "
        "third of the printed one, as T_i = 2^(i-k) T and B = 1/4 + ... + 4^-k <= 1/3",
        "alpha*C*(beta*log(1/(delta/k))*T/n)**2*B <= alpha*C*(beta*log(k/delta)*T/n)**2/3",
        (C, BETA, K, T, DELTA, integer("n", "[1, oo)"), real("alpha", "(1, oo)"), real("B", "[0, oo)")),
        ("B <= 1/3",),
        rests_on=("resque/LEM-3", "resque/LEM-4~repaired/r7", "resque/LEM-7", "resque/COR-2/s5",
                  "resque/COR-2/s6-doubled", "resque/PROP-8/s9-radius"),
        kind=ClaimKind.PRIVACY,
        argument=(
            Rewrite(left="alpha*C*(beta*log(k/delta)*T/n)**2*B"),
            Combine(terms=(("alpha*C*(beta*log(k/delta)*T/n)**2", "B <= 1/3"),)),
        ),
        candidates=(point("C=1 beta=1 k=1 T=1 delta=1/10 n=1 alpha=2 B=1/3"), point("C=1 beta=1 k=1 T=1 delta=1/10 n=1 "
                                                                              "alpha=2 B=1")),
        mutants=(
            Mutant("constant", "a quarter",
                   "alpha*C*(beta*log(1/(delta/k))*T/n)**2*B <= alpha*C*(beta*log(k/delta)*T/n)**2/4"),
            Mutant("long-sum", "B any number", conditions=()),
        ),
    ),
    step(
        "r10",
        "T <= 2: xbar is returned, with gap at most 2 L^2/lambda (Lemma 8)",
        f"2*L**2/lam <= 131072*L**2/lam*{RATES}", (L, LAM, BETA, D, real("T", "[1, 2]")),
        rests_on=("resque/LEM-8",),
        argument=(
            Bound(
                right="131072*L**2/lam/T",
                argument=(Combine(terms=(("131072*L**2/lam", "0 <= d/(beta*T)**2"),)),),
            ),
            Scale("lam/L**2"),
            Rewrite(left="2", right="131072/T"),
            Boxes(),
        ),
        mutants=(
            mutant("noise-only", "the noise term alone", "2*L**2/lam <= 131072*L**2/lam*(d/(beta*T)**2)",
                   "L=1 lam=1 beta=1000 d=1 T=1"),
        ),
    ),
)  # fmt: skip
