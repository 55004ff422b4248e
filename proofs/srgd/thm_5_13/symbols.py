"""What the parts of Theorem 5.13 share. Random vectors are vectors by their second moments: dot is the mean of the dot
product, given x_t."""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/THM-5.13"
RADIUS_C = positive("R", "bound on |C|_2")
MEAN_Q, MEAN_SQUARE = real("mean_q", "[0, oo)", "E|q_t|"), real("mean_square", "[0, oo)", "E|q_t|^2")
NOISE_NORM, INNER = real("n_b", "[0, oo)", "|b_t|"), real("inner", meaning="-E<q_t, y_(t+1) - x_t>")
FREE_X, TRUE = vector("x", "x_t"), vector("grad_F", "nabla F(x_t)")
THIRTY = "8*L**2/(sqrt(B)*beta) + 4*L*n_b/(sqrt(B)*eta)"
THIRTY_ONE = "eta_sum*(8*L**2/(sqrt(B)*beta) + 5*L*n_b/eta + 3*beta*n_b*R + beta*n_b**2/eta**2)"
DROPPED = real("drop", meaning="E[Phi_(t+1) - Phi_t]")
