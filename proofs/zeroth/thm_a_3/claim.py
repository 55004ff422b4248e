"""Theorem A.3: Noisy-ZOSGD, with batches of b records drawn without replacement.

K S_alpha(b/n, .) is at most K log(n/(n - b)), whatever the noise is (DEF-A.2). But a record that is replaced is seen
when it is in the batch, with probability b/n, however small that is, once the noise is small. So the theorem is false,
for T = 1 already, in both orders of the neighbours. What is wrong is that the second term of (7) is bounded as in
Theorem 3.2 (s4): psi_t has the batch in it, and given G' = g the batch is another one than given G = g. On both sides a
step is a mixture, of what it does without the record and with it, and the divergence of two such mixtures is not that
of one from its centre.

With the divergence of two such mixtures in its place the theorem holds (`~repaired`), for integer orders and with the
bound of Wang, Balle and Kasiviswanathan for it. Without amplification it holds for all orders (plain). The number K
of Gaussian mechanisms that (71) composes cannot be had either, as all K directions have the same batch (s3).
"""

from dpaudit.claims.writing import *

from .repaired import PARTS, REPAIRED
from .steps import PRINTED
from .symbols import *

DISPLAY = (
    r"\varepsilon(\alpha)\leq\min_{\tau,\beta_t,a_t}\sum_{t=\tau}^{T-1}\left(KS_\alpha\left(\frac "
    r"bn,\frac{\sqrt{K\beta_t}\sigma b}{2\Delta}\right)+\frac{\alpha a_t^2d}{2\eta^2(1-\beta_t)\sigma^2}\right)"
)

AS_PRINTED = Claim(
    id=HERE,
    title="the bound of Theorem A.3 for batches, one step",
    words=(
        "As Theorem 3.2, for batches of b of the n records drawn without replacement: the last iterate is (alpha, "
        "eps(alpha))-RDP on an event of the printed probability, with the printed minimum. Encoded: T = 1, tau = 0, "
        "a_0 = c_2, and K log(n/(n - b)) in the place of K S_alpha, which is never larger (DEF-A.2). One record is "
        "Delta <v, w> on D and its opposite on D', the others are 0; the event is that w_1 lies at least y eta "
        "Delta/(b K) along v. On D' it happens at least half of the times that the record is in the batch and the "
        "directions keep y of v, on D noise alone would have to do it. `slack` covers the event of the theorem and "
        "the boundary of a large ball."
    ),
    place="Theorem A.3",
    printed=DISPLAY,
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"{EVENT} <= (exp(K*log(n/(n - b)) + {LAST})*({BESIDE}))**(1 - 1/alpha)",
        (*(ALPHA, SIGMA, ETA, CLIP, RECORDS, BATCH, DIRECTIONS, DIMENSION, SHARE, SLACK, SMOOTH, REACH), *VISIBLE),
        ("b < n", "2*K <= d", RARE),
    ),
    expects=Outcome.REFUTED,
    candidates=(
        point("alpha=2 sigma=1/10 eta=1 Delta=1 n=2 b=1 K=1 d=2 beta=1/2 e=1000 M=1 xi=0 y=1/2 slack=1/1000000000000"),
    ),
    finding=(
        "With n = 2 records, batches of one, one direction in the plane and sigma = Delta/10 the bound is log(2) at "
        "every order. An event has probability 1/8 or more on D' and less than 10^-8 on D, so that the divergence is "
        "more than 15 at order 2; as sigma tends to 0 it grows without bound and the printed one does not. For large "
        "noise the printed number may be of the right size, but nothing shows it. The repaired theorem has the "
        "divergence of the two mixtures that a step is on D and on D'."
    ),
    repair=f"{HERE}~repaired",
    rests_on=("zeroth/DEF-A.2",),
    steps=(*PRINTED, *PARTS),
)

CLAIMS = (AS_PRINTED, REPAIRED)
