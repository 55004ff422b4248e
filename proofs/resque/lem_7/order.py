"""The printed proof, where Proposition 7 is applied: shares, orders and the total variation."""

from dpaudit.claims.writing import *

from .symbols import *

IN_LOG = Substitute((real("g", "[1791/1000, oo)", "log(1/delta)"),), where("delta=exp(-g)"), where("g=log(1/delta)"))
AMPLIFIED_STEPS = (
    step(
        "bernoulli",
        "Bernoulli's inequality: (1 - 1/n)^M >= 1 - M/n",
        "1 - (1 - 1/n)**M <= M/n",
        (M, N),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "M",
                base=(Identical(),),
                step=(Combine(terms=(("1 - 1/n", "1 - (1 - 1/n)**M <= M/n"), ("M/n**2", "0 <= 1"))),),
            ),
        ),
        mutants=(mutant("constant", "0.99", "1 - (1 - 1/n)**M <= 0.99*M/n", "M=1 n=2"),),
    ),
    step(
        "s4~repaired",
        "s <= T/n",
        f"{SHARE} <= T/n",
        (T, M, N, LIKELY),
        ("M <= T",),
        argument=(
            Bound(left="1 - (1 - 1/n)**M", argument=(Combine(terms=(("(1 - 1/n)**M/likely", "likely <= 1"),)),)),
            Bound(left="M/n", by=f"{HERE}/bernoulli"),
            Combine(terms=(("1/n", "M <= T"),)),
        ),
        mutants=(
            Mutant(
                "no-E",
                "Pr[E] may exceed 1",
                symbols=(T, M, N, real("likely", "(0, 2]")),
                candidates=(point("T=1 M=1 n=60 likely=2"),),
            ),
        ),
        tightness=(
            Tightness(
                "share",
                printed="1.2",
                form=f"{SHARE} <= {{c}}*T/n",
                proved="1",
                refuted="0.99",
                candidates=(point("T=1024 M=1023 n=10000000 likely=1"),),
            ),
        ),
    ),
    step(
        "s5",
        "Proposition 7 with tau = 6000 beta^2 log^2(2/delta): C beta^2 log^2(1/delta) <= 1 gives tau <= 1/3, even "
        "0.06. In part: the hypothesis on tau (s and alpha: s5-share, s5-order)",
        "6000*beta**2*log(2/delta)**2 <= 6/100",
        (BETA, DELTA),
        ("220000*beta**2*log(1/delta)**2 <= 1",),
        kind=ClaimKind.IMPLICATION,
        argument=(
            Bound(
                left="12000*beta**2*log(1/delta)**2",
                argument=(
                    Scale("1/beta**2"),
                    Rewrite(left="6000*log(2/delta)**2", right="12000*log(1/delta)**2"),
                    IN_LOG,
                    Scale("1/g**2"),
                    Rewrite(left="6000*(1 + log(2)/g)**2", right="12000"),
                    Boxes(),
                ),
            ),
            Combine(terms=(("12/220", "220000*beta**2*log(1/delta)**2 <= 1"), ("6/100 - 12/220", "0 <= 1"))),
        ),
        mutants=(
            Mutant(
                "constant",
                "C = 30000",
                conditions=("30000*beta**2*log(1/delta)**2 <= 1",),
                candidates=(point("beta=1/311 delta=1666/10000"),),
            ),
        ),
    ),
    step(
        "s5-share",
        "Not printed: and s < 1/40, from T/n <= 1/60",
        f"{SHARE} < 1/40",
        (T, M, N, LIKELY),
        FEW,
        reads=Reads.OURS,
        kind=ClaimKind.IMPLICATION,
        argument=(
            Bound(left="T/n", by=f"{HERE}/s4~repaired"),
            Scale("120*n"),
            Rewrite(left="120*T", right="3*n"),
            Solve(),
        ),
        mutants=(mutant("share", "1/61", f"{SHARE} < 1/61", "T=1 M=1 n=60 likely=1"),),
    ),
    step(
        "s5-order",
        "Not printed: and alpha < 3/tau, even alpha tau <= 0.06 as in PROP-7~small, for alpha < 1/(C beta^2 "
        "log^2(1/delta))",
        "alpha*(6000*beta**2*log(2/delta)**2) <= 6/100",
        (ALPHA, BETA, DELTA),
        ("alpha*220000*beta**2*log(1/delta)**2 <= 1",),
        reads=Reads.OURS,
        kind=ClaimKind.IMPLICATION,
        argument=(
            Bound(
                left="alpha*12000*beta**2*log(1/delta)**2",
                argument=(
                    Scale("1/(alpha*beta**2)"),
                    Rewrite(left="6000*log(2/delta)**2", right="12000*log(1/delta)**2"),
                    IN_LOG,
                    Scale("1/g**2"),
                    Rewrite(left="6000*(1 + log(2)/g)**2", right="12000"),
                    Boxes(),
                ),
            ),
            Combine(terms=(("12/220", "alpha*220000*beta**2*log(1/delta)**2 <= 1"), ("6/100 - 12/220", "0 <= 1"))),
        ),
        mutants=(
            Mutant(
                "constant",
                "C = 180000",
                conditions=("alpha*180000*beta**2*log(1/delta)**2 <= 1",),
                candidates=(point("alpha=2 beta=1/1076 delta=1666/10000"),),
            ),
        ),
    ),
    step(
        "order-constant",
        "s5 and s5-order without alpha and beta, at C = 220000: 6000 log^2(2/delta) <= 0.06 C log^2(1/delta)",
        "6000*log(2/delta)**2 <= 0.06*220000*log(1/delta)**2",
        (DELTA,),
        argument=(
            IN_LOG,
            Scale("1/(0.06*g**2)"),
            Rewrite(left="100000*(1 + log(2)/g)**2", right="220000"),
            Boxes(),
        ),
        mutants=(
            mutant(
                "constant", "C = 192000", "6000*log(2/delta)**2 <= 0.06*192000*log(1/delta)**2", "delta=166666/1000000"
            ),
        ),
        tightness=(
            Tightness(
                "C_priv",
                printed="not given",
                form="6000*log(2/delta)**2 <= 0.06*{c}*log(1/delta)**2",
                proved="192400",
                refuted="192300",
                argument=(
                    IN_LOG,
                    Scale("1/(0.06*g**2)"),
                    Rewrite(left="100000*(1 + log(2)/g)**2", right="192400"),
                    Boxes(),
                ),
                candidates=(point("delta=166666/1000000"),),
            ),
        ),
    ),
    step(
        "s6",
        "total variation of the output law to s P~ + (1 - s) R~, for D and for D' each: delta/2 for at most b ones "
        "and v <= delta/2 for the surrogates",
        "(1 - likely) + likely*(s*v + (1 - s)*v) <= delta",
        (DELTA, LIKELY, real("s", "[0, 1]"), real("v", "[0, oo)")),
        given={f"{HERE}/s1": "1 - delta/2 <= likely", f"{HERE}/triple": "v <= delta/2"},
        kind=ClaimKind.PRIVACY,
        rests_on=("resque/FACT-1", f"{HERE}/triple"),
        argument=(Combine(terms=(("1", "1 - delta/2 <= likely"), ("1", "v <= delta/2"), ("v", "likely <= 1"))),),
        mutants=(
            mutant(
                "half",
                "delta/2 in all",
                "(1 - likely) + likely*(s*v + (1 - s)*v) <= delta/2",
                "delta=1/10 likely=19/20 s=1/2 v=1/20",
            ),
        ),
    ),
)
