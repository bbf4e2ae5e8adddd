"""The methods and notifications that pages name exist."""

import json
import re
from typing import List

from conftest import ROOT

PAGES = ["README.md", "protocol.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]
CLIENTS = [f"clients/{client}/README.md" for client in ("python", "node")]


def unknown(text: str, known: List[str]) -> List[str]:
    """The names in code that are of a known namespace, and that nothing has."""
    namespaces = "|".join(sorted({name.partition("/")[0] for name in known}))
    found = re.findall(rf"`((?:{namespaces})/[A-Za-z]+)`", text)
    return sorted(set(found) - set(known))


def test_all_named_methods_exist() -> None:
    document = json.loads((ROOT / "docs/openrpc.json").read_text())
    known = [each["name"] for each in (*document["methods"], *document["x-notifications"])]
    assert unknown("`sampleCursor/stepCount` and `asset/open`", known) == ["sampleCursor/stepCount"]
    for page in PAGES + CLIENTS:
        assert not unknown((ROOT / page).read_text(), known), page
