r"""Algorithm 1: identities of its iterates, on which the proofs rest. All but `recursion` are ours.

inv1: y_(t+1) and z_(t+1) are functions of one noisy sum, eta_t nabla_t - beta b_t, so that both can be released
with its privacy. It holds for the printed updates, and not for z'_(t+1) of the proof of Lemma 5.2 (halved), for
which b_t must be halved too.
"""

from dpaudit.claims.writing import *

ETA, BEFORE, BETA = positive("eta", "eta_t"), positive("eta_before", "eta_(t-1)"), positive("beta")
Z, X, ESTIMATE, NOISE = vector("z", "z_t"), vector("x", "x_t"), vector("grad", "nabla_t"), vector("b", "b_t")
ANY, Y = vector("w", "any vector"), vector("y", "y_t")
OTHER, OTHER_NOISE = vector("grad_2", "another estimate"), vector("b_2", "its noise")
ETA_SUM = positive("eta_sum", "eta_{0:t}")
HERE = "srgd/ALG-1"
SUM, OTHER_SUM = "(eta*grad - beta*b)", "(eta*grad_2 - beta*b_2)"
SAME = f"norm({SUM} - {OTHER_SUM}) == 0"
WEIGHTS = sequence("eta", "(0, oo)")
TRUE, PREFIX = vector_sequence("G", "grad F(x_t)"), vector_sequence("g", "g_t")
COUPLED = "((1 - eta/eta_sum)*y + eta/eta_sum*z)"

CLAIM = Claim(
    id=HERE,
    title="one noisy sum for both updates",
    words=(
        "What line 7 projects, z_t - (eta_t/beta) nabla_t + b_t, is z_t - (eta_t nabla_t - beta b_t)/beta, and what "
        "line 8 projects is a function of the same sum (inv1-y): once this sum is released, both updates are."
    ),
    place="Algorithm 1, line 7",
    reads=Reads.OURS,
    printed=r"\mathbf{z}_{t+1} \leftarrow \Pi_{\mathcal{C}}\left(\mathbf{z}_t - \frac{\eta_t}{\beta}\nabla_t + "
    r"\mathbf{b}_t\right)",
    kind=ClaimKind.IDENTITY,
    statement=Statement(
        f"dot(z - eta/beta*grad + b, w) == dot(z - {SUM}/beta, w)", (ETA, BETA, Z, ESTIMATE, NOISE, ANY)
    ),
    argument=(Identical(),),
    steps=(
        step(
            "inv1-y",
            "x_t - nabla_t/beta + b_t/eta_t = x_t - (eta_t nabla_t - beta b_t)/(beta eta_t)",
            f"dot(x - grad/beta + b/eta, w) == dot(x - {SUM}/(beta*eta), w)",
            (ETA, BETA, X, ESTIMATE, NOISE, ANY),
            place="Algorithm 1, line 8",
            printed=r"\mathbf{y}_{t+1} \leftarrow \Pi_{\mathcal{C}}\left(\mathbf{x}_t - \frac{1}{\beta}\nabla_t + "
            r"\frac{1}{\eta_t}\cdot\mathbf{b}_t\right)",
        ),
        erratum(
            "halved",
            "z'_(t+1) = z_t - eta_t/(2 beta) nabla_t + b_t of the proof of Lemma 5.2 is a function of the same "
            "noisy sum",
            "norm((z - eta/(2*beta)*grad + b) - (z - eta/(2*beta)*grad_2 + b_2)) <= 0",
            (ETA, BETA, Z, ESTIMATE, NOISE, OTHER, OTHER_NOISE),
            (SAME,),
            reads=Reads.OURS,
            place="proof of Lemma 5.2, z'_(t+1)",
            candidates=(point("eta=1 beta=1 z=(0) grad=(0) b=(0) grad_2=(1) b_2=(1)"),),
            finding=(
                "nabla = 0, b = 0 and nabla = 1, b = 1 have the same noisy sum 0 with eta_t = beta = 1, and z' "
                "is 0 or 1/2: y and z' together would give nabla_t away. Algorithm 1 does not do this, and the paper "
                "does not release z'. If its step of z is halved, its noise must be too (halved~repaired)."
            ),
            repair=f"{HERE}/halved~repaired",
        ),
        step(
            "halved~repaired",
            "with b_t/kappa beside eta_t/(kappa beta) it is, for every kappa",
            f"dot(z - eta/(kappa*beta)*grad + b/kappa, w) == dot(z - {SUM}/(kappa*beta), w)",
            (ETA, BETA, positive("kappa"), Z, ESTIMATE, NOISE, ANY),
        ),
        step(
            "recursion",
            "g_t = g_(t-1) + Delta_t gives nabla_t = Delta_t/eta_t + (eta_(t-1)/eta_t) nabla_(t-1)",
            "dot((eta_before*grad + delta)/eta, w) == dot(delta/eta + eta_before/eta*grad, w)",
            (ETA, BEFORE, ESTIMATE, vector("delta", "Delta_t"), ANY),
            reads=Reads.PRINTED,
            place="Algorithm 1, line 5",
            printed=r"\nabla_t \leftarrow \frac{\Delta_t}{\eta_t} + \frac{\eta_{t-1}}{\eta_t}\cdot\nabla_{t-1}",
        ),
        step(
            "coupled",
            "eta_{0:t} x_t = eta_{0:t-1} y_t + eta_t z_t, for tau_t = eta_t/eta_{0:t}; along any w",
            f"dot(eta_sum*{COUPLED}, w) == dot((eta_sum - eta)*y + eta*z, w)",
            (ETA, ETA_SUM, Y, Z, ANY),
            place="Algorithm 1, line 9",
        ),
        step(
            "alike",
            "with all examples alike (Delta_i = eta_i grad F(x_i) - eta_(i-1) grad F(x_(i-1))) nabla_t is the "
            "gradient of F: deterministic accelerated gradient (Algorithm 8 of the specification); along any w",
            "dot(g[T], w) == eta[T]*dot(G[T], w)",
            (integer("T", "[0, oo)"), WEIGHTS, TRUE, PREFIX, ANY),
            (
                "dot(g[0], w) == eta[0]*dot(G[0], w)",
                "all(t, 0, T - 1, dot(g[t + 1] - g[t], w) == eta[t + 1]*dot(G[t + 1], w) - eta[t]*dot(G[t], w))",
            ),
            kind=ClaimKind.INDUCTION,
            place="Algorithm 1, lines 4 and 5",
            argument=(Induct("T"),),
            candidates=(point("T=1 eta=[1,2] G=[(1),(3)] g=[(1),(6)] w=(1)"),),
            mutants=(
                mutant(
                    "first",
                    "the first gradient",
                    "dot(g[T], w) == eta[T]*dot(G[0], w)",
                    "T=1 eta=[1,2] G=[(1),(3)] g=[(1),(6)] w=(1)",
                ),
            ),
        ),
        step(
            "default-weights",
            "tau_t = eta_t/eta_{0:t} is 2/(t + 2) for eta_t = t + 1",
            "(t + 1)/((t + 1)*(t + 2)/2) == 2/(t + 2)",
            (integer("t", "[0, oo)"),),
            place="Algorithm 1, line 9",
        ),
    ),
)
