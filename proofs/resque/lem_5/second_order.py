"""s7 to s10: the second-order term (20), sums and their factors."""

from dpaudit.claims.writing import *

from .symbols import *

SMALL = ("q + 2 <= p", "u*p <= 1/(2*p)")
PART_A = "sum(q, 0, p - 2, 2**q*binomial(p - 2, q)*{})"
P_THREE = integer("p", "[3, oo)", "ceil(5 l)")
REST = real("R", "[0, oo)", "the printed sum without its first term")
EXPANSION = (integer("n", "[0, oo)", "p - 2"), PHI, real("t", "[0, 1]"), positive("C"))
EXPANDED = "sum(q, 0, n, binomial(n, q)*Pot**(n - q)*t**({})*C**(2 + q))"

TERM_STEPS = (
    erratum(
        "s7",
        "(20), line 1: E[(Phi + tC)^(p-2) C^2] = sum of C(p-2, q) Phi^(p-2-q) t^(2+q) C^(2+q)",
        f"(Pot + t*C)**n*C**2 == {EXPANDED.format('2 + q')}",
        EXPANSION,
        candidates=(point("n=0 Pot=1 t=1/2 C=1"),),
        finding=(
            "The binomial theorem gives t^q, not t^(2+q): at p = 2 the left side is C^2, the right t^2 C^2. Nothing "
            "depends on it, as the next line only uses t <= 1."
        ),
        repair=f"{HERE}/s8",
    ),
    step(
        "s7~repaired",
        "the same with t^q",
        f"(Pot + t*C)**n*C**2 == {EXPANDED.format('q')}",
        EXPANSION,
        argument=(ByTheorem("binomial-theorem", because="a = Phi, b = -t C, times C^2"),),
        candidates=(point("n=2 Pot=1 t=1/2 C=3"), point("n=1 Pot=2 t=1 C=3")),
        mutants=(
            Mutant("power", "t^(q+1)", f"(Pot + t*C)**n*C**2 == {EXPANDED.format('(q + 1)')}"),
            Mutant("factor", "C in place of C^2", f"(Pot + t*C)**n*C == {EXPANDED.format('q')}"),
        ),
    ),
    step(
        "s8",
        "(20), line 2: t^q (|A| + B)^(2+q) <= 4 2^q (|A|^(2+q) + B^(2+q)); unit: the larger of |A| and B, s the other",
        "t**q*(1 + s)**(q + 2) <= 4*2**q*(1 + s**(q + 2))",
        (Q, real("t", "[0, 1]"), real("s", "[0, 1]")),
        argument=(
            Bound(
                left="4*2**q",
                argument=(Scale("1/2**(q + 2)"), Rewrite(left="t**q*((1 + s)/2)**(q + 2)", right="1"), Boxes()),
            ),
            Combine(terms=(("4*2**q", "0 <= s**(q + 2)"),)),
        ),
        mutants=(mutant("no-power", "without 2^q", "t**q*(1 + s)**(q + 2) <= 4*(1 + s**(q + 2))", "q=2 t=1 s=1"),),
        tightness=(
            Tightness(
                "power-mean",
                printed="4",
                form="t**q*(1 + s)**(q + 2) <= {c}*2**q*(1 + s**(q + 2))",
                proved="2",
                refuted="1.9",
                argument=(
                    Bound(
                        left="(1 + s)**(q + 2)",
                        argument=(Scale("1/(1 + s)**(q + 2)"), Rewrite(left="t**q", right="1"), Boxes()),
                    ),
                    Induct(
                        "q",
                        base=(Combine(terms=(("1", "0 <= (1 - s)**2"),)),),
                        step=(
                            Combine(
                                terms=(
                                    ("1 + s", "(1 + s)**(q + 2) <= 2*2**q*(1 + s**(q + 2))"),
                                    ("2*2**q*(1 - s)", "s**(q + 2) <= 1"),
                                )
                            ),
                        ),
                    ),
                ),
                candidates=(point("q=0 t=1 s=1"),),
            ),
        ),
    ),
    step(
        "s9",
        "(20), line 3, part A, over Phi^p: with (16) at order q + 2 the sum of line 2 is at most the printed one, "
        "whose factors have q; 1 + R is that sum, its first term is 1, and u = 48 eta L/rho. True for the sums, not "
        "term by term (27 u^3 against 9 u^3 at q = 1, p = 3): the first term has the room. For p >= 3; at p = 2 "
        "both sums are 4 u^2",
        f"{PART_A.format('(u*(q + 2))**(q + 2)')} <= (u*p)**2*(1 + R)",
        (P_THREE, U, REST),
        given={f"{HERE}/s12": "2*u*p**2 <= 1"},
        argument=(
            Bound(
                left=PART_A.format("(4*u**2*(9/(8*p))**q)"),
                argument=(
                    Termwise(
                        (
                            Have("(u*(q + 2))**(q + 2) <= 4*u**2*(9/(8*p))**q", (ByTheorem(f"{HERE}/s9-term"),)),
                            Combine((("2**q*binomial(p - 2, q)", "(u*(q + 2))**(q + 2) <= 4*u**2*(9/(8*p))**q"),)),
                        )
                    ),
                ),
                because="term by term, as q + 2 <= p",
            ),
            Bound(left="4*u**2*(1 + 9/(4*p))**(p - 2)", by="binomial-theorem", because="a = 1, b = -9/(4p)"),
            Bound(left="u**2*p**2", by=f"{HERE}/s9-room"),
            Combine(terms=(("u**2*p**2", "0 <= R"),)),
        ),
        mutants=(
            mutant(
                "third",
                "a third of the first term",
                f"{PART_A.format('(u*(q + 2))**(q + 2)')} <= (u*p)**2*(1/3 + R)",
                "p=3 u=1/100 R=0",
            ),
        ),
    ),
    step(
        "s9-term",
        "Not printed: (48 eta L (q + 2)/rho)^(q + 2) <= 4 u^2 (9/(8p))^q, as (q + 2)^2 <= 4 (9/4)^q",
        "(u*(q + 2))**(q + 2) <= 4*u**2*(9/(8*p))**q",
        (P, Q, U),
        ("q + 2 <= p", "2*u*p**2 <= 1"),
        reads=Reads.OURS,
        argument=(
            Scale("(8*p/9)**q/u**2"),
            Rewrite(left="(q + 2)**2*(4/9)**q*(2*u*p*(q + 2))**q", right="4"),
            Bound(
                left="(q + 2)**2*(4/9)**q",
                argument=(
                    Scale("1/((q + 2)**2*(4/9)**q)"),
                    Rewrite(left="(2*u*p*(q + 2))**q", right="1"),
                    Substitute(
                        (real("a", "(0, 1]", "(q + 2)/p"), real("y", "(0, 1]", "2 u p^2")),
                        (("p", "(q + 2)/a"), ("u", "y*a**2/(2*(q + 2)**2)")),
                        (("a", "(q + 2)/p"), ("y", "2*u*p**2")),
                    ),
                    Rewrite(left="(y*a)**q"),
                    Boxes(),
                ),
            ),
            Scale("(9/4)**q"),
            Rewrite(left="(q + 2)**2", right="4*(9/4)**q"),
            Bound(left="4*(9/4)**q", by=f"{HERE}/s9-square"),
            Identical(),
        ),
        mutants=(
            mutant("constant", "3.9 in place of 4", "(u*(q + 2))**(q + 2) <= 3.9*u**2*(9/(8*p))**q", "p=2 q=0 u=1/100"),
        ),
    ),
    step(
        "s9-square",
        "Not printed: (q + 2)^2 <= 4 (9/4)^q",
        "(q + 2)**2 <= 4*(9/4)**q",
        (Q,),
        reads=Reads.OURS,
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "q",
                base=(Identical(),),
                step=(Combine(terms=(("9/4", "(q + 2)**2 <= 4*(9/4)**q"), ("5/4*q**2 + 3*q", "0 <= 1"))),),
            ),
        ),
        mutants=(mutant("base", "2^q", "(q + 2)**2 <= 4*2**q", "q=1"),),
    ),
    step(
        "s9-room",
        "Not printed: 4 (1 + 9/(4p))^(p-2) <= p^2 for p >= 3",
        "4*(1 + 9/(4*p))**(p - 2) <= p**2",
        (P_THREE,),
        reads=Reads.OURS,
        argument=(
            Logarithm(),
            Rewrite(left="log(4) + (p - 2)*log(1 + 9/(4*p))", right="2*log(p)"),
            Bound(
                left="log(4) + (p - 2)*(9/(4*p))",
                argument=(
                    Shift("-log(4)"),
                    Scale("1/(p - 2)"),
                    Rewrite(left="log(1 + 9/(4*p))", right="9/(4*p)"),
                    Substitute((real("z", "[0, 1]"),), where("p=9/(4*z)"), where("z=9/(4*p)")),
                    Rewrite(left="log(1 + z)", right="z"),
                    Tangent("z", "0"),
                ),
            ),
            Monotone("p", "low", (Scale("p**2"), Rewrite(left="0", right="2*p - 9/2"), Boxes())),
            Boxes(),
        ),
        mutants=(mutant("constant", "5.2", "5.2*(1 + 9/(4*p))**(p - 2) <= p**2", "p=3"),),
    ),
    step(
        "s9-second",
        "(20), line 3, part B: (48 eta L(2+q)/rho)^(2(2+q)) <= (48 eta L p/rho)^2 (48 eta L(2+q)/rho)^(2q+2)",
        "(u*(q + 2))**(2*(q + 2)) <= (u*p)**2*(u*(q + 2))**(2*q + 2)",
        (P, Q, U),
        SMALL[:1],
        given={f"{HERE}/s12": SMALL[1]},
        argument=(Combine(terms=(("(u*(q + 2))**(2*q + 2)*u**2*(p + q + 2)", "q + 2 <= p"),)),),
        mutants=(
            mutant(
                "too-small",
                "p - 1 in place of p",
                "(u*(q + 2))**(2*(q + 2)) <= (u*(p - 1))**2*(u*(q + 2))**(2*q + 2)",
                "p=3 q=1 u=1/100",
            ),
        ),
    ),
    step(
        "s10",
        "(20), line 4: (48 eta L(2+q)/rho)^(2q+2) <= (48 eta L p/rho)^q, so that both parts have the terms of "
        "(1 + 96 eta L p/rho)^(p-2)",
        "(u*(q + 2))**(2*q + 2) <= (u*p)**q",
        (P, Q, U),
        SMALL[:1],
        given={f"{HERE}/s12": SMALL[1]},
        argument=(
            Scale("1/(u*p)**q"),
            Rewrite(left="((q + 2)/p)**(2*q + 2)*(u*p)**(q + 2)", right="1"),
            Substitute(
                (real("a", "(0, 1]", "(q + 2)/p"), real("y", "(0, 1]", "2 u p^2")),
                (("p", "(q + 2)/a"), ("u", "y*a**2/(2*(q + 2)**2)")),
                (("a", "(q + 2)/p"), ("y", "2*u*p**2")),
            ),
            Rewrite(left="a**(2*q + 2)*(y*a/(2*(q + 2)))**(q + 2)"),
            Boxes(),
        ),
        mutants=(
            Mutant("no-smallness", "u unrestricted", conditions=("q + 2 <= p",), candidates=(point("p=2 q=0 u=1"),)),
        ),
    ),
    step(
        "s10-sum",
        "(20), line 4: the sum of 2^q C(p-2, q) (48 eta L p/rho)^q is (1 + 96 eta L p/rho)^(p-2)",
        "(1 + 2*x)**n == sum(q, 0, n, 2**q*binomial(n, q)*x**q)",
        (integer("n", "[0, oo)", "p - 2"), positive("x", "48 eta L p/rho")),
        argument=(ByTheorem("binomial-theorem", because="a = 1, b = -2x"),),
        candidates=(point("n=2 x=1/3"), point("n=3 x=1")),
        mutants=(
            Mutant("no-power", "without 2^q", "(1 + 2*x)**n == sum(q, 0, n, binomial(n, q)*x**q)"),
            Mutant("range", "q from 1", "(1 + 2*x)**n == sum(q, 1, n, 2**q*binomial(n, q)*x**q)"),
        ),
    ),
)
