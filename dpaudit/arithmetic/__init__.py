"""Numbers that carry a bound: intervals, exact rationals, tracked rounding, unit roundoff; the types of arrays."""
