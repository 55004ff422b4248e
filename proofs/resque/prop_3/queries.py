"""The number of queries."""

from dpaudit.claims.writing import *

from .symbols import *

QUERIED = integer("T", "[1, oo)", "ceil(48 L^2/(lambda phi))")

QUERY_STEPS = (
    erratum(
        "queries",
        "At the end of the range, phi large: 2T = 2 ceil(48 L^2/(lambda phi)) queries are O(L^2/(lambda phi)): there "
        "is a constant C, the one that O(.) hides, with at most C L^2/(lambda phi) for all L, lambda, phi > 0",
        "2*T <= C*L**2/(lam*phi)",
        (constant("C"), L, LAM, PHI, QUERIED),
        ROUNDED_UP,
        reads=Reads.BOUNDARY,
        place="Proposition 3; Algorithm 1, lines 2 and 3",
        printed=r"\text{which makes } O\left(\frac{L^2}{\phi\lambda}\right) \text{ total queries to } g",
        kind=ClaimKind.COST,
        argument=(ForEvery(where("L=1 lam=1 phi=48+C T=1"), because="T = ceil(48/(48 + C)) = 1"),),
        finding="A boundary slip that O(1 + L^2/(lambda phi)) mends. Two queries are made however large phi "
        "is, while L^2/(lambda phi) tends to 0: no constant fits all phi (queries-every). "
        "With phi <= L^2/lambda the constant is 98 (beyond, xbar needs no query); Propositions 1 and 2 stay in "
        "that range.",
        repair="resque/PROP-3/queries~repaired",
    ),
    step(
        "queries-every",
        "for every constant C two queries are more than C L^2/(lambda phi) from phi = C L^2/lambda on, whatever L and "
        "lambda are; the paper has O(.), and phi > 0 with no bound above",
        "C*L**2/(lam*phi) < 2*T",
        (L, LAM, PHI, QUERIED, positive("C", "any constant")),
        ROUNDED_UP,
        ours=("C*L**2/lam <= phi",),
        kind=ClaimKind.COST,
        argument=(Combine(terms=(("1/phi", "C*L**2/lam <= phi"), ("2", "1 <= T"), ("1", "0 < 1"))),),
        mutants=(
            Mutant(
                "half",
                "from half of that phi on",
                conditions=(*ROUNDED_UP, "C*L**2/(2*lam) <= phi"),
                candidates=(point("L=1 lam=1 phi=50 T=1 C=100"),),
            ),
        ),
    ),
    step(
        "queries~repaired",
        "for phi <= L^2/lambda at most 98 L^2/(lambda phi)",
        "2*T <= 98*L**2/(lam*phi)",
        (L, LAM, PHI, QUERIED),
        (*ROUNDED_UP, "phi <= L**2/lam"),
        argument=(Combine(terms=(("2", ROUNDED_UP[1]), ("2/phi", "phi <= L**2/lam"))),),
        kind=ClaimKind.COST,
        candidates=(point("L=1 lam=1 phi=1 T=48"),),
        mutants=(
            mutant("constant", "97 in place of 98", "2*T <= 97*L**2/(lam*phi)", "L=1 lam=1 phi=48000/48001 T=49"),
        ),
    ),
)
