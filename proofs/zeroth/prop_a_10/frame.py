"""What the orthonormality of the directions gives in (80): K + 1 + r <= d/4 is enough for eta = K/M."""

from dpaudit.claims.writing import *

from .symbols import *

WIDE, FORM = integer("d", "[2, oo)", "dimension"), real("form", "[0, oo)", "grad^T H grad")
COMMON = real("b", meaning="the factor of |grad|^2 Tr(H) in E grad^T P H P grad")
OWN = real("a", meaning="the factor of grad^T H grad")
A, B = "K*(K*d + d - 2)/(d*(d - 1)*(d + 2))", "K*(d - K)/(d*(d - 1)*(d + 2))"
MEAN = f"{A}*form + {B}*G*Tr"
ALONG, ACROSS = vector("v", "H^(1/2) P grad"), vector("w", "H^(1/2) times the sum of (s_k - <grad, u_k>) u_k")
TOTAL, FORMS = real("total", "[0, oo)", "the sum of the mean squares"), real("forms", "[0, oo)", "of E u_k^T H u_k")
ENOUGH = "4*(K + 1 + r) <= d"
UP = f"{MEAN} <= K*(K + 1 + r)/d**2*M*G"
QUOTIENT, INNER = real("q", meaning="the quotient s_k"), real("t", meaning="<grad, u_k>")
OF_U = real("of_u", "[0, oo)", "E u^T H u")

FRAME = (
    step(
        "frame-moments",
        "E P H P = a H + b Tr(H) I for the projector P onto the K directions, as its law does not change under "
        "rotations: H = I gives a + d b = K/d, and H = e e^T gives a + b = K (K + 2)/(d (d + 2)), the second moment of "
        "Beta(K/2, (d - K)/2). Encoded: b from these two equations",
        f"b == {B}",
        (WIDE, DIRECTIONS, OWN, COMMON),
        ("a + d*b == K/d", "a + b == K*(K + 2)/(d*(d + 2))"),
        kind=ClaimKind.MOMENT,
        place="(80)",
        rests_on=("haar-beta", "rotation-invariance"),
        argument=(
            Scale("d*(d - 1)*(d + 2)"),
            Combine((("d*(d + 2)", "a + d*b == K/d"), ("-d*(d + 2)", "a + b == K*(K + 2)/(d*(d + 2))"))),
        ),
        candidates=(point("d=3 K=1 a=2/15 b=1/15"),),
    ),
    step(
        "frame-own",
        "the other coefficient of frame-moments, a, from its second equation and b",
        f"a == {A}",
        (WIDE, DIRECTIONS, OWN, COMMON),
        ("a + b == K*(K + 2)/(d*(d + 2))",),
        given={f"{HERE}/frame-moments": f"b == {B}"},
        kind=ClaimKind.MOMENT,
        place="(80)",
        rests_on=("haar-beta", "rotation-invariance"),
        argument=(Combine((("1", "a + b == K*(K + 2)/(d*(d + 2))"), ("-1", f"b == {B}"))),),
        candidates=(point("d=3 K=1 a=2/15 b=1/15"),),
    ),
    step(
        "frame-bound",
        "so for linear losses the mean of |H^(1/2) P grad|^2, a grad^T H grad + b |grad|^2 Tr(H) by frame-moments, is "
        "at most K (K + 1 + r) M |grad|^2/d^2, where (88) times K^2 has 2 K^2 (2 + r) M |grad|^2/(d (d + 2))",
        UP,
        (WIDE, DIRECTIONS, FORM, SQUARE, TRACE, RANK, SMOOTH),
        ("K <= d", "form <= M*G", LOW_RANK),
        place="(80), (88)",
        rests_on=ids(HERE, "frame-moments frame-own"),
        argument=(
            Have(
                f"0 <= {A}",
                (Scale("d*(d - 1)*(d + 2)/K"), Combine((("d", "1 <= K"), ("2", "2 <= d"), ("2", "0 <= 1")))),
            ),
            Have(f"0 <= {B}", (Combine((("K/(d*(d - 1)*(d + 2))", "K <= d"),)),)),
            Have(
                f"{A} + {B}*r <= K*(K + 1 + r)/d**2",
                (
                    Scale("d**2*(d - 1)*(d + 2)/K"),
                    Combine(
                        (
                            ("K + 1 + r", "2 <= d"),
                            ("2*d", "0 <= 1"),
                            ("K*d*r", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Combine(
                (
                    (A, "form <= M*G"),
                    (f"{B}*G", LOW_RANK),
                    ("M*G", f"{A} + {B}*r <= K*(K + 1 + r)/d**2"),
                )
            ),
        ),
        candidates=(point("d=4 K=2 form=1 G=1 Tr=1 r=1 M=1"),),
        mutants=(
            mutant("half", "half of it", f"{MEAN} <= 1/2*K*(K + 1 + r)/d**2*M*G", "d=100 K=50 form=1 G=1 Tr=1 r=1 M=1"),
        ),
    ),
    step(
        "frame-square",
        "the square of what a quotient differs by from <grad, u>, at most M xi/2, times v = u^T H u. Encoded for one "
        "direction at one draw; the sum and the mean are linear",
        "(q - t)**2*v <= 1/4*M**2*xi**2*v",
        (QUOTIENT, INNER, SMOOTH, XI, real("v", "[0, oo)", "u^T H u")),
        given={f"{HERE}/near": "abs(q - t) <= 1/2*M*xi"},
        place="(84)",
        argument=(
            Have(
                "(q - t)**2 <= (1/2*M*xi)**2",
                (Rewrite(left="abs(q - t)**2"), Power("1/2"), Combine((("1", "abs(q - t) <= 1/2*M*xi"),))),
            ),
            Combine((("v", "(q - t)**2 <= (1/2*M*xi)**2"),)),
        ),
        candidates=(point("q=1/2 t=0 M=1 xi=1 v=1"),),
        mutants=(mutant("eighth", "1/8", "(q - t)**2*v <= 1/8*M**2*xi**2*v", "q=1/2 t=0 M=1 xi=1 v=1"),),
    ),
    step(
        "frame-quotients",
        "(88) with quotients s_k in the place of <grad, u_k>: the mean of ghat^T H ghat, which is |v + w|^2/K^2 for v "
        "= H^(1/2) P grad and w = K times the mean over k of (s_k - <grad, u_k>) H^(1/2) u_k, is at most this. "
        "norm(.)^2 is a mean square; total and forms are the sums over k of those of (s_k - <grad, u_k>) H^(1/2) u_k "
        "and of H^(1/2) u_k",
        "1/K**2*norm(v + w)**2 <= 2/K**2*(K*(K + 1 + r)/d**2*M*G) + M**3*xi**2*r/(2*d)",
        (WIDE, DIRECTIONS, FORM, SQUARE, TRACE, RANK, SMOOTH, XI, ALONG, ACROSS, TOTAL, FORMS, OF_U),
        (LOW_RANK, f"norm(v)**2 == {MEAN}", "forms == K*of_u"),
        given={
            f"{HERE}/frame-bound": UP,
            f"{HERE}/s5~repaired": "norm(1/K*w)**2 <= 1/K*total",
            f"{HERE}/frame-square": "total <= 1/4*M**2*xi**2*forms",
            "zeroth/LEM-C1/i": "of_u == Tr/d",
        },
        place="(88)",
        rests_on=("monotone-mean", *ids(HERE, "frame-moments frame-own"), "zeroth/LEM-C1/i"),
        argument=(
            Combine(
                (
                    ("1/K**2", "0 <= norm(v - w)**2"),
                    ("2/K**2", f"norm(v)**2 <= {MEAN}"),
                    ("2/K**2", UP),
                    ("2", "norm(1/K*w)**2 <= 1/K*total"),
                    ("2/K", "total <= 1/4*M**2*xi**2*forms"),
                    ("M**2*xi**2/(2*K)", "forms <= K*of_u"),
                    ("M**2*xi**2/2", "of_u <= Tr/d"),
                    ("M**2*xi**2/(2*d)", LOW_RANK),
                )
            ),
        ),
        candidates=(point("d=4 K=1 form=4 G=16 Tr=1 r=1 M=1 xi=1 v=(1) w=(0) total=0 forms=1/4 of_u=1/4"),),
        mutants=(
            mutant(
                "one",
                "without the factor 2",
                "1/K**2*norm(v + w)**2 <= 1/K**2*(K*(K + 1 + r)/d**2*M*G) + M**3*xi**2*r/(2*d)",
                "d=2 K=1 form=12 G=4 Tr=2 r=2 M=1 xi=4 v=(2) w=(2) total=4 forms=1 of_u=1",
            ),
        ),
    ),
    step(
        "frame",
        "so (98) has 1 - 2 eta (K + 1 + r) M/(K d) for its bracket, which is at least 1/2 at eta = K/M where 4 (K + 1 "
        "+ r) <= d, in the place of 4 K (2 + r) <= d. Encoded: the bracket with that eta",
        "1/2 <= 1 - 2*(K/M)*(K + 1 + r)*M/(K*d)",
        (WIDE, DIRECTIONS, RANK, SMOOTH),
        (ENOUGH,),
        place="(98), and after (99)",
        rests_on=(f"{HERE}/frame-quotients",),
        argument=(Combine((("1/(2*d)", ENOUGH),)),),
        mutants=(mutant("more", "3/4", "3/4 <= 1 - 2*(K/M)*(K + 1 + r)*M/(K*d)", "d=12 K=1 r=1 M=1"),),
    ),
    step(
        "frame-weaker",
        "4 (K + 1 + r) <= d asks for less than 4 K (2 + r) <= d: 4 (K + 1 + r) <= 4 K (2 + r)",
        "4*(K + 1 + r) <= 4*K*(2 + r)",
        (DIRECTIONS, RANK),
        place="after (99)",
        argument=(Combine((("4*(1 + r)", "1 <= K"),)),),
        mutants=(mutant("half", "half of it", "4*(K + 1 + r) <= 1/2*4*K*(2 + r)", "K=1 r=1"),),
    ),
)
