"""Lemma 5.5: how x_t lies between y_t and z_t, and the bound of Lemma 5.4 put in. Steps s4, s5 and s8."""

from dpaudit.claims.writing import *

from .symbols import *

BEFORE, Y, Z = vector("x_before", "x_(t-1)"), vector("y", "y_t"), vector("z", "z_t")
COUPLED = "t*(t + 1)/2*(y - x_before) + (t + 1)*(z - x_before)"
"""eta_{0:t-1} (y_t - x_(t-1)) + eta_t (z_t - x_(t-1)), for eta_t = t + 1."""
PARTS = "t*(t + 1)/2*norm(y - x_before) + (t + 1)*norm(z - x_before)"
ROOTS = (real("X", "[0, oo)", "c_DP L R ell/sqrt(B)"), real("Y", "[0, oo)", "beta b_max R"))
WIDTH = real("W", "[0, oo)", "sqrt(beta) R")
LATER = {
    "1/4": "t/(t + 2)*t**(-(1/4)) <= (t + 1)**(-(1/4))",
    "1/2": "t/(t + 2)*t**(-(1/2)) <= (t + 1)**(-(1/2))",
    "1": "t/(t + 2)*t**(-1) <= (t + 1)**(-1)",
}

SPLIT_STEPS = (
    step(
        "s4",
        "eta_{0:t} x_t = eta_{0:t-1} y_t + eta_t z_t, with tau_t = eta_t/eta_{0:t} = 2/(t + 2)",
        "dot((t + 1)*(t + 2)/2*((1 - 2/(t + 2))*y + 2/(t + 2)*z), w) == dot(t*(t + 1)/2*y + (t + 1)*z, w)",
        (TIME, Y, Z, vector("w", "any vector")),
        printed=r"\eta_{0:t}\cdot\mathbf{x}_t=\eta_{0:t-1}\cdot\mathbf{y}_t+\eta_t\cdot\mathbf{z}_t",
    ),
    step(
        "s5",
        "eta_{0:t} |x_t - x_(t-1)| = |eta_{0:t-1} (y_t - x_(t-1)) + eta_t (z_t - x_(t-1))|, at most the sum of the "
        "two norms. Encoded: the second line from the first, which is s4 less eta_{0:t} x_(t-1)",
        f"norm({COUPLED}) <= {PARTS}",
        (TIME, BEFORE, Y, Z),
        printed=r"\eta_{0:t}\|\mathbf{x}_t-\mathbf{x}_{t-1}\|_2=\|\eta_{0:t-1}(\mathbf{y}_t-\mathbf{x}_{t-1})"
        r"+\eta_t(\mathbf{z}_t-\mathbf{x}_{t-1})\|_2\leq\eta_{0:t-1}\|\mathbf{y}_t-\mathbf{x}_{t-1}\|_2"
        r"+\eta_t\|\mathbf{z}_t-\mathbf{x}_{t-1}\|_2",
        argument=(
            Combine(
                (("1", f"norm({COUPLED}) <= norm(t*(t + 1)/2*(y - x_before)) + norm((t + 1)*(z - x_before))"),),
            ),
        ),
        candidates=(point("t=1 x_before=(0) y=(1) z=(1)"),),
        mutants=(
            mutant(
                "half",
                "half of the first norm",
                f"norm({COUPLED}) <= t*(t + 1)/4*norm(y - x_before) + (t + 1)*norm(z - x_before)",
                "t=1 x_before=(0) y=(1) z=(0)",
            ),
        ),
    ),
    step(
        "s8",
        "(*1): the bound of Lemma 5.4 at x_(t-1), times eta_{0:t-1}/eta_{0:t} = t/(t + 2), is at most the one at t. "
        "Encoded: X and Y under the two roots, but for B and the powers of t",
        "t/(t + 2)*c_1*sqrt(M)*(sqrt(X)*t**(-(1/4)) + sqrt(Y)*t**(-(1/2)) + 2*W*t**(-1))"
        " <= c_1*sqrt(M)*(sqrt(X)*(t + 1)**(-(1/4)) + sqrt(Y)*(t + 1)**(-(1/2)) + 2*W*(t + 1)**(-1))",
        (TIME, C_1, SMOOTH, *ROOTS, WIDTH),
        given={f"{LEM}/s8-quarter": LATER["1/4"], f"{LEM}/s8-half": LATER["1/2"], f"{LEM}/s8-one": LATER["1"]},
        printed=r"\frac{c_1\sqrt M\left(\sqrt{\frac{c_{DP}LR\log(T/\gamma)}{\sqrt{B(t+1)}}}"
        r"+\sqrt{\frac{\beta b_{max}R}{t+1}}+\frac{2\sqrt\beta R}{t+1}\right)}\beta",
        argument=(
            Combine(
                (
                    ("c_1*sqrt(M)*sqrt(X)", LATER["1/4"]),
                    ("c_1*sqrt(M)*sqrt(Y)", LATER["1/2"]),
                    ("2*c_1*sqrt(M)*W", LATER["1"]),
                )
            ),
        ),
        candidates=(point("t=1 c_1=1 M=1 X=1 Y=1 W=1"),),
        mutants=(
            mutant(
                "factor",
                "without t/(t + 2)",
                "c_1*sqrt(M)*(sqrt(X)*t**(-(1/4)) + sqrt(Y)*t**(-(1/2)) + 2*W*t**(-1))"
                " <= c_1*sqrt(M)*(sqrt(X)*(t + 1)**(-(1/4)) + sqrt(Y)*(t + 1)**(-(1/2)) + 2*W*(t + 1)**(-1))",
                "t=1 c_1=1 M=1 X=1 Y=1 W=1",
            ),
        ),
    ),
)
