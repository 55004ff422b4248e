"""The proof of Corollary 3.3 from (26) to (30): the condition on xi, the length of the window, and epsilon."""

from dpaudit.claims.writing import *

from .symbols import *

DATA = "alpha/sigma**2*(2*Delta/n)**2"
XI_TERM = "2*alpha*(eta*M*xi)**2*d/(eta**2*sigma**2)"
NEEDED = "min(2*R, 2*C*tau/sqrt(K))"
MOVE = "4*alpha*({})**2*d/(N*eta**2*sigma**2)"
LONG = positive("N", "T - tau, any positive number")
BEST = "8*alpha*Delta*R*sqrt(2*d)/(eta*n*sigma**2)"
COUNT = positive("x", "n R sqrt(2d)/(Delta eta)")

WINDOW_STEPS = (
    erratum(
        "s7",
        "the condition on xi makes the summand of c_2 = eta M xi at most that of the data",
        f"{XI_TERM} <= {DATA}",
        (*SCALES, SMOOTH, REACH),
        ("xi <= 2*Delta/(n*eta*M*sqrt(2*d))",),
        place="the text after (25), and Corollary 3.3",
        printed=r"\xi\leq\frac{2\Delta}{n\eta M\sqrt{2d}}",
        candidates=((*point("alpha=2 sigma=1 eta=1/2 Delta=1 n=1 d=2 M=1"), ("xi", "2")),),
        finding=(
            "2 alpha c_2^2 d/(eta^2 sigma^2) = 2 alpha M^2 xi^2 d/sigma^2 has no eta, so with the printed xi it is "
            "1/eta^2 times the other summand: too much for eta = K/M < 1. The printed condition has eta once too "
            "often, as the units show: Delta/M is a length, as xi is. With 2 Delta/(n M sqrt(2d)) it holds; for eta "
            ">= 1 it does as printed."
        ),
        repair=f"{HERE}/s7~repaired",
    ),
    step(
        "s7~repaired",
        "with xi <= 2 Delta/(n M sqrt(2d)) the summand of c_2 is at most that of the data",
        f"{XI_TERM} <= {DATA}",
        (*SCALES, SMOOTH, REACH),
        ("xi <= 2*Delta/(n*M*sqrt(2*d))",),
        place="the text after (25), and Corollary 3.3",
        argument=(
            Have(
                "xi**2 <= (2*Delta/(n*M*sqrt(2*d)))**2",
                (Power("1/2"), Combine((("1", ("xi <= 2*Delta/(n*M*sqrt(2*d))")),))),
            ),
            Combine((("2*alpha*M**2*d/sigma**2", "xi**2 <= (2*Delta/(n*M*sqrt(2*d)))**2"),)),
        ),
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 M=1 xi=1"),),
        mutants=(mutant("half", "half of it", f"{XI_TERM} <= 1/2*{DATA}"),),
    ),
    step(
        "s7-large",
        "for eta >= 1 the printed condition on xi is enough: it implies the repaired one",
        "xi <= 2*Delta/(n*M*sqrt(2*d))",
        (*SCALES, SMOOTH, REACH),
        ("xi <= 2*Delta/(n*eta*M*sqrt(2*d))",),
        ours=("1 <= eta",),
        reads=Reads.OURS,
        place="the text after (25), and Corollary 3.3",
        argument=(
            Combine(
                (
                    ("1", "xi <= 2*Delta/(n*eta*M*sqrt(2*d))"),
                    ("2*Delta/(n*eta*M*sqrt(2*d))", "1 <= eta"),
                )
            ),
        ),
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 M=1 xi=1"),),
        mutants=(mutant("half", "half of it", "xi <= 1*Delta/(n*M*sqrt(2*d))"),),
    ),
    step(
        "s8",
        "(26) to (27): min(2R, .) <= 2R in the square of the last summand",
        f"{MOVE.format(NEEDED)} <= {MOVE.format('2*R')}",
        (
            *(ALPHA, SIGMA, ETA, DIMENSION, DIRECTIONS, WINDOW, RADIUS),
            integer("tau", "[0, oo)"),
            positive("C", "eta Delta"),
        ),
        place="(27)",
        argument=(
            Have(f"0 <= {NEEDED}", (Solve(),)),
            Combine((("4*alpha*d/(N*eta**2*sigma**2)*(2*R + " + NEEDED + ")", f"{NEEDED} <= 2*R"),)),
        ),
        candidates=(point("alpha=2 sigma=1 eta=1 d=2 K=1 N=1 R=1 tau=1 C=1"),),
        mutants=(
            mutant(
                "less",
                "R in place of 2R",
                f"{MOVE.format(NEEDED)} <= {MOVE.format('1*R')}",
                "alpha=2 sigma=1 eta=1 d=2 K=1 N=1 R=1 tau=1 C=1",
            ),
        ),
    ),
    step(
        "s9",
        "(28): n R sqrt(2d)/(Delta eta) is the length T - tau that makes (27) least, among all positive numbers",
        best_choice("N", LENGTH, TWO_SEVEN),
        (*SCALES, RADIUS, LONG),
        reads=Reads.READING,
        place="(28)",
        argument=(
            Combine(
                (
                    (
                        "8*alpha*Delta**2/(n**2*sigma**2*N)",
                        f"0 <= (N - {LENGTH})**2",
                    ),
                )
            ),
        ),
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 R=1 N=1"),),
        mutants=(
            mutant(
                "less",
                "9/10 of the value at another N",
                best_choice("N", LENGTH, TWO_SEVEN).replace(f"<= {TWO_SEVEN}", f"<= 9/10*{TWO_SEVEN}"),
                "alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 R=1 N=2",
            ),
            mutant(
                "other",
                "sqrt(d) in place of sqrt(2d)",
                best_choice("N", LENGTH.replace("2*d", "d"), TWO_SEVEN),
                "alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 R=1 N=2",
                own_sentence=True,
            ),
        ),
    ),
    erratum(
        "s9-integer",
        "(28) to the letter: the best whole number is that length rounded up. Encoded for (27) over 8 alpha "
        "Delta^2/(n^2 sigma^2), which is N + x^2/N for x = n R sqrt(2d)/(Delta eta)",
        "ceil(x) + x**2/ceil(x) <= N + x**2/N",
        (COUNT, WINDOW),
        reads=Reads.READING,
        place="(28)",
        printed=r"T-\tau=\left\lceil\frac{nR\sqrt{2d}}{\Delta\eta}\right\rceil",
        candidates=(point("x=11/10 N=1"),),
        finding=(
            "The best whole number is the length rounded up or down: for x = 1.1 it is 1, and not 2. Any length is a "
            "valid choice, and 2 N is close to the least value for large x (s9-up); nothing changes."
        ),
        repair=f"{HERE}/s9-up",
    ),
    step(
        "s9-up",
        "the length rounded up, or any whole N that is not below x = n R sqrt(2d)/(Delta eta), makes (27) at most 2 N "
        "in units of 8 alpha Delta^2/(n^2 sigma^2); the least value, by s9 that at x, is 2 x. Encoded: the bound 2 N",
        "N + x**2/N <= 2*N",
        (COUNT, WINDOW),
        ("x <= N",),
        reads=Reads.OURS,
        place="(28)",
        rests_on=(f"{HERE}/s9",),
        argument=(
            Scale("N"),
            Combine((("N + x", "x <= N"),)),
        ),
        candidates=(point("x=1 N=1"),),
        mutants=(mutant("less", "19/10 of it", "N + x**2/N <= 19/10*N", "x=1 N=1"),),
    ),
    erratum(
        "s10",
        "(29): (27) for N = n R sqrt(2d)/(Delta eta), a whole number",
        f"{TWO_SEVEN} == {BEST}",
        (*SCALES, RADIUS, LONG),
        (f"N == {LENGTH}",),
        place="(29)",
        printed=r"\frac{8\alpha\Delta R\sqrt{2d}}{\eta n\sigma^2}",
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 R=1 N=2"),),
        finding=(
            "Both summands of (27) are this much, so that the value is 16 alpha Delta R sqrt(2d)/(eta n sigma^2), "
            "twice what is printed. Half of it would be valid by another choice for xi = 0 (s10-other). O() hides the "
            "factor; a curve drawn from (29) would not."
        ),
        repair=f"{HERE}/s10~repaired",
    ),
    step(
        "s10~repaired",
        "(27) for N = n R sqrt(2d)/(Delta eta) is twice (29)",
        f"{TWO_SEVEN} == 2*{BEST}",
        (*SCALES, RADIUS, LONG),
        (f"N == {LENGTH}",),
        place="(29)",
        argument=(Substitute((), where(f"N={LENGTH}".replace(" ", "")), ()), Identical()),
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=2 R=1 N=2"),),
    ),
    step(
        "s10-other",
        "for xi = 0 (15) itself, with beta_t = 1/2, a_t = 2R/N and N = n R sqrt(d)/(Delta eta), if this is a whole "
        "number, is 8 alpha Delta R sqrt(d)/(eta n sigma^2), less than what (29) says",
        "N*(alpha/sigma**2*(2*Delta/n)**2 + alpha*(2*R/N)**2*d/(eta**2*sigma**2)) == "
        "8*alpha*Delta*R*sqrt(d)/(eta*n*sigma**2)",
        (*SCALES, RADIUS, LONG),
        ("N == n*R*sqrt(d)/(Delta*eta)",),
        reads=Reads.OURS,
        place="(15) and (29)",
        argument=(Substitute((), where("N=n*R*sqrt(d)/(Delta*eta)"), ()), Identical()),
        candidates=(point("alpha=2 sigma=1 eta=1 Delta=1 n=1 d=4 R=1 N=2"),),
    ),
    erratum(
        "s11",
        "(30) with eta = K/M: epsilon from (29), which is at least sqrt(8 Delta R sqrt(2d) log(1/delta)/(eta n "
        "sigma^2)), is of this order",
        "sqrt(8*Delta*R*sqrt(2*d)*log(1/delta)/(K/M*n*sigma**2)) <= "
        "C*sqrt(M*Delta*R*sqrt(2*d)*log(1/delta)/(K*(K/M)*n*sigma**2))",
        (
            constant("C"),
            *(PROBABILITY, SIGMA, CLIP, RECORDS, DIRECTIONS, DIMENSION, SMOOTH, RADIUS),
        ),
        place="(30)",
        printed=r"\varepsilon=O\left(\sqrt{\frac{M\Delta R\sqrt{2d}\log(1/\delta)}{K\eta n\sigma^2}}\right)",
        argument=(
            ForEvery(
                where("delta=1/2 sigma=1 Delta=1 n=1 K=1 d=2 M=1/C**2 R=1"),
                (
                    Power("2"),
                    Rewrite(left="2*log(2)/C**2", right="16*log(2)/C**2"),
                ),
            ),
        ),
        finding=(
            "A misprint. 1/eta of (29) is there, and M/K, which is 1/eta, once more: for large eta (30) is too small "
            "by any factor. Corollary 3.3 itself has it right, M/K without 1/eta."
        ),
        repair=f"{HERE}/s11~repaired",
    ),
    step(
        "s11~repaired",
        "(30) with 1/eta once, as M/K: what stands under the root is the second case of the closed form, but for a "
        "factor sqrt(2). Encoded: without log(1/delta), which both have",
        "Delta*R*sqrt(2*d)/(K/M*n*sigma**2) == sqrt(2)*(Delta**2/(n**2*sigma**2)*(M*R*n*sqrt(d)/(K*Delta)))",
        (SIGMA, CLIP, RECORDS, DIRECTIONS, DIMENSION, SMOOTH, RADIUS),
        reads=Reads.PRINTED,
        place="(13)",
        printed=r"\frac{\Delta^2\log(1/\delta)}{n^2\sigma^2}\cdot\frac{MRn\sqrt d}{K\Delta}",
    ),
)
