"""(102) to (109): from one step to all of them, and the noise put in."""

from dpaudit.claims.writing import *

from .symbols import *

LOSSES, SQUARES = sequence("l", meaning="E[lbar(w_t) | Q]"), sequence("G", "[0, oo)", "E|grad lbar(w_t)|^2")
IN_STEP, REST = real("P_t", "(0, 1]", "P(Q_t)"), real("rest", meaning="the mean of the decrease on Q_t without Q")
HERE_T, ALL = real("step", meaning="E[lbar(w_t) - lbar(w_(t+1)) | Q_t]"), real("all_steps", meaning="the same given Q")
SIZES = (DIMENSION, DIRECTIONS, P, SMOOTH, XI, ETA, LIPSCHITZ, BOUND, RANK, S_1, S_2)
OTHERS = "M**2*xi**2*d**3 + (4*L**2*d + 8*B*d/eta)*(1 - P) + 2*d*r*M/eta*(s_1*K/d + s_2)"
SHARE, SIGMA = real("beta", "[0, 1]", "share of the isotropic noise"), positive("sigma")
NOISE = "eta**2*(1 - beta)*sigma**2/K", "eta**2*beta*sigma**2/d"
ONE_STEP = "G <= 4*d*P_t/eta*step + M**2*xi**2*d**3 + 4*L**2*d*(1 - P_t) + 2*d*r*M/eta*(s_1*K/d + s_2*P_t)"


def added_up(others):
    """The sum over t of the bounds on G[t], by induction: the decreases of l telescope."""
    return Induct(
        "T",
        base=(AtIndex("0"), Combine((("1", f"G[0] <= 4*d*P/eta*(l[0] - l[0 + 1]) + ({others})"),))),
        step=(
            Combine(
                (
                    ("1", f"sum_1 <= 4*d*P/eta*(l[0] - l[T]) + T*({others})"),
                    ("1", f"G[T] <= 4*d*P/eta*(l[T] - l[T + 1]) + ({others})"),
                )
            ),
        ),
    )


def averaged_over_steps(others, *more):
    """The mean over t of the bounds on G[t]."""
    total = f"sum(t, 0, T - 1, G[t]) <= 4*d*P/eta*(l[0] - l[T]) + T*({others})"
    return (Have(total, (added_up(others),)), Combine((("1/T", total), *more)))


AVERAGE = (
    step(
        "s18",
        "(102): Q lies in Q_t, and the decrease of lbar is at most 2 B",
        "step*P_t <= all_steps*P + 2*B*(1 - P)",
        (P, IN_STEP, BOUND, HERE_T, ALL, REST),
        ("P <= P_t", "rest <= 2*B", "step*P_t == all_steps*P + rest*(P_t - P)"),
        place="(102)",
        printed=r"\mathbb{E}[\bar\ell(w_t)-\bar\ell(w_{t+1})|Q_t]\mathbb{P}(Q_t)\leq\mathbb{E}[\bar\ell(w_t)-\bar"
        r"\ell(w_{t+1})|Q]\mathbb{P}(Q)+2B\mathbb{P}(\bar Q)",
        argument=(
            Combine(
                (
                    ("1", "step*P_t <= all_steps*P + rest*(P_t - P)"),
                    ("P_t - P", "rest <= 2*B"),
                    ("2*B", "P_t <= 1"),
                )
            ),
        ),
        candidates=(point("P=1/2 P_t=1 B=1 step=1 all_steps=0 rest=2"),),
        mutants=(
            mutant(
                "one", "B for 2 B", "step*P_t <= all_steps*P + B*(1 - P)", "P=1/2 P_t=1 B=1 step=1 all_steps=0 rest=2"
            ),
        ),
    ),
    step(
        "s19-step",
        "(103), (104): (100), (101) with (102), and P(not Q_t) <= P(not Q), P(Q_t) <= 1",
        f"G <= 4*d*P/eta*all_steps + {OTHERS}",
        (*SIZES, real("G", "[0, oo)"), IN_STEP, HERE_T, ALL),
        ("P <= P_t",),
        given={
            f"{HERE}/s17": ONE_STEP,
            f"{HERE}/s18": "step*P_t <= all_steps*P + 2*B*(1 - P)",
        },
        place="(103), (104)",
        printed=r"\leq\frac{4d\mathbb{P}(Q)}\eta\left(\mathbb{E}[\bar\ell(w_t)-\bar\ell(w_{t+1})|Q]\right)+M^2"
        r"\xi^2d^3+(4L^2d+\frac{8Bd}\eta)\mathbb{P}(\bar Q)+\frac{2drM}\eta\left(\sigma_{1,t}^2\frac Kd+"
        r"\sigma_{2,t}^2\right)",
        argument=(
            Combine(
                (
                    (
                        "1",
                        "G <= 4*d*P_t/eta*step + M**2*xi**2*d**3 + 4*L**2*d*(1 - P_t) + 2*d*r*M/eta*(s_1*K/d + "
                        "s_2*P_t)",
                    ),
                    ("4*d/eta", "step*P_t <= all_steps*P + 2*B*(1 - P)"),
                    ("4*L**2*d", "P <= P_t"),
                    ("2*d*r*M/eta*s_2", "P_t <= 1"),
                )
            ),
        ),
        candidates=(point("d=1 K=1 P=1 M=1 xi=1 eta=1 L=1 B=1 r=1 s_1=1 s_2=1 G=0 P_t=1 step=0 all_steps=0"),),
        mutants=(
            mutant(
                "four",
                "4 B d/eta",
                f"G <= 4*d*P/eta*all_steps + {OTHERS.replace('8*B', '4*B')}",
                "d=1 K=1 P=1/2 M=1 xi=1/100 eta=1/100 L=1/100 B=1 r=0 s_1=0 s_2=0 G=399 P_t=1 step=1 all_steps=0",
            ),
        ),
    ),
    step(
        "s19",
        "(105), (106): the mean over t; the decreases given Q add up to that from w_0 to w_T. The index t of the last "
        "term is that of a noise that does not hang on t",
        f"1/T*sum(t, 0, T - 1, G[t]) <= 4*d*P/(T*eta)*(l[0] - l[T]) + {OTHERS}",
        (*SIZES, STEPS, LOSSES, SQUARES),
        given={f"{HERE}/s19-step": f"all(t, 0, T - 1, G[t] <= 4*d*P/eta*(l[t] - l[t + 1]) + ({OTHERS}))"},
        place="(105), (106)",
        printed=r"\frac1T\sum_{t=0}^{T-1}\mathbb{E}[\|\nabla\bar\ell(w_t)\|^2]\leq\frac{4d\mathbb{P}(Q)}{T\eta}"
        r"\left(\mathbb{E}[\bar\ell(w_0)-\bar\ell(w_T)|Q]\right)+M^2\xi^2d^3+(4L^2d+\frac{8Bd}\eta)\mathbb{P}("
        r"\bar Q)+\frac{2drM}\eta\left(\sigma_{1,t}^2\frac Kd+\sigma_{2,t}^2\right)",
        kind=ClaimKind.INDUCTION,
        argument=averaged_over_steps(OTHERS),
        candidates=(point("d=1 K=1 P=1 M=1 xi=1 eta=1 L=1 B=1 r=1 s_1=1 s_2=1 T=1 l=[0,0] G=[0,0]"),),
        mutants=(
            mutant(
                "last",
                "without the last decrease",
                f"1/T*sum(t, 0, T - 1, G[t]) <= 4*d*P/(T*eta)*(l[0] - l[T - 1]) + {OTHERS}",
                "d=1 K=1 P=1 M=1 xi=1 eta=1 L=1 B=1 r=0 s_1=0 s_2=0 T=1 l=[100,0] G=[401,0]",
            ),
        ),
    ),
    step(
        "s20",
        "(108), (109): with sigma_1^2 = eta^2 (1 - beta) sigma^2/K and sigma_2^2 = eta^2 beta sigma^2/d the last term "
        "is 2 eta r M sigma^2, whatever beta and K, for a given eta",
        f"2*d*r*M/eta*({NOISE[0]}*K/d + {NOISE[1]}) == 2*eta*r*M*sigma**2",
        (DIMENSION, DIRECTIONS, RANK, SMOOTH, ETA, SHARE, SIGMA),
        place="(108), (109)",
        printed=r"2\eta rM\sigma^2",
        candidates=(point("d=2 K=3 r=1 M=1 eta=1 beta=1/3 sigma=1"),),
    ),
)
