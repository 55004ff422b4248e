"""Mean squares over the batch, by Lemma 4.1: (2.10) and (2.12) (s11 to s13)."""

from dpaudit.claims.writing import *

from .notation import *
from .symbols import *

K = integer("k", "[0, oo)", "records so far")
SQUARES, TOTAL, ONE = real("Q", "[0, oo)", "sum of |a_i|^2"), vector("s", "sum of a_i"), vector("a", "the next a_i")
MEAN_SQUARE = real("mean_D", "[0, oo)", "E_t|D|^2")
CENTRED = real("S", "[0, oo)", "sum of the squared deviations of the records from their mean")
MOVE = vector("move", "theta^t - theta^(t-1)")
RATE = "min(zeta/(n0*L*norm(v_before)), 1/(2*n0*L))"
"""eta_(t-1)."""
TWO_RECORDS = point("n=2 b=1 S=2 mean_D=1")

BATCH_STEPS = (
    step(
        "s11",
        "E_t|D|^2 <= (1/b)(1/n) sum of |grad F(theta^t) - grad F(theta^(t-1)) - grad f_i(theta^t) + grad "
        "f_i(theta^(t-1))|^2, by Lemma 4.1: the n differences add up to 0",
        "mean_D <= S/(b*n)",
        (RECORDS, BATCH, CENTRED, MEAN_SQUARE),
        ("b <= n",),
        given={"srm/LEM-4.1": "mean_D <= min(1, n - b)/(b*n)*S"},
        printed=r"\mathbb{E}_{t} \left\| \nabla F(\boldsymbol{\theta}^{t}) - \nabla F(\boldsymbol{\theta}^{t-1}) - "
        r"\nabla F_{\mathcal{B}_{t}}(\boldsymbol{\theta}^{t}) + \nabla F_{\mathcal{B}_{t}}(\boldsymbol{\theta}^{t-1}) "
        r"\right\|_{2}^{2} \leq \frac{1}{b} \cdot \frac{1}{n} \sum_{i=1}^{n} \left\| \nabla F(\boldsymbol{\theta}^{t}) "
        r"- \nabla F(\boldsymbol{\theta}^{t-1}) - \nabla f_{i}(\boldsymbol{\theta}^{t}) + \nabla "
        r"f_{i}(\boldsymbol{\theta}^{t-1}) \right\|_{2}^{2}",
        place="display after (2.9), line 1",
        argument=(Combine(terms=(("1", "mean_D <= min(1, n - b)/(b*n)*S"), ("S/(b*n)", "min(1, n - b) <= 1"))),),
        mutants=(Mutant("half", "half of it", "mean_D <= S/(2*b*n)", candidates=(TWO_RECORDS,)),),
    ),
    step(
        "s11-deviations",
        "the sum of |a_i - c|^2 is Q - 2 <s, c> + k |c|^2, by induction over the records",
        "Q - 2*dot(s, c) + k*norm(c)**2 + norm(a - c)**2 == Q + norm(a)**2 - 2*dot(s + a, c) + (k + 1)*norm(c)**2",
        (K, SQUARES, TOTAL, ONE, vector("c")),
        kind=ClaimKind.INDUCTION,
        reads=Reads.OURS,
    ),
    step(
        "s11-variance",
        "E|X - E X|^2 <= E|X|^2, X a uniform record: with c = s/n the sum of |a_i - s/n|^2 is at most Q",
        "Q - 2*dot(s, s/n) + n*norm(s/n)**2 <= Q",
        (RECORDS, SQUARES, TOTAL),
        printed=r"\frac{1}{b} \cdot \frac{1}{n} \sum_{i=1}^{n} \left\| \nabla F(\boldsymbol{\theta}^{t}) - \nabla "
        r"F(\boldsymbol{\theta}^{t-1}) - \nabla f_{i}(\boldsymbol{\theta}^{t}) + \nabla "
        r"f_{i}(\boldsymbol{\theta}^{t-1}) \right\|_{2}^{2} \leq \frac{1}{b} \cdot \frac{1}{n} \sum_{i=1}^{n} \left\| "
        r"\nabla f_{i}(\boldsymbol{\theta}^{t}) - \nabla f_{i}(\boldsymbol{\theta}^{t-1}) \right\|_{2}^{2}",
        place="display after (2.9), line 2",
        rests_on=(f"{HERE}/s11-deviations",),
        argument=(Combine(terms=(("1/n", "0 <= dot(s, s)"),)),),
        mutants=(
            mutant(
                "strict",
                "less by |s/n|^2 more",
                "Q - 2*dot(s, s/n) + n*norm(s/n)**2 <= Q - (n + 1)*norm(s/n)**2",
                "n=1 Q=1 s=(1,)",
            ),
        ),
    ),
    step(
        "s11-smooth",
        "(1/b)(1/n) sum of |grad f_i(theta^t) - grad f_i(theta^(t-1))|^2 <= (L^2/b)|theta^t - theta^(t-1)|^2, by "
        "induction over the records, n = k + 1",
        "(Q + norm(a)**2)/(b*(k + 1)) <= L**2/b*norm(move)**2",
        (K, BATCH, SMOOTH, SQUARES, ONE, MOVE),
        ("Q <= k*L**2*norm(move)**2", "norm(a) <= L*norm(move)"),
        kind=ClaimKind.INDUCTION,
        printed=r"\frac{1}{b} \cdot \frac{1}{n} \sum_{i=1}^{n} \left\| \nabla f_{i}(\boldsymbol{\theta}^{t}) - \nabla "
        r"f_{i}(\boldsymbol{\theta}^{t-1}) \right\|_{2}^{2} \leq \frac{L^{2}}{b} \| \boldsymbol{\theta}^{t} - "
        r"\boldsymbol{\theta}^{t-1} \|_{2}^{2}",
        place="display after (2.9), line 3",
        argument=(
            Combine(
                terms=(
                    ("1/(b*(k + 1))", "Q <= k*L**2*norm(move)**2"),
                    ("(norm(a) + L*norm(move))/(b*(k + 1))", "norm(a) <= L*norm(move)"),
                )
            ),
        ),
        mutants=(
            mutant(
                "power",
                "L in place of L^2",
                "(Q + norm(a)**2)/(b*(k + 1)) <= L/b*norm(move)**2",
                "k=0 b=1 L=2 Q=0 a=(2,) move=(1,)",
            ),
        ),
    ),
    step(
        "s12-step",
        "|theta^t - theta^(t-1)| <= eta_(t-1)|v_p^(t-1)| <= zeta/(n0 L), for v_p^(t-1) not 0: by the update rule "
        "theta^t - theta^(t-1) is -eta_(t-1) v_p^(t-1)",
        f"norm(-{RATE}*v_before) <= zeta/(n0*L)",
        (SMOOTH, ZETA, DIVISOR, vector("v_before", "v_p^(t-1)")),
        ("0 < norm(v_before)",),
        printed=r"\|\boldsymbol{\theta}^{t} - \boldsymbol{\theta}^{t-1}\|_{2} \leq \eta_{t-1} "
        r"\|\mathbf{v}_{p}^{t-1}\|_{2} \leq \min\left\{\frac{\zeta}{n_{0}L\|\mathbf{v}_{p}^{t-1}\|_{2}}, "
        r"\frac{1}{2n_{0}L}\right\} \cdot \|\mathbf{v}_{p}^{t-1}\|_{2} \leq \frac{\zeta}{n_{0}L}",
        place="display before (2.10)",
        argument=(
            Have(f"0 <= {RATE}"),
            Rewrite(left=f"{RATE}*norm(v_before)"),
            Combine(terms=(("norm(v_before)", f"{RATE} <= zeta/(n0*L*norm(v_before))"),)),
        ),
        mutants=(
            mutant(
                "half",
                "half of it",
                f"norm(-{RATE}*v_before) <= zeta/(2*n0*L)",
                "L=1 zeta=1 n0=1 v_before=(2,)",
            ),
        ),
    ),
    step(
        "s12",
        "(2.10): E_t|D|^2 <= zeta^2/(n0^2 b)",
        "mean_D <= zeta**2/(n0**2*b)",
        (BATCH, SMOOTH, ZETA, DIVISOR, MEAN_SQUARE, MOVE),
        given={
            f"{HERE}/s11-smooth": "mean_D <= L**2/b*norm(move)**2",
            f"{HERE}/s12-step": "norm(move) <= zeta/(n0*L)",
        },
        printed=r"\mathbb{E}_t \left\| \nabla F(\boldsymbol{\theta}^t) - \nabla F(\boldsymbol{\theta}^{t-1}) - \nabla "
        r"F_{\mathcal{B}_t}(\boldsymbol{\theta}^t) + \nabla F_{\mathcal{B}_t}(\boldsymbol{\theta}^{t-1}) \right\|_2^2 "
        r"\le \frac{\zeta^2}{n_0^2 b}",
        place="(2.10)",
        rests_on=(f"{HERE}/s11", f"{HERE}/s11-variance"),
        argument=(
            Combine(
                terms=(
                    ("1", "mean_D <= L**2/b*norm(move)**2"),
                    ("L**2/b*(norm(move) + zeta/(n0*L))", "norm(move) <= zeta/(n0*L)"),
                )
            ),
        ),
        mutants=(
            mutant(
                "power", "n0 in place of n0^2", "mean_D <= zeta**2/(n0*b)", "b=1 L=1 zeta=1 n0=1/2 mean_D=4 move=(2,)"
            ),
        ),
    ),
    step(
        "s13",
        "(2.12): E_t|grad F_B(theta^t) - grad F(theta^t)|^2 <= (1/b)(1/n) sum of |grad f_i(theta^t)|^2, by Lemma 4.1 "
        "and E|X - E X|^2 <= E|X|^2",
        "mean_E <= Q/(b*n)",
        (RECORDS, BATCH, CENTRED, SQUARES, real("mean_E", "[0, oo)", "E_t|grad F_B(theta^t) - grad F(theta^t)|^2")),
        ("b <= n",),
        given={"srm/LEM-4.1": "mean_E <= min(1, n - b)/(b*n)*S", f"{HERE}/s11-variance": "S <= Q"},
        printed=r"\mathbb{E}_t \left\| \nabla F_{\mathcal{B}_t}(\boldsymbol{\theta}^t) - \nabla "
        r"F(\boldsymbol{\theta}^t) \right\|_2^2 \le \frac{1}{b} \cdot \frac{1}{n} \sum_{i=1}^n \left\| \nabla "
        r"f_i(\boldsymbol{\theta}^t) \right\|_2^2 \le \frac{G^2}{b}",
        place="(2.12), first inequality",
        argument=(
            Combine(
                terms=(
                    ("1", "mean_E <= min(1, n - b)/(b*n)*S"),
                    ("S/(b*n)", "min(1, n - b) <= 1"),
                    ("1/(b*n)", "S <= Q"),
                )
            ),
        ),
        mutants=(mutant("half", "half of it", "mean_E <= Q/(2*b*n)", "n=2 b=1 S=2 Q=2 mean_E=1"),),
    ),
    step(
        "s13-bound",
        "(2.12): (1/b)(1/n) sum of |grad f_i(theta^t)|^2 <= G^2/b, by induction over the records, n = k + 1",
        "(Q + norm(a)**2)/(b*(k + 1)) <= G**2/b",
        (K, BATCH, LIPSCHITZ, SQUARES, ONE),
        ("Q <= k*G**2", "norm(a) <= G"),
        kind=ClaimKind.INDUCTION,
        printed=r"\frac{1}{b} \cdot \frac{1}{n} \sum_{i=1}^n \left\| \nabla f_i(\boldsymbol{\theta}^t) \right\|_2^2 "
        r"\le \frac{G^2}{b}",
        place="(2.12), second inequality",
        argument=(Combine(terms=(("1/(b*(k + 1))", "Q <= k*G**2"), ("(norm(a) + G)/(b*(k + 1))", "norm(a) <= G"))),),
        mutants=(
            mutant("power", "G in place of G^2", "(Q + norm(a)**2)/(b*(k + 1)) <= G/b", "k=0 b=1 G=2 Q=0 a=(2,)"),
        ),
    ),
)
