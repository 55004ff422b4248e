"""A claim file that would do something is refused before it runs, with its line; shipped ones declare."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_content import claim_text, write

from dpaudit.content import loading, places
from dpaudit.content.declarations import refuse_actions
from dpaudit.content.items import Broken, Loaded
from dpaudit.records.errors import ContentError


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # changes what others are judged with
        ("import dpaudit.recheck.check as c\nc.MOST = 0", "line 1: the import of dpaudit.recheck.check"),
        ("from dpaudit.claims.argument import automatic", "line 1: the import of dpaudit.claims.argument"),
        ("import numpy as np\nnp.exp = np.log", "line 2: a value for the attribute exp of something else"),
        ("import numpy as np\ndef f(rng):\n    np.random.x = 1", "line 3: a value for the attribute x"),
        ("import numpy as np\ndef f(rng):\n    del np.exp", "line 3: a value for the attribute exp"),
        ("X = setattr(int, 'a', 1)", "line 1: the name setattr"),
        ("def f():\n    return globals()", "line 2: the name globals"),
        ("X = (1).__class__.__base__", "the attribute __"),
        ("X = 1\ndef f():\n    global X\n    X = 2", "line 3: a function that changes names outside of it"),
        ("import sys", "line 1: the import of sys"),
        ("import importlib", "line 1: the import of importlib"),
        # reads other files
        ("X = open('data.txt').read()", "line 1: the name open"),
        ("from pathlib import Path\nX = Path('a').read_text()", "line 1: the import of pathlib"),
        ("import numpy as np\nX = np.load('data.npy')", "line 2: the attribute load"),
        ("import enum\nX = enum.sys.modules['os']", "line 2: the attribute"),
        ("from enum import sys", "line 1: the name sys"),
        ("import collections\nX = collections._sys", "line 2: the attribute _sys"),
        ("import numpy as np\nX = np.loadtxt('data.txt')", "line 2: the attribute loadtxt"),
        ("from numpy import fromfile as f\nX = f('data')", "line 1: the name fromfile"),
        ("from scipy.io import loadmat", "line 1: the import of scipy.io"),
        ("import os", "line 1: the import of os"),
        ("import subprocess", "line 1: the import of subprocess"),
        # runs a text
        ("import sympy\nX = sympy.sympify('1')", "line 2: the attribute sympify"),
        ("from sympy import lambdify as f", "line 1: the name lambdify"),
        ("from sympy.parsing.sympy_parser import parse_expr", "line 1: the name parse_expr"),
        ("import sympy\nX = sympy.S('f()')", "line 2: a text that S of SymPy would run"),
        ("from sympy import S as s\nX = s('f' + '()')", "line 2: a text that s of SymPy would run"),
        ("import sympy as sp\ndef f(n):\n    return sp.sqrt(f'{n}')", "line 3: a text that sqrt of SymPy would run"),
        ("from sympy import Matrix\nX = Matrix([['f()']])", "line 2: a text that Matrix of SymPy would run"),
        ("X = '__imp' '' 'ort__(1)'", "line 1: the text '__import__(1)'"),
        ("import operator\nX = operator.attrgetter('real')", "line 2: the attribute attrgetter"),
        ("from typing import get_type_hints", "line 1: the name get_type_hints"),
        # does something while it is loaded
        ("print('x')", "line 1: a call at the margin does something"),
        ("for i in range(3):\n    pass", "line 1: a loop does something"),
        ("try:\n    X = 1\nexcept ValueError:\n    pass", "line 1: a try statement does something"),
        ("class A:\n    pass", "line 1: a class does something"),
        ("X = 1\nX += 1", "line 2: a change of a value does something"),
        ("X = 1\ndel X", "line 2: a deletion does something"),
    ],
)
def test_what_a_claim_file_may_not_hold_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    file = write(tmp_path / "toy" / "lem_1.py", text)
    with pytest.raises(ContentError) as refused:
        refuse_actions(file)
    assert said in str(refused.value)
    assert "a claim file declares" in str(refused.value)
    (item,) = loading.load_claims([file])
    assert isinstance(item, Broken)
    assert said in item.error


def test_a_part_beside_the_claim_is_held_to_the_same(tmp_path: Path) -> None:
    write(tmp_path / "shared_symbols.py", "import os\n")
    file = write(tmp_path / "lem_1.py", "from shared_symbols import X\n" + claim_text())
    with pytest.raises(ContentError, match=r"shared_symbols\.py, line 1: the import of os"):
        refuse_actions(file)
    write(tmp_path / "toy" / "printed.py", "import os\n")
    folder = write(tmp_path / "toy" / "claim.py", "from .printed import X\n" + claim_text())
    with pytest.raises(ContentError, match=r"printed\.py, line 1: the import of os"):
        refuse_actions(folder)


def test_a_refused_file_is_not_executed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    loading.load_claims([write(tmp_path / "lem_1.py", f"open({str(mark)!r}, 'w').close()\n" + claim_text())])
    assert not mark.exists()


def test_mathematics_and_functions_are_declarations(tmp_path: Path) -> None:
    text = (
        '"""What it is."""\nimport math\nimport numpy as np\nfrom fractions import Fraction\n'
        "from scipy import signal\n\n"
        "A, B = 1, Fraction(1, 3)\nC: float = math.log(2)\n\n\n"
        "def f(rng):\n    x = np.zeros(3)\n    x[0] = 1\n    for i in range(3):\n        x[i] += i\n"
        "    if x[0] > 1:\n        return x\n    return [y**2 for y in x]\n"
    )
    (item,) = loading.load_claims([write(tmp_path / "lem_1.py", text + claim_text())])
    assert isinstance(item, Loaded)


def test_sympy_makes_symbols_and_numbers_of_texts(tmp_path: Path) -> None:
    text = (
        '"""Has nothing of `__import__`."""\nimport sympy\nfrom sympy import S, Rational, symbols\n'
        "X, Y = symbols('x y')\nA = S(1)/3 + Rational('1/3') + sympy.sqrt(2)\nF = sympy.Function('f')(X)\n"
    )
    refuse_actions(write(tmp_path / "lem_1.py", text + claim_text()))


def test_the_shipped_claims_declare() -> None:
    folder, _ = places.content_folder("proofs")
    files = [file for file in sorted(folder.glob("*/*.py")) if file.parent.name != places.THEOREMS]
    files += sorted(folder.glob("*/*/claim.py"))
    assert len(files) > 40
    for file in files:
        refuse_actions(file)
