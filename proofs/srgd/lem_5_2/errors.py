"""The printed steps of Lemma 5.2: the sampling error q_t as a martingale, and the end of the proof."""

from dpaudit.claims.writing import *

from .projection import SCALARS, TWELVE
from .symbols import *

WEIGHT, MEAN = sequence("eta_at", "(0, oo)", "eta_i"), sequence("G", meaning="nabla F(x_i), one coordinate")
DELTAS = sequence("D", meaning="the mean of Delta_i(d) over batch i, one coordinate")
MEANS = sequence("m", meaning="E_d Delta_i(d)")
FIRST, SECOND = real("eta_0", "(0, oo)"), real("eta_1", "(0, oo)")
SIDES = (
    real("u_00", meaning="nabla f(x_0, d_0) - nabla F(x_0)"),
    real("u_01", meaning=("nabla f(x_1, d_0) - nabla F(x_1)")),
)
OTHER = (
    real("u_10", meaning="nabla f(x_0, d_1) - nabla F(x_0)"),
    real("u_11", meaning=("nabla f(x_1, d_1) - nabla F(x_1)")),
)
LOG = real("l", "[0, oo)", "log(6/gamma)")
FAILS = real("fails", "[0, 1]", "P(|X_N|^2 > 3 N l)")
HAYES = "2*exp(1 - (sqrt(3*N*l) - 1)**2/(2*N))"
LENGTH = real("length", "[0, oo)", "norm of the martingale")
STEP = integer("t", "[0, oo)")
TRUE_NORM, ERROR_NORM = real("n_F", "[0, oo)", "|nabla F(x_t)|"), real("n_q", "[0, oo)", "|q_t|")
ESTIMATE_NORM, NOISE_NORM = real("n", "[0, oo)", "|nabla_t|"), real("n_b", "[0, oo)", "|b_t|")
SHORT_12 = TWELVE.replace("norm(grad)", "n").replace("norm(q)", "n_q").replace("norm(b)", "n_b")
SHORT_BOUND = BOUND.replace("norm(grad - q)", "n_F").replace("norm(b)", "n_b")
TRIANGLE = ("n_q <= r", "n <= n_F + r")

ERRORS = (
    erratum(
        "s16",
        "q_t is 1/(B eta_t) times the sum over i <= t and d in batch i of Delta_t(d) - E Delta_t(d); at t = 1, "
        "B = 1, one coordinate",
        "(eta_0*u_00 + eta_1*u_11 - eta_0*u_10)/eta_1 == ((eta_1*u_01 - eta_0*u_00) + (eta_1*u_11 - eta_0*u_10))/eta_1",
        (FIRST, SECOND, *SIDES, *OTHER),
        place="after (12)",
        printed=r"\mathbf{q}_t = \frac{\sum_{i\leq t}\sum_{d\in\mathcal{B}_i}\left((\eta_t\nabla "
        r"f(\mathbf{x}_t,d)-\eta_{t-1}\nabla f(\mathbf{x}_{t-1},d)) - \mathbb{E}_d[\eta_t\nabla "
        r"f(\mathbf{x}_t,d)-\eta_{t-1}\nabla f(\mathbf{x}_{t-1},d)]\right)}{B\eta_t}",
        candidates=(point("eta_0=1 eta_1=2 u_00=1 u_01=0 u_10=0 u_11=0"),),
        finding=(
            "The summand has the index t where Algorithm 1 has i: batch 0 enters q_1 by its gradients at x_0 "
            "alone. With eta = 1, 2 and a first example whose gradient is 1 too large at x_0 and right at x_1, "
            "as the second one is everywhere, q_1 is 1/2, and the printed sum (0 - 1)/2. A misprint: with i it "
            "is exact (s16~repaired)."
        ),
        repair=f"{HERE}/s16~repaired",
    ),
    step(
        "s16~repaired",
        "with the index i: the sum of Delta_i less eta_t nabla F(x_t) is the sum of Delta_i - E_d Delta_i, for "
        "every t, coordinate by coordinate; eta_(-1) = 0",
        "sum(i, 0, t, D[i]) - eta_at[t]*G[t] == sum(i, 0, t, D[i] - m[i])",
        (STEP, WEIGHT, MEAN, DELTAS, MEANS),
        ("m[0] == eta_at[0]*G[0]", "all(i, 1, t, m[i] == eta_at[i]*G[i] - eta_at[i - 1]*G[i - 1])"),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("t"),),
        candidates=(point("t=1 eta_at=[1,2] G=[1,1] D=[3,4] m=[1,1]"),),
    ),
    step(
        "s17",
        "P(|sum|^2 > 3 Q^2 B (t + 1) log(6/gamma)) <= gamma, given the tail of [27] for martingales with N = B (t + 1) "
        "steps of length at most 1, which is taken from there: P(|X_N| >= a) <= 2 exp(1 - (a - 1)^2/(2 N)); here for N "
        ">= 5 (s17-few has the others)",
        "fails <= 6*exp(-l)",
        (real("N", "[5, oo)", "B (t + 1)"), real("l", "[0, oo)", "log(6/gamma)"), FAILS),
        ("log(6) <= l", f"fails <= {HAYES}"),
        kind=ClaimKind.TAIL,
        place="after (12); the index t under both sums is read as i (s16)",
        printed=r"\left\|\sum_{i\leq t}\sum_{d\in\mathcal{B}_i}\left((\eta_t\nabla f(\mathbf{x}_t,d)-\eta_{t-1}\nabla "
        r"f(\mathbf{x}_{t-1},d)) - \mathbb{E}_d[\eta_t\nabla f(\mathbf{x}_t,d)-\eta_{t-1}\nabla "
        r"f(\mathbf{x}_{t-1},d)]\right)\right\|_2^2 \leq 3Q^2B(t+1)\log(6/\gamma)",
        argument=(
            Bound(left=HAYES, argument=(Combine((("1", f"fails <= {HAYES}"),)),)),
            Scale("1/2"),
            Logarithm(),
            Have("109/100 <= log(3)", (Boxes(),)),
            Have("17/10 <= log(6)", (Boxes(),)),
            Combine(
                (
                    ("1", "0 <= (sqrt(l)/2 - sqrt(3/N))**2"),
                    ("1/4", "log(6) <= l"),
                    ("1/(2*N)", "5 <= N"),
                    ("1", "109/100 <= log(3)"),
                    ("1/4", "17/10 <= log(6)"),
                    ("15/1000", "0 <= 1"),
                )
            ),
        ),
        candidates=(point("N=5 l=2 fails=0"),),
        mutants=(
            Mutant(
                "two",
                "2 in the place of 3",
                conditions=("log(6) <= l", f"fails <= {HAYES.replace('3*N*l', '2*N*l')}"),
                candidates=(point("N=5 l=2 fails=1"),),
            ),
        ),
    ),
    step(
        "s17-few",
        "the other N, up to five: |X_N| <= N there, and N^2 <= 3 N log(6/gamma)",
        "N**2 <= 3*N*l",
        (real("N", "[1, 5]", "B (t + 1)"), LOG),
        ("log(6) <= l",),
        reads=Reads.OURS,
        argument=(
            Have("17/10 <= log(6)", (Boxes(),)),
            Combine((("3*N", "log(6) <= l"), ("3*N", "17/10 <= log(6)"), ("N", "N <= 5"), ("N/10", "0 <= 1"))),
        ),
        mutants=(mutant("two", "2 in the place of 3", "N**2 <= 2*N*l", "N=5 l=2"),),
    ),
    step(
        "s18",
        "hence |q_t| <= Q sqrt(3 (t + 1) log(6/gamma))/(sqrt(B) eta_t) with the same probability. Encoded: on the "
        "event of s17, or s17-few where B (t + 1) <= 5, where `length` is the norm of the sum",
        "length/(B*eta) <= Q*sqrt(3*(t + 1)*l)/(sqrt(B)*eta)",
        (Q, BATCH, ETA, STEP, LOG, LENGTH),
        given={f"{HERE}/s17": "length**2 <= 3*Q**2*B*(t + 1)*l", f"{HERE}/s17-few": ""},
        printed=r"\|\mathbf{q}_t\|_2 \leq \frac{Q\sqrt{3(t+1)\log(6/\gamma)}}{\sqrt{B}\eta_t}",
        argument=(
            Scale("B*eta"),
            Power("2"),
        ),
        candidates=(point("Q=1 B=4 eta=1 t=0 l=3 length=6"),),
        mutants=(
            mutant(
                "batch",
                "B in the place of sqrt(B)",
                "length/(B*eta) <= Q*sqrt(3*(t + 1)*l)/(B*eta)",
                "Q=1 B=4 eta=1 t=0 l=3 length=6",
            ),
        ),
    ),
    step(
        "s18-estimate",
        "and |nabla_t| <= |nabla F(x_t)| + the same, by the triangle inequality",
        "norm(grad) <= norm(grad - q) + r",
        (RADIUS, ESTIMATE, ERROR),
        given={f"{HERE}/s18": "norm(q) <= r"},
        place="after (12)",
        printed=r"\|\nabla_t\|_2 \leq \|\nabla F(\mathbf{x}_t)\|_2 + "
        r"\frac{Q\sqrt{3(t+1)\log(6/\gamma)}}{\sqrt{B}\eta_t}",
        argument=(Combine((("1", "norm(grad) <= norm(grad - q) + norm(q)"), ("1", "norm(q) <= r"))),),
        candidates=(point("r=1 grad=(1) q=(1)"),),
        mutants=(mutant("half", "half of it", "norm(grad) <= norm(grad - q) + r/2", "r=1 grad=(1) q=(1)"),),
    ),
    erratum(
        "s19",
        "these bounds in (12) give the lemma",
        f"drop <= {SHORT_BOUND}",
        (
            *(LIPSCHITZ, SIZE, RADIUS, ETA, ETA_SUM, BETA, TRUE_NORM, ERROR_NORM, ESTIMATE_NORM, NOISE_NORM),
            real("drop", meaning="Phi_(t+1) - Phi_t"),
        ),
        (PART,),
        given={f"{HERE}/s15": f"drop <= {SHORT_12}", f"{HERE}/s18": TRIANGLE[0], f"{HERE}/s18-estimate": TRIANGLE[1]},
        reads=Reads.REASON,
        place="end of the proof",
        candidates=(
            point(f"{SCALARS} r=1 n_F=1 n_q=1 n=2 n_b=0 drop=7"),
            point(f"{SCALARS} r=0 n_F=0 n_q=0 n=0 n_b=1 drop=5"),
        ),
        finding=(
            "(12) has 3 before |q_t| |nabla_t| and L|b_t|/tau_t; the lemma has 2, and no term with L. With all "
            "norms 1, no noise and |nabla_t| = 2 (12) allows 6 + 1 = 7, the lemma 4 + 1 = 5. That x_t lies in "
            "C gives 1 in the place of 2 in (11) (s14), so 2 here, and Lemma 5.3 needs no L: the printed sum "
            "of errors is right (~repaired)."
        ),
        repair=f"{HERE}~repaired",
    ),
)
