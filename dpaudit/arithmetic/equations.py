"""Linear equations in rational numbers, solved exactly."""

from __future__ import annotations

from fractions import Fraction

ZERO = Fraction(0)


def solved(columns: list[dict[int, Fraction]], right: dict[int, Fraction]) -> list[Fraction] | None:
    """The exact solution of the equations, by elimination; variables that stay free are 0."""
    names = sorted({i for column in columns for i in column} | set(right))
    rows = [[column.get(i, ZERO) for column in columns] + [right.get(i, ZERO)] for i in names]
    pivots: list[tuple[int, int]] = []
    for j in range(len(columns)):
        k = len(pivots)
        i = next((i for i in range(k, len(rows)) if rows[i][j]), None)
        if i is None:
            continue
        rows[k], rows[i] = rows[i], rows[k]
        rows[k] = [x / rows[k][j] for x in rows[k]]
        for other in range(len(rows)):
            if other != k and rows[other][j]:
                factor = rows[other][j]
                rows[other] = [x - factor * y for x, y in zip(rows[other], rows[k], strict=True)]
        pivots.append((k, j))
    if any(row[-1] and not any(row[:-1]) for row in rows):
        return None
    values = [ZERO] * len(columns)
    for k, j in pivots:
        values[j] = rows[k][-1]
    return values
