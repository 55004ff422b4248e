"""DP-SGD written by hand, recorded once and replayed on its neighbours: correct, and with one bug at a time.

What: per-record clipping and Gaussian noise on four parameter groups, 24 steps, 720 noise coordinates; on Poisson
batches, on batches of fixed size where a record is replaced, and on two workers. Then with each bug of
`dpaudit.audit.planted.dp_sgd_bugs`, with their sources.
Why: canary audits need hundreds of trainings for most of the bugs, and never see some; recording and replaying one
training finds each in about twenty runs. On the correct trainings every structural check must stay silent.
Worst-case neighbours: a long, mislabelled record that is there or not, or that has the other label.
The adversary sees every noisy sum of gradients.
"""

from __future__ import annotations

from dpaudit.audit.planted.dp_sgd import Plan
from dpaudit.audit.planted.dp_sgd_bugs import Bug
from dpaudit.audit.planted.dp_sgd_targets import audit, twin
from dpaudit.records.privacy import Neighbours

AUDITS = (
    twin(Plan(), "DP-SGD written by hand, structural checks"),
    twin(Plan(relation=Neighbours.REPLACE_ONE), "DP-SGD on batches of fixed size, structural checks", 4.0232),
    twin(Plan(workers=2), "DP-SGD on two workers, structural checks"),
    *(audit(bug) for bug in Bug if bug.slug),
)
