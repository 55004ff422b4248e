r"""Theorem 5.13, repaired: matched steps, eta_{0:T-1}, and the rate 1/B."""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/THM-5.13~repaired"
KAPPA = positive("kappa", "ratio of the steps of z and y, as in Lemma 5.2, repaired")
PLACE, TARGET = real("inner", meaning="-E<q_t, y_(t+1) - x_t>"), real("drop", meaning="mean growth of the potential")
N_B, R = real("n_b", "[0, oo)", "|b_t|"), positive("R", "|C|_2")
LOSS = "eta_sum*L**2/(B*beta) + beta*n_b*R + beta*n_b**2*eta_sum/(2*eta**2)"
TEN = "drop <= eta_sum*inner + beta*n_b**2*eta_sum/(2*eta**2) + beta*n_b*R"
POTENTIAL, EACH = sequence("potential", meaning="its mean"), sequence("W", "[0, oo)", "the loss of step t")
SUMMED = "potential[T] <= potential[0] + sum(t, 0, T - 1, W[t])"
END, START = "eta_before*gap + kappa*beta/2*far_T == potential[T]", "potential[0] == kappa*beta/2*far_0"
AT = "T=1 kappa=1 beta=1 R=1 eta_before=1 far_0=1 far_T=0 gap=1 potential=[1/2,1] W=[1/2,0]"

CLAIM = Claim(
    id=HERE,
    title="independent batch gradients, repaired",
    words=(
        "With z_(t+1) the projection of z_t - (eta_t nabla_t - beta b_t)/(kappa beta), eta_t^2 <= kappa "
        "eta_{0:t} and beta >= M: E F(y_T) - F(x*) is at most 1/eta_{0:T-1} times (the sum over t < T of "
        "eta_{0:t} L^2/(B beta) + beta |b_t| R + (beta/2)|b_t|^2 eta_{0:t}/eta_t^2, plus (kappa beta/2) R^2)."
    ),
    place="Theorem 5.13",
    reads=Reads.OURS,
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        "gap <= (sum(t, 0, T - 1, W[t]) + kappa*beta/2*R**2)/eta_before",
        (
            *(STEPS, KAPPA, BETA, R, POTENTIAL, EACH, positive("eta_before", "eta_{0:T-1}")),
            *(real("far_0", "[0, oo)", "|x_0 - x*|^2"), real("far_T", "[0, oo)", "E|z_T - x*|^2")),
            real("gap", "[0, oo)", "E F(y_T) - F(x*)"),
        ),
        (SUMMED, END, START, "far_0 <= R**2"),
    ),
    origins=(Condition(SUMMED, Origin.GIVEN, f"{HERE}/summed"),),
    argument=(
        Combine(
            (
                ("1/eta_before", SUMMED),
                ("1/eta_before", END),
                ("1/eta_before", START),
                ("kappa*beta/(2*eta_before)", "far_0 <= R**2"),
                ("kappa*beta/(2*eta_before)", "0 <= far_T"),
            )
        ),
    ),
    candidates=(point(AT),),
    mutants=(mutant("third", "kappa beta/3", "gap <= (sum(t, 0, T - 1, W[t]) + kappa*beta/3*R**2)/eta_before", AT),),
    steps=(
        step(
            "step",
            "the mean growth of the potential in a step: as E<q_t, z_t - x*> = 0, and <b_t, z_(t+1) - x*> <= |b_t| R. "
            "Encoded: the sum of the bounds; the condition from `ten` has the mean taken and these two put in",
            f"drop <= {LOSS}",
            (
                *(LIPSCHITZ, R, BATCH, ETA, ETA_SUM, BETA, N_B, PLACE, TARGET),
                real("mean_square", "[0, oo)", "E|q_t|^2"),
            ),
            given={
                "srgd/LEM-5.2~repaired/ten": TEN,
                "srgd/THM-5.13/s3-best": "inner <= mean_square/beta",
                "srgd/THM-5.13/s1-best": "mean_square <= L**2/B",
            },
            argument=(
                Combine(
                    (("1", TEN), ("eta_sum", "inner <= mean_square/beta"), ("eta_sum/beta", "mean_square <= L**2/B"))
                ),
            ),
            candidates=(point("L=1 R=1 B=1 eta=1 eta_sum=1 beta=1 n_b=0 inner=1 drop=1 mean_square=1"),),
            mutants=(
                mutant(
                    "half",
                    "half of L^2/B",
                    f"drop <= {LOSS.replace('L**2/(B', 'L**2/(2*B')}",
                    "L=1 R=1 B=1 eta=1 eta_sum=1 beta=1 n_b=0 inner=1 drop=1 mean_square=1",
                ),
            ),
        ),
        step(
            "summed",
            "the growths add up",
            SUMMED,
            (STEPS, POTENTIAL, EACH),
            given={f"{HERE}/step": "all(t, 0, T - 1, potential[t + 1] - potential[t] <= W[t])"},
            kind=ClaimKind.INDUCTION,
            argument=(Induct("T"),),
            candidates=(point("T=2 potential=[0,1,3] W=[1,2,0]"),),
            mutants=(
                mutant(
                    "last", "without the last step", SUMMED.replace("T - 1", "T - 2"), "T=2 potential=[0,1,3] W=[1,2,0]"
                ),
            ),
        ),
    ),
)
