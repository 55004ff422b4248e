"""The remainder of the expansion."""

from dpaudit.claims.writing import *

from .derivatives import P, S


def factorial_bound(constant):
    """The argument for `p^p <= constant^p p!`: the step is (1 + t)^(1/t) <= e <= constant at t = 1/p."""
    return (
        Induct(
            "p",
            (Combine(terms=(("1", f"1 <= {constant}"),)),),
            (
                Bound(
                    right=f"{constant}*(p + 1)*p**p",
                    argument=(Combine(terms=((f"{constant}*(p + 1)", f"p**p <= {constant}**p*factorial(p)"),)),),
                ),
                Scale("1/(p + 1)"),
                Rewrite(left="(p + 1)**p", right=f"{constant}*p**p"),
                Substitute((real("t", "(0, 1]", "1/p"),), where("p=1/t"), where("t=1/p")),
                Scale("t**(1/t)"),
                Rewrite(left="(1 + t)**(1/t)", right=constant),
                Logarithm(),
                Scale("t"),
                Rewrite(left="log(1 + t)", right=f"t*log({constant})"),
                Bound(right="t", argument=(Combine(terms=(("t", f"1 <= log({constant})"),)),)),
                Monotone("t", "low", (Positive(),)),
                Identical(),
            ),
        ),
    )


MONOMIAL = (
    real("F", "[0, oo)", "F_q"), real("Cs", "[0, oo)", "C_q^s"), real("vs", "[0, oo)", "|<v_q, u>|^(p-2s), |u| = 1"),
    real("M", "[0, oo)", "number of monomials"), real("n", "[0, oo)", "|y - x|"),
)  # fmt: skip
ONES = point("p=1 s=0 F=2 Cs=1 vs=1 M=1 n=1")
REMAINDER = (
    step(
        "s10",
        "|D^p f_x^q(y)[(y - x)^p]| <= 2 p^(2p)|y - x|^p. In part: M monomials F_q C_q^s |<v_q, u>|^(p-2s), each "
        "at most 2 p^p (on the whole segment from x to y, where Taylor's theorem needs it)",
        "M*(F*Cs*vs)*n**p <= 2*p**(2*p)*n**p",
        (P, S, *MONOMIAL),
        given={
            "resque/FACT-3/s7": "F <= 2",
            "resque/FACT-3/s8": "Cs <= p**(2*s)",
            "resque/FACT-3/s6": "vs <= p**(p - 2*s)",
            "resque/FACT-3/s9": "M <= p**p",
        },
        rests_on=tuple(f"resque/FACT-3/s{i}" for i in (6, 7, 8, 9)),
        argument=(
            Combine(
                terms=(
                    ("M*Cs*vs*n**p", "F <= 2"),
                    ("2*M*vs*n**p", "Cs <= p**(2*s)"),
                    ("2*M*p**(2*s)*n**p", "vs <= p**(p - 2*s)"),
                    ("2*p**p*n**p", "M <= p**p"),
                )
            ),
        ),
        candidates=(ONES,),
        mutants=(Mutant("constant", "1.9 in place of 2", "M*(F*Cs*vs)*n**p <= 1.9*p**(2*p)*n**p"),),
    ),
    step(
        "s11",
        "the binomial coefficients add up to 2^p, and 2 * 2^p <= 4^p",
        "2*2**p*(p**(2*p)*n**p) <= 4**p*(p**(2*p)*n**p)",
        (P, MONOMIAL[-1]),
        rests_on=("resque/FACT-3/s11-sum",),
        argument=(
            Rewrite(left="p**(2*p)*n**p*2**(p + 1)", right="p**(2*p)*n**p*2**(2*p)"),
            Bound(
                left="p**(2*p)*n**p*2**(2*p)",
                argument=(Combine(terms=(("p**(2*p)*n**p*2**(p + 1)", "1 <= 2**(p - 1)"),)),),
            ),
            Identical(),
        ),
        candidates=(point("p=1 n=1"),),
        tightness=(
            Tightness(
                "signs",
                printed="4",
                form="2*2**p*(p**(2*p)*n**p) <= {c}**p*(p**(2*p)*n**p)",
                proved="4",
                refuted="3.9",
                candidates=(point("p=1 n=1"),),
            ),
        ),
    ),
    step(
        "s11-sum",
        "Not printed: sum over q = 0..p of C(p, q) = 2^p",
        "sum(q, 0, p, binomial(p, q)) == 2**p",
        (P,),
        reads=Reads.OURS,
        argument=(Rewrite(left="(1 + 1)**p", by="binomial-theorem"), Identical()),
        candidates=(point("p=3"), point("p=1")),
    ),
    erratum(
        "s11-binomial",
        "sum over 0 <= q <= p of C(q, p) = 2^p, as printed",
        "sum(q, 0, p, binomial(q, p)) == 2**p",
        (P,),
        candidates=(point("p=2"),),
        finding=(
            "A misprint: C(q, p) stands for C(p, q). As printed the sum is 1. The unsigned coefficients of f_x are "
            "C(p, q) and add up to 2^p, which is what is used."
        ),
        repair="resque/FACT-3/s11",
    ),
    step(
        "s12",
        "p^p <= 3^p p!",
        "p**p <= 3**p*factorial(p)",
        (P,),
        kind=ClaimKind.INDUCTION,
        argument=factorial_bound("3"),
        tightness=(
            Tightness(
                "factorial",
                printed="3",
                form="p**p <= {c}**p*factorial(p)",
                proved="2.72",
                refuted="2.7",
                argument=factorial_bound("2.72"),
                candidates=(point("p=1000"),),
            ),
        ),
    ),
    step(
        "s13",
        "Taylor's theorem of order p from x to y: |f_x(y)| <= 4^p p^(2p)|x - y|^p/p! <= (12 p|x - y|)^p. In part: "
        "the second inequality; the first is Taylor's theorem with s5, s10 and s11",
        "4**p*p**(2*p)*n**p/factorial(p) <= (12*p*n)**p",
        (P, MONOMIAL[-1]),
        given={"resque/FACT-3/s12": "p**p <= 3**p*factorial(p)"},
        rests_on=("taylor-remainder", *(f"resque/FACT-3/s{i}" for i in (5, 10, 11, 12))),
        argument=(Combine(terms=(("4**p*p**p*n**p/factorial(p)", "p**p <= 3**p*factorial(p)"),)),),
        candidates=(point("p=2 n=1"),),
        mutants=(mutant("constant", "3 in place of 12", "4**p*p**(2*p)*n**p/factorial(p) <= (3*p*n)**p", "p=2 n=1"),),
    ),
)
