"""What Corollary 3.3 needs besides its proof: the window with constants, and when its hypotheses can be met."""

from dpaudit.claims.writing import *

from .symbols import *

SMALL_XI = "c_2**2*d/eta**2 <= 2*Delta**2/n**2"
LATE = "N*(alpha/sigma**2*(2*Delta/n)**2 + alpha*(c_2 + 2*R/N)**2*d/(eta**2*sigma**2))"
EARLY = "T*(alpha/sigma**2*(2*Delta/n)**2 + alpha*c_2**2*d/(eta**2*sigma**2))"
UNIT = "alpha*Delta**2/(n**2*sigma**2)"
ENOUGH = "2*R**2*d/eta**2 <= N**2*Delta**2/n**2"

OURS = (
    step(
        "small-xi",
        "xi <= 2 Delta/(n M sqrt(2d)) in terms of c_2 = eta M xi",
        SMALL_XI,
        (ETA, CLIP, RECORDS, DIMENSION, SMOOTH, REACH, C_2),
        ("c_2 == eta*M*xi", "xi <= 2*Delta/(n*M*sqrt(2*d))"),
        argument=(
            Substitute((), where("c_2=eta*M*xi"), ()),
            Have(
                "xi**2 <= (2*Delta/(n*M*sqrt(2*d)))**2",
                (Power("1/2"), Combine((("1", ("xi <= 2*Delta/(n*M*sqrt(2*d))")),))),
            ),
            Combine((("M**2*d", "xi**2 <= (2*Delta/(n*M*sqrt(2*d)))**2"),)),
        ),
        candidates=(point("eta=1 Delta=1 n=1 d=2 M=1 xi=1 c_2=1"),),
        mutants=(mutant("half", "half of it", "c_2**2*d/eta**2 <= 1*Delta**2/n**2"),),
    ),
    step(
        "late",
        "T >= N = ceil(n R sqrt(2d)/(Delta eta)): Theorem 3.2~repaired with c_1 = 1, beta_t = 1/2 and a_t = c_2 + "
        "2R/N, so that z_tau = 2R, is at most 12 N alpha Delta^2/(n^2 sigma^2)",
        f"{LATE} <= 12*N*{UNIT}",
        (*SCALES, C_2, WINDOW, RADIUS),
        (),
        given={f"{HERE}/small-xi": SMALL_XI, f"{HERE}/whole": ENOUGH},
        argument=(
            Have("(c_2 + 2*R/N)**2 <= 2*c_2**2 + 8*R**2/N**2", (Combine((("1", "0 <= (c_2 - 2*R/N)**2"),)),)),
            Combine(
                (
                    ("N*alpha*d/(eta**2*sigma**2)", "(c_2 + 2*R/N)**2 <= 2*c_2**2 + 8*R**2/N**2"),
                    ("2*N*alpha/sigma**2", SMALL_XI),
                    ("4*alpha/(N*sigma**2)", ENOUGH),
                )
            ),
        ),
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 c_2=1 N=2 R=1"),),
        mutants=(mutant("less", "4 in place of 12", f"{LATE} <= 4*N*{UNIT}"),),
    ),
    step(
        "whole",
        "since N is at least n R sqrt(2d)/(Delta eta)",
        ENOUGH,
        (ETA, CLIP, RECORDS, DIMENSION, WINDOW, RADIUS),
        (f"{LENGTH} <= N",),
        argument=(
            Have(f"({LENGTH})**2 <= N**2", (Power("1/2"), Combine((("1", f"{LENGTH} <= N"),)))),
            Combine((("Delta**2/n**2", f"({LENGTH})**2 <= N**2"),)),
        ),
        candidates=(point("eta=1 Delta=1 n=1 d=2 N=2 R=1"),),
        mutants=(mutant("half", "half of it", "4*R**2*d/eta**2 <= N**2*Delta**2/n**2"),),
    ),
    step(
        "early",
        "T < N: with tau = 0, where both runs start at w_0, beta_t = 1/2 and a_t = c_2 it is at most 6 T alpha "
        "Delta^2/(n^2 sigma^2)",
        f"{EARLY} <= 6*T*{UNIT}",
        (*SCALES, C_2, STEPS),
        (),
        given={f"{HERE}/small-xi": SMALL_XI},
        argument=(Combine((("T*alpha/sigma**2", SMALL_XI),)),),
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 c_2=1 T=1"),),
        tightness=(Tightness("constant", "6", f"{EARLY} <= {{c}}*T*{UNIT}", "6", "59/10"),),
        mutants=(mutant("less", "5 in place of 6", f"{EARLY} <= 5*T*{UNIT}"),),
    ),
    step(
        "order",
        "with s = sqrt(log(2/delta)/rho) the epsilon of the repaired corollary, rho + 2 s rho, is rho + 2 sqrt(rho "
        "log(2/delta)). Encoded for l = log(2/delta)",
        "rho + 2*(sqrt(l/rho))*rho == rho + 2*sqrt(rho*l)",
        (positive("rho"), positive("l", "log(2/delta)")),
    ),
    step(
        "root",
        "where rho <= log(2/delta), epsilon is at most 3 sqrt(rho log(2/delta)), the form of the corollary",
        "rho + 2*sqrt(rho*l) <= 3*sqrt(rho*l)",
        (positive("rho"), positive("l", "log(2/delta)")),
        ("rho <= l",),
        argument=(
            Have("rho <= sqrt(rho*l)", (Power("2"), Combine((("rho", "rho <= l"),)))),
            Combine((("1", "rho <= sqrt(rho*l)"),)),
        ),
        candidates=(point("rho=1 l=1"),),
        mutants=(mutant("two", "2 in place of 3", "rho + 2*sqrt(rho*l) <= 2*sqrt(rho*l)"),),
    ),
    step(
        "large-ball",
        "where x = M R n sqrt(d)/(K Delta) is at least 1, the min(T, N) of the repaired corollary, N = ceil(sqrt(2) "
        "x), is at most 5/2 times the min(T, x) of the closed form. Encoded: this comparison alone",
        "min(T, N) <= 5/2*min(T, x)",
        (STEPS, WINDOW, real("x", "[1, oo)", "M R n sqrt(d)/(K Delta)")),
        ("N <= sqrt(2)*x + 1",),
        argument=(
            Have("sqrt(2) <= 3/2", (Boxes(),)),
            Have("N <= 5/2*x", (Combine((("1", "N <= sqrt(2)*x + 1"), ("x", "sqrt(2) <= 3/2"), ("1", "1 <= x"))),)),
            Cases(
                (
                    (
                        "T <= x",
                        (
                            Have("T <= min(T, x)", (Solve(),)),
                            Combine((("1", "min(T, N) <= T"), ("5/2", "T <= min(T, x)"), ("3/2", "0 <= T"))),
                        ),
                    ),
                    (
                        "otherwise",
                        (
                            Have("x <= min(T, x)", (Solve(),)),
                            Combine((("1", "min(T, N) <= N"), ("1", "N <= 5/2*x"), ("5/2", "x <= min(T, x)"))),
                        ),
                    ),
                )
            ),
        ),
        candidates=(point("T=2 N=2 x=1"),),
        mutants=(
            mutant("two", "3/2 in place of 5/2", "min(T, N) <= 3/2*min(T, x)", "T=2 N=2 x=1"),
            Mutant(
                "small", "x below 1", symbols=(STEPS, WINDOW, positive("x")), candidates=(point("T=1 N=1 x=1/100"),)
            ),
        ),
    ),
    erratum(
        "root-always",
        "for every sigma epsilon has the form of a root. Encoded: the epsilon that the conversion gives, rho + 2 "
        "sqrt(rho log(2/delta)), is at most C sqrt(rho log(2/delta))",
        "rho + 2*sqrt(rho*l) <= C*sqrt(rho*l)",
        (constant("C", "[1, oo)"), positive("rho"), positive("l", "log(2/delta)")),
        reads=Reads.BOUNDARY,
        place="Corollary 3.3",
        printed=r"\varepsilon=O\left(\sqrt{\ldots}\right)",
        argument=(ForEvery(where("rho=C**2 l=1")),),
        finding=(
            "For rho above log(1/delta), that is epsilon above about log(1/delta), the linear summand is the larger "
            "one. The usual condition, which the paper does not state; nobody would run it there."
        ),
        repair=f"{HERE}/root",
    ),
    erratum(
        "hypotheses",
        "read as on all of R^d, as printed: some loss is both m-strongly convex and Delta-Lipschitz, so that m |w - "
        "v|^2 <= 2 Delta |w - v| for all w, v. Encoded for |w - v| = t",
        "m*t**2 <= 2*Delta*t",
        (constant("m"), constant("Delta"), positive("t", "distance of two points")),
        reads=Reads.READING,
        kind=ClaimKind.NON_VACUITY,
        place="Corollary 3.3, hypotheses",
        argument=(ForEvery(where("t=4*Delta/m")),),
        finding=(
            "No loss is both on R^d: gradients of a strongly convex one grow without bound. On the ball of radius R "
            "+ xi, where the losses are asked for, both hold for m |w|^2/2 if m (R + xi) <= Delta, and for no loss "
            "otherwise (ball). The corollary is to be read so; the proof uses no more."
        ),
        repair=f"{HERE}/ball",
    ),
    step(
        "ball",
        "on the ball of radius r = R + xi an m-strongly convex, Delta-Lipschitz loss has m r <= Delta: its gradients "
        "at two opposite points of the boundary",
        "m*r <= Delta",
        (CURVED, CLIP, positive("r", "R + xi"), *map(vector, ("w", "g", "h"))),
        ("m*norm(2*w)**2 <= dot(g - h, 2*w)", "norm(g) <= Delta", "norm(h) <= Delta", "norm(w) == r"),
        kind=ClaimKind.NON_VACUITY,
        argument=(
            Scale("4*r"),
            Have("dot(g, w) <= norm(g)*norm(w)"),
            Have("dot(-h, w) <= norm(h)*norm(w)"),
        ),
        candidates=(point("m=1 Delta=1 r=1 w=(1,) g=(1,) h=(-1,)"),),
        mutants=(mutant("twice", "2 m r", "2*m*r <= Delta"),),
    ),
)
