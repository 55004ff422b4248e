"""Parameters of `hidden_state_couplings`, checked as they are made."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, NamedTuple

from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.records.ranges import OneOf

COUPLINGS = ("independent", "synchronous", "shared isotropic noise", "mean as printed")


@dataclass(frozen=True)
class Params(noisy_zogd.Params):
    """Those of `noisy_zogd.Params`, and coupling: one of COUPLINGS. Raises ConfigurationError."""

    coupling: Annotated[str, OneOf(COUPLINGS)] = "synchronous"

    @property
    def shifted(self) -> int:
        """How often the mean of the directional noise of W' is added: 0, 1, or K as printed."""
        return {"shared isotropic noise": 1, "mean as printed": self.directions}.get(self.coupling, 0)

    @property
    def single(self) -> noisy_zogd.Params:
        """The parameters of one of the two runs."""
        return noisy_zogd.Params(**{one.name: getattr(self, one.name) for one in fields(noisy_zogd.Params)})


class Neighbouring(NamedTuple):
    """Two problems of the same sizes: own, made from D, and other, made from D'."""

    own: SomeProblem
    other: SomeProblem


class CountedPair(Neighbouring):
    """Both problems with their calls counted."""

    @classmethod
    def of(cls, problem: Neighbouring) -> CountedPair:
        """The counted form of a pair."""
        return cls(*map(Counted, problem))

    @property
    def calls(self) -> dict[str, int]:
        """Those of both together."""
        return {name: sum(one.calls[name] for one in self) for name in self.own.calls}
