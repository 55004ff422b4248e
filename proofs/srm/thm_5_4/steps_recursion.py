"""From one step to the sum over all steps: (2.11), (2.13), (2.14) (s14 to s18)."""

from dpaudit.claims.writing import *

from .notation import *
from .runs import *
from .symbols import *

NOISE = real("noise", "[0, oo)", "E_t|u^t|^2")
MEANS = (real("mean_D", "[0, oo)", "E_t|D|^2"), real("mean_E", "[0, oo)", "E_t|E|^2"))
MOVE = vector("move", "theta^t - theta^(t-1)")
ONE_STEP = "e_after <= (1 - gamma)**2*e_before + 2*(1 - gamma)**2*mean_D + 2*gamma**2*mean_E + noise"
BY_LENGTH = "mean_D <= L**2/b*norm(move)**2"
ADDED = "2*(1 - gamma)**2*zeta**2/(n0**2*b) + 2*gamma**2*G**2/b"
EACH = f"e_after <= (1 - gamma)**2*e_before + {ADDED} + d*sigma**2"
C, LAST = real("c", "[0, oo)", "what a step adds"), real("e_last", "[0, oo)", "the mean square error at T - 1")
EXACT = "gamma*(2 - gamma)*sum_e + (1 - gamma)**2*e_last <= e_0 + (T - 1)*c"
START_BOUND = "e_0 <= G**2/b0 + d*sigma0**2"
SUMMED = (
    "sum_e <= 2*T*(1 - gamma)**2*zeta**2/(n0**2*gamma*b) + 2*T*gamma*G**2/b + (T*d*sigma**2 + d*sigma0**2)/gamma"
    " + G**2/(gamma*b0)"
)
PARAMETERS = (STEPS, GAMMA, ZETA, DIVISOR, LIPSCHITZ, DIMENSION, SIGMA, FIRST_SIGMA, BATCH, FIRST_BATCH)
STATIONARY = point("T=100 gamma=1/2 sum_e=400 e_last=4 e_0=4 c=3")
"""Every mean square error is 4 = 4/4 + 3."""

RECURSION_STEPS = (
    step(
        "s14",
        "(2.11), first line: (2.9), with the bound on E_t|D|^2 by |theta^t - theta^(t-1)|^2",
        "e_after <= (1 - gamma)**2*e_before + 2*(1 - gamma)**2*L**2/b*norm(move)**2 + 2*gamma**2*mean_E + noise",
        (GAMMA, SMOOTH, BATCH, BEFORE, AFTER, NOISE, *MEANS, MOVE),
        given={f"{HERE}/s10~repaired": ONE_STEP, f"{HERE}/s11-smooth": BY_LENGTH},
        printed=r"\mathbb{E}_{t} \left\| \mathbf{v}_{p}^{t} - \nabla F(\boldsymbol{\theta}^{t}) \right\|_{2}^{2} "
        r"\leq (1 - \gamma)^{2} \left\| \mathbf{v}_{p}^{t-1} - \nabla F(\boldsymbol{\theta}^{t-1}) \right\|_{2}^{2} "
        r"+ \frac{2(1 - \gamma)^{2}L^{2}}{b} \|\boldsymbol{\theta}^{t} - \boldsymbol{\theta}^{t-1}\|_{2}^{2} + "
        r"2\gamma^{2} \mathbb{E}_{t} \left\| \nabla F_{\mathcal{B}_{t}}(\boldsymbol{\theta}^{t}) - \nabla "
        r"F(\boldsymbol{\theta}^{t}) \right\|_{2}^{2} + \mathbb{E}_{t} \|\mathbf{u}^{t}\|_{2}^{2}",
        place="(2.11), first line",
        rests_on=(f"{HERE}/s11", f"{HERE}/s11-variance"),
        argument=(Combine(terms=(("1", ONE_STEP), ("2*(1 - gamma)**2", BY_LENGTH))),),
        mutants=(
            mutant(
                "factor",
                "without the factor 2 of L^2",
                "e_after <= (1 - gamma)**2*e_before + (1 - gamma)**2*L**2/b*norm(move)**2 + 2*gamma**2*mean_E + noise",
                "gamma=1/2 L=1 b=1 e_before=0 e_after=1/2 noise=0 mean_D=1 mean_E=0 move=(1,)",
            ),
        ),
    ),
    step(
        "s14-bound",
        "(2.11), second line: with zeta^2/(n0^2 b) and G^2/b for the two means",
        f"e_after <= (1 - gamma)**2*e_before + {ADDED} + noise",
        (GAMMA, ZETA, DIVISOR, LIPSCHITZ, BATCH, BEFORE, AFTER, NOISE, *MEANS),
        given={
            f"{HERE}/s10~repaired": ONE_STEP,
            f"{HERE}/s12": "mean_D <= zeta**2/(n0**2*b)",
            f"{HERE}/s13-bound": "mean_E <= G**2/b",
        },
        printed=r"\leq (1 - \gamma)^{2} \left\| \mathbf{v}_{p}^{t-1} - \nabla F(\boldsymbol{\theta}^{t-1}) "
        r"\right\|_{2}^{2} + \frac{2(1 - \gamma)^{2}\zeta^{2}}{n_{0}^{2}b} + \frac{2\gamma^{2}G^{2}}{b} + "
        r"\mathbb{E}_{t} \|\mathbf{u}^{t}\|_{2}^{2}",
        place="(2.11), second line",
        rests_on=(f"{HERE}/s13",),
        argument=(
            Combine(
                terms=(
                    ("1", ONE_STEP),
                    ("2*(1 - gamma)**2", "mean_D <= zeta**2/(n0**2*b)"),
                    ("2*gamma**2", "mean_E <= G**2/b"),
                )
            ),
        ),
        mutants=(
            mutant(
                "factor",
                "without the factor 2 of gamma^2",
                "e_after <= (1 - gamma)**2*e_before + 2*(1 - gamma)**2*zeta**2/(n0**2*b) + gamma**2*G**2/b + noise",
                "gamma=1 zeta=1 n0=1 G=1 b=1 e_before=0 e_after=2 noise=0 mean_D=0 mean_E=1",
            ),
        ),
    ),
    step(
        "s15",
        "(2.13): the same for the means over all steps, E|u^t|^2 = d sigma^2",
        EACH,
        (GAMMA, ZETA, DIVISOR, LIPSCHITZ, BATCH, DIMENSION, SIGMA, BEFORE, AFTER, NOISE),
        ("noise == d*sigma**2",),
        given={f"{HERE}/s14-bound": f"e_after <= (1 - gamma)**2*e_before + {ADDED} + noise"},
        printed=r"\mathbb{E} \left\| \mathbf{v}_{p}^{t} - \nabla F(\boldsymbol{\theta}^{t}) \right\|_{2}^{2} \leq (1 - "
        r"\gamma)^{2} \mathbb{E} \left\| \mathbf{v}_{p}^{t-1} - \nabla F(\boldsymbol{\theta}^{t-1}) \right\|_{2}^{2} + "
        r"\frac{2(1 - \gamma)^{2} \zeta^{2}}{n_{0}^{2} b} + \frac{2\gamma^{2} G^{2}}{b} + d\sigma^{2}",
        place="(2.13)",
        rests_on=("chi-moments", "monotone-mean"),
        argument=(Solve(),),
        empirical=(Sampling("one_step", "<=", STEP_LIMIT, STEP_VARIANCE, near_miss=0.2 * STEP_LIMIT, trials=600_000),),
        mutants=(
            mutant(
                "power",
                "1 - gamma in place of its square, and half of the noise",
                f"e_after <= (1 - gamma)*e_before + {ADDED} + d*sigma**2/2",
                "gamma=1 zeta=1 n0=1 G=1 b=1 d=1 sigma=1 noise=1 e_before=0 e_after=3",
                own_sentence=True,
            ),
        ),
    ),
    step(
        "s16-step",
        "telescoping, by induction over T: gamma (2 - gamma) times the sum of the mean square errors, and (1 - "
        "gamma)^2 times the last one, are at most the first one and T - 1 times c; e_after is the next one. For T = 1 "
        "both sides are the first one, as gamma (2 - gamma) + (1 - gamma)^2 = 1",
        "gamma*(2 - gamma)*(sum_e + e_after) + (1 - gamma)**2*e_after <= e_0 + T*c",
        (STEPS, GAMMA, SUM_E, LAST, AFTER, START, C),
        (EXACT,),
        given={f"{HERE}/s15": "e_after <= (1 - gamma)**2*e_last + c"},
        kind=ClaimKind.INDUCTION,
        reads=Reads.OURS,
        argument=(Combine(terms=(("1", EXACT), ("1", "e_after <= (1 - gamma)**2*e_last + c"))),),
        mutants=(
            mutant(
                "count",
                "T - 1 steps",
                "gamma*(2 - gamma)*(sum_e + e_after) + (1 - gamma)**2*e_after <= e_0 + (T - 1)*c",
                "T=1 gamma=1 sum_e=0 e_last=0 e_after=1 e_0=0 c=1",
            ),
        ),
    ),
    step(
        "s16",
        "gamma times the sum over t < T of E|v_p^t - grad F(theta^t)|^2 is at most T c and the first one (Lemma 9 of "
        "Yuan et al. 2020), c being what a step adds, 2 (1 - gamma)^2 zeta^2/(n0^2 b) + 2 gamma^2 G^2/b + d sigma^2; "
        "the best factor is gamma (2 - gamma)",
        "gamma*sum_e <= T*c + e_0",
        (STEPS, GAMMA, SUM_E, LAST, START, C),
        given={f"{HERE}/s16-step": EXACT},
        printed=r"\gamma \sum_{t=0}^{T-1} \mathbb{E} \| \mathbf{v}_p^t - \nabla F(\boldsymbol{\theta}^t) \|_2^2 \leq "
        r"\frac{2T(1-\gamma)^2 \zeta^2}{n_0^2 b} + \frac{2T\gamma^2 G^2}{b} + Td\sigma^2 + \mathbb{E} \| "
        r"\mathbf{v}_p^0 - \nabla F(\boldsymbol{\theta}^0) \|_2^2",
        place="display after (2.13), line 1",
        argument=(
            Combine(
                terms=(
                    ("1", EXACT),
                    ("gamma*(1 - gamma)*sum_e", "0 <= 1"),
                    ("(1 - gamma)**2*e_last", "0 <= 1"),
                    ("c", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "first", "the first error forgotten", "gamma*sum_e <= T*c", "T=1 gamma=1 sum_e=1 e_last=1 e_0=1 c=0"
            ),
        ),
        tightness=(
            Tightness(
                "factor",
                "1",
                "{c}*gamma*sum_e <= T*c + e_0",
                "2 - gamma",
                "21/10 - gamma",
                argument=(Combine(terms=(("1", EXACT), ("(1 - gamma)**2*e_last", "0 <= 1"), ("c", "0 <= 1"))),),
                candidates=(STATIONARY,),
            ),
        ),
    ),
    step(
        "s17",
        "E|v_p^0 - grad F(theta^0)|^2 <= G^2/b0 + d sigma0^2: (2.12) for the first batch, and E|u^0|^2 = d sigma0^2. "
        "The line itself is not printed: it leads from line 1 to line 2 of the display",
        START_BOUND,
        (LIPSCHITZ, DIMENSION, FIRST_BATCH, FIRST_SIGMA, START, real("mean_E", "[0, oo)", "E|grad F_B - grad F|^2")),
        given={f"{HERE}/s9": "e_0 == mean_E + d*sigma0**2", f"{HERE}/s13-bound": "mean_E <= G**2/b0"},
        reads=Reads.REASON,
        printed=r"\mathbf{v}_p^0 = \nabla F_{\mathcal{B}_0}(\boldsymbol{\theta}^0) + \mathbf{u}^0, \quad \mathbb{E} "
        r"\|\nabla F_{\mathcal{B}_0}(\boldsymbol{\theta}^0) - \nabla F(\boldsymbol{\theta}^0)\|_2^2 \leq G^2/b_0",
        place="display after (2.13), line 2, and the reason given for it",
        rests_on=("chi-moments", f"{HERE}/s13"),
        argument=(Solve(),),
        mutants=(mutant("noise", "the noise forgotten", "e_0 <= G**2/b0", "G=1 d=1 b0=1 sigma0=1 mean_E=1 e_0=2"),),
    ),
    step(
        "s18-first",
        "gamma times the sum is at most 2 T (1 - gamma)^2 zeta^2/(n0^2 b) + 2 T gamma^2 G^2/b + T d sigma^2 + G^2/b0 + "
        "d sigma0^2",
        "gamma*sum_e <= 2*T*(1 - gamma)**2*zeta**2/(n0**2*b) + 2*T*gamma**2*G**2/b + T*d*sigma**2 + G**2/b0"
        " + d*sigma0**2",
        (*PARAMETERS, SUM_E, START),
        given={
            f"{HERE}/s16": f"gamma*sum_e <= T*({ADDED} + d*sigma**2) + e_0",
            f"{HERE}/s17": START_BOUND,
        },
        printed=r"\leq \frac{2T(1-\gamma)^2 \zeta^2}{n_0^2 b} + \frac{2T\gamma^2 G^2}{b} + Td\sigma^2 + "
        r"\frac{G^2}{b_0} + d\sigma_0^2",
        place="display after (2.13), line 2",
        rests_on=(f"{HERE}/s15",),
        argument=(Combine(terms=(("1", f"gamma*sum_e <= T*({ADDED} + d*sigma**2) + e_0"), ("1", START_BOUND))),),
        mutants=(
            mutant(
                "count",
                "the noise of one step",
                "gamma*sum_e <= 2*T*(1 - gamma)**2*zeta**2/(n0**2*b) + 2*T*gamma**2*G**2/b + d*sigma**2 + G**2/b0"
                " + d*sigma0**2",
                "T=2 gamma=1 zeta=1 n0=1 G=1 d=1 sigma=1 sigma0=1 b=1 b0=1 sum_e=8 e_0=2",
            ),
        ),
    ),
    step(
        "s18",
        "(2.14): divided by gamma",
        SUMMED,
        (*PARAMETERS, SUM_E),
        given={
            f"{HERE}/s18-first": "gamma*sum_e <= 2*T*(1 - gamma)**2*zeta**2/(n0**2*b) + 2*T*gamma**2*G**2/b"
            " + T*d*sigma**2 + G**2/b0 + d*sigma0**2"
        },
        printed=r"\sum_{t=0}^{T-1} \mathbb{E} \left\| \mathbf{v}_p^t - \nabla F(\boldsymbol{\theta}^t) \right\|_2^2 "
        r"\le \frac{2T(1-\gamma)^2 \zeta^2}{n_0^2 \gamma b} + \frac{2T\gamma G^2}{b} + \frac{Td\sigma^2 + "
        r"d\sigma_0^2}{\gamma} + \frac{G^2}{\gamma b_0}",
        place="(2.14)",
        argument=(
            Combine(
                terms=(
                    (
                        "1/gamma",
                        "gamma*sum_e <= 2*T*(1 - gamma)**2*zeta**2/(n0**2*b) + 2*T*gamma**2*G**2/b + T*d*sigma**2"
                        " + G**2/b0 + d*sigma0**2",
                    ),
                )
            ),
        ),
        empirical=(
            Sampling("sum_of_errors", "<=", SUM_LIMIT, SUM_VARIANCE, near_miss=0.17 * SUM_LIMIT, trials=600_000),
        ),
        mutants=(
            mutant(
                "power",
                "gamma^2 in place of gamma in the second term",
                SUMMED.replace("2*T*gamma*G**2/b", "2*T*gamma**2*G**2/b"),
                "T=1 gamma=1/2 zeta=1 n0=1 G=1 d=1 sigma=1 sigma0=1 b=1 b0=1 sum_e=8",
            ),
        ),
    ),
)
