"""Lemma 3.7: the zeroth-order update as a generalised Lipschitz map.

The printed proof shows, for each pair of points x, y and each frame U, that the step leaves at most c1 |x - y| + c2,
where c1 hangs on the pair: its sums are the shares of x - y and of phi(x) - phi(y) in the span of U. For a pair that
does not depend on U each sum follows the beta law. That is `~repaired`, proved for every dimension. A generalised
Lipschitz map (Definition 3.5) has one c1 for all pairs, and with one constant the lemma is false: no frame of K < d
directions brings a pair closer that differs across it (for c < 1; for constant losses, where c = 1, it does hold).
"""

from dpaudit.claims.writing import *

from .ours import OURS
from .steps import STEPS
from .symbols import *

C = "abs(1 - eta*M/K)"
DISPLAY = (
    r"\hat{\psi}\text{ is }(c_{1},c_{2})\text{-generalized Lipschitz, where }c_{2}=\eta M\xi\text{ and }"
    r"c_{1}=\sqrt{1-\sum_{k=1}^{K}\upsilon_{k}+c^{2}\sum_{k=1}^{K}\gamma_{k}},\ \sum_{k=1}^{K}\upsilon_{k}\sim"
    r"\mathsf{Beta}(\frac{K}{2},\frac{d-K}{2}),\ \sum_{k=1}^{K}\gamma_{k}\sim\mathsf{Beta}(\frac{K}{2},\frac{d-K}{2})"
)
ONE_CONSTANT = Claim(
    id=HERE,
    title="with one c1 for all pairs of points, as Definition 3.5 has it, the lemma is false",
    words=(
        "If phi is c-Lipschitz and the losses are Delta-Lipschitz and M-smooth, then the zeroth-order map is (c1, eta "
        "M xi)-generalised Lipschitz with c1^2 = 1 - sum ups + c^2 sum gam, both sums with the law Beta(K/2, (d-K)/2). "
        "Encoded: for the losses (M/2)|w - x_i|^2, where c = |1 - eta M/K|. A pair at distance 2 R across the frame "
        "stays as far apart, so that c1 >= 1 - eta M xi/(2 R) for each frame (steps `across` and `needed`), while c1^2 "
        "has the mean 1 - (1 - c^2) K/d (LEM-3.8/mean). The losses are Delta-Lipschitz where they are queried, on the "
        "ball of radius R + xi, for a large Delta; on all of R^d none has c < 1 (`everywhere`)."
    ),
    place="Lemma 3.7, with Definition 3.5",
    printed=DISPLAY,
    kind=ClaimKind.IMPLICATION,
    statement=Statement(
        f"(1 - eta*M*xi/(2*R))**2 <= 1 - (1 - ({C})**2)*K/d",
        (D, K, ETA, SMOOTH, XI, RADIUS),
        ("K <= d - 1", "eta*M*xi <= 2*R"),
    ),
    expects=Outcome.REFUTED,
    candidates=(point("d=2 K=1 eta=1 M=1 xi=1/10 R=1"),),
    finding=(
        "Definition 3.5 asks for one c1 for all pairs. In the proof c1 is that of one pair: upsilon_k and gamma_k are "
        "made of x - y and phi(x) - phi(y). Read for each pair the lemma is proved (`~repaired`), and for a pair that "
        "does not depend on the frame both laws are right. With one constant it is false for K < d, all losses with c "
        "< 1 and a small xi: across the frame nothing moves, so that c1 is at least 1 - c2/(2 R) for every frame. "
        "Step (d) of the proof of Theorem 3.2, which says that c1 hangs on the directions, applies Lemma 3.6 with it "
        "and so needs one constant."
    ),
    repair=REPAIRED,
    rests_on=(f"{HERE}/needed",),
    steps=(*STEPS, *OURS),
)
PAIR = Claim(
    id=REPAIRED,
    title="each pair of points is at most c1 |x - y| + c2 apart after the step, with the c1 of this pair and frame",
    words=(
        "As Lemma 3.7, for each pair of points with its own c1: |psi(x) - psi(y)| <= c1 |x - y| + eta M xi, where "
        "c1^2 = 1 - ups + c^2 gam, ups and gam the shares of the squares of x - y and of phi(x) - phi(y) in the span "
        "of the frame. If x and y do not depend on the frame, both shares follow Beta(K/2, (d-K)/2), for K < d; where "
        "phi(x) = phi(y) any gam will do. Encoded: the inequality; the laws are those of the named theorem haar-beta. "
        "The difference of the images is v - P v + P f + e (steps s3 to s6)."
    ),
    place="Lemma 3.7",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        f"norm(v - p + q + e) <= {C1}*norm(v) + eta*M*xi",
        (V, F, P, Q, E, UPSILON, GAMMA, LIPSCHITZ, ETA, SMOOTH, XI),
        (*IN_SPAN, *SHARES, "norm(f) <= c*norm(v)", "norm(e) <= eta*M*xi"),
    ),
    origins=(Condition("norm(e) <= eta*M*xi", Origin.GIVEN, f"{HERE}/s4-sum"),),
    rests_on=("haar-beta", *ids(HERE, "s5 s6 s7 s8")),
    argument=(
        Have(
            "norm(v - p + q)**2 == norm(v - p)**2 + norm(q)**2",
            (Combine((("-2", "dot(p, q) == dot(v, q)"),)),),
        ),
        Have("norm(v - p)**2 + norm(q)**2 == (1 - ups)*norm(v)**2 + gam*norm(f)**2", (ByTheorem(f"{HERE}/s7"),)),
        Have(f"(1 - ups)*norm(v)**2 + gam*norm(f)**2 <= ({C1})**2*norm(v)**2", (ByTheorem(f"{HERE}/s8"),)),
        Have(
            f"norm(v - p + q) <= {C1}*norm(v)",
            (
                Power("2"),
                Combine(
                    (
                        ("1", "norm(v - p + q)**2 <= norm(v - p)**2 + norm(q)**2"),
                        ("1", "norm(v - p)**2 + norm(q)**2 <= (1 - ups)*norm(v)**2 + gam*norm(f)**2"),
                        ("1", "(1 - ups)*norm(v)**2 + gam*norm(f)**2 <= (1 - ups + c**2*gam)*norm(v)**2"),
                    )
                ),
            ),
        ),
        Combine(
            (
                ("1", "norm(v - p + q + e) <= norm(v - p + q) + norm(e)"),
                ("1", f"norm(v - p + q) <= {C1}*norm(v)"),
                ("1", "norm(e) <= eta*M*xi"),
            )
        ),
    ),
    candidates=(point("v=(1,1) f=(1,0) p=(1,0) q=(1,0) e=(0,0) ups=1/2 gam=1 c=1 eta=1 M=1 xi=1"),),
    mutants=(
        Mutant(
            "power",
            "c in place of its square",
            "norm(v - p + q + e) <= sqrt(1 - ups + c*gam)*norm(v) + eta*M*xi",
            candidates=(point("v=(1,0) f=(2,0) p=(1,0) q=(2,0) e=(1,0) ups=1 gam=1 c=2 eta=1 M=1 xi=1"),),
        ),
        Mutant(
            "half",
            "half of c2",
            f"norm(v - p + q + e) <= {C1}*norm(v) + eta*M*xi/2",
            candidates=(point("v=(1,0) f=(1,0) p=(1,0) q=(1,0) e=(1,0) ups=1 gam=1 c=1 eta=1 M=1 xi=1"),),
        ),
    ),
)
CLAIMS = (ONE_CONSTANT, PAIR)
