"""Symbols of one step of Algorithm 1 at one coordinate, and of the comparison of guarantees."""

from dpaudit.claims.writing import integer, positive, real, sequence

COORDINATES = integer("d", "[1, oo)", "number of coordinates")
RECORDS = integer("n", "[1, oo)", "number of records")
POINT, GRADIENT, DRAW = real("theta"), real("g", meaning="grad_j f(theta)"), real("z", meaning="standard normal draw")
ETA = real("eta", meaning="noise of the coordinate")
GAMMA, P = positive("gamma", "step size of the coordinate"), real("p", "(0, 1]", "Prob(j in S)")
IN_SET = real("chi", "[0, 1]", "1 where j lies in S, else 0")
M_J = positive("M_j", "smoothness of the coordinate")
L_J, L_U, L_V = positive("L_j", "Lipschitz constant"), positive("L_U"), positive("L_V")
STEPS, EPOCHS = integer("K", "[1, oo)", "inner steps"), integer("T", "[1, oo)", "epochs")
EPS, LOG = real("eps", "(0, 1]"), positive("Lam", "log(1/delta)")
OF_RECORDS = sequence("g", meaning="g[i]: gradient of the record i at theta, coordinate j")
DRAWN = integer("i", "[1, oo)", "the record that is drawn")


def update(share, noise, gamma="gamma"):
    """Line 7 of Algorithm 1 at one coordinate, Prob(j in S) = share."""
    return f"theta - {gamma}*(chi/({share}))*(g + {noise})"


def variance(lipschitz):
    """sigma_U^2 of Theorem 4.1."""
    return f"12*{lipschitz}**2*K*T*Lam/(n**2*eps**2)"
