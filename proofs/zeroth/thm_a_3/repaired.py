"""Theorem A.3 repaired: what a step tells is the divergence of two mixtures.

For b < n (b = n is Theorem 3.2~repaired) choose b records without the replaced one, and one of them: with probability
b/n the step uses the replaced record in its place. x is the change from the slope of the one to that of the other at
the point of the run on D, y that on D'. Given these choices, which do not depend on the data, a step on D and one on D'
are the same but for a mixture of the noise along the directions, N(0) and N(x) on D, N(0) and N(y) on D', and the
coupling of Theorem 3.2~repaired goes through with the map of the b records for psi.
"""

from dpaudit.claims.writing import *

from .symbols import *

MOVE = "alpha*a[t]**2*d/(2*eta**2*rest[t]*sigma**2)"
SPLIT = "all(t, 0, N - 1, beta[t] + rest[t] == 1)"
(COMPOSED,) = composed("released", "sum(t, 0, N - 1, data[t] + shift[t])")
CURVE = "(4*Delta)**2/(2*beta[t]*sigma**2*b**2)"
HIGHER = f"sum(j, 3, alpha, 2*(b/n)**j*binomial(alpha, j)*exp((j - 1)*j*{CURVE}))"
TOLD = f"log(1 + (b/n)**2*alpha*(alpha - 1)/2*min(4*(exp(2*{CURVE}) - 1), 2*exp(2*{CURVE})) + {HIGHER})/(alpha - 1)"
"""The bound of Wang, Balle and Kasiviswanathan for a step, with rho(j) = j (4 Delta)^2/(2 beta_t sigma^2 b^2)."""
OF_STEP, OF_SHIFT = f"data[t] <= {TOLD}", f"shift[t] <= {MOVE}"
EACH = tuple(f"all(t, 0, N - 1, {text})" for text in (OF_STEP, OF_SHIFT))
LENGTH, APART = "(2*eta*Delta/(b*sqrt(K)))", "(4*eta*Delta/(b*sqrt(K)))"
"""How far the replaced record moves one step; and how far apart x and y are where the two runs are not at one point."""

REPAIRED = Claim(
    id=f"{HERE}~repaired",
    title="Theorem A.3 with the divergence of two mixtures, for integer orders",
    words=(
        "As Theorem 3.2~repaired, with batches of b of the n records drawn without replacement, and with the bound of "
        "Wang, Balle and Kasiviswanathan (subsampled-renyi) on what a step tells in the place of K S_alpha: for tau = "
        "b/n and the curve rho(j) = j (4 Delta)^2/(2 beta_t sigma^2 b^2), that of a Gaussian with shifts of at most 4 "
        "eta Delta/(b sqrt(K)) (ratio): x and y have the slope of the record that is swapped in at two points. "
        "Encoded: the sum over the steps, for integer orders, with the bound of the assumed theorem for a step; given "
        "the choices above a step is such a mechanism on a hidden batch, and the rest is the coupling of Theorem "
        "3.2~repaired."
    ),
    place="Theorem A.3",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"released <= sum(t, 0, N - 1, {TOLD} + {MOVE})",
        (
            *(
                integer("alpha", "[2, oo)", "order"),
                SIGMA,
                ETA,
                CLIP,
                RECORDS,
                BATCH,
                DIMENSION,
                WINDOW,
                SHIFTS,
                SHARES,
                RESTS,
            ),
            sequence("data", "[0, oo)", "the divergence of the two mixtures of a step"),
            sequence("shift", "[0, oo)", "the divergence of the isotropic noise of a step and of its shift"),
            real("released", "[0, oo)", "the divergence of W_T on D and on D', on the event"),
        ),
        ("b < n", SPLIT, *EACH, COMPOSED),
    ),
    origins=(
        Condition("", Origin.GIVEN, f"{HERE}/ratio"),
        Condition(EACH[1], Origin.GIVEN, "zeroth/THM-3.2/noise"),
        Condition("", Origin.GIVEN, "zeroth/LEM-3.8"),
        Condition("", Origin.GIVEN, "zeroth/LEM-3.9"),
    ),
    rests_on=("subsampled-renyi", "renyi-composition", "post-processing", f"{HERE}/ratio", "zeroth/THM-3.2~repaired"),
    argument=(
        Have(
            f"sum(t, 0, N - 1, data[t] + shift[t]) <= sum(t, 0, N - 1, {TOLD} + {MOVE})",
            (Termwise((AtIndex("t"), Combine((("1", OF_STEP), ("1", OF_SHIFT))))),),
        ),
        Combine(
            (
                ("1", COMPOSED),
                ("1", f"sum(t, 0, N - 1, data[t] + shift[t]) <= sum(t, 0, N - 1, {TOLD} + {MOVE})"),
            )
        ),
    ),
    candidates=(
        point(
            "alpha=2 sigma=1000 eta=1 Delta=1 n=2 b=1 d=2 N=1 a=[1000] beta=[1/2] rest=[1/2] data=[0] shift=[4] "
            "released=4"
        ),
    ),
    mutants=(
        mutant(
            "half",
            "half of it",
            f"released <= 1/2*sum(t, 0, N - 1, {TOLD} + {MOVE})",
            "alpha=2 sigma=1000 eta=1 Delta=1 n=2 b=1 d=2 N=1 a=[1000] beta=[1/2] rest=[1/2] data=[0] shift=[4] "
            "released=4",
        ),
    ),
)

PARTS = (
    step(
        "ratio",
        "what a shift of length 4 eta Delta/(b sqrt(K)) costs at order j: K directions, each with noise of variance "
        "eta^2 beta_t sigma^2/K. Of N(0), N(x) and N(y) no two are further apart: x is the change from one slope to "
        "another at X_t, y that at Y_t, each at most 2 eta Delta/(b K) along a direction",
        f"j*{APART}**2/(2*(eta**2/K*beta*sigma**2)) == j*(4*Delta)**2/(2*beta*sigma**2*b**2)",
        (SIGMA, ETA, CLIP, BATCH, DIRECTIONS, SHARE, integer("j", "[2, oo)", "order")),
        rests_on=("zeroth/REM-A.9/s1",),
    ),
    step(
        "bessel",
        "slopes along K orthonormal directions of the difference g of two gradients, |g| <= 2 Delta: their squares "
        "add up to that of the part of g in the span, at most (2 Delta)^2",
        "norm(Pg)**2 <= (2*Delta)**2",
        (CLIP, vector("g", "the difference of two gradients"), vector("Pg", "its part in the span")),
        ("norm(g) <= 2*Delta", *projected_by(("g", "Pg"))),
        rests_on=("zeroth/LEM-3.7/orthonormal",),
        argument=(
            Have("norm(g)**2 <= (2*Delta)**2", (Power("1/2"), Combine((("1", "norm(g) <= 2*Delta"),)))),
            Combine(
                (
                    ("1", "0 <= norm(g - Pg)**2"),
                    ("2", "dot(Pg, Pg) == dot(g, Pg)"),
                    ("1", "norm(g)**2 <= (2*Delta)**2"),
                )
            ),
        ),
        candidates=(point("Delta=1 g=(2,0) Pg=(2,0)"),),
        mutants=(mutant("half", "half of it", "norm(Pg)**2 <= 1/2*(2*Delta)**2", "Delta=1 g=(2,0) Pg=(2,0)"),),
    ),
    step(
        "full-batch",
        "for b = n the summand K S_alpha(1, .) of the theorem, alpha K/2 over the square of its second argument, is "
        "that of Theorem 3.2",
        "K*alpha/2/(sqrt(K*beta)*sigma*n/(2*Delta))**2 == alpha*(2*Delta/n)**2/(2*beta*sigma**2)",
        (ALPHA, SIGMA, CLIP, RECORDS, DIRECTIONS, SHARE),
        rests_on=("zeroth/DEF-A.2/all",),
    ),
    step(
        "plain",
        "what the data tell in one step, without amplification, for every order: with the map of the batch for psi_t "
        "two mixtures of the same weights tell no more than their parts, batch by batch, that is N(0) against itself "
        "and, where the record is in the batch, against one at most 2 eta Delta/(b sqrt(K)) away",
        "mixture <= alpha*(2*Delta)**2/(2*beta*sigma**2*b**2)",
        (
            *(ALPHA, SIGMA, ETA, CLIP, BATCH, DIRECTIONS, SHARE),
            *(real(name, "[0, oo)") for name in ("moved", "mixture")),
        ),
        (
            *gaussian_renyi("moved", "alpha", LENGTH, "sqrt(eta**2/K*beta*sigma**2)"),
            *mixed("mixture", "0", "moved"),
        ),
        kind=ClaimKind.DIVERGENCE,
        rests_on=("renyi-of-mixtures", "zeroth/REM-A.9/s1"),
        argument=(
            Have("max(0, moved) <= moved", (Solve(),)),
            Combine(
                (
                    ("1", "mixture <= max(0, moved)"),
                    ("1", "max(0, moved) <= moved"),
                    ("1", gaussian_renyi("moved", "alpha", LENGTH, "sqrt(eta**2/K*beta*sigma**2)")[0]),
                )
            ),
        ),
        candidates=(
            point("alpha=2 sigma=1 eta=1 Delta=1 b=1 K=1 beta=1/4 moved=16 mixture=16"),
            point("alpha=2 sigma=1 eta=1 Delta=1 b=1 K=1 beta=1/4 moved=16 mixture=99"),
        ),
        mutants=(mutant("half", "half of it", "mixture <= 1/2*alpha*(2*Delta)**2/(2*beta*sigma**2*b**2)"),),
    ),
)
