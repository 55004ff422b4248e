"""Copy this file to encode a claim of a paper: name it after the claim (lem_3_9.py) in proofs/<paper>/.

Say here what the claim means and how the argument goes, in words that a reader of the paper knows;
if the printed statement or a printed step is false, say what is wrong and whether it survives.

Rules that the harness relies on:
* The statement is what the paper prints, also when it is false (`expects=Outcome.REFUTED`, with
  `finding` and `repair`); the repaired statement stands beside it under the id with `~repaired`.
* Steps that the paper prints are called s1, s2, ...; steps of ours have other names.
* Every statement has mutants that the checks must refute; identities get some by themselves.
* A named theorem must stand in a file of assumed/, with its source and a spot test beside it.
"""

from dpaudit.claims.writing import *

# Change: the quantities of the statement, each with its kind and its range.
X, Y = vector("x", "a point"), vector("y", "another point")

CLAIM = Claim(
    id="template/LEM-1",  # Change: paper/LABEL; it names the claim on the command line
    # Change: a title of a few words, the statement in words, its place in the paper, its kind.
    title="weight of a shifted Gaussian inside the unit ball",
    words="If |x| <= 1 then exp(|x|^2) is at most 3.",
    place="Lemma 1, page 3",
    kind=ClaimKind.INEQUALITY,
    # Change: what is stated, then the quantities that it is about, then what is assumed of them.
    statement=Statement("exp(dot(x, x)) <= 3", (X,), ("norm(x) <= 1",)),
    # Change: how it is shown, step by step; `dpaudit show rbcd/THM-4.1` and its file have more of the moves.
    argument=(Substitute((real("r", "[0, 1]", "|x|"),), (("dot(x, x)", "r**2"),), where("r=norm(x)")), Boxes()),
    # Change: false statements close by, which the checks must refute.
    mutants=(Mutant("constant", "2.7 in place of 3 (the best is e)", "exp(dot(x, x)) <= 2.7"),),
    # Change: the steps that the paper prints, s1, s2 and so on; leave `steps` out if it prints none.
    steps=(
        step(
            "s1",
            "completing the square: |x + y|^2 = |x|^2 + 2 <x, y> + |y|^2",
            "dot(x + y, x + y) == dot(x, x) + 2*dot(x, y) + dot(y, y)",
            (X, Y),
        ),
    ),
)
