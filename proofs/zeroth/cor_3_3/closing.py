"""The end of the proof of Corollary 3.3: the probability of failure, few steps, and the two halves of delta."""

from dpaudit.claims.writing import *

from .symbols import *

EXPONENT = "3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K))"
ONE = f"exp(-{EXPONENT})"
SHORT = "exp(-3*e**2*K/20)"
PRINTED_K = "20/3/e**2*log(4/delta*N) <= K"
UP_TO_ONE = real("e", "(0, 1]", "slack of Lemma 3.8")
ODDS = tuple(real(name, "[0, 1]") for name in ("p", "p_in", "p_out", "q", "q_in", "q_out", "g"))

CLOSING = (
    step(
        "s12",
        "(31): the bound on the probability of failure is at most 2 N exp(-3 e^2 K/20) for e <= 1",
        f"2*N*{ONE} <= 2*N*{SHORT}",
        (DIMENSION, DIRECTIONS, WINDOW, UP_TO_ONE),
        ("2*K <= d",),
        kind=ClaimKind.TAIL,
        place="(31)",
        printed=r"2(T-\tau)\exp\left(-\frac{3\epsilon^2K}{20}\right)",
        argument=(
            Scale("1/(2*N)"),
            Logarithm(),
            Have(
                "12*(d - K) + 8*e*(d - 2*K) <= 20*d",
                (Combine((("8*(d - 2*K)", "e <= 1"), ("28*K", "0 <= 1"))),),
            ),
            Have(
                "0 < 12*(d - K) + 8*e*(d - 2*K)",
                (Combine((("12", "2*K <= d"), ("8*e", "2*K <= d"), ("12", ("1 <= K")), (("12"), ("0 < 1")))),),
            ),
            Scale("(12*(d - K) + 8*e*(d - 2*K))/(3*e**2*K)"),
            Combine((("1/20", "12*(d - K) + 8*e*(d - 2*K) <= 20*d"),)),
        ),
        candidates=(point("d=2 K=1 N=1 e=1"), point("d=100 K=1 N=1 e=1")),
        tightness=(
            Tightness(
                "exponent",
                "20",
                f"2*N*{ONE} <= 2*N*exp(-3*e**2*K/{{c}})",
                "20",
                "19",
                candidates=(point("d=100 K=1 N=1 e=1"),),
            ),
        ),
        mutants=(mutant("ten", "10 in place of 20", f"2*N*{ONE} <= 2*N*exp(-3*e**2*K/10)", "d=100 K=1 N=1 e=1"),),
    ),
    step(
        "s13",
        "(32): it is at most delta/2 for K of this size, N = ceil(R n sqrt(2d)/(eta Delta))",
        f"2*N*{SHORT} <= delta/2",
        (DIRECTIONS, WINDOW, PROBABILITY, UP_TO_ONE),
        (PRINTED_K,),
        kind=ClaimKind.TAIL,
        place="(32)",
        printed=(
            r"K\geq\left(\frac{1-c^2}{1+c^2}\right)^{-2}\frac{20}3\log\left(\frac4\delta\left\lceil\frac{Rn\sqrt{2d}}{\eta\Delta}\right\rceil\right)"
        ),
        argument=(
            Logarithm(),
            Rewrite(left="log(2) + log(N) - 3*e**2*K/20", right="log(delta) - log(2)"),
            Have(
                "20/3/e**2*(2*log(2) + log(N) - log(delta)) <= K",
                (Bound(left="20/3/e**2*log(4/delta*N)", argument=(Identical(),)), Combine((("1", PRINTED_K),))),
            ),
            Combine((("3*e**2/20", "20/3/e**2*(2*log(2) + log(N) - log(delta)) <= K"),)),
        ),
        candidates=(point("K=14 N=1 delta=1/2 e=1"),),
        mutants=(mutant("less", "a tenth of it", f"2*N*{SHORT} <= delta/20", "K=14 N=1 delta=1/2 e=1"),),
    ),
    step(
        "s13-main",
        "the bounds on K in the corollary, with M R n sqrt(2d)/Delta in the logarithm, ask for more than (32), where "
        "it is divided by K (in the appendix the corollary has this K too); so with them the probability of failure "
        "is at most delta/2",
        f"2*N*{ONE} <= delta/2",
        (
            DIMENSION,
            DIRECTIONS,
            WINDOW,
            integer("N_main", "[1, oo)", ("ceil(M R n sqrt(2d)/Delta)")),
            PROBABILITY,
            UP_TO_ONE,
        ),
        ("2*K <= d", "N <= N_main", "20/3/e**2*log(4/delta*N_main) <= K"),
        reads=Reads.PRINTED,
        kind=ClaimKind.TAIL,
        place="Corollary 3.3",
        printed=r"\frac{20(1+c^2)^2}{3(1-c^2)^2}\log\left(\frac4\delta\left\lceil\frac{MRn\sqrt{2d}}\Delta\right\rceil"
        r"\right)\leq K\leq d/2",
        rests_on=ids(HERE, "s12 s13"),
        argument=(
            Bound(left=f"2*N*{SHORT}", by=f"{HERE}/s12"),
            Have(
                PRINTED_K,
                (
                    Bound(
                        left="20/3/e**2*log(4/delta*N_main)",
                        argument=(
                            Scale("3/20*e**2"),
                            Combine((("1", "log(N/N_main) <= N/N_main - 1"), ("1/N_main", "N <= N_main"))),
                        ),
                    ),
                    Combine((("1", "20/3/e**2*log(4/delta*N_main) <= K"),)),
                ),
            ),
            ByTheorem(f"{HERE}/s13"),
        ),
        candidates=(point("d=28 K=14 N=1 N_main=1 delta=1/2 e=1"),),
        mutants=(mutant("less", "a tenth of it", f"2*N*{ONE} <= delta/2000", "d=28 K=14 N=1 N_main=1 delta=1/2 e=1"),),
    ),
    erratum(
        "s14",
        "(33): for T < N the bound of the theorem with tau = 0 and beta_t = 1 is this. Encoded: the second summand "
        "of the last step, with a_{T-1} = c_2, the least that z_{T-1} >= 0 allows, is at most C times the first, for "
        "some C and all beta below 1",
        "alpha*c_2**2*d/(2*eta**2*(1 - beta)*sigma**2) <= C*(alpha/(2*beta*sigma**2)*(2*Delta/n)**2)",
        (constant("C"), *SCALES, positive("c_2", "eta M xi"), real("beta", "(0, 1)", "beta_t")),
        reads=Reads.REASON,
        place="(33)",
        printed=r"\text{we can simply choose }\tau=0\text{ and then }\beta_t=1\text{, where the bound in stated in the "
        r"Theorem 3.2 becomes }\frac{\alpha T}{2\sigma^2}\left(\frac{2\Delta}n\right)^2",
        argument=(ForEvery(where("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 c_2=2 beta=1-1/(1+2*C)")),),
        finding=(
            "By the remark after (d) a_{T-1} is at least c_2 = eta M xi, which is positive where xi is, so with "
            "beta_t -> 1 the second summand grows without bound: no such value of the theorem for xi > 0. For T < N "
            "the theorem with beta_t = 1/2 gives at most 6 alpha T Delta^2/(n^2 sigma^2) (early); composition, which "
            "needs no theorem, gives the printed value for noise along the directions alone (s14-same). That is "
            "another run than the one with beta_t = 1/2 of (25)."
        ),
        repair=f"{HERE}/early",
    ),
    step(
        "s14-same",
        "(33) is the bound by composition: T times that of a step with K directions, the sensitivity 2 Delta/(n K) "
        "of each, and the noise that they have with beta_t = 1",
        "alpha*T/(2*sigma**2)*(2*Delta/n)**2 == T*K*(alpha*(2*Delta/(n*K))**2/(2*(sigma**2/K)))",
        (ALPHA, SIGMA, CLIP, RECORDS, DIRECTIONS, STEPS),
        place="the text after (33)",
        printed=r"\text{This is exactly the RDP bound via the standard composition theorem.}",
        rests_on=("renyi-composition", "zeroth/THM-3.1/s2~repaired"),
    ),
    erratum(
        "s14-theorem",
        "the same, read as what Theorem 3.1 and its proof call composition: T times K times (10)",
        "alpha*T/(2*sigma**2)*(2*Delta/n)**2 == T*K*(alpha*Delta**2/(2*n**2*K*sigma**2))",
        (ALPHA, SIGMA, CLIP, RECORDS, DIRECTIONS, STEPS),
        reads=Reads.READING,
        place="the text after (33), with (10)",
        candidates=(point("alpha=2 sigma=1 Delta=1 n=1 K=1 T=1"),),
        finding=(
            "(10) takes Delta where one replaced record moves the sum of clipped slopes by up to 2 Delta, (33) takes "
            "2 Delta: four times as much, and right. The slip is in the proof of Theorem 3.1. If both curves of "
            "Figure 1 have the constants of their proofs, they differ for small T."
        ),
        repair=f"{HERE}/s14-same",
    ),
    step(
        "s15",
        "half of delta for the conversion and half for the failure: what holds up to delta/2 on an event of "
        "probability 1 - g, the same on D and on D', g <= delta/2, holds up to delta",
        "p <= exp(eps)*q + delta",
        (EPS, PROBABILITY, *ODDS),
        (
            "p == (1 - g)*p_in + g*p_out",
            "q == (1 - g)*q_in + g*q_out",
            "p_in <= exp(eps)*q_in + delta/2",
            ("g <= delta/2"),
        ),
        kind=ClaimKind.PRIVACY,
        place="the text before (30)",
        argument=(
            Combine(
                (
                    ("1", "p == (1 - g)*p_in + g*p_out"),
                    ("exp(eps)", "q == (1 - g)*q_in + g*q_out"),
                    ("1 - g", "p_in <= exp(eps)*q_in + delta/2"),
                    ("g", "p_out <= 1"),
                    ("1", "g <= delta/2"),
                    ("g*exp(eps)", "0 <= q_out"),
                    ("g*delta/2", "0 <= 1"),
                )
            ),
        ),
        candidates=(point("eps=1/100 delta=1/2 p=7/16 p_in=1/4 p_out=1 q=0 q_in=0 q_out=0 g=1/4"),),
        mutants=(mutant("half", "delta/2", "p <= exp(eps)*q + delta/2"),),
    ),
    step(
        "split",
        "the hockey-stick divergence is at most that on the event plus the probability g of failure, if g is the same "
        "on D and on D'. Encoded: for one set of outputs; the divergence is the largest p - exp(eps) q of all sets",
        "p <= exp(eps)*q + inside + g",
        (EPS, real("inside", "[0, 1]", "the hockey-stick divergence on the event"), *ODDS),
        (
            "p == (1 - g)*p_in + g*p_out",
            "q == (1 - g)*q_in + g*q_out",
            "p_in <= exp(eps)*q_in + inside",
        ),
        reads=Reads.OURS,
        kind=ClaimKind.PRIVACY,
        place="the text before (30)",
        argument=(
            Combine(
                (
                    ("1", "p == (1 - g)*p_in + g*p_out"),
                    ("exp(eps)", "q == (1 - g)*q_in + g*q_out"),
                    ("1 - g", "p_in <= exp(eps)*q_in + inside"),
                    ("g", "p_out <= 1"),
                    ("g*exp(eps)", "0 <= q_out"),
                    ("g*inside", "0 <= 1"),
                )
            ),
        ),
        candidates=(point("eps=1/100 inside=1/4 p=7/16 p_in=1/4 p_out=1 q=0 q_in=0 q_out=0 g=1/4"),),
        mutants=(mutant("half", "half of g", "p <= exp(eps)*q + inside + g/2"),),
    ),
)
