"""What the experiments say: only whether the numbers of a table and the words beside it agree.

REM-5 (30 trials, 95 % intervals) has no second number to hold it against. REM-1 is the sentence on Table 1, and the
steps `norm` its gradient norms. The sentence on Figure 1 before it, that DP-SRM is better in objective loss, gradient
norm and convergence rate "by a large margin", speaks of curves that are not at hand; in Table 1 the gradient norms of
DP-SRM and DP-AGD at eps = 0.2, 0.0117 (0.0008) and 0.0133 (0.0018), are closer than one standard deviation. Likewise
REM-2 is the sentence on the test error; "more than 2x faster" stands in Figure 2 only.
"""

from dpaudit.claims.writing import *


def ratio(ours, *others):
    """`ours` over the smallest of the others."""
    return f"{ours}/{others[0] if len(others) == 1 else 'min(' + ', '.join(others) + ')'}"


def row(name, words, numbers, near, reads=Reads.PRINTED):
    """DP-SRM has the smallest number of a row; with the others times `near` it does not."""
    return step(
        name,
        words,
        f"{ratio(*numbers)} < 1",
        (),
        argument=(Boxes(),),
        mutants=(mutant("margin", f"the others times {near}", f"{ratio(*numbers)} < {near}", ""),),
        reads=reads,
        place="Table 1" if reads is Reads.PRINTED else "",
    )


def remark(number, title, words, place, rows, near, steps=(), printed=""):
    """DP-SRM has the smallest number of every row."""
    worst = f"max({', '.join(ratio(*numbers) for numbers in rows)})"
    return Claim(
        id=f"srm/REM-{number}",
        title=title,
        words=words,
        place=place,
        kind=ClaimKind.INEQUALITY,
        printed=printed,
        statement=Statement(f"{worst} < 1", ()),
        argument=(Boxes(),),
        mutants=(mutant("margin", f"the others times {near}", f"{worst} < {near}", ""),),
        steps=steps,
    )


ERRORS = (("0.2503", "0.3160", "0.2645", "0.3110"), ("0.2341", "0.2717", "0.2416", "0.3033"))
NORMS = (("0.0117", "0.0184", "0.0133", "0.0175"), ("0.0082", "0.0171", "0.0397", "0.0160"))
TIMES = (("0.4748", "0.5180", "90.05", "47.64"), ("0.4368", "0.4990", "94.28", "59.06"))
PASSES = (("4", "20", "346", "8"), ("5", "20", "365", "10"))

CLAIMS = (
    remark(
        1,
        "ijcnn1: DP-SRM is faster and has a better test error",
        "Table 1 shows that DP-SRM converges faster and can achieve a better test error than DP-GD, DP-AGD and RRPSGD. "
        "Encoded: at eps = 0.2 and 0.5 its test error, processor time and data passes are the smallest. Left: the "
        "largest of the six ratios of DP-SRM to the best of the others.",
        "Section 1.1, the last sentence, and Table 1",
        (*ERRORS, *TIMES, *PASSES),
        "0.96",
        (
            row("error", "test error, eps = 0.2", ERRORS[0], "0.94"),
            row("error-half", "test error, eps = 0.5", ERRORS[1], "0.96"),
            row("norm", "gradient norm, eps = 0.2", NORMS[0], "0.87"),
            row("norm-half", "gradient norm, eps = 0.5", NORMS[1], "0.51"),
            row("time", "processor time, eps = 0.2", TIMES[0], "0.91"),
            row("time-half", "processor time, eps = 0.5", TIMES[1], "0.87"),
        ),
        r"\text{our algorithm convergences faster and can achieve a better test error on the test set than other "
        r"baselines}",
    ),
    Claim(
        id="srm/REM-2",
        title="MNIST: DP-SRM is comparable to DP-SGD",
        words=(
            "At eps = 7 the test error of DP-SRM, 2.91 %, is comparable to the 2.93 % of DP-SGD. Encoded: they differ "
            "by at most 0.02 percentage points."
        ),
        place="Section 1.2, results on MNIST, the sentence on the test error",
        kind=ClaimKind.INEQUALITY,
        printed=r"2.91\% \text{ test error when } \epsilon = 7.0, \text{ which is comparable to the } 2.93\% \text{ "
        r"test errors achieved by DP-SGD}",
        statement=Statement("abs(2.91 - 2.93) <= 1/50", ()),
        mutants=(mutant("half", "1/100", "abs(2.91 - 2.93) <= 1/100", ""),),
        steps=(row("order", "and it is the smaller one", ("2.91", "2.93"), "0.99", Reads.OURS),),
    ),
    remark(
        3,
        "CIFAR-10, CNN5: DP-SGD is worse",
        "50.3 %, 48.2 %, 47.1 % test error against 51.0 %, 50.2 %, 49.3 % at eps = 6, 8, 10.",
        "Section 1.2",
        (("50.3", "51.0"), ("48.2", "50.2"), ("47.1", "49.3")),
        "0.98",
    ),
    remark(
        4,
        "CIFAR-10, CNN6: fewer iterations and less time",
        "At eps = 8: 29.3 % test error against 29.4 %; to reach 29.3 % DP-SGD takes 5.8e4 iterations and 5176 "
        "seconds, DP-SRM 2.6e4 and 2589. The cost of DP-SGD is given for a test error below its own 29.4 %.",
        "Section 1.2",
        (("29.3", "29.4"), ("26000", "58000"), ("2589", "5176")),
        "0.99",
        (
            row("iterations", "less than half of the iterations", ("2*26000", "58000"), "0.89", Reads.OURS),
            row("time", "1.999 times less time: not quite twice as fast", ("1.999*2589", "5176"), "0.999", Reads.OURS),
        ),
    ),
)
