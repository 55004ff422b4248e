"""What both theorems share."""

from dpaudit.claims.writing import *

from .symbols import *

C = real("C", "[1, oo)", "the constant of O(.)")


def common(claim, count="s7"):
    """The steps s1 to s5 and s7, under the name `count`, of both theorems."""
    return (
        step(
            "s1",
            "r = rho = eps/(sqrt(d) L): the smoothing costs L rho sqrt(d) = eps",
            f"L*{RADIUS}*sqrt(d) == eps",
            (L, EPS, D),
            rests_on=("resque/CONV",),
            mutants=(Mutant("radius", "r = eps/L", "L*(eps/L)*sqrt(d) == eps"),),
        ),
        step("s2", "K = (R/r)^(2/3) = d^(1/3) kappa^(2/3)", f"(R/{RADIUS})**(2/3) == {INSTANCE}", (L, R, EPS, D)),
        step(
            "s3",
            "lamstar = eps d^(2/3) kappa^(4/3) log(kappa)^2/R^2",
            f"{LAMSTAR} == eps*d**(2/3)*{RATIO}**(4/3)*lk**2/R**2",
            SETTING,
        ),
        step(
            "s4",
            "L^2/(lamstar^2 r^2) = kappa^2/(K log(kappa)^4)",
            f"L**2/({LAMSTAR}**2*{RADIUS}**2) == {RATIO}**2/({INSTANCE}*lk**4)",
            SETTING,
        ),
        step(
            "s5-levels",
            "Not printed: the levels of the display add up: sum over j <= J of 2^-j (b 2^j) = J b",
            "sum(j, 1, J, 2**(-j)*(b*2**j)) == J*b",
            (integer("J", "[0, oo)"), positive("b")),
            reads=Reads.OURS,
            kind=ClaimKind.INDUCTION,
            argument=(Induct("J", base=(Identical(),), step=(Identical(),)),),
        ),
        step(
            "deep",
            "the log(R kappa/r) draws that every level may have beside its share (PROP-2/s2-levels~repaired) add sum "
            "over j <= J of "
            "2^j = 2^(J + 1) - 2 to K J, which is O(K) for J = ceil(log2 K + C)",
            "sum(j, 1, J, 2**j) == 2**(J + 1) - 2",
            (integer("J", "[0, oo)"),),
            kind=ClaimKind.INDUCTION,
            argument=(Induct("J", base=(Identical(),), step=(Identical(),)),),
        ),
        step(
            "s5",
            "K log (sum of s5-levels + L^2 log^2/(lamstar r)^2) = O(kappa^2 log^4), all logarithms ell, J <= 3 ell + "
            "C levels",
            "K*ell*(J*kappa**2/(K*lk**4)*ell**2 + kappa**2/(K*lk**4)*ell**2) <= (4 + C)*kappa**2*ell**4",
            (KAPPA, real("K", "[1, oo)"), real("J", "[0, oo)"), LK, ELL, C),
            ("J <= 3*ell + C",),
            argument=(
                Bound(
                    left="K*ell*((3*ell + C)*kappa**2/(K*lk**4)*ell**2 + kappa**2/(K*lk**4)*ell**2)",
                    argument=(Combine(terms=(("kappa**2*ell**3/lk**4", "J <= 3*ell + C"),)),),
                ),
                Scale("lk**4/(kappa**2*ell**3)"),
                Rewrite(left="3*ell + C + 1", right="(4 + C)*ell*lk**4"),
                Positive(),
            ),
            given={"resque/PROP-2/s2-levels": "", f"resque/{claim}/s4": ""},
            rests_on=(f"resque/{claim}/s5-levels",),
            expects=Outcome.CONSISTENT,
            candidates=(point("kappa=1 K=1 J=4 lk=1 ell=1 C=1"),),
            mutants=(
                mutant(
                    "logarithms",
                    "log^3 in place of log^4",
                    "K*ell*(J*kappa**2/(K*lk**4)*ell**2 + kappa**2/(K*lk**4)*ell**2) <= (4 + C)*kappa**2*ell**3",
                    "kappa=1 K=1 J=300 lk=1 ell=100 C=1",
                ),
            ),
        ),
        step(
            "accurate-near",
            "the same sum with the errors of PROP-2/variance~repaired, log^4 in place of log^2, is O(kappa^2 log^2) "
            "where ell <= 10 lk",
            "K*ell*(J*kappa**2/(K*lk**4)*ell**4 + kappa**2/(K*lk**4)*ell**4) <= 10**4*(4 + C)*kappa**2*ell**2",
            (KAPPA, real("K", "[1, oo)"), real("J", "[0, oo)"), LK, ELL, C),
            ("J <= 3*ell + C",),
            ours=("ell <= 10*lk",),
            argument=(
                Bound(
                    left="(4 + C)*kappa**2*ell**6/lk**4",
                    argument=(
                        Combine(
                            terms=(
                                ("kappa**2*ell**5/lk**4", "J <= 3*ell + C"),
                                ("(1 + C)*kappa**2*ell**5/lk**4", "1 <= ell"),
                            )
                        ),
                    ),
                ),
                Combine(terms=(("(4 + C)*kappa**2*ell**2/lk**4*(ell + 10*lk)*(ell**2 + 100*lk**2)", "ell <= 10*lk"),)),
            ),
            rests_on=(f"resque/{claim}/s4", "resque/PROP-2/variance~repaired"),
            candidates=(point("kappa=1 K=1 J=31 lk=1 ell=10 C=1"), point("kappa=1 K=1 J=301 lk=10 ell=100 C=1")),
            mutants=(
                Mutant(
                    "regime",
                    "ell <= 20 lk",
                    conditions=("J <= 3*ell + C", "ell <= 20*lk"),
                    candidates=(point("kappa=1 K=1 J=601 lk=10 ell=200 C=1"),),
                ),
            ),
        ),
        step(
            "accurate-far",
            "and elsewhere, where log(d kappa) = t >= 10 log(kappa) = 10 k, kappa^2 log^6(d kappa) is at most 291 "
            "times "
            "the term d^(1/3) kappa^(2/3) log^3(d kappa) of both theorems (d = exp(t - k))",
            "exp(2*k)*t**6 <= 291*exp((t - k)/3)*exp(2*k/3)*t**3",
            (real("k", "[0, oo)"), real("t", "[1, oo)")),
            ours=("10*k <= t",),
            argument=(
                Scale("exp(-2*k)/t**3"),
                Rewrite(left="t**3", right="291*exp(t/3 - 5*k/3)"),
                Logarithm(),
                Rewrite(left="3*log(t)", right="log(291) + t/3 - 5*k/3"),
                Bound(right="log(291) + t/6", argument=(Combine(terms=(("1/6", "10*k <= t"),)),)),
                Bound(left="3*log(18) + t/6 - 3", argument=(Scale("1/3"), Rewrite(left="log(t)"), Tangent("t", "18"))),
                Shift("-t/6"),
                Rewrite(left="3*log(18) - 3", right="log(291)"),
                Boxes(),
            ),
            candidates=(point("k=0 t=18"), point("k=9/5 t=18")),
            mutants=(Mutant("constant", "280 in place of 291", "exp(2*k)*t**6 <= 280*exp((t - k)/3)*exp(2*k/3)*t**3"),),
        ),
        step(
            "s7-log",
            "Not printed: log(R kappa/r) = log(sqrt(d) kappa^2) <= 2 log(d kappa)",
            "log(sqrt(d)*kappa**2) <= 2*log(d*kappa)",
            (D, KAPPA),
            reads=Reads.OURS,
            argument=(
                Rewrite(left="log(d)/2 + 2*log(kappa)", right="2*log(d) + 2*log(kappa)"),
                Combine(terms=(("3/2", "0 <= log(d)"),)),
            ),
            mutants=(Mutant("constant", "3/2 in place of 2", "log(sqrt(d)*kappa**2) <= 3/2*log(d*kappa)"),),
        ),
        step(
            count,
            "24 K lk iterations of at most 2700 lX^2 ball oracle calls, one round each at worst: O(d^(1/3) "
            "kappa^(2/3) log^3(d kappa))",
            f"24*{K}*lk*(2700*lX**2) <= 259200*{K}*ell**3",
            (D, KAPPA, LK, LX, ELL),
            LOGARITHMS[:1],
            given={f"resque/{claim}/s7-log": LOGARITHMS[1]},
            argument=(
                Combine(terms=((f"64800*{K}*lX**2", LOGARITHMS[0]), (f"64800*{K}*ell*(lX + 2*ell)", LOGARITHMS[1]))),
            ),
            rests_on=("resque/PROP-1~repaired", "resque/PROP-2~repaired", f"resque/{claim}/s7-log"),
            kind=ClaimKind.COST,
            candidates=((*ONES[:3], ("lX", "2"), ("ell", "1")),),
            mutants=(
                mutant(
                    "logarithms",
                    "log^2 in place of log^3",
                    f"24*{K}*lk*(2700*lX**2) <= 259200*{K}*ell**2",
                    "d=1 kappa=1 lk=100 lX=200 ell=100",
                ),
            ),
        ),
    )
