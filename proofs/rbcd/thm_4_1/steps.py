"""The printed proof of Theorem 4.1. D is Delta_U(grad f), and l is log(1/delta)."""

from dpaudit.claims.writing import *

from .noise import SIGMA, STEP
from .notation import ALPHA, CHANCE, DELTA, EPOCHS, EPS, GAMMA, INCLUSION, INNER, LIPSCHITZ, RECORDS, SETS

D, DEGENERATE = positive("D", "sensitivity of the step"), real("D", "[0, oo)", "sensitivity of the step")
NOISE, LOGARITHM = positive("sigma_U", "the noise that is added"), positive("l", "log(1/delta)")
BOUND = sequence("B", "(0, oo)", "B[k]: moment of the release, given that S is the k-th set")
COST, LIMIT = real("e", "[0, oo)", "bound on the divergence for each set"), "exp((alpha - 1)*e)"
MIXED, CHANCES = "sum(k, 1, m, q[k]*B[k])", "sum(k, 1, m, q[k])"
HERE, REPAIRED = "rbcd/THM-4.1", "rbcd/COR-D.5~repaired"
ADDED, LESS = "sigma_U == 2*L/n*sigma", "D <= 2*L/n"
SQUARED = r"\sigma_U^2=\Delta_U^2(\nabla f)\frac{3KT\log(1/\delta)}{\epsilon^2}"
LINE = r"\theta^{k+1}=\theta^k-\mathbf{\Gamma}\mathbf{C}\left(\nabla f(\theta^k)+\eta\right)"

FIRST = (
    step(
        "s1",
        "one step with noise scale sigma_U = D sigma is (alpha, alpha/(2 sigma^2))-RDP (Corollary D.5, of which the "
        "repaired form is what Algorithm 1 needs)",
        "alpha*D**2/(2*(D*sigma)**2) == alpha/(2*sigma**2)",
        (*STEP, D),
        rests_on=(REPAIRED,),
        printed=r"\text{the }k\text{-th Gaussian mechanism with noise scale }"
        r"\sigma_U=\Delta_U(\nabla f)\sigma>0\text{ is }(\alpha,\frac{\alpha}{2\sigma^2})\text{-RDP}",
    ),
    erratum(
        "s1-zero",
        "Where no record matters, Delta_U(grad f) = 0: sigma_U = Delta_U(grad f) sigma > 0",
        "0 < D*sigma",
        (SIGMA, DEGENERATE),
        reads=Reads.BOUNDARY,
        place="Appendix D.1",
        kind=ClaimKind.IMPLICATION,
        candidates=(point("D=0 sigma=1"),),
        finding=(
            "If all records have the same gradient on U, the sensitivity is 0, and sigma_U = 0 is no noise scale. The "
            "theorem adds sigma_U computed from 2 L_U/n > 0, which is at least the sensitivity, and holds."
        ),
        repair=f"{HERE}/s5-more",
    ),
    step(
        "s2",
        "K steps are (alpha, K alpha/(2 sigma^2))-RDP (Proposition D.6)",
        "sum(k, 1, K, alpha/(2*sigma**2)) == K*alpha/(2*sigma**2)",
        (*STEP, INNER),
        rests_on=("rbcd/PROP-D.6",),
        printed=r"\left(\alpha,\frac{K\alpha}{2\sigma^2}\right)\text{-RDP}",
    ),
    step(
        "s3",
        "Lemma D.8 with gamma = K: sigma = sqrt(3 K log(1/delta))/eps gives sigma_U = D sqrt(3 K log(1/delta))/eps",
        "D*sigma == D*sqrt(3*K*l)/eps",
        (EPS, INNER, D, LOGARITHM, SIGMA, GAMMA),
        ("sigma == sqrt(3*gamma*l)/eps", "gamma == K"),
        rests_on=("rbcd/LEM-D.8/longer",),
        printed=r"\sigma_U=\frac{\Delta_U(\nabla f)\sqrt{3K\log(1/\delta)}}{\epsilon}",
        argument=(Substitute((), where("gamma=K"), ()), Combine((("D", "sigma == sqrt(3*K*l)/eps"),))),
        candidates=(point("eps=1 K=3 D=2 l=4 sigma=6 gamma=3"),),
    ),
    erratum(
        "s3-one",
        "At the end of the range, eps = 1: Lemma D.8 with gamma = K is applied for every eps of the theorem, so eps < "
        "1 must hold",
        "eps < 1",
        (EPS,),
        reads=Reads.BOUNDARY,
        place="Appendix D.1",
        kind=ClaimKind.IMPLICATION,
        candidates=(point("eps=1"),),
        finding=(
            "The theorem allows eps = 1, Lemma D.8 does not. The inequality behind the lemma holds up to eps = 6/5, "
            "and the theorem is proved here at eps = 1 by two routes: it survives unchanged."
        ),
        repair="rbcd/LEM-D.8/longer",
    ),
)
LAST = (
    step(
        "s4",
        "T repetitions, so gamma = K T in Lemma D.8: sigma_U^2 = D^2 3 K T log(1/delta)/eps^2. The T loops are "
        "composed as Renyi DP and converted once; composing T conversions of s3 would not give it",
        "D**2*(sqrt(3*(K*T)*l)/eps)**2 == D**2*3*K*T*l/eps**2",
        (EPS, INNER, EPOCHS, D, LOGARITHM),
        rests_on=("rbcd/LEM-D.8/longer", f"{HERE}/s4-loops"),
        printed=SQUARED,
    ),
    step(
        "s4-loops",
        "K T steps are (alpha, K T alpha/(2 sigma^2))-RDP, which is gamma alpha/(2 sigma^2) for gamma = K T",
        "sum(t, 1, T, K*alpha/(2*sigma**2)) == (K*T)*alpha/(2*sigma**2)",
        (*STEP, INNER, EPOCHS),
        rests_on=("rbcd/PROP-D.6",),
        reads=Reads.OURS,
    ),
    step(
        "s5",
        "with Delta_U(grad f) = Delta_U(grad l)/n (CLM-SENS) and Delta_U(grad l) <= 2 L_U (Lemma 3.9) that is the "
        "noise of the theorem",
        "(2*L/n)**2*(3*K*T*l/eps**2) == 12*L**2*K*T*l/(n**2*eps**2)",
        (EPS, INNER, EPOCHS, RECORDS, LIPSCHITZ, LOGARITHM),
        rests_on=("rbcd/LEM-3.9", "rbcd/CLM-SENS"),
        printed=r"\sigma_U^2=\frac{12L_U^2KT\log(1/\delta)}{n^2\epsilon^2}",
        place="Theorem 4.1, and the end of its proof",
    ),
    step(
        "s5-more",
        "the noise is calibrated to 2 L_U/n and not to Delta_U(grad f), which may be smaller: more noise than needed "
        "is as private",
        "alpha*D**2/(2*sigma_U**2) <= alpha/(2*sigma**2)",
        (*STEP, DEGENERATE, NOISE, LIPSCHITZ, RECORDS),
        (ADDED,),
        given={"rbcd/LEM-3.9": LESS},
        reads=Reads.GAP,
        rests_on=("rbcd/CLM-SENS",),
        argument=(
            Have("D*sigma <= sigma_U", (Combine(terms=(("sigma", LESS), ("-1", ADDED))),)),
            Have("D**2*sigma**2 <= sigma_U**2", (Combine(terms=(("D*sigma + sigma_U", "D*sigma <= sigma_U"),)),)),
            Scale("2*sigma_U**2*sigma**2/alpha"),
            Combine(terms=(("1", "D**2*sigma**2 <= sigma_U**2"),)),
        ),
        candidates=(point("alpha=2 sigma=1 D=1 sigma_U=1 L=1 n=2"),),
        mutants=(
            Mutant("half", "half of it", "alpha*D**2/(2*sigma_U**2) <= alpha/(4*sigma**2)"),
            Mutant(
                "less",
                "any noise",
                conditions=(LESS,),
                candidates=(point("alpha=2 sigma=1 D=1 sigma_U=1/2 L=1 n=2"),),
            ),
        ),
    ),
    step(
        "s6",
        "S is drawn independently of the data and released: the moment of (S, release) is the mean over S of the "
        "moments given S (s6-integrand), at most the largest of them",
        f"log({MIXED})/(alpha - 1) <= e",
        (SETS, CHANCE, BOUND, ALPHA, COST),
        (f"all(k, 1, m, B[k] <= {LIMIT})", f"{CHANCES} == 1"),
        reads=Reads.GAP,
        kind=ClaimKind.DIVERGENCE,
        rests_on=(f"{HERE}/s6-integrand",),
        argument=(
            Have(
                f"{MIXED} <= {LIMIT}*{CHANCES}",
                (
                    Rewrite(right=f"sum(k, 1, m, {LIMIT}*q[k])"),
                    Termwise((AtIndex("k"), Combine(terms=(("q[k]", f"B[k] <= {LIMIT}"),)))),
                ),
            ),
            Have(
                f"{MIXED} <= {LIMIT}",
                (Combine(terms=(("1", f"{MIXED} <= {LIMIT}*{CHANCES}"), (LIMIT, f"{CHANCES} <= 1"))),),
            ),
            Have(f"0 < {MIXED}"),
            Name("mixed", MIXED),
            Narrow(),
            Scale("alpha - 1"),
            Rewrite(right=f"log({LIMIT})"),
            Combine(
                terms=(
                    ("1", f"log(mixed/{LIMIT}) <= mixed/{LIMIT} - 1"),
                    (f"1/{LIMIT}", f"mixed <= {LIMIT}"),
                )
            ),
        ),
        candidates=(point("m=2 q=[1/2] B=[2] alpha=2 e=7/10"),),
        mutants=(
            Mutant("half", "half of it", f"log({MIXED})/(alpha - 1) <= e/2"),
            Mutant(
                "first-set",
                "bounded for the first set only",
                conditions=(f"all(k, 1, 1, B[k] <= {LIMIT})", f"{CHANCES} == 1"),
                candidates=(point("m=2 q=[1/2] B=[1,1,9] alpha=2 e=0"),),
            ),
        ),
    ),
    erratum(
        "s6-data",
        "Importance sampling with M computed from the data: single coordinates with p_j = M_j/Tr(M) for one record and "
        "the logistic loss, M_j = x_j^2/2 on D and y_j^2/2 on D'. One draw, and the event that S = {1}",
        "x_1**2/(x_1**2 + x_2**2) <= exp(eps)*(y_1**2/(y_1**2 + y_2**2)) + delta",
        (EPS, DELTA, LIPSCHITZ, *(positive(name) for name in ("x_1", "x_2", "y_1", "y_2"))),
        ("x_1**2 + x_2**2 <= L**2", "y_1**2 + y_2**2 <= L**2"),
        reads=Reads.READING,
        kind=ClaimKind.PRIVACY,
        place="Section 4.2.1, importance sampling, with Theorem 4.1",
        candidates=(point("eps=1 delta=1/100000 L=2 x_1=1 x_2=1 y_1=1/10 y_2=1"),),
        finding=(
            "The theorem takes the distribution of S as given. Section 4.2.1 makes it from the smoothness constants M "
            "of f, which depend on the data, as do the step sizes P M^-1 and the K and T of Theorem 4.2; the paper "
            "does not say that they have to be known without the data. If they are computed from it, the sets alone "
            "can tell two data sets apart, and w^T is no longer a function of what is protected. For public M the "
            "theorem holds."
        ),
        repair=f"{HERE}/s6",
    ),
    step(
        "s6-integrand",
        "the integrand of (S, release): the probability q of the set is the same on both data sets",
        "(q*R)**alpha*(q*T)**(1 - alpha) == q*(R**alpha*T**(1 - alpha))",
        (ALPHA, positive("q", "probability of the set"), positive("R", "density on D"), positive("T", "density on D'")),
        reads=Reads.OURS,
    ),
    step(
        "s7",
        "Algorithm 1 post-processes what is released: c_j (grad_j f + eta_j) is 1/p_j times the released coordinate, "
        "and w^T is made of such updates; c_j = in/p_j, in = 1 if S contains j and else 0",
        "theta - gamma*((inside/p)*(g + eta)) == theta - gamma/p*(inside*(g + eta))",
        (
            positive("gamma", "gamma_j, a step size"),
            INCLUSION,
            integer("inside", "[0, 1]", "1 if S contains j"),
            real("theta", "(-oo, oo)", "theta_j"),
            real("g", "(-oo, oo)", "grad_j f(theta)"),
            real("eta", "(-oo, oo)", "eta_j"),
        ),
        rests_on=("post-processing",),
        printed=LINE,
        place="Algorithm 1, line 7",
    ),
)
PRINTED = (*FIRST, *LAST)
