"""The first paragraph of the proof: F is L-smooth, the descent inequality, and what a step size of at most 1/(2 n0 L)
makes of it (s1 to s4)."""

import numpy as np

from dpaudit.claims.writing import *
from dpaudit.problems.families import cosine_toy

from .notation import *
from .symbols import *

MOVE = vector("move", "theta^(t+1) - theta^t")
THIRD = f"F_next <= F_now + eta/2*{SQUARED_ERROR} - eta/2*norm(grad_F)**2 - eta*(1/2 - eta*L/2)*norm(v_p)**2"
SMALLER = f"F_next <= F_now + {SQUARED_ERROR}/(4*n0*L) - eta/4*norm(v_p)**2"
AT_THE_MINIMUM = point("L=1 G=1 D_F=1/8 n0=1/8 zeta=1/16 grad_F=(0,) v_p=(1/8,) eta=4 F_now=0 F_next=1/8")
"""F is Huber's loss with L = G = 1, theta^0 = 1/2, theta^t = 0; gamma = sqrt(1/2), b = b0 = 128, theta^(t+1) = -1/2."""
WHERE_N0 = (
    "The proof needs n0 >= 1 (s4-exact), and (2.6) needs n0 >= 1/2 (s7-exact). "
    "Neither is stated in the supplement, and n0 = L D_F/G^2 is not always so large. "
)


def descent_ratio(stream, trials):
    """F(y) - F(x) - <grad F(x), y - x> by (L/2)|y - x|^2 for means of cosines, L = 1; one cosine at its minimum comes
    near to 1."""
    rng, ratios = np.random.default_rng(stream.seeds(np.array([0]))), []
    for trial in range(trials):
        problem = cosine_toy(rng, 1 + trial % 3, 2)
        x = rng.normal(size=2)
        if trial % 3 == 0:
            a = problem.features[0]
            x = (np.pi - problem.labels[0]) * a / (a @ a)
        y = x + rng.uniform(0.1, 2) * (problem.features[0] if trial % 2 else rng.normal(size=2))
        gap = problem.value(y) - problem.value(x) - problem.gradient(x) @ (y - x)
        ratios.append(gap / (0.5 * ((y - x) ** 2).sum()))
    return np.array(ratios)


DESCENT_STEPS = (
    erratum(
        "s1",
        "|grad F(x) - grad F(y)| = (1/n) sum of |grad f_i(x) - grad f_i(y)|; here n = 2, a and b are the differences "
        "of the two records' gradients and z = x - y",
        "norm((a + b)/2) == (norm(a) + norm(b))/2",
        (SMOOTH, vector("a"), vector("b"), vector("z", "x - y")),
        ("norm(a) <= L*norm(z)", "norm(b) <= L*norm(z)"),
        printed=r"\|\nabla F(\mathbf{x}) - \nabla F(\mathbf{y})\|_2 = \frac{1}{n} \sum_{i=1}^n "
        r"\|\nabla f_i(\mathbf{x}) - \nabla f_i(\mathbf{y})\|_2 \le L \|\mathbf{x} - \mathbf{y}\|_2",
        place="Section 2.3, first display",
        candidates=(point("L=1 a=(1,) b=(-1,) z=(1,)"),),
        finding=(
            "The equality sign is a misprint for <=, the triangle inequality: f_2 = -f_1 makes the left side 0. What "
            "is used, that F has an L-Lipschitz gradient, holds (s1~repaired, s1-bound)."
        ),
        repair=f"{HERE}/s1~repaired",
    ),
    step(
        "s1~repaired",
        "|grad F(x) - grad F(y)| <= (1/n) sum of |grad f_i(x) - grad f_i(y)|, by induction over the records: r is the "
        "sum of the first differences of gradients, S the sum of their norms, a the next difference",
        "norm(r + a) <= S + norm(a)",
        (vector("r"), vector("a"), real("S", "[0, oo)")),
        ("norm(r) <= S",),
        kind=ClaimKind.INDUCTION,
        argument=(Combine(terms=(("1", "norm(r + a) <= norm(r) + norm(a)"), ("1", "norm(r) <= S"))),),
        mutants=(
            mutant("equality", "at least in place of at most", "S + norm(a) <= norm(r + a)", "r=(1,) a=(-1,) S=1"),
        ),
    ),
    step(
        "s1-bound",
        "(1/n) sum of |grad f_i(x) - grad f_i(y)| <= L|x - y|, by induction over the records, n = k + 1: S is the sum "
        "over the first k",
        "(S + norm(a))/(k + 1) <= L*norm(z)",
        (SMOOTH, integer("k", "[0, oo)"), real("S", "[0, oo)"), vector("a"), vector("z", "x - y")),
        ("S <= k*L*norm(z)", "norm(a) <= L*norm(z)"),
        kind=ClaimKind.INDUCTION,
        printed=r"\frac{1}{n} \sum_{i=1}^n \|\nabla f_i(\mathbf{x}) - \nabla f_i(\mathbf{y})\|_2 \le L \|\mathbf{x} - "
        r"\mathbf{y}\|_2",
        place="Section 2.3, first display, inequality",
        argument=(Combine(terms=(("1/(k + 1)", "S <= k*L*norm(z)"), ("1/(k + 1)", "norm(a) <= L*norm(z)"))),),
        mutants=(mutant("divisor", "1/n forgotten", "S + norm(a) <= L*norm(z)", "L=1 k=1 S=1 a=(1,) z=(1,)"),),
    ),
    step(
        "s2-inside",
        "at theta^t + z (theta^(t+1) - theta^t) the gradient has changed by h, |h| <= L z |theta^(t+1) - theta^t|, so "
        "that <h, theta^(t+1) - theta^t> <= L z |theta^(t+1) - theta^t|^2",
        "dot(h, move) <= L*z*norm(move)**2",
        (SMOOTH, real("z", "[0, 1]"), vector("h"), MOVE),
        given={f"{HERE}/s1-bound": "norm(h) <= L*z*norm(move)"},
        reads=Reads.OURS,
        rests_on=(f"{HERE}/s1~repaired",),
        argument=(
            Combine(terms=(("1", "dot(h, move) <= norm(h)*norm(move)"), ("norm(move)", "norm(h) <= L*z*norm(move)"))),
        ),
        mutants=(mutant("half", "half of it", "dot(h, move) <= L*z*norm(move)**2/2", "L=1 z=1 h=(1,) move=(1,)"),),
    ),
    step(
        "s2",
        "F(theta^(t+1)) <= F(theta^t) + <grad F(theta^t), theta^(t+1) - theta^t> + (L/2)|theta^(t+1) - theta^t|^2: "
        "what F gains beyond its linear part is the integral of <h, theta^(t+1) - theta^t> over the segment",
        "F_next <= F_now + dot(grad_F, move) + L/2*norm(move)**2",
        (NOW, NEXT, SMOOTH, GRADIENT, MOVE),
        given={f"{HERE}/s2-inside": "F_next - F_now - dot(grad_F, move) <= integral(z, 0, 1, L*z*norm(move)**2)"},
        printed=r"F(\boldsymbol{\theta}^{t+1}) \leq F(\boldsymbol{\theta}^{t}) + \langle \nabla "
        r"F(\boldsymbol{\theta}^{t}), \boldsymbol{\theta}^{t+1} - \boldsymbol{\theta}^{t} \rangle + \frac{L}{2} "
        r"\|\boldsymbol{\theta}^{t+1} - \boldsymbol{\theta}^{t}\|_{2}^{2}",
        place="Section 2.3, second display, line 1",
        rests_on=("gradient-along-a-segment", f"{HERE}/s2-inside"),
        argument=(
            Have(
                "integral(z, 0, 1, L*z*norm(move)**2) <= L/2*norm(move)**2",
                (Antiderivative("integral(z, 0, 1, L*z*norm(move)**2)", "L*z**2/2*norm(move)**2"), Identical()),
            ),
            Combine(
                terms=(
                    ("1", "F_next - F_now - dot(grad_F, move) <= integral(z, 0, 1, L*z*norm(move)**2)"),
                    ("1", "integral(z, 0, 1, L*z*norm(move)**2) <= L/2*norm(move)**2"),
                )
            ),
        ),
        empirical=(Search("descent_ratio", near_miss=0.99, trials=600),),
        mutants=(
            mutant(
                "third",
                "L/3",
                "F_next <= F_now + dot(grad_F, move) + L/3*norm(move)**2",
                "L=1 F_now=0 F_next=49/100 grad_F=(0,) move=(1,)",
            ),
        ),
    ),
    step(
        "s3-update",
        "with theta^(t+1) - theta^t = -eta_t v_p^t: the right side is F(theta^t) - eta_t <grad F(theta^t), v_p^t> + "
        "(eta_t^2 L/2)|v_p^t|^2",
        "F_now + dot(grad_F, -eta*v_p) + L/2*norm(-eta*v_p)**2"
        " == F_now - eta*dot(grad_F, v_p) + eta**2*L/2*norm(v_p)**2",
        (NOW, SMOOTH, ETA, GRADIENT, ESTIMATE),
        printed=r"F(\boldsymbol{\theta}^{t}) + \langle \nabla F(\boldsymbol{\theta}^{t}), \boldsymbol{\theta}^{t+1} - "
        r"\boldsymbol{\theta}^{t} \rangle + \frac{L}{2} \|\boldsymbol{\theta}^{t+1} - "
        r"\boldsymbol{\theta}^{t}\|_{2}^{2} = F(\boldsymbol{\theta}^{t}) - \eta_{t} \langle \nabla "
        r"F(\boldsymbol{\theta}^{t}), \mathbf{v}_{p}^{t} \rangle + \frac{\eta_{t}^{2}L}{2} "
        r"\|\mathbf{v}_{p}^{t}\|_{2}^{2}",
        place="Section 2.3, second display, line 2",
    ),
    step(
        "s3-square",
        "2 <grad F(theta^t), v_p^t> = |grad F(theta^t)|^2 + |v_p^t|^2 - |grad F(theta^t) - v_p^t|^2",
        "2*dot(grad_F, v_p) == norm(grad_F)**2 + norm(v_p)**2 - norm(grad_F - v_p)**2",
        (GRADIENT, ESTIMATE),
        printed=r"2\langle \nabla F(\boldsymbol{\theta}^t), \mathbf{v}_p^t \rangle = \|\nabla "
        r"F(\boldsymbol{\theta}^t)\|_2^2 + \|\mathbf{v}_p^t\|_2^2 - \|\nabla F(\boldsymbol{\theta}^t) - "
        r"\mathbf{v}_p^t\|_2^2",
        place="Section 2.3, after the second display",
    ),
    step(
        "s3",
        "this is F(theta^t) + (eta_t/2)|grad F(theta^t) - v_p^t|^2 - (eta_t/2)|grad F(theta^t)|^2 - eta_t (1/2 - "
        "eta_t L/2)|v_p^t|^2",
        "F_now - eta*dot(grad_F, v_p) + eta**2*L/2*norm(v_p)**2"
        " == F_now + eta/2*norm(grad_F - v_p)**2 - eta/2*norm(grad_F)**2 - eta*(1/2 - eta*L/2)*norm(v_p)**2",
        (NOW, SMOOTH, ETA, GRADIENT, ESTIMATE),
        printed=r"F(\boldsymbol{\theta}^{t}) - \eta_{t} \langle \nabla F(\boldsymbol{\theta}^{t}), \mathbf{v}_{p}^{t} "
        r"\rangle + \frac{\eta_{t}^{2}L}{2} \|\mathbf{v}_{p}^{t}\|_{2}^{2} = F(\boldsymbol{\theta}^{t}) + "
        r"\frac{\eta_{t}}{2} \|\nabla F(\boldsymbol{\theta}^{t}) - \mathbf{v}_{p}^{t}\|_{2}^{2} - \frac{\eta_{t}}{2} "
        r"\|\nabla F(\boldsymbol{\theta}^{t})\|_{2}^{2} - \eta_{t} \left(\frac{1}{2} - \frac{\eta_{t}L}{2}\right) "
        r"\|\mathbf{v}_{p}^{t}\|_{2}^{2}",
        place="Section 2.3, second display, line 3",
    ),
    step(
        "s4",
        "in part, for n0 >= 1, which the display does not ask for: since eta_t <= 1/(2 n0 L), F(theta^(t+1)) <= "
        "F(theta^t) + |grad F(theta^t) - v_p^t|^2/(4 n0 L) - (eta_t/4)|v_p^t|^2; without it see s4-range",
        SMALLER,
        (NOW, NEXT, SMOOTH, DIVISOR, ETA, GRADIENT, ESTIMATE),
        ("eta <= 1/(2*n0*L)",),
        given={f"{HERE}/s2": THIRD},
        ours=("1 <= n0",),
        printed=r"F(\boldsymbol{\theta}^{t+1}) \leq F(\boldsymbol{\theta}^{t}) + \frac{1}{4n_0L} \|\nabla "
        r"F(\boldsymbol{\theta}^{t}) - \mathbf{v}_p^t\|_2^2 - \frac{\eta_t}{4} \|\mathbf{v}_p^t\|_2^2",
        place="Section 2.3, third display",
        rests_on=(f"{HERE}/s3", f"{HERE}/s3-update"),
        argument=(
            Combine(
                terms=(
                    ("1", THIRD),
                    ("norm(grad_F - v_p)**2/2", "eta <= 1/(2*n0*L)"),
                    ("eta*L/2*norm(v_p)**2", "eta <= 1/(2*n0*L)"),
                    ("eta/(4*n0)*norm(v_p)**2", "1 <= n0"),
                    ("eta/2*norm(grad_F)**2", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "divisor",
                "n0 >= 99/100",
                conditions=("eta <= 1/(2*n0*L)", THIRD, "99/100 <= n0"),
                candidates=(point("L=1 n0=99/100 eta=50/99 grad_F=(0,) v_p=(1,) F_now=0 F_next=1250/9801"),),
            ),
            mutant(
                "third",
                "(eta/3)|v_p|^2",
                f"F_next <= F_now + {SQUARED_ERROR}/(4*n0*L) - eta/3*norm(v_p)**2",
                "L=1 n0=1 eta=1/2 grad_F=(0,) v_p=(1,) F_now=0 F_next=1/8",
            ),
        ),
    ),
    erratum(
        "s4-range",
        "the same for n0 = L D_F/G^2, the choice of the theorem, whatever its size",
        SMALLER,
        (NOW, NEXT, LIPSCHITZ, SMOOTH, GAP, DIVISOR, ZETA, ETA, GRADIENT, ESTIMATE),
        ("0 < norm(v_p)", RULE, "n0 == L*D_F/G**2"),
        given={f"{HERE}/s2": THIRD},
        reads=Reads.GAP,
        place="Section 2.3, third display",
        rests_on=(f"{HERE}/s3", f"{HERE}/s3-update"),
        candidates=(AT_THE_MINIMUM,),
        finding=(
            f"{WHERE_N0}For Huber's loss with G = L = 1 and theta^0 = 1/2, n0 = 1/8, the step from theta^t = 0 with "
            "v_p = 1/8 has eta = 4 and ends at -1/2: F grows by 1/8, the display allows 1/64. For "
            "n0 >= 1/2 (2.6) holds all the same (s7-half), and (2.18) with it (s24-combined); for small n0 the "
            "conclusion itself fails (s24-range)."
        ),
        repair=f"{HERE}/s4",
    ),
)
