"""The symbols of the paper: its name for each, the range, and where it is introduced.

`lam` is lambda, `C_prime` is C', `j_max` the paper's j with the index max; the rest is written as in the paper. A
definition is a text that stands in a formula wherever the paper writes its name.
"""

from dpaudit.claims.writing import integer, positive, real

# Problem 2, and the hypotheses of Theorem 3.
LIPSCHITZ, RADIUS = positive("L", "every record's loss is L-Lipschitz"), positive("R", "radius of the domain")
RECORDS, DIMENSION = integer("n", "[2, oo)", "number of records"), integer("d", "[1, oo)", "dimension")
EPS, DELTA = real("eps_dp", "(0, 1)", "privacy"), real("delta", "(0, 1/6)", "privacy")
FAILURE = real("zeta", "(0, 1)", "failure probability of a line search")

# Constants: of Propositions 1 and 10, 8, 9, 9; of the privacy statements; of (30); of the number of draws.
C_BA, C_LS = real("C_ba", "[1, oo)", "of Proposition 1"), positive("C_ls", "of Proposition 10")
C_SC, C_BIAS, C_VAR = (
    positive("C_sc", "of Proposition 8"),
    positive("C_bias", "of Proposition 9"),
    positive("C_var", "of Proposition 9"),
)
C_PRIV, C_PRIME = real("C_priv", "[1, oo)", "of Lemma 7"), real("C_prime", "[1, oo)", "C', of the number of draws")
CONSTANT = real("C", "[1, oo)", "the sufficiently large constant of (30)")

# (30): kappa = L R/eps_opt, and K = (R/r)^(2/3) of Proposition 1; any values in these ranges.
KAPPA, K = real("kappa", "(1, oo)", "L R/eps_opt, (30)"), real("K", "[1, oo)", "(R/r)^(2/3), Proposition 1")
BETA = positive("beta", "ratio of step size to noise, (30)")
LAMBDA = positive("lam", "lambda, weight of the proximal term")
T_1, T_2, T_3 = (
    positive("T_1", "steps of a line search, (32)"),
    positive("T_2", "steps of a ball oracle, (33)"),
    positive("T_3", "steps of a proximal oracle, (34)"),
)
LEVEL = integer("j_max", "[1, oo)", "the truncation of Algorithm 6")

# (30), each in terms of the symbols above.
PRIVACY_TERM = "(sqrt(d*log(1/delta))*log(n/delta)**(3/2)*log(n)/(n*eps_dp))"
EPS_OPT_AT = f"(C*L*R*(1/sqrt(n) + {PRIVACY_TERM}))"
"""eps_opt of (30)."""
EPS_OPT = "(L*R/kappa)"
"""eps_opt, by the kappa = L R/eps_opt of (30)."""
RHO = f"({EPS_OPT}/(L*sqrt(d)))"
BALL = f"({RHO}/(sqrt(C)*log(n/delta)**2))"
"""r of (30)."""
BALL_OF_K = "(R/K**(3/2))"
"""r, by K^1.5 = R/r."""
ORDER = "(4*log(2/delta)/eps_dp)"
"""alpha of (30)."""
BETA_AT = "(eps_dp/(C*log(n/delta)*sqrt(log(1/delta))))"
"""beta of (30)."""
LEAST_LAMBDA = f"{EPS_OPT}*K**2*log(kappa)**2/(R**2*C_ba) <= lam"
"""Of Proposition 1."""

# (32), (33), (34).
T_1_AT = "(sqrt(C)*(kappa*sqrt(d)/(sqrt(K)*beta*log(kappa)**2) + kappa**2/(K*log(kappa)**3*log(n/delta))))"
T_2_AT = "(sqrt(C)*(kappa*sqrt(d)/(sqrt(K)*beta*sqrt(log(kappa))) + kappa**2/(K*log(kappa))))"
T_3_AT = "(sqrt(C)*(kappa*sqrt(d)/(sqrt(K)*beta) + kappa**2/K))"
FAILURE_AT = "(1/(kappa*C_ba*K*log(kappa)))"
"""zeta of (32)."""

# All of (30) written out in terms of C, d, n, eps_dp and delta.
KAPPA_AT = f"(1/(C*(1/sqrt(n) + {PRIVACY_TERM})))"
K_AT = "((sqrt(C)*sqrt(d)*kappa*log(n/delta)**2)**(2/3))"
"""K, by K^1.5 = R/r."""
