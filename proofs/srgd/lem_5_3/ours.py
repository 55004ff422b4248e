"""Lemma 5.3 with what its proof can give."""

from dpaudit.claims.writing import *

from .symbols import *

SHARPER = "beta*norm(b)**2*eta_sum/(2*eta**2)"
PROOF = (
    ("eta_sum", DESCENT),
    (f"eta_sum/2*norm{MOVE}**2", SMALL_STEP),
    ("eta_sum*beta", PROJECTED[0]),
    ("eta_sum*beta/2", f"0 <= norm(y_next - {V} - b/eta)**2"),
    (f"beta/(2*eta_sum)*norm{LEAP}**2", FOUR),
)
"""The last square is where the noise term comes from: <b, y - v>/eta - |y - v|^2/2 <= |b|^2/(2 eta^2)."""

OURS = (
    step(
        "descent",
        "smoothness: F(y_(t+1)) <= F(x_t) + <nabla F(x_t), y_(t+1) - x_t> + (M/2)|y_(t+1) - x_t|^2. Encoded for F "
        "convex and M-smooth on R^p, by its values and gradients at both points; smoothness over C gives it as well",
        DESCENT,
        (SMOOTH, ETA, ETA_SUM, Y, Z, Y_NEXT, ESTIMATE, *VALUES),
        CLASS,
        argument=(
            Combine(
                (
                    ("1", CLASS[0]),
                    ("1/(2*M)", f"0 <= norm(grad - q - grad_next + M*{MOVE})**2"),
                )
            ),
        ),
        candidates=(point("M=1 eta=1 eta_sum=1 y=(1) z=(1) y_next=(0) grad=(1) q=(0) F_x=1/2 F_next=0 grad_next=(0)"),),
        mutants=(
            mutant(
                "third",
                "M/3 in the place of M/2",
                DESCENT.replace("M/2", "M/3"),
                "M=1 eta=1 eta_sum=1 y=(1) z=(1) y_next=(0) grad=(1) q=(0) F_x=1/2 F_next=0 grad_next=(0)",
            ),
        ),
    ),
    step(
        "sharper",
        "the lemma with (beta/2)|b_t|^2/(eta_t tau_t) for its three terms: no L, no |C|_2, no bound on nabla_t",
        f"{LEFT} <= {ERRORS} + {SHARPER}",
        (SMOOTH, *WEIGHTS, *POINTS, *VALUES),
        (FOUR, PART, SMALL_STEP, *PROJECTED),
        given={f"{HERE}/descent": DESCENT},
        argument=(Combine(PROOF),),
        candidates=(point(FIRST_STEP),),
        mutants=(
            mutant(
                "noise",
                "2/5 in the place of 1/2",
                f"{LEFT} <= {ERRORS} + {SHARPER.replace('/(2', '/(5/2')}",
                "eta=1 eta_sum=1 beta=1 M=1 y=(0) z=(0) z_next=(0) y_next=(1) grad=(0) b=(1) q=(0) F_x=0 "
                "F_next=1/2 grad_next=(1)",
            ),
        ),
        tightness=(
            Tightness(
                "noise term",
                "1",
                f"{LEFT} <= {ERRORS} + {{c}}*beta*norm(b)**2*eta_sum/eta**2",
                "1/2",
                "49/100",
                candidates=(
                    point(
                        "eta=1 eta_sum=1 beta=1 M=1 y=(0) z=(0) z_next=(0) y_next=(1) grad=(0) b=(1) q=(0) "
                        "F_x=0 F_next=1/2 grad_next=(1)"
                    ),
                ),
            ),
        ),
    ),
)
