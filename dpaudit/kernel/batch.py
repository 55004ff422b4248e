"""Certificates in one file for `coqc`, and what its answer means: nothing is taken as accepted that is not named there.

Each certificate is a module of its own, so that what Coq names as assumed says whose it is. A file ends with one
`Print Assumptions` of all of its theorems together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dpaudit.kernel.export import THEOREM, Exported

HEAD = (
    "From Dp Require Import Support.\nFrom Flocq Require Import Core.Raux.\nRequire Import Reals Lra ZArith Lia.\n"
    "Open Scope R_scope.\n"
    "Set Printing Width 1000000.\nSet Printing Depth 1000000.\n"
)
ALL = "everything"
REALS = frozenset((
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
))  # fmt: skip
"""What the real numbers of Coq's library rest on."""
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Variables?|Hypothes[ie]s|Conjectures?|Context|Declare|Unset|"
    r"Require|Load|Drop|Redirect|Print|Module|Section|Notation|Ltac|Definition|Fixpoint|Set|bypass_check)\b"
)
"""Words that no sentence of a certificate has beyond the one that it begins with."""
OPENING = re.compile(r"(?:Axiom|Lemma) [A-Za-z_][A-Za-z0-9_']* : ")
QED = ".\nQed."


class Suspect(Exception):
    """A text that is not judged, or an answer of Coq that does not say what was asked for."""


def module(name: str, exported: Exported) -> str:
    """One certificate as a module."""
    sentences = exported.sentences()
    for one in sentences:
        refuse_suspect(one)
    return "\n".join([f"Module {name}.", *sentences, f"End {name}."])


def refuse_suspect(sentence: str) -> None:
    """Raises Suspect unless the text is one axiom, or one lemma whose proof is one tactic and ends with Qed."""
    opening = OPENING.match(sentence)
    body = sentence[opening.end() :] if opening else ""
    word = FORBIDDEN.search(body)
    if not opening or "(*" in body or '"' in body or word:
        raise Suspect(f"{word[0] if word else 'something else'} stands in {sentence[:60]!r}")
    stops = len(re.findall(r"\.(?=\s|$)", body))
    fits = stops == 1 and body.endswith(".") if sentence.startswith("Axiom") else stops == 4 and body.endswith(QED)
    if not fits:
        raise Suspect(f"{sentence[:60]!r} is not one sentence with one proof")


def text(batch: Mapping[str, Exported]) -> str:
    """The file. batch: certificates by the names of their modules."""
    theorems = [f"{name}.{THEOREM}" for name in batch]
    together = " ".join(f"(conj {one}" for one in theorems) + " I" + ")" * len(theorems)
    modules = (module(name, one) for name, one in batch.items())
    return "\n".join([HEAD, *modules, f"Definition {ALL} := {together}.", f"Print Assumptions {ALL}.", ""])


def assumed(answer: str) -> frozenset[str]:
    """The names that `Print Assumptions` lists; Suspect for an answer of any other form."""
    lines = answer.strip().splitlines()
    if lines == ["Closed under the global context"]:
        return frozenset()
    if not lines or lines[0] != "Axioms:":
        raise Suspect(f"Coq does not list what is assumed: {answer.strip()[:200]!r}")
    found: set[str] = set()
    for line in lines[1:]:
        if line.startswith("  ") and found:
            continue  # the statement of the axiom before, where it is long
        name, colon, _ = line.partition(" :")
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_'.]*", name) or not (colon or line == name):
            raise Suspect(f"Coq says {line[:200]!r} of what is assumed")
        found.add(name)
    if not found:
        raise Suspect("Coq lists axioms and names none")
    return frozenset(found)


def shared_out(names: frozenset[str], batch: Mapping[str, Exported]) -> dict[str, frozenset[str]]:
    """What each certificate assumes, beyond the real numbers, by the names of theorems.

    Raises Suspect where Coq names anything that none of them declares.
    """
    declared = {f"{name}.{one.name}": (name, one.of) for name, exported in batch.items() for one in exported.axioms}
    undeclared = names - REALS - set(declared)
    if undeclared:
        raise Suspect(f"{', '.join(sorted(undeclared))} is assumed and not declared")
    found: dict[str, set[str]] = {name: set() for name in batch}
    for one in names & set(declared):
        name, of = declared[one]
        found[name].add(of)
    return {name: frozenset(ofs) for name, ofs in found.items()}
