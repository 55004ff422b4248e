"""The steps of the repaired Lemma 5.2, for every factor kappa between the steps of y and z."""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/LEM-5.2~repaired"
PLACES = (Y, Z, Y_NEXT, Z_NEXT, BEST, ESTIMATE, NOISE, ERROR)
NUMBERS = (F_X, F_Y, F_NEXT, F_STAR)
KAPPA = positive("kappa", "ratio of the two steps: 1 in Algorithm 1, 2 for z' of the proof, 4 for (9)")
STEP = "z - (eta*grad - beta*b)/(kappa*beta)"
NARROW = "eta**2 <= kappa*eta_sum"
WEIGHED = f"{GAP} + kappa*beta/2*(norm(z_next - x_star)**2 - norm(z - x_star)**2)"
V = "((1 - eta/eta_sum)*y + eta/eta_sum*z_next)"
GAINED = (
    f"eta_sum*(F_next - F_x) + eta*dot(grad, z - z_next) - kappa*beta/2*norm{LEAP}**2"
    f" <= -eta_sum*dot(q, {MOVE}) + beta*norm(b)**2*eta_sum/(2*eta**2)"
)
INSIDE = projected_at((INNER_STEP, "y_next"), members=(V, X))
KAPPA_TEN = (
    f"-eta_sum*dot(q, {MOVE}) + beta*norm(b)**2*eta_sum/(2*eta**2) + beta*dot(b, z_next - x_star)"
    " - eta*dot(q, z - x_star)"
)
LEAST = (
    "eta_sum*norm(q)*(norm(grad)/beta + norm(b)/eta) + eta*norm(q)*norm_C + beta*norm(b)*norm_C"
    " + beta*norm(b)**2*eta_sum/(2*eta**2)"
)
DESCENT = f"F_next <= F_x + dot(grad - q, {MOVE}) + M/2*norm{MOVE}**2"
TOWARDS = projected_at((STEP, "z_next"), members=("x_star",))[0]
SMALL = (KAPPA, ETA, ETA_SUM, BETA, *PLACES, *NUMBERS)
PULL = "kappa=1 eta=1 eta_sum=1 beta=1 y=(0) z=(0) x_star=(0)"
"""F = 0 or x^2/2, at its minimum: the noise alone moves."""
LAST = "norm(z_next - x_star) <= norm_C"
BEFORE = "norm(z - x_star) <= norm_C"

STEPS = (
    step(
        "gain",
        "Lemma 5.3, in its sharper form, with kappa in the place of 4",
        GAINED,
        (KAPPA, SMOOTH, ETA, ETA_SUM, BETA, *PLACES[:4], ESTIMATE, NOISE, ERROR, F_X, F_NEXT),
        (NARROW, PART, SMALL_STEP, *INSIDE[:1]),
        given={"srgd/LEM-5.3/descent": DESCENT},
        argument=(
            Combine(
                (
                    ("eta_sum", DESCENT),
                    (f"eta_sum/2*norm{MOVE}**2", SMALL_STEP),
                    ("eta_sum*beta", INSIDE[0]),
                    ("eta_sum*beta/2", f"0 <= norm(y_next - {V} - b/eta)**2"),
                    (f"beta/(2*eta_sum)*norm{LEAP}**2", NARROW),
                )
            ),
        ),
        candidates=(
            point(f"M=1 {PULL.replace(' x_star=(0)', '')} z_next=(0) y_next=(1) grad=(0) b=(1) q=(0) F_x=0 F_next=1/2"),
        ),
        mutants=(
            mutant(
                "noise",
                "1/3 in the place of 1/2",
                GAINED.replace("/(2*eta**2)", "/(3*eta**2)"),
                f"M=1 {PULL.replace(' x_star=(0)', '')} z_next=(0) y_next=(1) grad=(0) b=(1) q=(0) F_x=0 F_next=1/2",
            ),
        ),
    ),
    step(
        "ten",
        "(10) for the step of z with kappa beta, (kappa beta/2)|z_t - x*|^2 in the potential and eta_t^2 <= "
        "kappa eta_{0:t}; its terms with b_t are here (beta/2)|b_t|^2 eta_{0:t}/eta_t^2 + beta <b_t, z_(t+1) - x*>",
        f"{WEIGHED} <= {KAPPA_TEN}",
        SMALL,
        (PART, *CONVEX, TOWARDS),
        given={f"{HERE}/gain": GAINED},
        argument=(
            Combine(
                (
                    ("1", GAINED),
                    ("eta_sum - eta", CONVEX[0]),
                    ("eta", CONVEX[1]),
                    ("kappa*beta", TOWARDS),
                )
            ),
        ),
        candidates=(point(f"{PULL} z_next=(0) y_next=(0) grad=(0) b=(0) q=(0) F_x=0 F_y=0 F_next=0 F_star=0"),),
        mutants=(
            mutant(
                "noise",
                "half of <b_t, z_(t+1) - x*>",
                f"{WEIGHED} <= {KAPPA_TEN.replace('+ beta*dot', '+ beta/2*dot')}",
                f"{PULL} z_next=(1) y_next=(1) grad=(0) b=(1) q=(0) F_x=0 F_y=0 F_next=1 F_star=0",
            ),
        ),
    ),
    step(
        "sharper",
        "so the growth is at most eta_{0:t}|q_t|(|nabla_t|/beta + |b_t|/eta_t) + eta_t|q_t||C|_2 + beta|b_t||C|_2 + "
        "(beta/2)|b_t|^2 eta_{0:t}/eta_t^2",
        f"{WEIGHED} <= {LEAST}",
        (SIZE, *SMALL),
        (PART, INSIDE[1], BEFORE, LAST),
        given={f"{HERE}/ten": f"{WEIGHED} <= {KAPPA_TEN}"},
        argument=(
            Have(
                f"norm{MOVE} <= norm(grad/beta - b/eta)",
                (Power("2"), Combine((("2", INSIDE[1]), ("1", f"0 <= norm({INNER_STEP} - y_next)**2")))),
            ),
            Combine(
                (
                    ("1", f"{WEIGHED} <= {KAPPA_TEN}"),
                    ("eta_sum", f"dot(q, {X} - y_next) <= norm(q)*norm({X} - y_next)"),
                    ("eta_sum*norm(q)", f"norm{MOVE} <= norm(grad/beta - b/eta)"),
                    ("eta_sum*norm(q)", "norm(grad/beta - b/eta) <= norm(grad/beta) + norm(b/eta)"),
                    ("eta", "dot(q, x_star - z) <= norm(q)*norm(x_star - z)"),
                    ("eta*norm(q)", BEFORE),
                    ("beta", "dot(b, z_next - x_star) <= norm(b)*norm(z_next - x_star)"),
                    ("beta*norm(b)", LAST),
                )
            ),
        ),
        candidates=(
            point(f"norm_C=2 {PULL} z_next=(0) y_next=(0) grad=(0) b=(0) q=(0) F_x=0 F_y=0 F_next=0 F_star=0"),
        ),
        mutants=(
            mutant(
                "noise",
                "half of beta|b_t||C|_2",
                f"{WEIGHED} <= {LEAST.replace('+ beta*norm(b)*norm_C', '+ beta/2*norm(b)*norm_C')}",
                f"norm_C=1 {PULL} z_next=(1) y_next=(1) grad=(0) b=(1) q=(0) F_x=0 F_y=0 F_next=1 F_star=0",
            ),
        ),
    ),
)
