"""The argument: one epoch, the recursion over the epochs, and the last, incomplete one."""

from dpaudit.claims.writing import *

from .symbols import *

EPOCH_STEPS = (
    step(
        "r1",
        "one update x' = argmin_B {eta <G, .> + (eta lambda/2)|. - c|^2 + |. - x|^2/2} gives, for every u in B, "
        "eta (<G, x - u> + psi(x') - psi(u)) <= |x - u|^2/2 - |x' - u|^2/2 + eta^2 |G|^2/2, psi = (lambda/2)|. - "
        "c|^2 "
        "(G = 0 for the first update of an epoch)",
        "eta*(dot(G, x - u) + lam/2*dot(xn - c, xn - c) - lam/2*dot(u - c, u - c))"
        " <= dot(x - u, x - u)/2 - dot(xn - u, xn - u)/2 + eta**2/2*dot(G, G)",
        (ETA, LAM, *(vector(n) for n in ("G", "x", "xn", "u", "c"))),
        (OPTIMAL,),
        rests_on=("first-order-optimality",),
        argument=(
            Combine(
                terms=(
                    ("1", OPTIMAL),
                    ("1/2", "0 <= dot(xn - x + eta*G, xn - x + eta*G)"),
                    ("eta*lam/2", "0 <= dot(xn - u, xn - u)"),
                )
            ),
        ),
        candidates=(UPDATE, FAR_UPDATE),
        mutants=(
            Mutant(
                "gradient",
                "eta^2 |G|^2/4 in place of eta^2 |G|^2/2",
                "eta*(dot(G, x - u) + lam/2*dot(xn - c, xn - c) - lam/2*dot(u - c, u - c))"
                " <= dot(x - u, x - u)/2 - dot(xn - u, xn - u)/2 + eta**2/4*dot(G, G)",
            ),
        ),
    ),
    step(
        "r2",
        "the last point of an epoch, where no gradient is taken: eta (f(x^T) - f(u)) - |x^T - u|^2/2 <= eta^2 L^2/2",
        "eta*L*s - s**2/2 <= eta**2*L**2/2",
        (ETA, L, real("s", "[0, oo)", "|x^T - u|")),
        argument=(Combine(terms=(("1/2", "0 <= (eta*L - s)**2"),)),),
        mutants=(Mutant("constant", "1/4 in place of the second 1/2", "eta*L*s - s**2/2 <= eta**2*L**2/4"),),
    ),
    step(
        "s1",
        "per epoch: E F(x_{k+1}^0) - F* <= E|x_k^0 - x*|^2/(2 eta T) + eta G^2/2 (the sum of r1 over t, r2, and "
        "convexity)",
        "gap <= D_first/(2*eta*length) + eta*G2/2",
        (
            ETA,
            LENGTH,
            L,
            SECOND,
            real("gap"),
            real("f_sum", meaning="sum of E f(x^t) - f*, t < T"),
            real("f_last", meaning="E f(x^T) - f*"),
            real("psi_sum", meaning="sum of E psi(x^t) - psi*, t <= T"),
            real("D_first", "[0, oo)", "E|x^0 - x*|^2"),
            real("D_last", "[0, oo)", "E|x^T - x*|^2"),
        ),
        (*EPOCH, "L**2 <= G2"),
        reads=Reads.OURS,
        argument=(
            Combine(
                terms=(
                    ("1/length", EPOCH[0]),
                    ("1/(eta*length)", EPOCH[1]),
                    ("1/(eta*length)", EPOCH[2]),
                    ("eta/(2*length)", "L**2 <= G2"),
                )
            ),
        ),
        kind=ClaimKind.IMPLICATION,
        rests_on=("resque/PROP-3/r1", "resque/PROP-3/r2", "resque/LEM-1.1", "resque/LEM-1.2", "jensen"),
        candidates=(ONE_EPOCH,),
        mutants=(
            Mutant("variance", "eta G^2/4 in place of eta G^2/2", "gap <= D_first/(2*eta*length) + eta*G2/4"),
            Mutant("distance", "eta T in place of 2 eta T, as 4 eta T", "gap <= D_first/(4*eta*length) + eta*G2/2"),
        ),
    ),
    step(
        "s2",
        "eta_k T_k = 4/lambda",
        "1/(4*lam)/2**(k - 1)*(16*2**(k - 1)) == 4/lam",
        (LAM, integer("k", "[1, oo)")),
        reads=Reads.OURS,
    ),
    step(
        "s3",
        "gap_{k+1} <= gap_k/4 + eta_k G^2/2 (s1, s2, and lambda/2 |x - x*|^2 <= gap)",
        "gap_next <= gap/4 + eta*G2/2",
        (LAM, ETA, SECOND, real("gap"), real("gap_next"), real("D", "[0, oo)", "E|x_k^0 - x*|^2")),
        ("gap_next <= D*lam/8 + eta*G2/2", "lam/2*D <= gap"),
        reads=Reads.OURS,
        argument=(Combine(terms=(("1", "gap_next <= D*lam/8 + eta*G2/2"), ("1/4", "lam/2*D <= gap"))),),
        kind=ClaimKind.IMPLICATION,
        rests_on=("strong-convexity-growth",),
        candidates=(point("lam=2 eta=1 G2=1 gap=4 gap_next=3/2 D=4"),),
        mutants=(Mutant("constant", "gap/5 in place of gap/4", "gap_next <= gap/5 + eta*G2/2"),),
    ),
    step(
        "s4",
        "gap_1 <= L^2/(2 lambda): the start xbar, as F(xbar) - F(x*) <= L s - (lambda/2) s^2 with s = |x* - xbar|",
        "L*s - lam/2*s**2 <= L**2/(2*lam)",
        (L, LAM, real("s", "[0, oo)")),
        reads=Reads.OURS,
        argument=(Combine(terms=(("1/(2*lam)", "0 <= (L - lam*s)**2"),)),),
        candidates=(point("L=2 lam=3 s=2/3"), point("L=1 lam=1/2 s=2")),
        mutants=(Mutant("constant", "49/100 in place of 1/2", "L*s - lam/2*s**2 <= 0.98*L**2/(2*lam)"),),
    ),
    step(
        "s5",
        "gap_k <= G^2/(lambda 2^k) for every k: the recursion s3 from s4, unrolled over m = k - 1 epochs",
        f"{GAP} <= {CLOSED}",
        (L, LAM, EPOCHS),
        reads=Reads.OURS,
        argument=(RECURSION,),
        kind=ClaimKind.INDUCTION,
        candidates=(DEEP,),
        mutants=(Mutant("constant", "2.9 in place of 3", f"{GAP} <= 2.9*L**2/(lam*2**(m + 1))"),),
    ),
    step(
        "s6",
        "final gap <= 16 G^2/(lambda T) = 48 L^2/(lambda T), the last, incomplete epoch included",
        f"{CLOSED} <= 48*L**2/(lam*T)",
        (L, LAM, EPOCHS, positive("T")),
        LOOP,
        reads=Reads.OURS,
        argument=(Scale("lam*T*2**(m + 1)/L**2"), Rewrite(left="3*T", right="48*2**(m + 1)"), Solve()),
        candidates=(point("L=1 lam=1 m=6 T=2031"),),
        tightness=(
            Tightness(
                "samples",
                printed="48",
                form=f"{CLOSED} <= {{c}}*L**2/(lam*T)",
                proved="48",
                refuted="47",
                candidates=(point("L=1 lam=1 m=6 T=2031"),),
            ),
        ),
    ),
)
