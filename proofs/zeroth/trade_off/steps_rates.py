"""(114) to (117): the rates, and when they beat those of DPZero."""

from dpaudit.claims.writing import *

from .symbols import *

ONE = "((4*d + 8*d/K)*2*sqrt(2*pi)*n*K*T)"
"""X for L = B = M = 1 and eta = K."""
FEW = "8*(2 + r)*K <= d"
WIDE = integer("d", "[16, oo)", "dimension")
CONSTANT = Have("2*sqrt(2*pi) <= 51/10", (Boxes(),))
SIXTEENTH = "16*K <= d"
SUM = "4*d*K + 8*d <= 3/4*d**2"
OF_SIZES = (
    CONSTANT,
    Have(SIXTEENTH, (Combine((("1", FEW), ("8*K", "0 <= r"), ("0", "0 <= 1"))),)),
    Have(SUM, (Combine((("d/4", SIXTEENTH), ("d/2", "16 <= d"))),)),
)
SYMBOLS = (RANK, WIDE, RECORDS, DIRECTIONS, STEPS)
SMALLEST = "r=1 d=24 n=1 K=1 T=1"
GAP_0, MEAN = real("gap", "[0, oo)", "lbar(w_0) - lbar(w*)"), real("mean", meaning="E[lbar(w_0) - lbar(w_T) | Q]")
RATES_116 = (positive("t_0", "T is at least t_0 d"), positive("k_0", "K is at least k_0 log(d/delta)"))


LOGS = (
    Have("log(2*sqrt(2*pi)) <= log(51/10)", (Boxes(),)),
    Have(
        "log(4*d*K + 8*d) <= log(3/4*d**2)",
        (
            Combine(
                (
                    ("1", "log((4*d*K + 8*d)/(3/4*d**2)) <= (4*d*K + 8*d)/(3/4*d**2) - 1"),
                    ("4/(3*d**2)", SUM),
                )
            ),
        ),
    ),
    Have("0 <= log(n)"),
    Have("log(51/10) + log(3/4) <= log(d)", (Monotone("d", "low"), Boxes())),
)
COMMON = (
    ("1", "log(2*sqrt(2*pi)) <= log(51/10)"),
    ("1", "log(4*d*K + 8*d) <= log(3/4*d**2)"),
    ("2", "0 <= log(n)"),
    ("1", "log(51/10) + log(3/4) <= log(d)"),
)
LEFT = "log(2*sqrt(2*pi)) + log(4*d*K + 8*d) + log(n)"
SQUARE_D = ONE.replace("*T", "*d")

RATES = (
    step(
        "s3",
        "(114). Encoded for L = B = M = 1 and eta = K/M, K <= d/(8 (2 + r)): under the two roots, log X is at most 3 "
        "times log(dnKT/eta)",
        f"log({ONE}) <= 3*log(d*n*K*T/K)",
        SYMBOLS,
        (FEW,),
        reads=Reads.READING,
        place="(114)",
        printed=r"\frac{64rMR\sqrt d\log(2/\delta)}{n\varepsilon^2}\frac1{\sqrt d}\sqrt{\log((4L^2d+\frac{8Bd}\eta)"
        r"2\sqrt{2\pi}nKT)}=O(\frac{rR\log(2/\delta)}{n\varepsilon^2}\sqrt{\log(\frac{dnKT}\eta)})",
        argument=(
            *OF_SIZES,
            Rewrite(left=f"{LEFT} + log(T)", right="3*log(d) + 3*log(n) + 3*log(T)"),
            *LOGS,
            Have("0 <= log(T)"),
            Combine((*COMMON, ("2", "0 <= log(T)"))),
        ),
        mutants=(mutant("half", "half of it", f"log({ONE}) <= 1/2*log(d*n*K*T/K)", SMALLEST),),
    ),
    step(
        "s4",
        "eta = K/M can be chosen whenever K <= d/(8 (2 + r)): the condition of (100) with a factor 2 to spare. That K "
        "= Omega(log(T/delta)) can hold with it is what the claim denies",
        "K/M <= 1/2*(d/(4*(2 + r)*M))",
        (RANK, DIMENSION, DIRECTIONS, SMOOTH),
        (FEW,),
        place="after (114)",
        printed=r"\eta=\frac KM\text{ whenever }K\leq\frac d{8(2+r)}",
        argument=(Combine((("1/(8*(2 + r)*M)", FEW),)),),
        mutants=(mutant("third", "a third", "K/M <= 1/3*(d/(4*(2 + r)*M))", "r=1 d=24 K=1 M=1"),),
    ),
    step(
        "s4-rate",
        "(115): with T = Theta(d) and K = Theta(log(d/delta)), the root is O(sqrt(log(d^2 n))). Encoded for L = B = M "
        "= 1, T = d, and any K <= d/(8 (2 + r)): under the two roots, log X is at most 3 times log(d^2 n)",
        f"log({SQUARE_D}) <= 3*log(d**2*n)",
        SYMBOLS[:-1],
        (FEW,),
        reads=Reads.READING,
        place="(115)",
        printed=r"O(\frac{rR\log(2/\delta)}{n\varepsilon^2}\sqrt{\log(d^2n)})",
        argument=(
            *OF_SIZES,
            Rewrite(left=f"{LEFT} + log(d)", right="6*log(d) + 3*log(n)"),
            *LOGS,
            Have("0 <= log(d)"),
            Combine((*COMMON, ("2", "0 <= log(d)"))),
        ),
        mutants=(mutant("half", "half of it", f"log({SQUARE_D}) <= 1/2*log(d**2*n)", SMALLEST.replace(" T=1", "")),),
    ),
    step(
        "s4-first",
        "(116): with T >= t_0 d, K >= k_0 log(d/delta) and eta = K/M the first term is at most 4 M/(t_0 k_0) times the "
        "gap at w_0 over log(d/delta)",
        "4*d*P_Q/(T*(K/M))*mean <= 4*M/(t_0*k_0)*gap/log_d",
        (
            *(DIMENSION, STEPS, DIRECTIONS, SMOOTH, GAP_0, MEAN, *RATES_116),
            *(real("P_Q", "[0, 1]", "P(Q)"), positive("log_d", "log(d/delta)")),
        ),
        ("mean <= gap", "t_0*d <= T", "k_0*log_d <= K"),
        place="(116)",
        printed=r"\frac{4d\mathbb{P}(Q)}{T\eta}\left(\mathbb{E}[\bar\ell(w_0)-\bar\ell(w_T)|Q]\right)"
        r"=O(\frac1{\log(d/\delta)}\left(\bar\ell(w_0)-\bar\ell(w^\star)\right))",
        argument=(
            Bound(left="4*d*P_Q/(T*(K/M))*gap", argument=(Combine((("4*d*P_Q*M/(T*K)", "mean <= gap"),)),)),
            Bound(left="4*d*M/(T*K)*gap", argument=(Combine((("4*d*M/(T*K)*gap", "P_Q <= 1"),)),)),
            Combine(
                (
                    ("4*M*gap/(t_0*T*K)", "t_0*d <= T"),
                    ("4*M*gap/(t_0*k_0*log_d*K)", "k_0*log_d <= K"),
                )
            ),
        ),
        mutants=(
            mutant(
                "half",
                "2 M",
                "4*d*P_Q/(T*(K/M))*mean <= 2*M/(t_0*k_0)*gap/log_d",
                "d=2 T=2 K=1 M=1 gap=1 mean=1 t_0=1 k_0=1 P_Q=1 log_d=1",
            ),
        ),
    ),
    step(
        "s5",
        "(117), in d alone: for each n, log(n d) is at most a constant times log(d), so that the root is O(sqrt(log "
        "d))",
        "log(n*d) <= (1 + log(n)/log(2))*log(d)",
        (DIMENSION, RECORDS),
        place="(117)",
        printed=r"O\left(\frac{rR\log(2/\delta)}{n\varepsilon^2}\sqrt{\log(nd)}\right)=O(r\sqrt{\log(d)})",
        argument=(
            Rewrite(left="log(n) + log(d)"),
            Have("0 <= log(n)"),
            Have("0 < log(2)", (Boxes(),)),
            Have("log(2) <= log(d)", (Combine((("1", "log(2/d) <= 2/d - 1"), ("1/d", "2 <= d"))),)),
            Combine((("log(n)/log(2)", "log(2) <= log(d)"),)),
        ),
        mutants=(mutant("half", "half of it", "log(n*d) <= 1/2*(1 + log(n)/log(2))*log(d)", "n=2 d=2"),),
    ),
    step(
        "s5-better",
        "r sqrt(log d) is better than DPZero's log(d) sqrt(r) whenever r = o(sqrt(log d)). Encoded: where r <= "
        "sqrt(log d) it is at most that; what DPZero has is taken from the paper",
        "r*root <= root**2*sqrt(r)",
        (RANK, positive("root", "sqrt(log d)")),
        ("r <= root",),
        place="after (117)",
        printed=r"r=o(\sqrt{\log(d)})",
        argument=(
            Have("sqrt(r) <= r", (Power("2"), Combine((("r", "1 <= r"),)))),
            Have("sqrt(r) <= root"),
            Combine((("root*sqrt(r)", "sqrt(r) <= root"),)),
        ),
        mutants=(Mutant("more", "r <= 2 root", conditions=("r <= 2*root",), candidates=(point("r=2 root=1"),)),),
    ),
    step(
        "s5-exact",
        "it is better up to r = log(d), far beyond the printed range; equal there",
        "r*root <= root**2*sqrt(r)",
        (RANK, positive("root", "sqrt(log d)")),
        ("r <= root**2",),
        reads=Reads.OURS,
        place="after (117)",
        argument=(
            Have("sqrt(r) <= root", (Power("2"), Solve())),
            Combine((("root*sqrt(r)", "sqrt(r) <= root"),)),
        ),
        tightness=(
            Tightness("factor", "1", "r*root <= {c}*root**2*sqrt(r)", "1", "99/100", candidates=(point("r=4 root=2"),)),
        ),
        mutants=(Mutant("more", "r <= 2 root^2", conditions=("r <= 2*root**2",), candidates=(point("r=2 root=1"),)),),
    ),
)
