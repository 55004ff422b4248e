"""The printed proof of Theorem 3.2, from T - 1 down to tau, and what is put in at the end."""

from dpaudit.claims.writing import *

from .symbols import *

TOLD = sequence("D", "[0, oo)", "D[t]: the divergence of W_t and W'_t, shifted by z_t")
NOISES = sequence("across", "(0, oo)", "sigma_{2,t}^2")
STEPWISE = "all(t, 0, N - 1, D[t + 1] <= D[t] + alpha*a[t]**2/(2*across[t]))"
W = real("W", "[0, oo)", "the distance W_oo of W_tau and W'_tau")

RECURSION = (
    step(
        "s9",
        "what (a) to (d) give for one step, applied from T down to tau: the summands add up, each with its own "
        "sigma_{2,t}^2, as in the sum of the theorem. Encoded: (a) to (d) at every step are the condition; that the "
        "reason given for (d) fails is s7",
        "D[N] <= D[0] + sum(t, 0, N - 1, alpha*a[t]**2/(2*across[t]))",
        (ALPHA, WINDOW, SHIFTS, NOISES, TOLD),
        (STEPWISE,),
        kind=ClaimKind.INDUCTION,
        place="Theorem 3.2, and the second display after (8)",
        argument=(Induct("N"),),
        candidates=(point("alpha=2 N=2 a=[0,1] across=[1,1/2] D=[0,0,2]"),),
        mutants=(mutant("half", "half of the sum", "D[N] <= D[0] + sum(t, 0, N - 1, alpha*a[t]**2/(4*across[t]))"),),
    ),
    erratum(
        "s9-index",
        "the display: every summand has sigma_{2,tau}^2, whatever its t",
        "D[N] <= D[0] + sum(t, 0, N - 1, alpha*a[t]**2/(2*across[0]))",
        (ALPHA, WINDOW, SHIFTS, NOISES, TOLD),
        (STEPWISE,),
        kind=ClaimKind.INDUCTION,
        place="the second display after (8)",
        printed=r"D_\alpha^{(z_\tau)}(W_\tau\|W_\tau')+\sum_{t=\tau}^{T-1}\frac{\alpha a_t^2}{2\sigma_{2,\tau}^2}",
        candidates=(point("alpha=2 N=2 a=[0,1] across=[1,1/2] D=[0,0,2]"),),
        finding=(
            "A misprint: sigma_{2,t}^2 is meant. With a beta_t that changes, the step t costs alpha a_t^2/(2 "
            "sigma_{2,t}^2); the theorem has (1 - beta_t) sigma^2 at each t."
        ),
        repair=f"{HERE}/s9",
    ),
    erratum(
        "s9-recursion",
        "the recursion of the display, z_{t-1} = (z_t + a_t - c_2)/c_1: so that z_{T-1} is the shift of (d). Encoded "
        "for the last step, with a[0] for a_{T-1} and a[1] for a_T",
        "(0 + a[1] - c_2)/c_1 == (a[0] - c_2)/c_1",
        (C_1, C_2, SHIFTS),
        place="the third display after (8), and Theorem 3.2",
        printed=r"z_{t-1}=c_1^{-1}(z_t+a_t-c_2),\ z_T=0",
        candidates=(point("c_1=1 c_2=0 a=[0,1]"),),
        finding=(
            "A misprint. The text before the display has it right: z_{T-1} = c_1^{-1} (z_T + a_{T-1} - c_2), so z_t "
            "is made of z_{t+1} and a_t. With the printed index the last a_t is in no summand."
        ),
        repair=f"{HERE}/s9-first",
    ),
    step(
        "s9-first",
        "the first line of the recursion in the text: z_{T-1} = c_1^{-1} (z_T + a_{T-1} - c_2) with z_T = 0 is the "
        "shift of (d)",
        "z_before == (a - c_2)/c_1",
        (
            *(C_1, C_2, real("a", "[0, oo)", "a_{T-1}"), real("z_T", "[0, oo)")),
            real("z_before", "[0, oo)", "z_{T-1}"),
        ),
        ("z_before == (z_T + a - c_2)/c_1", "z_T == 0"),
        reads=Reads.PRINTED,
        place="the text after the display after (8)",
        argument=(Combine((("1", "z_before == (z_T + a - c_2)/c_1"), ("1/c_1", "z_T == 0"))),),
        printed=r"z_{T-1}=c_1^{-1}(z_T+a_{T-1}-c_2)",
    ),
    step(
        "s10",
        "D^(z_tau) is 0 where z_tau is at least the distance of W_tau and W'_tau: the law of W'_tau is then one of "
        "those that may stand for that of W_tau. Encoded: its divergence from itself is 0, for laws on m points",
        "log(sum(k, 1, m, q[k]*(q[k]/q[k])**alpha))/(alpha - 1) <= 0",
        (ALPHA, integer("m", "[1, oo)", "number of points"), sequence("q", "(0, 1]", "q[k]: probability of the k-th")),
        ("sum(k, 1, m, q[k]) == 1",),
        kind=ClaimKind.DIVERGENCE,
        place="the end of the proof",
        argument=(
            Rewrite(left="log(sum(k, 1, m, q[k]))/(alpha - 1)"),
            Have("0 < sum(k, 1, m, q[k])", (Combine((("1", "sum(k, 1, m, q[k]) == 1"), ("1", "0 < 1"))),)),
            Name("total", "sum(k, 1, m, q[k])"),
            Narrow(),
            Scale("alpha - 1"),
            Combine((("1", "log(total) <= total - 1"), ("1", "total == 1"))),
        ),
        candidates=(point("alpha=2 m=1 q=[1]"),),
        mutants=(mutant("less", "less than 0", "log(sum(k, 1, m, q[k]*(q[k]/q[k])**alpha))/(alpha - 1) <= -1/100"),),
    ),
    step(
        "s10-distance",
        "and z_tau is at least that distance, by Lemma 3.9",
        "W <= z",
        (RADIUS, ETA, CLIP, DIRECTIONS, integer("tau", "[0, oo)"), real("z", "[0, oo)", "z_tau"), W),
        (f"{START} <= z",),
        given={"zeroth/LEM-3.9": f"W <= {START}"},
        reads=Reads.PRINTED,
        place="the end of the proof",
        argument=(Combine((("1", f"{START} <= z"), ("1", f"W <= {START}"))),),
        candidates=(point("R=1 eta=1 Delta=1 K=1 tau=1 z=2 W=2"),),
        mutants=(mutant("half", "half of it", "W <= z/2"),),
    ),
    step(
        "s11",
        "the union of the failures of T - tau steps, each by Lemma 3.8",
        "fails <= 2*N*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K)))",
        (DIMENSION, DIRECTIONS, SLACK, WINDOW, real("one", "[0, 1]"), real("fails", "[0, 1]")),
        ("2*K <= d", *any_of_many("fails", "N", "one")),
        rests_on=("union-bound",),
        given={"zeroth/LEM-3.8": "one <= 2*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K)))"},
        kind=ClaimKind.TAIL,
        place="Theorem 3.2",
        printed=r"\mathbb P(\mathcal G)\geq1-2(T-\tau)\exp\left(-\frac{3\epsilon^2dK}{12(d-K)+8\epsilon(d-2K)}\right)",
        argument=(
            Combine(
                (
                    ("1", "fails <= N*one"),
                    ("N", "one <= 2*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K)))"),
                )
            ),
        ),
        candidates=(point("d=2 K=1 e=2 N=2 one=1/4 fails=1/2"),),
        mutants=(mutant("once", "without the 2", "fails <= N*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K)))"),),
    ),
    step(
        "s12",
        "sigma_{2,t}^2 put in: the second summand of the theorem",
        f"alpha*a**2/(2*{ACROSS}) == {MOVE}",
        (ALPHA, SIGMA, ETA, DIMENSION, SHARE, real("a", "[0, oo)", "a_t")),
        place="Theorem 3.2",
    ),
    step(
        "s12-data",
        "and sigma_{1,t}^2 in (8): the first summand",
        f"alpha*K/(2*{ALONG})*(2*Delta*eta/(n*K))**2 == {DATA}",
        (ALPHA, SIGMA, ETA, CLIP, RECORDS, DIRECTIONS, SHARE),
        reads=Reads.PRINTED,
        place="Theorem 3.2",
    ),
    erratum(
        "s12-minimum",
        "the minimum over beta_t, read as one for a run whose split is given. Encoded for T = 1, isotropic noise "
        "alone, linear losses with opposite gradients of norm Delta for one record, 0 for the others, and the event "
        "that <w_1, v> is at least y Delta eta/(n K). On D it happens half of the times that the directions keep at "
        "least y of v, on D' as often as a Gaussian does; the bound is that of any beta_t",
        "1/2*beta_tail(K/2, (d - K)/2, y) - slack <= "
        f"(exp({DATA})*(Phi(-y*Delta*sqrt(d)/(n*K*sigma)) + slack))**(1 - 1/alpha)",
        (
            *(ALPHA, SIGMA, CLIP, RECORDS, DIRECTIONS, DIMENSION, SHARE, SLACK),
            real("y", "(0, 1)"),
            real("slack", "[0, 1]", "probability outside of the event, and of meeting the boundary"),
        ),
        ("2*K <= d", "2*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K))) <= slack"),
        reads=Reads.READING,
        kind=ClaimKind.PRIVACY,
        place="Theorem 3.2",
        printed=r"\varepsilon(\alpha)\leq\min_{\tau,\beta_t,a_t}\ldots",
        candidates=(
            (
                *point("alpha=5/2 sigma=1/3 Delta=1 n=1 K=1 d=100 beta=999/1000 e=1000 y=1/2"),
                ("slack", f"1/{10**100}"),
            ),
        ),
        finding=(
            "A run has one split, and beta_t is a parameter of (3): the minimum is over the splits that a run may be "
            "given, and the bound is about a run that has the best one. For a run with another split the minimum is no "
            "bound: in d = 100 dimensions isotropic noise has d/K times less variance along a direction."
        ),
        repair=f"{HERE}~repaired",
    ),
)
