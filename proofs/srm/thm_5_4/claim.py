r"""Theorem 5.4: the utility of DP-SRM. The statement is in the main paper; what follows is rebuilt from Section 2.3
of the supplement, where the proof ends with (2.25):

    E|grad F(theta~)| <= C10 (sqrt(G L D_F d log(1/delta))/(n eps))^(2/3).

The first half of the proof, up to (2.18), holds for n0 >= 1, and with 12.30 zeta in place of 15 zeta. Two equality
signs are misprints for <= (s1, s10). A factor 2 is lost before (2.15) (s19), and the display there holds nevertheless
(s19-display). What is not shown is n0 >= 1, which s4 uses ((2.6) needs n0 >= 1/2): with n0 = L D_F/G^2 it is a
condition on the problem, and without it (2.18) is false whatever its constant (s24-range, cycle-all).

The statement is (2.25), with the noise of Theorem 5.1 (`utility`). The parts of its proof: `steps_descent` (s1 to s4),
`steps_rule` (s5 to s8), `steps_error` (s9, s10), `steps_batches` (s11 to s13), `steps_recursion` (s14 to s18),
`steps_combination` (s19 to s22), `steps_output` (s23), `steps_choice` (s24); `ours` and `ours_constant` have what the
proof could have had (5.12 zeta), `steps_range` and `steps_cycle` what n0 must be, `runs` the runs of the shipped
algorithm. The second half is in `steps_noise`, `steps_rate` and `steps_conditions`.
"""

from dpaudit.claims.writing import *

from .ours import OURS
from .ours_conditions import CONDITIONS_OURS
from .ours_constant import CONSTANT_STEPS
from .steps_batches import BATCH_STEPS
from .steps_choice import CHOICE_STEPS
from .steps_combination import COMBINATION_STEPS
from .steps_conditions import CONDITIONS
from .steps_cycle import CYCLE_STEPS
from .steps_descent import DESCENT_STEPS
from .steps_error import ERROR_STEPS
from .steps_noise import NOISE
from .steps_output import OUTPUT_STEPS
from .steps_range import RANGE_STEPS
from .steps_rate import RATE
from .steps_recursion import RECURSION_STEPS
from .steps_rule import RULE_STEPS
from .symbols import HERE
from .utility import BY_CHOICE, FALSE_VARIANTS, ORIGINS, STATEMENT

DESCENT = (*DESCENT_STEPS, *RULE_STEPS)
ERRORS = (*ERROR_STEPS, *BATCH_STEPS, *RECURSION_STEPS)
COMBINED = (*COMBINATION_STEPS, *OUTPUT_STEPS, *CHOICE_STEPS)
AROUND = (*OURS, *CONSTANT_STEPS, *RANGE_STEPS, *CYCLE_STEPS)
NOISE_AND_RATE = (*NOISE, *RATE, *CONDITIONS, *CONDITIONS_OURS)

CLAIM = Claim(
    id=HERE,
    title="utility of DP-SRM",
    words=(
        "With n0 = L D_F/G^2, zeta = C9 (sqrt(G L D_F d log(1/delta))/(n eps))^(2/3), T = floor(4 n0 L D_F/zeta^2) + "
        "1, gamma = sqrt(2) zeta/(n0 G), b = b0 = G/(n0 zeta), the noise (2.3), (2.5) and n large enough: E|grad "
        "F(theta~)| <= C10 (sqrt(G L D_F d log(1/delta))/(n eps))^(2/3), the conditions of Theorem 5.1 hold, and the "
        "number of gradients is O(n^2 eps^2/(d log(1/delta))). In part: encoded is the bound, from (2.18), with the "
        "noise at beta = 1/2 or less noise than that, with gamma <= 1 for n large enough, for eps <= log(1/delta), as"
        " the paper assumes before (2.25), and for L D_F >= G^2, without which it can fail (s24-range). The number of"
        " gradients is CPLX-1, on which this rests. The conditions of Theorem 5.1 are left out: they fail for large n"
        " (s41-large-n)."
    ),
    place="Theorem 5.4, (2.25)",
    printed=r"\mathbb{E} \|\nabla F(\widetilde{\boldsymbol{\theta}})\|_{2} \le C_{10} \left(\frac{\sqrt{GLD_{F}d"
    r"\log(1/\delta)}}{n\epsilon}\right)^{\frac{2}{3}}",
    reads=Reads.READING,
    kind=ClaimKind.CONVERGENCE,
    statement=STATEMENT,
    origins=ORIGINS,
    rests_on=("srm/CPLX-1",),
    argument=BY_CHOICE,
    mutants=FALSE_VARIANTS,
    steps=(*DESCENT, *ERRORS, *COMBINED, *AROUND, *NOISE_AND_RATE),
)
