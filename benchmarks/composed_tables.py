"""The sections of docs/validity.md on what is printed and decided as a whole, from the records of three benchmarks:
exact_size.py, composed.py, stopping.py and attack.py. benchmarks/validity.py writes them into the page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper

FOLDER = Path(__file__).parent.parent / "reports/benchmarks"
DELTAS = (0.0, 1e-12, 1e-5, 1e-3, 0.1)


def markdown() -> str:
    """All sections."""
    exact, composed, stopped, attacked = (
        json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("exact_size", "composed", "stopping", "attack")
    )
    sections = (
        EXACT, table_of_sizes(exact["rows"]), table_of_ranks(exact), RANKS, COMPOSED, table_of_audits(composed["rows"]),
        MU, table_of_mu(composed["mu"]), STOPPED, table_of_stops(stopped["rows"]), GIVEN,
        table_given_a_stop(stopped["rows"]), ATTACKED, table_of_attacks(attacked),
    )  # fmt: skip
    return "\n".join(sections)


def table_of_sizes(rows: list[dict[str, Any]]) -> str:
    """The largest exact size of each method and level, by delta."""
    lines = ["| | promised % | cells | " + " | ".join(f"delta {delta:g}" for delta in DELTAS) + " |", _rule(3 + 5)]
    for method, alpha in dict.fromkeys((row["method"], row["alpha"]) for row in rows):
        own = [row for row in rows if (row["method"], row["alpha"]) == (method, alpha)]
        largest = [
            max((100 * (row["size"] + row["left out"]) for row in own if row["delta"] == delta), default=None)
            for delta in DELTAS
        ]
        shown = ("" if value is None else f"{value:.3g}" for value in largest)
        lines.append(f"| {method} | {100 * own[0]['promised']:g} | {len(own)} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def table_of_ranks(exact: dict[str, Any]) -> str:
    """The rank test's half of a decision, and its tails by quadrature."""
    lines = ["| the rank test | promised % | cells | audits a cell | largest % [95 %] |", _rule(5)]
    drawn = exact["planned ranks"]
    for alpha in dict.fromkeys(row["alpha"] for row in drawn):
        own = [row for row in drawn if row["alpha"] == alpha]
        worst = max(own, key=lambda row: row["wrong"] / row["audits"])
        lines.append(
            f"| drawn | {100 * worst['promised']:g} | {len(own)} | {worst['audits']:,} | "
            f"{share(worst['wrong'], worst['audits'])} |"
        )
    for level in ("0.05", "0.001", "1e-06"):
        sizes = [row["sizes"][level] for row in exact["ranks"]]
        if sizes:
            lines.append(f"| by quadrature | {100 * float(level):g} | {len(sizes)} | exact | {100 * max(sizes):.3g} |")
    return "\n".join(lines) + "\n"


def table_of_audits(rows: list[dict[str, Any]]) -> str:
    """Printed bounds and decisions that were played."""
    lines = ["| law | epsilon | delta | trials | audits | % printed epsilon too high | % refuted at 0.05 | at 0.001 | "
             "at 1e-6 |", _rule(9)]  # fmt: skip
    for row in rows:
        if row["audits"]:
            shares = " | ".join(share(count, row["audits"]) for count in row["wrong"])
            lines.append(
                f"| {row['shape']} | {row['epsilon']:g} | {row['delta']:g} | {row['positives']} x {row['negatives']} | "
                f"{row['audits']:,} | {shares} |"
            )
    return "\n".join(lines) + "\n"


def table_of_mu(rows: list[dict[str, Any]]) -> str:
    """Printed bounds of normal scores."""
    if not any(row["audits"] for row in rows):
        return "Not played yet.\n"
    lines = ["| mu | trials a side | audits | % printed epsilon too high | % printed mu too high |", _rule(5)]
    for row in rows:
        if row["audits"]:
            shares = " | ".join(share(count, row["audits"]) for count in row["wrong"])
            lines.append(f"| {row['mu']:g} | {row['trials']} | {row['audits']:,} | {shares} |")
    return "\n".join(lines) + "\n"


def table_of_stops(rows: list[dict[str, Any]]) -> str:
    """Bounds of games whose bets chose when to stop."""
    lines = ["| law | epsilon | planned trials | audits | % stopped early | % printed too high | % too high, had the "
             "number been fixed |", _rule(7)]  # fmt: skip
    for row in rows:
        audits, printed, fixed = (sum(column) for column in zip(*row["stops"].values(), strict=True))
        lines.append(
            f"| {row['law']} | {row['epsilon']:g} | {row['trials']:,} | {audits:,} | {row['stopped']:.1f} | "
            f"{share(printed, audits)} | {share(fixed, audits)} |"
        )
    return "\n".join(lines) + "\n"


def table_given_a_stop(rows: list[dict[str, Any]]) -> str:
    """The same where games ended, of numbers of trials with a hundred games or more."""
    lines = ["| law | epsilon | ended after | games | % printed too high | % too high, had the number been fixed |",
             _rule(6)]  # fmt: skip
    for row in rows:
        for pairs, (audits, printed, fixed) in row["stops"].items():
            if audits >= 100:
                lines.append(
                    f"| {row['law']} | {row['epsilon']:g} | {int(pairs):,} | {audits:,} | {share(printed, audits)} | "
                    f"{share(fixed, audits)} |"
                )
    return "\n".join(lines) + "\n"


def table_of_attacks(attacked: dict[str, Any]) -> str:
    """Cells that were sought out to break a promise, by group; a flag is a row whose interval lies above its level."""
    lines = ["| group | cells | rows | audits | flags | flags with a fresh seed and four times the audits |", _rule(6)]
    again = attacked["again"]
    for group in dict.fromkeys(row["group"] for row in attacked["rows"]):
        own = [row for row in attacked["rows"] if row["group"] == group]
        audits = [row["audits"] for row in own]
        flags = sum(row["fails"] for row in own)
        second = sum(row["fails"] for row in again if row["group"] == group)
        cells = len({row["cell"] for row in own})
        shown = "exact" if "exact" in audits else f"{sum(audits):,}"
        lines.append(f"| {group} | {cells} | {len(own)} | {shown} | {flags} | {second if flags else ''} |")
    return "\n".join(lines) + "\n"


def share(count: int, trials: int) -> str:
    """In per cent, with the 95 % Clopper-Pearson interval."""
    low, high = (100 * float(end(count, trials, 0.025)) for end in (rate_lower, rate_upper))
    return f"{100 * count / trials:.3g} [{low:.3g}, {high:.3g}]"


def _rule(columns: int) -> str:
    return "|" + " --- |" * columns


EXACT = """
## What is printed and decided, exactly

An audit composes estimators: ties choose between two bounds, and a decision joins counts and ranks. These tables are of
the whole. The laws are the worst that (epsilon, delta)-DP admits, and meet the claim with equality: each side is told
with probability delta, else a randomised response says which one it is. At few trials the error probability of a
method on such a law is a sum over all outcomes. It is computed here by the functions that make verdicts, at epsilon 0,
0.01, 1, 4 and 8, at 20, 50 and 100 trials a side, and 20 against 100 (`benchmarks/exact_size.py`). Each number is the
largest of these, in per cent. `printed` is the bound on epsilon of a verdict; `counts` are one half of a decision. The
joint binomial test decides nothing. It was done at delta 0 and 0.001, at epsilon 0, 1 and 4, with 20, 50 and 100 trials
a side.
"""

RANKS = """
The rank test is the other half. On these laws its statistic has a known distribution, with ties or without. `drawn`:
its p-value at the critical value, which is looked for with the p-value itself, and draws of the statistic; the largest
share of all cells is shown. `by quadrature`: for one and two ranks, of epsilons, deltas and mu, the exact probability
that the p-value is at most the level, with 20 trials on D' and 20 or 40 on D.
"""

COMPOSED = """
## What is printed and decided, played

`benchmarks/composed.py` plays whole audits of the same laws through `decide.printed_bounds` and `decide.judge`. `as it
is`: four values, two of them infinite. `no ties`: with a uniform variable added. `some ties`: to all but one score in
eight, so that ties choose now one bound and now the other. `heavy tails`: without ties, through the quantile function
of a Cauchy law. All pairs of epsilon 0, 0.01, 1, 4, 8 and delta 0, 1e-12, 1e-5, 0.001, 0.1 are played at 100 trials a
side. Intervals are of 95 %. In a row as that of epsilon 0 the printed bound uses all of its error probability: the
share is near 5 %, by construction and not by luck.
"""

MU = """
Bounds on mu are by ranks, and so is the bound on epsilon beyond 4,000 trials a side. Normal scores; epsilon at delta
1e-5.
"""

STOPPED = """
## Where bets chose when to stop

The claim is epsilon 1 at delta 1e-5; the mechanisms leak as much or more (`benchmarks/stopping.py`). The bound that is
printed is promised for the game as a whole, wherever it ends. The last column is why the error probability is shared
out over the times at which a game may end.
"""

GIVEN = """
Given where a game ended, no share is promised: that it ended early says that its scores looked bad. Games that ended
after a few hundred pairs can have bounds that are too high in more than one of twenty; over all games there are fewer.
These are the numbers of pairs after which a hundred games or more ended:
"""

ATTACKED = """
## Sought out to break a promise

`benchmarks/attack.py` plays cells that were chosen by reading the code for weak points: ties that tell, sides of very
unequal sizes, claims at their limits, scores at the ends of float64, dependent canaries, families at extreme rates,
shapes that are private, years of runs with one ledger. A row is one promise in one cell. It is flagged where the 95 %
interval of its share of errors lies above what is promised; of so many rows some are flagged by chance, and these are
played again. `worst law` is exact: the largest probability of a refutation over all mechanisms that keep the claim and
answer with one bit a canary, by linear programs, at levels down to 1e-6. Releases whose number of values is private
were refuted by their shape, at epsilon 8 nearly always, before shapes were counted; these rows are of the counts.
"""
