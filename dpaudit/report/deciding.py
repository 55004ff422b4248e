"""A verdict on a target in a few words, for lines that have no room for all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpaudit.audit import minimum
from dpaudit.audit.structural.finding import code_of
from dpaudit.audit.wording import probability
from dpaudit.records.verdict import EDITED, Evidence, Kind, Outcome, Scalar, Verdict
from dpaudit.report import sections

_JUDGED = (Outcome.CONSISTENT, Outcome.REFUTED, Outcome.INCONCLUSIVE)
_NAMED = 3
"""Checks that a line names."""
STATISTICAL = "statistical"
"""Evidence that rests on sampling begins with it, and says how sure it is, up to a colon."""
_WOULD, _IF = " would be caught", " if the scores show all of it"


def line(verdict: Verdict) -> str:
    """Of an audit: what was shown and what is claimed, what decided, what would have been caught, what was not checked.

    "" of a verdict that no audit made.
    """
    if verdict.kind not in (Kind.AUDIT, Kind.CONTROL) or verdict.outcome not in _JUDGED:
        return ""
    return "; ".join((*_shown(verdict), *_decided(verdict), *_caught(verdict), *_not_run(verdict)))


def size(verdict: Verdict) -> str:
    """What a first screen says of a verdict that is not as expected: how large it is and, of what rests on sampling,
    how sure."""
    found = [one.detail for one in verdict.evidence if one.outcome is verdict.outcome]
    sure = [one.partition(":")[0].replace("wrong", "a false alarm") for one in found if one.startswith(STATISTICAL)]
    if not line(verdict):
        return next(iter(found), "")
    delta = sections.value(verdict, "delta")
    return "; ".join((line(verdict), *([f"at delta {delta:.3g}"] if isinstance(delta, float) else []), *sure))


def edited(verdict: Verdict) -> str:
    """That the claim file of a verdict has been changed; "" where nothing is known of that."""
    known = any(EDITED in one.detail for one in verdict.evidence)
    return "Its statement or argument was edited after the certificate that ships with it was made." if known else ""


def _shown(verdict: Verdict) -> Iterator[str]:
    """The bound beside the claim; of a refutation first what decided, where the bound does not say it."""
    measured, claimed = (sections.value(verdict, name) for name in ("epsilon_lower_95", "epsilon_claimed"))
    played = isinstance(measured, float) and isinstance(claimed, float)
    above = played and measured > claimed  # type: ignore[operator]  # both are floats
    refuted = verdict.outcome is Outcome.REFUTED
    if refuted and (not above or _cause(verdict)):
        yield point(verdict)
    if played and (above or not refuted):
        yield f"epsilon at least {measured:.3g}, claimed {claimed:.3g}"
    elif isinstance(claimed, float):
        yield f"claimed epsilon {claimed:.3g}"


def _decided(verdict: Verdict) -> Iterator[str]:
    """What an outcome rests on, where structural checks were made: which of them, or how many, and the game."""
    made = [one for one in verdict.evidence if one.outcome is not Outcome.NOT_RUN]
    checks = sum(one.engine == "structural" for one in made)
    if not checks:
        return
    if verdict.outcome is Outcome.CONSISTENT:
        counted = f"by {checks} check{'s' if checks > 1 else ''}"
        yield f"{counted} and the game" if len(made) > checks else f"{counted}, no game"
    else:
        gravest = [_named(one) for one in made if one.outcome is verdict.outcome]
        yield f"{verdict.outcome.word} by {_listed(gravest)}"


def _caught(verdict: Verdict) -> Iterator[str]:
    """The most noise that would have been seen to be too little, and the smallest epsilon that a game would have
    caught, both nine times in ten; the game if its scores show all of it, as those of an adapter seldom do. Of what is
    refuted nobody asks.

    Of one training it hangs on the scores: the most that its canaries can show, and what they show without noise.
    """
    if verdict.outcome is Outcome.REFUTED:
        return
    names = ("factor_caught_at_90", "canaries", "limit_of_detection", "epsilon_lower_95_without_noise")
    factor, canaries, limit, silenced = (sections.value(verdict, name) for name in names)
    if isinstance(factor, float):
        yield f"{factor:.2g} of the declared noise would be seen"
    if canaries is None:
        yield from _caught_by_the_game(verdict)
    elif isinstance(limit, float):
        yield f"{canaries} canaries show {limit:.3g} at most"
    if isinstance(silenced, float):
        yield f"{silenced:.3g} without noise"


def _caught_by_the_game(verdict: Verdict) -> Iterator[str]:
    names = ("smallest_violation_at_90", "mu_lower_95", "epsilon_claimed", "delta")
    caught, separation, claimed, delta = (sections.value(verdict, name) for name in names)
    known = all(isinstance(one, float) for one in (caught, separation, claimed, delta))
    checked = any(one.engine == "structural" for one in verdict.evidence)
    if known and checked and minimum.of_scores(separation, caught, claimed, delta):  # type: ignore[arg-type]
        yield f"the game alone might miss that only {minimum.QUARTER:g} of the noise is there"
    elif isinstance(caught, float):
        yield f"{'the game would catch ' if checked else ''}{caught:.3g}{_IF if checked else _WOULD + _IF}"


def _not_run(verdict: Verdict) -> Iterator[str]:
    """The structural checks that had nothing to look at."""
    checks = [one for one in verdict.evidence if one.engine == "structural"]
    idle = [_named(one) for one in checks if one.outcome is Outcome.NOT_RUN]
    if checks:
        page = code_of(idle[0]) if len(idle) == 1 else "CHECK"
        yield f"not run: {_listed(idle)} (dpaudit explain {page})" if idle else "every check was run"


def _named(evidence: Evidence) -> str:
    """The check, or the engine."""
    return evidence.detail.partition(": ")[0] if evidence.engine == "structural" else evidence.engine


def _listed(names: Sequence[str]) -> str:
    """The first of the names, and how many more there are."""
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def pages(verdict: Verdict) -> list[str]:
    """The places in the documentation of the structural checks that refute or leave open what the verdict does."""
    if verdict.outcome not in (Outcome.REFUTED, Outcome.INCONCLUSIVE):
        return []
    found = (one for one in verdict.evidence if one.engine == "structural" and one.outcome is verdict.outcome)
    codes = [code_of(_named(one)) for one in found]
    return [f"docs/checks.md#{code}, or dpaudit explain {code}" for code in codes]


def point(verdict: Verdict) -> str:
    """Of a REFUTED verdict on a target: the cause that a structural check found, else what the game saw against what
    the claim allows, or the mechanism that it is claimed of; "" of what no audit refuted.

    Of a game: bounds on both rates of a test where they contradict the claim by themselves, else the probability of
    the ranks, the capital of the bets or the guesses.
    """
    refuting = [one for one in verdict.evidence if one.outcome is Outcome.REFUTED]
    if (cause := _cause(verdict)) or not refuting:
        return cause
    played = any(one.engine == "game" for one in refuting)
    return (_of_a_game(dict(verdict.witness)) if played else "") or refuting[0].detail


def _cause(verdict: Verdict) -> str:
    """What the first structural check says that refutes; "" if none does."""
    found = (one.detail for one in verdict.evidence if one.engine == "structural" and one.outcome is Outcome.REFUTED)
    return next(found, "")


def _of_a_game(seen: dict[str, Scalar]) -> str:
    """What the witness of a game says; "" where it has none of these."""
    true, allowed, false = (
        seen.get(name)
        for name in ("true_positive_rate_lower", "true_positive_rate_allowed", "false_positive_rate_upper")
    )
    ranked, capital, claim = seen.get("rank_p_value"), seen.get("log_capital"), seen.get("allowed_by", "the claim")
    if isinstance(true, float) and isinstance(allowed, float) and isinstance(false, float) and true > allowed:
        digits = next(number for number in range(3, 18) if f"{true:.{number}g}" != f"{allowed:.{number}g}")
        return (
            f"true positive rate at least {true:.{digits}g} at a false positive rate of at most {false:.{digits}g}, "
            f"{claim} allows {allowed:.{digits}g}"
        )
    if isinstance(ranked, float):
        return f"scores on D that rank so high have probability {probability(ranked, 'at most')} under {claim}"
    if isinstance(capital, float):
        return f"bets against {claim} have won e^{capital:.3g} times their capital"
    if "guesses" in seen and "correct" in seen:
        return f"{seen['correct']} of {seen['guesses']} guesses were right, more than {claim} allows"
    return ""
