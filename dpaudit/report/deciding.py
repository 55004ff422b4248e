"""A verdict on a target in a few words, for lines that have no room for all of it."""

from __future__ import annotations

from collections.abc import Iterator

from dpaudit.audit.structural.finding import code_of
from dpaudit.records.verdict import Kind, Outcome, Scalar, Verdict
from dpaudit.report import sections

_JUDGED = (Outcome.CONSISTENT, Outcome.REFUTED, Outcome.INCONCLUSIVE)


def line(verdict: Verdict) -> str:
    """What an audit has shown and what was claimed, or what decided; what would have been caught; what was not checked.

    "" of a verdict that no audit made.
    """
    if verdict.kind not in (Kind.AUDIT, Kind.CONTROL) or verdict.outcome not in _JUDGED:
        return ""
    return "; ".join((*_shown(verdict), *_caught(verdict), *_checks(verdict)))


def _shown(verdict: Verdict) -> Iterator[str]:
    """The bound beside the claim; what decided, where the bound does not say it."""
    measured, claimed = (sections.value(verdict, name) for name in ("epsilon_lower_95", "epsilon_claimed"))
    refuted = verdict.outcome is Outcome.REFUTED
    played = isinstance(measured, float) and isinstance(claimed, float)
    if refuted and not (played and measured > claimed):  # type: ignore[operator]  # both are floats
        yield point(verdict)
    elif played:
        yield f"epsilon at least {measured:.3g}, claimed {claimed:.3g}"


def _caught(verdict: Verdict) -> Iterator[str]:
    """The smallest epsilon that this game would have caught nine times in ten if its scores showed all of it, as those
    of an adapter seldom do; of what is refuted nobody asks.

    Of one training it hangs on the scores: the most that its canaries can show, and what they show without noise.
    """
    if verdict.outcome is Outcome.REFUTED:
        return
    names = ("smallest_violation_at_90", "canaries", "limit_of_detection", "epsilon_lower_95_without_noise")
    caught, canaries, limit, silenced = (sections.value(verdict, name) for name in names)
    if canaries is None and isinstance(caught, float):
        yield f"{caught:.3g} would be caught if the scores show all of it"
    if canaries is not None and isinstance(limit, float):
        yield f"{canaries} canaries show {limit:.3g} at most"
    if isinstance(silenced, float):
        yield f"{silenced:.3g} without noise"


def _checks(verdict: Verdict) -> Iterator[str]:
    """How many of the structural checks had nothing to look at."""
    checks = [one for one in verdict.evidence if one.engine == "structural"]
    idle = sum(one.outcome is Outcome.NOT_RUN for one in checks)
    if checks:
        yield f"{idle} of {len(checks)} checks not run" if idle else f"all {len(checks)} checks run"


def refuting_checks(verdict: Verdict) -> list[str]:
    """The structural checks that refute, by the names that `dpaudit explain` knows."""
    found = (one for one in verdict.evidence if one.engine == "structural" and one.outcome is Outcome.REFUTED)
    return [code_of(one.detail.partition(": ")[0]) for one in found]


def point(verdict: Verdict) -> str:
    """Of a REFUTED verdict on a target: what was seen against what the claim allows.

    Bounds on both rates of a test where they contradict the claim by themselves, else the probability of the ranks, the
    capital of the bets or the guesses; where the game refuted nothing, what the first check says that did; "" of what
    no audit refuted.
    """
    refuting = [one for one in verdict.evidence if one.outcome is Outcome.REFUTED]
    if not any(one.engine == "game" for one in refuting):
        return refuting[0].detail if refuting else ""
    seen: dict[str, Scalar] = dict(verdict.witness)
    true, allowed, false = (
        seen.get(name)
        for name in ("true_positive_rate_lower", "true_positive_rate_allowed", "false_positive_rate_upper")
    )
    ranked, capital = seen.get("rank_p_value"), seen.get("log_capital")
    if isinstance(true, float) and isinstance(allowed, float) and isinstance(false, float) and true > allowed:
        digits = next(number for number in range(3, 18) if f"{true:.{number}g}" != f"{allowed:.{number}g}")
        return (
            f"true positive rate at least {true:.{digits}g} at a false positive rate of at most {false:.{digits}g}, "
            f"the claim allows {allowed:.{digits}g}"
        )
    if isinstance(ranked, float):
        return f"scores on D that rank so high have probability at most {ranked:.3g} under the claim"
    if isinstance(capital, float):
        return f"bets against the claim have won e^{capital:.3g} times their capital"
    if "guesses" in seen and "correct" in seen:
        return f"{seen['correct']} of {seen['guesses']} guesses were right, more than the claim allows"
    return refuting[0].detail
