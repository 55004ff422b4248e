"""The output, a random iterate: (2.17) (s23)."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_combination import EVERYTHING, LAST_STEP, REST, ROOTS, SECOND_LINE, TWICE
from .symbols import *

OUTPUT = f"mean_g <= 6*zeta + {REST} + {ROOTS}"
OUTPUT_TWICE = OUTPUT.replace("gamma*G**2/(zeta*b)", "2*gamma*G**2/(zeta*b)")
G_T = sequence("g", "[0, oo)", "E|grad F(theta^t)|")

OUTPUT_STEPS = (
    step(
        "s23-output",
        "the output is one of theta^0, ..., theta^(T-1), each with probability 1/T and drawn independently of them: "
        "E|grad F(theta~)|, the sum of (1/T) E|grad F(theta^t)|, is (1/T) sum of E|grad F(theta^t)|",
        "sum(t, 0, T - 1, 1/T*g[t]) == sum(t, 0, T - 1, g[t])/T",
        (STEPS, G_T),
        printed=r"\mathbb{E} \|\nabla F(\widetilde{\boldsymbol{\theta}})\|_{2} = \frac{1}{T} \sum_{t=0}^{T-1} "
        r"\mathbb{E} \|\nabla F(\boldsymbol{\theta}^{t})\|_{2}",
        place="(2.17), line 1",
    ),
    step(
        "s23-norms",
        "at each theta^t, whatever it is: |grad F(theta^t)| <= |v_p^t| + |grad F(theta^t) - v_p^t|",
        "norm(grad_F) <= norm(v_p) + norm(grad_F - v_p)",
        (GRADIENT, ESTIMATE),
        reads=Reads.OURS,
        argument=(Combine(terms=(("1", "norm(v_p + (grad_F - v_p)) <= norm(v_p) + norm(grad_F - v_p)"),)),),
        mutants=(
            mutant("half", "half of |v_p|", "norm(grad_F) <= norm(v_p)/2 + norm(grad_F - v_p)", "grad_F=(1,) v_p=(1,)"),
        ),
    ),
    step(
        "s23-triangle",
        "(1/T) sum of E|grad F(theta^t)| <= (1/T) sum of E|v_p^t| + (1/T) sum of E|grad F(theta^t) - v_p^t|: s23-norms "
        "under the mean, at each t, and summed up",
        "sum(t, 0, T - 1, g[t])/T <= sum(t, 0, T - 1, v[t])/T + sum(t, 0, T - 1, u[t])/T",
        (STEPS, G_T, sequence("v", "[0, oo)", "E|v_p^t|"), sequence("u", "[0, oo)", "E|grad F(theta^t) - v_p^t|")),
        given={f"{HERE}/s23-norms": "all(t, 0, T - 1, g[t] <= v[t] + u[t])"},
        rests_on=("monotone-mean",),
        printed=r"\frac{1}{T} \sum_{t=0}^{T-1} \mathbb{E} \|\nabla F(\boldsymbol{\theta}^{t})\|_{2} \leq \frac{1}{T} "
        r"\sum_{t=0}^{T-1} \mathbb{E} \|\mathbf{v}_{p}^{t}\|_{2} + \frac{1}{T} \sum_{t=0}^{T-1} \mathbb{E} \|\nabla "
        r"F(\boldsymbol{\theta}^{t}) - \mathbf{v}_{p}^{t}\|_{2}",
        place="(2.17), line 2",
        argument=(
            Scale("T"),
            Rewrite(left="sum(t, 0, T - 1, g[t])", right="sum(t, 0, T - 1, v[t]) + sum(t, 0, T - 1, u[t])"),
            Induct("T"),
        ),
        mutants=(
            mutant(
                "half",
                "half of the estimates",
                "sum(t, 0, T - 1, g[t])/T <= sum(t, 0, T - 1, v[t])/(2*T) + sum(t, 0, T - 1, u[t])/T",
                "T=1 g=[1] v=[1] u=[0]",
            ),
        ),
    ),
    step(
        "s23",
        "(2.17): the sum of (2.15) and (2.16) (read sqrt(2 gamma) G)",
        OUTPUT,
        (*EVERYTHING, MEAN_V, MEAN_E, MEAN_G),
        given={
            f"{HERE}/s23-triangle": "mean_g <= mean_v + mean_e",
            f"{HERE}/s21": SECOND_LINE,
            f"{HERE}/s22": f"mean_e <= {ROOTS}",
        },
        printed=r"\mathbb{E} \|\nabla F(\widetilde{\boldsymbol{\theta}})\|_{2} \leq 6\zeta + "
        r"\frac{2\zeta}{n_{0}^{2}\gamma b} + \frac{\gamma G^{2}}{\zeta b} + \frac{d\sigma^{2}}{\zeta \gamma} + "
        r"\frac{d\sigma_{0}^{2}}{T\zeta \gamma} + \frac{G^{2}}{T\zeta \gamma b_{0}} + \frac{\sqrt{2}\zeta}{n_{0}"
        r"\sqrt{\gamma b}} + \frac{\sqrt{2\gamma} G}{\sqrt{b}} + \frac{\sqrt{d}\sigma}{\sqrt{\gamma}} + "
        r"\frac{\sqrt{d}\sigma_{0}}{\sqrt{T\gamma}} + \frac{G}{\sqrt{T\gamma b_{0}}}",
        place="(2.17)",
        rests_on=(f"{HERE}/s23-output",),
        argument=(
            Combine(terms=(("1", "mean_g <= mean_v + mean_e"), ("1", SECOND_LINE), ("1", f"mean_e <= {ROOTS}"))),
        ),
        mutants=(
            mutant(
                "root",
                "without the last root",
                OUTPUT.replace(" + G/sqrt(T*gamma*b0)", ""),
                "T=1 gamma=1 zeta=1 n0=1 G=1 d=1 sigma=1 sigma0=1 b=1 b0=1 L=1 D_F=1 mean_v=12 mean_e=5 mean_g=17",
            ),
        ),
    ),
    step(
        "s23-combined",
        "(2.17) with the lost factor 2 (s19) kept: 2 gamma G^2/(zeta b) in the place of gamma G^2/(zeta b)",
        OUTPUT_TWICE,
        (*EVERYTHING, SUM_V, MEAN_V, MEAN_E, MEAN_G),
        ("mean_v == sum_v/T", LAST_STEP),
        given={
            f"{HERE}/s23-triangle": "mean_g <= mean_v + mean_e",
            f"{HERE}/s19-combined": TWICE,
            f"{HERE}/s22": f"mean_e <= {ROOTS}",
        },
        reads=Reads.OURS,
        place="(2.17)",
        argument=(
            Combine(
                terms=(
                    ("1", "mean_g <= mean_v + mean_e"),
                    ("1", "mean_v <= sum_v/T"),
                    ("4*n0*L/(T*zeta)", TWICE),
                    ("1", f"mean_e <= {ROOTS}"),
                    ("2*zeta/(n0**2*b)*(2 - gamma)", "0 <= 1"),
                    ("zeta/T", "4*n0*L*D_F/zeta**2 < floor(4*n0*L*D_F/zeta**2) + 1"),
                    ("zeta/T", "floor(4*n0*L*D_F/zeta**2) + 1 <= T"),
                    ("3*zeta", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "root",
                "without the last root",
                OUTPUT_TWICE.replace(" + G/sqrt(T*gamma*b0)", ""),
                "T=1000 gamma=1 zeta=1 n0=1 G=1000 d=1 sigma=1 sigma0=1 b=1000000 b0=1 L=1 D_F=1999/8 sum_v=1005000"
                " mean_v=1005 mean_e=34 mean_g=1039",
            ),
        ),
    ),
)
