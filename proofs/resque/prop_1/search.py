"""The search for lambda, tolerances and the number of calls."""

from dpaudit.claims.writing import *

from .range import ADMISSIBLE, EPS, KAPPA, LAMBDA, LAMSTAR, PROBLEM, RADIUS, STEP, C, K, R, small_log

LK = real("lk", "[1, oo)", "max(1, log kappa)")
SEARCH = (real("D", "[12/16, 14/16]", "the measured movement"), real("error", "[-1/17, 1/17]", "of the measurement"))
SEARCH_STEPS = (
    step(
        "s4",
        "while running, |xhat - y| = Omega(r), here (11/16) r or more, or lambda = lamstar: the search (ALG-13) "
        "accepts lambda > lamstar only if the measured movement D lies in [(12/16) r, (14/16) r], and it errs by "
        "at most r/17 (D and error in units of r). In part: for the search as filled in",
        "11/16 <= D - error",
        SEARCH,
        argument=(Positive(),),
        kind=ClaimKind.IMPLICATION,
        mutants=(mutant("movement", "0.7 r in place of (11/16) r", "0.7 <= D - error", "D=3/4 error=1/17"),),
    ),
    step(
        "s4-inactive",
        "Not printed: and then the ball constraint is inactive, as s3 needs: |xhat - y| <= (15/16) r",
        "D - error <= 15/16",
        SEARCH,
        reads=Reads.OURS,
        argument=(Positive(),),
        kind=ClaimKind.IMPLICATION,
        mutants=(mutant("narrower", "0.93 r in place of (15/16) r", "D - error <= 0.93", "D=7/8 error=-1/17"),),
    ),
    step(
        "s5",
        "the A' phi terms of the case lambda = O(lamstar): K log(kappa) (R^2/eps) lamstar r^2/log(kappa)^3 = R^2",
        f"{K}*log({KAPPA})*R**2/eps*{LAMSTAR}*r**2/log({KAPPA})**3 == R**2",
        PROBLEM,
        ("r <= R", "eps < L*R"),
    ),
    step(
        "s6",
        "eps sqrt(lamstar) sqrt(eps)/R = eps^2 K log(kappa)/R^2 (ell = log kappa)",
        f"eps*sqrt(eps*{K}**2/R**2*ell**2)*sqrt(eps)/R == eps**2*{K}*ell/R**2",
        (R, RADIUS, EPS, real("ell", "[0, oo)", "log kappa")),
    ),
    step(
        "s6-bound",
        "eps/a = eps sqrt(lambda)/sqrt(A') is at least that, as lambda >= lamstar and A' <= R^2/eps (m = K log kappa)",
        "eps**2*m/R**2 <= eps/a",
        (R, EPS, real("m", "[0, oo)", "K log kappa"), LAMBDA, positive("A_new", "A'"), STEP),
        ("eps*m**2/R**2 <= lam", "A_new <= R**2/eps"),
        given={"resque/PROP-1/s1": "lam*a**2 == A_new"},
        argument=(Scale("a*R**2/eps"), Rewrite(left="eps*m*a", right="R**2"), Solve()),
        kind=ClaimKind.IMPLICATION,
        candidates=(tuple((n, "1") for n in ("R", "eps", "m", "lam", "A_new", "a")),),
        mutants=(Mutant("constant", "2 eps^2 K log(kappa)/R^2", "2*eps**2*m/R**2 <= eps/a"),),
    ),
    erratum(
        "s6-variance",
        "At the end of the range, kappa near 1 included: so the declared variance sigma^2 = eps^2 K/(C R)^2 meets "
        "sigma^2 <= eps/a: eps^2 K/(C R)^2 <= eps^2 K log(kappa)/R^2, for some constant C and all problems",
        f"eps**2*{K}/(C*R)**2 <= eps**2*{K}*log({KAPPA})/R**2",
        (constant("C"), *PROBLEM),
        ADMISSIBLE,
        reads=Reads.BOUNDARY,
        argument=(
            ForEvery(
                where("L=1 R=1 r=1 eps=(C**2+1)/(C**2+2)"),
                (
                    Scale("C**2*(C**2 + 2)**2/(C**2 + 1)**2"),
                    Rewrite(left="C**2*log(1 + 1/(C**2 + 1))", right="1"),
                    *small_log("C**2", "C**2 + 1"),
                ),
                because="C^2 log(kappa) <= C^2/(C^2 + 1) < 1",
            ),
        ),
        finding="A slip at the end of the range: needs log(kappa) >= 1/C_ba^2; for kappa nearer to 1 the "
        "declared variance is larger than the bound for eps/a that the appendix derives, whatever the universal "
        "constant is; that it is larger than eps/a in some iteration is not shown. With max(1, log kappa) in lamstar "
        "it holds for C_ba >= 1.",
        repair="resque/PROP-1/s6-variance~repaired",
    ),
    step(
        "s6-variance~repaired",
        "the same with lk = max(1, log kappa)",
        f"eps**2*{K}/(C*R)**2 <= eps**2*{K}*lk/R**2",
        (R, RADIUS, EPS, C, LK),
        argument=(Scale(f"R**2/(eps**2*{K})"), Rewrite(left="1/C**2", right="lk"), Positive()),
        mutants=(
            Mutant(
                "printed",
                "lk may be as small as 1/100",
                symbols=(R, RADIUS, EPS, C, real("lk", "[1/100, oo)")),
                candidates=(point("R=1 r=1 eps=1 C=6 lk=1/100"),),
            ),
        ),
    ),
    step(
        "s7",
        "a tolerance of r/17 suffices. In part, for the search as filled in: a lambda measured above (14/16) r "
        "and one measured below (12/16) r differ truly",
        "w_low < w_high",
        (RADIUS, *(real(n, "[0, oo)") for n in ("w_low", "w_high", "D_low", "D_high"))),
        ("D_low < 12/16*r", "14/16*r < D_high", "w_low <= D_low + r/17", "D_high <= w_high + r/17"),
        argument=(Solve(),),
        kind=ClaimKind.IMPLICATION,
        candidates=(point("r=1 w_low=1/2 w_high=1 D_low=1/2 D_high=1"),),
        mutants=(
            Mutant(
                "tolerance",
                "r/15 in place of r/17",
                conditions=("D_low < 12/16*r", "14/16*r < D_high", "w_low <= D_low + r/15", "D_high <= w_high + r/15"),
                candidates=(point("r=1 w_low=813/1000 w_high=812/1000 D_low=299/400 D_high=351/400"),),
                own_sentence=True,
            ),
        ),
    ),
)
