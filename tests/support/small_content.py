"""Small content files for tests: a claim, a target, and what breaks them."""

from __future__ import annotations

from pathlib import Path

CLAIM = """
from dpaudit.records.claim import Claim, ClaimKind, Identical, Mutant, Statement, real

CLAIM = Claim(
    id="{name}",
    title="square of a sum",
    words="the square of a sum",
    place="Lemma 1",
    kind=ClaimKind.IDENTITY,
    statement=Statement("(a + b)**2 == {right}", (real("a"), real("b"))),
    argument=(Identical(),),
)
"""

BOXED = """
from dpaudit.records.claim import Boxes, Claim, ClaimKind, Outcome, Statement, Step, Tightness, real

R = real("r", "[0, 1]")
CLAIM = Claim(
    id="{name}",
    title="a hump",
    words="r(1 - r) is at most 0.26",
    place="Lemma 2",
    kind=ClaimKind.INEQUALITY,
    statement=Statement("r*(1 - r) <= {right}", (R,)),
    argument=(Boxes(),),
    tightness=(Tightness("height", "{right}", "r*(1 - r) <= {{c}}", proved="0.2501", refuted="0.24"),),
    steps=(
        Step("s1", "printed and false", Statement("r*(1 - r) <= 0.2", (R,)), expects=Outcome.REFUTED,
             finding="the constant is too small: 1/4 is right and the lemma survives with it", repair="{name}"),
    ),
)
"""

TARGET = """
import numpy as np

from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, Target, TrialPlan
from dpaudit.records.verdict import Outcome

TARGET = Target(
    name="{name}",
    title="sum of records plus noise",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(GaussianDP({mu}), Neighbours.ADD_OR_REMOVE, 1e-5, "this file"),
    trials=TrialPlan({trials}, {trials}, {trials}),
    needs={needs},
    control=Control.{control},
    expects=Outcome.{expects},
)


def neighbours(rng):
    return np.ones(4), np.ones(3)


def run(data, trials):
    {run}


def score(outputs, data, neighbour):
    return outputs.reshape(len(outputs), -1)[:, 0]
"""

NOISY_SUM = "return data.sum() + {scale} * trials.stream.normals(trials.numbers, 0, 1)"


def claim_text(name: str = "toy/LEM-1", right: str = "a**2 + 2*a*b + b**2") -> str:
    """A claim file that is proved as it stands and refuted with another right side."""
    return CLAIM.format(name=name, right=right)


def boxed_text(name: str = "toy/LEM-2", right: str = "0.26") -> str:
    """A claim file with a box proof, a constant of its own, and a printed step that is false."""
    return BOXED.format(name=name, right=right)


def target_text(
    name: str = "toy/sum",
    run: str = NOISY_SUM.format(scale=1.0),
    mu: float = 1.0,
    trials: int = 20_000,
    needs: str = "()",
    control: str = "NONE",
    expects: str = "CONSISTENT",
) -> str:
    """A target file: mu-GDP holds with noise of scale 1 / mu."""
    return TARGET.format(name=name, run=run, mu=mu, trials=trials, needs=needs, control=control, expects=expects)


def write(path: Path, text: str) -> Path:
    """Write a content file, with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
