"""The printed proof of Lemma 3.7, appendix A.6, from (41) on: the parts of the step across the frame and along it."""

from dpaudit.claims.writing import *

from .remainders import REMAINDERS
from .symbols import *

IMAGE = "(v - eta/K*g)"
LINEAR = (
    ("1", f"dot(q, q) == dot({IMAGE}, q)"),
    ("-2", "dot(p, q) == dot(v, q)"),
    ("2*eta/K", "dot(w, q) == dot(g, q)"),
    ("1", f"dot(p, {IMAGE}) == dot(v, q)"),
    ("-eta/K", f"dot(w, {IMAGE}) == dot(g, q)"),
    ("1", "dot(p, p) == dot(v, p)"),
    ("(eta/K)**2", "dot(w, w) == dot(g, w)"),
    ("eta/K", "dot(p, g) == dot(v, w)"),
    ("-2*eta/K", "dot(p, w) == dot(v, w)"),
)

PROJECTED = (
    step(
        "s5",
        "(41)(a): what lies across the frame and what lies in its span are orthogonal",
        "norm(v - eta/K*w)**2 == norm(v - p)**2 + norm(p - eta/K*w)**2",
        (V, G, P, W, ETA, K),
        projected_by(("v", "p"), ("g", "w")),
        place="Appendix A.6, (41)(a)",
        printed=r"\|(x-y)-\sum_{k=1}^{K}\langle x-y,u_{t,k}\rangle u_{t,k}\|^{2}+\|\sum_{k=1}^{K}\langle x-y,u_{t,k}"
        r"\rangle u_{t,k}-\tilde{\eta}\sum_{k=1}^{K}\langle\nabla\bar{\ell}(x)-\nabla\bar{\ell}(y),u_{t,k}\rangle "
        r"u_{t,k}\|^{2}",
        argument=(Combine((("-2", "dot(p, p) == dot(v, p)"), ("2*eta/K", "dot(p, w) == dot(v, w)"))),),
        candidates=(point("v=(1,1) g=(1,0) p=(1,0) w=(1,0) eta=1 K=1"),),
        mutants=(
            mutant(
                "factor",
                "twice the second part",
                "norm(v - eta/K*w)**2 == norm(v - p)**2 + 2*norm(p - eta/K*w)**2",
                "v=(1,1) g=(1,0) p=(1,0) w=(1,0) eta=2 K=1",
            ),
        ),
    ),
    step(
        "s6",
        "the line after it: P(x - y) - (eta/K) P g is P(phi(x) - phi(y))",
        "norm(q - (p - eta/K*w))**2 <= 0",
        (V, G, P, Q, W, ETA, K),
        projected_by(("v", "p"), ("g", "w"), ("(v - eta/K*g)", "q")),
        place="Appendix A.6, (41), the line after (a)",
        printed=r"\|\sum_{k=1}^{K}\langle\phi(x)-\phi(y),u_{t,k}\rangle u_{t,k}\|^{2}",
        argument=(Combine(LINEAR),),
        candidates=(point("v=(1,1) g=(1,0) p=(1,0) q=(0,0) w=(1,0) eta=1 K=1"),),
        mutants=(
            mutant(
                "sign",
                "+ eta/K",
                "norm(q - (p + eta/K*w))**2 <= 0",
                "v=(1,1) g=(1,0) p=(1,0) q=(0,0) w=(1,0) eta=1 K=1",
            ),
        ),
    ),
    step(
        "s7",
        "(b): what the sums of upsilon_k and of gamma_k, the shares of x - y and of phi(x) - phi(y) in the span of an "
        "orthonormal frame (`orthonormal`), make of the two squares",
        "norm(v - p)**2 + norm(q)**2 == (1 - ups)*norm(v)**2 + gam*norm(f)**2",
        (V, F, P, Q, UPSILON, GAMMA),
        (*IN_SPAN, *SHARES),
        place="Appendix A.6, (41)(b)",
        rests_on=(f"{HERE}/orthonormal",),
        printed=r"(1-\sum_{k=1}^{K}\upsilon_{k})\|x-y\|^{2}+(\sum_{k=1}^{K}\gamma_{k})\|\phi(x)-\phi(y)\|^{2}",
        argument=(Combine((("-1", SHARES[0]), ("1", SHARES[1]), ("2", "dot(p, p) == dot(v, p)"))),),
        candidates=(point("v=(1,1) f=(1,0) p=(1,0) q=(1,0) ups=1/2 gam=1"),),
        mutants=(
            mutant(
                "sign",
                "1 + ups",
                "norm(v - p)**2 + norm(q)**2 == (1 + ups)*norm(v)**2 + gam*norm(f)**2",
                "v=(1,1) f=(1,0) p=(1,0) q=(1,0) ups=1/2 gam=1",
            ),
        ),
    ),
    step(
        "s8",
        "(c): phi is c-Lipschitz",
        "(1 - ups)*norm(v)**2 + gam*norm(f)**2 <= (1 - ups + c**2*gam)*norm(v)**2",
        (V, F, UPSILON, GAMMA, LIPSCHITZ),
        ("norm(f) <= c*norm(v)",),
        place="Appendix A.6, (41)(c)",
        printed=r"(1-\sum_{k=1}^{K}\upsilon_{k}+c^{2}\sum_{k=1}^{K}\gamma_{k})\|x-y\|^{2}",
        argument=(
            Have("norm(f)**2 <= (c*norm(v))**2", (Power("1/2"), Combine((("1", "norm(f) <= c*norm(v)"),)))),
            Combine((("gam", "norm(f)**2 <= (c*norm(v))**2"),)),
        ),
        candidates=(point("v=(2,) f=(1,) ups=1/2 gam=1/2 c=1/2"),),
        mutants=(
            mutant(
                "power",
                "c for its square",
                "(1 - ups)*norm(v)**2 + gam*norm(f)**2 <= (1 - ups + c*gam)*norm(v)**2",
                "v=(1,) f=(2,) ups=0 gam=1 c=2",
            ),
        ),
    ),
)
STEPS = (*REMAINDERS, *PROJECTED)
