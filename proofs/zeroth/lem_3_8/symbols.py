"""The symbols of Lemma 3.8; e is its epsilon, and the beta law is that of both sums."""

from dpaudit.claims.writing import integer, real

HERE, THEOREM = "zeroth/LEM-3.8", "zeroth/THM-A.1"
D, K = integer("d", "[2, oo)", "dimension"), integer("K", "[1, oo)", "directions")
SLACK, LIPSCHITZ = real("e", "[0, oo)", "slack of the tail"), real("c", "[0, oo)", "Lipschitz constant of phi")
UPSILON, GAMMA = real("a", "[0, 1]", "sum <A,u_k>^2"), real("b", "[0, 1]", "sum <B,u_k>^2")
HALF = ("2*K <= d",)
LOWER = "(1 - beta_tail(K/2, (d - K)/2, (1 - e)*K/d))"
UPPER = "beta_tail(K/2, (d - K)/2, (1 + e)*K/d)"
RATE = "exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K)))"
VARIANCE, BERNSTEIN = "2*K*(d - K)/(d**2*(d + 2))", "4*(d - 2*K)/(d*(d + 4))"
FINER = f"exp(-(e*K/d)**2/(2*({VARIANCE} + {BERNSTEIN}*e*K/(3*d))))"

# Theorem A.1 at its alpha = K/2, beta = (d - K)/2 and deviation e K/d.
FIRST, SECOND = "(K/2)", "((d - K)/2)"
SUM, MEAN = f"({FIRST} + {SECOND})", f"({FIRST}/({FIRST} + {SECOND}))"
V, C = f"({FIRST}*{SECOND}/({SUM}**2*({SUM} + 1)))", f"(2*({SECOND} - {FIRST})/({SUM}*({SUM} + 2)))"
OF_THEOREM = f"exp(-(e*K/d)**2/(2*({V} + {C}/3*(e*K/d))))"
UPPER_TAIL = f"beta_tail(K/2, (d - K)/2, {MEAN} + e*K/d) <= {OF_THEOREM}"
LOWER_TAIL = f"1 - beta_tail(K/2, (d - K)/2, {MEAN} - e*K/d) <= {OF_THEOREM}"
