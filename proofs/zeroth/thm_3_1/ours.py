"""How far Theorem 3.1 goes: large T, splits between its two cases, and what smooth losses give."""

from dpaudit.claims.writing import *

from .symbols import *

RATE = positive("rho", "the run is (alpha, rho alpha)-RDP for all alpha > 1")
ROOM = "(sigma**2*((1 - beta)/K + beta/d))"
GRADIENT = sequence("g", meaning="g[k]: <g, u_k>, g the difference of the two gradients")
EXPONENT = "w/(sqrt(2)*r)*(2*r**2*(1 + w/(sqrt(2)*r)) - 9/2*r*w)"

OURS = (
    erratum(
        "large",
        "the last step, from the divergence to (4), for every T: rho + 2 sqrt(rho log(1/delta)), which the conversion "
        "gives for (alpha, rho alpha)-RDP, is at most a multiple of sqrt(rho log(1/delta))",
        "rho + 2*sqrt(rho*l) <= C*sqrt(rho*l)",
        (constant("C"), RATE, LOG),
        reads=Reads.BOUNDARY,
        kind=ClaimKind.IMPLICATION,
        place="Theorem 3.1, (4), and the end of the proof",
        printed=r"\varepsilon=O(\sqrt{\frac{\Delta^{2}\log(1/\delta)T}{n^{2}\sigma^{2}}})",
        argument=(ForEvery(where("rho=C**2 l=1")),),
        finding=(
            "rho grows with T, and from rho = log(1/delta) on, where epsilon is about log(1/delta), its linear term is "
            "the larger one. So (4) is to be read for T up to about n^2 sigma^2 log(1/delta)/Delta^2, as such rates "
            "usually are; there it is proved. Beyond, epsilon grows as T and not as its root."
        ),
        repair=HERE,
    ),
    step(
        "conversion",
        "the exponent of the conversion with r^2 = f T Delta^2/(n sigma)^2 and w^2 = log(1/delta): at most -w^2 where "
        "rho = 2 r^2 <= w^2",
        f"{EXPONENT} <= -w**2",
        (positive("r"), positive("w")),
        ("sqrt(2)*r <= w",),
        argument=(
            Have("3 <= 9/(2*sqrt(2))", (Boxes(),)),
            Combine((("w", "sqrt(2)*r <= w"), ("w**2", "3 <= 9/(2*sqrt(2))"))),
        ),
        candidates=(point("r=1 w=2"),),
        mutants=(mutant("more", "twice as little", f"{EXPONENT} <= -2*w**2", "r=1 w=3/2"),),
    ),
    step(
        "split",
        "any share beta of isotropic noise: in the span each direction has noise of variance "
        "eta^2 sigma^2 ((1 - beta)/K + beta/d), and one step costs at most this much",
        f"alpha*(eta*(2*Delta/(n*sqrt(K))))**2/(2*(eta**2*{ROOM})) == 2*alpha*Delta**2/(n**2*sigma**2*(1 - beta + "
        f"beta*K/d))",
        (ETA, N, K, D, CLIP, SIGMA, ALPHA, SHARE),
        ("K <= d",),
        rests_on=ids(HERE, "s4~repaired"),
    ),
    step(
        "smooth",
        "records that are Delta-Lipschitz and so smooth that the quotients are slopes <g, u_k> of a gradient: all K "
        "changes together are those of one vector of length at most 2 Delta, and the run with noise along the "
        "directions costs at most (33) over K",
        "T*(alpha*norm(p)**2/(n*K)**2/(2*(sigma**2/K))) <= alpha*T/(2*K*sigma**2)*(2*Delta/n)**2",
        (
            *RUN,
            K,
            ALPHA,
            vector("g", "difference of the gradients of the two records"),
            vector("p", "its part in the span"),
        ),
        projected_by(("g", "p")),
        ours=("norm(g) <= 2*Delta",),
        kind=ClaimKind.PRIVACY,
        rests_on=("renyi-composition", "zeroth/LEM-3.7/orthonormal"),
        argument=(
            Have("norm(g)**2 <= (2*Delta)**2", (Power("1/2"), Combine((("1", "norm(g) <= 2*Delta"),)))),
            Have(
                "norm(p)**2 <= norm(g)**2", (Combine((("1", "0 <= norm(g - p)**2"), ("2", "dot(g, p) <= dot(p, p)"))),)
            ),
            Combine(
                (
                    ("T*alpha/(n**2*K*2*sigma**2)", "norm(p)**2 <= norm(g)**2"),
                    ("T*alpha/(n**2*K*2*sigma**2)", "norm(g)**2 <= (2*Delta)**2"),
                )
            ),
        ),
        candidates=(point("n=1 T=1 Delta=1 sigma=1 K=1 alpha=2 g=(2,) p=(2,)"),),
        mutants=(
            mutant(
                "power",
                "K^2 in place of K",
                "T*(alpha*norm(p)**2/(n*K)**2/(2*(sigma**2/K))) <= alpha*T/(2*K**2*sigma**2)*(2*Delta/n)**2",
                "n=1 T=1 Delta=1 sigma=1 K=2 alpha=2 g=(2,) p=(2,)",
            ),
        ),
    ),
)
