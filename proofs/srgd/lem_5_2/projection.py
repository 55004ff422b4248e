"""The printed steps of Lemma 5.2: how far y_(t+1) is from the point that is projected, (11) and (12)."""

from dpaudit.claims.writing import *

from .symbols import *
from .updates import B_SIZES, TEN

FREE_X, FREE_V = vector("x", "x_t"), vector("v", "any point of C")
TRUE = vector("grad_F", "nabla F(x_t)")
COST = "(q + grad_F - beta/eta*b)"
TARGET = "(x - (q + grad_F)/beta + b/eta)"
"""y'_(t+1), with nabla_t = q_t + nabla F(x_t)."""
AWAY = f"(y_next - {TARGET})"
ONE_STEP = (ETA, BETA, FREE_X, Y_NEXT, ERROR, TRUE, NOISE)
AT_V, AT_X = (projected_at((TARGET, "y_next"), members=(name,)) for name in ("v", "x"))
OUTSIDE = "eta=1 beta=1 x=(1) y_next=(1) q=(0) grad_F=(-1) b=(0)"
"""C = [-1, 1], y' = 2."""
PULL = f"beta/2*norm{AWAY}**2 <= dot({COST}, {AWAY})"
ELEVEN = f"norm{AWAY} <= 2*norm(q + grad_F)/beta + 2*norm(b)/eta"


def cost(place):
    return f"dot({COST}, {place}) + beta/2*norm({place})**2"


TWELVE = (
    "3*eta_sum/beta*norm(q)*norm(grad) + 3*eta_sum/eta*norm(q)*norm(b) + "
    f"{B_SIZES} + 3*beta*norm(b)*norm_C + eta*norm(q)*norm_C"
)
FROM = f"({X} - grad/beta + b/eta)"
GIVEN_11 = f"norm(y_next - {FROM}) <= 2*norm(grad)/beta + 2*norm(b)/eta"
DROPPED = real("drop", meaning="Phi_(t+1) - Phi_t")
SCALARS = "L=1 norm_C=1 eta=1 eta_sum=1 beta=1"

PROJECTION = (
    step(
        "s11",
        "y_(t+1) minimises <q_t + nabla F(x_t) - (beta/eta_t) b_t, y - x_t> + (beta/2)|y - x_t|^2 over C",
        f"{cost('y_next - x')} <= {cost('v - x')}",
        (*ONE_STEP, FREE_V),
        AT_V,
        place="before (11)",
        printed=r"\mathbf{y}_{t+1} = \arg\min_{\mathbf{y}\in\mathcal{C}}\left\langle\mathbf{q}_t+\nabla "
        r"F(\mathbf{x}_t)-\frac{\beta}{\eta_t}\mathbf{b}_t,\mathbf{y}-\mathbf{x}_t\right\rangle + "
        r"\frac{\beta}{2}\|\mathbf{y}-\mathbf{x}_t\|_2^2",
        argument=(Combine((("beta", AT_V[0]), ("beta/2", "0 <= norm(v - y_next)**2"))),),
        candidates=(point(f"{OUTSIDE} v=(0)"),),
        mutants=(
            mutant(
                "third",
                "beta/3 on the right side",
                f"{cost('y_next - x')} <= {cost('v - x').replace('beta/2', 'beta/3')}",
                "eta=1 beta=1 x=(1) y_next=(0) q=(0) grad_F=(1) b=(0) v=(0)",
            ),
        ),
    ),
    erratum(
        "s12",
        "J(y_(t+1)) >= J(y'_(t+1)) + (beta/2)|y_(t+1) - y'_(t+1)|^2 for J(y) = <q_t + nabla F(x_t) - "
        "(beta/eta_t) b_t, y> + (beta/2)|y|^2",
        f"{cost(TARGET)} + beta/2*norm{AWAY}**2 <= {cost('y_next')}",
        ONE_STEP,
        AT_X,
        place="before (11)",
        printed=r"J(\mathbf{y}) = \left\langle\mathbf{q}_t+\nabla "
        r"F(\mathbf{x}_t)-\frac{\beta}{\eta_t}\mathbf{b}_t,\mathbf{y}\right\rangle + "
        r"\frac{\beta}{2}\|\mathbf{y}\|_2^2,\quad J(\mathbf{y}_{t+1}) \geq J(\mathbf{y}'_{t+1}) + "
        r"\frac{\beta}{2}\|\mathbf{y}_{t+1}-\mathbf{y}'_{t+1}\|_2^2",
        candidates=(point(OUTSIDE),),
        finding=(
            "y' is the minimiser of this J with y - x_t in the place of y, and not of J, unless x_t = 0. On C "
            "= [-1, 1] with x_t = 1, nabla_t = -1, beta = 1, no noise: y' = 2, y_(t+1) = 1, J(1) = -1/2, J(2) "
            "= 0, and -1/2 is not at least 0 + 1/2. A misprint: with y - x_t both sides are equal "
            "(s12~repaired)."
        ),
        repair=f"{HERE}/s12~repaired",
    ),
    step(
        "s12~repaired",
        "with y - x_t in the place of y in J both sides are equal",
        f"{cost(TARGET + ' - x')} + beta/2*norm{AWAY}**2 == {cost('y_next - x')}",
        ONE_STEP,
    ),
    step(
        "s13",
        "therefore the inner product with y_(t+1) - y'_(t+1) is at least (beta/2)|y_(t+1) - y'_(t+1)|^2; here by the "
        "projection, as x_t lies in C, and not by J",
        PULL,
        ONE_STEP,
        AT_X,
        place="before (11)",
        printed=r"\left\langle\mathbf{q}_t+\nabla "
        r"F(\mathbf{x}_t)-\frac{\beta}{\eta_t}\mathbf{b}_t,\mathbf{y}_{t+1}-\mathbf{y}'_{t+1}\right\rangle \geq "
        r"\frac{\beta}{2}\|\mathbf{y}_{t+1}-\mathbf{y}'_{t+1}\|_2^2",
        argument=(Combine((("beta", AT_X[0]), ("beta/2", f"0 <= norm{AWAY}**2"))),),
        candidates=(point(OUTSIDE),),
        tightness=(
            Tightness(
                "factor",
                "1/2",
                f"{{c}}*beta*norm{AWAY}**2 <= dot({COST}, {AWAY})",
                "1",
                "101/100",
                argument=(Combine((("beta", AT_X[0]),)),),
                candidates=(point(OUTSIDE),),
            ),
        ),
        mutants=(mutant("twice", "2 beta", PULL.replace("beta/2", "beta*2"), OUTSIDE),),
    ),
    step(
        "s14",
        "(11)",
        ELEVEN,
        ONE_STEP,
        AT_X,
        place="(11)",
        printed=r"\|\mathbf{y}_{t+1}-\mathbf{y}'_{t+1}\|_2 \leq \frac{2\|\nabla_t\|_2}{\beta} + "
        r"\frac{2\|\mathbf{b}_t\|_2}{\eta_t}",
        argument=(
            Have(
                f"norm{AWAY} <= norm((q + grad_F)/beta - b/eta)",
                (Power("2"), Combine((("2", AT_X[0]), ("1", "0 <= norm(x - y_next)**2")))),
            ),
            Combine(
                (
                    ("1", f"norm{AWAY} <= norm((q + grad_F)/beta - b/eta)"),
                    ("1", "norm((q + grad_F)/beta - b/eta) <= norm((q + grad_F)/beta) + norm(b/eta)"),
                    ("1/beta", "0 <= norm(q + grad_F)"),
                    ("1/eta", "0 <= norm(b)"),
                )
            ),
        ),
        candidates=(point(OUTSIDE),),
        tightness=(
            Tightness(
                "factor",
                "2",
                f"norm{AWAY} <= {{c}}*norm(q + grad_F)/beta + {{c}}*norm(b)/eta",
                "1",
                "99/100",
                argument=(
                    Have(
                        f"norm{AWAY} <= norm((q + grad_F)/beta - b/eta)",
                        (Power("2"), Combine((("2", AT_X[0]), ("1", "0 <= norm(x - y_next)**2")))),
                    ),
                    Combine(
                        (
                            ("1", f"norm{AWAY} <= norm((q + grad_F)/beta - b/eta)"),
                            ("1", "norm((q + grad_F)/beta - b/eta) <= norm((q + grad_F)/beta) + norm(b/eta)"),
                        )
                    ),
                ),
                candidates=(point(OUTSIDE),),
            ),
        ),
        mutants=(mutant("half", "half of |nabla_t|/beta", ELEVEN.replace("<= 2*norm(q", "<= 1/2*norm(q"), OUTSIDE),),
    ),
    step(
        "s15",
        "(12): (11) and Cauchy-Schwarz in (10)",
        f"drop <= {TWELVE}",
        (LIPSCHITZ, SIZE, ETA, ETA_SUM, BETA, Y, Z, Y_NEXT, BEST, ESTIMATE, NOISE, ERROR, DROPPED),
        ("norm(z - x_star) <= norm_C",),
        given={f"{HERE}/s10": f"drop <= {TEN}", f"{HERE}/s14": GIVEN_11},
        expects=Outcome.CONSISTENT,
        place="(12)",
        printed=r"\Delta\Phi_t \leq \frac{3\eta_{0:t}}{\beta}\|\mathbf{q}_t\|_2\|\nabla_t\|_2 + "
        r"\frac{3\eta_{0:t}}{\eta_t}\|\mathbf{q}_t\|_2\|\mathbf{b}_t\|_2 + \frac{L\|\mathbf{b}_t\|_2}{\tau_t} + "
        r"\frac{\beta\|\mathbf{b}_t\|_2^2}{\eta_t\tau_t} + 3\beta\|\mathbf{b}_t\|_2\|\mathcal{C}\|_2 + "
        r"\eta_t\|\mathbf{q}_t\|_2\|\mathcal{C}\|_2",
        argument=(
            Combine(
                (
                    ("1", f"drop <= {TEN}"),
                    ("eta_sum*norm(q)", GIVEN_11),
                    ("eta_sum", f"dot(q, {FROM} - y_next) <= norm(q)*norm({FROM} - y_next)"),
                    ("eta_sum/beta", "dot(q, grad) <= norm(q)*norm(grad)"),
                    ("eta_sum/eta", "dot(q, -b) <= norm(q)*norm(-b)"),
                    ("eta", "dot(q, x_star - z) <= norm(q)*norm(x_star - z)"),
                    ("eta*norm(q)", "norm(z - x_star) <= norm_C"),
                )
            ),
        ),
        candidates=(point(f"{SCALARS} y=(0) z=(0) y_next=(0) x_star=(0) grad=(0) b=(0) q=(0) drop=0"),),
        mutants=(
            mutant(
                "two",
                "2 in the place of the first 3",
                f"drop <= {TWELVE.replace('3*eta_sum/beta', '2*eta_sum/beta')}",
                f"{SCALARS} y=(0) z=(0) y_next=(-3) x_star=(0) grad=(1) b=(0) q=(1) drop=3".replace(
                    "norm_C=1", "norm_C=1/2"
                ),
            ),
        ),
    ),
)
