"""The symbols of the utility analysis: the paper's name for each, the range, and where it is introduced. Below them
what two corollaries and two lemmas of the privacy analysis share.

`eta` is eta_t, `eta_sum` is eta_0 + ... + eta_t (the paper's eta_{0:t}), so that eta_{0:t-1} is `eta_sum - eta` and
tau_t = `eta/eta_sum`; at t = 0 both are equal. `grad` is the estimate nabla_t and q = grad - nabla F(x_t), so that
the gradient of F at x_t is `grad - q`. `norm_C` is |C|_2, the diameter of the constraint set C: the proofs use |z -
x*| <= |C|_2 and |z_(t+1) - z_t| <= |C|_2. What needs the other reading of |C|_2, the largest norm in C, says so.
"""

from dpaudit.claims.writing import (
    Bound,
    Boxes,
    ByTheorem,
    Cases,
    Combine,
    Have,
    Logarithm,
    Narrow,
    Positive,
    Rewrite,
    Scale,
    Substitute,
    integer,
    mutant,
    positive,
    projected_at,
    real,
    vector,
    where,
)

# Section 1: assumptions A2, A3.
LIPSCHITZ = positive("L", "every f(., d) is L-Lipschitz")
SMOOTH = positive("M", "every f(., d) is M-smooth")
SIZE = positive("norm_C", "diameter of C")

# Algorithm 1, in step t.
ETA, ETA_SUM = positive("eta", "eta_t"), positive("eta_sum", "eta_0 + ... + eta_t")
BETA = positive("beta", "scaling, at least M")
STEPS, BATCH = integer("T", "[1, oo)", "steps"), integer("B", "[1, oo)", "batch size")
Y, Z = vector("y", "y_t"), vector("z", "z_t")
Y_NEXT, Z_NEXT = vector("y_next", "y_(t+1)"), vector("z_next", "z_(t+1)")
ESTIMATE, ERROR = vector("grad", "nabla_t"), vector("q", "nabla_t - nabla F(x_t)")
NOISE = vector("b", "b_t")

# F at the points of step t.
F_X, F_Y = real("F_x", meaning="F(x_t)"), real("F_y", meaning="F(y_t)")
F_NEXT, F_STAR = real("F_next", meaning="F(y_(t+1))"), real("F_star", meaning="F(x*)")
AT_NEXT, AT_Y = vector("grad_next", "nabla F(y_(t+1))"), vector("grad_y", "nabla F(y_t)")
BEST, AT_BEST = vector("x_star", "x*"), vector("grad_star", "nabla F(x*)")

X = "((1 - eta/eta_sum)*y + eta/eta_sum*z)"
"""x_t = (1 - tau_t) y_t + tau_t z_t."""
INNER_STEP = f"{X} - grad/beta + b/eta"
"""What is projected to y_(t+1)."""
FOUR = "eta**2 <= 4*eta_sum"
"""eta_t^2 <= 4 eta_{0:t}, the condition of Theorem 5.1 and its lemmas."""
PART = "eta <= eta_sum"
SMALL_STEP = "M <= beta"

# Section 5.1: the quantities of Theorem 5.1.
Q, GAMMA = real("Q", "[0, oo)", "bound on |Delta_t(d) - E Delta_t(d)|"), real("gamma", "(0, 1)", "failure probability")
RADIUS = real("r", "[0, oo)", "Q sqrt(3 (t + 1) log(6/gamma))/(sqrt(B) eta_t), the bound on |q_t|")
TAU = real("tau", "(0, 1]", "tau_t")
Y_STEP = projected_at((INNER_STEP, "y_next"), members=("x_star", X, "z", "y"))
"""y_(t+1) is the projection, and x*, x_t, z_t and y_t lie in C."""

MOVE, LEAP = f"(y_next - {X})", "(z_next - z)"
GAP = "(eta_sum*(F_next - F_star) - (eta_sum - eta)*(F_y - F_star))"
BRACES = (
    "2*r*(norm(grad - q) + r)/beta + 3*r*norm(b)/eta + r*norm_C*eta/eta_sum + 3*beta/eta_sum*norm(b)*norm_C"
    " + beta*norm(b)**2/eta**2"
)
BOUND = f"eta_sum*({BRACES})"
"""The sum of errors of Lemma 5.2 and Theorem 5.1, in r."""
CONVEX = (f"F_x + dot(grad - q, y - {X}) <= F_y", f"F_x + dot(grad - q, x_star - {X}) <= F_star")
ON_EVENT = "norm(q) <= r"

# Theorems 5.8 and 5.12: the errors of Theorem 5.1 with t in the place of t + 1.
ROOT = "sqrt(3*t*g)"
"""sqrt(3 t log(6T/gamma)), g = log(6T/gamma)."""


def summed_errors(most):
    """The errors of Theorem 5.1 over T steps, for eta = t and eta_{0:} = t (t + 1)/2; most: Q, b: b_max, N[t]: the
    gradient's norm at the t-th point."""
    braces = (
        f"2*{most}*{ROOT}*(N[t] + {most}*{ROOT}/(sqrt(B)*t))/(sqrt(B)*t*beta) + 3*{most}*{ROOT}*b/(sqrt(B)*t**2)"
        f" + {most}*R*{ROOT}/(sqrt(B)*(t*(t + 1)/2)) + 3*beta/(t*(t + 1)/2)*b*R + beta*b**2/t**2"
    )
    return f"sum(t, 1, T, t*(t + 1)/2*({braces}))"


# Corollaries 5.7 and 5.11: the release of all noisy prefix sums.
LN, LEVELS = "log(5/(2*delta))", "ceil(log2(T))"


def shift(share):
    """mu of the release, if its square is eps^2 share/ln(2.5/delta)."""
    return f"eps*sqrt({share}/{LN})"


def told_apart(share):
    """The hockey-stick divergence at e^eps of the release: of N(0, 1) and N(mu, 1)."""
    mu = shift(share)
    return f"Phi(-eps/({mu}) + ({mu})/2) - exp(eps)*Phi(-eps/({mu}) - ({mu})/2)"


def through_tail(share, most, rest, before=()):
    """That it is at most delta/2, by the tail of a normal law: -x^2/2 with x = eps/mu - mu/2, share <= most.

    rest: what shows that eps/2 <= (1/(2 most) - 1) l + log(5/2), l = ln(2.5/delta)."""
    mu, x = f"(eps*sqrt({share}/l))", f"(eps/(eps*sqrt({share}/l)) - eps*sqrt({share}/l)/2)"
    half = f"1/(2*{most})"
    return (
        *before,
        Bound(
            left=f"Phi(-eps/({shift(share)}) + ({shift(share)})/2)",
            argument=(Combine((("exp(eps)", f"0 <= Phi(-eps/({shift(share)}) - ({shift(share)})/2)"),)),),
        ),
        Substitute((real("l", "(9/10, oo)", "ln(2.5/delta)"),), where("delta=5/2*exp(-l)"), where(f"l={LN}")),
        Rewrite(left=f"Phi(-{x})"),
        Bound(left=f"exp(-{x}**2/2)/2", by="normal-tail", because="x >= 0, as eps/2 <= l/share"),
        Logarithm(),
        Rewrite(left=f"-log(2) - (l/({share}) - eps + ({mu})**2/4)/2", right="log(5/2) - log(2) - l"),
        Bound(
            left="-log(2) - l/(2*" + share + ") + eps/2",
            argument=(
                Rewrite(left=f"-log(2) - l/(2*{share}) + eps/2 - eps**2*({share})/(8*l)"),
                Combine(((f"eps**2*{share}/(8*l)", "0 <= 1"),)),
            ),
        ),
        Have(f"{half}*l <= l/(2*{share})", (Scale(f"2*{most}*{share}/l"), Combine((("1", f"{share} <= {most}"),)))),
        Have("91/100 <= log(5/2)", (Boxes(),)),
        Combine((("1", f"{half}*l <= l/(2*{share})"), ("1", "91/100 <= log(5/2)"), *rest)),
    )


LEVELS_FIT = (
    Have(
        f"1 + {LEVELS} <= 2*log2(T)",
        (
            Cases(
                (
                    ("T < 3", (Narrow(), Boxes())),
                    ("T < 4", (Narrow(), Boxes())),
                    (
                        "otherwise",
                        (
                            Have(
                                "2 <= log2(T)",
                                (
                                    Rewrite(left="log(4)/log(2)", right="log(T)/log(2)"),
                                    Scale("log(2)"),
                                    Combine((("1", "log(4/T) <= 4/T - 1"), ("1/T", "4 <= T"))),
                                ),
                            ),
                            Combine((("1", f"{LEVELS} < log2(T) + 1"), ("1", "2 <= log2(T)"))),
                        ),
                    ),
                )
            ),
        ),
    ),
    Have("0 < log2(T)", (Rewrite(right="log(T)/log(2)"), Positive())),
)
NODES_FIT = (
    *LEVELS_FIT,
    Have(f"nodes <= 1 + {LEVELS}", (ByTheorem("srgd/LEM-5.6/s3"),)),
    Have("nodes <= 2*log2(T)", (Combine((("1", f"nodes <= 1 + {LEVELS}"), ("1", f"1 + {LEVELS} <= 2*log2(T)"))),)),
)
"""That a difference is in few enough nodes, which LEM-5.6/s3 says."""

# Lemmas 5.5 and 5.9: |Delta_t(d)|, with g and h the gradients of f(., d) at x_t and x_(t-1). (23) and (26) are one.
MISSPLIT = "norm((t + 1)*g - t*h - ((t + 1)*(g - h) + g)) <= 0"
MISSPLIT_PRINTED = (
    r"\Delta_t(d)=\eta_t(\nabla f(\mathbf x_t,d)-\nabla f(\mathbf x_{t-1},d))+(\eta_t-\eta_{t-1})"
    r"\nabla f(\mathbf x_t,d)"
)
SMALL_DIFFERENCE = "norm((t + 1)*g - t*h) <= (t + 1)*M*dist + L"
SMALL_GIVEN = ("norm(g - h) <= M*dist", "norm(h) <= L")
BY_SPLIT = Combine(
    (
        ("1", "norm((t + 1)*(g - h) + h) <= norm((t + 1)*(g - h)) + norm(h)"),
        ("t + 1", SMALL_GIVEN[0]),
        ("1", SMALL_GIVEN[1]),
    )
)
ONE_STEP_LESS = mutant(
    "step", "t in place of t + 1", "norm((t + 1)*g - t*h) <= t*M*dist + L", "t=1 g=(2) h=(1) dist=1 M=1 L=1"
)
MOVED = "norm(t/(t + 2)*y + 2/(t + 2)*z - x)"
"""|x_t - x_(t-1)|, with x for x_(t-1), y_t and z_t."""
