"""Engine `symbolic`, SMT: z3 and cvc5 must both find that hypotheses and negated goal have no model.

Statements are encoded in reals. Vectors enter through their Gram scalars with Cauchy-Schwarz for
every pair and the determinant of every triple, which holds in every dimension. What real
arithmetic does not know (exp, a power with a symbol in the exponent, a sum) becomes one
unknown number wherever it occurs, which can only lose a proof. Each solver runs in a
process of its own with a limit in its own resource units; a clock ends it if all else fails.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from itertools import combinations

import sympy

from dpaudit.claims.language.expression import (
    Relation,
    bound,
    walk,
)
from dpaudit.claims.language.gram import gram_name
from dpaudit.claims.language.sequences import indexed
from dpaudit.claims.language.statements import parse_statement
from dpaudit.claims.language.written import Written
from dpaudit.records.claim import Statement, Symbol, SymbolKind
from dpaudit.records.errors import MissingPackageError

CLOCK_S = 40
"""Seconds after which a solver that ignores its own limit is ended; the finding then says `clock`."""

Z3 = """
import sys, z3
text = sys.stdin.read()
solver = z3.SolverFor("QF_NRA")
solver.set("rlimit", int(sys.argv[1]))
solver.from_string(text)
answer = solver.check()
print(answer)
if answer == z3.sat:
    for known in solver.model():
        print(known, solver.model()[known])
"""
CVC5 = """
import sys, cvc5
solver = cvc5.Solver(cvc5.TermManager())
solver.setOption("rlimit", str(int(sys.argv[1]) // 100))
solver.setOption("nl-ext-tplanes", "true")
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(set-logic QF_NRA)" + sys.stdin.read() + "(check-sat)", "goal")
answer = "unknown"
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    said = command.invoke(solver, parser.getSymbolManager()).strip()
    answer = said or answer
print(answer)
"""


@dataclass(frozen=True)
class Solved:
    """proved: both solvers say unsat; detail: one sentence; model: what z3 proposes as a counter-example."""

    proved: bool
    detail: str
    model: tuple[tuple[str, str], ...] = ()


def solve(statement: Statement, facts: tuple[Relation, ...], effort: int) -> Solved:
    """Do the conditions and `facts` (each true on the domain) imply the goal, say both solvers?"""
    terms = (side for given in facts for side in (given.left, given.right))
    if indexed(statement) or any(node.head == "at" for term in terms for node in walk(term)):
        return Solved(False, "sequences are not said to the solvers: give what stands at an index a name")
    goal, conditions = parse_statement(statement)
    encoder = Encoder(statement.symbols)
    hypotheses = [encoder.relation(relation) for relation in (*conditions, *facts)]
    text = encoder.script([*hypotheses, f"(not {encoder.relation(goal)})"])
    answers = {name: _ask(name, code, text, effort) for name, code in (("z3", Z3), ("cvc5", CVC5))}
    words = ", ".join(f"{name}: {answer.split(chr(10))[0]}" for name, answer in answers.items())
    if all(answer == "unsat" for answer in answers.values()):
        return Solved(True, f"hypotheses and negated goal have no model ({words}; {len(hypotheses)} hypotheses)")
    model = _model(answers["z3"], encoder) if answers["z3"].startswith("sat") else ()
    return Solved(False, f"not settled by both solvers ({words})", model)


def _ask(package: str, code: str, text: str, effort: int) -> str:
    """unsat, unknown, `sat` with a model, or `clock`."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, str(effort)], input=text, capture_output=True, text=True, timeout=CLOCK_S
        )
    except subprocess.TimeoutExpired:
        return "clock"
    if "No module named" in done.stderr:
        raise MissingPackageError(package, "smt")
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        return f"failed ({last[0][:200]})"
    return done.stdout.strip()


def _model(answer: str, encoder: Encoder) -> tuple[tuple[str, str], ...]:
    """The values that z3 gives to scalar symbols, those it writes as fractions; the others are free: 0."""
    found = dict(line.split(" ", 1) for line in answer.splitlines()[1:] if " " in line)
    values = []
    for symbol in encoder.symbols:
        if symbol.kind not in (SymbolKind.REAL, SymbolKind.INTEGER):
            return ()
        value = found.get(encoder.name(encoder.translator.atoms[symbol.name]).strip("|"), "0")
        near = value.rstrip("?")  # z3 writes an algebraic number as the beginning of its decimals
        if not near.translate(str.maketrans("", "", "/-.")).isdigit():
            return ()
        values.append((symbol.name, near))
    return tuple(values)


@dataclass
class Encoder:
    """SymPy forms as SMT-LIB terms; each unknown gets one name and its defining constraints."""

    symbols: tuple[Symbol, ...]
    names: dict[sympy.Expr, str] = field(default_factory=dict)
    constraints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.translator = Written(self.symbols)

    def relation(self, relation: Relation) -> str:
        """`relation` as a formula."""
        left, right = (self.term(self.translator.scalar_form(side)) for side in (relation.left, relation.right))
        return f"({'=' if relation.sign == '==' else relation.sign} {left} {right})"

    def name(self, form: sympy.Expr) -> str:
        """The name of an unknown."""
        if form not in self.names:
            self.names[form] = f"|u{len(self.names)}|"
        return self.names[form]

    def term(self, form: sympy.Expr) -> str:
        """`form` as a term over named unknowns."""
        if form.is_Rational:
            return _fraction(form)
        if form.is_Add or form.is_Mul:
            return f"({'+' if form.is_Add else '*'} {' '.join(self.term(arg) for arg in form.args)})"
        if form.is_Pow and form.exp.is_Integer and form.exp > 0:
            return f"(* {' '.join([self.term(form.base)] * int(form.exp))})" if form.exp > 1 else self.term(form.base)
        if isinstance(form, (sympy.Max, sympy.Min)):
            return self._extreme(form)
        return self._unknown(form)

    def _extreme(self, form: sympy.Expr) -> str:
        sign = ">=" if isinstance(form, sympy.Max) else "<="
        first, *rest = [self.term(arg) for arg in form.args]
        for other in rest:
            first = f"(ite ({sign} {first} {other}) {first} {other})"
        return first

    def _unknown(self, form: sympy.Expr) -> str:
        """A number that arithmetic pins down by constraints (roots, quotients) or not at all."""
        if form in self.names:
            return self.names[form]
        name = self.name(form)
        if form in self.defining:
            self.constraints += self._defined(form, name)
        elif form.is_Pow and form.exp.is_Rational and form.exp.q <= 2:
            self.constraints += self._where_it_has_a_value(form, name)
        elif isinstance(form, sympy.Abs):
            inner = self.term(form.args[0])
            self.constraints.append(f"(= {name} (ite (>= {inner} 0) {inner} (- {inner})))")
        elif form.is_positive or isinstance(form, sympy.exp):
            self.constraints.append(f"(> {name} 0)")
        elif form.is_nonnegative:
            self.constraints.append(f"(>= {name} 0)")
        return name

    @property
    def defining(self) -> dict[sympy.Expr, tuple[bool, sympy.Expr]]:
        """Of each root and inverse that the statement writes: is it a root, and of what."""
        roots = {unknown: (True, base) for base, unknown in self.translator.roots.items()}
        return {**roots, **{unknown: (False, below) for below, unknown in self.translator.inverses.items()}}

    def _defined(self, form: sympy.Expr, name: str) -> list[str]:
        """Only points where a root or an inverse has a value count: the statement writes it."""
        is_root, of = self.defining[form]
        inner = self.term(of)
        return [f"(>= {name} 0)", f"(= (* {name} {name}) {inner})"] if is_root else [f"(= (* {name} {inner}) 1)"]

    def _where_it_has_a_value(self, form: sympy.Expr, name: str) -> list[str]:
        """A half power that SymPy made says nothing of its base: the statement may have a value where it has none."""
        base, power = self.term(form.base), abs(int(form.exp.p))
        root, outside = base, f"(= {base} 0)"
        if not form.exp.is_Integer:
            root = f"{name[:-1]}_root|"
            self.names[sympy.Dummy("root")] = root
            outside = f"(< {base} 0)" if form.exp > 0 else f"(<= {base} 0)"
        raised = f"(* {' '.join([root] * power)})" if power > 1 else root
        equation = f"(= {name} {raised})" if form.exp > 0 else f"(= (* {name} {raised}) 1)"
        of_root = [] if form.exp.is_Integer else [f"(>= {root} 0)", f"(= (* {root} {root}) {base})"]
        return [f"(or {outside} (and {' '.join([*of_root, equation])}))"]

    def script(self, formulas: list[str]) -> str:
        """Declarations, ranges, Gram facts and `formulas`, as SMT-LIB text."""
        facts = [*self._ranges(), *self._gram()]
        declared = [f"(declare-fun {name} () Real)" for name in self.names.values()]
        return "\n".join([*declared, *(f"(assert {f})" for f in (*self.constraints, *facts, *formulas))]) + "\n"

    def _ranges(self) -> list[str]:
        found = []
        for s in self.symbols:
            atom = self.translator.atoms.get(s.name)
            if atom is None or atom not in self.names:
                continue
            low, high = bound(s.lower), bound(s.upper)
            if low is not None:
                found.append(f"({'<' if s.lower_open else '<='} {_fraction(sympy.Rational(low))} {self.names[atom]})")
            if high is not None:
                found.append(f"({'<' if s.upper_open else '<='} {self.names[atom]} {_fraction(sympy.Rational(high))})")
        return found

    def _gram(self) -> list[str]:
        """Gram matrices are positive semidefinite: diagonals, 2 x 2 and 3 x 3 minors."""
        vectors = [s.name for s in self.symbols if s.kind in (SymbolKind.VECTOR, SymbolKind.GAUSSIAN)]
        atoms = self.translator.atoms
        used = [v for v in vectors if any(atoms[gram_name(v, w)] in self.names for w in vectors)]

        def g(u: str, v: str) -> str:
            return self.name(atoms[gram_name(u, v)])

        facts = [f"(>= {g(v, v)} 0)" for v in used]
        facts += [f"(<= (* {g(u, v)} {g(u, v)}) (* {g(u, u)} {g(v, v)}))" for u, v in combinations(used, 2)]
        for u, v, w in combinations(used, 3):
            positive = f"(* {g(u, u)} {g(v, v)} {g(w, w)}) (* 2 {g(u, v)} {g(v, w)} {g(u, w)})"
            minus = " ".join(f"(* {g(a, a)} {g(b, c)} {g(b, c)})" for a, b, c in ((u, v, w), (v, u, w), (w, u, v)))
            facts.append(f"(>= (- (+ {positive}) {minus}) 0)")
        return facts


def _fraction(value: sympy.Rational) -> str:
    text = f"(/ {abs(value.p)} {value.q})" if value.q != 1 else str(abs(value.p))
    return f"(- {text})" if value < 0 else text
