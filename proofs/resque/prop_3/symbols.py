"""The symbols and terms that several parts use."""

from dpaudit.claims.writing import *

L, LAM, PHI = positive("L", "Lipschitz constant"), positive("lam"), positive("phi", "target error")
EPOCHS, T = integer("m", "[0, oo)", "completed epochs"), real("T", "[0, oo)", "sample bound of the loop")
# The while loop: m epochs of lengths 16, 32, ... fit into T, one more does not.
LOOP = ("16*(2**m - 1) <= T", "T < 16*(2**(m + 1) - 1)")
# s3 from s4, unrolled over m epochs with eta_k = 2^(1-k)/(4 lambda) and G^2 = 3L^2.
GAP = "(L**2/(2*lam) + sum(k, 1, m, 2**k*3*L**2/(4*lam)))/4**m"
CLOSED = "3*L**2/(lam*2**(m + 1))"
DEEP = point("L=1 lam=1 m=6")
AT_47 = point("L=1 lam=1 m=1 T=47 phi=48/47")
ETA, LENGTH = positive("eta", "step size"), real("length", "[1, oo)", "T_k")
SECOND = real("G2", "[0, oo)", "bound of E|G|^2")
ROUNDED_UP = ("48*L**2/(lam*phi) <= T", "T <= 48*L**2/(lam*phi) + 1")
# x' is the minimiser over the ball: the directional derivative towards any u in it is not negative.
OPTIMAL = "0 <= dot(eta*G + eta*lam*(xn - c) + xn - x, u - xn)"
# x = 0, c = 0, G = 1, eta = lam = 1: x' = -1/2; u = x'.
UPDATE = point("eta=1 lam=1 G=(1,) x=(0,) xn=(-1/2,) u=(-1/2,) c=(0,)")
FAR_UPDATE = point("eta=1 lam=1 G=(1,) x=(100,) xn=(199/2,) u=(99,) c=(100,)")  # fmt: skip
EPOCH = (
    "gap*length <= f_sum + f_last + psi_sum",
    "eta*(f_sum + psi_sum) <= D_first/2 - D_last/2 + (length - 1)*eta**2*G2/2",
    "eta*f_last - D_last/2 <= eta**2*L**2/2",
)
ONE_EPOCH = point("eta=1 length=2 L=1 G2=1 gap=1 f_sum=1 f_last=1 psi_sum=0 D_first=2 D_last=1")  # fmt: skip
RECURSION = Induct(
    "m",
    base=(Scale("lam/L**2"), Rewrite(left="1/2", right="3/2"), Positive()),
    step=(Combine(terms=(("1/4", f"(L**2/(2*lam) + sum_1)/4**m <= {CLOSED}"),)),),
)
