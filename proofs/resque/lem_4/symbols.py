"""The symbols and terms that several parts use."""

from dpaudit.claims.writing import *

L, R, RHO = positive("L", "Lipschitz constant"), positive("r", "radius of the ball"), positive("rho", "smoothing")
BETA, ETA, SIGMA = positive("beta", "privacy parameter"), positive("eta", "step size"), positive("sigma", "noise")
D, T = integer("d", "[1, oo)", "dimension"), integer("T", "[1, oo)", "number of gradients")
H, PHASE_I, K = real("h", "[1, oo)", "That"), integer("i", "[1, oo)", "phase"), integer("k", "[1, oo)", "phases")
HALVED = "T + 1 <= 2*h"
V, XI = vector("v", "y - xbar"), gaussian("xi", "rho", "the draw")
SETTING = (L, R, BETA, ETA, D, T, H)
NOISY = "t**(d/2)*exp(x**2*t)"
SPREAD = (D, real("x", "[0, 1]", "|ybar - xbar|/rho"), real("t", "[1, 8/7]", "1/(1 - 2 sigma^2/rho^2)"))
SMALL_NOISE = "8*d*(t - 1) <= t"
A0, AN, SUM = real("a0", "[0, oo)", "E|y_0 - u|^2"), real("an", "[0, oo)", "E|y_n - u|^2"), real("S", "(-oo, oo)")
F0, FN = real("f0", "(-oo, oo)", "E F(y_0) - F(u)"), real("fn", "(-oo, oo)", "E F(y_n) - F(u)")
N, M = integer("n", "[1, oo)", "T_i"), real("m", "[0, oo)", "E|y_n - u|")
PHASE = ("2*eta*S + an <= a0 + 3*eta**2*L**2*n + 2/5*eta**2*L**2", "fn <= L*m", "m**2 <= an", "0 <= f0")
