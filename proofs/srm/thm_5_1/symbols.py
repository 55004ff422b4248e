"""Section 2.1: the noise of (2.3) and (2.5), the sensitivities, and what a number of estimates costs."""

from dpaudit.claims.writing import *

from .notation import *

THM = "srm/THM-5.1"
RUN = (RECORDS, STEPS, EPS, BETA)
FIRST_VARIANCE = "(14*T*alpha*G**2/(beta*n**2*eps))"
"""sigma_0^2, (2.3)."""
DRIFT = "((1 - gamma)*zeta/n0 + gamma*G)"
VARIANCE = f"(14*T*alpha*{DRIFT}**2/(beta*n**2*eps))"
"""sigma_t^2, (2.5)."""
FIRST_SENSITIVITY, SENSITIVITY = "(2*G/b0)", f"(2*{DRIFT}/b)"
"""Delta_0, (2.2), and Delta_t, (2.4)."""
ORDER = "(log(1/delta)/((1 - beta)*eps) + 1)"
"""The alpha of the theorem."""
CONVERTED = f"log(1/delta)/({ORDER} - 1)"
"""What Lemma 3.9 adds."""
ABOVE_ONE = f"1 < {ORDER}"
"""The alpha of the theorem is an order: step `order`."""


def subsampled(batch, sensitivity, variance):
    """3.5 alpha tau^2 Delta^2/sigma^2 of Lemma 3.7, with tau = batch/n."""
    return f"7/2*alpha*({batch}/n)**2*{sensitivity}**2/{variance}"


def order_condition(batch, multiplier):
    """alpha - 1 <= (2/3) sigma'^2 log(1/(tau alpha (1 + sigma'^2)))."""
    return f"alpha - 1 <= 2/3*({multiplier})*log(1/({batch}/n*alpha*(1 + {multiplier})))"


def at_order(text):
    """`text` with the alpha of the theorem."""
    return text.replace("alpha", ORDER)
