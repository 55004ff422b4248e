"""Fact 3: an alternating sum of exponentials is of order |x - y|^p.

The sum is E|w(x) - w(y)|^p for the density ratio w of Lemma 2 at rho = 1 (LEM-2.2/s1), so that the bound of
Lemma 2, proved there with 0.77 for every real order, gives Fact 3 at once for all even p = 2 k. Vectors
enter through a = |x|, b = |y| and the cosine c of their angle: |x - y|^2 = (a - b c)^2 + b^2 (1 - c^2).

The printed proof, s1 to s13, expands to order p in y around x. It is right for every p (odd ones, too), with slips of
the pen: the range "0 <= p <= q" of s6, C(q, p) for C(p, q) in s11, and the fourth derivative,
whose last term is printed as 3 C_q^2 I x I where the tensor is the sum over the three ways to pair the modes. Only
the values on (y - x)^p are used, where the two agree. In s6 the order is p = q + j.
"""

from dpaudit.claims.writing import *

K = integer("k", "[1, oo)", "half of the even order p = 2 k")
A, B, C = real("a", "[0, 1]", "|x|"), real("b", "[0, 1]", "|y|"), real("c", "[-1, 1]", "cosine of the angle of x and y")
SMALL = ("a <= 1/(2*k)", "b <= 1/(2*k)")
FORM = "((2*k - q)**2 - (2*k - q))*a**2 + (q**2 - q)*b**2 + 2*q*(2*k - q)*a*b*c"
SUM = f"sum(q, 0, 2*k, (-1)**q*binomial(2*k, q)*exp(({FORM})/2))"
APART = "sqrt((a - b*c)**2 + b**2*(1 - c**2))"
CLOSE = (point("k=1 a=1/2 b=499/1000 c=1"),)


def power(constant):
    """(constant p |x - y|)^p at p = 2 k."""
    return f"({constant}*(2*k)*{APART})**(2*k)"


def bounded_by(constant):
    """The argument for `SUM <= (constant p |x - y|)^p`."""
    return (
        Bound(
            left=power("0.77"),
            by="resque/LEM-2.2/tight",
            because="the sum is the moment of Lemma 2 at rho = 1, by LEM-2.2/s1",
        ),
        Combine(terms=((power("1"), f"0.77**(2*k) <= ({constant})**(2*k)"),)),
    )


X, Y, H = vector("x"), vector("y"), vector("h", "a step from y")
P, Q, J = integer("p", "[1, oo)", "order"), integer("q", "[0, oo)"), integer("j", "[0, oo)", "p - q")
R, S = integer("r", "[0, oo)", "order of a derivative"), integer("s", "[0, oo)", "number of factors C_q I")
LOG_F = "(((p - q)**2 - (p - q))*dot(x, x) + (q**2 - q)*dot({y}, {y}) + 2*q*(p - q)*dot(x, {y}))/2"
V = "((q**2 - q)*{y} + q*(p - q)*x)"
GROWTH = (real("I0", "[0, oo)", "I_r, the number of monomials of order r"), real("I1", "[0, oo)", "I_{r+1}"))
BALL = ("norm(x) <= 1/(q + j)", "norm(y) <= 1/(q + j)")


def count(r, s):
    """N_{r,s}: ways to choose s pairs of r modes."""
    return f"(binomial({r}, 2*({s}))*factorial(2*({s}))/(factorial({s})*2**({s})))"


DERIVATIVES = (
    step(
        "s1",
        "the gradient of F_q is v_q F_q: log F_q(y + h) = log F_q(y) + <v_q, h> + C_q|h|^2/2",
        f"{LOG_F.format(y='(y + h)')} - {LOG_F.format(y='y')} == dot({V.format(y='y')}, h) + (q**2 - q)*dot(h, h)/2",
        (P, Q, X, Y, H),
    ),
    step(
        "s1-v",
        "the gradient of v_q is C_q I: v_q(y + h) - v_q(y) = C_q h",
        f"norm({V.format(y='(y + h)')} - {V.format(y='y')} - (q**2 - q)*h) == 0",
        (P, Q, X, Y, H),
        mutants=(
            mutant(
                "factor",
                "q^2 in place of C_q",
                f"norm({V.format(y='(y + h)')} - {V.format(y='y')} - q**2*h) == 0",
                "p=3 q=2 x=(1,) y=(1,) h=(1,)",
            ),
        ),
    ),
    step(
        "s2",
        "(36): N_{r,s} = r!/(s! (r - 2s)! 2^s), free of q. Product rule: each monomial gives one with F_q -> v_q F_q "
        "and r - 2s with v_q -> C_q I, so that N_{r+1,s} = N_{r,s} + (r + 2 - 2s) N_{r,s-1}",
        f"{count('r + 1', 's')} == {count('r', 's')} + (r + 2 - 2*s)*{count('r', 's - 1')}",
        (R, integer("s", "[1, oo)")),
        ("2*s <= r + 1",),
        kind=ClaimKind.INDUCTION,
        candidates=(point("r=3 s=1"), point("r=3 s=2"), point("r=6 s=2")),
    ),
    erratum(
        "s2-fourth",
        "the fourth derivative where v_q = 0 is 3 C_q^2 F_q I x I, here on the modes (a, a, b, b) and over C_q^2 F_q",
        "dot(x, x)*dot(y, y) + 2*dot(x, y)**2 == 3*dot(x, x)*dot(y, y)",
        (X, Y),
        candidates=((("x", "(1, 0)"), ("y", "(0, 1)")),),
        finding=(
            "A slip of notation: 3 I x I is not a symmetric tensor, the derivative is the sum over the three pairings "
            "of the four modes (likewise I^s in (36) for s >= 2). On equal modes both are 3|h|^4, and only such values "
            "are used: the proof survives."
        ),
        repair="resque/FACT-3/s2-fourth~repaired",
    ),
    step(
        "s2-fourth~repaired",
        "the sum over the three pairings is 3|h|^4 on equal modes, the value that is used",
        "dot(h, h)*dot(h, h) + 2*dot(h, h)**2 == 3*norm(h)**4",
        (H,),
    ),
    step(
        "s3",
        "(37): the numbers I_r of monomials, I_{r+1} = the sum of (r - 2s + 1) N_{r,s} = (r + 1) I_r - 2 J with J the "
        "sum of s N_{r,s}, grow by a factor of at most p for r <= p - 1",
        "I1 <= p*I0",
        (P, R, *GROWTH, real("J", "[0, oo)", "sum of s N_{r,s}")),
        ("I1 <= (r + 1)*I0 - 2*J", "r <= p - 1"),
        rests_on=("resque/FACT-3/s2",),
        argument=(Combine(terms=(("1", "I1 <= (r + 1)*I0 - 2*J"), ("I0", "r <= p - 1"), ("2*J", "0 <= 1"))),),
        mutants=(mutant("factor", "p - 1", "I1 <= (p - 1)*I0", "p=1 r=0 I0=1 I1=1 J=0"),),
    ),
    step(
        "s3-sums",
        "(37) summed out, in exact arithmetic for p = r + 1 <= 60",
        f"sum(s, 0, r + 1, {count('r + 1', 's')}) <= (r + 1)*sum(s, 0, r, {count('r', 's')})",
        (integer("r", "[0, 59]"),),
        argument=(Enumerate(),),
        mutants=(
            mutant(
                "factor",
                "r in place of r + 1",
                f"sum(s, 0, r + 1, {count('r + 1', 's')}) <= r*sum(s, 0, r, {count('r', 's')})",
                "r=1",
            ),
        ),
    ),
)

AT_X = (
    step(
        "s4",
        "the coefficients add up to p^2 - p, so that F_q at y = x does not depend on q",
        "((p - q)**2 - (p - q)) + (q**2 - q) + 2*q*(p - q) == p**2 - p",
        (P, Q),
    ),
    step(
        "s4-v",
        "v_q at y = x is q (p - 1) x",
        f"norm({V.format(y='x')} - q*(p - 1)*x) == 0",
        (P, Q, X),
        mutants=(mutant("factor", "q p x", f"norm({V.format(y='x')} - q*p*x) == 0", "p=2 q=1 x=(1,)"),),
    ),
    step(
        "s5",
        "(38): the derivatives of order r <= p - 1 at y = x vanish: C_q^s q^(r-2s) is a polynomial of degree r in q",
        "sum(q, 0, p, (-1)**q*binomial(p, q)*(q**2 - q)**s*q**(r - 2*s)) == 0",
        (P, R, S),
        ("2*s <= r", "r <= p - 1"),
        rests_on=("resque/FACT-3/s5-degree",),
        argument=(
            Rewrite(
                left=("sum(i, 0, s, binomial(s, i)*(-1)**(s - i)*sum(q, 0, p, (-1)**q*binomial(p, q)*q**(r - s + i)))"),
                by="binomial-theorem",
                because="(q^2 - q)^s q^(r-2s) = q^(r-s) (q - 1)^s",
            ),
            ByTheorem("resque/FACT-2", because="each inner sum has the power r - s + i <= p - 1"),
        ),
        candidates=(point("p=4 r=3 s=1"), point("p=3 r=2 s=0")),
        mutants=(Mutant("longer", "r up to p", conditions=("2*s <= r", "r <= p"), candidates=(point("p=2 r=2 s=1"),)),),
    ),
    step(
        "s5-degree",
        "the powers that occur are r - s + i with i <= s: at most p - 1",
        "r - s + i <= p - 1",
        (P, R, S, integer("i", "[0, oo)")),
        ("i <= s", "r <= p - 1"),
        argument=(Combine(terms=(("1", "i <= s"), ("1", "r <= p - 1"))),),
        mutants=(mutant("degree", "p - 2", "r - s + i <= p - 2", "p=2 r=1 s=0 i=0"),),
    ),
)

WHOLE = ("q <= q**2", "p - q <= (p - q)**2")
EXPONENTIAL = f"exp({LOG_F.format(y='y')})"
FLAT = (point("p=100 q=50 x=(1/100,) y=(1/100,)"),)
HALF = (
    Logarithm(),
    Rewrite(left=LOG_F.format(y="y"), right="1/2"),
    Combine(
        terms=(
            ("((p - q)**2 - (p - q))/2*(1/p + norm(x))", "norm(x) <= 1/p"),
            ("(q**2 - q)/2*(1/p + norm(y))", "norm(y) <= 1/p"),
            ("q*(p - q)", "dot(x, y) <= norm(x)*norm(y)"),
            ("q*(p - q)*norm(y)", "norm(x) <= 1/p"),
            ("q*(p - q)/p", "norm(y) <= 1/p"),
            ("1/(2*p)", "0 <= 1"),
        )
    ),
)
LENGTH = "norm((q**2 - q)*y + q*j*x)"
SIZES = (
    step(
        "whole",
        "k <= k^2 for every integer k >= 0, so that C_q >= 0",
        "k <= k**2",
        (integer("k", "[0, oo)"),),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("k", (Identical(),), (Combine(terms=(("1", "k <= k**2"), ("2*k", "0 <= 1"))),)),),
        mutants=(mutant("strict", "2 k <= k^2", "2*k <= k**2", "k=1"),),
    ),
    step(
        "s6",
        "|v_q| <= p for 0 <= q <= p (p = q + j)",
        f"{LENGTH} <= q + j",
        (integer("q", "[1, oo)", "for q = 0 both sides are plain"), J, X, Y),
        BALL,
        argument=(
            Combine(
                terms=(
                    ("1", f"{LENGTH} <= norm((q**2 - q)*y) + norm(q*j*x)"),
                    ("q*(q - 1)", "norm(y) <= 1/(q + j)"),
                    ("q*j", "norm(x) <= 1/(q + j)"),
                    ("j + q/(q + j)", "0 <= 1"),
                )
            ),
        ),
        mutants=(mutant("constant", "p/4", f"{LENGTH} <= (q + j)/4", "q=2 j=0 x=(1/2,) y=(1/2,)"),),
    ),
    erratum(
        "s6-range",
        "the same for `any 0 <= p <= q`, as printed",
        f"norm({V.format(y='y')}) <= p",
        (P, Q, X, Y),
        ("p <= q", "norm(x) <= 1/p", "norm(y) <= 1/p"),
        candidates=(point("p=2 q=4 x=(-1/2,) y=(1/2,)"),),
        finding=(
            "A misprint: the range is 0 <= q <= p, the index of the sum; for q > p the bound is false. Nothing but the "
            "range 0 <= q <= p is used, so that the proof survives."
        ),
        repair="resque/FACT-3/s6",
    ),
    step(
        "s7",
        "F_q <= 2 (in fact e^(1/2)) for 0 <= q <= p and |x|, |y| <= 1/p",
        f"{EXPONENTIAL} <= 2",
        (P, Q, X, Y),
        ("norm(x) <= 1/p", "norm(y) <= 1/p", "q <= p", *WHOLE),
        rests_on=("resque/FACT-3/whole",),
        argument=(Bound(left="exp(1/2)", argument=HALF), Combine(terms=(("1", "exp(1/2) <= 2"),))),
        candidates=FLAT,
        tightness=(
            Tightness(
                "exponential",
                printed="2",
                form=f"{EXPONENTIAL} <= {{c}}",
                proved="exp(1/2)",
                refuted="1.6",
                argument=HALF,
                candidates=FLAT,
            ),
        ),
    ),
    step(
        "s8",
        "C_q^s <= p^(2s) for 0 <= q <= p",
        "(q**2 - q)**s <= p**(2*s)",
        (P, Q, S),
        ("q <= p", "q <= q**2"),
        rests_on=("resque/FACT-3/whole",),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "s",
                (Identical(),),
                (
                    Combine(
                        terms=(
                            ("q**2 - q", "(q**2 - q)**s <= p**(2*s)"),
                            ("p**(2*s)*(p + q)", "q <= p"),
                            ("p**(2*s)*q", "0 <= 1"),
                        )
                    ),
                ),
            ),
        ),
        mutants=(mutant("power", "p^s", "(q**2 - q)**s <= p**s", "p=4 q=4 s=1"),),
    ),
    step(
        "s9",
        "repeating (37) from I_0 = 1: I_r <= p^r for r <= p, by induction; at r = p, sum_s N_{p,s} <= p^p",
        "I1 <= p**(r + 1)",
        (P, R, *GROWTH),
        ("I1 <= p*I0", "I0 <= p**r"),
        rests_on=("resque/FACT-3/s3",),
        kind=ClaimKind.INDUCTION,
        argument=(Combine(terms=(("1", "I1 <= p*I0"), ("p", "I0 <= p**r"))),),
        mutants=(mutant("power", "p^r", "I1 <= p**r", "p=2 r=1 I0=2 I1=4"),),
    ),
)


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
        "|D^p f_x^q(y)[(y - x)^p]| <= 2 p^(2p)|y - x|^p: M monomials F_q C_q^s |<v_q, u>|^(p-2s), each at most 2 p^p "
        "(on the whole segment from x to y, where Taylor's theorem needs it)",
        "M*(F*Cs*vs)*n**p <= 2*p**(2*p)*n**p",
        (P, S, *MONOMIAL),
        ("F <= 2", "Cs <= p**(2*s)", "vs <= p**(p - 2*s)", "M <= p**p"),
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
        "sum over q = 0..p of C(p, q) = 2^p",
        "sum(q, 0, p, binomial(p, q)) == 2**p",
        (P,),
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
        repair="resque/FACT-3/s11-sum",
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
        "Taylor's theorem of order p from x to y: |f_x(y)| <= 4^p p^(2p)|x - y|^p/p! <= (12 p|x - y|)^p",
        "4**p*p**(2*p)*n**p/factorial(p) <= (12*p*n)**p",
        (P, MONOMIAL[-1]),
        ("p**p <= 3**p*factorial(p)",),
        rests_on=("taylor-remainder", *(f"resque/FACT-3/s{i}" for i in (5, 10, 11, 12))),
        argument=(Combine(terms=(("4**p*p**p*n**p/factorial(p)", "p**p <= 3**p*factorial(p)"),)),),
        candidates=(point("p=2 n=1"),),
        mutants=(mutant("constant", "3 in place of 12", "4**p*p**(2*p)*n**p/factorial(p) <= (3*p*n)**p", "p=2 n=1"),),
    ),
)

CLAIM = Claim(
    id="resque/FACT-3",
    title="an alternating sum of exponentials",
    words=(
        "p even, |x|, |y| <= 1/p: the sum over q of (-1)^q C(p,q) exp((1/2)[((p-q)^2 - (p-q))|x|^2 + (q^2 - q)|y|^2 + "
        "2q(p-q)<x,y>]) is at most (12 p|x - y|)^p."
    ),
    place="Fact 3, Appendix A",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(f"{SUM} <= {power('12')}", (K, A, B, C), SMALL),
    argument=bounded_by("12"),
    candidates=CLOSE,
    tightness=(
        Tightness(
            "sum",
            printed="12",
            form=f"{SUM} <= {power('{c}')}",
            proved="0.77",
            refuted="0.63",
            argument=bounded_by("0.77"),
            candidates=CLOSE,
        ),
    ),
    mutants=(
        Mutant("unsigned", "the signs dropped", f"{SUM.replace('(-1)**q*', '')} <= {power('12')}", candidates=CLOSE),
        Mutant("no-radius", "|x| and |y| up to 1", conditions=(), candidates=(point("k=5 a=1 b=99/100 c=1"),)),
    ),
    steps=(*DERIVATIVES, *AT_X, *SIZES, *REMAINDER),
)
