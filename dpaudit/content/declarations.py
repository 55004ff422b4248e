"""Claim files are declarations: what may stand in one is a list, and nothing that is not on it is executed.

A file that could change dpaudit while it is loaded could change the verdicts of its neighbours, and one that reads
other files would keep its verdict in the cache when these change. So the text of a claim file, and of
each file beside it that it imports, is read as a syntax tree before it runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from dpaudit.content.places import claim_files, python_bytes, shown
from dpaudit.records.errors import ContentError

STATEMENTS = (ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.Import, ast.ImportFrom, ast.Pass)
"""What stands at the margin, beside texts that explain."""
IMPORTS = (
    "__future__", "collections", "dataclasses", "decimal", "enum", "fractions", "functools", "itertools", "math",
    "mpmath", "numbers", "numpy", "operator", "scipy", "statistics", "sympy", "torch", "typing",
    "dpaudit.accounting", "dpaudit.algorithms", "dpaudit.arithmetic", "dpaudit.claims.writing", "dpaudit.estimators",
    "dpaudit.noise", "dpaudit.problems", "dpaudit.records", "dpaudit.sampling",
)  # fmt: skip
"""Packages that a claim file may import from, beside the files of its own folder."""
REFUSED = frozenset({
    "__builtins__", "__import__", "breakpoint", "compile", "delattr", "eval", "exec", "getattr", "globals", "input",
    "locals", "open", "setattr", "vars",
})  # fmt: skip
"""Names of Python that change what was not written in the file, or read what does not belong to it."""
READERS = frozenset({
    "DataSource", "fromfile", "genfromtxt", "hub", "io", "load", "load_state_dict", "loadmat", "loadtxt", "memmap",
    "mmread", "open_memmap", "save", "savetxt", "savez", "setattr", "tofile",
})  # fmt: skip
"""Names by which NumPy, SciPy and torch read and write files."""
EVALUATORS = frozenset({
    "ForwardRef", "attrgetter", "auto_symbol", "autowrap", "cpp_extension", "eval_expr", "get_type_hints",
    "implemented_function", "kernS", "lambdify", "load_inline", "make_dataclass", "methodcaller", "parse_expr",
    "parse_latex", "parse_mathematica", "parse_maxima", "stringify_expr", "sympify", "ufuncify",
})  # fmt: skip
"""Names by which SymPy, torch and the standard library run a text as code, or reach by a text what is not written."""
OF_TEXTS = frozenset({
    "Dummy", "Float", "Function", "IndexedBase", "Integer", "MatrixSymbol", "Rational", "Symbol", "Wild", "symbols",
})  # fmt: skip
"""What SymPy makes of a text without running it; all other functions of it do."""
MODULES = frozenset({
    "builtins", "codecs", "ctypes", "importlib", "inspect", "modules", "os", "pathlib", "pickle", "posix", "shutil",
    "socket", "subprocess", "sys", "tempfile", "threading",
})  # fmt: skip
"""Modules that others hold for their own use, as `enum.sys` or `collections._sys`: through them a file would reach
everything. Not `signal`, which is one of SciPy too."""
ALLOWED = (
    "a claim file declares: it holds texts, imports, assignments to names, and functions; what it may import from is "
    f"{', '.join(IMPORTS)}, and the files beside it"
)
_DUNDER = re.compile(r"__\w+__")
_DOES = {
    ast.Expr: "a call at the margin", ast.For: "a loop", ast.While: "a loop", ast.With: "a with statement",
    ast.Try: "a try statement", ast.If: "an if statement", ast.ClassDef: "a class", ast.Delete: "a deletion",
    ast.AugAssign: "a change of a value", ast.Raise: "a raise statement", ast.Assert: "an assertion",
}  # fmt: skip


def refuse_actions(path: Path) -> None:
    """ContentError, with its line, for what a claim file and the files beside it that it imports may not hold.

    SyntaxError where one is no Python.
    """
    parts = {file.stem: file for file in (*path.parent.glob("*.py"), *claim_files(path))}
    beside, waiting, seen = frozenset(parts), [path], {path}
    for file in waiting:
        tree = ast.parse(python_bytes(file), str(file))
        for line, what in (*_at_the_margin(tree), *_inside(tree, beside), *_texts_as_code(tree)):
            raise ContentError(f"{shown(file)}, line {line}: {what}; {ALLOWED}")
        imported = (parts[name] for name in _imported(tree) if name in beside)
        waiting += [part for part in imported if part not in seen and not seen.add(part)]  # type: ignore[func-returns-value]


def _at_the_margin(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in tree.body:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if not (text or isinstance(node, STATEMENTS)):
            yield node.lineno, f"{_DOES.get(type(node), type(node).__name__)} does something while the file is loaded"


def _inside(tree: ast.Module, beside: frozenset[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for one in names:
                    if not _known(one.name, beside):
                        yield node.lineno, f"the import of {one.name}"
            case ast.ImportFrom(module=str(module), level=0) if not _known(module, beside):
                yield node.lineno, f"the import of {module}"
            case ast.ImportFrom(names=names):
                for one in names:
                    if one.name in READERS | REFUSED | EVALUATORS or _holds_more(one.name):
                        yield node.lineno, f"the name {one.name}"
            case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()):
                yield node.lineno, f"a value for the attribute {attr} of something else"
            case ast.Attribute(attr=attr) if attr in READERS | EVALUATORS or _holds_more(attr):
                yield node.lineno, f"the attribute {attr}"
            case ast.Name(id=name) if name in REFUSED | EVALUATORS:
                yield node.lineno, f"the name {name}"
            case ast.Global() | ast.Nonlocal():
                yield node.lineno, "a function that changes names outside of it"


def _texts_as_code(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Texts that SymPy would run, and such as name what Python keeps to itself."""
    known = set(_of_sympy(tree))
    explained = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in explained and _DUNDER.search(text):
                yield node.lineno, f"the text {text[:40]!r}"
            case ast.Call(func=func) if _root(func) in known and _last(func) not in OF_TEXTS:
                if any(map(_is_text, (*node.args, *(one.value for one in node.keywords)))):
                    yield node.lineno, f"a text that {_last(func)} of SymPy would run"


def _of_sympy(tree: ast.Module) -> Iterator[str]:
    """The names by which a file calls SymPy and what it has imported from it."""
    for node in ast.walk(tree):
        module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        for one in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            if (module or one.name).partition(".")[0] == "sympy":
                yield one.asname or one.name.partition(".")[0]


def _root(func: ast.expr) -> str:
    """The name with which what is called begins, as `a` of `a.b.c`."""
    while isinstance(func, ast.Attribute):
        func = func.value
    return func.id if isinstance(func, ast.Name) else ""


def _last(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else _root(func)


def _is_text(node: ast.expr) -> bool:
    """Is it a text as written, or several in a row?"""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, right=right):
            return _is_text(left) or _is_text(right)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return any(map(_is_text, elements))
    return False


def _holds_more(name: str) -> bool:
    """Does what is called so lead out of what the file has imported?"""
    return name.lstrip("_") in MODULES or (name.startswith("__") and name.endswith("__"))


def _known(module: str, beside: frozenset[str]) -> bool:
    listed = any(module == one or module.startswith(f"{one}.") for one in IMPORTS)
    return module in beside or (listed and not READERS & set(module.split(".")))


def _imported(tree: ast.Module) -> Iterator[str]:
    """The first names of what is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "").partition(".")[0], *(one.name for one in node.names))
