"""(75), (76), (107): difference quotients, and how likely it is that one of them is clipped."""

from dpaudit.claims.writing import *

from .symbols import *

GRAD, U = vector("g", "the gradient at x"), vector("u", "a direction")
AT, PLUS, MINUS = (
    real("f", meaning="lbar(x)"),
    real("f_p", meaning="lbar(x + xi u)"),
    real("f_m", meaning="lbar(x - xi u)"),
)
TAYLOR = (
    "f_p - f <= xi*dot(g, u) + M*xi**2/2",
    "f + xi*dot(g, u) - M*xi**2/2 <= f_p",
    "f_m - f <= -xi*dot(g, u) + M*xi**2/2",
    "f - xi*dot(g, u) - M*xi**2/2 <= f_m",
)
QUOTIENT = "abs(f_p - f_m)/(2*xi) <= abs(dot(g, u)) + {c}*M*xi"
SHARP = "g=(0) u=(1) M=1 xi=1 f=0 f_p=1/2 f_m=-1/2"
C_0, ONE, BAR = positive("C_0"), positive("one", "|grad l_1(x)|"), positive("bar", "|grad lbar(x)|")
TAIL = "2*sqrt(2*pi)*exp(-d*C_0**2/(8*{size}**2))"
CLIPPED = "beta_tail(1/2, (d - 1)/2, (C_0 + M*xi/2)**2/one**2)"
FAILS, ANY_ONE = real("fails", "[0, 1]", "P(not Q)"), positive("one", "|grad l_i(x)| of one quotient")
AHEAD, BACK = real("up", meaning="remainder along u"), real("down", meaning="remainder along -u")

CLIP = (
    step(
        "s1",
        "(75): the difference quotient of an M-smooth function along a unit vector, from the bounds on its Taylor "
        "remainders along u and -u",
        QUOTIENT.replace("{c}", "1/2"),
        (GRAD, U, SMOOTH, XI, AT, PLUS, MINUS),
        given={"zeroth/LEM-3.7/s1": TAYLOR},
        place="(75)",
        printed=r"\frac{|\bar\ell(x+\xi u)-\bar\ell(x-\xi u)|}{2\xi}\leq|\left\langle\nabla\bar\ell(x),u\right"
        r"\rangle|+\frac12M\xi",
        argument=(
            Scale("2*xi"),
            Cases(
                (
                    (
                        "0 <= f_p - f_m",
                        (
                            Rewrite(left="f_p - f_m"),
                            Combine((("1", TAYLOR[0]), ("1", TAYLOR[3]), ("2*xi", "dot(g, u) <= abs(dot(g, u))"))),
                        ),
                    ),
                    (
                        "otherwise",
                        (
                            Rewrite(left="f_m - f_p"),
                            Combine((("1", TAYLOR[1]), ("1", TAYLOR[2]), ("2*xi", "-dot(g, u) <= abs(dot(g, u))"))),
                        ),
                    ),
                )
            ),
        ),
        candidates=(point(SHARP),),
        mutants=(mutant("third", "M xi/3", QUOTIENT.replace("{c}", "1/3"), SHARP),),
    ),
    step(
        "near",
        "the quotient along a unit vector is within M xi/2 of <grad lbar, u>, from the two remainders",
        "abs(q - t) <= 1/2*M*xi",
        (SMOOTH, XI, real("q", meaning="the quotient"), real("t", meaning="<grad lbar, u>"), AHEAD, BACK),
        given={
            "zeroth/LEM-3.7/s1": ("abs(up) <= M*xi**2/2", "abs(down) <= M*xi**2/2"),
            "zeroth/LEM-3.7/s3": "q == t + (up - down)/(2*xi)",
        },
        place="after (75)",
        argument=(
            Substitute((), where("q=t+(up-down)/(2*xi)"), ()),
            Rewrite(left="abs(up - down)/(2*xi)"),
            Scale("2*xi"),
            Combine(
                (
                    ("1", "abs(up - down) <= abs(up) + abs(down)"),
                    ("1", "abs(up) <= M*xi**2/2"),
                    ("1", "abs(down) <= M*xi**2/2"),
                )
            ),
        ),
        candidates=(point("M=1 xi=1 q=1/2 t=0 up=1/2 down=-1/2"),),
        mutants=(mutant("third", "M xi/3", "abs(q - t) <= 1/3*M*xi", "M=1 xi=1 q=1/2 t=0 up=1/2 down=-1/2"),),
    ),
    step(
        "s2-inside",
        "with Delta = C_0 + M xi/2 a quotient of l_i is not clipped where |<grad l_i(x), u>| <= C_0",
        "q <= Delta",
        (
            C_0,
            SMOOTH,
            XI,
            positive("Delta"),
            real("q", meaning="|quotient|"),
            real("t", "[0, oo)", "|<grad l_i(x), u>|"),
        ),
        ("Delta == C_0 + M*xi/2", "t <= C_0"),
        given={f"{HERE}/s1": "q <= t + 1/2*M*xi"},
        place="after (76)",
        printed=r"\Delta=C_0+\frac12M\xi",
        argument=(Combine((("1", "q <= t + 1/2*M*xi"), ("1", "t <= C_0"), ("1", "C_0 + M*xi/2 <= Delta"))),),
        candidates=(point("C_0=1 M=1 xi=2 Delta=2 q=2 t=1"),),
        mutants=(mutant("half", "3/4 Delta", "q <= 3/4*Delta", "C_0=1 M=1 xi=2 Delta=2 q=2 t=1"),),
    ),
    erratum(
        "s2",
        "(107), read with the gradient of the mean loss, as its bar has it: something is clipped with probability at "
        "most 2 sqrt(2 pi) n K T exp(-d C_0^2/(8 |grad lbar(x)|^2)). Encoded for one step, one direction and two "
        "records with linear losses whose gradients lie on one line, which can have any |grad l_1| and any smaller "
        "|grad lbar|: the event that the quotient of l_1 is clipped",
        f"{CLIPPED} <= 2*{TAIL.format(size='bar')}",
        (integer("d", "[2, oo)", "dimension"), C_0, SMOOTH, XI, ONE, BAR),
        ("bar <= one", "C_0 + M*xi/2 < one"),
        kind=ClaimKind.TAIL,
        reads=Reads.READING,
        rests_on=("haar-beta",),
        place="(107)",
        printed=r"\mathbb{P}(\bar Q)\leq 2\sqrt{2\pi}nKT\exp(-\frac{dC_0^2}{8\|\nabla\bar\ell(x)\|^2})",
        candidates=(point("d=2 C_0=1/2 M=1/100 xi=1 one=1 bar=1/10"),),
        finding=(
            "What is clipped are the quotients of the single losses, over which the union goes (the n of (107)); their "
            "gradients can be large where that of the mean is small. With |grad l_1| = 1 and |grad lbar| = 0.1, d = 2 "
            "and C_0 = 1/2 a quotient is clipped with probability 2/3, and (107) is 0.02. Read with the largest "
            "gradient of the l_i in the place of that of the mean, as the n asks for, or with L, which bounds all of "
            "them, it holds (s2~repaired): a slip of notation."
        ),
        repair=f"{HERE}/s2~repaired",
    ),
    step(
        "s2~repaired",
        "(107) with L in the place of |grad lbar(x)|: the union over n K T quotients, none of which is clipped where "
        "|<grad l_i, u>| < C_0, by (76) for |grad l_i| <= L",
        f"fails <= n*K*T*{TAIL.format(size='L')}",
        (DIMENSION, DIRECTIONS, RECORDS, STEPS, C_0, ANY_ONE, LIPSCHITZ, FAILS),
        ("one <= L", *any_of_many("fails", "n*K*T", TAIL.format(size="one"))),
        kind=ClaimKind.TAIL,
        place="(107)",
        rests_on=("zeroth/LEM-C1", f"{HERE}/s2-inside"),
        argument=(
            Have("1/L**2 <= 1/one**2", (Scale("L**2*one**2"), Power("1/2"), Rewrite(left="one", right="L"), Solve())),
            Have(
                "exp(-d*C_0**2/(8*one**2)) <= exp(-d*C_0**2/(8*L**2))",
                (Logarithm(), Combine((("d*C_0**2/8", "1/L**2 <= 1/one**2"),))),
            ),
            Combine(
                (
                    ("1", f"fails <= (n*K*T)*({TAIL.format(size='one')})"),
                    ("n*K*T*2*sqrt(2*pi)", "exp(-d*C_0**2/(8*one**2)) <= exp(-d*C_0**2/(8*L**2))"),
                )
            ),
        ),
        candidates=(point("d=1 K=1 n=1 T=1 C_0=10 one=1 L=2 fails=0"),),
        mutants=(
            mutant(
                "without-n",
                "without n",
                f"fails <= K*T*{TAIL.format(size='L')}",
                "d=1 K=1 n=1000000 T=1 C_0=10 one=1 L=1 fails=1/2",
            ),
        ),
    ),
)
