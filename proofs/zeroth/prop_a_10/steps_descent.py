"""(77) to (89): one step, and its quadratic terms."""

from dpaudit.claims.writing import *

from .symbols import *

GRAD, ESTIMATE = vector("g", "grad lbar(w_t)"), vector("ghat", "the estimate, given Q_t")
ON_LINE, EVERYWHERE = vector("a", "the noise along the directions"), vector("b", "the noise in every direction")
H_ESTIMATE, H_LINE, H_EVERYWHERE = vector("h_g", "H^(1/2) ghat"), vector("h_a", "H^(1/2) a"), vector("h_b", "H^(1/2) b")
STEP_TAKEN = "-eta*ghat + a + b"
IMAGE = "-eta*h_g + h_a + h_b"
TAYLOR = f"next <= now + dot(g, {STEP_TAKEN}) + 1/2*norm({IMAGE})**2"
MIXED = ("dot(g, a) == 0", "dot(g, b) == 0", "dot(h_g, h_a) == 0", "dot(h_g, h_b) == 0", "dot(h_a, h_b) == 0")
ON_PLANE = "g=(1) ghat=(1) a=(0) b=(0) h_g=(1) h_a=(0) h_b=(0)"
Z, MEAN_Z = vector_sequence("z", "s_k H^(1/2) u_k"), vector("m", "H^(1/2) ghat, the mean of the z_k")
QUOTIENT, INNER = real("s", meaning="a quotient"), real("t", meaning="<grad lbar, u>")
FORM = real("form", "[0, oo)", "grad^T H grad")
TERM = "2*d/(d**2*(d + 2))*(2*form + G*Tr) + 1/(2*d)*M**2*xi**2*Tr"
UPPER = "2*(2 + r)*M/(d*(d + 2)*P)*G + M**3*xi**2*r/(2*d*P)"
SECOND = "1/(2*d)*M**2*xi**2*Tr"
QUAD, THERE = real("quad", "[0, oo)", "E[ghat^T H ghat | Q_t]"), real("there", "[0, oo)", "the mean given Q_t")
WHOLE, ELSEWHERE = real("whole", "[0, oo)", "the mean"), real("elsewhere", "[0, oo)", "the mean given not Q_t")
OF_U, FIRST = real("of_u", "[0, oo)", "E u^T H u"), real("first", "[0, oo)", "E 2 <grad lbar, u>^2 u^T H u")
SUM_ON_LINE = real("forms", "[0, oo)", "the sum of E[u_k^T H u_k | Q_t]")

DESCENT = (
    step(
        "s3",
        "(77), with w_t for the x_t in it: Taylor's theorem, and the Hessian on the segment is at most H. q is the "
        "Hessian's quadratic form at the step, h that of H",
        "f_1 <= f_0 + inner + 1/2*h",
        tuple(real(name) for name in ("f_0", "f_1", "inner", "q", "h")),
        ("f_1 == f_0 + inner + 1/2*q", "q <= h"),
        reads=Reads.READING,
        place="(77)",
        printed=r"\bar\ell(w_{t+1})\leq\bar\ell(w_t)+\left\langle\nabla\bar\ell(x_t),w_{t+1}-w_t\right\rangle+"
        r"\frac12(w_{t+1}-w_t)"
        r"^TH(w_{t+1}-w_t)",
        rests_on=("taylor-remainder",),
        argument=(Combine((("1", "f_1 <= f_0 + inner + 1/2*q"), ("1/2", "q <= h"))),),
        candidates=(point("f_0=0 f_1=1/2 inner=0 q=1 h=1"),),
        mutants=(mutant("third", "1/3", "f_1 <= f_0 + inner + 1/3*h", "f_0=0 f_1=1/2 inner=0 q=1 h=1"),),
    ),
    step(
        "s4",
        "(78), (79): the mean of (77) for the step without its projection, -eta ghat + a + b; the noises have mean 0 "
        "given the past and the directions, and hence given Q_t. forms is the sum of E u_k^T H u_k given Q_t",
        "next <= now - eta*dot(g, ghat) + eta**2/2*norm(h_g)**2 + s_1/2*forms + s_2/2*Tr",
        (
            *(NOW, NEXT, ETA, S_1, S_2, TRACE, real("forms", "[0, oo)")),
            *(GRAD, ESTIMATE, ON_LINE, EVERYWHERE, H_ESTIMATE, H_LINE, H_EVERYWHERE),
        ),
        (*MIXED, "norm(h_a)**2 == s_1*forms", "norm(h_b)**2 == s_2*Tr"),
        given={f"{HERE}/s3": TAYLOR},
        place="(78), (79)",
        printed=r"\mathbb{E}[\bar\ell(w_{t+1})|Q_t]\leq\mathbb{E}[\bar\ell(w_t)|Q_t]-\eta\mathbb{E}[\nabla\bar"
        r"\ell(w_t)^T\hat g_t(w_t)|Q_t]+\frac{\eta^2}2\mathbb{E}[\hat g_t(w_t)^TH\hat g_t(w_t)|Q_t]+\frac{"
        r"\sigma_{1,t}^2}2\sum_{k=1}^K\mathbb{E}[u_{t,k}^THu_{t,k}|Q_t]+\frac{\sigma_{2,t}^2}2Tr(H)",
        kind=ClaimKind.MOMENT,
        argument=(
            Combine(
                (
                    ("1", TAYLOR),
                    ("1", "dot(g, a) <= 0"),
                    ("1", "dot(g, b) <= 0"),
                    ("eta", "0 <= dot(h_g, h_a)"),
                    ("eta", "0 <= dot(h_g, h_b)"),
                    ("1", "dot(h_a, h_b) <= 0"),
                    ("1/2", "norm(h_a)**2 <= s_1*forms"),
                    ("1/2", "norm(h_b)**2 <= s_2*Tr"),
                )
            ),
        ),
        candidates=(point(f"now=1 next=1/2 eta=1 s_1=0 s_2=0 Tr=0 forms=0 {ON_PLANE}"),),
        mutants=(
            mutant(
                "third",
                "eta^2/3",
                "next <= now - eta*dot(g, ghat) + eta**2/3*norm(h_g)**2 + s_1/2*forms + s_2/2*Tr",
                f"now=1 next=1/2 eta=1 s_1=0 s_2=0 Tr=0 forms=0 {ON_PLANE}",
            ),
        ),
    ),
    erratum(
        "s5",
        "(80), with its equality sign. Encoded for linear losses, H = I and no clipping, where E <g, u_k>^2 = |g|^2/d "
        "and the u_k are orthonormal: ghat^T H ghat is the sum of the <g, u_k>^2 over K^2",
        "K*(G/d)/K**2 == 1/K*(K*(G/d))",
        (DIRECTIONS, DIMENSION, SQUARE),
        place="(80)",
        printed=r"\mathbb{E}_{\leq t}[\hat g_t(w_t)^TH\hat g_t(w_t)|Q_t]=\frac1K\sum_{k=1}^K\mathbb{E}_{\leq t}[\left("
        r"\frac{\bar\ell(w_t+\xi u_{t,k})-\bar\ell(w_t-\xi u_{t,k})}{2\xi}\right)^2u_{t,k}^THu_{t,k}|Q_t]",
        rests_on=("zeroth/LEM-C1/ii",),
        candidates=(point("K=2 d=2 G=1"),),
        finding=(
            "The left side is K times smaller than the right side here, where the u_k are orthogonal for H as well: "
            "the display has 1/K for 1/K^2. With <= for = it is true, by convexity and for any directions "
            "(s5~repaired), and that is all that (81) to (109) use. What orthonormal directions gain is lost by it: a "
            "larger K is allowed (frame)."
        ),
        repair=f"{HERE}/s5~repaired",
    ),
    erratum(
        "s5-reason",
        "the reason of (80): orthogonal u_j, u_k have u_j^T H u_k = 0. Encoded in the plane for a diagonal H",
        "c*s*(h_2 - h_1) == 0",
        (
            *(real("c", "[-1, 1]", "cosine"), real("s", "[-1, 1]", "sine")),
            *(real(n, "[0, oo)") for n in ("h_1", "h_2")),
        ),
        ("c**2 + s**2 == 1",),
        reads=Reads.REASON,
        place="after (80)",
        candidates=(point("c=3/5 s=4/5 h_1=0 h_2=1"),),
        finding=(
            "u_j = (c, s) and u_k = (-s, c) are orthogonal, and u_j^T H u_k = c s (h_2 - h_1), which is 0 for all such "
            "pairs only where H is a multiple of I. The inequality needs no orthogonality (s5~repaired)."
        ),
        repair=f"{HERE}/s5~repaired",
    ),
    step(
        "s5~repaired",
        "(80) with <=: the square of a mean is at most the mean of the squares, for the K vectors s_k H^(1/2) u_k",
        "norm(m)**2 <= 1/K*sum(k, 1, K, norm(z[k])**2)",
        (DIRECTIONS, Z, MEAN_Z),
        ("sum(k, 1, K, dot(z[k], m)) == K*norm(m)**2",),
        place="(80)",
        argument=(
            Have("0 <= sum(k, 1, K, norm(z[k] - m)**2)"),
            Scale("K"),
            Combine(
                (("1", "0 <= sum(k, 1, K, norm(z[k] - m)**2)"), ("2", "K*norm(m)**2 <= sum(k, 1, K, dot(z[k], m))"))
            ),
        ),
        candidates=(point("K=2 z=[(0),(1),(1)] m=(1)"),),
        mutants=(
            mutant(
                "half", "half of it", "norm(m)**2 <= 1/2*1/K*sum(k, 1, K, norm(z[k])**2)", "K=2 z=[(0),(1),(1)] m=(1)"
            ),
        ),
    ),
    step(
        "s6",
        "(81)-(83), from (80) with <=: s_k^2 u_k^T H u_k is not negative, and so its mean given Q_t times P(Q_t) is at "
        "most its mean. there and whole are these means, averaged over k",
        "quad <= whole/P",
        (P, QUAD, THERE, ELSEWHERE, WHOLE),
        ("whole == there*P + elsewhere*(1 - P)",),
        given={f"{HERE}/s5~repaired": "quad <= there"},
        place="(81), (82), (83)",
        printed=r"\mathbb{E}[\hat g_t(w_t)^TH\hat g_t(w_t)|Q_t]\leq\frac1{\mathbb{P}(Q_t)K}\sum_{k=1}^K\mathbb{E}["
        r"\left(\frac{\bar\ell(w_t+\xi u_{t,k})-\bar\ell(w_t-\xi u_{t,k})}{2\xi}\right)^2u_{t,k}^THu_{t,k}]",
        argument=(
            Scale("P"),
            Combine(
                (
                    ("P", "quad <= there"),
                    ("1", "there*P + elsewhere*(1 - P) <= whole"),
                    ("elsewhere", "P <= 1"),
                )
            ),
        ),
        candidates=(point("P=1/2 quad=2 there=2 elsewhere=0 whole=1"),),
        mutants=(mutant("half", "half of it", "quad <= 1/2*whole/P", "P=1/2 quad=2 there=2 elsewhere=0 whole=1"),),
    ),
    step(
        "s7",
        "(84): the square of a quotient that is at most |<grad lbar, u>| + M xi/2, times v = u^T H u. Encoded for one "
        "direction at one draw; the sum and the mean are linear",
        "s**2*v <= (2*t**2 + 1/2*M**2*xi**2)*v",
        (QUOTIENT, INNER, SMOOTH, XI, real("v", "[0, oo)", "u^T H u")),
        given={f"{HERE}/s1": "abs(s) <= abs(t) + 1/2*M*xi"},
        place="(84)",
        printed=r"\leq\frac1{\mathbb{P}(Q_t)K}\sum_{k=1}^K\mathbb{E}[\left(2(\left\langle\nabla\bar\ell(w_t),u_{t,k}"
        r"\right\rangle)^2+\frac12M^2\xi^2\right)u_{t,k}^THu_{t,k}]",
        argument=(
            Have(
                "s**2 <= (abs(t) + 1/2*M*xi)**2",
                (Power("1/2"), Rewrite(left="abs(s)", right="abs(t) + 1/2*M*xi"), Solve()),
            ),
            Combine((("v", "s**2 <= (abs(t) + 1/2*M*xi)**2"), ("v", "0 <= (abs(t) - 1/2*M*xi)**2"))),
        ),
        candidates=(point("s=1 t=1/2 M=1 xi=1 v=1"),),
        mutants=(mutant("one", "t^2", "s**2*v <= (t**2 + 1/2*M**2*xi**2)*v", "s=1 t=1/2 M=1 xi=1 v=1"),),
    ),
    step(
        "s8",
        "(85): the mean of (84), with E u^T H u = Tr(H)/d in the second term. Encoded for one k, without 1/P(Q_t)",
        f"whole <= first + {SECOND}",
        (SMOOTH, XI, TRACE, DIMENSION, WHOLE, FIRST, OF_U),
        given={f"{HERE}/s7": "whole <= first + 1/2*M**2*xi**2*of_u", "zeroth/LEM-C1/i": "of_u == Tr/d"},
        rests_on=("zeroth/LEM-C1/i",),
        place="(85)",
        printed=r"\leq\frac1{\mathbb{P}(Q_t)K}\sum_{k=1}^K\left(\mathbb{E}[\left(2(\left\langle\nabla\bar\ell(w_t),"
        r"u_{t,k}\right\rangle)^2\right)u_{t,k}^THu_{t,k}]+\frac1{2d}M^2\xi^2Tr(H)\right)",
        argument=(Combine((("1", "whole <= first + 1/2*M**2*xi**2*of_u"), ("1/2*M**2*xi**2", "of_u <= Tr/d"))),),
        candidates=(point("M=1 xi=1 Tr=1 d=2 whole=1/4 first=0 of_u=1/2"),),
        mutants=(
            mutant(
                "half",
                "half of the second term",
                f"whole <= first + 1/2*{SECOND}",
                "M=1 xi=1 Tr=1 d=2 whole=1/4 first=0 of_u=1/2",
            ),
        ),
    ),
    step(
        "s9",
        "(86): (85) with E <g, u>^2 u^T H u of Lemma C.1 in the first term. Encoded for one k, without 1/P(Q_t)",
        f"whole <= {TERM}",
        (FORM, SQUARE, TRACE, DIMENSION, SMOOTH, XI, WHOLE, FIRST),
        given={
            f"{HERE}/s8": f"whole <= first + {SECOND}",
            "zeroth/LEM-C1/iv": "first == 2*((2*form + G*Tr)/(d*(d + 2)))",
        },
        rests_on=("zeroth/LEM-C1/iv",),
        place="(86)",
        printed=r"\leq\frac1{\mathbb{P}(Q_t)K}\sum_{k=1}^K\left(\frac{2d}{d^2(d+2)}\mathbb{E}(2\nabla\bar\ell(w_t)^TH"
        r"\nabla\bar\ell(w_t)+\|\nabla\bar\ell(w_t)\|^2Tr(H))+\frac1{2d}M^2\xi^2Tr(H)\right)",
        argument=(
            Combine(
                (
                    ("1", f"whole <= first + {SECOND}"),
                    ("1", "first <= 2*((2*form + G*Tr)/(d*(d + 2)))"),
                )
            ),
        ),
        candidates=(point("form=1 G=1 Tr=1 d=2 M=1 xi=1 whole=1 first=3/4"),),
        mutants=(
            mutant(
                "half",
                "half of it",
                f"whole <= 1/2*({TERM})",
                "form=1 G=1 Tr=1 d=2 M=1 xi=1 whole=1 first=3/4",
            ),
        ),
    ),
    step(
        "s10",
        "(87), (88): (83) with (86), grad^T H grad <= M |grad|^2 and Tr(H) <= r M",
        f"quad <= {UPPER}",
        (P, FORM, SQUARE, TRACE, DIMENSION, SMOOTH, XI, RANK, QUAD, WHOLE),
        ("form <= M*G", LOW_RANK),
        given={f"{HERE}/s6": "quad <= whole/P", f"{HERE}/s9": f"whole <= {TERM}"},
        place="(87), (88)",
        printed=r"=\frac{2(2+r)M}{d(d+2)\mathbb{P}(Q_t)}\mathbb{E}[\|\nabla\bar\ell(w_t)\|^2]+\frac{M^3\xi^2r}{2d"
        r"\mathbb{P}(Q_t)}",
        argument=(
            Combine(
                (
                    ("1", "quad <= whole/P"),
                    ("1/P", f"whole <= {TERM}"),
                    ("4/(d*(d + 2)*P)", "form <= M*G"),
                    ("(2*G/(d*(d + 2)) + M**2*xi**2/(2*d))/P", LOW_RANK),
                )
            ),
        ),
        candidates=(point("P=1 form=1 G=1 Tr=1 d=1 M=1 xi=1 r=1 quad=5/2 whole=5/2"),),
        mutants=(
            mutant(
                "one",
                "1 + r",
                f"quad <= {UPPER.replace('2*(2 + r)', '2*(1 + r)')}",
                "P=1 form=1 G=1 Tr=1 d=1 M=1 xi=1 r=1 quad=5/2 whole=5/2",
            ),
        ),
    ),
    step(
        "s11",
        "(89): as in (81) to (83), for the sum of the u_k^T H u_k, whose mean is K Tr(H)/d",
        "forms <= r*M*K/(d*P)",
        (DIRECTIONS, TRACE, DIMENSION, P, RANK, SMOOTH, SUM_ON_LINE, ELSEWHERE, WHOLE),
        (LOW_RANK, "whole == forms*P + elsewhere*(1 - P)"),
        given={"zeroth/LEM-C1/i": "whole == K*(Tr/d)"},
        rests_on=("zeroth/LEM-C1/i",),
        place="(89)",
        printed=r"\sum_{k=1}^K\mathbb{E}[u_{t,k}^THu_{t,k}|Q_t]\leq\frac{rMK}{d\mathbb{P}(Q_t)}",
        argument=(
            Scale("P"),
            Combine(
                (
                    ("1", "forms*P + elsewhere*(1 - P) <= whole"),
                    ("elsewhere", "P <= 1"),
                    ("1", "whole <= K*(Tr/d)"),
                    ("K/d", LOW_RANK),
                )
            ),
        ),
        candidates=(point("K=1 Tr=1 d=1 P=1/2 r=1 M=1 forms=2 elsewhere=0 whole=1"),),
        mutants=(
            mutant(
                "half",
                "half of it",
                "forms <= 1/2*r*M*K/(d*P)",
                "K=1 Tr=1 d=1 P=1/2 r=1 M=1 forms=2 elsewhere=0 whole=1",
            ),
        ),
    ),
)
