"""What is said around Theorem 4.1: units, and the comparison with accelerated gradient descent."""

from dpaudit.claims.writing import *

from .symbols import *

GAP_T = positive("gap", "F(y_T) - F(x*)")
REMARKS = (
    Step(
        "units",
        "every term has the unit of F",
        homogeneous(
            f"gap == {RATE}",
            (GAP_T, STEPS, *SIZES, positive("S", "E|Delta_t - E Delta_t|^2 <= S^2")),
            UNITS,
        ),
        kind=ClaimKind.HOMOGENEITY,
        argument=(Identical(),),
    ),
    Step(
        "s1",
        "without privacy the stochastic part of Nesterov's acceleration depends on V/(beta sqrt(T)), V^2 a "
        "bound on the variance of a batch gradient: read as a term of the risk, its unit is that of F",
        homogeneous(
            "gap == V/(beta*sqrt(T))",
            (GAP_T, positive("V"), BETA, STEPS),
            {"gap": (1, 0), "V": (1, -1), "beta": (1, -2)},
        ),
        reads=Reads.READING,
        place="interpretation of Theorem 4.1",
        printed=r"\frac{V}{\beta\sqrt{T}}",
        kind=ClaimKind.HOMOGENEITY,
        expects=Outcome.REFUTED,
        candidates=((*((n, "1") for n in ("gap", "V", "beta", "T", "value_unit")), ("length_unit", "2")),),
        finding=(
            "V is loss/length and beta loss/length^2, so that V/(beta sqrt(T)) is a length, and no loss: the "
            "term changes when lengths are measured in other units. The text may leave a factor out: with L, "
            "as in S L/(beta sqrt(T)) of the theorem, it has the unit. V R/sqrt(T) (Lan 2012) has it too."
        ),
        repair=f"{HERE}/s1~repaired",
    ),
    Step(
        "s1~repaired",
        "V R/sqrt(T) has the unit of F",
        homogeneous(
            "gap == V*R/sqrt(T)",
            (GAP_T, positive("V"), RADIUS_C, STEPS),
            {"gap": (1, 0), "V": (1, -1), "R": (0, 1)},
        ),
        place="interpretation of Theorem 4.1",
        kind=ClaimKind.HOMOGENEITY,
        argument=(Identical(),),
    ),
    Step(
        "s2",
        "the potential of the proof: its terms have the unit of F, for eta_t without a unit",
        homogeneous(
            "phi == eta_before*gap + 2*beta*distance**2",
            (*map(positive, ("phi", "eta_before", "gap", "distance")), BETA),
            {"phi": (1, 0), "gap": (1, 0), "beta": (1, -2), "distance": (0, 1)},
        ),
        reads=Reads.OURS,
        kind=ClaimKind.HOMOGENEITY,
        place="proof overview",
        printed=r"\Phi_t = \eta_{0:t-1}\left(F(\mathbf{y}_t)-F(\mathbf{x}^*)\right) + "
        r"2\beta\|\mathbf{z}_t-\mathbf{x}^*\|_2^2",
        argument=(Identical(),),
    ),
)
