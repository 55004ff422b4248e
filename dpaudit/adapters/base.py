"""What all adapters share: the target that they describe, and checks of what the user gave."""

from __future__ import annotations

import inspect
from typing import Any, TypedDict, Unpack

from dpaudit.audit import planning
from dpaudit.audit.relation import UNCHECKED, check_neighbours
from dpaudit.content.audits import Attack, Data
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError, UnknownNameError
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, TrialPlan
from dpaudit.records.verdict import Outcome


class Options(TypedDict, total=False):
    """What every adapter takes by keyword beside its claim; `dpaudit.records.target.Target` says what each is.

    trials: from the claim if not given, None for no game; attacks: names to functions score(outputs, data, neighbour)
    or objects with fit(...), in the place of the adapter's own; mechanism: the claim as a mechanism;
    assumptions: `dpaudit.records.assumptions.Assumptions`; check_pair: False where `pair` is no pair of tables of
    records but of numbers made from them, such as counts: then nothing says whether the two are neighbours.
    """

    title: str
    view: View
    trials: TrialPlan | None
    attacks: dict[str, Attack]
    mechanism: Mechanism | None
    needs: tuple[tuple[str, str], ...]
    expects: Outcome
    effect: str
    repair: str
    control: Control
    bug: PlantedBug | None
    truth: Mechanism | None
    deterministic: bool
    isolate: bool
    optional: bool
    early_stop: bool
    from_level: Level
    assumptions: Assumptions
    check_pair: bool


class _Named(type):
    """Names the nearest argument where one is misspelt, and then what is missing, as an error of the user's."""

    def __call__(cls, *given: object, **options: object) -> object:
        makers = [base.__init__ for base in cls.__mro__[:-1]]  # type: ignore[misc]
        known = {*Options.__annotations__, *(name for maker in makers for name in inspect.signature(maker).parameters)}
        known -= {"self", "own_attacks", "options"}
        for name in options:
            if name not in known:
                raise UnknownNameError(f"argument of {cls.__name__}", name, known)
        try:
            inspect.signature(cls.__init__).bind(cls, *given, **options)  # type: ignore[misc]
        except TypeError as error:
            raise ConfigurationError(f"{cls.__name__}: {error}; it takes {', '.join(sorted(known))}") from error
        return super().__call__(*given, **options)


class Adapter(metaclass=_Named):
    """Carries TARGET and ATTACKS, as a target file does; subclasses add `neighbours` and `run`.

    most_trials: of a smoke audit, where the claim would need more.
    """

    most_trials = 1_000_000
    view = View.TRANSCRIPT
    needs: tuple[tuple[str, str], ...] = ()
    empty = 0.0
    """What fills the features of the empty record of zero-out, beside 0."""

    def __init__(
        self, name: str, claim: PrivacyClaim, own_attacks: dict[str, Attack], **options: Unpack[Options]
    ) -> None:
        """own_attacks: used unless the user names others. ConfigurationError for arguments that cannot be."""
        if not isinstance(claim, PrivacyClaim):
            raise ConfigurationError(
                f"{name}: claim must be a PrivacyClaim, got {type(claim).__name__}; write claim=claim(epsilon=1.0) "
                "with `from dpaudit import claim`"
            )
        given: dict[str, Any] = dict(options)
        self.ATTACKS = given.pop("attacks", own_attacks)
        if given.get("assumptions") is not None:
            self.ASSUMPTIONS = given["assumptions"]
        given.pop("assumptions", None)
        self._check_pair: bool = given.pop("check_pair", True)
        self._of_pair: tuple[str, ...] = ()
        if not isinstance(given.get("view", self.view), View):
            raise ConfigurationError(
                f"{name}: view must be one of {', '.join(f'View.{v.name}' for v in View)}, got {given['view']!r}"
            )
        mechanism = given.pop("mechanism", None)
        if "trials" not in given:
            given["trials"] = planning.trials(claim, mechanism, self.most_trials)
        standard = {"title": name, "view": self.view, "needs": self.needs}
        self.TARGET = Target(name=name, claim=claim, claimed_mechanism=mechanism, **{**standard, **given})

    def notes(self) -> tuple[str, ...]:
        """Sentences that belong to the verdict."""
        return self._of_pair

    def _function(self, name: str, given: object, *arguments: str) -> None:
        """ConfigurationError unless the argument `name` is a function that can be called with these arguments."""
        check_called(f"{self.TARGET.name}: {name}", given, *arguments)

    def _neighbours(self, pair: tuple[Data, Data]) -> tuple[Data, Data]:
        """The user's pair; ConfigurationError unless the two are neighbours as the claim says."""
        name, relation = self.TARGET.name, self.TARGET.claim.neighbours
        if not (isinstance(pair, tuple | list) and len(pair) == 2):
            raise ConfigurationError(f"{name}: pair must be (data set, neighbour), got {type(pair).__name__}")
        data, neighbour = pair = tuple(pair)
        try:
            checked = self._check_pair and check_neighbours(data, neighbour, relation, self.empty)
        except ConfigurationError as error:
            raise ConfigurationError(f"{name}: {error}") from error
        self._of_pair = () if checked else (UNCHECKED,)
        return pair


def check_called(what: str, given: object, *arguments: str) -> None:
    """ConfigurationError, which begins with `what`, unless `given` is a function to be called with these arguments."""
    if not callable(given):
        raise ConfigurationError(f"{what} must be a function, got {type(given).__name__}; give it without brackets")
    try:
        signature = inspect.signature(given)
    except ValueError:  # of a function in C
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        raise ConfigurationError(
            f"{what} is called with ({', '.join(arguments)}), by place, and takes {signature}"
        ) from error
