"""The file to copy is a claim that verifies, under an id of its own."""

import importlib.util
from pathlib import Path

from dpaudit.claims.verify import verify_claim
from dpaudit.records.context import Context, Level

TEMPLATE = Path(__file__).resolve().parents[3] / "proofs" / "_template.py"


def test_the_template_verifies():
    spec = importlib.util.spec_from_file_location("template", TEMPLATE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    verdicts = verify_claim(module.CLAIM, module, Context(1, Level.SMOKE, 1e-6))
    assert len(verdicts) > 5
    assert [v.id for v in verdicts if not v.as_expected] == []
