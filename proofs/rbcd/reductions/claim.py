"""Section 4: what Algorithm 1 becomes for special choices of S, Gamma and sigma, and what the paper says of it in
words.

One step of two algorithms is one map of the point, the set and the noise; with equal draws all later steps, averages
and epochs are the same then.
"""

from dpaudit.claims.writing import *

from .guarantees import GUARANTEES
from .symbols import *

MEAN = "sum(k, 1, n, g[k])/n"
ALL_RECORDS = f"theta - gamma*(1/1)*({MEAN} + eta)"

COORDINATE_DESCENT = Claim(
    id="rbcd/RED-1",
    title="uniform single coordinates: DP-CD",
    words=(
        "If S is one coordinate, each with probability 1/d, Algorithm 1 is DP-CD without a regulariser, with step "
        "sizes d gamma_j: one step is the same map of the point, the coordinate and the noise. Encoded at any one "
        "coordinate; chi is 1 if it is drawn and 0 otherwise. Epochs and averages are those of DP-CD as they stand."
    ),
    place="Section 4, after Algorithm 1",
    printed=r"\text{In the special case where the distribution } \mathcal{S} \text{ is uniform over single "
    r"elements in } [d]\text{, the proposed algorithm simplifies to DP-CD}",
    kind=ClaimKind.REDUCTION,
    statement=Statement(
        f"{update('1/d', 'eta')} == theta - chi*(d*gamma)*(g + eta)", (COORDINATES, POINT, GAMMA, IN_SET, GRADIENT, ETA)
    ),
    argument=(Identical(),),
    candidates=(point("d=2 theta=0 gamma=1 chi=1 g=1 eta=0"),),
    steps=(
        step(
            "step-size",
            "at Gamma = P M^-1 the step sizes of DP-CD are 1/M_j, as Mangold et al. have them",
            "d*((1/d)/M_j) == 1/M_j",
            (COORDINATES, M_J),
        ),
        step(
            "noise",
            "and the noise of Theorem 4.1 is theirs, sigma_j^2 = 12 L_j^2 T K log(1/delta)/(n eps)^2",
            f"{variance('L_j')} == 12*L_j**2*T*K*Lam/(n*eps)**2",
            (L_J, STEPS, EPOCHS, LOG, RECORDS, EPS),
        ),
    ),
)

STOCHASTIC = Claim(
    id="rbcd/RED-2",
    title="full sampling: DP-SGD, read as one record a step",
    words=(
        "If S = [d] with probability 1, Algorithm 1 reduces to DP-SGD of Bassily et al. (2014). One reading: DP-SGD "
        "as in the cited work, one record a step (full-batch DP-GD is often called DP-SGD too). Encoded at one "
        "coordinate: a step with the gradient of all n records is the step of DP-SGD, which draws the record i, with "
        "the same noise."
    ),
    place="Section 4, after Algorithm 1",
    printed=r"\text{if } S=[d] \text{ with probability one it reduces to DP-SGD}",
    kind=ClaimKind.REDUCTION,
    statement=Statement(
        f"{ALL_RECORDS} == theta - gamma*(g[i] + eta)", (POINT, GAMMA, OF_RECORDS, RECORDS, DRAWN, ETA), ("i <= n",)
    ),
    reads=Reads.READING,
    expects=Outcome.REFUTED,
    candidates=(point("theta=0 gamma=1 n=2 i=1 g=[0,0,1] eta=0"),),
    finding=(
        "With S = [d] every step uses the gradient of all n records: it is noisy gradient descent, DP-GD. DP-SGD of "
        "Bassily et al. draws one record a step, at 1/n of the cost, adds more noise in a step, and rests its "
        "privacy on that draw. The steps agree in the mean over the draw, and for n = 1. No theorem rests on the "
        "remark; the comparison with DP-SGD in Table 1 is one of rates, not of cost."
    ),
    repair="rbcd/RED-2~repaired",
    steps=(
        step(
            "mean",
            "in the mean over the record that is drawn, the step of DP-SGD is that of Algorithm 1 with S = [d]",
            f"sum(i, 1, n, theta - gamma*(g[i] + eta))/n == {ALL_RECORDS}",
            (POINT, GAMMA, OF_RECORDS, RECORDS, ETA),
            candidates=(point("theta=1 gamma=1 n=2 g=[0,0,1] eta=1"),),
        ),
    ),
)

FULL_GRADIENT = Claim(
    id="rbcd/RED-2~repaired",
    title="full sampling: DP-GD",
    words=(
        "If S = [d] with probability 1, Algorithm 1 is gradient descent on f, with all n records, and with noise in "
        "each step: line 7 at any one coordinate, where chi = p = 1."
    ),
    place="Section 4, after Algorithm 1",
    kind=ClaimKind.REDUCTION,
    statement=Statement(
        f"theta - gamma*(chi/p)*({MEAN} + eta) == theta - gamma*({MEAN}) - gamma*eta",
        (POINT, GAMMA, IN_SET, P, OF_RECORDS, RECORDS, ETA),
        ("chi == 1", "p == 1"),
    ),
    argument=(
        Combine(
            terms=((f"-gamma*({MEAN} + eta)/p", "chi == 1"), (f"gamma*({MEAN} + eta)/p", "p == 1")),
        ),
    ),
    candidates=(point("theta=0 gamma=1 chi=1 p=1 n=2 g=[0,0,1] eta=1"),),
    mutants=(
        Mutant(
            "not-full",
            "a coordinate that may be left out",
            conditions=("p == 1",),
            candidates=(point("theta=0 gamma=1 chi=0 p=1 n=1 g=[1] eta=0"),),
        ),
    ),
)

SKETCHED = Claim(
    id="rbcd/RED-3",
    title="without noise: SkGD",
    words=(
        "Algorithm 1 is an adaptation of SkGD: with sigma_S = 0 its step is that of SkGD, theta - Gamma C grad f, "
        "encoded at any one coordinate. It returns the last point as SkGD does if K = 1, T the number of steps (step "
        "output); for K > 1 it averages."
    ),
    place="Section 4, first paragraph; Section 2.1",
    printed=r"\text{a differentially private adaptation of the SkGD algorithm}",
    kind=ClaimKind.REDUCTION,
    statement=Statement(
        f"{update('p', 'sigma*z')} == theta - gamma*(chi/p)*g",
        (POINT, GAMMA, IN_SET, P, GRADIENT, DRAW, real("sigma", "[0, oo)", "noise scale sigma_S")),
        ("sigma == 0",),
    ),
    argument=(Combine(terms=(("-gamma*chi/p*z", "sigma == 0"),)),),
    candidates=(point("theta=0 gamma=1 chi=1 p=1/2 g=1 z=1 sigma=0"),),
    steps=(
        step(
            "output",
            "with K = 1 an epoch is one step, and its average the last point",
            "sum(k, 1, 1, theta[k])/1 == theta[1]",
            (sequence("theta"),),
            candidates=(point("theta=[1,2]"),),
        ),
    ),
)

NOISE = Claim(
    id="rbcd/CLM-NOISE",
    title="more noise for sets with a larger Lipschitz constant",
    words=(
        "The noise scale may differ for each set, and sets with a larger Lipschitz constant receive more noise: "
        "encoded for the variance of Theorem 4.1 and two sets U and V. It is proportional to L_S^2 (step ratio)."
    ),
    place="Section 4, after Algorithm 1",
    printed=r"\ldots\text{allowing for different noise scales } \sigma_S\text{. This means that coordinates with "
    r"larger Lipschitz constants or those that are more sensitive can receive more noise}\ldots",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        f"{variance('L_U')} <= {variance('L_V')}", (L_U, L_V, STEPS, EPOCHS, LOG, RECORDS, EPS), ("L_U <= L_V",)
    ),
    candidates=(point("L_U=1 L_V=1 K=1 T=1 Lam=1 n=1 eps=1"),),
    argument=(
        Have("L_U**2 <= L_V**2", (Power("1/2"), Combine(terms=(("1", "L_U <= L_V"),)))),
        Combine(terms=(("12*K*T*Lam/(n**2*eps**2)", "L_U**2 <= L_V**2"),)),
    ),
    mutants=(
        Mutant(
            "no-order",
            "L_U and L_V in any order",
            conditions=(),
            candidates=(point("L_U=2 L_V=1 K=1 T=1 Lam=1 n=1 eps=1"),),
        ),
    ),
    steps=(
        step(
            "ratio",
            "the two scales are as the two Lipschitz constants",
            f"sqrt({variance('L_U')})/sqrt({variance('L_V')}) == L_U/L_V",
            (L_U, L_V, STEPS, EPOCHS, LOG, RECORDS, EPS),
        ),
    ),
)

CONTRIBUTION = Claim(
    id="rbcd/CLM-CONTRIB",
    title="DP-SkGD extends SkGD",
    words=(
        "DP-SkGD extends SkGD by noise, by diagonal step sizes and to convex functions. In part: SkGD with its one "
        "step size is the case Gamma = gamma I, sigma = 0, here at any one coordinate. That earlier work has neither "
        "diagonal step sizes nor the convex case is not checked."
    ),
    place="Section 2.1, first item",
    printed=r"\text{it extends the original SkGD method not only by incorporating differential privacy and noise "
    r"but also by using diagonal matrix step sizes}\ldots",
    kind=ClaimKind.REDUCTION,
    statement=Statement(
        f"{update('p', 'sigma*z', 'gamma_j')} == theta - gamma*(chi/p*g)",
        (
            POINT,
            positive("gamma", "the one step size of SkGD"),
            positive("gamma_j", "step size of the coordinate in DP-SkGD"),
            *(IN_SET, P, GRADIENT, DRAW),
            real("sigma", "[0, oo)", "noise scale sigma_S"),
        ),
        ("gamma_j == gamma", "sigma == 0"),
    ),
    argument=(Combine(terms=(("-chi/p*(g + sigma*z)", "gamma_j == gamma"), ("-gamma*chi/p*z", "sigma == 0"))),),
    candidates=(point("theta=0 gamma=1 gamma_j=1 chi=1 p=1/2 g=1 z=1 sigma=0"),),
    rests_on=("rbcd/RED-3",),
    mutants=(
        Mutant(
            "step-sizes",
            "a step size of its own for the coordinate",
            conditions=("sigma == 0",),
            candidates=(point("theta=0 gamma=1 gamma_j=2 chi=1 p=1/2 g=1 z=1 sigma=0"),),
        ),
    ),
)

CLAIMS = (COORDINATE_DESCENT, STOCHASTIC, FULL_GRADIENT, SKETCHED, NOISE, GUARANTEES, CONTRIBUTION)
