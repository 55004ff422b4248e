"""The symbols of the utility analysis: the paper's name for each, the range, and where it is introduced.

`eta` is eta_t, `eta_sum` is eta_0 + ... + eta_t (the paper's eta_{0:t}), so that eta_{0:t-1} is `eta_sum - eta` and
tau_t = `eta/eta_sum`; at t = 0 both are equal. `grad` is the estimate nabla_t and q = grad - nabla F(x_t), so that
the gradient of F at x_t is `grad - q`. `norm_C` is |C|_2, the diameter of the constraint set C: the proofs use |z -
x*| <= |C|_2 and |z_(t+1) - z_t| <= |C|_2. What needs the other reading of |C|_2, the largest norm in C, says so.
"""

from dpaudit.claims.writing import integer, positive, projected_at, real, vector

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
