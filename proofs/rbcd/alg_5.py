r"""The schedule of the convex case (Theorem 4.2): T = 1 and K = n eps R_(M P^-1)/(Sigma_S sqrt(log(1/delta))).

K has no units, as it must. It is a number of steps, and the paper does not say how it is rounded. With x the value of
the formula, the bound of the proof is x/K + 12 K/x times Sigma_S R sqrt(log(1/delta))/(n eps) at a whole K: 13 at K =
x, at most 13 for K rounded down, up to 24.5 for K rounded up. For x < 1 one step does not have the utility of the
theorem, whatever its constant (below-one); the starting point itself has it (start).
"""

from dpaudit.claims.writing import *

RECORDS, EPS, LAM = integer("n", "[1, oo)", "records"), real("eps", "(0, 1]"), real("lam", "(1, oo)", "log(1/delta)")
RADIUS, SPREAD = positive("R_sq", "R^2_(M P^-1)"), positive("S_sq", "Sigma_S^2")
STEPS_K, X = positive("K"), real("x", "[1, oo)", "the K of the formula")
R, S = positive("R", "R_(M P^-1)"), positive("Sigma_S")
C_PRIV = positive("c", "log(1/delta)/(n eps)^2")
ERROR, START = real("error", "[0, oo)", "E f(w_priv) - f*"), real("gap", "[0, oo)", "f(w^0) - f*")
BOUND = "x/{k} + 12*{k}/x"
HERE = "rbcd/ALG-5"

CLAIM = Claim(
    id=HERE,
    title="the number of steps in the convex case",
    words="K = n eps R_(M P^-1)/(Sigma_S sqrt(log(1/delta))) does not change with the units of the loss and of the "
    "model.",
    place="Theorem 4.2, convex case",
    printed=r"T = 1 \quad\text{and}\quad K = \frac{n\varepsilon "
    r"R_{\mathbf{M}\mathbf{P}^{-1}}}{\Sigma_S\sqrt{\log(1/\delta)}}",
    kind=ClaimKind.HOMOGENEITY,
    reads=Reads.OURS,
    statement=homogeneous(
        "K == n*eps*sqrt(R_sq)/(sqrt(S_sq)*sqrt(lam))",
        (STEPS_K, RECORDS, EPS, LAM, RADIUS, SPREAD),
        {"R_sq": (1, 0), "S_sq": (1, 0)},
    ),
    argument=(Identical(),),
    mutants=(
        mutant(
            "square",
            "S_sq in the place of its root, on one side",
            homogeneous(
                "K == n*eps*sqrt(R_sq)/(sqrt(S_sq)*sqrt(lam))",
                (STEPS_K, RECORDS, EPS, LAM, RADIUS, SPREAD),
                {"R_sq": (1, 0), "S_sq": (2, 0)},
            ).expression,
            "K=1 n=1 eps=1 lam=4 R_sq=1 S_sq=1 value_unit=4 length_unit=1",
        ),
    ),
    steps=(
        step(
            "down",
            "rounded down: K = floor(x) for x >= 1 keeps the constant 13",
            BOUND.format(k="floor(x)") + " <= 13",
            (X,),
            argument=(
                Have("1 <= floor(x)"),
                Have("floor(x) <= x"),
                Have("x <= 12*floor(x)", (Combine((("1", "x <= floor(x) + 1"), ("11", "1 <= floor(x)"))),)),
                Name("k", "floor(x)"),
                Scale("k*x"),
                Combine((("12*k - x", "k <= x"),)),
            ),
            mutants=(mutant("twelve", "12 in the place of 13", BOUND.format(k="floor(x)") + " <= 12", "x=1"),),
        ),
        step(
            "up",
            "rounded up: K = ceil(x) for x >= 1 has at most 25 in the place of 13",
            BOUND.format(k="ceil(x)") + " <= 25",
            (X,),
            argument=(
                Have("1 <= ceil(x)"),
                Combine((("1/ceil(x)", "x <= ceil(x)"), ("12/x", "ceil(x) <= x + 1"), ("12/x", "1 <= x"))),
            ),
            mutants=(
                mutant("less", "24 in the place of 25", BOUND.format(k="ceil(x)") + " <= 24", "x=1001/1000"),
                mutant("kept", "13, as at a whole number", BOUND.format(k="ceil(x)") + " <= 13", "x=3/2"),
            ),
        ),
        erratum(
            "below-one",
            "the theorem where its K is below 1 and one step is taken: there is C with E f(w_priv) - f* <= C Sigma_S "
            "R sqrt(log(1/delta))/(n eps); for the loss of below-curve, L = M = Sigma_S = 1, whose noise alone costs "
            "sqrt(24 c/pi) - 1",
            "error <= C*R*sqrt(c)",
            (constant("C"), R, C_PRIV, ERROR),
            ("R < sqrt(c)",),
            given={
                f"{HERE}/below-noise": "sqrt(24*c/pi) - 1 <= error",
                "rbcd/THM-4.2a/s4-error": "error <= R**2 + 12*c",
            },
            reads=Reads.BOUNDARY,
            kind=ClaimKind.CONVERGENCE,
            argument=(ForEvery(where("R=1/(1+C) c=4 error=5")),),
            finding=(
                "Nothing in the theorem keeps its K from being below 1, and then one step does not have the stated "
                "utility, whatever its constant: near the minimiser one step with the noise of Theorem 4.1 costs more "
                "than any multiple of Sigma_S R sqrt(log(1/delta))/(n eps), which goes to 0 with R. For l(w) = sqrt(1 "
                "+ w^2), n = eps = 1 and log(1/delta) = 4, the noise alone costs 4.5. The starting point has the "
                "stated utility (start), so that the repair is to output w^0 there."
            ),
            repair=f"{HERE}/start",
        ),
        step(
            "below-curve",
            "l(w) = sqrt(1 + w^2) with minimiser 0 (THM-4.2a/instance-minimum): l(y) - l(0) >= |y| - 1",
            "abs(y) - 1 <= sqrt(1 + y**2) - 1",
            (real("y"),),
            argument=(Shift("1"), Power("2")),
            mutants=(mutant("more", "without 1", "abs(y) <= sqrt(1 + y**2) - 1", "y=1"),),
        ),
        step(
            "below-shift",
            "its step ends at r - eta with some r, and eta is as likely as -eta: |eta - r| + |eta + r| >= 2 |eta|, of "
            "which below-noise takes the mean",
            "2*abs(y) <= abs(y - r) + abs(y + r)",
            (real("y"), real("r")),
            argument=(Solve(),),
            mutants=(mutant("more", "3 in the place of 2", "3*abs(y) <= abs(y - r) + abs(y + r)", "y=1 r=0"),),
        ),
        step(
            "below-noise",
            "the loss after the step is at least sqrt(24 c/pi) - 1: in the mean it is at least E|r - eta| - 1, and E|r "
            "- eta| >= E|eta| = sigma sqrt(2/pi) with sigma^2 = 12 c (chi-moments)",
            "sqrt(24*c/pi) - 1 <= error",
            (C_PRIV, real("far", "[0, oo)", "E|r - eta|"), ERROR),
            given={
                f"{HERE}/below-shift": "sqrt(12*c)*sqrt(2/pi) <= far",
                f"{HERE}/below-curve": "far - 1 <= error",
            },
            rests_on=("chi-moments", "monotone-mean"),
            argument=(Combine((("1", "sqrt(12*c)*sqrt(2/pi) <= far"), ("1", "far - 1 <= error"))),),
            candidates=(point("c=4 far=6 error=5"),),
            mutants=(
                mutant(
                    "more", "25 in the place of 24", "sqrt(25*c/pi) - 1 <= error", "c=4 far=5529/1000 error=4529/1000"
                ),
            ),
        ),
        step(
            "start",
            "where K < 1, that is R < Sigma_S sqrt(c), the starting point has half of the stated utility: f(w^0) - f* "
            "<= R^2/2",
            "gap <= Sigma_S*R*sqrt(c)/2",
            (R, S, C_PRIV, START),
            ("R < Sigma_S*sqrt(c)",),
            given={"rbcd/THM-4.2a/s1": "gap <= R**2/2"},
            argument=(Combine((("1", "gap <= R**2/2"), ("R/2", "R < Sigma_S*sqrt(c)"))),),
            mutants=(
                Mutant(
                    "any",
                    "for K < 4",
                    conditions=("R < 4*Sigma_S*sqrt(c)", "gap <= R**2/2"),
                    candidates=(point("R=2 Sigma_S=1 c=1 gap=2"),),
                ),
            ),
        ),
    ),
)
