"""Which strong convexity the second column speaks of: the unit of its cells decides."""

from dpaudit.claims.writing import *

from .symbols import *

MODULUS = unit(
    "modulus",
    "one reading of `mu-strongly convex (3.5)`: mu is the mu_M of Assumption 3.5, in the norm of M; then the second "
    "cell has the unit of f",
    "norm2*(1/mu_M)*top",
    "norm2 mu_M top",
    argument=(),
    reads=Reads.READING,
    place="Theorem 4.2, strongly convex case; Table 1, row 1",
    printed=r"\text{Assume } f \text{ is } \mu\text{-strongly convex (3.5)}",
    expects=Outcome.REFUTED,
    candidates=(point("gap=1 norm2=1 mu_M=1 top=1 value_unit=2 length_unit=1"),),
    finding=(
        "mu_M has no unit, so that the cell has that of f squared over a length squared: mu has to be the modulus "
        "mu_I in the Euclidean norm, as Appendix E.2 says. Assumption 3.5, which the theorem cites, allows either."
    ),
    repair="rbcd/TAB-1.1/unit-strong",
)
