"""What the parts of Theorem 5.1 share."""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/THM-5.1"
ETA_0, ETA_1 = positive("eta_0"), positive("eta_1")
START, FIRST = vector("x_0", "x_0 = z_0"), vector("y_1", "y_1")
AT_START, AT_FIRST = vector("grad_0", "the estimate nabla_0"), vector("grad_1", "nabla F(y_1)")
F_0, F_1 = real("F_0", meaning="F(x_0)"), real("F_1", meaning="F(y_1)")
ONE_STEP = (
    "eta_0/(eta_0 + eta_1)*(2*r*(norm(grad_0 - q) + r)/beta + 3*r*norm(b)/eta_0 + r*norm_C"
    " + 3*beta/eta_0*norm(b)*norm_C + beta*norm(b)**2/eta_0**2) + beta/(eta_0 + eta_1)*norm_C**2"
)
"""The right side of the theorem for T = 1, where eta_{0:0} = eta_0 and eta_{0:1} = eta_0 + eta_1."""
SLOPE = (
    "beta=1 M=1 norm_C=1 x_0=(0) y_1=(1/2) x_star=(1) grad_0=(-1/2) grad_1=(-1/2) grad_star=(-1/2) F_0=0 F_1=-1/4 "
    "F_star=-1/2"
)
"""F = -x/2 on C = [0, 1], all examples alike, no noise."""
