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
        rests_on=("haar-beta", "rotation-invariance"),
        argument=(
            Scale("d*(d - 1)*(d + 2)"),
            Combine((("d*(d + 2)", "a + d*b == K/d"), ("-d*(d + 2)", "a + b == K*(K + 2)/(d*(d + 2))"))),
        ),
        candidates=(point("d=3 K=1 a=2/15 b=1/15"),),
    ),
    step(
        "frame-own",
        "the other coefficient of frame-moments, a, from its two equations",
        f"a == {A}",
        (WIDE, DIRECTIONS, OWN, COMMON),
        ("a + b == K*(K + 2)/(d*(d + 2))",),
        given={f"{HERE}/frame-moments": f"b == {B}"},
        kind=ClaimKind.MOMENT,
        argument=(Combine((("1", "a + b == K*(K + 2)/(d*(d + 2))"), ("-1", f"b == {B}"))),),
        candidates=(point("d=3 K=1 a=2/15 b=1/15"),),
    ),
    step(
        "frame-bound",
        "so for linear losses the mean of |H^(1/2) P grad|^2 is at most K (K + 1 + r) M |grad|^2/d^2, where (88) gives "
        "2 K^2 (2 + r) M |grad|^2/(d (d + 2))",
        f"{MEAN} <= K*(K + 1 + r)/d**2*M*G",
        (WIDE, DIRECTIONS, FORM, SQUARE, TRACE, RANK, SMOOTH),
        ("K <= d", "form <= M*G", LOW_RANK),
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
        "frame-quotients",
        "with quotients in the place of <grad, u_k>: the sum of two vectors, the second one of which is K times the "
        "mean of (s_k - <grad, u_k>) H^(1/2) u_k. total and forms are the sums of the mean squares of these and of "
        "H^(1/2) u_k",
        "1/K**2*norm(v + w)**2 <= 2/K**2*(K*(K + 1 + r)/d**2*M*G) + M**3*xi**2*r/(2*d)",
        (WIDE, DIRECTIONS, SQUARE, TRACE, RANK, SMOOTH, XI, ALONG, ACROSS, TOTAL, FORMS),
        (LOW_RANK,),
        given={
            f"{HERE}/frame-bound": "norm(v)**2 <= K*(K + 1 + r)/d**2*M*G",
            f"{HERE}/s5~repaired": "norm(w)**2 <= K*total",
            f"{HERE}/near": "total <= M**2*xi**2/4*forms",
            "zeroth/LEM-C1/i": "forms == K*(Tr/d)",
        },
        rests_on=("zeroth/LEM-C1/i",),
        argument=(
            Combine(
                (
                    ("1/K**2", "0 <= norm(v - w)**2"),
                    ("2/K**2", "norm(v)**2 <= K*(K + 1 + r)/d**2*M*G"),
                    ("2/K**2", "norm(w)**2 <= K*total"),
                    ("2/K", "total <= M**2*xi**2/4*forms"),
                    ("M**2*xi**2/(2*K)", "forms <= K*(Tr/d)"),
                    ("M**2*xi**2/(2*d)", LOW_RANK),
                )
            ),
        ),
        candidates=(point("d=4 K=1 G=16 Tr=1 r=1 M=1 xi=1 v=(1) w=(0) total=0 forms=1/4"),),
        mutants=(
            mutant(
                "one",
                "without the factor 2",
                "1/K**2*norm(v + w)**2 <= 1/K**2*(K*(K + 1 + r)/d**2*M*G) + M**3*xi**2*r/(2*d)",
                "d=2 K=1 G=4 Tr=2 r=2 M=1 xi=4 v=(2) w=(2) total=4 forms=1",
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
        rests_on=(f"{HERE}/frame-quotients",),
        argument=(Combine((("1/(2*d)", ENOUGH),)),),
        mutants=(mutant("more", "3/4", "3/4 <= 1 - 2*(K/M)*(K + 1 + r)*M/(K*d)", "d=12 K=1 r=1 M=1"),),
    ),
    step(
        "frame-weaker",
        "that asks for less: 4 (K + 1 + r) <= 4 K (2 + r)",
        "4*(K + 1 + r) <= 4*K*(2 + r)",
        (DIRECTIONS, RANK),
        argument=(Combine((("4*(1 + r)", "1 <= K"),)),),
        mutants=(mutant("half", "half of it", "4*(K + 1 + r) <= 1/2*4*K*(2 + r)", "K=1 r=1"),),
    ),
)
