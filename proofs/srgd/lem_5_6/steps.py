"""The printed proof of Lemma 5.6: nodes, privacy, tail, and the error."""

from dpaudit.claims.writing import *

from .symbols import *

TAIL = real("tail", "[0, 1]", "P(|xi| > sigma sqrt(2 p s)) for one node, s = ln(2T/delta)")
S = real("s", "[138/100, oo)", "ln(2T/delta), at least ln 4")
CHERNOFF = "tail <= (2*s)**(p/2)*exp(p*(1 - 2*s)/2)"
MISS, UNION = real("miss", "[0, 1]"), real("union", "[0, 1]", "probability that some node has more noise")

PRINTED_STEPS = (
    erratum(
        "s1",
        "the nodes are k = 0, ..., ceil(log T) and j = 1, 3, 5, ..., T/2^k - 1. Encoded: the node that ends at step t, "
        "j 2^k = t with j odd, which the prefix t needs, is one of them",
        "j <= T/2**k - 1",
        (STEPS, PREFIX, LEVEL, PLACE),
        ("j*2**k == t", "t <= T"),
        place="proof of Lemma 5.6, first paragraph",
        printed=r"k=0,1,2,\ldots,\lceil\log T\rceil,\ j=1,3,5,\ldots T/2^k-1",
        candidates=(point("T=7 t=6 j=3 k=1"), point("T=8 t=8 j=1 k=3")),
        finding=(
            "At T = 7 the nodes are {1}, {3}, {5} and {1, 2}: the prefix 6 needs {5, 6} and the prefix 7 needs {7}. "
            "As j 2^k <= T - 2^k, Delta_T is in no node, for any T. If T is a power of 2 only the root is lost (or not "
            "even that, if every list begins with 1); the lemma is for any T >= 2. A misprint: the example of the "
            "proof, s_{7,0} with log 7, has j <= T/2^k, which is meant (s1~repaired)."
        ),
        repair=f"{LEM}/s2-example",
    ),
    step(
        "s1~repaired",
        "with j odd and j <= T/2^k the node that ends at t is there for every t <= T: each prefix has its nodes. "
        "Encoded: j <= T/2^k for the node that ends at t = j 2^k, odd or not; k <= log_2(T) is clear from 2^k <= t",
        "j <= T/2**k",
        (STEPS, PREFIX, LEVEL, PLACE),
        ("j*2**k == t", "t <= T"),
        argument=(Combine((("1/2**k", "j*2**k == t"), ("1/2**k", "t <= T"))),),
        mutants=(mutant("one-less", "j < T/2^k", "j < T/2**k", "T=7 t=7 j=7 k=0"),),
    ),
    step(
        "s2",
        "any prefix is the sum of at most ceil(log T) nodes. Encoded: from one node for each 1 among the binary digits "
        "of its length t, so at most floor(log_2(t + 1)); log has base 2",
        f"nodes <= {LEVELS}",
        (STEPS, PREFIX, NODES),
        IN_PREFIX,
        argument=FITS,
        printed=r"\lceil\log T\rceil",
        mutants=(mutant("one-less", "one node less", f"nodes <= {LEVELS} - 1", "T=7 t=7 nodes=3"),),
    ),
    step(
        "s2-example",
        "the sum of Delta_1 to Delta_7 is that of the nodes s_{1,2}, s_{3,1} and s_{7,0}. Encoded: for one coordinate, "
        "without the noise. At T = 7 the last one is a node, although j = 7 is more than T/2^0 - 1",
        "sum(i, 1, 7, D[i]) == sum(i, (1 - 1)*2**2 + 1, 1*2**2, D[i]) + sum(i, (3 - 1)*2**1 + 1, 3*2**1, D[i])"
        " + sum(i, (7 - 1)*2**0 + 1, 7*2**0, D[i])",
        (sequence("D", meaning="Delta_i, one coordinate"),),
        printed=r"s_{1,2}+s_{3,1}+s_{7,0}",
    ),
    erratum(
        "s2-natural",
        "with natural logarithms the same would be false, which tells the base of log in Section 5",
        "nodes <= ceil(log(T))",
        (STEPS, PREFIX, NODES),
        IN_PREFIX,
        reads=Reads.OURS,
        candidates=(point("T=7 t=7 nodes=3"),),
        finding="The prefix 7 needs 3 nodes and ceil(ln 7) = 2: the base is 2, as the example ceil(log 7) = 3 says.",
        repair=f"{LEM}/s2",
    ),
    step(
        "s3",
        "each Delta_i is in at most 1 + ceil(log T) nodes, one for each k. Encoded: from one for each k with 2^k <= T, "
        "so at most floor(log_2 T) + 1",
        f"nodes <= 1 + {LEVELS}",
        (STEPS, NODES),
        nodes_of_step("nodes", "T"),
        argument=(
            Combine(
                (
                    ("1", "nodes <= floor(log2(T)) + 1"),
                    ("1", "floor(log2(T)) <= log2(T)"),
                    ("1", f"log2(T) <= {LEVELS}"),
                )
            ),
        ),
        printed=r"1+\lceil\log T\rceil",
        mutants=(mutant("one-less", "ceil(log T)", f"nodes <= {LEVELS}", "T=8 nodes=4"),),
    ),
    step(
        "s4",
        "with sigma = C sqrt(1 + ceil(log T))/mu the release of all nodes is mu-GDP: a Delta_i that changes by C "
        "moves `nodes` means by C",
        f"sqrt(nodes*(C/{SIGMA})**2) <= mu",
        (STEPS, NODES, SENSITIVITY, MU),
        nodes_of_step("nodes", "T"),
        kind=ClaimKind.PRIVACY,
        rests_on=("gaussian-dp-composition",),
        argument=(
            Have(f"nodes <= 1 + {LEVELS}", (ByTheorem(f"{LEM}/s3"),)),
            Power("2"),
            Rewrite(left=f"nodes*mu**2/(1 + {LEVELS})"),
            Scale(f"(1 + {LEVELS})/mu**2"),
            Combine((("1", f"nodes <= 1 + {LEVELS}"),)),
        ),
        printed=r"\sigma=C\sqrt{1+\lceil\log T\rceil}/\mu",
        mutants=(
            mutant(
                "noise",
                "without the 1",
                f"sqrt(nodes*(C/(C*sqrt({LEVELS})/mu))**2) <= mu",
                "T=2 nodes=2 C=1 mu=1",
            ),
        ),
    ),
    step(
        "s5",
        "standard Gaussian tail: |xi| <= sigma sqrt(2p ln(2T/delta)) with probability 1 - delta/(2T) = 1 - e^(-s) for "
        "a node. Encoded for p >= 4, by Chernoff's bound on the chi-square law, Markov's inequality for "
        "exp(|xi|^2 c); p = 1 in s5-line, p = 2 and 3 in s5-small up to s = 50 and in s5-middle from s = 3 on",
        "tail <= exp(-s)",
        (integer("p", "[4, oo)"), S, TAIL),
        (CHERNOFF,),
        kind=ClaimKind.TAIL,
        rests_on=("markov-inequality",),
        argument=(
            Bound(left="(2*s)**(p/2)*exp(p*(1 - 2*s)/2)", argument=(Combine((("1", CHERNOFF),)),)),
            Logarithm(),
            Rewrite(left="p/2*(log(2) + log(s)) + p/2 - p*s"),
            Have(
                "log(2) + log(s) + 1 - 3/2*s <= 0",
                (
                    Have("log(s*2/3) <= s*2/3 - 1"),
                    Have("log(2) + log(3/2) <= 11/10", (Boxes(),)),
                    Combine(
                        (
                            ("1", "log(s*2/3) <= s*2/3 - 1"),
                            ("1", "log(2) + log(3/2) <= 11/10"),
                            ("5/6", "138/100 <= s"),
                            ("1/20", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Combine((("p/2", "log(2) + log(s) + 1 - 3/2*s <= 0"), ("s/4", "4 <= p"))),
        ),
        printed=r"\|\xi_i\|_2\le\sigma\sqrt{2p\ln(2T/\delta)}",
        mutants=(mutant("faster", "e^(-4s) in place of e^(-s)", "tail <= exp(-4*s)", "p=4 s=2 tail=1/50"),),
    ),
    step(
        "s5-small",
        "the same for p = 1, 2, 3 and s up to 50, with the exact tail of the chi-square law",
        "gamma_tail(p/2, p*s) <= exp(-s)",
        (integer("p", "[1, 3]"), real("s", "[138/100, 50]")),
        kind=ClaimKind.TAIL,
        argument=(Boxes(),),
        reads=Reads.OURS,
        mutants=(mutant("faster", "e^(-3/2 s)", "gamma_tail(p/2, p*s) <= exp(-3/2*s)", "p=1 s=10"),),
    ),
    step(
        "s5-middle",
        "the same for p >= 2 and s >= 3, by Chernoff's bound",
        "tail <= exp(-s)",
        (integer("p", "[2, oo)"), real("s", "[3, oo)", "ln(2T/delta)"), TAIL),
        (CHERNOFF,),
        kind=ClaimKind.TAIL,
        rests_on=("markov-inequality",),
        argument=(
            Bound(left="(2*s)**(p/2)*exp(p*(1 - 2*s)/2)", argument=(Combine((("1", CHERNOFF),)),)),
            Logarithm(),
            Rewrite(left="p/2*(log(2) + log(s)) + p/2 - p*s"),
            Have(
                "log(2) + log(s) + 1 - s <= 0",
                (
                    Have("log(s/3) <= s/3 - 1"),
                    Have("log(2) + log(3) <= 9/5", (Boxes(),)),
                    Combine(
                        (
                            ("1", "log(s/3) <= s/3 - 1"),
                            ("1", "log(2) + log(3) <= 9/5"),
                            ("2/3", "3 <= s"),
                            ("1/5", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Combine((("p/2", "log(2) + log(s) + 1 - s <= 0"), ("s/2", "2 <= p"))),
        ),
        reads=Reads.OURS,
        mutants=(mutant("faster", "e^(-4s)", "tail <= exp(-4*s)", "p=2 s=3 tail=1/50"),),
    ),
    step(
        "s5-line",
        "for p = 1 and every s >= 1.38: 2 Phi(-sqrt(2 s)) <= e^(-s)",
        "2*Phi(-sqrt(2*s)) <= exp(-s)",
        (S,),
        kind=ClaimKind.TAIL,
        rests_on=("normal-tail",),
        argument=(ByTheorem("normal-tail"),),
        reads=Reads.OURS,
        mutants=(mutant("faster", "e^(-3/2 s)", "2*Phi(-sqrt(2*s)) <= exp(-3/2*s)", "s=10"),),
    ),
    step(
        "s5-union",
        "over the T nodes of the tree: probability 1 - delta/2. (The same for its T prefixes.)",
        "union <= delta/2",
        (STEPS, DELTA, MISS, UNION),
        any_of_many("union", "T", "miss"),
        given={
            f"{LEM}/s5": "miss <= delta/(2*T)",
            f"{LEM}/s5-small": "",
            f"{LEM}/s5-middle": "",
            f"{LEM}/s5-line": "",
        },
        kind=ClaimKind.TAIL,
        argument=(Combine((("1", "union <= (T)*(miss)"), ("T", "miss <= delta/(2*T)"))),),
        mutants=(mutant("quarter", "delta/4", "union <= delta/4", "T=2 delta=1/2 miss=1/8 union=1/4"),),
    ),
    step(
        "s6",
        "ceil(log T) max |xi| <= 2 C log(T) sqrt(2p (1 + ceil(log T)) ln(2T/delta))/mu. Encoded: ceil(log_2 T) <= 2 "
        "log_2 T; the rest is s4 and s5. (The last bound of the display is the claim.)",
        f"{LEVELS} <= 2*log2(T)",
        (STEPS,),
        argument=(
            Have(f"1 + {LEVELS} <= 2*log2(T)", TWICE),
            Combine((("1", f"1 + {LEVELS} <= 2*log2(T)"), ("1", "0 <= 1"))),
        ),
        printed=r"\lceil\log T\rceil\max_i\|\xi_i\|_2\le 2C\log T\sqrt{2p(1+\lceil\log T\rceil)\ln(2T/\delta)}/\mu",
        mutants=(mutant("factor", "1.2 in place of 2", f"{LEVELS} <= 12/10*log2(T)", "T=5"),),
    ),
)
