"""What the event of the claim rests on: two data sets on the line, and the noise of all calls.

f = 0 but for record 1, -L x in one data set and L x in the other; rho -> oo (all weights 1), lambda -> 0 (r_i = 2 r);
T = 2^(2^k), n = C T. In the first half of the first phase of the first call, T_0/4 = T/2^(k+2) draws, index 1 comes
up with probability at least 1/(8 C 2^k) (`canary-hit`). Then the average moves by at least eta_1 L/2 = beta_0
sigma_1/2 to the right in the first data set (`canary-move`), and by nothing to the right in the second. sigma_1 is
the same in every call (`canary-same`), and all calls together add noise of variance at most (16/15) k sigma_1^2
(`canary-noise`). So x_k > eta_1 L/4 has probability at least s Phi(a) for the first and at most Phi(-a) for the
second (`canary-threshold`), but for projections. These do no harm if the partial sums of the noise stay within r/4: a
point that is projected to one end of the ball then stays in that half. The at most k 2^k noises have standard
deviations that add up to (4/3) k sigma_1 (`canary-sums`), and sigma_1 <= r/(2 beta sqrt T) with sqrt T >= 2^k
(`canary-root`): the sums stay there unless a normal number exceeds 3 beta 2^k/(8 k) (`canary-end`).
"""

from dpaudit.claims.writing import *

from .printed import BETA, CALL, K, L, T

SIGMA, R = positive("sigma", "sigma_1"), positive("r", "radius")
PHASES = integer("p", "[1, oo)", "phases of a call")
SIDE = "1 - m/(2*n)"
CANARY_STEPS = (
    step(
        "canary-hit",
        "m <= n draws from n records hit record 1 with probability at least m/(2 n); here m = T/2^(k+2) and n = C T",
        "m/(2*n) <= 1 - (1 - 1/n)**m",
        (real("m", "[1, oo)", "draws"), real("n", "[2, oo)", "records")),
        ("m <= n",),
        kind=ClaimKind.TAIL,
        argument=(
            Shift("(1 - 1/n)**m - m/(2*n)"),
            Rewrite(left="(1 - 1/n)**m", right=SIDE),
            Logarithm(),
            Rewrite(left="m*log(1 - 1/n)"),
            Bound(left="-m/n", argument=(Combine((("m", "log(1 - 1/n) <= 1 - 1/n - 1"),)),)),
            Combine((("1", f"log(1/({SIDE})) <= 1/({SIDE}) - 1"), ("m/(n*(2*n - m))", "m <= n"))),
        ),
        mutants=(mutant("constant", "m/n", "m/n <= 1 - (1 - 1/n)**m", "m=2 n=2"),),
    ),
    step(
        "canary-move",
        "the average of a phase of n points, of which at least half come after the hit and are eta_1 L to the right",
        "eta*L/2 <= late*eta*L/n",
        (
            L,
            positive("eta", "eta_1"),
            integer("n", "[1, oo)", "T_1"),
            integer("late", "[0, oo)", "points after the hit"),
        ),
        ("n <= 2*late",),
        argument=(Combine((("eta*L/(2*n)", "n <= 2*late"),)),),
        mutants=(
            Mutant(
                "quarter",
                "at least a quarter",
                conditions=("n <= 4*late",),
                candidates=(point("L=1 eta=1 n=4 late=1"),),
            ),
        ),
    ),
    step(
        "canary-same",
        "beta_i^2 T_i is beta^2 T in every call, and with it sigma_1 = (2 r/4)/(beta_i sqrt(T_i))",
        "(2**((k - i)/2)*beta)**2*(2**(i - k)*T) == beta**2*T",
        (BETA, T, K, CALL),
    ),
    step(
        "canary-noise",
        "the variances of a call, sigma_1^2 16^(-j), add up to less than (16/15) sigma_1^2",
        "sum(j, 0, p - 1, 16**(-j)) == (1 - 16**(-p))*16/15",
        (PHASES,),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("p", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "canary-threshold",
        "the distance eta_1 L/4 = beta_0 sigma_1/4 between threshold and either mean, in standard deviations "
        "of all noise",
        "(2**(k/2)*beta)*sigma/4/sqrt(16/15*k*sigma**2) == 2**(k/2)*beta/(4*sqrt(16*k/15))",
        (BETA, SIGMA, K),
    ),
    step(
        "canary-sums",
        "the standard deviations of a call, sigma_1 4^(-j), add up to less than (4/3) sigma_1",
        "sum(j, 0, p - 1, 4**(-j)) == (1 - 4**(-p))*4/3",
        (PHASES,),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("p", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "canary-root",
        "k <= 2^(k-1), so that sqrt(T) = 2^(2^(k-1)) is at least 2^k",
        "k <= 2**(k - 1)",
        (K,),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("k", base=(Identical(),), step=(Combine((("2", "k <= 2**(k - 1)"), ("1", "1 <= k"))),)),),
        mutants=(mutant("power", "2^(k-2)", "k <= 2**(k - 2)", "k=1"),),
    ),
    step(
        "canary-end",
        "r/4 is at least 3 beta 2^k/(8 k) times the standard deviations of all calls together, (4/3) k sigma_1",
        "3*beta*2**k/(8*k) <= r/4/(4/3*k*(r/(2*beta*root)))",
        (BETA, R, K, positive("root", "sqrt(T)")),
        ("2**k <= root",),
        argument=(Combine((("3*beta/(8*k)", "2**k <= root"),)),),
        candidates=(point("beta=1 r=1 k=1 root=2"),),
        mutants=(
            Mutant(
                "short",
                "sqrt(T) >= 2^(k-1)",
                conditions=("2**(k - 1) <= root",),
                candidates=(point("beta=1 r=1 k=1 root=1"),),
            ),
        ),
    ),
)
