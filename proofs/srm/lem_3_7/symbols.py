"""Section 3 of the supplement, with Delta(q) = 1: the symbols, and the terms of (3.1)."""

from dpaudit.claims.writing import *

from .notation import TAU

ORDER = integer("alpha", "[2, oo)", "Renyi order: the sums of (3.1) run up to it")
REAL_ORDER = real("alpha", "(1, oo)", "Renyi order")
INDEX = integer("j", "[3, oo)", "index of a term of (3.1)")
VARIANCE = real("sigma2", "[7/10, oo)", "sigma^2 in units of the squared sensitivity: sigma'^2 >= 0.7")
SYMBOLS = (ORDER, TAU, VARIANCE)

MINIMUM = "min(4*(exp(1/sigma2) - 1), 2*exp(1/sigma2))"
"""min{4(e^rho(2) - 1), 2 e^rho(2)}, as rho(2) = 1/sigma^2."""
TAIL = "sum(j, 3, alpha, tau**j*binomial(alpha, j)*2*exp((j - 1)*j/(2*sigma2)))"
"""The summation term of (3.1), rho(j) = j/(2 sigma^2)."""
THEOREM_9 = f"log(1 + tau**2*binomial(alpha, 2)*{MINIMUM} + {TAIL})/(alpha - 1)"
"""The right side of (3.1)."""
RHO_PRIME = real("rho_prime", "[0, oo)", "rho'(alpha), Renyi divergence of order alpha on the hidden subset")
BY_31 = f"rho_prime <= {THEOREM_9}"
"""(3.1)."""
SECOND = "tau**2*binomial(alpha, 2)"
RATIO = "(tau*alpha*exp((alpha - 1)/(2*sigma2)))"
"""The ratio of the geometric sum."""
NUMERATOR = "tau*alpha*exp(3*(alpha - 1)/(2*sigma2))"
GEOMETRIC = "sum(j, 3, alpha, tau**(j - 2)*alpha**(j - 2)*exp((alpha - 1)*j/(2*sigma2)))"
ORDER_CONDITION = "alpha - 1 <= 2/3*sigma2*log(1/(tau*alpha*(1 + sigma2)))"
"""(3.2), the condition of the lemma."""
CLOSING_CONDITION = "alpha <= log(1/(tau*(1 + sigma2)))"
"""What the last paragraph of the proof has in the place of (3.2)."""
BOUND = "7/2*alpha*tau**2/sigma2"
LEM = "srm/LEM-3.7"
TOTAL = f"{SECOND}*{MINIMUM} + {TAIL}"
BY_S3 = f"{SECOND}*{MINIMUM} <= {SECOND}*6/sigma2"
BY_S9 = f"{TAIL} <= {SECOND}/sigma2"
