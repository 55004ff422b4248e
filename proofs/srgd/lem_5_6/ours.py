"""What is sharper than the printed proof: the noise of a prefix is one Gaussian. All of this is ours."""

from dpaudit.claims.writing import *

from .symbols import *

SHARPER = f"sqrt(nodes)*{SIGMA}*sqrt(2*p*{LOG_TAIL})"
WITH_LEVELS = f"{LEVELS}*(1 + {LEVELS}) <= 242/100*log2(T)**2"

OUR_STEPS = (
    step(
        "levels",
        "c (1 + c) <= 2.42 log_2(T)^2 for c = ceil(log_2 T)",
        WITH_LEVELS,
        (STEPS,),
        argument=(
            Cases(
                (
                    *small(7),
                    (
                        "otherwise",
                        (
                            *at_least(3, 8),
                            Combine(
                                (
                                    (f"{LEVELS} + log2(T) + 2", f"{LEVELS} <= log2(T) + 1"),
                                    ("142/100*log2(T) + 126/100", "3 <= log2(T)"),
                                    ("178/100", "0 <= 1"),
                                )
                            ),
                        ),
                    ),
                )
            ),
        ),
        mutants=(mutant("constant", "2.3 in place of 2.42", f"{LEVELS}*(1 + {LEVELS}) <= 23/10*log2(T)**2", "T=3"),),
    ),
    step(
        "sharper",
        "the noise of a prefix is N(0, nodes sigma^2 I), as its nodes are independent: s5 for it, with the union over "
        "the T prefixes, gives 2.2 C log_2(T) sqrt(p ln(2T/delta))/mu with probability 1 - delta/2. Encoded: the bound "
        "of s5 for this law is at most that",
        f"{SHARPER} <= 22/10*C*log2(T)*sqrt(p*{LOG_TAIL})/mu",
        (STEPS, PREFIX, NODES, DIMENSION, DELTA, SENSITIVITY, MU),
        IN_PREFIX,
        kind=ClaimKind.TAIL,
        rests_on=ids(LEM, "s5 s5-small s5-middle s5-line s5-union"),
        argument=(
            Have(f"nodes <= {LEVELS}", (ByTheorem(f"{LEM}/s2"),)),
            Have(WITH_LEVELS, (ByTheorem(f"{LEM}/levels"),)),
            Have(f"0 < {LOG_TAIL}", (Rewrite(right="log(2) + log(T) - log(delta)"), Positive())),
            Power("2"),
            Rewrite(
                left=f"2*p*{LOG_TAIL}*C**2/mu**2*(nodes*(1 + {LEVELS}))",
                right=f"2*p*{LOG_TAIL}*C**2/mu**2*(242/100*log2(T)**2)",
            ),
            Scale(f"mu**2/(2*p*{LOG_TAIL}*C**2)"),
            Combine(((f"1 + {LEVELS}", f"nodes <= {LEVELS}"), ("1", WITH_LEVELS))),
        ),
        mutants=(
            Mutant(
                "constant",
                "2 in place of 2.2",
                f"{SHARPER} <= 2*C*log2(T)*sqrt(p*{LOG_TAIL})/mu",
                candidates=(point("T=3 t=3 nodes=2 p=1 delta=1/10 C=1 mu=1"),),
            ),
        ),
    ),
    step(
        "released",
        "releasing the prefixes is as good as releasing the nodes: a node is the difference of two prefixes, g_t and "
        "g_(t - 2^k) at t = j 2^k. Encoded: the second is a prefix too, or 0, as t - 2^k is at least 0",
        "0 <= t - 2**k",
        (PREFIX, LEVEL, PLACE),
        ("j*2**k == t",),
        argument=(Combine((("1", "j*2**k == t"), ("2**k", "1 <= j"))),),
        mutants=(mutant("two", "2^(k + 1) in place of 2^k", "0 <= t - 2**(k + 1)", "t=1 k=0 j=1"),),
    ),
)
