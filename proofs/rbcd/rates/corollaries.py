"""The rates for block, single and full sampling, convex case."""

from dpaudit.claims.writing import *

from .symbols import *

BOUND_BY_THEOREM = theorem("Sigma", "R_MP")
AT = "gap=13 n=1 eps=1 Lam=1"


def corollary(name, title, words, place, printed, term, symbols, bound, mutants, **rest):
    """A rate that follows from the theorem with the choice of S put in, C = 13."""
    return Claim(
        id=f"rbcd/{name}",
        title=title,
        words=words,
        place=place,
        printed=printed,
        kind=ClaimKind.CONVERGENCE,
        statement=Statement(rate(term), (ANY, GAP, *symbols, *BUDGET), (bound, *rest.pop("also", ()))),
        argument=(Choose(where("C=13")), *rest.pop("moves", (Combine(terms=(("1", bound),)),))),
        mutants=mutants,
        origins=(Condition(bound, Origin.GIVEN, "rbcd/THM-4.2a"), *rest.pop("origins", ())),
        **rest,
    )


def squared_records(term, values):
    """A mutant: one power of n too many."""
    return mutant(
        "records",
        "n^2 in the place of n",
        f"gap <= C*{term}*sqrt(Lam)/(n**2*eps)",
        f"gap=13/2 n=2 eps=1 Lam=1 {values}",
    )


SIGMA_IS = "Sigma <= sqrt(norm2)"
SIGMA_KNOWN = Have(SIGMA_IS, (Power("2"), Combine(terms=(("-1", "Sigma**2 == norm2"),))))
GIVEN_SIGMA = (Condition("Sigma**2 == norm2", Origin.GIVEN, "rbcd/ID-SIG-BS"),)
BLOCK_TERM, SHORT = "sqrt(norm2)*R_MP", "R_MP <= R_I*sqrt(top)"

COROLLARIES = (
    corollary(
        "COR-BS",
        "rate of block sampling",
        "Block sampling, convex case: E[f(w_priv) - f*] = O(||L_A|| R_{MP^-1} sqrt(log(1/delta))/(n eps)).",
        "Section 4.2.1, after the definition of L_A",
        r"\mathcal{O}\left(\frac{\left\|L_{\{A_1,\ldots,A_b\}}\right\|_{\mathbf{M}^{-1}}R_{\mathbf{M}\mathbf{P}^{-1}}}"
        r"{n\varepsilon}\log^{1/2}\frac1\delta\right)",
        BLOCK_TERM,
        (SIGMA, NORM, R_WEIGHTED),
        BOUND_BY_THEOREM,
        (squared_records(BLOCK_TERM, "Sigma=1 norm2=1 R_MP=1"),),
        also=("Sigma**2 == norm2",),
        origins=GIVEN_SIGMA,
        candidates=(point(f"{AT} Sigma=1 norm2=1 R_MP=1"),),
        moves=(
            SIGMA_KNOWN,
            Combine(terms=(("1", BOUND_BY_THEOREM), (f"13*R_MP*{LOG_ROOT}", SIGMA_IS))),
        ),
    ),
    corollary(
        "COR-BS-IS",
        "rate of block sampling with importance",
        "q_i proportional to the largest M_j of A_i: O(||L_A|| R_I sqrt(sum of the largest M_j) "
        "sqrt(log(1/delta))/(n eps)). The sum of the largest M_j is `top`.",
        "Section 4.2.1, after importance sampling",
        r"\mathcal{O}\left(\frac{\left\|L_{\{A_1,\ldots,A_b\}}\right\|_{\mathbf{M}^{-1}}R_{\mathbf{I}}"
        r"\sqrt{\sum_{i=1}^b\max_{j\in A_i}M_j}}{n\varepsilon}\log^{1/2}\frac1\delta\right)",
        "sqrt(norm2)*R_I*sqrt(top)",
        (SIGMA, NORM, R_WEIGHTED, R_PLAIN, positive("top", "sum of the largest M_j of the blocks")),
        BOUND_BY_THEOREM,
        (squared_records("sqrt(norm2)*R_I*sqrt(top)", "Sigma=1 norm2=1 R_MP=1 R_I=1 top=1"),),
        also=("Sigma**2 == norm2", "R_MP**2 <= top*R_I**2"),
        origins=(*GIVEN_SIGMA, Condition("R_MP**2 <= top*R_I**2", Origin.GIVEN, "rbcd/CLM-IS/radius")),
        candidates=(
            point(f"{AT} Sigma=1 norm2=1 R_MP=1 R_I=1 top=1"),
            point("gap=0 n=1 eps=1 Lam=1 Sigma=1 norm2=1 R_MP=1 R_I=1 top=1"),
            point("gap=117 n=1 eps=1 Lam=1 Sigma=1 norm2=1 R_MP=9 R_I=1 top=1"),
        ),
        moves=(
            SIGMA_KNOWN,
            Have(SHORT, (Power("2"), Combine(terms=(("1", "R_MP**2 <= top*R_I**2"),)))),
            Combine(
                terms=(
                    ("1", BOUND_BY_THEOREM),
                    (f"13*R_MP*{LOG_ROOT}", SIGMA_IS),
                    (f"13*sqrt(norm2)*{LOG_ROOT}", SHORT),
                )
            ),
        ),
    ),
    corollary(
        "COR-SC",
        "rate of single coordinates",
        "Single coordinates, any p: O(||L_{1..d}|| R_{MP^-1} sqrt(log(1/delta))/(n eps)).",
        "Section 4.2.1, Single Coordinate Sampling",
        r"\mathcal{O}\left(\frac{\left\|L_{\{1,\ldots,d\}}\right\|_{\mathbf{M}^{-1}}R_{\mathbf{M}\mathbf{P}^{-1}}}"
        r"{n\varepsilon}\log^{1/2}\frac1\delta\right)",
        f"sqrt({NORM_1D})*sqrt(sum(j, 1, d, M[j]*w[j]**2/p[j]))",
        (COORDINATES, L, M, W, P),
        theorem("sqrt(sum(j, 1, d, p[j]*L[j]**2/(p[j]*M[j])))", "sqrt(sum(j, 1, d, M[j]*w[j]**2/p[j]))"),
        (squared_records(f"sqrt({NORM_1D})*sqrt(sum(j, 1, d, M[j]*w[j]**2/p[j]))", "d=1 L=[1] M=[1] w=[1] p=[1]"),),
        rests_on=("rbcd/ID-SIG-1C",),
        candidates=(point(f"{AT} d=1 L=[1] M=[1] w=[1] p=[1]"),),
    ),
    corollary(
        "COR-SC-U",
        "rate of uniform single coordinates",
        "Single coordinates, p_i = 1/d: O(||L_{1..d}|| sqrt(d) R_M sqrt(log(1/delta))/(n eps)).",
        "Section 4.2.1, Single Coordinate Sampling",
        r"\mathcal{O}\left(\frac{\left\|L_{\{1,\ldots,d\}}\right\|_{\mathbf{M}^{-1}}\sqrt{d}R_{\mathbf{M}}}"
        r"{n\varepsilon}\log^{1/2}\frac1\delta\right)",
        f"sqrt({NORM_1D})*sqrt(d)*{R_M}",
        (COORDINATES, L, M, W),
        theorem(f"sqrt({NORM_1D})", "sqrt(sum(j, 1, d, M[j]*w[j]**2/(1/d)))"),
        (squared_records(f"sqrt({NORM_1D})*sqrt(d)*{R_M}", "d=1 L=[1] M=[1] w=[1]"),),
        rests_on=("rbcd/ID-SIG-1C",),
        candidates=(point(f"{AT} d=1 L=[1] M=[1] w=[1]"),),
    ),
    corollary(
        "COR-SC-IS",
        "rate of single coordinates with importance",
        "Single coordinates, p_i = M_i/Tr(M): O(||L_{1..d}|| sqrt(Tr(M)) R_I sqrt(log(1/delta))/(n eps)).",
        "Section 4.2.1, Single Coordinate Sampling",
        r"\mathcal{O}\left(\frac{\left\|L_{\{1,\ldots,d\}}\right\|_{\mathbf{M}^{-1}}\sqrt{\operatorname{Tr}(\mathbf{M})}"
        r"R_{\mathbf{I}}}{n\varepsilon}\log^{1/2}\frac1\delta\right)",
        f"sqrt({NORM_1D})*sqrt({TRACE})*{R_I}",
        (COORDINATES, L, M, W),
        theorem(f"sqrt({NORM_1D})", f"sqrt(sum(j, 1, d, M[j]*w[j]**2/(M[j]/{TRACE})))"),
        (squared_records(f"sqrt({NORM_1D})*sqrt({TRACE})*{R_I}", "d=1 L=[1] M=[1] w=[1]"),),
        rests_on=("rbcd/ID-SIG-1C",),
        candidates=(point(f"{AT} d=1 L=[1] M=[1] w=[1]"),),
    ),
    corollary(
        "COR-FULL",
        "rate of full sampling",
        "S = [d] with probability 1: O(L sqrt(Tr(M^-1)) R_M sqrt(log(1/delta))/(n eps)).",
        "Section 4.2.1, Full Sampling",
        r"\mathcal{O}\left(\frac{L\sqrt{\operatorname{Tr}(\mathbf{M}^{-1})}R_{\mathbf{M}}}{n\varepsilon}"
        r"\log^{1/2}\frac1\delta\right)",
        f"L_d*sqrt({INVERSE_TRACE})*{R_M}",
        (COORDINATES, L_FULL, M, W),
        theorem("sqrt(sum(j, 1, d, (1*L_d/1)**2*1/M[j]))", "sqrt(sum(j, 1, d, M[j]*w[j]**2/1))"),
        (squared_records(f"L_d*sqrt({INVERSE_TRACE})*{R_M}", "d=1 L_d=1 M=[1] w=[1]"),),
        rests_on=("rbcd/ID-SIG-FULL",),
        candidates=(point(f"{AT} d=1 L_d=1 M=[1] w=[1]"),),
    ),
)
