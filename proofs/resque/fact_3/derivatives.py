"""The terms of the sum and their derivatives, along the segment and at x."""

from dpaudit.claims.writing import *

X, Y, H = vector("x"), vector("y"), vector("h", "a step from y")
P, Q, J = integer("p", "[1, oo)", "order"), integer("q", "[0, oo)"), integer("j", "[0, oo)", "p - q")
R, S = integer("r", "[0, oo)", "order of a derivative"), integer("s", "[0, oo)", "number of factors C_q I")
LOG_F = "(((p - q)**2 - (p - q))*dot(x, x) + (q**2 - q)*dot({y}, {y}) + 2*q*(p - q)*dot(x, {y}))/2"
V = "((q**2 - q)*{y} + q*(p - q)*x)"
GROWTH = (real("I0", "[0, oo)", "I_r, the number of monomials of order r"), real("I1", "[0, oo)", "I_{r+1}"))


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
        "Read mode by mode: the fourth derivative where v_q = 0 is 3 C_q^2 F_q I x I, here on the modes (a, a, b, "
        "b) and over C_q^2 F_q",
        "dot(x, x)*dot(y, y) + 2*dot(x, y)**2 == 3*dot(x, x)*dot(y, y)",
        (X, Y),
        reads=Reads.READING,
        candidates=((("x", "(1, 0)"), ("y", "(0, 1)")),),
        finding="A matter of notation: 3 I x I is not a symmetric tensor, the derivative is the sum over the three "
        "pairings of the four modes (likewise I^s in (36) for s >= 2). Read on equal modes, where both are "
        "3|h|^4, the display is right, and only such values are used: the proof survives.",
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
        "In part, (37) summed out, in exact arithmetic for p = r + 1 <= 60",
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

INNER = "sum(q, 0, p, (-1)**q*binomial(p, q)*q**(r - s + i))"
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
                left=f"sum(i, 0, s, binomial(s, i)*(-1)**(s - i)*{INNER})",
                by="binomial-theorem",
                because="(q^2 - q)^s q^(r-2s) = q^(r-s) (q - 1)^s",
            ),
            Rewrite(right="sum(i, 0, s, 0)"),
            Termwise(
                (ByTheorem("resque/FACT-2", at=(("r", "r - s + i"),)),),
                because="each inner sum has a power r - s + i <= p - 1",
            ),
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
