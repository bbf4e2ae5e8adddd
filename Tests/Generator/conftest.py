"""The generator's modules, and the document that it derives the clients from."""

import copy
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Sources/Generator"))
DOCUMENT = json.loads((ROOT / "docs/openrpc.json").read_text(encoding="utf-8"))


@pytest.fixture
def document():
    """The OpenRPC document, to be changed."""
    return copy.deepcopy(DOCUMENT)
