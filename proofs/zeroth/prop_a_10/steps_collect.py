"""(96) to (101): the terms put together, and the step size."""

from dpaudit.claims.writing import *

from .symbols import *

LOWER = "(G/(2*P) - M**2*xi**2*d**3/(8*P) - L**2*d*(1 - P)/P)"
UPPER = "(2*(2 + r)*M/(d*(d + 2)*P)*G + M**3*xi**2*r/(2*d*P))"
NOISES = "s_1*r*M*K/(2*d*P) + s_2*r*M/2"
LINE_97 = f"now - eta/d*{LOWER} + eta**2/2*{UPPER} + {NOISES}"
LINE_99 = (
    "now - eta/(2*d)*(1 - eta*2*(2 + r)*M/d)*G/P + eta*M**2*xi**2*d**2/(8*P) + eta*L**2*(1 - P)/P"
    f" + eta**2*M**3*xi**2*r/(4*d*P) + {NOISES}"
)
LINE_101 = "4*d*P/eta*(now - next) + M**2*xi**2*d**3 + 4*L**2*d*(1 - P) + 2*d*r*M/eta*(s_1*K/d + s_2*P)"
SIZES = (DIMENSION, DIRECTIONS, P, SQUARE, SMOOTH, XI, ETA, LIPSCHITZ, RANK, S_1, S_2, NOW, NEXT)
AT = "d=4 K=1 P=1 G=1 M=1 xi=1 eta=1/4 L=1 r=2 s_1=1 s_2=1 now=0"
INNER, THERE = real("inner", meaning="E[<grad lbar, ghat> | Q_t]"), real("there", meaning="the mean in (91)")
QUAD, ON_LINE = real("quad", "[0, oo)", "E[ghat^T H ghat | Q_t]"), real("forms", "[0, oo)", "the sum in (89)")
FACTOR = "1/2 <= 1 - eta*2*(2 + r)*M/d"

COLLECT = (
    step(
        "s15",
        "(96), (97): (78), (79) with the bounds (88) and (89), with (94) in (91), and with Tr(H) <= r M",
        f"next <= {LINE_97}",
        (*SIZES, INNER, THERE, QUAD, ON_LINE, TRACE),
        (LOW_RANK,),
        given={
            f"{HERE}/s4": "next <= now - eta*inner + eta**2/2*quad + s_1/2*forms + s_2/2*Tr",
            f"{HERE}/s12-second": "inner == there/d",
            f"{HERE}/s14-term": f"{LOWER} <= there",
            f"{HERE}/s10": f"quad <= {UPPER}",
            f"{HERE}/s11": "forms <= r*M*K/(d*P)",
        },
        rests_on=ids(HERE, "s8 s9 s11 s12 s13"),
        place="(96), (97)",
        printed=r"-\frac\eta d\left(\frac{\mathbb{E}[\|\nabla\bar\ell(w_t)\|^2]}{2\mathbb{P}(Q_t)}-\frac{M^2"
        r"\xi^2d^3}{8\mathbb{P}(Q_t)}-\frac{L^2d\mathbb{P}(\bar Q_t)}{\mathbb{P}(Q_t)}\right)+\frac{\eta^2}2\left("
        r"\frac{2(2+r)M}{d(d+2)\mathbb{P}(Q_t)}\mathbb{E}[\|\nabla\bar\ell(w_t)\|^2]+\frac{M^3\xi^2r}{2d"
        r"\mathbb{P}(Q_t)}\right)+\frac{\sigma_{1,t}^2rMK}{2d\mathbb{P}(Q_t)}+\frac{\sigma_{2,t}^2rM}2",
        argument=(
            Combine(
                (
                    ("1", "next <= now - eta*inner + eta**2/2*quad + s_1/2*forms + s_2/2*Tr"),
                    ("eta", "there/d <= inner"),
                    ("eta/d", f"{LOWER} <= there"),
                    ("eta**2/2", f"quad <= {UPPER}"),
                    ("s_1/2", "forms <= r*M*K/(d*P)"),
                    ("s_2/2", LOW_RANK),
                )
            ),
        ),
        candidates=(point(f"{AT} next=-10 inner=10 there=40 quad=0 forms=0 Tr=0"),),
        mutants=(
            mutant(
                "noise",
                "without the second noise",
                f"next <= {LINE_97.replace(' + s_2*r*M/2', '')}",
                "d=4 K=1 P=1 G=8 M=1 xi=1 eta=1 L=1 r=2 s_1=0 s_2=100 now=0 next=99 inner=2 there=8 quad=0 forms=0 "
                "Tr=2",
            ),
        ),
    ),
    step(
        "s15-sum",
        "(98), (99): 1/(d + 2) <= 1/d",
        f"{LINE_97} <= {LINE_99}",
        SIZES[:-1],
        place="(98), (99)",
        printed=r"-\frac\eta{2d}(1-\frac{\eta2(2+r)M}d)\frac{\mathbb{E}[\|\nabla\bar\ell(w_t)\|^2]}{"
        r"\mathbb{P}(Q_t)}+\frac{\eta M^2\xi^2d^2}{8\mathbb{P}(Q_t)}+\frac{\eta L^2\mathbb{P}(\bar Q_t)}{"
        r"\mathbb{P}(Q_t)}+\frac{\eta^2M^3\xi^2r}{4d\mathbb{P}(Q_t)}+\frac{\sigma_{1,t}^2rMK}{2d\mathbb{P}(Q_t)}+"
        r"\frac{\sigma_{2,t}^2rM}2",
        argument=(
            Have("1/(d + 2) <= 1/d", (Scale("d*(d + 2)"), Positive())),
            Combine((("eta**2*(2 + r)*M*G/(d*P)", "1/(d + 2) <= 1/d"),)),
        ),
        mutants=(
            mutant(
                "sign",
                "1 - 1/2 of it in the bracket",
                f"{LINE_97} <= {LINE_99.replace('eta*2*(2 + r)', 'eta*(2 + r)')}",
                AT,
            ),
        ),
    ),
    step(
        "s16",
        "for eta <= d/(4 (2 + r) M) the bracket of (98) is at least 1/2",
        FACTOR,
        (ETA, RANK, SMOOTH, DIMENSION),
        (STEP,),
        place="after (99)",
        printed=r"(1-\frac{\eta2(2+r)M}d)\geq1/2",
        argument=(Combine((("1/(2*d)", STEP),)),),
        mutants=(mutant("more", "3/4", "3/4 <= 1 - eta*2*(2 + r)*M/d", "eta=1/4 r=2 M=1 d=4"),),
        tightness=(
            Tightness(
                "half",
                "1/2",
                "{c} <= 1 - eta*2*(2 + r)*M/d",
                "1/2",
                "51/100",
                candidates=(point("eta=1/4 r=2 M=1 d=4"),),
            ),
        ),
    ),
    step(
        "s16-second",
        "and 2 eta M r/d^2 < 1/2",
        "2*eta*M*r/d**2 < 1/2",
        (ETA, RANK, SMOOTH, DIMENSION),
        (STEP,),
        place="after (99)",
        printed=r"\frac{2\eta Mr}{d^2}<\frac12",
        argument=(
            Scale("2*d**2"),
            Combine((("1", STEP), ("8*M*eta", "0 < 1"), ("d", "1 <= d"), ("0", "0 <= 1"))),
        ),
        mutants=(mutant("eighth", "1/8", "2*eta*M*r/d**2 < 1/8", "eta=1/12 r=1 M=1 d=1"),),
    ),
    step(
        "s16-directions",
        "eta = K/M is at most that where K <= d/(4 (2 + r))",
        "K/M <= d/(4*(2 + r)*M)",
        (DIRECTIONS, SMOOTH, RANK, DIMENSION),
        ("4*(2 + r)*K <= d",),
        place="after (99)",
        printed=r"\eta=\frac KM\leq\frac d{4(2+r)M}",
        argument=(Combine((("1/(4*(2 + r)*M)", "4*(2 + r)*K <= d"),)),),
        mutants=(mutant("half", "half", "K/M <= 1/2*d/(4*(2 + r)*M)", "K=1 M=1 r=1 d=12"),),
    ),
    step(
        "s17",
        "(100), (101): times 4 d P(Q_t)/eta, with both bounds of s16",
        f"G <= {LINE_101}",
        SIZES,
        (STEP,),
        given={
            f"{HERE}/s15": f"next <= {LINE_97}",
            f"{HERE}/s15-sum": f"{LINE_97} <= {LINE_99}",
            f"{HERE}/s16": FACTOR,
            f"{HERE}/s16-second": "2*eta*M*r/d**2 < 1/2",
        },
        place="(100), (101)",
        printed=r"\mathbb{E}[\|\nabla\bar\ell(w_t)\|^2]\leq\frac{4d\mathbb{P}(Q_t)}\eta\left(\mathbb{E}[\bar"
        r"\ell(w_t)-\bar\ell(w_{t+1})|Q_t]\right)+M^2\xi^2d^3+4L^2d\mathbb{P}(\bar Q_t)+\frac{2drM}\eta\left("
        r"\sigma_{1,t}^2\frac Kd+\sigma_{2,t}^2\mathbb{P}(Q_t)\right)",
        argument=(
            Have("eta*M*r <= d**2/4", (Combine((("d**2/2", "2*eta*M*r/d**2 < 1/2"),)),)),
            Have("d**2 <= d**3", (Scale("1/d**2"), Solve())),
            Combine(
                (
                    ("4*d*P/eta", f"next <= {LINE_97}"),
                    ("4*d*P/eta", f"{LINE_97} <= {LINE_99}"),
                    ("2*G", FACTOR),
                    ("M**2*xi**2", "eta*M*r <= d**2/4"),
                    ("M**2*xi**2/4", "d**2 <= d**3"),
                    ("M**2*xi**2*d**3/4", "0 <= 1"),
                )
            ),
        ),
        candidates=(point(f"{AT} next=-10"),),
        mutants=(
            mutant(
                "half",
                "2 d for 4 d in the first term",
                f"G <= {LINE_101.replace('4*d*P/eta', '2*d*P/eta')}",
                "d=12 K=1 P=1 G=100 M=1 xi=1/100 eta=1 L=1 r=1 s_1=0 s_2=0 now=3 next=0",
            ),
        ),
    ),
)
