"""What decided a refutation, in a few words, for lines that have no room for all of it."""

from __future__ import annotations

from dpaudit.records.verdict import Outcome, Scalar, Verdict


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
