"""The printed steps of Lemma 5.2: (4) to (6)."""

from dpaudit.claims.writing import *

from .symbols import *

C_TERM = "2*beta*(norm(z_next - x_star)**2 - norm(z - x_star)**2)"
B_TERM = "-(eta_sum - eta)*(F_y - F_x) + eta*(F_x - F_star)"
LINEAR = f"-(eta_sum - eta)*dot(grad - q, y - {X}) + eta*dot(grad - q, {X} - x_star)"
STATE = "eta=2 eta_sum=3 y=(1) z=(1) x_star=(0) grad=(1) q=(0) F_x=1/2 F_y=1/2 F_star=0"

POTENTIAL = (
    step(
        "s1",
        "(4): the growth in three parts",
        f"{DROP} == eta_sum*(F_next - F_x) + ({B_TERM}) + {C_TERM}",
        (ETA, ETA_SUM, BETA, Z, Z_NEXT, BEST, *NUMBERS),
        place="(4); the brace of B is set one sign too late",
        printed=r"\Delta\Phi_t = \eta_{0:t}(F(\mathbf{y}_{t+1})-F(\mathbf{x}_t)) - "
        r"\eta_{0:t-1}(F(\mathbf{y}_t)-F(\mathbf{x}_t)) + \eta_t(F(\mathbf{x}_t)-F(\mathbf{x}^*)) + "
        r"2\beta\left(\|\mathbf{z}_{t+1}-\mathbf{x}^*\|_2^2-\|\mathbf{z}_t-\mathbf{x}^*\|_2^2\right)",
    ),
    step(
        "s2",
        "(5): convexity",
        f"{B_TERM} <= {LINEAR}",
        (ETA, ETA_SUM, Y, Z, BEST, ESTIMATE, ERROR, F_X, F_Y, F_STAR),
        (PART, *CONVEX),
        place="(5)",
        printed=r"B \leq -\eta_{0:t-1}\langle\nabla F(\mathbf{x}_t),\mathbf{y}_t-\mathbf{x}_t\rangle + "
        r"\eta_t\langle\nabla F(\mathbf{x}_t),\mathbf{x}_t-\mathbf{x}^*\rangle",
        argument=(Combine((("eta_sum - eta", CONVEX[0]), ("eta", CONVEX[1]))),),
        candidates=(point(STATE),),
        mutants=(mutant("third", "eta_t/3", f"{B_TERM} <= {LINEAR.replace('+ eta*', '+ eta/3*')}", STATE),),
    ),
    step(
        "s3",
        "(1 - tau_t)(y_t - x_t) = tau_t (x_t - z_t)",
        f"dot((1 - eta/eta_sum)*(y - {X}), w) == dot(eta/eta_sum*({X} - z), w)",
        (ETA, ETA_SUM, Y, Z, vector("w", "any vector")),
        place="before (6)",
        printed=r"(1-\tau_t)(\mathbf{y}_t-\mathbf{x}_t) = \tau_t(\mathbf{x}_t-\mathbf{z}_t)",
    ),
    step(
        "s4",
        "(6): with tau_t = eta_t/eta_{0:t} the right side of (5) is eta_t <nabla F(x_t), z_t - x*>, split by q_t",
        f"{LINEAR} == eta*dot(grad, z - x_star) - eta*dot(q, z - x_star)",
        (ETA, ETA_SUM, Y, Z, BEST, ESTIMATE, ERROR),
        place="(6)",
        printed=r"B \leq \eta_t\langle\nabla F(\mathbf{x}_t),\mathbf{z}_t-\mathbf{x}^*\rangle = "
        r"\eta_t\langle\nabla_t,\mathbf{z}_t-\mathbf{x}^*\rangle - "
        r"\eta_t\langle\mathbf{q}_t,\mathbf{z}_t-\mathbf{x}^*\rangle",
    ),
    step(
        "s6",
        "the third part written out",
        f"{C_TERM} == 2*beta*(2*dot(z_next - z, z_next - x_star) - norm{LEAP}**2)",
        (BETA, Z, Z_NEXT, BEST),
        place="before (7)",
        printed=r"C = 2\beta\left(2\langle\mathbf{z}_{t+1}-\mathbf{z}_t,\mathbf{z}_{t+1}-\mathbf{x}^*\rangle - "
        r"\|\mathbf{z}_{t+1}-\mathbf{z}_t\|_2^2\right)",
    ),
)
