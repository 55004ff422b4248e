"""Theorem 5.4, draft."""

from dpaudit.claims.writing import *

from .steps_batches import BATCH_STEPS
from .ours import OURS
from .steps_choice import CHOICE_STEPS
from .steps_combination import COMBINATION_STEPS
from .steps_descent import DESCENT_STEPS
from .steps_error import ERROR_STEPS
from .steps_recursion import RECURSION_STEPS
from .steps_rule import RULE_STEPS

CLAIM = Claim(
    id="srm/THM-5.4",
    title="utility of DP-SRM",
    words="draft",
    place="Theorem 5.4",
    kind=ClaimKind.CONVERGENCE,
    statement=None,
    expects=Outcome.NOT_RUN,
    steps=(*DESCENT_STEPS, *RULE_STEPS, *ERROR_STEPS, *BATCH_STEPS, *RECURSION_STEPS, *COMBINATION_STEPS, *CHOICE_STEPS, *OURS),
)
