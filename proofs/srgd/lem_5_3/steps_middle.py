"""The printed steps of Lemma 5.3: v, (16) and the first line of (17)."""

from dpaudit.claims.writing import *

from .symbols import *

B_PART = f"eta_sum*beta/eta*dot(b, y_next - {V})"
SIXTEEN = f"eta/eta_sum*dot(grad, {LEAP}) - dot(q, {MOVE}) + beta/eta*dot(b, y_next - {V})"
LONGER = "beta/2*(eta_sum*(eta/eta_sum)**2 - 4)"
SEVENTEEN = f"{ERRORS} + {B_PART} + {LONGER}*norm{LEAP}**2"
ALL = (SMOOTH, *WEIGHTS, *POINTS, *VALUES)
SET = (PART, SMALL_STEP, *CLASS, *PROJECTED)
WITHOUT = f"F_next - F_x <= {SIXTEEN} + beta*(eta/eta_sum)**2/2*norm{LEAP}**2"
ADDED = f"{LEFT} <= {SEVENTEEN}"

MIDDLE = (
    step(
        "s5",
        "v = (1 - tau_t) y_t + tau_t z_(t+1) gives v - x_t = tau_t (z_(t+1) - z_t)",
        f"dot({V} - {X}, w) == dot(eta/eta_sum*{LEAP}, w)",
        (ETA, ETA_SUM, Y, Z, Z_NEXT, vector("w", "any vector")),
        printed=r"\mathbf{v}-\mathbf{x}_t = \tau_t(\mathbf{z}_{t+1}-\mathbf{z}_t)",
    ),
    erratum(
        "s6",
        "(16): (15) with this v",
        f"F_next - F_x <= {SIXTEEN} - beta/2*norm{MOVE}**2 + beta*(eta/eta_sum)**2/2*norm{LEAP}**2",
        ALL,
        SET,
        place="(16)",
        printed=r"F(\mathbf{y}_{t+1})-F(\mathbf{x}_t) \leq \tau_t\langle\nabla_t,\mathbf{z}_{t+1}-\mathbf{z}_t\rangle "
        r"- \langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + "
        r"\frac{\beta}{\eta_t}\langle\mathbf{b}_t,\mathbf{y}_{t+1}-\mathbf{v}\rangle - "
        r"\frac{\beta}{2}\|\mathbf{y}_{t+1}-\mathbf{x}_t\|_2^2 + "
        r"\frac{\beta\tau_t^2}{2}\|\mathbf{z}_{t+1}-\mathbf{z}_t\|_2^2",
        candidates=(point(FIRST_STEP),),
        finding=(
            "It inherits the term -(beta/2)|y_(t+1) - x_t|^2 of (15). It fails in the first step of Algorithm "
            "1 with eta_0 = 1, F = x^2/2, beta = M = 1 and x_0 = z_0 at distance 1 from x* (here x* = 0, and "
            "x_0 = 1): y_1 = z_1 = 0, the left side is -1/2 and the right side -1 - 1/2 + 1/2 = -1. Without "
            "the term it holds (s6~repaired)."
        ),
        repair=f"{HERE}/s6~repaired",
    ),
    step(
        "s6~repaired",
        "(16) without the term",
        WITHOUT,
        ALL,
        SET,
        argument=(
            Have(DESCENT, (ByTheorem(f"{HERE}/descent"),)),
            Combine(
                (
                    ("1", DESCENT),
                    (f"1/2*norm{MOVE}**2", SMALL_STEP),
                    ("beta", PROJECTED[0]),
                    ("beta/2", f"0 <= norm(y_next - {V})**2"),
                )
            ),
        ),
        candidates=(point(FIRST_STEP),),
        mutants=(mutant("third", "beta/3", WITHOUT.replace("**2/2*norm", "**2/3*norm"), FIRST_STEP),),
    ),
    erratum(
        "s7",
        "(17), first line: (16) times eta_{0:t}, with tau_t = eta_t/eta_{0:t}",
        f"{LEFT} <= {SEVENTEEN} - beta*eta_sum/2*norm{MOVE}**2",
        ALL,
        (FOUR, *SET),
        place="(17), first line",
        printed=r"-\eta_{0:t}\langle\mathbf{q}_t,\mathbf{y}_{t+1}-\mathbf{x}_t\rangle + "
        r"\frac{\beta}{\tau_t}\langle\mathbf{b}_t,\mathbf{y}_{t+1}-\mathbf{v}\rangle + "
        r"\frac{\beta}{2}\left(\eta_{0:t}\tau_t^2-4\right)\|\mathbf{z}_{t+1}-\mathbf{z}_t\|_2^2 - "
        r"\frac{\beta\eta_{0:t}}{2}\|\mathbf{y}_{t+1}-\mathbf{x}_t\|_2^2",
        candidates=(point(FIRST_STEP),),
        finding=(
            "The last term is that of (15), and is too much: in the same first step the left side is -1/2 + 1 "
            "- 2 = -3/2, the right side -3/2 - 1/2 = -2. The next line drops the term, and without it the line "
            "holds (s7~repaired)."
        ),
        repair=f"{HERE}/s7~repaired",
    ),
    step(
        "s7~repaired",
        "(17), first line, without its last term",
        ADDED,
        (*WEIGHTS, *POINTS, ERROR, F_X, F_NEXT),
        given={f"{HERE}/s6~repaired": WITHOUT},
        argument=(Combine((("eta_sum", WITHOUT),)),),
        candidates=(
            point("eta=1 eta_sum=1 beta=1 y=(1) z=(1) z_next=(0) y_next=(0) grad=(1) b=(0) q=(0) F_x=1/2 F_next=0"),
        ),
        mutants=(
            mutant(
                "five",
                "5 in the place of 4",
                ADDED.replace("**2 - 4)", "**2 - 5)"),
                "eta=1 eta_sum=1 beta=1 y=(1) z=(1) z_next=(0) y_next=(0) grad=(1) b=(0) q=(0) F_x=1/2 F_next=0",
            ),
        ),
    ),
    step(
        "s8",
        "eta_t^2 <= 4 eta_{0:t} makes eta_{0:t} tau_t^2 - 4, in the first line of (17), at most 0: why the term can be "
        "dropped, which is not said",
        "eta_sum*(eta/eta_sum)**2 - 4 <= 0",
        (ETA, ETA_SUM),
        (FOUR, PART),
        reads=Reads.OURS,
        place="(17), from its first line to its second",
        argument=(Combine((("1/eta_sum", FOUR),)),),
        mutants=(mutant("less", "7/2 in the place of 4", "eta_sum*(eta/eta_sum)**2 - 7/2 <= 0", "eta=4 eta_sum=4"),),
    ),
    step(
        "s8-default",
        "for eta_t = t + 1 eta_t^2/eta_{0:t} is 2 (t + 1)/(t + 2), less than 2: the half of what is allowed",
        "(t + 1)**2/((t + 1)*(t + 2)/2) < 2",
        (integer("t", "[0, oo)"),),
        reads=Reads.OURS,
        argument=(Combine((("2/(t + 2)", "0 < 1"),)),),
        mutants=(mutant("less", "19/10", "(t + 1)**2/((t + 1)*(t + 2)/2) < 19/10", "t=99"),),
    ),
)
