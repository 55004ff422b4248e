"""The accountants of `accountants` as audit targets, each as it is broken and as it is right."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpaudit.audit.accounts import Account
from dpaudit.audit.planted import accountants
from dpaudit.audit.planted.accountants import Accountant
from dpaudit.content.audits import Audit
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier
from dpaudit.records.verdict import Outcome


@dataclass(frozen=True)
class Twins:
    """slug: of the name of both targets; accounts: how many are looked at; relation: what the accounts speak of."""

    slug: str
    accountant: Accountant
    title: str
    source: str
    effect: str
    accounts: int = 1
    relation: Neighbours = Neighbours.ADD_OR_REMOVE

    def target(self, broken: bool) -> Target:
        """The target of the broken or of the correct accountant."""
        return Target(
            name=f"known-bad/accountant-{self.slug}" if broken else f"accountant/{self.slug}",
            title=f"{self.title}{', broken' if broken else ', as it must be'}",
            view=View.TRANSCRIPT,
            # What is claimed is stated by the accounts, each for a mechanism of its own.
            claim=PrivacyClaim(ApproximateDP(math.inf, 0.0), self.relation, accountants.DELTA, self.source),
            trials=None,
            control=Control.KNOWN_BAD if broken else Control.NONE,
            expects=Outcome.REFUTED if broken else Outcome.CONSISTENT,
            effect=self.effect if broken else "an accountant that is right is called wrong: an enclosure is wrong",
            repair=f"accountant/{self.slug}" if broken else "",
            bug=PlantedBug(self.source, Tier.ACCOUNTS, self.accounts) if broken else None,
        )

    def audit(self, broken: bool) -> Audit:
        """The audit of the broken or of the correct accountant."""
        return Audit(self.target(broken), accounts=lambda: (Account(*stated) for stated in self.accountant(broken)))


CASES = (
    Twins(
        "wrong-sign",
        accountants.wrong_sign,
        "Calibration of the analytic Gaussian mechanism, one sign",
        "https://github.com/opendp/smartnoise-core/issues/316",
        "noise for epsilon 1 is that of epsilon 59",
        accounts=3,
    ),
    Twins(
        "classic-scale",
        accountants.classic_scale,
        "Classic scale of Gaussian noise, beyond its range",
        "Balle, Wang (2018), https://arxiv.org/abs/1805.06530, section 2.3",
        "noise for epsilon 20 gives 25.4",
        accounts=3,
    ),
    Twins(
        "fixed-size-as-poisson",
        accountants.fixed_size_as_poisson,
        "Batches of constant size, accounted for as Poisson samples",
        "https://github.com/meta-pytorch/opacus/issues/80",
        "epsilon is 6.9 or more where 1.8 is stated",
        relation=Neighbours.REPLACE_ONE,
    ),
    Twins(
        "fixed-batches-as-sampled",
        accountants.fixed_batches_as_sampled,
        "The same batches every epoch, accounted for as samples",
        "Chua et al. (2024), https://arxiv.org/abs/2403.17673; https://github.com/lxuechen/private-transformers/issues/7",
        "epsilon is 3.7 where 1.3 is stated",
    ),
    Twins(
        "best-of-forty",
        accountants.best_of_forty,
        "Hyper-parameters chosen on the private data",
        "https://github.com/aidotse/LeakPro/pull/438; Papernot, Steinke (2022), https://arxiv.org/abs/2110.03620",
        "epsilon of the search is 3.3 where 0.43, of its best run, is stated",
    ),
    Twins(
        "calibration-below",
        accountants.calibration_below,
        "Calibration that ends on the wrong side",
        "https://github.com/meta-pytorch/opacus/issues/346, https://github.com/meta-pytorch/opacus/issues/348",
        "the epsilon of the noise that is returned is above the target",
        accounts=2,
    ),
    Twins(
        "orders-near-one",
        accountants.orders_near_one,
        "Conversion of Renyi divergences at orders near 1",
        "https://github.com/tensorflow/privacy/issues/166",
        "epsilon 0 is stated for a release that has epsilon 2",
    ),
    Twins(
        "changes-when-read",
        accountants.changes_when_read,
        "An accountant whose history changes when it is read",
        "https://github.com/meta-pytorch/opacus/issues/535",
        "whoever prints epsilon twice sees 2.2 for 3.3",
        accounts=2,
    ),
    Twins(
        "central-limit",
        accountants.central_limit,
        "The central limit theorem taken for a bound",
        "https://github.com/meta-pytorch/opacus/issues/715; Gopi, Lee, Wutschitz (2021), https://arxiv.org/abs/2106.02848",
        "epsilon is 3.8 where 1.5 is stated",
    ),
    Twins(
        "last-spend-counted",
        accountants.last_spend_counted,
        "An odometer of unequal spends",
        "after https://github.com/opendp/smartnoise-sdk/issues/621, another wrong formula of an odometer",
        "a budget of 1.1 is spent, 0.3 is shown",
    ),
    Twins(
        "spent-twice",
        accountants.spent_twice,
        "The whole budget spent by each of two queries",
        "Cebere et al. (2026), https://arxiv.org/abs/2602.17454",
        "epsilon is 2 where 1 is stated",
    ),
    Twins(
        "shared-slice",
        accountants.shared_slice,
        "Two statistics on one slice of the budget",
        "https://github.com/IBM/differential-privacy-library/issues/104, item 2",
        "epsilon is 1.5 where 1 is stated",
    ),
    Twins(
        "replaced-as-removed",
        accountants.replaced_as_removed,
        "Replacement of a record with the noise for its removal",
        "https://github.com/google-deepmind/jax_privacy/blob/main/docs/sharp_edges_dp_training_pitfalls.md",
        "epsilon is 4.4 where 2 is stated",
        relation=Neighbours.REPLACE_ONE,
    ),
    Twins(
        "incomplete-batch",
        accountants.incomplete_batch,
        "The last, incomplete batch of an epoch left out of the count",
        "https://github.com/opendp/smartnoise-sdk/pull/424",
        "epsilon is 1.34 where 1.09 is stated",
    ),
    Twins(
        "reset-on-resume",
        accountants.reset_on_resume,
        "An accountant that forgets the steps before a checkpoint",
        "https://github.com/meta-pytorch/opacus/issues/373",
        "epsilon is 2 where 1.2 is stated",
    ),
    Twins(
        "records-of-one-person",
        accountants.records_of_one_person,
        "Noise for records under a promise about persons",
        "Dwork, Roth (2014), https://doi.org/10.1561/0400000042, theorem 2.2, group privacy",
        "a person with five records has epsilon 4.4, not 0.73",
    ),
    Twins(
        "overlapping-parts",
        accountants.overlapping_parts,
        "Parallel composition on parts that overlap",
        "McSherry (2009), https://doi.org/10.1145/1559845.1559850, theorem 4 without its condition",
        "records in both parts have epsilon 1.5, not 1",
    ),
    Twins(
        "linear-amplification",
        accountants.linear_amplification,
        "Amplification by sampling taken to be linear",
        "Balle, Barthe, Gaboardi (2018), https://arxiv.org/abs/1807.01647, theorem 8",
        "epsilon is 0.49 where 0.2 is stated",
    ),
    Twins(
        "decimal-logarithm",
        accountants.decimal_logarithm,
        "Conversion of zCDP with the decimal logarithm",
        "Bun, Steinke (2016), https://arxiv.org/abs/1605.02065, proposition 1.3",
        "epsilon is 2 where 1.7 is stated",
    ),
    Twins(
        "gaussian-as-pure",
        accountants.gaussian_as_pure,
        "Gaussian noise stated without its delta",
        "Dwork, Roth (2014), https://doi.org/10.1561/0400000042, section 3.5.3",
        "no epsilon holds with certainty: rare outcomes give a record away",
    ),
)
