"""A training of which only the final model is seen, audited once: many crafted records, in or out by coins.

AUDIT = OneRunModel("mine/model", train, records=(X, y), claim=claim(mu=1.0), canaries=500)

Each canary is a blank record with a bright feature of its own (`dpaudit.adapters.canaries.crafted`): no other record
moves what the model makes of this feature, so that much of what the training gives away of it is left in the final
model. The adversary sees the loss of every canary under that model; a smaller one speaks for a canary that was in.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.adapters import canaries as records_of
from dpaudit.adapters.base import Adapter, Options
from dpaudit.audit.randomness import seeded
from dpaudit.audit.structural.data_sets import joined, rows, size
from dpaudit.content.audits import Data
from dpaudit.content.named_scores import named_scores
from dpaudit.noise.stream import Trials
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours, PrivacyClaim, View
from dpaudit.records.target import TrialPlan

Losses = Callable[[Data], ArrayLike]
"""The loss of each of some records under a model, (records,)."""
Train = Callable[[Data, int], Losses]

CANARIES = 500
_SAME = 1e-4
"""By which, relative and absolute, losses of one record may differ that were computed in other batches."""


class OneRunModel(Adapter):
    """One training with crafted records, and the same without its noise to show what the losses can tell."""

    view = View.LOSS

    def __init__(
        self,
        name: str,
        train: Train,
        *,
        claim: PrivacyClaim,
        records: Data,
        canaries: int = CANARIES,
        without_noise: Train | None = None,
        **options: Unpack[Options],
    ) -> None:
        """train(records, seed): one training, which returns the function losses(records) of its final model; its
        randomness hangs on the seed, or on global generators, which are seeded. without_noise: the same with the noise
        left out; without it the audit is INCONCLUSIVE unless the losses tell the canaries apart, or refute.

        records: an array or a tuple of arrays, floats as features; canaries: crafted records that join them, half of
        them on average. ConfigurationError for arguments that cannot be.
        """
        if claim.neighbours is not Neighbours.ADD_OR_REMOVE:
            raise ConfigurationError(
                f"{name}: a canary is a record that is there or not, and the claim is of {claim.neighbours}; write a "
                "target file with canaries= for it"
            )
        if options.get("view", self.view) is not self.view:
            raise ConfigurationError(f"{name}: the adversary sees losses, so that view must be View.LOSS")
        options.setdefault("trials", TrialPlan(2, 2, 2))
        super().__init__(name, claim, {}, **options)
        self._records = records_of.checked(name, records)
        self._crafted = records_of.crafted(name, self._records, canaries)
        self.TARGET = replace(self.TARGET, canaries=canaries)
        self._function("train", train, "records", "seed")
        self._train = train
        if without_noise is not None:
            self._function("without_noise", without_noise, "records", "seed")
            self.without_noise = self._silent(without_noise)

    def run(self, included: NDArray[np.bool_], trials: Trials) -> NDArray[np.float64]:
        """The named scores of one training: the losses with the sign turned."""
        return self._scores(self._train, included, trials)

    def notes(self) -> tuple[str, ...]:
        """What is audited, for the verdict."""
        return (*super().notes(), f"canaries are {self.TARGET.canaries} blank records with a bright feature each")

    def _silent(self, train: Train) -> Callable[[NDArray[np.bool_], Trials], NDArray[np.float64]]:
        return lambda included, trials: self._scores(train, included, trials)

    def _scores(self, train: Train, included: NDArray[np.bool_], trials: Trials) -> NDArray[np.float64]:
        seed = int(trials.seeds()[0]) & 0x7FFFFFFF
        members = joined(self._records, rows(self._crafted, np.flatnonzero(included)))
        with seeded(seed):
            losses = train(copy.deepcopy(members), seed)
            if not callable(losses):
                raise ContentError(
                    f"train must return a function losses(records) of the final model, got {type(losses).__name__}"
                )
            places = np.arange(size(self._crafted))
            shuffled = np.random.default_rng([seed, 2]).permutation(places)
            found, again = (self._losses(losses, order) for order in (places, shuffled))
        if not np.allclose(found, again, rtol=_SAME, atol=_SAME, equal_nan=True):
            raise ContentError(
                "losses gives a record another loss where the records come in another order, so that nobody knows "
                "whose loss is whose; return one loss a record, in the order of the records that are handed over, of a "
                "model that is in evaluation mode"
            )
        return named_scores(np.arange(len(found)), -found)

    def _losses(self, losses: Losses, order: NDArray[np.int64]) -> NDArray[np.float64]:
        """The loss of every canary, (canaries,), which are handed over in this order."""
        found = np.asarray(losses(copy.deepcopy(rows(self._crafted, order))), dtype=np.float64)
        if found.shape != order.shape:
            raise ContentError(f"losses must return one number a record, shape {order.shape}, got {found.shape}")
        known = np.empty(len(order))
        known[order] = found
        return known
